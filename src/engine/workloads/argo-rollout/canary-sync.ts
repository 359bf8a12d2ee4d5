import type { CanaryStep, Rollout, TrafficWeights } from '../../objects/argo-rollout.js';
import { controllerOf } from '../../objects/metadata.js';
import { isAvailable, isTerminating, type Pod } from '../../objects/pod.js';
import type { ReplicaSet } from '../../objects/workload.js';
import { apiTime, byCreation, epochOf } from '../creation-order.js';
import type { ArgoRolloutState } from '../rollout-state.js';
import {
  canaryBounds,
  currentSetWeight,
  currentStepOf,
  isOpaque,
  maxWeightOf,
  pauseSeconds,
} from './canary-steps.js';
import {
  basicCanarySizes,
  desiredCanaryWeight,
  routedCanarySizes,
  scaleForCanary,
  total,
} from './main-replica-sets.js';
import {
  availableOf,
  isFullyPromoted,
  isRollbackWithinWindow,
  isThresholdMet,
  type Reconciliation,
  rollsBackDynamically,
} from './reconciliation.js';
import { hashOf, type ReplicaSetRoles, rolesOf } from './replica-set-roles.js';

/**
 * Points the Service at the ReplicaSet. A Service that the controller has not taken over yet waits until all
 * of its pods are available, others until one is (`service.go: ensureSVCTargets`).
 */
function switchServiceTo(
  { writes }: Pick<Seen, 'writes'>,
  name: string,
  replicaSet: ReplicaSet | undefined,
  waitsForPods: boolean,
): void {
  const service = writes.serviceOf(name);
  if (replicaSet === undefined || name === '' || service === undefined) return;
  const hash = hashOf(replicaSet);
  if (service.hash === hash) return;
  const { availableReplicas } = replicaSet.status;
  const { replicas } = replicaSet.spec;
  if (waitsForPods && availableReplicas === 0) return;
  if (waitsForPods && !service.isManaged && availableReplicas < replicas) return;
  writes.switchService(name, hash);
}

/** `service.go: reconcileStableAndCanaryService`. */
function switchCanaryServices(seen: Pick<Seen, 'rollout' | 'roles' | 'writes' | 'isAborted'>): void {
  const { rollout, roles, isAborted } = seen;
  const { canary } = rollout.spec.strategy;
  if (canary === undefined) return;
  switchServiceTo(seen, canary.stableService, roles.stableReplicaSet, true);
  if (isAborted && canary.trafficRouting === undefined) {
    switchServiceTo(seen, canary.canaryService, roles.stableReplicaSet, true);
    return;
  }
  if (isFullyPromoted(rollout) && rollsBackDynamically(rollout, roles.newReplicaSet) !== undefined) return;
  switchServiceTo(seen, canary.canaryService, roles.newReplicaSet, true);
}

export type RolloutStatus = Rollout['status'];

/** What a reconciliation decides about pauses and an abort (`pause.go: pauseContext`). */
export interface PauseDecisions {
  readonly adds?: string;
  readonly removes?: string;
  readonly clears?: boolean;
  readonly endsAbort?: boolean;
}

/**
 * The counts that every status begins with; pauses and abort are added last (`sync.go: calculateBaseStatus`).
 */
export function baseStatus(
  { rollout, replicaSets }: ArgoRolloutState,
  roles: ReplicaSetRoles,
): RolloutStatus {
  const { status } = rollout;
  const sum = (of: (counts: ArgoRolloutState['replicaSets'][number]['status']) => number): number =>
    replicaSets.reduce((total, replicaSet) => total + of(replicaSet.status), 0);
  return {
    ...status,
    currentPodHash: hashOf(roles.newReplicaSet),
    replicas: sum(({ replicas }) => replicas),
    updatedReplicas: roles.newReplicaSet?.status.replicas ?? 0,
    readyReplicas: sum(({ readyReplicas }) => readyReplicas),
    availableReplicas: sum(({ availableReplicas }) => availableReplicas),
    HPAReplicas: sum(({ replicas }) => replicas),
  };
}

/** The status as if an update began (`sync.go: resetRolloutStatus`). */
export function resetStatus(status: RolloutStatus, { spec }: Rollout): RolloutStatus {
  return {
    ...status,
    promoteFull: false,
    currentStepIndex: (spec.strategy.canary?.steps.length ?? 0) > 0 ? 0 : undefined,
    restartedAt: spec.restartAt,
    canary: { ...status.canary, currentStepAnalysisRunStatus: undefined },
    blueGreen: { ...status.blueGreen, scaleUpPreviewCheckPoint: false },
  };
}

