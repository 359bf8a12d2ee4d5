import { isActive, isAvailable, isReady, isTerminal, isTerminating, type Pod } from '../objects/pod.js';
import { Volume } from '../objects/pod-spec.js';
import type { StatefulSet } from '../objects/workload.js';
import { actUntilRest, type PodController } from './act-until-rest.js';
import {
  controllerRevisionHashLabel,
  podRevisionName,
  type StatefulSetRevisions,
  statefulSetRevisions,
} from './controller-revisions.js';
import { createPodSet, type PodSet } from './pod-set.js';
import { templateOf } from './rollout-change.js';
import { type MaxUnavailableRule, type StatefulSetState, unavailableBudget } from './rollout-state.js';
import { simulatedPod } from './simulated-pods.js';
import type { Acted, Admission } from './simulation.js';
import { neverExhausted, type WorkMeter } from './simulation.js';

/** Enough for a pod of each ordinal to follow, at `maxCreations` in a sync. */
const maxRounds = 400;

type Creation = Extract<StatefulSetAction, { readonly kind: 'create' }>;

/** Runs the StatefulSet controller until it waits for a pod or has nothing to do. */
export function actStatefulSet(start: StatefulSetState, admits: Admission): Acted<StatefulSetState> {
  const podSet = createPodSet(start.pods);
  const admitsBeside = (pod: Pod): boolean => admits(pod, podSet.all());
  const acted = actStatefulSetOn(podSet, start, admitsBeside, neverExhausted);
  return { ...acted, state: { ...acted.state, pods: podSet.all() } };
}

/** How a StatefulSet differs whose pods are not all of the pod set. */
interface Membership {
  readonly members: () => readonly Pod[];
  /** The pod as webhooks change it. */
  readonly dressed: (pod: Pod) => Pod;
}

/**
 * The same on a pod set, which it changes. All pods of the pod set are members where `membership` is left
 * out.
 */
export function actStatefulSetOn(
  podSet: PodSet,
  start: StatefulSetState,
  admits: (pod: Pod) => boolean,
  meter: WorkMeter,
  { members, dressed }: Membership = { members: podSet.all, dressed: (pod) => pod },
): Acted<StatefulSetState> {
  const controller: PodController<StatefulSetState, Creation> = {
    maxRounds,
    members,
    workOf: ({ pods }) => pods.length,
    sync(state) {
      const { actions, status } = syncStatefulSet(state);
      return { actions, orElse: [], next: { ...state, statefulSet: { ...state.statefulSet, status } } };
    },
    podFor: (state, { pod, revision }) => dressed(memberPod(state, pod, revision)),
  };
  return actUntilRest(controller, podSet, start, admits, meter);
}

/**
 * Every ordinal has an available pod, those from the partition on of the new revision, and no pod is beyond.
 */
export function statefulSetIsComplete(state: StatefulSetState): boolean {
  const { spec } = state.statefulSet;
  const update = statefulSetRevisions(state)?.update ?? '';
  const partition = spec.updateStrategy.rollingUpdate?.partition ?? 0;
  const start = spec.ordinals?.start ?? 0;
  const settled = state.pods.filter(
    (pod) => isActive(pod) && isAvailable(pod, spec.minReadySeconds, state.now),
  );
  const updated = settled.filter(
    (pod) => ordinalOf(pod) - start < partition || podRevisionName(pod) === update,
  );
  return state.pods.length === spec.replicas && updated.length === spec.replicas;
}

/** The pod keeps its name, so its predecessor must be gone; the uid tells them apart. */
function memberPod(state: StatefulSetState, name: string, revision: string): Pod {
  const { statefulSet, now } = state;
  const stored = state.controllerRevisions.find(({ metadata }) => metadata.name === revision);
  const isUpdate = revision === statefulSetRevisions(state)?.update;
  const template = isUpdate
    ? statefulSet.spec.template
    : (stored && templateOf(stored)) || statefulSet.spec.template;
  const pod = simulatedPod(statefulSet, template, name, now, undefined);
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      uid: `simulated:${name}:${now}`,
      labels: {
        ...pod.metadata.labels,
        'statefulset.kubernetes.io/pod-name': name,
        [controllerRevisionHashLabel]: revision,
      },
    },
    spec: { ...pod.spec, volumes: withClaims(state, pod.spec.volumes, name) },
  };
}

/** The ordinal's own claims in place of volumes of the same name (`stateful_set_utils.go: updateStorage`). */
function withClaims(
  { statefulSet }: StatefulSetState,
  volumes: readonly Volume[],
  pod: string,
): readonly Volume[] {
  const names = statefulSet.spec.volumeClaimTemplates.map(({ metadata }) => metadata.name);
  const claims = names.map((name) =>
    Volume.parse({ name, persistentVolumeClaim: { claimName: `${name}-${pod}` } }),
  );
  return [...claims, ...volumes.filter(({ name }) => !names.includes(name))];
}

