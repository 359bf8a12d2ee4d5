import type { Canary, Rollout, TrafficWeights } from '../../objects/argo-rollout.js';
import type { ReplicaSet } from '../../objects/workload.js';
import { apiTime, epochOf } from '../creation-order.js';
import type { ArgoRolloutState } from '../rollout-state.js';
import { hashOf, type ReplicaSetRoles } from './replica-set-roles.js';
import type { ServiceTarget } from './service-targets.js';

export const revisionAnnotation = 'rollout.argoproj.io/revision';
export const desiredReplicasAnnotation = 'rollout.argoproj.io/desired-replicas';
export const scaleDownDeadlineAnnotation = 'scale-down-deadline';

/** What one reconciliation writes to ReplicaSets and Services. The status is written last, by its caller. */
interface Writes {
  /** The ReplicaSet with what was written to it so far. */
  readonly written: (replicaSet: ReplicaSet) => ReplicaSet;
  /** True when the size changes. */
  readonly scale: (replicaSet: ReplicaSet, replicas: number) => boolean;
  readonly annotate: (
    replicaSet: ReplicaSet,
    annotations: Readonly<Record<string, string | undefined>>,
  ) => void;
  readonly remove: (replicaSet: ReplicaSet) => void;
  readonly switchService: (name: string, hash: string) => void;
  readonly serviceOf: (name: string) => ServiceTarget | undefined;
  readonly applied: (state: ArgoRolloutState) => ArgoRolloutState;
  /** Whether anything is another after the writes than before. */
  readonly hasChanges: () => boolean;
}