/**
 * The template or the steps differ from those that the status was written for (`PodTemplateOrStepsChanged`).
 */
function hasNewSteps(rollout: Rollout): boolean {
  const { currentStepHash } = rollout.status;
  if (currentStepHash === '') return true;
  const hash = stepHashOf(rollout);
  return hash !== undefined && hash !== currentStepHash;
}

/** `replicaset.go: CheckPodSpecChange`. */
export function hasNewTemplate({ status }: Rollout, { newReplicaSet }: ReplicaSetRoles): boolean {
  return status.currentPodHash !== '' && status.currentPodHash !== hashOf(newReplicaSet);
}

/**
 * The status as it is written: with pauses, abort and the generation that was seen (`persistRolloutStatus`).
 */
export function persisted(
  { rollout, now }: ArgoRolloutState,
  status: RolloutStatus,
  decisions: PauseDecisions,
): RolloutStatus {
  const { metadata, spec } = rollout;
  return {
    ...status,
    ...pausesAfter(rollout.status, decisions, now),
    observedGeneration: String(metadata.generation ?? 0),
    workloadObservedGeneration:
      spec.workloadRef === undefined
        ? ''
        : (metadata.annotations['rollout.argoproj.io/workload-generation'] ?? ''),
  };
}

/** `pause.go: CalculatePauseStatus`. */
function pausesAfter(
  former: RolloutStatus,
  { adds, removes, clears = false, endsAbort = false }: PauseDecisions,
  now: number,
): Pick<RolloutStatus, 'abort' | 'controllerPause' | 'pauseConditions'> {
  const none = { controllerPause: false, pauseConditions: [] };
  if (former.abort && !endsAbort) return { abort: true, ...none };
  if (clears) return { abort: false, ...none };
  const kept = former.pauseConditions.filter(({ reason }) => reason !== removes);
  const isNew = adds !== undefined && former.pauseConditions.every(({ reason }) => reason !== adds);
  const added = isNew ? [{ reason: adds, startTime: apiTime(now) }] : [];
  const pauseConditions = [...kept, ...added];
  if (pauseConditions.length === 0) return { abort: false, ...none };
  return { abort: false, controllerPause: former.controllerPause || isNew, pauseConditions };
}

/** `k8s.io/apimachinery/pkg/util/rand: alphanums`. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * The hash by which the controller notices that the steps changed: FNV-1a of their JSON in the order of its
 * fields (`utils/conditions/conditions.go: ComputeStepHash`). `undefined` where a step has fields that are
 * not modelled.
 */
export function stepHashOf({ spec }: Rollout): string | undefined {
  const { canary } = spec.strategy;
  if (canary === undefined) return '';
  if (canary.steps.some(isUnknown)) return undefined;
  const steps = canary.steps.map(encoded);
  return safeText(String(fnv1a(steps.length === 0 ? 'null' : JSON.stringify(steps))));
}

function isUnknown(step: CanaryStep): boolean {
  return isOpaque(step) || step.setHeaderRoute !== undefined || step.setMirrorRoute !== undefined;
}

/** Keys in the order of `types.go: CanaryStep`; absent ones are left out. */
function encoded({ setWeight, pause, setCanaryScale }: CanaryStep): object {
  const scale = setCanaryScale && {
    weight: setCanaryScale.weight,
    replicas: setCanaryScale.replicas,
    ...(setCanaryScale.matchTrafficWeight ? { matchTrafficWeight: true } : {}),
  };
  return { setWeight, pause: pause && { duration: pause.duration }, setCanaryScale: scale };
}

function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

function safeText(digits: string): string {
  return [...digits].map((digit) => letters[digit.charCodeAt(0) % letters.length]).join('');
}

/** One reconciliation of a canary (`rollout/canary.go: rolloutCanary`). */
export function syncCanary(seen: Reconciliation): Synced {
  const { state, rollout, roles } = seen;
  if (hasNewSteps(rollout) || hasNewTemplate(rollout, roles))
    return { status: statusAfterChange(seen), evicted: [] };
  const restart = restartPods(state);
  if (restart.evicted.length > 0) return { status: rollout.status, evicted: restart.evicted };
  removeExpired(seen);
  switchCanaryServices(seen);
  const routed: Reconciliation = { ...seen, weights: routeTraffic(seen) };
  const hasScaled = scaleForCanary(routed);
  const pauses = hasScaled ? {} : pauseDecisions(routed);
  const status = statusOf(routed, pauses);
  const restartedAt = restart.isDone ? rollout.spec.restartAt : status.restartedAt;
  return { status: { ...status, restartedAt }, evicted: [] };
}

