import type { ClusterObjects } from '../../engine/objects/cluster-objects.js';
import type { Event } from '../../engine/objects/event.js';
import { matchesSelector } from '../../engine/objects/label-selector.js';
import { conditionOf, controllerOf } from '../../engine/objects/metadata.js';
import { revisionNames } from '../../engine/objects/revisions.js';
import { isRevisioned, type Workload } from '../../engine/objects/workload.js';
import type { Gathering } from './gathering.js';

/** Words of a refusal by a quota (kubernetes `resourcequota/controller.go: CheckRequest`). */
export const exceeded = 'exceeded quota: ';

/** Pods of one namespace that are looked through; beyond it the rest is said to be unseen. */
const maxPods = 2_000;

/**
 * Every pod of the namespace, but only while a quota there refuses the workload's pods: the quota charges
 * them all, wherever they run, and one that is leaving makes room.
 */
export async function readChargedPods(
  gathering: Pick<Gathering, 'list' | 'objects'>,
  workload: Workload,
): Promise<void> {
  const { namespace } = workload.metadata;
  const { ResourceQuota, ReplicaSet, StatefulSet, Event } = gathering.objects();
  if (ResourceQuota.length === 0) return;
  const creators = ownCreators({ ReplicaSet, StatefulSet }, workload);
  const refused =
    ReplicaSet.some(
      ({ metadata, status }) =>
        creators.has(metadata.uid) && conditionOf(status, 'ReplicaFailure')?.message.includes(exceeded),
    ) || Event.some((event) => event.message.includes(exceeded) && isByCreator(event, creators, workload));
  if (refused) await gathering.list('Pod', { namespace, max: maxPods });
}

/**
 * By uid: the workload, and the ReplicaSets and StatefulSets that create pods for it. Those of a group or a
 * revision are no children of it, and have the labels of its pods.
 */
export function ownCreators(
  { ReplicaSet, StatefulSet }: Pick<ClusterObjects, 'ReplicaSet' | 'StatefulSet'>,
  workload: Workload,
): ReadonlySet<string> {
  const { namespace, uid } = workload.metadata;
  const byLabels = workload.kind === 'LeaderWorkerSet' || isRevisioned(workload);
  const own = [...ReplicaSet, ...StatefulSet].filter(
    (set) =>
      controllerOf(set)?.uid === uid ||
      (byLabels &&
        set.metadata.namespace === namespace &&
        matchesSelector(workload.spec.selector, set.metadata.labels)),
  );
  return new Set([uid, ...own.map(({ metadata }) => metadata.uid)]);
}

/** A RayCluster creates its pods itself, and its events say so. */
function isByCreator(
  { reason, involvedObject: { kind, namespace, name, uid } }: Event,
  creators: ReadonlySet<string>,
  workload: Workload,
): boolean {
  if (workload.kind !== 'RayService') return reason === 'FailedCreate' && creators.has(uid);
  return (
    kind === 'RayCluster' &&
    namespace === workload.metadata.namespace &&
    revisionNames(workload.revisions).includes(name)
  );
}
