import * as z from 'zod';
import { greatestOf } from '../../../engine/collections/collections.js';
import type { Statement } from '../../../engine/language/statement.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import {
  hasNode,
  isActive,
  isTerminal,
  isTerminating,
  type Pod,
  podKey,
  refOf,
} from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnread, isUnrecorded } from '../../../engine/objects/unread.js';
import { workloadKinds } from '../../../engine/objects/workload.js';
import type { Placement } from '../../../engine/scheduler/placement.js';
import { oldPods } from '../../../engine/workloads/revisions.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { isOverdue } from '../../../engine/workloads/simulated-time.js';
import { syncStatefulSet } from '../../../engine/workloads/stateful-set-model.js';
import type { Confidence } from '../../findings/cause-id.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Advice, Evidence, RuledOut } from '../../findings/finding.js';
import { readinessOf } from '../../findings/readiness-of.js';
import type { Detected, Rule } from '../../findings/rule.js';
import { isUnschedulable, workloadName } from '../../findings/stuck-rollout.js';
import { waiting } from '../../findings/waiting/text.js';
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

/** What keeps the object from going, besides finalizers. */
type NodeState =
  | { readonly kind: 'ready' | 'gone' | 'unknown' | 'none' }
  | { readonly kind: 'not-ready'; readonly reason: string; readonly since: string | undefined };

interface StuckPod {
  readonly pod: Pod;
  readonly node: NodeState;
  /** Seconds past its own deadline. */
  readonly overdueSeconds: number;
}

/** Who waits for the stuck pods to go. */
type Blocks =
  | { readonly kind: 'recreate' | 'set'; readonly pod: Pod }
  /** A pod of the workload would have a node without `pods`. */
  | { readonly kind: 'waiting'; readonly waiting: Pod; readonly pods: readonly Pod[] }
  | undefined;

interface Stuck {
  readonly pods: readonly [StuckPod, ...StuckPod[]];
  readonly blocks: Blocks;
}

/**
 * Pods that are a minute and more past their own deadline and will not go by themselves, as far as finalizers
 * and nodes tell: the workload's, and those of others that stand in its waiting pods' way. A pod on a ready
 * node without finalizers is the kubelet's to end: `termination-grace-exceeded`.
 */
function stuckOf(snapshot: Snapshot, placement: Placement): Stuck | undefined {
  const { pods: own } = rolloutStateOf(snapshot);
  const inTheWay = waitingFor(snapshot, placement, own);
  const foreign = inTheWay?.pods.filter((pod) => !own.includes(pod)) ?? [];
  const [first, ...more] = [...own, ...foreign].flatMap((pod) => stuckPod(snapshot, pod) ?? []);
  if (first === undefined) return undefined;
  const pods = [first, ...more] as const;
  return { pods, blocks: blocksOf(snapshot, pods) ?? inTheWay };
}

function stuckPod(snapshot: Snapshot, pod: Pod): StuckPod | undefined {
  const now = nowOf(snapshot);
  if (!isTerminating(pod) || !isOverdue(pod, now)) return undefined;
  const node = nodeStateOf(snapshot, pod);
  if (pod.metadata.finalizers.length === 0 && (node.kind === 'ready' || node.kind === 'none'))
    return undefined;
  return { pod, node, overdueSeconds: (now - Date.parse(pod.metadata.deletionTimestamp ?? '')) / 1000 };
}

function nodeStateOf(snapshot: Snapshot, pod: Pod): NodeState {
  const { index } = snapshot;
  if (!hasNode(pod)) return { kind: 'none' };
  const node = index.nodes.get(pod.spec.nodeName ?? '');
  if (node === undefined) {
    const unread = index.objects.Node.length === 0 || isUnread(snapshot, 'Node');
    return { kind: unread ? 'unknown' : 'gone' };
  }
  const ready = conditionOf(node.status, 'Ready');
  if (ready === undefined || ready.status === 'True') return { kind: 'ready' };
  return { kind: 'not-ready', reason: ready.reason || ready.status, since: ready.lastTransitionTime };
}

function blocksOf(snapshot: Snapshot, stuck: readonly StuckPod[]): Blocks {
  const state = rolloutStateOf(snapshot);
  const pods = stuck.map(({ pod }) => pod);
  if (state.kind === 'Deployment' && state.deployment.spec.strategy.type === 'Recreate') {
    const old = oldPods(state);
    const pod = pods.find((each) => old.includes(each));
    return pod && { kind: 'recreate', pod };
  }
  if (state.kind !== 'StatefulSet') return undefined;
  const { waitsFor } = syncStatefulSet(state);
  const pod = pods.find((each) => each === waitsFor?.pod);
  return pod && { kind: 'set', pod };
}

/** The overdue pods, of anybody, without which the first waiting pod of the workload would fit. */
function waitingFor(
  { index, takenAt }: Snapshot,
  placement: Placement,
  own: readonly Pod[],
): Extract<Blocks, { kind: 'waiting' }> | undefined {
  const waiting = own.find((pod) => isActive(pod) && isUnschedulable(pod));
  const overdue = index.terminatingPods.filter((pod) => isOverdue(pod, Date.parse(takenAt)));
  if (waiting === undefined || overdue.length === 0) return undefined;
  if (placement.evaluate(waiting).outcome !== 'refused') return undefined;
  const fitsWithout = (pods: readonly Pod[]) =>
    placement.evaluate(waiting, { without: new Set(pods.map(podKey)) }).outcome === 'fits';
  const alone = overdue.filter((pod) => fitsWithout([pod]));
  if (alone.length > 0) return { kind: 'waiting', waiting, pods: alone };
  return fitsWithout(overdue) ? { kind: 'waiting', waiting, pods: overdue } : undefined;
}