/** The status right after the template or the steps changed; nothing is scaled in this reconciliation. */
function statusAfterChange({ state, rollout, roles }: Reconciliation): RolloutStatus {
  const { status } = rollout;
  const { newReplicaSet } = roles;
  const steps = rollout.spec.strategy.canary?.steps.length ?? 0;
  const reset = resetStatus(baseStatus(state, roles), rollout);
  const isBack = newReplicaSet !== undefined && status.stableRS === hashOf(newReplicaSet);
  const isBackWithinWindow =
    (newReplicaSet?.spec.replicas ?? 0) > 0 && isRollbackWithinWindow(rollout, roles, state.replicaSets);
  const currentStepIndex = steps > 0 && (isBack || isBackWithinWindow) ? steps : reset.currentStepIndex;
  const currentStepHash = stepHashOf(rollout) ?? status.currentStepHash;
  return persisted(state, { ...reset, currentStepIndex, currentStepHash }, { clears: true, endsAbort: true });
}

/** `canary.go: reconcileCanaryPause`. */
function pauseDecisions({ rollout }: Reconciliation): PauseDecisions {
  const { spec, status } = rollout;
  const step = currentStepOf(rollout)?.step;
  if (spec.paused || status.promoteFull || step?.pause === undefined) return {};
  const isPaused = status.pauseConditions.some(({ reason }) => reason === 'CanaryPauseStep');
  return isPaused || status.controllerPause ? {} : { adds: 'CanaryPauseStep' };
}

/** `canary.go: syncRolloutStatusCanary`. */
function statusOf(seen: Reconciliation, pauses: PauseDecisions): RolloutStatus {
  const { state, rollout, roles } = seen;
  const steps = rollout.spec.strategy.canary?.steps.length ?? 0;
  const base: RolloutStatus = {
    ...baseStatus(state, roles),
    currentStepHash: stepHashOf(rollout) ?? rollout.status.currentStepHash,
    canary: { ...rollout.status.canary, weights: seen.weights },
  };
  const isFast = rollout.status.promoteFull || isRollbackWithinWindow(rollout, roles, state.replicaSets);
  const decided: PauseDecisions = {
    ...pauses,
    ...(isFast ? { clears: true, endsAbort: true } : {}),
    ...(rollout.status.abort && !seen.isAborted ? { endsAbort: true } : {}),
  };
  const isAborted = seen.isAborted && !isFast;
  const index = isFast && steps > 0 ? steps : currentStepOf(rollout)?.index;
  if (isPromoted(seen, isAborted)) {
    return persisted(
      state,
      {
        ...base,
        promoteFull: false,
        stableRS: base.currentPodHash,
        currentStepIndex: steps > 0 ? steps : undefined,
        blueGreen: { ...base.blueGreen, scaleUpPreviewCheckPoint: false },
      },
      { clears: true, endsAbort: true },
    );
  }
  if (isAborted) {
    const atEnd = base.stableRS === base.currentPodHash ? steps : 0;
    return persisted(state, { ...base, currentStepIndex: steps > 0 ? atEnd : undefined }, decided);
  }
  if (completesStep(seen)) {
    return persisted(
      state,
      { ...base, currentStepIndex: (index ?? 0) + 1 },
      { ...decided, removes: 'CanaryPauseStep' },
    );
  }
  return persisted(state, { ...base, currentStepIndex: index }, decided);
}

/** The new revision becomes the stable one (`sync.go: shouldFullPromote`). */
function isPromoted({ state, rollout, roles }: Reconciliation, isAborted: boolean): boolean {
  const { newReplicaSet, stableReplicaSet } = roles;
  if (stableReplicaSet === undefined) return true;
  const { replicas, strategy } = rollout.spec;
  if (isAborted || newReplicaSet === undefined) return false;
  const isEnough =
    availableOf([newReplicaSet]) >= replicas ||
    isThresholdMet(strategy.canary?.replicaProgressThreshold, newReplicaSet, replicas);
  if (!isEnough) return false;
  if (rollout.status.promoteFull || isRollbackWithinWindow(rollout, roles, state.replicaSets)) return true;
  const steps = strategy.canary?.steps.length ?? 0;
  return steps === 0 || currentStepOf(rollout)?.index === steps;
}

type Seen = Pick<Reconciliation, 'state' | 'rollout' | 'roles' | 'writes' | 'isAborted'>;

/**
 * The weights that the controller gives its router; `undefined` without one (`trafficrouting.go:
 * reconcileTrafficRouting`). The router is taken to follow the controller. Experiments get no weight here.
 */
