import { type Condition, conditionOf } from '../objects/metadata.js';
import type { Deployment, ReplicaSet } from '../objects/workload.js';
import { apiTime, epochOf } from './creation-order.js';
import { rollingBounds } from './fenceposts.js';
import type { DeploymentState } from './rollout-state.js';
import { podTemplateHashLabel } from './template-equality.js';

export const revisionAnnotation = 'deployment.kubernetes.io/revision';
/** Of the ReplicaSets of a Rollout, which may have copied the other one from it. */
const rolloutRevisionAnnotation = 'rollout.argoproj.io/revision';
const revisionHistoryAnnotation = 'deployment.kubernetes.io/revision-history';
export const desiredReplicasAnnotation = 'deployment.kubernetes.io/desired-replicas';
export const maxReplicasAnnotation = 'deployment.kubernetes.io/max-replicas';

const maxInt32 = 2_147_483_647;
const maxHistoryLength = 2000;

/** Never copied from the Deployment to its ReplicaSets (`deployment_util.go: annotationsToSkip`). */
const notCopied: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  'deprecated.deployment.rollback.to',
  revisionAnnotation,
  revisionHistoryAnnotation,
  desiredReplicasAnnotation,
  maxReplicasAnnotation,
]);

export type Annotations = Readonly<Record<string, string>>;

/** Revision number of a ReplicaSet or Deployment; 0 without annotation, `undefined` if it is no integer. */
export function revisionNumber(object: {
  readonly metadata: { readonly annotations: Annotations };
}): number | undefined {
  const { annotations } = object.metadata;
  const text = annotations[rolloutRevisionAnnotation] ?? annotations[revisionAnnotation];
  if (text === undefined) return 0;
  return /^[+-]?\d+$/.test(text) ? Number.parseInt(text, 10) : undefined;
}

/** Highest readable revision; 0 if there is none (`deployment_util.go: MaxRevision`). */
export function maxRevision(replicaSets: readonly ReplicaSet[]): number {
  return replicaSets.reduce((highest, replicaSet) => Math.max(highest, revisionNumber(replicaSet) ?? 0), 0);
}

/** A count from an annotation; `undefined` unless it is an integer between 0 and 2³¹ − 1. */
export function countAnnotation(replicaSet: ReplicaSet, annotation: string): number | undefined {
  const text = replicaSet.metadata.annotations[annotation];
  if (text === undefined || !/^\d+$/.test(text)) return undefined;
  const count = Number(text);
  return count <= maxInt32 ? count : undefined;
}

/** What the controller notes on each ReplicaSet that it scales (`SetReplicasAnnotations`). */
export function replicasAnnotations(deployment: Deployment): Annotations {
  const { replicas } = deployment.spec;
  return {
    [desiredReplicasAnnotation]: String(replicas),
    [maxReplicasAnnotation]: String(replicas + rollingBounds(deployment).maxSurge),
  };
}

/** True when one of `wanted` is missing or differs. */
export function differIn(annotations: Annotations, wanted: Annotations): boolean {
  return Object.entries(wanted).some(([key, value]) => annotations[key] !== value);
}

/**
 * Annotations of the new ReplicaSet: the Deployment's own, the revision if it must rise, and the former
 * revision appended to the history when an old ReplicaSet is used again (`SetNewReplicaSetAnnotations`).
 */
export function newReplicaSetAnnotations(
  deployment: Deployment,
  existing: Annotations | undefined,
  newRevision: number,
): Annotations {
  const copied = Object.entries(deployment.metadata.annotations).filter(([key]) => !notCopied.has(key));
  const annotations: Record<string, string> = { ...existing, ...Object.fromEntries(copied) };
  const formerText = existing?.[revisionAnnotation];
  const former = formerText === undefined || formerText === '' ? 0 : Number(formerText);
  if (!Number.isInteger(former)) return annotations;
  if (former < newRevision) {
    annotations[revisionAnnotation] = String(newRevision);
    if (formerText !== undefined) {
      const history = withRevision(annotations[revisionHistoryAnnotation] ?? '', formerText);
      if (history !== undefined) annotations[revisionHistoryAnnotation] = history;
    }
  }
  return existing === undefined ? { ...annotations, ...replicasAnnotations(deployment) } : annotations;
}

/** Drops the oldest entries until the list fits into the limit; `undefined` if it never does. */
function withRevision(history: string, revision: string): string | undefined {
  if (history === '') return revision;
  const entries = history.split(',');
  let start = 0;
  let length = history.length + revision.length + 1;
  while (length > maxHistoryLength && start < entries.length) {
    length -= (entries[start]?.length ?? 0) + 1;
    start += 1;
  }
  return length <= maxHistoryLength ? [...entries.slice(start), revision].join(',') : undefined;
}

