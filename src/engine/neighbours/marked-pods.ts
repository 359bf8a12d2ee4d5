import type { ClusterIndex } from '../objects/cluster-index.js';
import type { Pod } from '../objects/pod.js';

/** Pods that bear what programs and people write on a few pods of most clusters. */
export interface MarkedPods {
  /** Created since a VerticalPodAutoscaler selects their workload. */
  readonly byAutoscaler: readonly Pod[];
  /** That the descheduler is asked to evict. */
  readonly forDescheduler: readonly Pod[];
  /** Of the descheduler itself. */
  readonly ofDescheduler: readonly Pod[];
  /** Of a revision of Knative. */
  readonly ofKnative: readonly Pod[];
}

export const autoscalerMark = 'vpaObservedContainers';
export const evictMark = 'descheduler.alpha.kubernetes.io/evict';
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
