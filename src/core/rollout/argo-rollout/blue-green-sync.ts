import type { BlueGreen, Rollout } from '../../cluster/argo-rollout.js';
import type { ReplicaSet } from '../../cluster/workload.js';
import { newSize, scaleForBlueGreen } from './main-replica-sets.js';
import {
  baseStatus,
  hasNewTemplate,
  type PauseDecisions,
  persisted,
  type RolloutStatus,
  resetStatus,
} from './next-status.js';
import { removeExpired } from './old-replica-sets.js';
import { availableOf, isHalted, isRollbackWithinWindow, type Reconciliation } from './reconciliation.js';
import { hashOf } from './replica-set-roles.js';
import { restartPods } from './restart-pods.js';
import type { Synced } from './synced.js';
import { desiredReplicasAnnotation, hasDeadline } from './writes.js';

/** One reconciliation of a blue-green Rollout (`rollout/bluegreen.go: rolloutBlueGreen`). */
export function syncBlueGreen(seen: Reconciliation, strategy: BlueGreen): Synced {
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
