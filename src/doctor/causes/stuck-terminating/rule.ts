import * as z from 'zod';
import { greatestOf } from '../../../engine/collections/collections.js';
import type { Statement } from '../../../engine/language/statement.js';
import { hasNode, isTerminal, isTerminating, type Pod, podKey, refOf } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnrecorded } from '../../../engine/objects/unread.js';
import { workloadKinds } from '../../../engine/objects/workload.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { isOverdue } from '../../../engine/workloads/simulated-pods.js';
import type { Confidence } from '../../findings/cause-id.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Advice, Evidence, RuledOut } from '../../findings/finding.js';
import { readinessOf } from '../../findings/readiness-of.js';
import type { Detected, Rule } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { waiting } from '../../findings/waiting/text.js';
import { type Stuck, type StuckPod, stuckOf } from './stuck-pods.js';
import { state, text } from './text.js';

const StuckTerminatingFacts = z.strictObject({
  stuck: z
    .array(
      z.strictObject({
        pod: fact.text('Name of the pod; with its namespace where the pod is of another workload'),
        deadline: fact.time('End of its grace period'),
        graceSeconds: fact.seconds('Its grace period'),
        overdueSeconds: fact.seconds('Time since the end of the grace period'),
        finalizers: fact.names('Finalizers that remain'),
        hasStopped: fact.flag('All of its containers have ended'),
        node: fact.text('Its node').optional(),
        nodeState: fact.oneOf(
          ['ready', 'not-ready', 'gone', 'unknown', 'none'],
          'State of this node; `none`: the pod has none',
        ),
        nodeReason: fact.text('Why the node is not ready').optional(),
        nodeSince: fact.time('Since when it is not ready').optional(),
      }),
    )
    .describe('Deleted pods that do not go'),
  overdueSeconds: fact.seconds('The longest of these times'),
  blocks: z
    .strictObject({
      kind: fact.oneOf(
        ['recreate', 'set', 'waiting'],
        '`recreate`: the strategy Recreate waits for it; `set`: the StatefulSet does; `waiting`: a pod has no place',
      ),
      pods: fact.names('The pods that block'),
      waiting: fact.text('The pod that has no place').optional(),
    })
    .describe('Who waits for them')
    .optional(),
});

/**
 * A deleted pod that stays past its grace period because finalizers are left or its node does not answer. Its
 * object keeps what it holds (kubernetes `scheduler/eventhandlers.go: assignedPod`), and Recreate and
 * StatefulSets wait for it.
 */
export const stuckTerminating: Rule<typeof StuckTerminatingFacts> = {
  id: 'stuck-terminating',
  facts: StuckTerminatingFacts,
  text,
  origin: 'surroundings',
  appliesTo: workloadKinds,
  needs: ['ReplicaSet', 'ControllerRevision', 'Pod', 'Node', 'HorizontalPodAutoscaler'],
  supersedes: [
    'progress-deadline-exceeded',
    'capacity-contention',
    'insufficient-capacity',
    'termination-grace-exceeded',
  ],
  explains: (own, { cause }) =>
    cause !== 'termination-grace-exceeded' &&
    (cause === 'progress-deadline-exceeded' || own.keepsPodWaiting === true),
  undecidedBy: (snapshot) =>
    isUnrecorded(snapshot, 'Pod', 'metadata.finalizers') &&
    snapshot.index.objects.Pod.some((pod) => isTerminating(pod) && isOverdue(pod, nowOf(snapshot)))
      ? ['Pod metadata.finalizers']
      : [],
  detect({ snapshot, placement }) {
    const stuck = stuckOf(snapshot, placement);
    return stuck && findingOf(snapshot, stuck);
  },
};

