import { leastOf } from '../collections/collections.js';
import type { ClusterIndex } from '../objects/cluster-index.js';
import { leaderWorkerSetOfPod } from '../objects/leader-worker-set.js';
import { controllerOf } from '../objects/metadata.js';
import type { Node } from '../objects/node.js';
import { clusterAutoscalerTaints, karpenterTaints } from '../objects/node-autoscalers.js';
import { hasNode, isActive, isTerminating, type Pod } from '../objects/pod.js';
import { tolerates } from '../scheduler/node-selector.js';
import { epochOf } from '../workloads/creation-order.js';
import { ownerKey, ownerOf } from './owned-pods.js';

/** What becomes of a pod on a node with NoExecute taints. */
type Fate =
  /** Deleted already; nobody there confirms that it has stopped. */
  | { readonly kind: 'stuck' }
  /** RFC3339: when the taint manager deletes it. */
  | { readonly kind: 'evicted'; readonly at: string }
  /** It tolerates the taint for ever, as pods of DaemonSets do. */
  | { readonly kind: 'stays' }
  | { readonly kind: 'unknown' };

/**
 * By the node's NoExecute taints and the shortest toleration of each
 * (`pkg/controller/tainteviction: getMinTolerationTime`; 300 s by default).
 */
export function fateOf(pod: Pod, { spec }: Node): Fate {
  if (isTerminating(pod)) return { kind: 'stuck' };
  const taints = spec.taints.filter(({ effect }) => effect === 'NoExecute');
  if (taints.length === 0) return { kind: 'unknown' };
  const times = taints.flatMap((taint): readonly number[] => {
    const matching = pod.spec.tolerations.filter((toleration) => tolerates(toleration, taint));
    const added = epochOf(taint.timeAdded);
    if (added === undefined) return [];
    if (matching.length === 0) return [added];
    const limited = matching.flatMap(({ tolerationSeconds }) => tolerationSeconds ?? []);
    return limited.length === 0 ? [] : [added + Math.max(0, leastOf(limited)) * 1000];
  });
  if (times.length > 0) return { kind: 'evicted', at: new Date(leastOf(times)).toISOString() };
  return taints.some(({ timeAdded }) => timeAdded === undefined) ? { kind: 'unknown' } : { kind: 'stays' };
}

/** Pods that taints of their nodes evict, now or once their tolerationSeconds are over. */
export function evictedPods({ objects, podsByNode }: ClusterIndex): readonly Pod[] {
  return objects.Node.filter(({ spec }) => spec.taints.some(({ effect }) => effect === 'NoExecute')).flatMap(
    (node) =>
      (podsByNode.get(node.metadata.name) ?? []).filter((pod) => fateOf(pod, node).kind === 'evicted'),
  );
}

/** Pods that bear what programs and people write on a few pods of most clusters. */
interface MarkedPods {
  /** Created since a VerticalPodAutoscaler selects their workload. */
  readonly byAutoscaler: readonly Pod[];
  /** That the descheduler is asked to evict. */
  readonly forDescheduler: readonly Pod[];
  /** Of the descheduler itself. */
  readonly ofDescheduler: readonly Pod[];
  /** Of a revision of Knative. */
  readonly ofKnative: readonly Pod[];
}

const autoscalerMark = 'vpaObservedContainers';
const evictMark = 'descheduler.alpha.kubernetes.io/evict';
export const knativeMark = 'serving.knative.dev/revision';

/** In one go, and once for an index: to walk all pods costs more than to look at each. */
export function markedPods(index: ClusterIndex): MarkedPods {
  const before = known.get(index);
  if (before !== undefined) return before;
  const byAutoscaler: Pod[] = [];
  const forDescheduler: Pod[] = [];
  const ofDescheduler: Pod[] = [];
  const ofKnative: Pod[] = [];
  for (const pod of index.objects.Pod) {
    const { annotations, labels } = pod.metadata;
    if (autoscalerMark in annotations) byAutoscaler.push(pod);
    if (evictMark in annotations) forDescheduler.push(pod);
    if (knativeMark in labels) ofKnative.push(pod);
    if (labels['app.kubernetes.io/name'] === 'descheduler' || labels.app === 'descheduler') {
      ofDescheduler.push(pod);
    }
  }
  const found = { byAutoscaler, forDescheduler, ofDescheduler, ofKnative };
  known.set(index, found);
  return found;
}

const known = new WeakMap<ClusterIndex, MarkedPods>();

/** Programs of a cluster that evict pods which run well, without a change by people. */
export const evictingPrograms = ['vertical-pod-autoscaler', 'descheduler', 'node-removal', 'drain'] as const;
export type EvictingProgram = (typeof evictingPrograms)[number];

