import { groupBy } from '../../../engine/collections/collections.js';
import type { MovingNeighbour } from '../../../engine/neighbours/moving-neighbours.js';
import { neighboursThatFree } from '../../../engine/neighbours/neighbours-that-free.js';
import { controllerOf } from '../../../engine/objects/metadata.js';
import { isActive, type Pod, podKey } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnread, isUnrecorded } from '../../../engine/objects/unread.js';
import { hasDeploymentStrategy, hasPodPerNode } from '../../../engine/objects/workload.js';
import type { Evaluation } from '../../../engine/scheduler/evaluation.js';
import type { OutOfService } from '../../../engine/scheduler/nodes-out-of-service.js';
import type { Reason } from '../../../engine/scheduler/reason.js';
import { nearest } from '../../../engine/scheduler/verdict.js';
import { isFixedPoint } from '../../../engine/workloads/fixed-point.js';
import { ownPodsThatRetire } from '../../../engine/workloads/revisioned/pods.js';
import { newestUidOf } from '../../../engine/workloads/revisions.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { isOverdue } from '../../../engine/workloads/simulated-pods.js';
import type { Examination } from '../rule.js';
import { isUnschedulable, longestRefusedSeconds } from '../stuck-rollout.js';
import type { WaitingFacts } from './facts.js';
import { type Holding, holdingOf, ownPods } from './holding.js';
import { groupedRefusals, type RefusingNode, refusingNodes } from './refusal.js';
import { type ScaleUp, scaleUpUnderWay } from './scale-up.js';
import { agrees, idsIn, type Sentence, sentenceOf } from './sentence.js';

/** Names that facts keep of waiting pods. */
const maxNames = 10;

export function waitingFactsOf(
  { snapshot }: Examination,
  blocks: readonly [Block, ...Block[]],
): WaitingFacts {
  const pods = blocks.flatMap((block) => [...block.pods]);
  const nodes = nodesOf(blocks);
  return {
    waiting: pods.length,
    pods: pods.slice(0, maxNames).map(({ metadata }) => metadata.name),
    waitingSeconds: longestRefusedSeconds(snapshot, pods),
    schedulerMessage: blocks[0].sentence?.text,
    nodesInAll: nodes.length,
    refusals: groupedRefusals(nodes),
  };
}

/** The nodes of all blocks, each once: pods of a DaemonSet have one node each, others share theirs. */
export function nodesOf(blocks: readonly Block[]): readonly RefusingNode[] {
  const nodes = new Map<string, RefusingNode>();
  for (const node of blocks.flatMap((block) => [...block.nodes])) {
    if (!nodes.has(node.name)) nodes.set(node.name, node);
  }
  return [...nodes.values()];
}

/** Those that lack least, the nearest first. */
export function nearestOf(nodes: readonly RefusingNode[], count: number): readonly RefusingNode[] {
  const order = nearest(
    nodes.map(({ name, reasons }) => ({
      node: name,
      outcome: 'refused',
      tooSmall: false,
      reasons,
      notSimulated: [],
    })),
    count,
  );
  return order.flatMap(({ node }) => nodes.find(({ name }) => name === node) ?? []);
}

/** Why no node takes some waiting pods. */
type Why =
  /** An autoscaler has ordered a node. */
  | { readonly kind: 'autoscaler'; readonly order: ScaleUp }
  /** Every node lacks something that no pod's leaving gives it. */
  | { readonly kind: 'unsatisfiable' }
  /**
   * `open` would take them if they were in service; empty where such nodes are the only hope and short as
   * well.
   */
  | { readonly kind: OutOfService; readonly open: readonly string[] }
  /** Rollouts of others are in progress, and what their old pods use will be enough. */
  | { readonly kind: 'neighbours'; readonly neighbours: readonly MovingNeighbour[] }
  /** Pods are in the way, or there is no node at all (`holding` is `undefined` then). */
  | { readonly kind: 'held'; readonly holding: Holding | undefined }
  /** The engine cannot confirm what the scheduler says: something it needs was not read or not simulated. */
  | { readonly kind: 'unconfirmed' };

export interface Block {
  readonly why: Why;
  /** Alike to the scheduler; `pod` stands for them. */
  readonly pods: WaitingGroup;
  readonly pod: Pod;
  readonly evaluation: Evaluation;
  /** Nodes that the pods may use by name: all, or the one that a DaemonSet's pod is made for. */
  readonly nodes: readonly RefusingNode[];
  readonly sentence: Sentence | undefined;
  /** False when the scheduler gives other reasons than the engine. */
  readonly agreed: boolean;
  /** Plugins that could not be simulated where it counts. */
  readonly notSimulated: readonly string[];
}