function findingOf(snapshot: Snapshot, stuck: Stuck): Detected<typeof StuckTerminatingFacts> {
  const { pods, blocks } = stuck;
  const ready = readinessOf(snapshot);
  const own = new Set(rolloutStateOf(snapshot).pods.map(podKey));
  const nameOf = (pod: Pod): string =>
    own.has(podKey(pod)) ? pod.metadata.name : `${pod.metadata.namespace}/${pod.metadata.name}`;
  const facts: Facts = {
    stuck: pods.map((each) => stuckFacts(each, nameOf)),
    overdueSeconds: greatestOf(pods.map((each) => each.overdueSeconds)),
    blocks: blockFacts(stuck, nameOf),
  };
  const ownPods = pods.filter(({ pod }) => own.has(podKey(pod))).map(({ pod }) => nameOf(pod));
  const { overdueSeconds } = facts;
  const isHeldByNode = pods.some(({ pod }) => pod.metadata.finalizers.length === 0);
  return {
    confidence: confidenceOf(pods),
    severity: blocks !== undefined || (ready.pods === 0 && ready.wanted > 0) ? 'critical' : 'warning',
    nodes: [...new Set(pods.flatMap(({ pod }) => (hasNode(pod) ? [pod.spec.nodeName ?? ''] : [])))],
    holders: pods.map(({ pod }) => refOf(pod)),
    facts,
    keepsPodWaiting: blocks?.kind === 'waiting',
    summary:
      ownPods.length > 0
        ? state('summary', { workload: workloadName(snapshot), pods: ownPods })
        : state('summary-foreign', {
            workload: workloadName(snapshot),
            pods: facts.stuck.map(({ pod }) => pod),
          }),
    standing: state('standing', { overdueSeconds, ready: ready.pods, wanted: ready.wanted }),
    reasoning: [...facts.stuck.slice(0, shownPods).flatMap(holdOf), ...blockOf(facts), state('still-counts')],
    evidence: pods.slice(0, shownPods).flatMap(evidenceOf),
    ruledOut: ruledOutOf(stuck, overdueSeconds),
    nextAttempt: { what: isHeldByNode ? state('next-node') : state('next-finalizers') },
    withheld: [
      { kind: 'delete-pod', because: state('delete-withheld') },
      { kind: 'restart-rollout', because: state('restart-withheld') },
    ],
    advice: adviceOn(stuck),
    weakenedBy: pods.some(({ node }) => node.kind === 'unknown') ? [state('node-unread')] : [],
  };
}

const shownPods = 5;

/** A vanished node's pods are usually collected, so that alone is not the whole story. */
function confidenceOf(pods: readonly StuckPod[]): Confidence {
  if (pods.some(isCertain)) return 'proven';
  return pods.some(({ node }) => node.kind === 'gone') ? 'likely' : 'possible';
}

function isCertain({ pod, node }: StuckPod): boolean {
  return node.kind === 'not-ready' || (pod.metadata.finalizers.length > 0 && node.kind !== 'unknown');
}

type Facts = FactsOf<typeof StuckTerminatingFacts>;

/** Pods of other workloads are named with their namespace. */
type NameOf = (pod: Pod) => string;

function stuckFacts({ pod, node, overdueSeconds }: StuckPod, nameOf: NameOf): Facts['stuck'][number] {
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = pod.metadata;
  return {
    pod: nameOf(pod),
    deadline: deletionTimestamp ?? '',
    graceSeconds: deletionGracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds,
    overdueSeconds,
    finalizers,
    hasStopped: hasStopped(pod),
    node: pod.spec.nodeName,
    nodeState: node.kind,
    ...(node.kind === 'not-ready' ? { nodeReason: node.reason, nodeSince: node.since } : {}),
  };
}

function holdOf(stuck: Facts['stuck'][number]): readonly Statement[] {
  const { pod, deadline, graceSeconds, finalizers } = stuck;
  return [
    state('deleted', { pod, deadline, graceSeconds }),
    ...(finalizers.length === 0 ? [] : [state('finalizers', { pod, finalizers }), ...lifters(finalizers)]),
    ...(stuck.hasStopped ? [state('has-stopped', { pod })] : []),
    ...nodeOf(stuck),
  ];
}

function lifters(finalizers: readonly string[]): readonly Statement[] {
  return finalizers.flatMap((finalizer) => {
    const [domain, name] = finalizer.split('/');
    return domain === undefined || name === undefined ? [] : [state('removed-by', { finalizer, domain })];
  });
}

function hasStopped(pod: Pod): boolean {
  const { containerStatuses } = pod.status;
  if (isTerminal(pod)) return true;
  return (
    containerStatuses.length > 0 && containerStatuses.every((each) => each.state.terminated !== undefined)
  );
}

