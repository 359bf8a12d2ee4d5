import type { Pod } from '../../../cluster/pod.js';
import type { Snapshot } from '../../../cluster/snapshot.js';
import type { DeploymentStrategy } from '../../../cluster/workload.js';
import type { Statement } from '../../../language/statement.js';
import type { Placement } from '../../../placement/placement.js';
import { type Forecast, nextSteps } from '../../../rollout/forecast.js';
import type { PodOracle } from '../../../rollout/pod-oracle.js';
import type { DeploymentState } from '../../../rollout/rollout-state.js';
import type { SimulatedStep } from '../../../rollout/simulation.js';
import { startToReady } from '../../../rollout/start-to-ready.js';
import { competitorsOf } from '../../competitors-of.js';
import { nothingOffered, type Offer, offered, withheld } from '../../offer.js';
import { longestGrace, predictionOf, priceOf } from '../../price-of.js';
import { tooLarge } from '../../refusals.js';
import type { RemediationOf } from '../../remediation.js';
import { state as say } from './statements.js';

export interface ProposeInput {
  readonly snapshot: Snapshot;
  readonly state: DeploymentState;
  readonly placement: Placement;
  readonly oracle: PodOracle;
  /** The new pods that wait. */
  readonly waiting: readonly Pod[];
}

type Proposal = RemediationOf<'patch-strategy'>;

const inPlace: Proposal['strategy'] = { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 };
const recreate: Proposal['strategy'] = { type: 'Recreate' };

/**
 * The gentlest strategy under which the engines see the rollout complete: one old pod at a time, else all at once.
 * Nothing is offered that the engines do not see ending well; `too-large` says why they do not see it.
 */
export function proposePatchStrategy(input: ProposeInput): Offer<'patch-strategy'> {
  for (const strategy of [inPlace, recreate]) {
    const forecast = nextSteps(input.state, { kind: 'strategy', strategy: modelOf(strategy) }, input.oracle);
    if (forecast.ends === 'complete') return offered(proposal(input, strategy, forecast));
    // The harsher strategy is no answer where the gentle one was not tried to its end.
    if (forecast.ends === 'too-large') {
      return withheld('patch-strategy', tooLarge(input.state.deployment.metadata, forecast));
    }
  }
  return nothingOffered;
}

function modelOf(strategy: Proposal['strategy']): DeploymentStrategy {
  if (strategy.type === 'Recreate') return { type: 'Recreate', rollingUpdate: undefined };
  const { type, maxSurge, maxUnavailable } = strategy;
  return { type, rollingUpdate: { maxSurge, maxUnavailable } };
}

function proposal(
  { snapshot, state, placement, waiting }: ProposeInput,
  strategy: Proposal['strategy'],
  forecast: Forecast,
): Proposal {
  const firstStop = forecast.steps.find(({ deleted }) => deleted.length > 0);
  const firstVictims = firstStop?.deleted ?? [];
  const competitors = competitorsOf(snapshot, placement, waiting, firstVictims);
  return {
    kind: 'patch-strategy',
    id: strategy.type === 'Recreate' ? 'patch-strategy-recreate' : 'patch-strategy-in-place',
    title: strategy.type === 'Recreate' ? say('title-recreate', {}) : say('title-in-place', {}),
    effects: effectsOf(state, strategy, forecast, firstStop, competitors),
    price: priceOf(forecast, 'strategy'),
    prediction: predictionOf(forecast, competitors),
    strategy,
  };
}

function effectsOf(
  state: DeploymentState,
  strategy: Proposal['strategy'],
  { placements, victims }: Forecast,
  firstStop: SimulatedStep | undefined,
  competitors: readonly Pod[],
): readonly Statement[] {
  const firstVictims = firstStop?.deleted ?? [];
  const orElse = firstStop?.orElse ?? [];
  const graceSeconds = longestGrace(firstVictims);
  const [first] = placements;
  const started = startToReady(state);
  const statements = [
    strategy.type === 'Recreate'
      ? say('stops-all', { pods: victims.length, graceSeconds })
      : say('stops-first', { pods: firstVictims.map(({ metadata }) => metadata.name), graceSeconds }),
    ...(orElse.length === 0 ? [] : [say('or-else', { pods: orElse.map(({ metadata }) => metadata.name) })]),
    ...(first === undefined ? [] : [say('then-placed', { pod: first.pod.metadata.name, node: first.node })]),
    ...(strategy.type === 'RollingUpdate' && victims.length > firstVictims.length
      ? [say('then-one-by-one', { replicas: state.deployment.spec.replicas })]
      : []),
    ...(started === undefined || started.median < 1
      ? []
      : [say('ready-last-time', { seconds: started.median })]),
    competitors.length > 0
      ? say('competitors', {
          pods: competitors.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
        })
      : say('no-competitors', {}),
  ];
  if (strategy.type === 'Recreate') return statements;
  const { maxSurge, maxUnavailable } = strategy;
  return [
    ...statements,
    say('stays', { maxSurge: String(maxSurge), maxUnavailable: String(maxUnavailable) }),
  ];
}
