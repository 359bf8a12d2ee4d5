import type { ResourceKind } from '../../engine/objects/cluster-objects.js';
import { controllerOf } from '../../engine/objects/metadata.js';
import { hasNode, isActive, isReady, type Pod } from '../../engine/objects/pod.js';
import { isComplete, kindBetweenPods } from '../../engine/objects/unread.js';
import type { ReplicaSet, Workload } from '../../engine/objects/workload.js';
import type { Needs } from '../../service/diagnose/cluster-reader.js';

/**
 * What the workload and its pods show of the question. `waits`: a pod has no node. `starts`: a pod has a
 * node, is not ready, and no container of it has ended yet. `lacks-pods`: pods may be missing that were not
 * created. `rests`: nothing is wrong, so the question is about the next update. `claims-devices`: pods or the
 * template name device claims.
 */
const occasions = ['waits', 'starts', 'lacks-pods', 'rests', 'claims-devices'] as const;
export type Occasion = (typeof occasions)[number];

/** How a diagnosis reads the objects of a kind. */
interface ReadingPlan {
  readonly kind: ResourceKind;
  /** `namespace`: those beside the workload. `named`: those that other objects lead to. */
  readonly of: 'namespace' | 'cluster' | 'named';
  /** The questions that need them; every question where it is left out. */
  readonly when?: readonly Occasion[];
  /** Objects that are read at most; the API server filters events only after reading them all. */
  readonly max?: number;
  /** The rights that each cluster grants; none of add-ons and newer APIs, which may be missing. */
  readonly rights?: readonly ('get' | 'list')[];
}

/**
 * Every kind that a diagnosis reads in a cluster without add-ons. The snapshot of a workload and the check of
 * the rights go by this table.
 */
export const readingPlans: readonly ReadingPlan[] = [
  { kind: 'Deployment', of: 'namespace', when: ['waits', 'starts', 'lacks-pods'], rights: ['list', 'get'] },
  { kind: 'StatefulSet', of: 'named', rights: ['list', 'get'] },
  { kind: 'DaemonSet', of: 'named', rights: ['list', 'get'] },
  { kind: 'ReplicaSet', of: 'named', rights: ['list'] },
  { kind: 'ControllerRevision', of: 'named', rights: ['list'] },
  { kind: 'Pod', of: 'named', rights: ['list', 'get'] },
  { kind: 'Event', of: 'namespace', max: 5_000, rights: ['list'] },
  { kind: 'Node', of: 'named', rights: ['list', 'get'] },
  { kind: 'Namespace', of: 'named', rights: ['list'] },
  { kind: 'ResourceQuota', of: 'namespace', rights: ['list'] },
  { kind: 'LimitRange', of: 'namespace', rights: ['list'] },
  { kind: 'PersistentVolume', of: 'named', rights: ['list'] },
  { kind: 'Service', of: 'named', rights: ['list'] },
  { kind: 'PersistentVolumeClaim', of: 'named', rights: ['get'] },
  { kind: 'StorageClass', of: 'named', rights: ['list'] },
  { kind: 'VolumeAttachment', of: 'named', rights: ['list'] },
  { kind: 'CSINode', of: 'named', rights: ['list'] },
  { kind: 'CSIDriver', of: 'named' },
  { kind: 'PriorityClass', of: 'cluster', when: ['lacks-pods', 'rests'], rights: ['list'] },
  { kind: 'PodDisruptionBudget', of: 'namespace', rights: ['list'] },
  { kind: 'HorizontalPodAutoscaler', of: 'namespace', rights: ['list'] },
  { kind: 'Lease', of: 'namespace', when: ['starts'], rights: ['list'] },
  { kind: 'Endpoints', of: 'named', rights: ['get'] },
  { kind: 'EndpointSlice', of: 'named', rights: ['list'] },
  { kind: 'ResourceClaim', of: 'namespace', when: ['waits', 'claims-devices'] },
  { kind: 'ResourceClaimTemplate', of: 'namespace', when: ['waits', 'claims-devices'] },
  { kind: 'NodeClaim', of: 'cluster', when: ['waits'] },
];

/** The plans of a place that the question needs and the rules know. */
export function plansFor(
  of: ReadingPlan['of'],
  occasions: ReadonlySet<Occasion>,
  needs: Needs,
): readonly ReadingPlan[] {
  return readingPlans.filter(
    ({ kind, of: place, when }) =>
      place === of && needs.has(kind) && (when?.some((each) => occasions.has(each)) ?? true),
  );
}

/**
 * @param own pods of the workload
 * @param replicaSets those that were read
 */
export function occasionsOf(
  workload: Workload,
  own: readonly Pod[],
  replicaSets: readonly ReplicaSet[],
): ReadonlySet<Occasion> {
  const active = own.filter(isActive);
  const isShown = {
    waits: active.some((pod) => !hasNode(pod)),
    starts: active.some((pod) => hasNode(pod) && !isReady(pod) && !hasEnded(pod)),
    'lacks-pods': mayLackPods(workload, active, replicaSets),
    rests: isComplete(workload),
    'claims-devices': [...own, workload.spec.template].some(({ spec }) => spec.resourceClaims.length > 0),
  };
  return new Set(occasions.filter((each) => isShown[each]));
}

function hasEnded({ status }: Pod): boolean {
  return [...status.initContainerStatuses, ...status.containerStatuses].some(
    ({ restartCount, state, lastState }) =>
      restartCount > 0 || (state.terminated ?? lastState.terminated) !== undefined,
  );
}

/** Only ReplicaSets state how many pods they lack; what other controllers want is not worked out here. */
function mayLackPods(
  { kind, metadata, spec: wanted }: Workload,
  active: readonly Pod[],
  replicaSets: readonly ReplicaSet[],
): boolean {
  const sets = replicaSets.filter((set) => controllerOf(set)?.uid === metadata.uid);
  return (
    kindBetweenPods(kind) !== 'ReplicaSet' ||
    sets.length === 0 ||
    !('replicas' in wanted) ||
    active.length < wanted.replicas ||
    sets.some(({ spec, status }) => status.replicas < spec.replicas)
  );
}
