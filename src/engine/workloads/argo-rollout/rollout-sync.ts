import { type BlueGreen, type Rollout, rolloutHashLabel } from '../../objects/argo-rollout.js';
import type { Pod } from '../../objects/pod.js';
import type { ReplicaSet } from '../../objects/workload.js';
import { apiTime } from '../creation-order.js';
import type { ArgoRolloutState } from '../rollout-state.js';
import type { PauseDecisions, RolloutStatus, Synced } from './canary-sync.js';
import {
  baseStatus,
  hasNewTemplate,
  persisted,
  removeExpired,
  resetStatus,
  restartPods,
  syncCanary,
} from './canary-sync.js';
import { newSize, scaleForBlueGreen, scaleForCanary } from './main-replica-sets.js';
import {
  availableOf,
  createWrites,
  delaysScaleDownOnAbort,
  desiredReplicasAnnotation,
  hasDeadline,
  isFullyPromoted,
  isHalted,
  isRollbackWithinWindow,
  type Reconciliation,
  revisionAnnotation,
} from './reconciliation.js';
import { hashOf, type ReplicaSetRoles, rolesOf } from './replica-set-roles.js';

/** The state after one reconciliation. */
interface RolloutSync {
  readonly state: ArgoRolloutState;
  readonly evicted: readonly Pod[];
  /**
   * A ReplicaSet was made, resized or removed, a Service switched, a pod evicted, or the status is another
   * one.
   */
  readonly hasActed: boolean;
}

/**
 * One reconciliation of the Argo Rollouts controller over the objects as they are (argo-rollouts
 * `rollout/context.go: reconcile`). Not simulated: analyses, experiments and plugins, conditions, hash
 * collisions, ping-pong services, the verification of load balancers, and the Deployment that a `workloadRef`
 * scales down.
 */
export function syncArgoRollout(start: ArgoRolloutState): RolloutSync {
  const { rollout } = start;
  if (rollout.metadata.deletionTimestamp !== undefined) return { state: start, evicted: [], hasActed: false };
  const state = withRevision(withNewReplicaSet(start));
  const roles = rolesOf(rollout, state.replicaSets);
  const isAborted = rollout.status.abort && !isFullyPromoted(rollout);
  const writes = createWrites(state, delaysScaleDownOnAbort({ rollout, roles, isAborted }));
  const seen: Reconciliation = {
    state,
    rollout,
    roles,
    writes,
    isAborted,
    weights: rollout.status.canary.weights,
  };
  const { status, evicted } = reconcile(seen);
  const next = writes.applied({ ...state, rollout: { ...rollout, status } });
  const hasActed =
    state.replicaSets !== start.replicaSets ||
    writes.hasChanges() ||
    evicted.length > 0 ||
    JSON.stringify(status) !== JSON.stringify(rollout.status);
  return { state: next, evicted, hasActed };
}

function reconcile(seen: Reconciliation): Synced {
  const { blueGreen } = seen.rollout.spec.strategy;
  if (isScalingEvent(seen)) return syncReplicasOnly(seen);
  return blueGreen === undefined ? syncCanary(seen) : syncBlueGreen(seen, blueGreen);
}

/** New or stable was last sized for another `spec.replicas` (`sync.go: isScalingEvent`). */
function isScalingEvent({ rollout, roles }: Reconciliation): boolean {
  return [roles.newReplicaSet, roles.stableReplicaSet].some((replicaSet) => {
    if (replicaSet === undefined || replicaSet.spec.replicas === 0) return false;
    const desired = Number(replicaSet.metadata.annotations[desiredReplicasAnnotation] ?? Number.NaN);
    return Number.isInteger(desired) && desired !== rollout.spec.replicas;
  });
}

