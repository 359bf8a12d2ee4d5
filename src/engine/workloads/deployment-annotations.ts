import type { Deployment, ReplicaSet } from '../objects/workload.js';
import { rollingBounds } from './fenceposts.js';

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
