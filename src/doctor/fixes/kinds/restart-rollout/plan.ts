import * as z from 'zod';
import type { Snapshot } from '../../../../engine/objects/snapshot.js';
import type { Immutable } from '../../../../engine/objects/wire.js';
import { isPaused, isRevisioned, type WorkloadKind } from '../../../../engine/objects/workload.js';
import type { OwnerFields } from '../../../../engine/parents/parent-resource-kind.js';
import { fieldOf } from '../../field-at.js';
import { offeredFields } from '../../offered-fields.js';
import { ownerTargetOf } from '../../owner-target.js';
import type { Plan, Refusal } from '../../plan.js';
import { refusal } from '../../refusals.js';
import { targetOf } from '../../target-of.js';

/** The record of one remediation of this kind. */
export const RestartRollout = z.object({ kind: z.literal('restart-rollout'), ...offeredFields });
export type RestartRollout = Immutable<z.output<typeof RestartRollout>>;

const annotation = '[kubectl.kubernetes.io/restartedAt]';
/** What `kubectl rollout restart` sets. */
const annotationPath = `spec.template.metadata.annotations${annotation}`;

/** The same among the annotations that an owner's controller gives the pods. */
export function ownerPath({ annotations }: OwnerFields): string {
  return `${annotations.join('.')}${annotation}`;
}

/**
 * The field that a restart sets. A Rollout has one of its own, which makes no new revision. The template of
 * the workers is enough for the groups of a LeaderWorkerSet: their leaders are of the same revision.
 */
export function restartedAtPath(kind: WorkloadKind): string {
  if (kind === 'LeaderWorkerSet')
    return `spec.leaderWorkerTemplate.workerTemplate.metadata.annotations${annotation}`;
  return kind === 'Rollout' ? 'spec.restartAt' : annotationPath;
}

/**
 * Sets the annotation that `kubectl rollout restart` sets, to the moment of the change; the plan cannot know
 * it and shows `<now>`. A paused Deployment is refused, as kubectl does (`objectrestarter.go`). There is no
 * undo.
 */
export function planRestartRollout({ id, kind }: RestartRollout, snapshot: Snapshot): Plan | Refusal {
  const { workload } = snapshot;
  if (isPaused(workload)) {
    const { namespace, name } = workload.metadata;
    return refusal('paused', 'paused', { workload: `${namespace}/${name}` });
  }
  if (isRevisioned(workload)) {
    const { namespace, name } = workload.metadata;
    return refusal('not-applicable', 'not-applicable', { workload: `${namespace}/${name}`, kind });
  }
  const owner = ownerTargetOf(snapshot);
  if (owner !== undefined && 'type' in owner) return owner;
  const object = owner?.object ?? workload;
  const path = owner === undefined ? restartedAtPath(workload.kind) : ownerPath(owner.fields);
  return {
    type: 'plan',
    remediationId: id,
    target: targetOf(object),
    request: { verb: 'restart' },
    changes: [{ path, before: fieldOf(object, path), after: '<now>' }],
  };
}