/** Sizes without progress through the steps (`sync.go: syncReplicasOnly`). */
function syncReplicasOnly(seen: Reconciliation): Synced {
  const { state, rollout } = seen;
  const { status } = rollout;
  const { blueGreen } = rollout.spec.strategy;
  if (blueGreen === undefined) scaleForCanary(seen);
  else {
    scaleForBlueGreen(seen);
    removeExpired(seen);
  }
  const { activeSelector } = status.blueGreen;
  const active =
    blueGreen === undefined || activeSelector === ''
      ? undefined
      : state.replicaSets.find((each) => hashOf(each) === activeSelector);
  const counted = active === undefined ? state.replicaSets : [active];
  const counts = {
    availableReplicas: availableOf(counted),
    HPAReplicas: counted.reduce((sum, replicaSet) => sum + replicaSet.status.replicas, 0),
  };
  const decisions = status.abort && !seen.isAborted ? { endsAbort: true } : {};
  const written = persisted(state, { ...status, ...counts }, decisions);
  // The status is a copy of the former one, so pauses that no decision concerns stay as they are.
  return { status: { ...written, controllerPause: status.controllerPause }, evicted: [] };
}

/** The ReplicaSet of the template is made without replicas (`sync.go: createDesiredReplicaSet`). */
function withNewReplicaSet(state: ArgoRolloutState): ArgoRolloutState {
  const { rollout, replicaSets, now } = state;
  if (rolesOf(rollout, replicaSets).newReplicaSet !== undefined) return state;
  const names = new Set(replicaSets.map(({ metadata }) => metadata.name));
  let number = 1;
  while (names.has(nextName(rollout, number))) number += 1;
  return { ...state, replicaSets: [...replicaSets, unbornReplicaSet(rollout, number, now)] };
}

const nextName = ({ metadata }: Rollout, number: number): string => `${metadata.name}-next-${number}`;

