import {
  groupIndexOf,
  isLeader,
  type LeaderWorkerSet,
  revisionKeyOf,
} from '../../cluster/leader-worker-set.js';
import { isReady, type Pod } from '../../cluster/pod.js';
import type { StatefulSet } from '../../cluster/workload.js';
import { leaderSetIn } from './leader-set.js';
import type { GroupState } from './rolling-update.js';

interface Parts {
  readonly leaderWorkerSet: LeaderWorkerSet;
  readonly statefulSets: readonly StatefulSet[];
  readonly pods: readonly Pod[];
}

/** The workers' StatefulSets: each has the number of its group. */
function workerSetsOf({ leaderWorkerSet, statefulSets }: Parts): readonly StatefulSet[] {
  const leaderSet = leaderSetIn(leaderWorkerSet, statefulSets);
  return statefulSets.filter((set) => set !== leaderSet);
}

/** The groups that the leader StatefulSet has places for, by number (lws `getReplicaStates`). */
export function groupStates(parts: Parts, count: number, revisionKey: string): readonly GroupState[] {
  const { metadata, spec } = parts.leaderWorkerSet;
  const leaders = new Map(parts.pods.filter(isLeader).map((pod) => [groupIndexOf(pod), pod]));
  const workerSets = new Map(workerSetsOf(parts).map((set) => [groupIndexOf(set), set]));
  const hasWorkers = spec.leaderWorkerTemplate.size > 1;
  return Array.from({ length: Math.max(0, count) }, (_, index): GroupState => {
    const name = `${metadata.name}-${index}`;
    const leader = leaders.get(index);
    const workers = workerSets.get(index);
    if (leader?.metadata.name !== name) return absent;
    if (!hasWorkers) return stateOf(leader, undefined, revisionKey);
    return workers?.metadata.name === name ? stateOf(leader, workers, revisionKey) : absent;
  });
}

const absent: GroupState = { ready: false, updated: false };

/** @param workers `undefined` in groups of one pod */
export function stateOf(leader: Pod, workers: StatefulSet | undefined, revisionKey: string): GroupState {
  const all = workers === undefined ? [leader] : [leader, workers];
  return {
    ready: isRunningAndReady(leader) && (workers === undefined || areWorkersReady(workers)),
    updated: all.every((each) => revisionKeyOf(each) === revisionKey),
  };
}

/** Also of a leader that is being deleted (lws `pod_utils.go: PodRunningAndReady`). */
function isRunningAndReady(pod: Pod): boolean {
  return pod.status.phase === 'Running' && isReady(pod);
}

/** lws `statefulset_utils.go: StatefulsetReady`. */
function areWorkersReady({ spec, status }: StatefulSet): boolean {
  return spec.replicas === status.availableReplicas && status.currentRevision === status.updateRevision;
}