/** One write of the StatefulSet controller, or what it waits for. */
export type StatefulSetAction =
  | { readonly kind: 'create'; readonly pod: string; readonly ordinal: number; readonly revision: string }
  | { readonly kind: 'delete'; readonly pod: Pod; readonly because: 'terminal' | 'scale-down' | 'update' };

interface StatefulSetSync {
  readonly actions: readonly StatefulSetAction[];
  /** The pod that keeps the controller from going on; absent when none does. */
  readonly waitsFor: { readonly pod: Pod; readonly until: 'terminated' | 'ready' | 'available' } | undefined;
  readonly status: StatefulSet['status'];
}

/**
 * One sync of the StatefulSet controller (kubernetes `stateful_set_control.go: updateStatefulSet`). Not
 * simulated: claims and their retention, stale claims, adoption.
 *
 * @param rule the one that applies, unless another possible one is asked for
 */
export function syncStatefulSet(
  state: StatefulSetState,
  rule: MaxUnavailableRule = state.maxUnavailable.rule,
): StatefulSetSync {
  const { statefulSet } = state;
  const revisions = statefulSetRevisions(state) ?? { current: '', update: '' };
  const { actions, waitsFor } =
    statefulSet.metadata.deletionTimestamp === undefined
      ? decide(state, revisions, rule)
      : { actions: [], waitsFor: undefined };
  return { actions, waitsFor, status: statefulSetStatus(state, revisions) };
}

type Decision = Pick<StatefulSetSync, 'actions' | 'waitsFor'>;

const nothing: Decision = { actions: [], waitsFor: undefined };

function decide(
  state: StatefulSetState,
  revisions: StatefulSetRevisions,
  rule: MaxUnavailableRule,
): Decision {
  const recreated = recreate(state, revisions);
  if (recreated !== undefined) return recreated;
  const replicas = replicasOf(state);
  const monotonic = state.statefulSet.spec.podManagementPolicy !== 'Parallel';
  const kept = processReplicas(state, replicas, revisions, monotonic);
  if (monotonic && !isNothing(kept)) return kept;
  const condemned = processCondemned(state, replicas, monotonic);
  if (monotonic && !isNothing(condemned)) return condemned;
  const updated = update(state, replicas, revisions, rule);
  return { actions: [...kept.actions, ...condemned.actions, ...updated.actions], waitsFor: updated.waitsFor };
}

/**
 * With `Recreate` (1.37, gated) all old pods go at once, whatever their state, and no new one comes before
 * they are gone (`recreateDeleteAndWait`); `undefined` where none is left.
 */
function recreate({ statefulSet, pods }: StatefulSetState, { update }: StatefulSetRevisions) {
  if (statefulSet.spec.updateStrategy.type !== 'Recreate') return undefined;
  const old = pods.filter((pod) => ordinalOf(pod) >= 0 && podRevisionName(pod) !== update);
  const [first] = old;
  if (first === undefined) return undefined;
  const actions = deletions(old.filter((pod) => !isTerminating(pod)));
  return { actions, waitsFor: actions.length > 0 ? undefined : { pod: first, until: 'terminated' as const } };
}

function isNothing({ actions, waitsFor }: Decision): boolean {
  return actions.length === 0 && waitsFor === undefined;
}

function update(
  state: StatefulSetState,
  replicas: Replicas,
  revisions: StatefulSetRevisions,
  rule: MaxUnavailableRule,
): Decision {
  if (['OnDelete', 'Recreate'].includes(state.statefulSet.spec.updateStrategy.type)) return nothing;
  if (rule === 'ignored') return updateOne(state, replicas, revisions);
  const isParallel = state.statefulSet.spec.podManagementPolicy === 'Parallel';
  return rule === 'as-in-1.37' && isParallel
    ? updateUnavailableFirst(state, replicas, revisions)
    : updateSeveral(state, replicas, revisions);
}

/** The wanted pods by index: the ordinal less `ordinals.start`. Missing ones are counted, not listed. */
interface Replicas {
  readonly count: number;
  readonly at: (index: number) => Pod | undefined;
  /** Those that exist, lowest index first. */
  readonly present: readonly (readonly [index: number, pod: Pod])[];
}

function replicasOf({ statefulSet, pods }: StatefulSetState): Replicas {
  const start = statefulSet.spec.ordinals?.start ?? 0;
  const count = Math.max(0, statefulSet.spec.replicas);
  const byIndex = new Map<number, Pod>();
  for (const pod of pods) {
    const ordinal = ordinalOf(pod);
    const index = ordinal - start;
    if (ordinal >= 0 && index >= 0 && index < count) byIndex.set(index, pod);
  }
  return { count, at: (index) => byIndex.get(index), present: [...byIndex].sort(([a], [b]) => a - b) };
}