/**
 * Why the scheduler finds no place for the workload's pods, one block for pods that are alike. Empty when
 * none waits, when their place is about to become free (a pod that is leaving, preemption, a retry that will
 * succeed) or only own pods that should have left by now are in the way, when a claim or gate holds them back
 * before any node is asked, and when the workload's own old pods are in the way.
 */
export function blocksOf(examination: Examination): readonly Block[] {
  const known = computed.get(examination);
  if (known !== undefined) return known;
  const blocks = waitingGroups(examination.snapshot).flatMap((pods) => blockOf(examination, pods) ?? []);
  computed.set(examination, blocks);
  return blocks;
}

/** Several rules ask the same question of one examination. */
const computed = new WeakMap<Examination, readonly Block[]>();

function blockOf(examination: Examination, pods: WaitingGroup): Block | undefined {
  const [pod] = pods;
  if ((pod.status.nominatedNodeName ?? '') !== '') return undefined;
  const evaluation = examination.placement.evaluate(pod);
  const nodes = refusingNodes(pod, evaluation.nodes, examination.snapshot.index.nodes);
  const why = whyOf(examination, pods, evaluation, nodes);
  if (why === undefined) return undefined;
  const sentence = sentenceOf(pod);
  return {
    why,
    pods,
    pod,
    evaluation,
    nodes,
    sentence,
    agreed: agrees(sentence, evaluation),
    notSimulated: [
      ...new Set(
        [...evaluation.notSimulated, ...evaluation.nodes.flatMap(({ notSimulated }) => notSimulated)].map(
          ({ plugin }) => plugin,
        ),
      ),
    ],
  };
}

function whyOf(
  examination: Examination,
  pods: WaitingGroup,
  evaluation: Evaluation,
  nodes: readonly RefusingNode[],
): Why | undefined {
  const { snapshot, placement } = examination;
  const [pod] = pods;
  if (evaluation.refusals.some(({ id }) => id !== 'no-node' && id !== 'node-affinity')) return undefined;
  const unread = isUnread(snapshot, 'Pod', 'Node');
  const isOpen = unread || mayBeRefusedUnseen(snapshot, pod);
  if (evaluation.outcome === 'fits' && !isOpen) return undefined;
  const order = scaleUpUnderWay(snapshot, pods);
  if (order !== undefined) return { kind: 'autoscaler', order };
  if (evaluation.outcome !== 'refused') return { kind: 'unconfirmed' };
  if (evaluation.refusals.some(({ id }) => id === 'node-affinity')) return { kind: 'unsatisfiable' };
  if (evaluation.nodes.length === 0) {
    return unread ? { kind: 'unconfirmed' } : { kind: 'held', holding: undefined };
  }
  // The nodes that the pod names do not exist. A DaemonSet removes the pod of a node that is gone.
  if (nodes.length === 0 && !hasPodPerNode(snapshot.workload) && !unread) return { kind: 'unsatisfiable' };
  if (nodes.length === 0 || placement.canPreempt(pod) || opensByLeaving(examination, pod)) return undefined;
  const places = placesOf(examination, pod, nodes);
  if (places.every(({ refusal }) => refusal === 'never')) {
    return nodes.some(({ reasons }) => reasons.every(isClaim)) ? undefined : { kind: 'unsatisfiable' };
  }
  const neighbours = neighboursThatFree(examination, pod);
  if (neighbours.length > 0) return { kind: 'neighbours', neighbours };
  const own = ownPods(snapshot);
  if (openedByPredecessors(examination, pod, nodes, own.predecessors)) return undefined;
  for (const kind of ['cordoned', 'not-ready'] as const) {
    const open = places.filter((node) => node.refusal === kind && node.besidesState.length === 0);
    if (open.length > 0) return { kind, open: open.map(({ name }) => name) };
  }
  const held = places.filter(({ refusal }) => refusal === 'held');
  if (held.length === 0) {
    const kind = places.some(({ refusal }) => refusal === 'cordoned') ? 'cordoned' : 'not-ready';
    return { kind, open: [] };
  }
  return { kind: 'held', holding: holdingOf(examination, pod, own, held) };
}

/** What the scheduler reads of pods and text does not state. */
const unstated: ReadonlySet<string> = new Set(['node-affinity', 'pod-affinity', 'topology-spread', 'gates']);

/** The scheduler refuses nodes for what the text of the pods leaves out. */
function mayBeRefusedUnseen(snapshot: Snapshot, pod: Pod): boolean {
  const sentence = isUnrecorded(snapshot, 'Pod', 'spec.affinity') ? sentenceOf(pod) : undefined;
  return sentence !== undefined && [...idsIn(sentence.message)].some((id) => unstated.has(id));
}

