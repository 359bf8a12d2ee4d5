import type { Kind } from '#src/doctor/fixes/kind.js';
import { isSame, targetsWorkload } from '#src/doctor/fixes/plan.js';
import { planRaiseDeadline, RaiseDeadline, requestOf } from './plan.js';
import { text } from './text.js';

/** A kind that no version of the product knows. */
export const raiseDeadline = {
  kind: 'raise-deadline',
  schema: RaiseDeadline,
  text,
  plan: planRaiseDeadline,
  isPlan: ({ workload, remediation: { to }, plan }) =>
    targetsWorkload({ plan, workload }) && isSame(plan.request, requestOf(to)) && plan.changes.length === 1,
  isUndo: ({ remediation: { from }, undo }) => isSame(undo.request, requestOf(from)),
} as const satisfies Kind<RaiseDeadline>;