/** Missing pods that one sync lists; the next one goes on. The controller itself makes all of them in one. */
const maxCreations = 500;

/** Every ordinal from the lowest: terminal pods are deleted, missing ones created, broken ones waited for. */
function processReplicas(
  state: StatefulSetState,
  replicas: Replicas,
  revisions: StatefulSetRevisions,
  monotonic: boolean,
): Decision {
  const actions: StatefulSetAction[] = [];
  let missing = 0;
  for (let index = 0; index < replicas.count && missing < maxCreations; index += 1) {
    const pod = replicas.at(index);
    if (pod === undefined) missing += 1;
    const step = processReplica(state, index, pod, revisions, monotonic);
    for (const action of step.actions) actions.push(action);
    if (monotonic && (step.waitsFor !== undefined || step.actions.length > 0)) {
      return { actions, waitsFor: step.waitsFor };
    }
  }
  return { actions, waitsFor: undefined };
}

function processReplica(
  state: StatefulSetState,
  index: number,
  pod: Pod | undefined,
  revisions: StatefulSetRevisions,
  monotonic: boolean,
): Decision {
  if (pod === undefined) return { actions: [creation(state, index, revisions)], waitsFor: undefined };
  if (isTerminal(pod)) {
    if (!isTerminating(pod))
      return { actions: [{ kind: 'delete', pod, because: 'terminal' }], waitsFor: undefined };
    return { actions: [], waitsFor: { pod, until: 'terminated' } };
  }
  if (!monotonic) return nothing;
  const until = unsettled(state, pod);
  return until === undefined ? nothing : { actions: [], waitsFor: { pod, until } };
}

function unsettled(state: StatefulSetState, pod: Pod): 'terminated' | 'ready' | 'available' | undefined {
  if (isTerminating(pod)) return 'terminated';
  if (pod.status.phase !== 'Running' || !isReady(pod)) return 'ready';
  return isAvailable(pod, state.statefulSet.spec.minReadySeconds, state.now) ? undefined : 'available';
}

/** Below the partition, or what was left of the old revision, a missing pod comes back as it was. */
function creation(
  { statefulSet }: StatefulSetState,
  index: number,
  { current, update }: StatefulSetRevisions,
): StatefulSetAction {
  const ordinal = (statefulSet.spec.ordinals?.start ?? 0) + index;
  const { type, rollingUpdate } = statefulSet.spec.updateStrategy;
  const keepsCurrent =
    rollingUpdate === undefined
      ? type === 'RollingUpdate' && index < statefulSet.status.currentReplicas
      : index < rollingUpdate.partition;
  const pod = `${statefulSet.metadata.name}-${ordinal}`;
  return { kind: 'create', pod, ordinal, revision: keepsCurrent ? current : update };
}

/** Pods beyond the ordinals, highest first; in order, a broken pod elsewhere blocks it. */
function processCondemned(state: StatefulSetState, replicas: Replicas, monotonic: boolean): Decision {
  const start = state.statefulSet.spec.ordinals?.start ?? 0;
  const end = start + state.statefulSet.spec.replicas;
  const condemned = state.pods
    .filter((pod) => ordinalOf(pod) >= 0 && (ordinalOf(pod) < start || ordinalOf(pod) >= end))
    .sort((a, b) => ordinalOf(b) - ordinalOf(a));
  if (!monotonic) {
    const leaving = condemned.filter((pod) => !isTerminating(pod));
    return {
      actions: leaving.map((pod) => ({ kind: 'delete', pod, because: 'scale-down' })),
      waitsFor: undefined,
    };
  }
  const target = condemned[0];
  if (target === undefined) return nothing;
  if (isTerminating(target)) return { actions: [], waitsFor: { pod: target, until: 'terminated' } };
  const kept = replicas.present.map(([, pod]) => pod);
  const firstBroken = [...kept, ...[...condemned].reverse()].find((pod) => isUnavailable(state, pod));
  const until = unsettled(state, target);
  if (until !== undefined && target !== firstBroken) {
    return { actions: [], waitsFor: { pod: firstBroken ?? target, until } };
  }
  return { actions: [{ kind: 'delete', pod: target, because: 'scale-down' }], waitsFor: undefined };
}

/** The highest ordinal of an old revision, once all above it are available. */
function updateOne(state: StatefulSetState, replicas: Replicas, { update }: StatefulSetRevisions): Decision {
  const partition = partitionOf(state.statefulSet);
  for (let index = replicas.count - 1; index >= partition; index -= 1) {
    const pod = replicas.at(index);
    if (pod === undefined) return nothing;
    if (podRevisionName(pod) !== update && !isTerminating(pod)) {
      return { actions: [{ kind: 'delete', pod, because: 'update' }], waitsFor: undefined };
    }
    if (isUnavailable(state, pod)) return { actions: [], waitsFor: { pod, until: waitOf(state, pod) } };
  }
  return nothing;
}