function unbornReplicaSet(rollout: Rollout, number: number, now: number): ReplicaSet {
  const { metadata, spec } = rollout;
  const hash = `next-${number}`;
  const labels = { ...spec.template.metadata.labels, [rolloutHashLabel]: hash };
  return {
    kind: 'ReplicaSet',
    metadata: {
      ...metadata,
      name: nextName(rollout, number),
      uid: `simulated:${metadata.uid}:${hash}`,
      generation: 1,
      creationTimestamp: apiTime(now),
      labels,
      annotations: { [desiredReplicasAnnotation]: String(spec.replicas) },
      ownerReferences: [
        {
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'Rollout',
          name: metadata.name,
          uid: metadata.uid,
          controller: true,
        },
      ],
      managedFields: [],
    },
    spec: {
      replicas: 0,
      minReadySeconds: spec.minReadySeconds,
      selector: { ...spec.selector, matchLabels: { ...spec.selector.matchLabels, [rolloutHashLabel]: hash } },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
    status: {
      observedGeneration: 1,
      replicas: 0,
      fullyLabeledReplicas: 0,
      readyReplicas: 0,
      availableReplicas: 0,
      terminatingReplicas: 0,
      conditions: [],
    },
  };
}

/**
 * The new ReplicaSet has the highest revision, and the Rollout's minReadySeconds (`syncReplicaSetRevision`).
 */
function withRevision(state: ArgoRolloutState): ArgoRolloutState {
  const { rollout, replicaSets } = state;
  const { newReplicaSet }: ReplicaSetRoles = rolesOf(rollout, replicaSets);
  if (newReplicaSet === undefined) return state;
  const revision = (replicaSet: ReplicaSet): number =>
    Number(replicaSet.metadata.annotations[revisionAnnotation] ?? 0) || 0;
  const highest = replicaSets.reduce(
    (max, each) => (each === newReplicaSet ? max : Math.max(max, revision(each))),
    0,
  );
  const { minReadySeconds } = rollout.spec;
  const isCurrent =
    revision(newReplicaSet) > highest && newReplicaSet.spec.minReadySeconds === minReadySeconds;
  if (isCurrent) return state;
  const { metadata, spec } = newReplicaSet;
  const annotations = {
    ...metadata.annotations,
    [revisionAnnotation]: String(Math.max(revision(newReplicaSet), highest + 1)),
  };
  const updated = {
    ...newReplicaSet,
    metadata: { ...metadata, annotations },
    spec: { ...spec, minReadySeconds },
  };
  return { ...state, replicaSets: replicaSets.map((each) => (each === newReplicaSet ? updated : each)) };
}

/**
 * True when the next reconciliation changes a ReplicaSet or a Service, evicts pods, or takes the update
 * further. Counts in the status do not matter.
 */
export function progresses(state: ArgoRolloutState): boolean {
  const { state: next, evicted, hasActed } = syncArgoRollout(state);
  if (!hasActed) return false;
  const progressOf = ({ replicaSets, services, rollout: { status } }: ArgoRolloutState): string =>
    JSON.stringify([
      replicaSets.map(({ metadata, spec }) => [metadata.name, metadata.annotations, spec.replicas]),
      services,
      [status.currentStepIndex, status.stableRS, status.currentPodHash, status.abort, status.promoteFull],
      [status.controllerPause, status.pauseConditions, status.canary.weights, status.restartedAt],
      [status.blueGreen.activeSelector, status.blueGreen.scaleUpPreviewCheckPoint],
    ]);
  return evicted.length > 0 || progressOf(next) !== progressOf(state);
}

/** One reconciliation of a blue-green Rollout (`rollout/bluegreen.go: rolloutBlueGreen`). */
function syncBlueGreen(seen: Reconciliation, strategy: BlueGreen): Synced {
  const { state, rollout, roles, writes } = seen;
  const hash = hashOf(roles.newReplicaSet);
  if (strategy.previewService !== '' && !isHalted(rollout))
    writes.switchService(strategy.previewService, hash);
  if (hasNewTemplate(rollout, roles)) return { status: statusOf(seen, strategy, {}), evicted: [] };
  const restart = restartPods(state);
  scaleForBlueGreen(seen);
  removeExpired(seen);
  const pauses = pauseDecisions(seen, strategy);
  switchActive(seen, strategy, pauses);
  const status = statusOf(seen, strategy, pauses);
  const restartedAt = restart.isDone ? rollout.spec.restartAt : status.restartedAt;
  return { status: { ...status, restartedAt }, evicted: restart.evicted };
}

/** As many pods as the preview or the active revision is to have, all of them available (`ReadyForPause`). */
function isReadyForPause(seen: Reconciliation): boolean {
  const size = newSize(seen);
  const { newReplicaSet } = seen.roles;
  return newReplicaSet?.spec.replicas === size && availableOf([newReplicaSet]) === size;
}

/** The update needs no pause any more (`isBlueGreenFastTracked`). */
function isFastTracked({ rollout, roles, writes }: Reconciliation, { activeService }: BlueGreen): boolean {
  const active = writes.serviceOf(activeService)?.hash ?? '';
  return (
    hasDeadline(roles.newReplicaSet) ||
    rollout.status.promoteFull ||
    active === '' ||
    active === hashOf(roles.newReplicaSet)
  );
}

/** `bluegreen.go: reconcileBlueGreenPause`. Analyses before the promotion are taken to be unfinished. */
function pauseDecisions(seen: Reconciliation, strategy: BlueGreen): PauseDecisions {
  const { rollout } = seen;
  const { status } = rollout;
  if (status.abort || !isReadyForPause(seen) || isHalted(rollout)) return {};
  const needsPause = !strategy.autoPromotionEnabled || strategy.autoPromotionSeconds > 0;
  if (isFastTracked(seen, strategy) || status.blueGreen.scaleUpPreviewCheckPoint || !needsPause) {
    return { removes: 'BlueGreenPause' };
  }
  if (strategy.prePromotionAnalysis !== undefined) return {};
  if (pauseOf(rollout) === undefined) return status.controllerPause ? {} : { adds: 'BlueGreenPause' };
  return hasPaused(seen, strategy, {}) ? { removes: 'BlueGreenPause' } : {};
}

function pauseOf({ status }: Rollout): Rollout['status']['pauseConditions'][number] | undefined {
  return status.pauseConditions.find(({ reason }) => reason === 'BlueGreenPause');
}

/** The pause is over, by a person or by its time (`pause.go: CompletedBlueGreenPause`). */
function hasPaused(
  { state, rollout }: Reconciliation,
  strategy: BlueGreen,
  { adds }: PauseDecisions,
): boolean {
  const { status } = rollout;
  if (adds !== undefined) return false;
  if (status.blueGreen.scaleUpPreviewCheckPoint) return true;
  const pause = pauseOf(rollout);
  if (!strategy.autoPromotionEnabled) return status.controllerPause && pause === undefined;
  if (strategy.autoPromotionSeconds === 0) return true;
  if (pause?.startTime === undefined) return false;
  return state.now > Date.parse(pause.startTime) + strategy.autoPromotionSeconds * 1_000;
}

/** `service.go: reconcileActiveService`. */
function switchActive(seen: Reconciliation, strategy: BlueGreen, pauses: PauseDecisions): void {
  const { rollout, roles, writes } = seen;
  if (isHalted(rollout) || !isReadyForPause(seen) || !isSaturated(rollout, roles.newReplicaSet)) return;
  const hash = hashOf(roles.newReplicaSet);
  const isDone = hasPaused(seen, strategy, pauses) && strategy.prePromotionAnalysis === undefined;
  const present = writes.serviceOf(strategy.activeService)?.hash ?? '';
  const wanted = isFastTracked(seen, strategy) || isDone ? hash : present;
  writes.switchService(strategy.activeService, rollout.status.abort ? rollout.status.stableRS : wanted);
}

/** It has all replicas, and they are available (`annotations.go: IsSaturated`). */
function isSaturated({ spec }: Rollout, replicaSet: ReplicaSet | undefined): boolean {
  return (
    replicaSet !== undefined &&
    replicaSet.spec.replicas === spec.replicas &&
    Number(replicaSet.metadata.annotations[desiredReplicasAnnotation] ?? Number.NaN) === spec.replicas &&
    replicaSet.status.availableReplicas === spec.replicas
  );
}

/** `bluegreen.go: syncRolloutStatusBlueGreen`. */
function statusOf(seen: Reconciliation, strategy: BlueGreen, pauses: PauseDecisions): RolloutStatus {
  const { state, rollout, roles, writes } = seen;
  const isNew = hasNewTemplate(rollout, roles);
  const isFast = rollout.status.promoteFull || isRollbackWithinWindow(rollout, roles, state.replicaSets);
  const base = baseStatus(state, roles);
  const begun = isNew ? resetStatus(base, rollout) : base;
  const endsAbort = isNew || isFast || !seen.isAborted;
  const activeSelector = writes.serviceOf(strategy.activeService)?.hash ?? '';
  const previewSelector = writes.serviceOf(strategy.previewService)?.hash ?? '';
  const decided = { ...pauses, ...(isNew || isFast ? { clears: true } : {}), endsAbort };
  const isPromoted = promotes(seen, strategy, activeSelector, rollout.status.abort && !endsAbort, isFast);
  const status: RolloutStatus = {
    ...begun,
    currentStepIndex: undefined,
    ...(isPromoted ? { promoteFull: false, stableRS: base.currentPodHash } : {}),
    blueGreen: {
      ...base.blueGreen,
      activeSelector,
      previewSelector,
      scaleUpPreviewCheckPoint: !isPromoted && passesCheckPoint(seen, strategy, pauses),
    },
  };
  const active = state.replicaSets.find((each) => activeSelector !== '' && hashOf(each) === activeSelector);
  const counted =
    active === undefined
      ? status
      : {
          ...status,
          HPAReplicas: active.status.replicas,
          availableReplicas: active.status.availableReplicas,
          readyReplicas: active.status.readyReplicas,
        };
  return persisted(state, counted, isPromoted ? { clears: true, endsAbort: true } : decided);
}

/** The active revision becomes the stable one (`sync.go: shouldFullPromote`). */
function promotes(
  { rollout, roles }: Reconciliation,
  strategy: BlueGreen,
  activeSelector: string,
  isAborted: boolean,
  isFast: boolean,
): boolean {
  if (roles.stableReplicaSet === undefined || activeSelector === '') return true;
  if (activeSelector !== hashOf(roles.newReplicaSet)) return false;
  if (rollout.status.promoteFull || isFast) return true;
  if (isAborted) return false;
  return strategy.postPromotionAnalysis === undefined || hasDeadline(roles.newReplicaSet);
}

/** `bluegreen.go: calculateScaleUpPreviewCheckPoint`. */
function passesCheckPoint(seen: Reconciliation, strategy: BlueGreen, pauses: PauseDecisions): boolean {
  const { rollout, roles } = seen;
  if (strategy.previewReplicaCount === undefined) return false;
  if (rollout.status.blueGreen.scaleUpPreviewCheckPoint) return true;
  if (strategy.prePromotionAnalysis !== undefined || !hasPaused(seen, strategy, pauses)) return false;
  return availableOf([roles.newReplicaSet]) === strategy.previewReplicaCount;
}
