import type { Statement } from '../../../../engine/language/statement.js';
import type { DeploymentStrategy } from '../../../../engine/objects/workload.js';
import { isReplacedByEachChange, namedOwnerOf } from '../../../../engine/parents/parent-resource.js';
import { type Forecast, nextSteps } from '../../../../engine/workloads/forecast.js';
import type { PodSimulator } from '../../../../engine/workloads/pod-simulator.js';
import type { DeploymentChange } from '../../../../engine/workloads/rollout-change.js';
import type { DeploymentState } from '../../../../engine/workloads/rollout-state.js';
import type { SimulatedStep } from '../../../../engine/workloads/simulation.js';
import { startToReady } from '../../../../engine/workloads/start-to-ready.js';
import { effect, placedEffect } from '../../effects-text.js';
import { impactOf, longestGrace, predictionOf } from '../../forecast-change.js';
import { nothingOffered, notRecommended, type Offer, offered } from '../../offered-fields.js';
import { tooLarge } from '../../refusals.js';
import type { PatchStrategy } from './forms.js';
import { patchStrategyForms, strategiesFor } from './forms.js';
import { state as say } from './text.js';

export interface ProposeInput {
  readonly state: DeploymentState;
  readonly simulator: PodSimulator;
  /** What follows from a change; left out: what the engines see for this workload alone. */
  readonly forecast?: (change: DeploymentChange) => Forecast;
}

type Proposal = PatchStrategy;

/**
 * The gentlest strategy under which the engines see the rollout complete: one old pod at a time, else all at
 * once. Nothing is offered that the engines do not see ending well; `too-large` says why they do not see it.
 * Where another waiting pod could take what becomes free, the prediction says so (`contested`).
 */
export function proposePatchStrategy(input: ProposeInput): Offer<PatchStrategy> {
  let isOpen = false;
  const play = input.forecast ?? ((change) => nextSteps(input.state, change, input.simulator));
  for (const strategy of strategiesFor(input.state.deployment)) {
    const forecast = play(strategyChange(strategy));
    if (forecast.ends === 'complete' || forecast.ends === 'contested')
      return offered(proposal(input, strategy, forecast));
    // The harsher strategy is no answer where the gentle one was not tried to its end.
    if (forecast.ends === 'too-large') {
      return notRecommended('patch-strategy', tooLarge(input.state.deployment.metadata, forecast));
    }
    isOpen ||= forecast.ends === 'unknown';
  }
  return isOpen ? notRecommended('patch-strategy', effect('withheld-unknown')) : nothingOffered;
}

/** The change that the remediation makes, as the engines know it. */
export function strategyChange(strategy: Proposal['strategy']): DeploymentChange {
  return { kind: 'strategy', strategy: modelOf(strategy) };
}

function modelOf(strategy: Proposal['strategy']): DeploymentStrategy {
  if (strategy.type === 'Recreate') return { type: 'Recreate', rollingUpdate: undefined };
  const { type, maxSurge, maxUnavailable } = strategy;
  return { type, rollingUpdate: { maxSurge, maxUnavailable } };
}

function proposal({ state }: ProposeInput, strategy: Proposal['strategy'], forecast: Forecast): Proposal {
  const firstStop = forecast.steps.find(({ deleted }) => deleted.length > 0);
  return {
    kind: 'patch-strategy',
    id: `patch-strategy-${nameOf(strategy)}`,
    title: say(`title-${nameOf(strategy)}`),
    effects: effectsOf(state, strategy, forecast, firstStop),
    price: impactOf(forecast, 'strategy'),
    prediction: predictionOf(forecast),
    strategy,
    ...(isReplacedByEachChange(state.deployment) ? { hasNoUndo: true } : {}),
  };
}

function nameOf(strategy: Proposal['strategy']): 'in-place' | 'all-at-once' | 'recreate' {
  if (strategy.type === 'Recreate') return 'recreate';
  return strategy.maxUnavailable === patchStrategyForms.allAtOnce.maxUnavailable ? 'all-at-once' : 'in-place';
}

function effectsOf(
  state: DeploymentState,
  strategy: Proposal['strategy'],
  { placements, victims, winners = [] }: Forecast,
  firstStop: SimulatedStep | undefined,
): readonly Statement[] {
  const firstVictims = firstStop?.deleted ?? [];
  const orElse = firstStop?.orElse ?? [];
  const graceSeconds = longestGrace(firstVictims);
  const [first] = winners.length > 0 ? [] : placements;
  const started = startToReady(state);
  const owner = namedOwnerOf(state.deployment);
  const statements = [
    ...(owner === undefined
      ? []
      : [say('in-owner', { owner: `${owner.kind} ${owner.namespace}/${owner.name}` })]),
    ...(isReplacedByEachChange(state.deployment) ? [say('replaces-all-nodes')] : []),
    strategy.type === 'Recreate'
      ? effect('stops-all', { pods: victims.length, graceSeconds })
      : say('stops-first', { pods: firstVictims.map(({ metadata }) => metadata.name), graceSeconds }),
    ...(orElse.length === 0 ? [] : [say('or-else', { pods: orElse.map(({ metadata }) => metadata.name) })]),
    ...(first === undefined ? [] : [placedEffect(first)]),
    ...(nameOf(strategy) === 'in-place' && victims.length > firstVictims.length
      ? [say('then-one-by-one', { replicas: state.deployment.spec.replicas })]
      : []),
    ...(started === undefined || started.median < 1
      ? []
      : [effect('ready-last-time', { seconds: started.median })]),
    winners.length > 0
      ? effect('competitors', {
          pods: winners.map(({ namespace, name }) => `${namespace}/${name}`),
        })
      : effect('no-competitors'),
  ];
  if (strategy.type === 'Recreate') return statements;
  const { maxSurge, maxUnavailable } = strategy;
  return [
    ...statements,
    say('stays', { maxSurge: String(maxSurge), maxUnavailable: String(maxUnavailable) }),
  ];
}