/**
 * Pods that one of these programs may evict at any time. A controller creates each of them anew, but another
 * pod that waits may be first at its place.
 *
 * - VerticalPodAutoscaler: one that selects the pod's workload, or the LeaderWorkerSet above it, unless its
 *   mode is `Off` or `Initial`. Beside it, its webhook has marked the pods created since, in every mode but
 *   `Off` (autoscaler `vertical-pod-autoscaler/pkg/admission-controller/resource/pod/patch`).
 * - descheduler: an annotation of the pod, or a pod of the descheduler itself that runs
 *   (`pkg/descheduler/evictions`).
 * - the removal of a node by cluster-autoscaler or Karpenter. Room on that node is no help, a volume or a
 *   device is.
 * - a drain: it cordons the node first, and a budget may hold it up for as long as it likes. A cordon alone
 *   does not show whether one follows.
 */
export function podsEvictedBy(program: EvictingProgram, index: ClusterIndex): readonly Pod[] {
  const known = computed.get(index) ?? new Map<EvictingProgram, readonly Pod[]>();
  computed.set(index, known);
  const found = known.get(program) ?? evictedIn[program](index);
  known.set(program, found);
  return found;
}

/** Pods that a taint of their node or one of these programs may evict. One may be there several times. */
export function evictablePods(index: ClusterIndex): readonly Pod[] {
  return [...evictedPods(index), ...evictingPrograms.flatMap((program) => podsEvictedBy(program, index))];
}

/** Every rule asks the same of one index. */
const computed = new WeakMap<ClusterIndex, Map<EvictingProgram, readonly Pod[]>>();

const evictedIn: Readonly<Record<EvictingProgram, (index: ClusterIndex) => readonly Pod[]>> = {
  'vertical-pod-autoscaler': (index) => {
    const { Pod: pods, VerticalPodAutoscaler: autoscalers } = index.objects;
    const modes = new Map(
      autoscalers.flatMap(({ metadata, spec: { targetRef, updatePolicy } }) =>
        targetRef === undefined
          ? []
          : [[ownerKey({ ...targetRef, namespace: metadata.namespace }), updatePolicy?.updateMode ?? 'Auto']],
      ),
    );
    return (modes.size === 0 ? markedPods(index).byAutoscaler : pods).filter((pod) => {
      if (!isEvictable(pod)) return false;
      const mode = modeFor(index, modes, pod);
      return mode === undefined ? autoscalerMark in pod.metadata.annotations : !modesThatKeep.has(mode);
    });
  },
  descheduler: (index) => {
    const { forDescheduler, ofDescheduler } = markedPods(index);
    const runs = ofDescheduler.some((pod) => isActive(pod) && hasNode(pod));
    const perhaps = runs
      ? index.objects.Pod.filter((pod) => evictMark in pod.metadata.annotations || !isCritical(pod))
      : forDescheduler;
    return perhaps.filter(isEvictable);
  },
  'node-removal': (index) => evictableOn(index, isBeingRemoved),
  drain: (index) => evictableOn(index, ({ spec }) => spec.unschedulable),
};

function evictableOn(
  { objects, podsByNode }: ClusterIndex,
  isMeant: (node: Node) => boolean,
): readonly Pod[] {
  return objects.Node.filter(isMeant).flatMap(({ metadata }) =>
    (podsByNode.get(metadata.name) ?? []).filter(isEvictable),
  );
}

/** It may target any object that can be scaled, so that above a StatefulSet of a group counts as well. */
function modeFor(index: ClusterIndex, modes: ReadonlyMap<string, string>, pod: Pod): string | undefined {
  const own = modes.get(ownerKey(ownerOf(index, pod)));
  const name = leaderWorkerSetOfPod(pod);
  if (own !== undefined || name === undefined) return own;
  return modes.get(ownerKey({ kind: 'LeaderWorkerSet', namespace: pod.metadata.namespace, name }));
}

const modesThatKeep: ReadonlySet<string> = new Set(['Off', 'Initial']);

function isCritical({ spec }: Pod): boolean {
  return (
    spec.priorityClassName === 'system-cluster-critical' || spec.priorityClassName === 'system-node-critical'
  );
}

/** Neither evicts pods of DaemonSets, static pods, or pods that nobody creates anew. */
function isEvictable(pod: Pod): boolean {
  const owner = controllerOf(pod)?.kind;
  return isActive(pod) && hasNode(pod) && owner !== undefined && owner !== 'DaemonSet' && owner !== 'Node';
}

function isBeingRemoved({ spec }: Node): boolean {
  return spec.taints.some(({ key }) => clusterAutoscalerTaints.removal === key || karpenterTaints.has(key));
}
