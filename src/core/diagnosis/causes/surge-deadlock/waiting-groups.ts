import { groupIndexOf, groupLabels, isLeader } from '../../../cluster/leader-worker-set.js';
import { hasNode, isActive, isReady, type Pod } from '../../../cluster/pod.js';
import { podKey } from '../../../cluster/pod-key.js';
import { podOfTemplate } from '../../../creation/wanted-pod.js';
import type { Placement } from '../../../placement/placement.js';
import { newGroupPods } from '../../../rollout/leader-worker-set/group-pods.js';
import type { LeaderWorkerSetState } from '../../../rollout/rollout-state.js';
import type { StableRollout } from '../../deadlock/resting.js';
import { groupsDoubts } from '../../deadlock/resting-groups.js';
import { isUnschedulable } from '../../stuck-rollout.js';
import type { Waiting } from './stuck.js';

/**
 * The scheduler has refused a pod of every new group that is not ready, and one that was created beside the
 * old groups would fit once these are gone.
 */
export function waitingGroupsOf(
  placement: Placement,
  state: LeaderWorkerSetState,
  { holding }: StableRollout,
): Waiting | undefined {
  const { leaderWorkerSet } = state;
  const groups = waitingGroups(state);
  if (groups === undefined) return undefined;
  // A group that takes the place of an old one waits for a place that no old group has to give up.
  const surge = groups.find(
    (group) => group.index >= leaderWorkerSet.spec.replicas && fitsWithout(placement, state, group, holding),
  );
  if (surge === undefined) return undefined;
  const [first, ...rest] = [surge, ...groups.filter((group) => group !== surge)].flatMap(
    ({ refused }) => refused,
  );
  if (first === undefined) return undefined;
  const counterpart = rest.find((pod) => isLeader(pod) !== isLeader(first));
  return {
    waiting: [first, ...rest],
    ...(counterpart === undefined ? {} : { alsoWaiting: [counterpart] }),
    weakenedBy: groupsDoubts(leaderWorkerSet),
  };
}

/** A new group that is not ready. */
interface WaitingGroup {
  readonly index: number;
  /** Its pods that exist, those with a node and those without. */
  readonly pods: readonly Pod[];
  readonly refused: readonly Pod[];
}

/** `undefined` where the scheduler has refused no pod of such a group: then the group may become ready. */
function waitingGroups(state: LeaderWorkerSetState): readonly WaitingGroup[] | undefined {
  const fresh = newGroupPods(state).filter(isActive);
  const indexes = new Set(fresh.filter((pod) => !isReady(pod)).map(groupIndexOf));
  const groups = [...indexes].map((index): WaitingGroup => {
    const pods = fresh.filter((pod) => groupIndexOf(pod) === index);
    return { index, pods, refused: pods.filter((pod) => !isReady(pod) && isUnschedulable(pod)) };
  });
  return groups.every(({ refused }) => refused.length > 0) ? groups : undefined;
}

/** More pods are not placed one by one. */
const mostPods = 1_000;

/**
 * Whether the whole group finds its places once the old groups are gone, workers included that are not there
 * yet. One pod after the other is placed, each beside those before it.
 */
function fitsWithout(
  placement: Placement,
  { leaderWorkerSet }: LeaderWorkerSetState,
  { index, pods }: WaitingGroup,
  holding: readonly Pod[],
): boolean {
  const { size, workerTemplate } = leaderWorkerSet.spec.leaderWorkerTemplate;
  if (size > mostPods) return false;
  const { namespace, name } = leaderWorkerSet.metadata;
  const missing = Array.from({ length: Math.max(0, size - pods.length) }, (_, number) =>
    inGroup(
      podOfTemplate(placement.index, workerTemplate, '', {
        namespace,
        name: `${name}-${index}-new-${number}`,
      }),
      { [groupLabels.name]: name, [groupLabels.groupIndex]: String(index) },
    ),
  );
  const waiting = [...pods.filter((pod) => !hasNode(pod)), ...missing];
  let after = placement.with({ remove: new Set([...holding, ...waiting].map(podKey)) });
  for (const pod of waiting) {
    const nodeName = after.firstFeasible(pod);
    if (nodeName === undefined) return false;
    after = after.with({ add: [{ ...pod, spec: { ...pod.spec, nodeName } }] });
  }
  return true;
}

/** With the labels that affinities of the template may name. */
function inGroup(pod: Pod, added: Readonly<Record<string, string>>): Pod {
  return { ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, ...added } } };
}
