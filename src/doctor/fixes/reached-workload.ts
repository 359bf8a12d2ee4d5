import type { Snapshot } from '../../engine/objects/snapshot.js';
import { fieldAt, fieldOf } from './field-at.js';
import { requiredPath, requiredSteps } from './kinds/exclude-nodes/plan.js';
import { ownerPath, restartedAtPath } from './kinds/restart-rollout/kind.js';
import { ownerTargetOf } from './owner-target.js';
import { isSame } from './plan.js';
import type { Remediation } from './remediation.js';

/**
 * Whether the controller of the owner has written into the pod template what the change set in the owner.
 * Before that, a workload that looks complete is complete as it was before the change. `undefined` where the
 * owner was not read, or has lost the annotation of a restart. True where the workload itself is changed, and
 * for changes of other fields.
 */
export function hasReachedWorkload({ kind }: Remediation, snapshot: Snapshot): boolean | undefined {
  if (kind !== 'restart-rollout' && kind !== 'exclude-nodes') return true;
  const owner = ownerTargetOf(snapshot);
  if (owner === undefined) return true;
  if ('type' in owner) return undefined;
  const { object, fields } = owner;
  const { workload } = snapshot;
  if (kind === 'restart-rollout') {
    const { kind: of } = workload;
    const restartedAt = fieldAt(object, ownerPath(fields));
    return restartedAt === undefined
      ? undefined
      : isSame(restartedAt, fieldOf(workload, restartedAtPath(of)));
  }
  const declared = fieldAt(object, [...fields.affinity, ...requiredSteps].join('.'));
  return isSame(declared, fieldOf(workload, requiredPath));
}
