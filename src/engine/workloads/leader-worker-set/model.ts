import { groupBy } from '../../collections/collections.js';
import {
  groupAnnotations,
  groupIndexOf,
  groupLabels,
  isLeader,
  type LeaderWorkerSet,
  revisionKeyOf,
} from '../../objects/leader-worker-set.js';
import { type Condition, controllerOf, isPod } from '../../objects/metadata.js';
import { hasNode, isReady, isTerminating, type Pod } from '../../objects/pod.js';
import { type ControllerRevision, hasOrdinals, StatefulSet } from '../../objects/workload.js';
import { apiTime } from '../creation-order.js';
import { newCondition } from '../deployment-writes.js';
import { createPodSet, type PodSet } from '../pod-set.js';
import { changedStatefulSet } from '../rollout-change.js';
import type { LeaderWorkerSetState, StatefulSetState } from '../rollout-state.js';
import { deletedPod } from '../simulated-pods.js';
import type { Acted, Admission } from '../simulation.js';
import { neverExhausted, type WorkMeter } from '../simulation.js';
import { actStatefulSetOn, ordinalOf } from '../stateful-set-model.js';
import {
  type GroupState,
  groupBounds,
  isWritten,
  leaderSetIn,
  newestRevision,
  nextLeaderSetSize,
  revisionWithKey,
  templateWith,
  type WantedLeaderSet,
  workerTemplateOf,
  writtenLeaderSet,
} from './leader-set.js';

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

/**
 * The status that the controller writes (lws `leaderworkerset_controller.go: updateStatus`,
 * `updateConditions`).
 */
function leaderWorkerSetStatus(
  state: LeaderWorkerSetState,
  leaderSet: StatefulSet,
  revisionKey: string,
): LeaderWorkerSet['status'] {
  const { metadata, spec, status } = state.leaderWorkerSet;
  const { partition } = spec.rolloutStrategy.rollingUpdateConfiguration;
  const hasWorkers = spec.leaderWorkerTemplate.size > 1;
  const sets = new Map(state.statefulSets.map((set) => [set.metadata.name, set]));
  const groups = state.pods.filter(isLeader).flatMap((leader) => {
    const workers = hasWorkers ? sets.get(leader.metadata.name) : undefined;
    if (hasWorkers && workers === undefined) return [];
    return [{ index: groupIndexOf(leader), ...stateOf(leader, workers, revisionKey) }];
  });
  const lasting = groups.filter(({ index }) => index < spec.replicas);
  const toUpdate = lasting.filter(({ index }) => index >= partition);
  const isUpdating = toUpdate.some(({ updated }) => !updated);
  const isWhole =
    lasting.filter(({ ready }) => ready).length === spec.replicas &&
    toUpdate.every(({ ready, updated }) => ready && updated);
  return {
    observedGeneration: metadata.generation ?? 0,
    replicas: leaderSet.status.replicas,
    readyReplicas: groups.filter(({ ready }) => ready).length,
    updatedReplicas: groups.filter(({ updated }) => updated).length,
    conditions: conditionsAfter(
      status.conditions,
      isUpdating ? 'updating' : isWhole ? 'available' : 'progressing',
      state.now,
    ),
  };
}

