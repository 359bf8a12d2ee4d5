import type { Statement } from '../../../../engine/language/statement.js';
import { namesOf } from '../../../../engine/objects/metadata.js';
import { hasNode, type Pod } from '../../../../engine/objects/pod.js';
import { daemonSetBounds } from '../../../../engine/workloads/daemon-set-model.js';
import type { Forecast } from '../../../../engine/workloads/forecast.js';
import type { PodSimulator } from '../../../../engine/workloads/pod-simulator.js';
import type { DaemonSetChange } from '../../../../engine/workloads/revision-change.js';
import { nextDaemonSetSteps } from '../../../../engine/workloads/revision-forecast.js';
import type { DaemonSetState } from '../../../../engine/workloads/rollout-state.js';
import { startToReady } from '../../../../engine/workloads/start-to-ready.js';
import { effect, placedEffect } from '../../effects-text.js';
import { impactOf, longestGrace, predictionOf } from '../../forecast-change.js';
import { nothingOffered, notRecommended, type Offer, offered } from '../../offered-fields.js';
import { tooLarge } from '../../refusals.js';
import type { PatchStrategy } from './forms.js';
import { state as say } from './text.js';

export interface ProposeDaemonSetInput {
  readonly state: DaemonSetState;
  readonly simulator: PodSimulator;
  /** What follows from a change; left out: what the engines see for this workload alone. */
  readonly forecast?: (change: DaemonSetChange) => Forecast;
}

const strategy = { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 } as const;

/** The change that the remediation makes, as the engines know it. */
export const inPlaceUpdate: DaemonSetChange = {
  kind: 'rolling-update',
  maxSurge: strategy.maxSurge,
  maxUnavailable: strategy.maxUnavailable,
};

/**
 * The old pod of a node first, then the new one, one node at a time; offered where the engines see the update
 * complete. The controller also deletes the new pods that wait: with maxSurge 0 a node has one pod
 * (kubernetes `daemon_controller.go: podsShouldBeOnNode`), and makes them again.
 */
export function proposePatchDaemonSet(input: ProposeDaemonSetInput): Offer<PatchStrategy> {
  const { state, simulator } = input;
  const play = input.forecast ?? ((change) => nextDaemonSetSteps(state, change, simulator));
  const forecast = play(inPlaceUpdate);
  if (forecast.ends === 'too-large')
    return notRecommended('patch-strategy', tooLarge(state.daemonSet.metadata, forecast));
  if (forecast.ends === 'unknown') return notRecommended('patch-strategy', effect('withheld-unknown'));
  if (forecast.ends === 'stuck') return nothingOffered;
  const first = forecast.steps
    .flatMap(({ deleted }) => deleted)
    .filter(hasNode)
    .slice(0, 1);
  return offered({
    kind: 'patch-strategy',
    id: 'patch-strategy-in-place',
    title: say('title-in-place'),
    effects: effectsOf(state, forecast, first),
    price: impactOf(forecast, 'strategy'),
    prediction: predictionOf(forecast),
    strategy,
  });
}

function effectsOf(
  state: DaemonSetState,
  { placements, victims, orElse, winners = [] }: Forecast,
  first: readonly Pod[],
): readonly Statement[] {
  const graceSeconds = longestGrace(first);
  const [placement] = winners.length > 0 ? [] : placements;
  const started = startToReady(state);
  const others = namesOf(orElse.filter(hasNode));
  return [
    say('stops-first', { pods: namesOf(first), graceSeconds }),
    ...(others.length === 0 ? [] : [say('or-else', { pods: others })]),
    ...(placement === undefined ? [] : [placedEffect(placement)]),
    ...(victims.filter(hasNode).length > first.length
      ? [say('then-node-by-node', { nodes: daemonSetBounds(state).desired })]
      : []),
    ...(started === undefined || started.median < 1
      ? []
      : [effect('ready-last-time', { seconds: started.median })]),
    winners.length > 0
      ? effect('competitors', {
          pods: winners.map(({ namespace, name }) => `${namespace}/${name}`),
        })
      : effect('no-competitors'),
    say('stays', {
      maxSurge: String(strategy.maxSurge),
      maxUnavailable: String(strategy.maxUnavailable),
    }),
  ];
}
