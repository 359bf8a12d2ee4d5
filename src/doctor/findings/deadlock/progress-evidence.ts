import { type Condition, conditionOf, type ObjectRef } from '../../../engine/objects/metadata.js';
import type { Evidence } from '../finding.js';
import { deadlock } from './text.js';

/**
 * What the controller says of the progress of a Deployment or Rollout; nothing where it has not said
 * anything.
 */
export function progressEvidence(
  object: ObjectRef,
  status: { readonly conditions: readonly Condition[] },
): readonly Evidence[] {
  const progressing = conditionOf(status, 'Progressing');
  if (progressing === undefined) return [];
  const { status: value, reason, lastUpdateTime } = progressing;
  return [
    {
      object,
      field: 'status.conditions[Progressing]',
      value: `${value} ${reason}`,
      at: lastUpdateTime,
      says: deadlock('ev-progress', { reason }),
    },
  ];
}