/** As many old pods, highest ordinals first, as maxUnavailable leaves beside those that are not available. */
function updateSeveral(
  state: StatefulSetState,
  replicas: Replicas,
  { update }: StatefulSetRevisions,
): Decision {
  const unavailable = replicas.present.filter(([, pod]) => isUnavailable(state, pod));
  const missing = replicas.count - replicas.present.length;
  const allowed = unavailableBudget(state.statefulSet) - unavailable.length - missing;
  if (allowed <= 0) return { actions: [], waitsFor: waitForFirst(state, unavailable) };
  return { actions: deletions(outdated(state, replicas, update).slice(0, allowed)), waitsFor: undefined };
}

/** All old pods that are not available, whatever the budget; of the others as many as it leaves. */
function updateUnavailableFirst(
  state: StatefulSetState,
  replicas: Replicas,
  { update }: StatefulSetRevisions,
): Decision {
  const unavailable = replicas.present.filter(([, pod]) => isUnavailable(state, pod));
  const missing = replicas.count - replicas.present.length;
  const allowed = Math.max(0, unavailableBudget(state.statefulSet) - unavailable.length - missing);
  const old = outdated(state, replicas, update);
  const actions = deletions([
    ...old.filter((pod) => isUnavailable(state, pod)),
    ...old.filter((pod) => !isUnavailable(state, pod)).slice(0, allowed),
  ]);
  return { actions, waitsFor: actions.length > 0 ? undefined : waitForFirst(state, unavailable) };
}

/** Pods of other revisions from the partition on that are not terminating, highest ordinal first. */
function outdated(state: StatefulSetState, replicas: Replicas, update: string): readonly Pod[] {
  const partition = partitionOf(state.statefulSet);
  return replicas.present
    .filter(([index, pod]) => index >= partition && podRevisionName(pod) !== update && !isTerminating(pod))
    .map(([, pod]) => pod)
    .reverse();
}

function deletions(pods: readonly Pod[]): readonly StatefulSetAction[] {
  return pods.map((pod) => ({ kind: 'delete', pod, because: 'update' }));
}

function waitForFirst(
  state: StatefulSetState,
  unavailable: Replicas['present'],
): StatefulSetSync['waitsFor'] {
  const first = unavailable[0]?.[1];
  return first && { pod: first, until: waitOf(state, first) };
}

function waitOf(state: StatefulSetState, pod: Pod): 'terminated' | 'ready' | 'available' {
  return unsettled(state, pod) ?? 'available';
}

function partitionOf({ spec }: StatefulSet): number {
  return spec.updateStrategy.rollingUpdate?.partition ?? 0;
}

function isUnavailable({ statefulSet, now }: StatefulSetState, pod: Pod): boolean {
  return isTerminating(pod) || !isAvailable(pod, statefulSet.spec.minReadySeconds, now);
}

/** The number after the last dash of a pod's name; -1 without one. */
export function ordinalOf(pod: Pod): number {
  const digits = /-(\d+)$/.exec(pod.metadata.name)?.[1];
  const ordinal = digits === undefined ? -1 : Number(digits);
  return ordinal <= 2_147_483_647 ? ordinal : -1;
}

/** Counts over all pods, and the end of an update (`updateStatus`, `completeUpdate`). */
function statefulSetStatus(
  { statefulSet, pods, now }: StatefulSetState,
  { current, update }: StatefulSetRevisions,
): StatefulSet['status'] {
  const { replicas, minReadySeconds, updateStrategy } = statefulSet.spec;
  const members = pods.filter((pod) => ordinalOf(pod) >= 0);
  const ready = members.filter((pod) => pod.status.phase === 'Running' && isReady(pod));
  const staying = members.filter((pod) => !isTerminating(pod));
  const ofRevision = (name: string) => staying.filter((pod) => podRevisionName(pod) === name).length;
  const counts = {
    ...statefulSet.status,
    observedGeneration: statefulSet.metadata.generation ?? 0,
    replicas: members.length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isAvailable(pod, minReadySeconds, now)).length,
    currentReplicas: ofRevision(current),
    updatedReplicas: ofRevision(update),
    currentRevision: current,
    updateRevision: update,
  };
  const isDone =
    updateStrategy.type !== 'OnDelete' &&
    [counts.updatedReplicas, counts.readyReplicas, counts.replicas].every((count) => count === replicas);
  return isDone ? { ...counts, currentReplicas: counts.updatedReplicas, currentRevision: update } : counts;
}