/** @param keepsDeadlines after an abort, a ReplicaSet without replicas keeps its deadline */
export function createWrites({ rollout, services }: ArgoRolloutState, keepsDeadlines: boolean): Writes {
  const changed = new Map<string, ReplicaSet>();
  const removed = new Set<string>();
  const targets = new Map(Object.entries(services));
  const wanted = String(rollout.spec.replicas);

  const written = (replicaSet: ReplicaSet): ReplicaSet => changed.get(replicaSet.metadata.name) ?? replicaSet;
  const put = (replicaSet: ReplicaSet): void => {
    changed.set(replicaSet.metadata.name, replicaSet);
  };
  const annotate: Writes['annotate'] = (replicaSet, annotations) => {
    const present = written(replicaSet);
    const entries = Object.entries({ ...present.metadata.annotations, ...annotations });
    const kept = Object.fromEntries(
      entries.filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    put({ ...present, metadata: { ...present.metadata, annotations: kept } });
  };
  return {
    written,
    annotate,
    scale(replicaSet, replicas) {
      const present = written(replicaSet);
      const { metadata, spec } = present;
      const isOther = spec.replicas !== replicas;
      const needsNote =
        metadata.annotations[desiredReplicasAnnotation] !== wanted ||
        (rollout.spec.replicas === 0 && deadlineOf(present) !== undefined);
      if (!isOther && !needsNote) return false;
      const clears = replicas === 0 && !keepsDeadlines;
      annotate(present, {
        [desiredReplicasAnnotation]: wanted,
        ...(clears ? { [scaleDownDeadlineAnnotation]: undefined } : {}),
      });
      const noted = written(present);
      const generation = (metadata.generation ?? 0) + (isOther ? 1 : 0);
      put({ ...noted, metadata: { ...noted.metadata, generation }, spec: { ...noted.spec, replicas } });
      return isOther;
    },
    remove(replicaSet) {
      removed.add(replicaSet.metadata.name);
    },
    switchService(name, hash) {
      const present = targets.get(name);
      if (present?.hash === hash && present.isManaged) return;
      targets.set(name, { hash, isManaged: true });
    },
    serviceOf: (name) => targets.get(name),
    applied: (state) => ({
      ...state,
      services: Object.fromEntries(targets),
      replicaSets: state.replicaSets
        .filter(({ metadata }) => !removed.has(metadata.name))
        .map((replicaSet) => written(replicaSet)),
    }),
    // After an abort, a Service may be switched to the canary and back in one reconciliation.
    hasChanges: () =>
      changed.size + removed.size > 0 ||
      [...targets].some(([name, target]) => JSON.stringify(target) !== JSON.stringify(services[name])),
  };
}

/** The moment from which a ReplicaSet may be scaled down, in epoch milliseconds; `undefined` without one. */
export function deadlineOf({ metadata }: ReplicaSet): number | undefined {
  return epochOf(metadata.annotations[scaleDownDeadlineAnnotation]);
}

export function hasDeadline(replicaSet: ReplicaSet | undefined): boolean {
  return (replicaSet?.metadata.annotations[scaleDownDeadlineAnnotation] ?? '') !== '';
}

/** The annotation for a deadline so many seconds from `now`. */
export function deadlineIn(seconds: number, now: number): Readonly<Record<string, string>> {
  return { [scaleDownDeadlineAnnotation]: apiTime(now + seconds * 1_000) };
}

/** One reconciliation of a Rollout: what its controller sees, and what it writes. */
export interface Reconciliation {
  readonly state: ArgoRolloutState;
  readonly rollout: Rollout;
  readonly roles: ReplicaSetRoles;
  readonly writes: Writes;
  /** Aborted, and not taken back in this reconciliation (`pause.go: IsAborted`). */
  readonly isAborted: boolean;
  /** The weights that the router has after this reconciliation. */
  readonly weights: TrafficWeights | undefined;
}

/** The stable revision is the one of the template (`rolloututil.go: IsFullyPromoted`). */
export function isFullyPromoted({ status }: Rollout): boolean {
  return status.stableRS === status.currentPodHash;
}

/** The person, or an analysis without a conclusion, stops all scaling (`context.go: haltProgress`). */
export function isHalted({ spec, status }: Rollout): boolean {
  return spec.paused || status.pauseConditions.some(({ reason }) => reason === 'InconclusiveAnalysisRun');
}

/** Available replicas of all of them. */
export function availableOf(replicaSets: readonly (ReplicaSet | undefined)[]): number {
  return replicaSets.reduce((sum, replicaSet) => sum + (replicaSet?.status.availableReplicas ?? 0), 0);
}

/** Enough pods of `replicaSet` are available for a step (`ReplicaProgressThresholdMet`). */
export function isThresholdMet(
  threshold: Canary['replicaProgressThreshold'],
  replicaSet: ReplicaSet | undefined,
  desired: number,
): boolean {
  const available = replicaSet?.status.availableReplicas ?? 0;
  if (threshold === undefined || replicaSet === undefined || threshold.value < 0) {
    return replicaSet !== undefined && desired === replicaSet.spec.replicas && desired === available;
  }
  if (threshold.type !== 'Percentage') return available >= threshold.value;
  if (desired === 0) return true;
  const percent = (available / desired) * 100;
  return percent >= threshold.value || Math.abs(percent - threshold.value) <= 1e-10;
}

/**
 * Back to a revision that is at most so many revisions older than the stable one: steps, pauses and analyses
 * are skipped (`sync.go: isRollbackWithinWindow`).
 */
export function isRollbackWithinWindow(
  { spec }: Rollout,
  { newReplicaSet, stableReplicaSet }: ReplicaSetRoles,
  replicaSets: readonly ReplicaSet[],
): boolean {
  const revisions = spec.rollbackWindow?.revisions ?? 0;
  const created = (replicaSet: ReplicaSet | undefined): number =>
    epochOf(replicaSet?.metadata.creationTimestamp) ?? 0;
  const from = created(newReplicaSet);
  const to = created(stableReplicaSet);
  if (newReplicaSet === undefined || stableReplicaSet === undefined) return false;
  if (revisions <= 0 || from >= to) return false;
  const between = replicaSets.filter(
    (each) =>
      (each.metadata.annotations['rollout.argoproj.io/experiment-name'] ?? '') === '' &&
      created(each) < to &&
      from < created(each),
  );
  return between.length < revisions;
}

/**
 * With `dynamicStableScale`, a rollout that went back to the stable revision before its pods are all
 * available: the hash that the router still gives traffic to
 * (`rolloututil.go: IsDynamicallyRollingBackToStable`).
 */
export function rollsBackDynamically(
  rollout: Rollout,
  newReplicaSet: ReplicaSet | undefined,
): string | undefined {
  const { canary } = rollout.spec.strategy;
  const { weights } = rollout.status.canary;
  if (!isFullyPromoted(rollout) || canary?.trafficRouting === undefined) return undefined;
  if (!canary.dynamicStableScale || weights === undefined) return undefined;
  const routed = weights.canary.podTemplateHash;
  if (routed === hashOf(newReplicaSet)) return undefined;
  return availableOf([newReplicaSet]) >= rollout.spec.replicas ? undefined : routed;
}

/**
 * After an abort, the canary stays for a while where a router or a preview is used
 * (`shouldDelayScaleDownOnAbort`).
 */
export function delaysScaleDownOnAbort({
  rollout,
  roles,
  isAborted,
}: Pick<Reconciliation, 'rollout' | 'roles' | 'isAborted'>): boolean {
  if (!isAborted || roles.stableReplicaSet === undefined) return false;
  const { canary } = rollout.spec.strategy;
  if (canary !== undefined && canary.trafficRouting === undefined) return false;
  const { seconds, isSet } = abortDelayOf(rollout);
  if (seconds === undefined) return false;
  return isSet || canary?.dynamicStableScale !== true;
}

/**
 * Seconds until the canary goes after an abort; `undefined` where it stays
 * (`GetAbortScaleDownDelaySecondsOrDefault`).
 */
export function abortDelayOf({ spec }: Rollout): {
  readonly seconds: number | undefined;
  readonly isSet: boolean;
} {
  const { canary, blueGreen } = spec.strategy;
  const isUsed = blueGreen !== undefined || canary?.trafficRouting !== undefined;
  const set = (blueGreen ?? canary)?.abortScaleDownDelaySeconds;
  if (!isUsed) return { seconds: 0, isSet: false };
  return { seconds: set === 0 ? undefined : (set ?? defaultDelaySeconds), isSet: set !== undefined };
}

/** Seconds for which a former revision stays up (`GetScaleDownDelaySecondsOrDefault`). */
export function scaleDownDelayOf({ spec }: Rollout): number {
  const { canary, blueGreen } = spec.strategy;
  if (canary !== undefined) {
    return canary.trafficRouting === undefined ? 0 : (canary.scaleDownDelaySeconds ?? defaultDelaySeconds);
  }
  return blueGreen?.scaleDownDelaySeconds ?? defaultDelaySeconds;
}

const defaultDelaySeconds = 30;
