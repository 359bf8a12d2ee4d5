import { conditionOf } from '../../../cluster/metadata.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { workloadKinds } from '../../../cluster/workload.js';
import { leastOf } from '../../../collections/collections.js';
import type { Statement } from '../../../language/statement.js';
import { crashFinding } from '../../crashes/crash-finding.js';
import { detectEach } from '../../crashes/detect-each.js';
import { crashFactsOf } from '../../crashes/facts.js';
import { failingPodsOf } from '../../crashes/failing-pods.js';
import type { FailureGroup } from '../../crashes/failure-group.js';
import { agentAdvice, troubledAgents } from '../../crashes/node-agents.js';
import { podFailuresIn, podsOf } from '../../crashes/pod-failures-of.js';
import { crash } from '../../crashes/text.js';
import { blamedNode } from '../../finding.js';
import { podNeeds } from '../../needs.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { SandboxFailureFacts } from './facts.js';
import { type SandboxPart, state, text } from './text.js';

/** Network plugins fail now and then while they start; the kubelet tries again within seconds. */
const patienceSeconds = 60;

/**
 * The node cannot make the pod's sandbox: network, addresses, runtime or a device. It happens before any
 * container exists, so that neither program nor template is the reason.
 */
export const sandboxFailure: Rule<typeof SandboxFailureFacts> = {
  id: 'sandbox-failure',
  facts: SandboxFailureFacts,
  text,
  origin: 'surroundings',
  appliesTo: workloadKinds,
  needs: podNeeds,
  supersedes: ['progress-deadline-exceeded'],
  ...detectEach('sandbox-failure', (examination, failureGroup) => {
    const { snapshot } = examination;
    if (isFresh(snapshot, failureGroup)) return undefined;
    const { podFailures, nodes } = failureGroup;
    const base = crashFactsOf(failureGroup);
    const [{ message, events, reason }] = podFailures;
    const part = partOf(reason, message);
    const agents = troubledAgents(snapshot, nodes, message);
    const facts = {
      part,
      times: events.reduce((sum, { count }) => sum + count, 0),
      ...aboutNodes(snapshot, failureGroup),
    };
    return crashFinding(examination, failureGroup, {
      confidence: part === 'unknown' ? 'possible' : 'likely',
      ...blamedNode(nodes),
      facts,
      summary: state('summary', { workload: workloadName(snapshot), nodes, part }),
      standing: state('standing', failingPodsOf(failureGroup)),
      reasoning: [
        crash('where', { pods: base.pods, nodes }),
        crash('event-says', { message, times: facts.times }),
        state('means', { part }),
        ...(part === 'handler' ? [handlerSays(failureGroup)] : []),
        ...agents.map((each) => crash('agent', { ...each })),
        ...(facts.neighbours.length === 0 ? [] : [state('neighbours', { pods: facts.neighbours })]),
        ...facts.nodesNotReady.map((node) => state('node-not-ready', { node })),
      ],
      ruledOut: [
        { cause: 'unsatisfiable-placement', because: crash('because-has-node') },
        { cause: 'application-crash', because: state('because-never-started') },
      ],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      advice: [
        ...agentAdvice(agents),
        {
          title: state('advice-title', { nodes }),
          text: state('advice', { part }),
          snippet: nodes
            .slice(0, 3)
            .map((node) => `kubectl get pods -A --field-selector spec.nodeName=${node}\n`)
            .join(''),
        },
      ],
    });
  }),
};

function handlerSays({ podFailures: [{ pod, message }] }: FailureGroup): Statement {
  const [, ofContainerd, ofCrio] = missingHandler.exec(message.slice(0, 4096)) ?? [];
  return state('handler', {
    handler: ofContainerd ?? ofCrio ?? '',
    runtimeClass: pod.spec.runtimeClassName,
  });
}

function isFresh(snapshot: Snapshot, { podFailures }: FailureGroup): boolean {
  const times = podFailures
    .flatMap(({ events }) => events)
    .map(({ firstSeen }) => Date.parse(firstSeen ?? ''))
    .filter((time) => !Number.isNaN(time));
  return times.length > 0 && nowOf(snapshot) - leastOf(times) < patienceSeconds * 1000;
}

/**
 * The runtime has no handler of the name that the RuntimeClass gives (containerd
 * `config.go: GetSandboxRuntime`, CRI-O `oci.go: ValidateRuntimeHandler`).
 */
const missingHandler =
  /no runtime for "([^"]{0,253})" is configured|failed to find runtime handler (\S{1,253})/;

/**
 * containerd `sandbox_run.go`: the image of the sandbox itself; CRI-O and dockershim name the pause image.
 */
const sandboxImage =
  /failed to get sandbox image|creating pod sandbox .{0,80}pause image|unable to pull sandbox image/;

function partOf(reason: string, message: string): SandboxPart {
  const said = message.slice(0, 4096);
  if (missingHandler.test(said)) return 'handler';
  if (sandboxImage.test(said)) return 'image';
  if (reason === 'FailedPrepareDynamicResources' || /nvidia-container|\bCDI\b|device/i.test(said)) {
    return 'device';
  }
  if (/no (?:IP|ip) addresses available|IPAM|ipam|address range|failed to allocate for range/.test(said))
    return 'addresses';
  if (reason === 'NetworkNotReady' || /\bcni\b|network plugin|networkPlugin|setup network|CNI/.test(said))
    return 'network';
  if (/runtime|runc|containerd|shim|cgroup|OCI|is reserved|in use|deadline exceeded/i.test(said))
    return 'runtime';
  return 'unknown';
}

function aboutNodes(snapshot: Snapshot, { nodes }: FailureGroup) {
  const own = new Set(podsOf(snapshot).map(({ metadata }) => metadata.uid));
  const neighbours = nodes
    .flatMap((name) => snapshot.index.podsByNode.get(name) ?? [])
    .filter((pod) => !own.has(pod.metadata.uid))
    .filter((pod) => podFailuresIn(snapshot, pod).some(({ cause }) => cause === 'sandbox-failure'))
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
    .sort();
  const nodesNotReady = nodes.filter((name) => {
    const node = snapshot.index.nodes.get(name);
    return node !== undefined && conditionOf(node.status, 'Ready')?.status !== 'True';
  });
  return { neighbours, nodesNotReady };
}
