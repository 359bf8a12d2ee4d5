import * as z from 'zod';
import type { Snapshot } from '../../../cluster/snapshot.js';
import type { Immutable } from '../../../cluster/wire.js';
import { fieldOf } from '../../field-at.js';
import { offeredFields } from '../../offered-fields.js';
import type { Plan, Refusal } from '../../plan.js';
import { refusal } from '../../refusals.js';
import { targetOf } from '../../target-of.js';

/** The record of one remediation of this kind. */
export const RestartRollout = z.object({ kind: z.literal('restart-rollout'), ...offeredFields });
export type RestartRollout = Immutable<z.output<typeof RestartRollout>>;

/** What `kubectl rollout restart` sets. */
export const restartedAtPath = 'spec.template.metadata.annotations[kubectl.kubernetes.io/restartedAt]';

/**
 * Sets the annotation that `kubectl rollout restart` sets, to the moment of the change; the plan cannot know it and
 * shows `<now>`. A paused Deployment is refused, as kubectl does (`objectrestarter.go`). There is no undo.
 */
export function planRestartRollout({ id }: RestartRollout, { workload }: Snapshot): Plan | Refusal {
  if (workload.kind === 'Deployment' && workload.spec.paused) {
    const { namespace, name } = workload.metadata;
    return refusal('paused', 'paused', { workload: `${namespace}/${name}` });
  }
  return {
    type: 'plan',
    remediationId: id,
    target: targetOf(workload),
    request: { verb: 'restart' },
    changes: [{ path: restartedAtPath, before: fieldOf(workload, restartedAtPath), after: '<now>' }],
  };
}
