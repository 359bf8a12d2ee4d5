import { z } from 'zod';
import { offeredFields } from '#src/doctor/fixes/offered-fields.js';
import { targetOf } from '#src/doctor/fixes/owner-target.js';
import type { Plan } from '#src/doctor/fixes/plan.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { Immutable } from '#src/engine/objects/wire.js';

export const RaiseDeadline = z.object({
  kind: z.literal('raise-deadline'),
  ...offeredFields,
  from: z.number(),
  to: z.number(),
});
export type RaiseDeadline = Immutable<z.output<typeof RaiseDeadline>>;

export const requestOf = (seconds: number) =>
  ({ verb: 'patch', patchType: 'merge', body: { spec: { progressDeadlineSeconds: seconds } } }) as const;

export function planRaiseDeadline({ id, from, to }: RaiseDeadline, { workload }: Snapshot): Plan {
  const changes = [{ path: 'spec.progressDeadlineSeconds', before: from, after: to }];
  return {
    type: 'plan',
    remediationId: id,
    target: targetOf(workload),
    request: requestOf(to),
    changes,
    undo: { request: requestOf(from), expects: changes },
  };
}
