import type { Statement } from '../../../../engine/language/statement.js';
import { namesOf } from '../../../../engine/objects/metadata.js';
import type { Pod } from '../../../../engine/objects/pod.js';
import { rollingBounds } from '../../../../engine/workloads/fenceposts.js';
import { type Forecast, nextSteps } from '../../../../engine/workloads/forecast.js';
import type { PodSimulator } from '../../../../engine/workloads/pod-simulator.js';
import { newPods } from '../../../../engine/workloads/revisions.js';
import type { ArgoRolloutState, DeploymentState } from '../../../../engine/workloads/rollout-state.js';
import { failsToStart, startToReady } from '../../../../engine/workloads/start-to-ready.js';
import { considered, type Possible } from '../../considered.js';
import { effect } from '../../effects-text.js';
import { longestGrace } from '../../impact-of.js';
import { notRecommended, type Offer, offered } from '../../offer.js';
import { tooLarge } from '../../refusals.js';
import { forecastUpdate, updateEffects } from '../../rollout-update.js';
import type { ResumeRollout } from './plan.js';
import { state as say } from './text.js';

export interface ResumeRolloutInput {
  readonly state: DeploymentState | ArgoRolloutState;
  readonly simulator: PodSimulator;
  /** The revision it would go on to. */
  readonly revision: string;
}

const kind = 'resume-rollout';

/**
 * Un-pausing, where the engines see the rollout complete afterwards. Not recommended while new pods that
 * exist are not well, and where it would come to rest half-way: a paused rollout harms less than a stuck one.
 */
export function proposeResumeRollout(input: ResumeRolloutInput): Offer<ResumeRollout> {
  const { forecast, remediation, against } = considerResumeRollout(input);
  if (against !== undefined) return notRecommended(kind, against);
  switch (forecast.ends) {
    case 'complete':
    case 'contested':
      return offered(remediation);
    case 'stuck':
      return notRecommended(kind, say('withheld-stuck', { pods: namesOf(forecast.waiting) }));
    case 'too-large':
      return notRecommended(kind, tooLarge(workloadOf(input.state).metadata, forecast));
    case 'unknown':
      return notRecommended(kind, say('withheld-unknown'));
  }
}

/** Un-pausing and its forecast, however that ends; `against` where new pods that exist are not well. */
export function considerResumeRollout(input: ResumeRolloutInput): Possible<ResumeRollout> {
  const { state, simulator } = input;
  const observed = startToReady(state);
  const broken = newPods(state).filter((pod) => failsToStart(pod, state.now, observed));
  const forecast =
    state.kind === 'Rollout'
      ? forecastUpdate({ state, simulator }, { kind: 'resume' })
      : nextSteps(state, { kind: 'resume' }, simulator);
  return {
    ...considered(kind, forecast, { title: say('title'), effects: effectsOf(input, forecast) }),
    ...(broken.length === 0 ? {} : { against: say('withheld-broken', { pods: namesOf(broken) }) }),
  };
}

function effectsOf({ state, revision }: ResumeRolloutInput, forecast: Forecast): readonly Statement[] {
  const { placements, winners = [] } = forecast;
  const { metadata } = workloadOf(state);
  const [first] = winners.length > 0 ? [] : placements;
  const started = startToReady(state);
  return [
    ...(forecast.updateEnd?.type === 'aborted'
      ? []
      : [say('continues', { workload: `${metadata.namespace}/${metadata.name}`, revision })]),
    ...(state.kind === 'Rollout' ? updateEffects(forecast) : [stopping(state, forecast.victims)]),
    ...(first === undefined
      ? []
      : [effect('then-placed', { pod: first.pod.metadata.name, node: first.node })]),
    ...(started === undefined || started.median < 1
      ? []
      : [effect('ready-last-time', { seconds: started.median })]),
    say('undo'),
  ];
}

function workloadOf(
  state: ResumeRolloutInput['state'],
): DeploymentState['deployment'] | ArgoRolloutState['rollout'] {
  return state.kind === 'Rollout' ? state.rollout : state.deployment;
}

function stopping({ deployment }: DeploymentState, victims: readonly Pod[]): Statement {
  if (victims.length === 0) return say('no-old-pods');
  const graceSeconds = longestGrace(victims);
  if (deployment.spec.strategy.type === 'Recreate') {
    return effect('stops-all', { pods: victims.length, graceSeconds });
  }
  const { maxSurge, maxUnavailable } = rollingBounds(deployment);
  return say('replaces-pods', {
    pods: victims.length,
    surge: maxSurge,
    unavailable: maxUnavailable,
    graceSeconds,
  });
}