/** A condition that is not there is not written as `False`. */
function conditionsAfter(
  before: readonly Condition[],
  now: 'updating' | 'available' | 'progressing',
  at: number,
): readonly Condition[] {
  const isTrue: readonly string[] =
    now === 'available'
      ? ['Available']
      : now === 'updating'
        ? ['UpdateInProgress', 'Progressing']
        : ['Progressing'];
  const isFalse: readonly string[] =
    now === 'available' ? ['Progressing', 'UpdateInProgress'] : ['Available'];
  const kept = before.map((condition) => {
    const status = isTrue.includes(condition.type)
      ? 'True'
      : isFalse.includes(condition.type)
        ? 'False'
        : condition.status;
    return status === condition.status ? condition : { ...condition, status };
  });
  const added = isTrue.filter((type) => kept.every((condition) => condition.type !== type));
  return [...kept, ...added.map((type) => newCondition(type, 'True', '', '', at))];
}

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
function groupStates(parts: Parts, count: number, revisionKey: string): readonly GroupState[] {
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
function stateOf(leader: Pod, workers: StatefulSet | undefined, revisionKey: string): GroupState {
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

/**
 * Workers' StatefulSets that the controller creates now, for leaders that have none (lws
 * `pod_controller.go: Reconcile`).
 */
function missingWorkerSets(state: LeaderWorkerSetState, leaderSet: StatefulSet): readonly StatefulSet[] {
  if (state.leaderWorkerSet.spec.leaderWorkerTemplate.size === 1) return [];
  const names = new Set(state.statefulSets.map(({ metadata }) => metadata.name));
  const newest = newestRevision(state, leaderSet).key;
  return state.pods
    .filter((pod) => isLeader(pod) && !isTerminating(pod) && !names.has(pod.metadata.name))
    .filter((leader) => mayHaveWorkers(state.leaderWorkerSet, leader))
    .filter((leader) => {
      const key = revisionKeyOf(leader);
      return key === newest || revisionWithKey(state, key) !== undefined;
    })
    .map((leader) => workerSet(state, leader));
}

function mayHaveWorkers({ metadata, spec }: LeaderWorkerSet, leader: Pod): boolean {
  if (spec.startupPolicy === 'LeaderReady' && !isReady(leader)) return false;
  return metadata.annotations[groupAnnotations.exclusiveTopology] === undefined || hasNode(leader);
}

/** lws `pod_controller.go: constructWorkerStatefulSetApplyConfiguration`. */
function workerSet(state: LeaderWorkerSetState, leader: Pod): StatefulSet {
  const { metadata, spec } = state.leaderWorkerSet;
  const { name, namespace, uid } = leader.metadata;
  const inGroup = {
    [groupLabels.groupIndex]: leader.metadata.labels[groupLabels.groupIndex] ?? '',
    [groupLabels.name]: metadata.name,
    [groupLabels.groupKey]: leader.metadata.labels[groupLabels.groupKey] ?? '',
  };
  const labels = { ...inGroup, [groupLabels.revision]: revisionKeyOf(leader) };
  const template = templateWith(workerTemplateOf(state, revisionKeyOf(leader)), {
    labels,
    annotations: {
      [groupAnnotations.size]: String(spec.leaderWorkerTemplate.size),
      [groupAnnotations.leaderName]: name,
    },
  });
  const revision = `${name}-simulated`;
  return StatefulSet.parse({
    metadata: {
      name,
      namespace,
      uid: `simulated:set:${uid}`,
      generation: 1,
      labels,
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid, controller: true }],
    },
    spec: {
      replicas: spec.leaderWorkerTemplate.size - 1,
      serviceName: metadata.name,
      podManagementPolicy: 'Parallel',
      ordinals: { start: 1 },
      selector: { matchLabels: inGroup },
      template: template.raw,
    },
    status: { observedGeneration: 1, currentRevision: revision, updateRevision: revision },
  });
}

/** The garbage collector removes what such a pod owns before the pod itself. */
const foreground = 'foregroundDeletion';

/** What the garbage collector of Kubernetes has done to the groups. */
interface Collected {
  readonly statefulSets: readonly StatefulSet[];
  readonly deleted: readonly Pod[];
  readonly hasActed: boolean;
}

/**
 * A group goes with its leader. Where the leader was deleted in the foreground, its workers go first;
 * otherwise they go once the leader is gone (kubernetes `garbagecollector.go: attemptToDeleteItem`).
 */
