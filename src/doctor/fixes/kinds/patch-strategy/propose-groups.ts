import type { Statement } from '../../../../engine/language/statement.js';
import { namesOf } from '../../../../engine/objects/metadata.js';
import { hasNode } from '../../../../engine/objects/pod.js';
import type { Forecast } from '../../../../engine/workloads/forecast.js';
import { nextLeaderWorkerSetSteps } from '../../../../engine/workloads/leader-worker-set/forecast.js';
import type { PodSimulator } from '../../../../engine/workloads/pod-simulator.js';
import type { LeaderWorkerSetState } from '../../../../engine/workloads/rollout-state.js';
import { effect } from '../../effects-text.js';
import { impactOf, longestGrace, predictionOf, withoutFailedStarts } from '../../forecast-change.js';
import { nothingOffered, notRecommended, type Offer, offered } from '../../offered-fields.js';
import { tooLarge } from '../../refusals.js';
import type { PatchStrategy } from './forms.js';
import { patchStrategyForms } from './forms.js';
import { state as say } from './text.js';

export interface ProposeGroupsInput {
  readonly state: LeaderWorkerSetState;
  readonly simulator: PodSimulator;
}

const strategy = patchStrategyForms.inPlace;

/**
 * The old group first, then the new one, offered where the engine sees every group updated. The surge groups
 * are removed first, so the update begins anew with the group of the highest number.
 */
export function proposePatchGroups({ state, simulator }: ProposeGroupsInput): Offer<PatchStrategy> {
  const { maxSurge, maxUnavailable } = strategy;
  const change = { kind: 'bounds', maxSurge, maxUnavailable } as const;
  const forecast = nextLeaderWorkerSetSteps(state, change, withoutFailedStarts(state, simulator));
  if (forecast.ends === 'too-large') {
    return notRecommended('patch-strategy', tooLarge(state.leaderWorkerSet.metadata, forecast));
  }
  if (forecast.ends === 'unknown') return notRecommended('patch-strategy', effect('withheld-unknown'));
  if (forecast.ends === 'stuck') return nothingOffered;
  return offered({
    kind: 'patch-strategy',
    id: 'patch-strategy-in-place',
    title: say('title-in-place'),
    effects: effectsOf(state, forecast),
    price: impactOf(forecast, 'strategy'),
    prediction: predictionOf(forecast),
    strategy,
  });
}

function effectsOf(
  { leaderWorkerSet }: LeaderWorkerSetState,
  { steps, victims, winners = [] }: Forecast,
): readonly Statement[] {
  const pending = victims.filter((pod) => !hasNode(pod));
  const first = steps.flatMap(({ deleted }) => deleted.filter(hasNode)).slice(0, 1);
  const { replicas } = leaderWorkerSet.spec;
  return [
    ...(pending.length === 0 ? [] : [say('removes-surge-group', { pods: namesOf(pending) })]),
    say('stops-group-first', { pods: namesOf(first), graceSeconds: longestGrace(first) }),
    ...(replicas > 1 ? [say('then-group-by-group', { replicas })] : []),
    winners.length > 0
      ? effect('competitors', { pods: winners.map(({ namespace, name }) => `${namespace}/${name}`) })
      : effect('no-competitors'),
    say('stays', {
      maxSurge: String(strategy.maxSurge),
      maxUnavailable: String(strategy.maxUnavailable),
    }),
  ];
}
