import { namesOf } from '../../../../engine/objects/metadata.js';
import { isActive } from '../../../../engine/objects/pod.js';
import { nextArgoRolloutSteps } from '../../../../engine/workloads/argo-rollout/forecast.js';
import { isFullyPromoted } from '../../../../engine/workloads/argo-rollout/reconciliation.js';
import { rolesOf } from '../../../../engine/workloads/argo-rollout/replica-set-roles.js';
import { revisionNumber } from '../../../../engine/workloads/deployment-annotations.js';
import { newPods } from '../../../../engine/workloads/revisions.js';
import { type Considered, considered, impossible } from '../../considered.js';
import { notRecommended, type Offer, offered } from '../../offer.js';
import { tooLarge } from '../../refusals.js';
import type { RolloutInput } from '../../rollout-update.js';
import type { AbortRollout } from './plan.js';
import { state as say } from './text.js';

const kind = 'abort-rollout';

/** Offered where the engine sees the stable revision get all of its pods. */
export function proposeAbortRollout(input: RolloutInput): Offer<AbortRollout> {
  const { state } = input;
  const answer = considerAbortRollout(input);
  if (answer.type === 'impossible') return notRecommended(kind, answer.because);
  const { forecast, remediation } = answer;
  if (forecast.ends === 'too-large') return notRecommended(kind, tooLarge(state.rollout.metadata, forecast));
  if (forecast.ends === 'unknown') return notRecommended(kind, say('withheld-unknown'));
  const { stableReplicaSet } = rolesOf(state.rollout, state.replicaSets);
  if (forecast.ends === 'stuck' || stableReplicaSet === undefined)
    return notRecommended(kind, say('withheld-stuck'));
  return offered(remediation);
}

/** The abort and its forecast, however that ends; impossible where no update is in progress. */
export function considerAbortRollout({ state, simulator }: RolloutInput): Considered<AbortRollout> {
  const { rollout, replicaSets } = state;
  const workload = `${rollout.metadata.namespace}/${rollout.metadata.name}`;
  if (isFullyPromoted(rollout)) return impossible(say('no-update', { workload }));
  if (rollout.status.abort) return impossible(say('already-aborted', { workload }));
  const forecast = nextArgoRolloutSteps(state, { kind: 'abort' }, simulator);
  const { stableReplicaSet } = rolesOf(rollout, replicaSets);
  const revision = stableReplicaSet && revisionNumber(stableReplicaSet);
  const pods = newPods(state).filter(isActive);
  return considered(kind, forecast, {
    title: say('title'),
    effects: [
      say('keeps-stable', { revision: String(revision ?? ''), replicas: rollout.spec.replicas }),
      ...(pods.length === 0 ? [] : [say('removes-new', { pods: namesOf(pods) })]),
      say('template-stays'),
    ],
  });
}
