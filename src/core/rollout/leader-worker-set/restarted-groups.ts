import { groupAnnotations, groupLabels, isLeader, revisionKeyOf } from '../../cluster/leader-worker-set.js';
import { controllerOf } from '../../cluster/metadata.js';
import { isTerminating, type Pod } from '../../cluster/pod.js';
import type { LeaderWorkerSetState } from '../rollout-state.js';

/**
 * Leaders that the controller deletes, because a pod of their group is being deleted or a container of it has
 * been restarted (lws `pod_controller.go: handleRestartPolicy`).
 */
export function leadersToDelete(state: LeaderWorkerSetState): readonly Pod[] {
  const { restartPolicy } = state.leaderWorkerSet.spec.leaderWorkerTemplate;
  const afterStart = restartPolicy === 'RecreateGroupAfterStart';
  if (restartPolicy !== 'RecreateGroupOnPodRestart' && !afterStart) return [];
  const { annotations } = state.leaderWorkerSet.metadata;
  const skipsPending = afterStart || annotations[groupAnnotations.recreateAfterStart] !== undefined;
  const leaders = new Set<Pod>();
  for (const pod of state.pods) {
    if (!isTerminating(pod) && !hasRestarted(pod)) continue;
    if (skipsPending && isGroupPending(state, pod)) continue;
    const leader = isLeader(pod) ? pod : leaderOfWorker(state, pod);
    if (leader !== undefined && !isTerminating(leader)) leaders.add(leader);
  }
  return [...leaders];
}

function hasRestarted({ status }: Pod): boolean {
  const { phase, containerStatuses, initContainerStatuses } = status;
  if (phase !== 'Running' && phase !== 'Pending') return false;
  return [...initContainerStatuses, ...containerStatuses].some(({ restartCount }) => restartCount > 0);
}

function isGroupPending({ pods, leaderWorkerSet }: LeaderWorkerSetState, { metadata }: Pod): boolean {
  const index = metadata.labels[groupLabels.groupIndex];
  const group = pods.filter((pod) => pod.metadata.labels[groupLabels.groupIndex] === index);
  return (
    group.length !== leaderWorkerSet.spec.leaderWorkerTemplate.size ||
    group.some(({ status }) => status.phase === 'Pending')
  );
}

/** The leader that is there now, where it is the one that the worker belongs to and of the same revision. */
function leaderOfWorker({ pods, statefulSets }: LeaderWorkerSetState, worker: Pod): Pod | undefined {
  const name = worker.metadata.name.replace(/-\d+$/, '');
  const leader = pods.find((pod) => pod.metadata.name === name);
  if (leader === undefined || revisionKeyOf(leader) !== revisionKeyOf(worker)) return undefined;
  const owner = controllerOf(worker);
  const workers = statefulSets.find(({ metadata }) => metadata.uid === owner?.uid);
  const above = workers === undefined ? undefined : controllerOf(workers);
  return above?.uid === leader.metadata.uid ? leader : undefined;
}
