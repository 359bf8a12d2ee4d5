import type { Statement } from '../../engine/language/statement.js';
import type { Rollout } from '../../engine/objects/argo-rollout.js';
import { nextArgoRolloutSteps } from '../../engine/workloads/argo-rollout/forecast.js';
import type { ArgoRolloutChange, UpdateEnd } from '../../engine/workloads/argo-rollout/rollout-change.js';
import type { Forecast } from '../../engine/workloads/forecast.js';
import type { PodSimulator } from '../../engine/workloads/pod-simulator.js';
import type { ArgoRolloutState } from '../../engine/workloads/rollout-state.js';
import { effect } from './effects-text.js';
import { fieldAt } from './field-at.js';
import { longestGrace, withoutFailedStarts } from './forecast-change.js';
import { targetOf } from './owner-target.js';
import type { ChangeRequest, PlanTarget } from './plan.js';
import { isSame } from './plan.js';

/** What a change of a Rollout is forecast by. */
export type RolloutInput = { readonly state: ArgoRolloutState; readonly simulator: PodSimulator };

/** The update under a change. A new pod that had its time to become ready and is not, stays so. */
export function forecastUpdate({ state, simulator }: RolloutInput, change: ArgoRolloutChange): Forecast {
  return nextArgoRolloutSteps(state, change, withoutFailedStarts(state, simulator));
}

/** Where an update of a Rollout comes to rest, and how many pods stop on the way. */
export function updateEffects({
  updateEnd: end,
  victims,
}: Pick<Forecast, 'updateEnd' | 'victims'>): readonly Statement[] {
  return [
    ...(end === undefined ? [] : [effectOf(end)]),
    ...(victims.length === 0
      ? []
      : [effect('stops-until-then', { pods: victims.length, graceSeconds: longestGrace(victims) })]),
  ];
}

function effectOf(end: UpdateEnd): Statement {
  switch (end.type) {
    case 'step':
      return effect('goes-to-step', end);
    case 'aborted':
      return effect('stays-aborted');
    default:
      return effect(`goes-to-${end.type}`);
  }
}

/** Fields that say which update of a Rollout a plan is about, and whether it is aborted. */
const updatePaths = ['status.currentPodHash', 'status.abortedAt'] as const;

/**
 * The Rollout with the update that a plan is about. Writes to the status raise no generation, and neither
 * does another template of the object that `workloadRef` names.
 *
 * @param paths fields that must hold as well
 */
export function updateTargetOf(rollout: Rollout, paths: readonly string[] = []): PlanTarget {
  const mustHold = [...updatePaths, ...paths].map((path) => ({ path, value: fieldAt(rollout, path) }));
  return { ...targetOf(rollout), mustHold };
}

/** Whether a plan has the fields that `updateTargetOf` writes. */
export function holdsUpdate({ mustHold = [] }: PlanTarget, paths: readonly string[] = []): boolean {
  return isSame(
    mustHold.map(({ path }) => path),
    [...updatePaths, ...paths],
  );
}

/** Aborts the update, or starts an aborted one again. */
export function abortRequest(abort: boolean): ChangeRequest {
  return { verb: 'patch', patchType: 'merge', subresource: 'status', body: { status: { abort } } };
}