/** False for the value that means "none" (`HasProgressDeadline`). */
export function hasProgressDeadline(deployment: Deployment): boolean {
  return deployment.spec.progressDeadlineSeconds !== maxInt32;
}

/** False for the value that means "keep all" (`HasRevisionHistoryLimit`). */
export function hasRevisionHistoryLimit(deployment: Deployment): boolean {
  return deployment.spec.revisionHistoryLimit !== maxInt32;
}

export type DeploymentStatus = Deployment['status'];
type Conditions = readonly Condition[];

export function newCondition(
  type: string,
  status: 'True' | 'False' | 'Unknown',
  reason: string,
  message: string,
  now: number,
): Condition {
  const time = apiTime(now);
  return {
    type,
    status,
    reason,
    message,
    lastUpdateTime: time,
    lastTransitionTime: time,
    lastHeartbeatTime: undefined,
  };
}

/**
 * Unchanged when status and reason are; a kept status keeps its transition time (`SetDeploymentCondition`).
 */
export function withCondition(conditions: Conditions, condition: Condition): Conditions {
  const current = conditionOf({ conditions }, condition.type);
  if (current?.status === condition.status && current.reason === condition.reason) return conditions;
  const lastTransitionTime =
    current?.status === condition.status ? current.lastTransitionTime : condition.lastTransitionTime;
  return [...withoutCondition(conditions, condition.type), { ...condition, lastTransitionTime }];
}

export function withoutCondition(conditions: Conditions, type: string): Conditions {
  return conditions.filter((condition) => condition.type !== type);
}

/** Pausing and resuming restart the progress clock, except once it has run out (`checkPausedConditions`). */
export function pausedConditions(deployment: Deployment, now: number): Conditions {
  const { conditions } = deployment.status;
  if (!hasProgressDeadline(deployment)) return conditions;
  const reason = conditionOf({ conditions }, 'Progressing')?.reason;
  if (reason === 'ProgressDeadlineExceeded') return conditions;
  const saysPaused = reason === 'DeploymentPaused';
  if (deployment.spec.paused === saysPaused) return conditions;
  const condition = deployment.spec.paused
    ? newCondition('Progressing', 'Unknown', 'DeploymentPaused', 'Deployment is paused', now)
    : newCondition('Progressing', 'Unknown', 'DeploymentResumed', 'Deployment is resumed', now);
  return withCondition(conditions, condition);
}

/** Counts of all ReplicaSets and the Available condition (`sync.go: calculateStatus`). */
export function deploymentCounts(
  deployment: Deployment,
  conditions: Conditions,
  replicaSets: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet | undefined,
  now: number,
): DeploymentStatus {
  const availableReplicas = sum(replicaSets, ({ status }) => status.availableReplicas);
  const wanted = sum(replicaSets, ({ spec }) => spec.replicas);
  const enough = availableReplicas >= deployment.spec.replicas - rollingBounds(deployment).maxUnavailable;
  const available = enough
    ? newCondition(
        'Available',
        'True',
        'MinimumReplicasAvailable',
        'Deployment has minimum availability.',
        now,
      )
    : newCondition(
        'Available',
        'False',
        'MinimumReplicasUnavailable',
        'Deployment does not have minimum availability.',
        now,
      );
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: sum(replicaSets, ({ status }) => status.replicas),
    updatedReplicas: newReplicaSet?.status.replicas ?? 0,
    readyReplicas: sum(replicaSets, ({ status }) => status.readyReplicas),
    availableReplicas,
    unavailableReplicas: Math.max(0, wanted - availableReplicas),
    terminatingReplicas: terminatingReplicas(replicaSets),
    conditions: withCondition(conditions, available),
  };
}

/**
 * Unknown as soon as one synced ReplicaSet does not report it (`GetTerminatingReplicaCountForReplicaSets`).
 */
function terminatingReplicas(replicaSets: readonly ReplicaSet[]): number | undefined {
  const synced = replicaSets.filter(
    ({ status }) => status.observedGeneration !== 0 || status.terminatingReplicas !== undefined,
  );
  if (synced.some(({ status }) => status.terminatingReplicas === undefined)) return undefined;
  return sum(synced, ({ status }) => status.terminatingReplicas ?? 0);
}

/** All wanted replicas updated and available, none of an old revision left (`DeploymentComplete`). */
export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const { replicas } = deployment.spec;
  return (
    status.updatedReplicas === replicas &&
    status.replicas === replicas &&
    status.availableReplicas === replicas &&
    status.observedGeneration >= (deployment.metadata.generation ?? 0)
  );
}

