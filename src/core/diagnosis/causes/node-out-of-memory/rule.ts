import { conditionOf } from '../../../cluster/metadata.js';
import type { Snapshot } from '../../../cluster/snapshot.js';
import type { Statement } from '../../../language/statement.js';
import { courseOf, crashFinding } from '../../crashes/crash-finding.js';
import { detectEach } from '../../crashes/detect-each.js';
import type { FailureGroup } from '../../crashes/failure-group.js';
import { podFailuresIn, podsOf } from '../../crashes/pod-failures-of.js';
import { blamedNode } from '../../finding.js';
import type { Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { state, text } from './text.js';

/**
 * OOMKilled without a limit of its own, or with one that the node could never give: the node as a whole ran out, and
 * the kernel chose this container by its use and QoS class.
 */
export const nodeOutOfMemory: Rule = {
  id: 'node-out-of-memory',
  text,
  origin: 'surroundings',
  appliesTo: ['Deployment', 'StatefulSet', 'DaemonSet'],
  needs: ['ReplicaSet', 'ControllerRevision', 'Pod', 'Node', 'Event'],
  supersedes: ['application-crash', 'crash-loop-after-rollout', 'progress-deadline-exceeded'],
  ...detectEach('node-out-of-memory', (examination, failureGroup) => {
    const { snapshot } = examination;
    const { podFailures, container, siblings, nodes } = failureGroup;
    const failing = podFailures.length;
    return crashFinding(examination, failureGroup, {
      confidence: 'likely',
      resource: 'memory',
      ...blamedNode(nodes),
      summary: state('summary', { workload: workloadName(snapshot), container, nodes }),
      standing: state('standing', { failing, of: Math.max(failing, siblings.length) }),
      reasoning: [
        ...courseOf(failureGroup),
        ...limitSays(snapshot, failureGroup),
        ...nodeSays(snapshot, failureGroup),
      ],
      ruledOut: [{ cause: 'out-of-memory', because: state('because-no-limit', { container }) }],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      advice: [
        {
          title: state('advice-title'),
          text: state('advice'),
          snippet: `# of container ${container}; measure what it needs\nresources:\n  requests:\n    memory: 512Mi\n  limits:\n    memory: 512Mi\n`,
        },
      ],
    });
  }),
};

function limitSays(
  { index }: Snapshot,
  { podFailures: [{ pod, container }] }: FailureGroup,
): readonly Statement[] {
  const resources = container?.spec.resources;
  const limit = resources?.limits.memory ?? pod.spec.resources?.limits.memory;
  const node = pod.spec.nodeName ?? '';
  const allocatable = index.nodes.get(node)?.status.allocatable.memory ?? '?';
  return limit === undefined
    ? [
        state('no-limit', {
          container: container?.name ?? '',
          request: resources?.requests.memory,
          qos: pod.status.qosClass,
        }),
      ]
    : [state('wide-limit', { limit, node, allocatable })];
}

function nodeSays(snapshot: Snapshot, { nodes }: FailureGroup): readonly Statement[] {
  const seen = nodes.filter((name) => snapshot.index.nodes.has(name));
  const pressed = seen.filter((name) => {
    const node = snapshot.index.nodes.get(name);
    return node !== undefined && conditionOf(node.status, 'MemoryPressure')?.status === 'True';
  });
  const own = new Set(podsOf(snapshot).map(({ metadata }) => metadata.uid));
  const neighbours = nodes
    .flatMap((name) => snapshot.index.podsByNode.get(name) ?? [])
    .filter((pod) => !own.has(pod.metadata.uid))
    .filter((pod) => podFailuresIn(snapshot, pod).some(({ cause }) => cause === 'node-out-of-memory'))
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
    .sort();
  return [
    ...(pressed.length === 0
      ? seen.slice(0, 1).map(() => state('no-pressure-now'))
      : pressed.map((node) => state('pressure', { node }))),
    ...(neighbours.length === 0 ? [] : [state('neighbours', { pods: neighbours })]),
  ];
}
