import { conditionOf, controllerOf } from '../../core/cluster/metadata.js';
import type { Workload } from '../../core/cluster/workload.js';
import type { Gathering } from './gathering.js';

/** Words of a refusal by a quota (kubernetes `resourcequota/controller.go: CheckRequest`). */
export const exceeded = 'exceeded quota: ';

/** Pods of one namespace that are looked through; beyond it the rest is said to be unseen. */
const maxPods = 2_000;

/**
 * Every pod of the namespace, but only while a quota there refuses the workload's pods: the quota charges them all,
 * wherever they run, and one that is leaving makes room.
 */
export async function readChargedPods(
  gathering: Pick<Gathering, 'list' | 'objects'>,
  workload: Workload,
): Promise<void> {
  const { namespace, uid } = workload.metadata;
  const { ResourceQuota, ReplicaSet, Event } = gathering.objects();
  if (ResourceQuota.length === 0) return;
  const own = ReplicaSet.filter((replicaSet) => controllerOf(replicaSet)?.uid === uid);
  const creators = new Set([uid, ...own.map(({ metadata }) => metadata.uid)]);
  const refused =
    own.some(({ status }) => conditionOf(status, 'ReplicaFailure')?.message.includes(exceeded)) ||
    Event.some(
      ({ reason, message, involvedObject }) =>
        reason === 'FailedCreate' && creators.has(involvedObject.uid) && message.includes(exceeded),
    );
  if (refused) await gathering.list('Pod', { namespace, max: maxPods });
}