/**
 * The nodes that are a place for the pod: without the cordoned ones of the control plane, as long as others
 * exist. Who cordons a control plane keeps workloads off it, and what the other nodes refuse is the reason.
 */
function placesOf(
  { snapshot: { index } }: Examination,
  { spec }: Pod,
  nodes: readonly RefusingNode[],
): readonly RefusingNode[] {
  const isWanted = [...spec.tolerations.map(({ key }) => key ?? ''), ...Object.keys(spec.nodeSelector)].some(
    (key) => controlPlaneLabels.includes(key),
  );
  if (isWanted) return nodes;
  const places = nodes.filter(({ name, refusal }) => {
    const labels = index.nodes.get(name)?.metadata.labels ?? {};
    return refusal !== 'cordoned' || !controlPlaneLabels.some((label) => label in labels);
  });
  return places.length === 0 ? nodes : places;
}

/** The second one until Kubernetes 1.24. */
const controlPlaneLabels: readonly string[] = [
  'node-role.kubernetes.io/control-plane',
  'node-role.kubernetes.io/master',
];

/** A volume that nobody has provided yet is `volume-unbound`, not a matter of nodes. */
function isClaim({ id }: Reason): boolean {
  return id === 'no-pv' || id === 'lost-pv' || id === 'unbound-pvc' || id === 'pvc-missing';
}

/** Rules whose refusal may be the doing of pods on other nodes. */
const farReaching: ReadonlySet<string> = new Set(['pod-affinity', 'topology-spread', 'rwop', 'dra']);

/** Asks only where a predecessor could matter: on thousands of nodes it would be asked in vain. */
function openedByPredecessors(
  { snapshot, placement }: Examination,
  pod: Pod,
  nodes: readonly RefusingNode[],
  predecessors: readonly Pod[],
): boolean {
  if (predecessors.length === 0) return false;
  const theirs = new Set(predecessors.map(({ spec }) => spec.nodeName ?? ''));
  return nodes.some((each) => {
    if (each.tooSmall) return false;
    if (!theirs.has(each.name) && !each.reasons.some(({ id }) => farReaching.has(id))) return false;
    const node = snapshot.index.nodes.get(each.name);
    return node !== undefined && placement.wouldFitIf(pod, predecessors, node).best !== undefined;
  });
}

/**
 * Pods that are leaving make room: anybody's in time, and the workload's own even when they are late, which
 * is `stuck-terminating` or `termination-grace-exceeded`: nobody else holds what the pod waits for. Pods of a
 * revision that no longer serves are stopped soon.
 */
function opensByLeaving({ snapshot, placement }: Examination, pod: Pod): boolean {
  const now = nowOf(snapshot);
  const own = new Set(rolloutStateOf(snapshot).pods.map(podKey));
  const leaving = [
    ...snapshot.index.terminatingPods.filter((each) => own.has(podKey(each)) || !isOverdue(each, now)),
    ...ownPodsThatRetire(snapshot),
  ];
  if (leaving.length === 0) return false;
  return placement.evaluate(pod, { without: new Set(leaving.map(podKey)) }).outcome !== 'refused';
}

/**
 * Pods that are the same to the scheduler: of one ReplicaSet, or a single pod of a StatefulSet or DaemonSet.
 */
type WaitingGroup = readonly [Pod, ...Pod[]];

/** Pods of StatefulSets and DaemonSets are looked at one by one; more of them tell nothing new. */
const maxSingle = 30;

/**
 * The workload's pods that the scheduler has refused, those of the new revision first. Waiting pods of old
 * ReplicaSets count only once the controller would leave them be.
 */
export function waitingGroups(snapshot: Snapshot): readonly WaitingGroup[] {
  const state = rolloutStateOf(snapshot);
  const waiting = state.pods.filter((pod) => isActive(pod) && isUnschedulable(pod));
  if (waiting.length === 0) return [];
  if (!hasDeploymentStrategy(state)) return waiting.slice(0, maxSingle).map((pod): WaitingGroup => [pod]);
  const newest = newestUidOf(state);
  const settled = waiting.every((pod) => controllerOf(pod)?.uid === newest) || isFixedPoint(state);
  return [...groupBy(waiting, (pod) => controllerOf(pod)?.uid ?? '')]
    .filter(([owner]) => owner === newest || settled)
    .sort(([a], [b]) => Number(b === newest) - Number(a === newest))
    .map(([, group]) => group);
}