/** More updated, fewer old, more ready or more available than before (`DeploymentProgressing`). */
function hasProgressed(before: DeploymentStatus, after: DeploymentStatus): boolean {
  return (
    after.updatedReplicas > before.updatedReplicas ||
    after.replicas - after.updatedReplicas < before.replicas - before.updatedReplicas ||
    after.readyReplicas > before.readyReplicas ||
    after.availableReplicas > before.availableReplicas
  );
}

/** The progress deadline has run out since the last progress (`DeploymentTimedOut`). */
function isTimedOut(deployment: Deployment, conditions: Conditions, now: number): boolean {
  if (!hasProgressDeadline(deployment)) return false;
  const progressing = conditionOf({ conditions }, 'Progressing');
  if (progressing === undefined || progressing.reason === 'NewReplicaSetAvailable') return false;
  if (progressing.reason === 'ProgressDeadlineExceeded') return true;
  const from = epochOf(progressing.lastUpdateTime);
  return from === undefined || from + deployment.spec.progressDeadlineSeconds * 1000 < now;
}

/**
 * The status after a rollout step: counts, Progressing and ReplicaFailure (`progress.go: syncRolloutStatus`).
 * `current` holds the conditions as this sync has changed them so far.
 */
export function rolloutStatusOf(
  deployment: Deployment,
  current: Conditions,
  replicaSets: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet | undefined,
  now: number,
): DeploymentStatus {
  const counts = deploymentCounts(deployment, current, replicaSets, newReplicaSet, now);
  const progressed = hasProgressDeadline(deployment)
    ? progressingConditions(deployment, current, counts, newReplicaSet, now)
    : withoutCondition(counts.conditions, 'Progressing');
  const failure = replicaFailure(replicaSets, newReplicaSet);
  const conditions =
    failure === undefined
      ? withoutCondition(progressed, 'ReplicaFailure')
      : withCondition(progressed, failure);
  return { ...counts, conditions };
}

function progressingConditions(
  deployment: Deployment,
  current: Conditions,
  counts: DeploymentStatus,
  newReplicaSet: ReplicaSet | undefined,
  now: number,
): Conditions {
  const progressing = conditionOf({ conditions: current }, 'Progressing');
  const alreadyComplete =
    counts.replicas === counts.updatedReplicas && progressing?.reason === 'NewReplicaSetAvailable';
  if (alreadyComplete) return counts.conditions;
  const subject =
    newReplicaSet === undefined
      ? `Deployment "${deployment.metadata.name}"`
      : `ReplicaSet "${newReplicaSet.metadata.name}"`;
  if (isComplete(deployment, counts)) {
    const message = `${subject} has successfully progressed.`;
    return withCondition(
      counts.conditions,
      newCondition('Progressing', 'True', 'NewReplicaSetAvailable', message, now),
    );
  }
  if (hasProgressed(deployment.status, counts)) {
    const condition = newCondition(
      'Progressing',
      'True',
      'ReplicaSetUpdated',
      `${subject} is progressing.`,
      now,
    );
    const lastTransitionTime =
      progressing?.status === 'True' ? progressing.lastTransitionTime : condition.lastTransitionTime;
    return [...withoutCondition(counts.conditions, 'Progressing'), { ...condition, lastTransitionTime }];
  }
  if (isTimedOut(deployment, counts.conditions, now)) {
    const message = `${subject} has timed out progressing.`;
    return withCondition(
      counts.conditions,
      newCondition('Progressing', 'False', 'ProgressDeadlineExceeded', message, now),
    );
  }
  return counts.conditions;
}

/** The new ReplicaSet's failure, else the first of any (`getReplicaFailures`). */
function replicaFailure(
  replicaSets: readonly ReplicaSet[],
  newReplicaSet: ReplicaSet | undefined,
): Condition | undefined {
  const candidates = newReplicaSet === undefined ? replicaSets : [newReplicaSet, ...replicaSets];
  const failure = candidates.map(({ status }) => conditionOf(status, 'ReplicaFailure')).find(Boolean);
  return failure && { ...failure, lastUpdateTime: failure.lastTransitionTime };
}

function sum(replicaSets: readonly ReplicaSet[], count: (replicaSet: ReplicaSet) => number): number {
  return replicaSets.reduce((total, replicaSet) => total + count(replicaSet), 0);
}

/** The state with the status and revision that a sync wrote. */
export function withStatus(
  state: DeploymentState,
  sync: { readonly status: Deployment['status']; readonly revision: string | undefined },
): DeploymentState {
  const { deployment } = state;
  const annotations =
    sync.revision === undefined
      ? deployment.metadata.annotations
      : { ...deployment.metadata.annotations, [revisionAnnotation]: sync.revision };
  return {
    ...state,
    deployment: { ...deployment, metadata: { ...deployment.metadata, annotations }, status: sync.status },
  };
}

