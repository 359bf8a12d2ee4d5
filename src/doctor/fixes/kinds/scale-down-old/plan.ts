import * as z from 'zod';
import type { Snapshot } from '../../../../engine/objects/snapshot.js';
import type { Immutable } from '../../../../engine/objects/wire.js';
import { revisionsOf } from '../../../../engine/workloads/revisions.js';
import { rolloutStateOf } from '../../../../engine/workloads/rollout-state.js';
import { offeredFields } from '../../offered-fields.js';
import type { Plan, Refusal } from '../../plan.js';
import { refusal } from '../../refusals.js';
import { targetOf } from '../../target-of.js';

/** The record of one remediation of this kind. */
export const ScaleDownOld = z.object({
  kind: z.literal('scale-down-old'),
  ...offeredFields,
  replicaSet: z.string(),
  uid: z.string(),
  from: z.number(),
  to: z.number(),
});
export type ScaleDownOld = Immutable<z.output<typeof ScaleDownOld>>;

/**
 * A merge patch of the old ReplicaSet's `scale` subresource, under the ReplicaSet's own uid and generation.
 * The Deployment is not written. There is no undo: the controller would scale an old ReplicaSet down again at
 * once.
 *
 * @returns a refusal when the Deployment is paused, or the ReplicaSet is gone, scaled since, or the current
 *   one
 */
export function planScaleDownOld(
  { id, kind, uid, replicaSet: name, from, to }: ScaleDownOld,
  snapshot: Snapshot,
): Plan | Refusal {
  const state = rolloutStateOf(snapshot);
  const { metadata } = snapshot.workload;
  const workload = `${metadata.namespace}/${metadata.name}`;
  if (state.kind !== 'Deployment') return refusal('not-applicable', 'not-applicable', { workload, kind });
  if (state.deployment.spec.paused) return refusal('paused', 'paused', { workload });
  const replicaSet = state.replicaSets.find((each) => each.metadata.uid === uid);
  if (replicaSet === undefined) return refusal('gone', 'replica-set-gone', { replicaSet: name });
  if (revisionsOf(state).newReplicaSet === replicaSet) {
    return refusal('not-applicable', 'revision-current', { workload, replicaSet: name });
  }
  if (replicaSet.spec.replicas !== from) {
    const { replicas } = replicaSet.spec;
    return refusal('already-applied', 'scaled-already', { replicaSet: name, replicas });
  }
  return {
    type: 'plan',
    remediationId: id,
    target: targetOf(replicaSet),
    request: { verb: 'patch', patchType: 'merge', subresource: 'scale', body: { spec: { replicas: to } } },
    changes: [{ path: 'spec.replicas', before: from, after: to }],
  };
}