function routeTraffic(seen: Seen): TrafficWeights | undefined {
  const { rollout, roles } = seen;
  const present = rollout.status.canary.weights;
  if (rollout.spec.strategy.canary?.trafficRouting === undefined) return undefined;
  const canaryWeight = desiredWeight(seen);
  const stableWeight = maxWeightOf(rollout) - canaryWeight;
  if (!isEnoughAvailable(rollout, roles.stableReplicaSet, stableWeight)) return present;
  return {
    canary: {
      weight: canaryWeight,
      podTemplateHash: rollsBackDynamically(rollout, roles.newReplicaSet) ?? hashOf(roles.newReplicaSet),
    },
    stable: { weight: stableWeight, podTemplateHash: hashOf(roles.stableReplicaSet) },
  };
}

function desiredWeight(seen: Seen): number {
  const { rollout, roles, isAborted } = seen;
  const { spec, status } = rollout;
  const canary = spec.strategy.canary;
  const available = roles.newReplicaSet?.status.availableReplicas ?? 0;
  if (rollsBackDynamically(rollout, roles.newReplicaSet) !== undefined) return weightOnTheWayBack(seen);
  if (isFullyPromoted(rollout)) return 0;
  if (isAborted) {
    const weight = weightOnTheWayBack(seen);
    if (canary?.dynamicStableScale !== true || weight === 0) {
      switchServiceTo(seen, canary?.canaryService ?? '', roles.stableReplicaSet, false);
    }
    return weight;
  }
  if (available === 0) return 0;
  if (status.promoteFull) {
    if (canary?.dynamicStableScale !== true) return status.canary.weights?.canary.weight ?? 0;
    return Math.trunc((maxWeightOf(rollout) * available) / spec.replicas);
  }
  const current = currentStepOf(rollout);
  if (current === undefined) return 0;
  const steps = canary?.steps ?? [];
  if (!isAtDesiredCounts(rollout, roles, undefined)) {
    const former = steps.slice(0, current.index).filter(({ setWeight }) => setWeight !== undefined);
    return former.at(-1)?.setWeight ?? 0;
  }
  return current.index === steps.length ? maxWeightOf(rollout) : currentSetWeight(rollout);
}

/** After an abort, or back to the stable revision (`calculateDesiredWeightOnAbortOrStableRollback`). */
function weightOnTheWayBack({ rollout, roles }: Seen): number {
  const { newReplicaSet, stableReplicaSet } = roles;
  const { replicas, strategy } = rollout.spec;
  if (strategy.canary?.dynamicStableScale !== true || replicas === 0) return 0;
  if (newReplicaSet === undefined || stableReplicaSet === undefined) return 0;
  const all = maxWeightOf(rollout);
  const desired = desiredCanaryWeight(rollout, roles);
  const stable = Math.trunc((all * stableReplicaSet.status.availableReplicas) / replicas);
  const expected = Math.max(0, all - stable);
  const { weights } = rollout.status.canary;
  if (weights === undefined) return Math.max(expected, desired);
  const present = weights.canary.weight;
  if (desired <= 0) return Math.min(expected, present);
  return stable < all - desired ? present : Math.min(desired, present);
}

/** The stable ReplicaSet can take its part of the traffic (`checkReplicasAvailable`). */
function isEnoughAvailable(rollout: Rollout, replicaSet: ReplicaSet | undefined, weight: number): boolean {
  if (replicaSet === undefined) return false;
  const wanted = Math.trunc((weight * rollout.spec.replicas) / maxWeightOf(rollout));
  const { replicaProgressThreshold } = rollout.spec.strategy.canary ?? {};
  return (
    replicaSet.status.availableReplicas >= wanted ||
    isThresholdMet(replicaProgressThreshold, replicaSet, wanted)
  );
}

/**
 * The pods of a step are there: enough of the new ones available, the stable ones created and, without a
 * router, none of another revision available (`utils/replicaset/canary.go: AtDesiredReplicaCountsForCanary`).
 */
function isAtDesiredCounts(
  rollout: Rollout,
  roles: ReplicaSetRoles,
  weights: TrafficWeights | undefined,
): boolean {
  const { canary } = rollout.spec.strategy;
  const isRouted = canary?.trafficRouting !== undefined;
  const desired = isRouted ? routedCanarySizes(rollout, roles, weights) : basicCanarySizes(rollout, roles);
  if (!isThresholdMet(canary?.replicaProgressThreshold, roles.newReplicaSet, desired.canary)) return false;
  const { stableReplicaSet } = roles;
  const isCreated =
    stableReplicaSet !== undefined &&
    stableReplicaSet.spec.replicas === desired.stable &&
    stableReplicaSet.status.replicas === desired.stable;
  if (!(isRouted && canary.dynamicStableScale) && !isCreated) return false;
  return isRouted || availableOf(roles.others) === 0;
}

