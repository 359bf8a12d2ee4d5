import { namesOf } from '../../../cluster/metadata.js';
import { isActive } from '../../../cluster/pod.js';
import { nextArgoRolloutSteps } from '../../../rollout/argo-rollout/forecast.js';
import { rolesOf } from '../../../rollout/argo-rollout/replica-set-roles.js';
import { revisionNumber } from '../../../rollout/deployment-annotations.js';
import type { PodOracle } from '../../../rollout/pod-oracle.js';
import { newPods } from '../../../rollout/revisions.js';
import type { ArgoRolloutState } from '../../../rollout/rollout-state.js';
import { type Offer, offered, withheld } from '../../offer.js';
import { predictionOf, priceOf } from '../../price-of.js';
import { tooLarge } from '../../refusals.js';
import type { AbortRollout } from './plan.js';
import { state as say } from './text.js';

const kind = 'abort-rollout';

/** Offered where the engine sees the stable revision get all of its pods. */
export function proposeAbortRollout({
  state,
  oracle,
}: {
  readonly state: ArgoRolloutState;
  readonly oracle: PodOracle;
}): Offer<AbortRollout> {
  const { rollout, replicaSets } = state;
  const forecast = nextArgoRolloutSteps(state, { kind: 'abort' }, oracle);
  if (forecast.ends === 'too-large') return withheld(kind, tooLarge(rollout.metadata, forecast));
  if (forecast.ends === 'unknown') return withheld(kind, say('withheld-unknown'));
  const { stableReplicaSet } = rolesOf(rollout, replicaSets);
  if (forecast.ends === 'stuck' || stableReplicaSet === undefined)
    return withheld(kind, say('withheld-stuck'));
  const pods = newPods(state).filter(isActive);
  return offered({
    kind,
    id: kind,
    title: say('title'),
    effects: [
      say('keeps-stable', {
        revision: String(revisionNumber(stableReplicaSet) ?? ''),
        replicas: rollout.spec.replicas,
      }),
      ...(pods.length === 0 ? [] : [say('removes-new', { pods: namesOf(pods) })]),
      say('template-stays'),
    ],
    price: priceOf(forecast, 'none'),
    prediction: predictionOf(forecast),
  });
}