/** The state after the writes of one sync. It reads the ReplicaSets once, however many the sync writes. */
export function applied(state: DeploymentState, actions: readonly DeploymentAction[]): DeploymentState {
  if (actions.length === 0) return state;
  const writes = new Map<string, DeploymentAction[]>();
  const created: ReplicaSet[] = [];
  for (const action of actions) {
    if (action.kind === 'create-replica-set') created.push(createdReplicaSet(state, action));
    else writes.set(action.replicaSet, [...(writes.get(action.replicaSet) ?? []), action]);
  }
  const replicaSets = [...state.replicaSets, ...created].flatMap((replicaSet) => {
    const own = writes.get(replicaSet.metadata.name) ?? [];
    if (own.some(({ kind }) => kind === 'delete-replica-set')) return [];
    return [own.reduce(written, replicaSet)];
  });
  return { ...state, replicaSets };
}

function written(replicaSet: ReplicaSet, action: DeploymentAction): ReplicaSet {
  const { metadata, spec } = replicaSet;
  switch (action.kind) {
    case 'scale': {
      const generation = (metadata.generation ?? 0) + (action.from === action.to ? 0 : 1);
      const annotations = { ...metadata.annotations, ...action.annotations };
      return {
        ...replicaSet,
        metadata: { ...metadata, generation, annotations },
        spec: { ...spec, replicas: action.to },
      };
    }
    case 'update-replica-set': {
      const { annotations, minReadySeconds } = action;
      return { ...replicaSet, metadata: { ...metadata, annotations }, spec: { ...spec, minReadySeconds } };
    }
    case 'create-replica-set':
    case 'delete-replica-set':
      return replicaSet;
  }
}

function createdReplicaSet(
  { deployment, now }: DeploymentState,
  action: Extract<DeploymentAction, { kind: 'create-replica-set' }>,
): ReplicaSet {
  const { metadata, spec } = deployment;
  const hash = `revision-${action.revision}`;
  const name = `${metadata.name}-${hash}`;
  const labels = { ...spec.template.metadata.labels, [podTemplateHashLabel]: hash };
  return {
    kind: 'ReplicaSet',
    metadata: {
      ...metadata,
      name,
      uid: `simulated:${name}`,
      generation: 1,
      creationTimestamp: apiTime(now),
      labels,
      annotations: action.annotations,
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          name: metadata.name,
          uid: metadata.uid,
          controller: true,
        },
      ],
    },
    spec: {
      replicas: action.replicas,
      minReadySeconds: spec.minReadySeconds,
      selector: spec.selector,
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
    status: {
      observedGeneration: 0,
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
 * ReplicaSets that create what they want lose their ReplicaFailure (`replica_set_utils.go: calculateStatus`).
 */
export function withoutFailures<State extends { readonly replicaSets: readonly ReplicaSet[] }>(
  state: State,
  served: ReadonlySet<ReplicaSet>,
): State {
  if (served.size === 0) return state;
  const replicaSets = state.replicaSets.map((replicaSet) => {
    if (!served.has(replicaSet)) return replicaSet;
    const conditions = replicaSet.status.conditions.filter(({ type }) => type !== 'ReplicaFailure');
    return { ...replicaSet, status: { ...replicaSet.status, conditions } };
  });
  return { ...state, replicaSets };
}

export type ScaleReason =
  | 'only-active'
  | 'new-is-saturated'
  | 'proportion'
  | 'new-up'
  | 'new-down'
  | 'unhealthy-old'
  | 'old-down'
  | 'recreate-down'
  | 'recreate-up';

/** One write of the Deployment controller to a ReplicaSet. */
export type DeploymentAction =
  | {
      readonly kind: 'create-replica-set';
      /** Its `spec.replicas`. Name, uid, hash and creation time are the caller's to choose. */
      readonly replicas: number;
      readonly revision: number;
      readonly annotations: Annotations;
    }
  | {
      readonly kind: 'scale';
      readonly replicaSet: string;
      readonly from: number;
      /** Equal to `from` where only the annotations are brought up to date. */
      readonly to: number;
      readonly because: ScaleReason;
      /** To be merged into those it has. */
      readonly annotations: Annotations;
    }
  | {
      readonly kind: 'update-replica-set';
      readonly replicaSet: string;
      /** The complete new set. */
      readonly annotations: Annotations;
      readonly minReadySeconds: number;
    }
  | {
      readonly kind: 'delete-replica-set';
      readonly replicaSet: string;
      readonly because: 'revision-history';
    };

/**
 * True when it changes how many pods there should be, or makes a ReplicaSet, be it an empty one, to go on
 * with.
 */
export function changesPods(action: DeploymentAction): boolean {
  return action.kind === 'create-replica-set' || (action.kind === 'scale' && action.from !== action.to);
}
