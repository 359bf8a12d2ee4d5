import type { Pod } from '../../engine/objects/pod.js';
import { podKey } from '../../engine/objects/pod-key.js';
import { nowOf } from '../../engine/objects/snapshot.js';
import { ownPodsThatRetire } from '../../engine/workloads/revisioned/pods.js';
import { isOverdue } from '../../engine/workloads/simulated-time.js';
import type { Examination } from './rule.js';

/**
 * The waiting pod gets a node without anybody's help: by preemption, a pod that is leaving in time, pods of a
 * revision of its service that retire, or the next retry.
 */
export function isAboutToBePlaced({ snapshot, placement }: Examination, waiting: Pod): boolean {
  if ((waiting.status.nominatedNodeName ?? '') !== '' || placement.canPreempt(waiting)) return true;
  const now = nowOf(snapshot);
  const leaving = [
    ...snapshot.index.terminatingPods.filter((pod) => !isOverdue(pod, now)),
    ...ownPodsThatRetire(snapshot),
  ];
  return placement.evaluate(waiting, { without: new Set(leaving.map(podKey)) }).outcome === 'fits';
}
