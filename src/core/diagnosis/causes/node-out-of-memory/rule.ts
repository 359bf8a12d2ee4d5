import { conditionOf } from '../../../cluster/metadata.js';
import type { Snapshot } from '../../../cluster/snapshot.js';
import { workloadKinds } from '../../../cluster/workload.js';
import type { Statement } from '../../../language/statement.js';
import { courseOf, crashFinding } from '../../crashes/crash-finding.js';
import { detectEach } from '../../crashes/detect-each.js';
import { failingPodsOf } from '../../crashes/failing-pods.js';
import type { FailureGroup } from '../../crashes/failure-group.js';
import { podFailuresIn, podsOf } from '../../crashes/pod-failures-of.js';
import { crash } from '../../crashes/text.js';
import { blamedNode } from '../../finding.js';
import { podNeeds } from '../../needs.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { NodeOutOfMemoryFacts } from './facts.js';
import { state, text } from './text.js';

/**
 * OOMKilled without a limit of its own, or with one that the node could never give: the node as a whole ran
 * out, and the kernel chose this container by its use and QoS class.
 */
export const nodeOutOfMemory: Rule<typeof NodeOutOfMemoryFacts> = {
  id: 'node-out-of-memory',
  facts: NodeOutOfMemoryFacts,
  text,
  origin: 'surroundings',
  appliesTo: workloadKinds,
  needs: podNeeds,
  supersedes: ['application-crash', 'crash-loop-after-rollout', 'progress-deadline-exceeded'],
  ...detectEach('node-out-of-memory', (examination, failureGroup) => {
    const { snapshot } = examination;
    const { container, nodes } = failureGroup;
    const facts = ownFactsOf(snapshot, failureGroup);
    const exitCode = failureGroup.podFailures[0].run?.exitCode;
    // Where the kernel ends the main process, the exit code of the container is that of SIGKILL.
    const survived = exitCode === 137 ? undefined : exitCode;
    return crashFinding(examination, failureGroup, {
      confidence: 'likely',
      resource: 'memory',
      ...blamedNode(nodes),
      facts,
      summary: state(survived === undefined ? 'summary' : 'summary-process', {
        workload: workloadName(snapshot),
        container,
        nodes,
      }),
      standing:
        survived === undefined
          ? state('standing', failingPodsOf(failureGroup))
          : crash('standing-process', failingPodsOf(failureGroup)),
      reasoning: [
        ...courseOf(failureGroup),
        ...(survived === undefined ? [] : [crash('process-killed', { container, exitCode: survived })]),
        limitSays(failureGroup, facts),
        ...nodeSays(snapshot, failureGroup, facts),
      ],
      ruledOut: [{ cause: 'out-of-memory', because: state('because-no-limit', { container }) }],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      advice: [
        {
          title: state('advice-title'),
          text: state('advice'),
          snippet: `# of container ${container}: measure what it needs\nresources:\n  requests:\n    memory: 512Mi\n  limits:\n    memory: 512Mi\n`,
        },
      ],
    });
  }),
};

type OwnFacts = ReturnType<typeof ownFactsOf>;

function ownFactsOf(snapshot: Snapshot, { nodes, podFailures: [{ pod, container }] }: FailureGroup) {
  const { index } = snapshot;
  const resources = container?.spec.resources;
  const own = new Set(podsOf(snapshot).map(({ metadata }) => metadata.uid));
  return {
    limit: resources?.limits.memory ?? pod.spec.resources?.limits.memory,
    request: resources?.requests.memory,
    qosClass: pod.status.qosClass,
    allocatable: index.nodes.get(pod.spec.nodeName ?? '')?.status.allocatable.memory,
    nodesUnderPressure: nodes.filter((name) => {
      const node = index.nodes.get(name);
      return node !== undefined && conditionOf(node.status, 'MemoryPressure')?.status === 'True';
    }),
    neighbours: nodes
      .flatMap((name) => index.podsByNode.get(name) ?? [])
      .filter((each) => !own.has(each.metadata.uid))
      .filter((each) => podFailuresIn(snapshot, each).some(({ cause }) => cause === 'node-out-of-memory'))
      .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
      .sort(),
  };
}

function limitSays(
  { container, podFailures: [{ pod }] }: FailureGroup,
  { limit, request, qosClass: qos, allocatable = '?' }: OwnFacts,
): Statement {
  return limit === undefined
    ? state('no-limit', { container, request, qos })
    : state('wide-limit', { limit, node: pod.spec.nodeName ?? '', allocatable });
}

function nodeSays(
  { index }: Snapshot,
  { nodes }: FailureGroup,
  { nodesUnderPressure, neighbours }: OwnFacts,
): readonly Statement[] {
  const isSeen = nodes.some((name) => index.nodes.has(name));
  return [
    ...(nodesUnderPressure.length > 0
      ? nodesUnderPressure.map((node) => state('pressure', { node }))
      : isSeen
        ? [state('no-pressure-now')]
        : []),
    ...(neighbours.length === 0 ? [] : [state('neighbours', { pods: neighbours })]),
  ];
}