function nodeOf({
  pod,
  node = '',
  nodeState,
  nodeReason = '',
  nodeSince: since,
}: Facts['stuck'][number]): readonly Statement[] {
  const on = { pod, node };
  switch (nodeState) {
    case 'gone':
      return [state('node-gone', on)];
    case 'not-ready':
      return [state('node-not-ready', { ...on, reason: nodeReason, since })];
    case 'unknown':
      return [state('node-unknown', on)];
    case 'ready':
    case 'none':
      return [];
  }
}

function blockFacts({ blocks }: Stuck, nameOf: NameOf): Facts['blocks'] {
  if (blocks === undefined) return undefined;
  if (blocks.kind !== 'waiting') return { kind: blocks.kind, pods: [nameOf(blocks.pod)] };
  const { kind, pods, waiting: pod } = blocks;
  return { kind, pods: pods.map(nameOf), waiting: pod.metadata.name };
}

function blockOf({ blocks }: Facts): readonly Statement[] {
  if (blocks === undefined) return [];
  const { kind, pods, waiting: pod = '' } = blocks;
  if (kind === 'waiting') return [state('blocks-waiting', { pods, waiting: pod })];
  return pods.map((each) => state(`blocks-${kind}`, { pod: each }));
}

function evidenceOf({ pod, node }: StuckPod): readonly Evidence[] {
  const object = refOf(pod);
  const { finalizers, deletionTimestamp = '' } = pod.metadata;
  const on = { kind: 'Node', namespace: '', name: pod.spec.nodeName ?? '' };
  return [
    {
      object,
      field: 'metadata.deletionTimestamp',
      value: deletionTimestamp,
      at: deletionTimestamp,
      says: state('ev-deleted'),
    },
    ...(finalizers.length === 0
      ? []
      : [
          {
            object,
            field: 'metadata.finalizers',
            value: finalizers.join(', '),
            says: waiting('ev-finalizers'),
          },
        ]),
    ...(node.kind === 'not-ready'
      ? [
          {
            object: on,
            field: 'status.conditions[Ready]',
            value: node.reason,
            at: node.since,
            says: state('ev-node'),
          },
        ]
      : []),
    ...(node.kind === 'gone'
      ? [{ object, field: 'spec.nodeName', value: on.name, says: state('ev-node-gone') }]
      : []),
  ];
}

function ruledOutOf({ blocks }: Stuck, overdueSeconds: number): readonly RuledOut[] {
  return [
    { cause: 'slow rollout', because: state('because-overdue', { overdueSeconds }) },
    ...(blocks?.kind === 'waiting'
      ? [
          {
            cause: 'insufficient-capacity',
            because: state('because-fits-without', { waiting: blocks.waiting.metadata.name }),
          },
        ]
      : []),
  ];
}

/** One piece of advice for each thing that holds, with the pod or node it is about first. */
function adviceOn({ pods }: Stuck): readonly Advice[] {
  const advice: Advice[] = [];
  const finalized = pods.find(({ pod }) => pod.metadata.finalizers.length > 0)?.pod;
  if (finalized !== undefined) {
    const { namespace, name } = finalized.metadata;
    advice.push({
      title: state('advice-finalizers-title'),
      text: state('advice-finalizers'),
      snippet: `kubectl -n ${namespace} patch pod ${name} --type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]'\n`,
    });
  }
  const orphan = pods.find(({ node }) => node.kind === 'gone')?.pod;
  if (orphan !== undefined) {
    const { namespace, name } = orphan.metadata;
    advice.push({
      title: state('advice-force-title'),
      text: state('advice-force'),
      snippet: `kubectl -n ${namespace} delete pod ${name} --grace-period=0 --force\n`,
    });
  }
  const unanswered = pods.find(({ node }) => node.kind === 'not-ready' || node.kind === 'unknown')?.pod;
  if (unanswered !== undefined) {
    const node = unanswered.spec.nodeName ?? '';
    advice.push({
      title: state('advice-node-title', { node }),
      text: state('advice-node'),
      snippet: `kubectl taint node ${node} node.kubernetes.io/out-of-service=nodeshutdown:NoExecute\n`,
    });
  }
  return advice;
}