function collectGroups(podSet: PodSet, state: LeaderWorkerSetState): Collected {
  const deleted: Pod[] = [];
  let hasActed = false;
  const leaders = new Map(podSet.all().map((pod) => [pod.metadata.uid, pod]));
  const kept = state.statefulSets.flatMap((set): readonly StatefulSet[] => {
    const owner = controllerOf(set);
    if (!isPod(owner)) return [set];
    const leader = leaders.get(owner.uid);
    if (leader !== undefined && !isLeaving(leader)) return [set];
    const { uid } = set.metadata;
    deleted.push(...deletePods(podSet, podSet.ownedBy(uid), state.now));
    const isGone = leader === undefined || podSet.ownedBy(uid).length === 0;
    const isMarked = set.metadata.deletionTimestamp !== undefined;
    hasActed ||= isGone || !isMarked;
    if (isGone) return [];
    return [
      isMarked ? set : { ...set, metadata: { ...set.metadata, deletionTimestamp: apiTime(state.now) } },
    ];
  });
  const owners = new Set(kept.map((set) => controllerOf(set)?.uid));
  for (const leader of podSet.all().filter((pod) => isLeader(pod) && isLeaving(pod))) {
    if (owners.has(leader.metadata.uid)) continue;
    release(podSet, leader);
    hasActed = true;
  }
  const uids = new Set(kept.map(({ metadata }) => metadata.uid));
  const orphans = podSet.all().filter((pod) => !isLeader(pod) && isOrphan(pod, uids));
  deleted.push(...deletePods(podSet, orphans, state.now));
  return { statefulSets: kept, deleted, hasActed: hasActed || deleted.length > 0 };
}

/** As the controller deletes a leader to have its group made anew. */
function deleteInForeground(podSet: PodSet, leader: Pod, now: number): void {
  const [left] = deletedPod(leader, now);
  const { metadata } = left ?? leader;
  podSet.replace(leader, {
    ...(left ?? leader),
    metadata: {
      ...metadata,
      deletionTimestamp: metadata.deletionTimestamp ?? apiTime(now),
      deletionGracePeriodSeconds: metadata.deletionGracePeriodSeconds ?? 0,
      finalizers: [...metadata.finalizers, foreground],
    },
  });
}

function isLeaving(pod: Pod): boolean {
  return isTerminating(pod) && pod.metadata.finalizers.includes(foreground);
}

/** A pod without a node, or that its kubelet has ended, only waits for the finalizer. */
function release(podSet: PodSet, leader: Pod): void {
  const finalizers = leader.metadata.finalizers.filter((each) => each !== foreground);
  const isOver = !hasNode(leader) || leader.metadata.deletionGracePeriodSeconds === 0;
  if (isOver && finalizers.length === 0) podSet.remove(leader);
  else podSet.replace(leader, { ...leader, metadata: { ...leader.metadata, finalizers } });
}

function isOrphan(pod: Pod, setUids: ReadonlySet<string>): boolean {
  const owner = controllerOf(pod);
  return hasOrdinals(owner) && !setUids.has(owner.uid);
}

function deletePods(podSet: PodSet, pods: readonly Pod[], now: number): readonly Pod[] {
  const leaving = pods.filter((pod) => !isTerminating(pod));
  for (const pod of leaving) {
    const [left] = deletedPod(pod, now);
    if (left === undefined) podSet.remove(pod);
    else podSet.replace(pod, left);
  }
  return leaving;
}

/** What the StatefulSet controller sees of one of the StatefulSets. */
export function statefulSetStateOf(state: LeaderWorkerSetState, statefulSet: StatefulSet): StatefulSetState {
  const { uid } = statefulSet.metadata;
  return {
    kind: 'StatefulSet',
    statefulSet,
    controllerRevisions: state.controllerRevisions.filter((each) => controllerOf(each)?.uid === uid),
    pods: state.pods.filter((pod) => controllerOf(pod)?.uid === uid),
    maxUnavailable: state.maxUnavailable,
    now: state.now,
  };
}
