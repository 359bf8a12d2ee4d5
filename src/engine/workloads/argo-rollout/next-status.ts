import type { CanaryStep, Rollout } from '../../objects/argo-rollout.js';
import { apiTime } from '../creation-order.js';
import type { ArgoRolloutState } from '../rollout-state.js';
import { isOpaque } from './canary-steps.js';
import { hashOf, type ReplicaSetRoles } from './replica-set-roles.js';

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
export function hasNewSteps(rollout: Rollout): boolean {
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
