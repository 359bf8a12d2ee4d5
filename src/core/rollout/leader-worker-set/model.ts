import { groupAnnotations, groupIndexOf, groupLabels, isLeader } from '../../cluster/leader-worker-set.js';
import { controllerOf } from '../../cluster/metadata.js';
import type { Pod } from '../../cluster/pod.js';
import type { ControllerRevision, StatefulSet } from '../../cluster/workload.js';
import { groupBy } from '../../collections/collections.js';
import { changedStatefulSet } from '../revision-change.js';
import type { LeaderWorkerSetState } from '../rollout-state.js';
import { createPodSet, type PodSet } from '../roster.js';
import type { Acted, Admission } from '../simulation.js';
import { neverExhausted, type WorkMeter } from '../simulation-budget.js';
import { actStatefulSetOn } from '../stateful-set-model.js';
import { ordinalOf } from '../stateful-set-status.js';
import { groupBounds } from './bounds.js';
import { collectGroups, deleteInForeground } from './collected.js';
import { groupStates } from './groups.js';
import { isWritten, leaderSetIn, type WantedLeaderSet, writtenLeaderSet } from './leader-set.js';
import { statefulSetStateOf } from './members.js';
import { leadersToDelete } from './restarted-groups.js';
import { newestRevision } from './revisions.js';
import { nextLeaderSetSize } from './rolling-update.js';
import { leaderWorkerSetStatus } from './status.js';
import { missingWorkerSets } from './worker-sets.js';

/** Enough for every group to follow the one before it. */
const maxRounds = 400;

/**
 * Runs the controllers of LeaderWorkerSets and StatefulSets and the garbage collector until they have nothing
 * to do.
 */
export function actLeaderWorkerSet(
  start: LeaderWorkerSetState,
  admits: Admission,
): Acted<LeaderWorkerSetState> {
  const podSet = createPodSet(start.pods);
  const acted = actLeaderWorkerSetOn(podSet, start, (pod) => admits(pod, podSet.all()), neverExhausted);
  return { ...acted, state: { ...acted.state, pods: podSet.all() } };
}

/** The same on a pod set, which it changes. */
export function actLeaderWorkerSetOn(
  podSet: PodSet,
  start: LeaderWorkerSetState,
  admits: (pod: Pod) => boolean,
  meter: WorkMeter,
): Acted<LeaderWorkerSetState> {
  let state = start;
  const created: Pod[] = [];
  const deleted: Pod[] = [];
  let refused: readonly Pod[] = [];
  let isAtRest = false;
  const seen = (): LeaderWorkerSetState => ({ ...state, pods: podSet.all() });
  for (let round = 0; round < maxRounds && !isAtRest && !meter.isExhausted(); round += 1) {
    meter.spend(1 + podSet.size());
    const synced = syncLeaderWorkerSet(seen());
    // A condition that was true for a moment stays until every group is ready.
    state = withStatus({ ...synced.state, pods: podSet.all() });
    const collected = collectGroups(podSet, seen());
    state = { ...state, statefulSets: collected.statefulSets };
    const leaving = leadersToDelete(seen());
    for (const leader of leaving) deleteInForeground(podSet, leader, state.now);
    const sets = actStatefulSets(podSet, state, admits, meter);
    state = sets.state;
    const leaderSet = leaderSetIn(state.leaderWorkerSet, state.statefulSets);
    const made = leaderSet === undefined ? [] : missingWorkerSets(seen(), leaderSet);
    state = { ...state, statefulSets: [...state.statefulSets, ...made] };
    created.push(...sets.created);
    deleted.push(...collected.deleted, ...leaving, ...sets.deleted);
    refused = sets.refused;
    isAtRest =
      !synced.hasActed &&
      !collected.hasActed &&
      !sets.hasNewStatus &&
      leaving.length + made.length + sets.created.length + sets.deleted.length === 0;
  }
  return { state: withStatus(seen()), actions: [], created, deleted, orElse: [], refused, isAtRest };
}

/** One reconciliation: the leader StatefulSet as it has to be. */
function syncLeaderWorkerSet(state: LeaderWorkerSetState): {
  readonly state: LeaderWorkerSetState;
  readonly hasActed: boolean;
} {
  const { leaderWorkerSet, statefulSets } = state;
  const nothing = { state, hasActed: false };
  if (leaderWorkerSet.metadata.deletionTimestamp !== undefined) return nothing;
  const before = leaderSetIn(leaderWorkerSet, statefulSets);
  if (before !== undefined && before.metadata.deletionTimestamp !== undefined) return nothing;
  const wanted = wantedLeaderSet(state, before);
  if (wanted === undefined) return nothing;
  if (before !== undefined && isWritten(leaderWorkerSet, before, wanted)) return nothing;
  const written = writtenLeaderSet(leaderWorkerSet, before, wanted);
  const others = statefulSets.filter((set) => set !== before);
  return { state: withRevision({ ...state, statefulSets: [written, ...others] }, written), hasActed: true };
}