/**
 * The current step is done (`canary.go: completedCurrentCanaryStep`). Analyses, experiments and plugins are
 * never done here, because only their own controllers know.
 */
function completesStep({ state, rollout, roles, weights }: Reconciliation): boolean {
  const step = currentStepOf(rollout)?.step;
  if (rollout.spec.paused || step === undefined) return false;
  if (step.pause !== undefined) return completesPause(rollout, pauseSeconds(step), state.now);
  if (step.setCanaryScale !== undefined || step.setWeight !== undefined) {
    return isAtDesiredCounts(rollout, roles, weights);
  }
  return step.setHeaderRoute !== undefined || step.setMirrorRoute !== undefined;
}

/** A person removed the pause, or its time is over (`pause.go: CompletedCanaryPauseStep`). */
function completesPause({ status }: Rollout, seconds: number | undefined, now: number): boolean {
  const pause = status.pauseConditions.find(({ reason }) => reason === 'CanaryPauseStep');
  if (pause === undefined) return status.controllerPause;
  if (seconds === undefined || pause.startTime === undefined) return false;
  return now > Date.parse(pause.startTime) + seconds * 1_000;
}

/** What a reconciliation ends with, beside its writes to ReplicaSets and Services. */
export interface Synced {
  readonly status: RolloutStatus;
  /** Pods that it evicts for `spec.restartAt`. */
  readonly evicted: readonly Pod[];
}

/**
 * Deletes ReplicaSets beyond `revisionHistoryLimit` that are empty and settled, the oldest first
 * (`sync.go: reconcileRevisionHistoryLimit`). One of the oldest that is not empty keeps its place, and is not
 * replaced by a younger.
 */
export function removeExpired({ rollout, roles, writes }: Reconciliation): void {
  const alive = roles.others.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const excess = alive.length - rollout.spec.revisionHistoryLimit;
  if (excess <= 0) return;
  for (const replicaSet of [...alive].sort(byCreation).slice(0, excess)) {
    const { metadata, spec, status } = replicaSet;
    const isSettled = (metadata.generation ?? 0) <= status.observedGeneration;
    if (status.replicas === 0 && spec.replicas === 0 && isSettled) writes.remove(replicaSet);
  }
}

/** Pods that a restart evicts now, and whether every pod is young enough. */
type Restart = { readonly evicted: readonly Pod[]; readonly isDone: boolean };

const nothing: Restart = { evicted: [], isDone: false };

/**
 * Evicts pods that are older than `spec.restartAt`, the stable ones first, as many as may be unavailable and
 * at least one (`restart.go: RolloutPodRestarter.Reconcile`). A PodDisruptionBudget that refuses an eviction
 * is not simulated.
 */
export function restartPods(state: ArgoRolloutState): Restart {
  const { rollout, replicaSets, pods, now } = state;
  const { spec, status } = rollout;
  const at = epochOf(spec.restartAt);
  if (at === undefined || now <= at || epochOf(status.restartedAt) === at) return nothing;
  const { newReplicaSet, stableReplicaSet } = rolesOf(rollout, replicaSets);
  const rank = (uid: string | undefined): number => {
    if (uid === stableReplicaSet?.metadata.uid) return -2;
    if (uid === newReplicaSet?.metadata.uid) return -1;
    return [...replicaSets].sort(byCreation).findIndex(({ metadata }) => metadata.uid === uid);
  };
  const available = pods.filter(
    (pod) => !isTerminating(pod) && isAvailable(pod, spec.minReadySeconds, now),
  ).length;
  const atOnce = Math.max(canaryBounds(rollout).maxUnavailable, 1);
  let mayGo = available - (Math.max(spec.replicas, total(replicaSets)) - atOnce);
  const older = pods
    .filter(({ metadata }) => (epochOf(metadata.creationTimestamp) ?? 0) < at)
    .sort((a, b) => rank(controllerOf(a)?.uid) - rank(controllerOf(b)?.uid));
  const evicted: Pod[] = [];
  for (const pod of older) {
    if (mayGo <= 0 || isTerminating(pod)) continue;
    evicted.push(pod);
    mayGo -= 1;
  }
  return { evicted, isDone: older.length === evicted.length };
}