function wantedLeaderSet(
  state: LeaderWorkerSetState,
  before: StatefulSet | undefined,
): WantedLeaderSet | undefined {
  const { leaderWorkerSet } = state;
  const { replicas, rolloutStrategy } = leaderWorkerSet.spec;
  const bounds = groupBounds(leaderWorkerSet);
  if (bounds === undefined) return undefined;
  const { key, isNew } = newestRevision(state, before);
  const count = before?.spec.replicas ?? 0;
  const size = nextLeaderSetSize({
    replicas,
    bounds,
    lowestPartition: rolloutStrategy.rollingUpdateConfiguration.partition,
    leaderSet:
      before === undefined
        ? undefined
        : { replicas: count, partition: before.spec.updateStrategy.rollingUpdate?.partition ?? 0 },
    isNewTemplate: before !== undefined && isNew,
    isScaled: before !== undefined && replicasWhenWritten(before) !== replicas,
    groups: groupStates(state, count, key),
  });
  return { ...size, bounds, revisionKey: key };
}

function replicasWhenWritten({ metadata }: StatefulSet): number {
  return Number(metadata.annotations[groupAnnotations.replicas] ?? Number.NaN);
}

/** The StatefulSet controller stores a revision for each template of the leaders. */
function withRevision(state: LeaderWorkerSetState, leaderSet: StatefulSet): LeaderWorkerSetState {
  const own = statefulSetStateOf(state, leaderSet);
  const changed = changedStatefulSet(own, { kind: 'template', template: leaderSet.spec.template });
  if (changed === undefined || changed.controllerRevisions === own.controllerRevisions) return state;
  const others = state.controllerRevisions.filter((each) => !own.controllerRevisions.includes(each));
  const { uid } = leaderSet.metadata;
  const owned = changed.controllerRevisions.map((each) =>
    controllerOf(each)?.uid === uid
      ? each
      : {
          ...each,
          metadata: {
            ...each.metadata,
            ownerReferences: [
              {
                apiVersion: 'apps/v1',
                kind: 'StatefulSet',
                name: leaderSet.metadata.name,
                uid,
                controller: true,
              },
            ],
          },
        },
  );
  return { ...state, controllerRevisions: [...others, ...owned] };
}

interface ActedSets {
  readonly state: LeaderWorkerSetState;
  readonly created: readonly Pod[];
  readonly deleted: readonly Pod[];
  readonly refused: readonly Pod[];
  /** The controller of LeaderWorkerSets reads the counts of the workers. */
  readonly hasNewStatus: boolean;
}

function actStatefulSets(
  podSet: PodSet,
  start: LeaderWorkerSetState,
  admits: (pod: Pod) => boolean,
  meter: WorkMeter,
): ActedSets {
  const created: Pod[] = [];
  const deleted: Pod[] = [];
  const refused: Pod[] = [];
  const revisions = byController(start.controllerRevisions);
  const statefulSets = start.statefulSets.map((set) => {
    const { uid } = set.metadata;
    const parts = { pods: podSet.ownedBy(uid), controllerRevisions: revisions.get(uid) ?? [] };
    const own = statefulSetStateOf({ ...start, ...parts }, set);
    // Workers of a group that is made anew have the names of those that are still going.
    const isFree = ({ metadata }: Pod): boolean => !podSet.hasName(metadata.name);
    const acted = actStatefulSetOn(podSet, own, (pod) => isFree(pod) && admits(pod), meter, {
      members: () => podSet.ownedBy(uid),
      dressed: groupMember,
    });
    created.push(...acted.created);
    deleted.push(...acted.deleted);
    refused.push(...acted.refused);
    return acted.state.statefulSet;
  });
  const statuses = (sets: readonly StatefulSet[]): string => JSON.stringify(sets.map(({ status }) => status));
  const hasNewStatus = statuses(statefulSets) !== statuses(start.statefulSets);
  return { state: { ...start, statefulSets }, created, deleted, refused, hasNewStatus };
}

function byController(
  revisions: readonly ControllerRevision[],
): ReadonlyMap<string, readonly ControllerRevision[]> {
  return groupBy(revisions, (revision) => controllerOf(revision)?.uid ?? '');
}

/** The label that the webhook adds to a pod: the number of the group, or that of the worker in its group. */
function groupMember(pod: Pod): Pod {
  const { metadata } = pod;
  const label = isLeader(pod) ? groupLabels.groupIndex : groupLabels.workerIndex;
  const labels = { ...metadata.labels, [label]: String(ordinalOf(pod)) };
  return { ...pod, metadata: { ...metadata, labels } };
}

function withStatus(state: LeaderWorkerSetState): LeaderWorkerSetState {
  const { leaderWorkerSet } = state;
  const leaderSet = leaderSetIn(leaderWorkerSet, state.statefulSets);
  if (leaderSet === undefined) return state;
  const status = leaderWorkerSetStatus(state, leaderSet, newestRevision(state, leaderSet).key);
  return { ...state, leaderWorkerSet: { ...leaderWorkerSet, status } };
}

/**
 * Every group from the partition on is updated and ready, the others are ready, and no surge group is left.
 */
export function leaderWorkerSetIsComplete(state: LeaderWorkerSetState): boolean {
  const { spec } = state.leaderWorkerSet;
  const leaderSet = leaderSetIn(state.leaderWorkerSet, state.statefulSets);
  if (leaderSet === undefined || leaderSet.spec.replicas !== spec.replicas) return false;
  const { partition } = spec.rolloutStrategy.rollingUpdateConfiguration;
  const groups = groupStates(state, spec.replicas, newestRevision(state, leaderSet).key);
  const isBeyond = (pod: Pod): boolean => groupIndexOf(pod) >= spec.replicas;
  return (
    groups.every(({ ready, updated }, index) => ready && (updated || index < partition)) &&
    !state.pods.some(isBeyond)
  );
}
