import type { DeploymentStrategy } from '../cluster/workload.js';
import { nextSteps } from '../rollout/forecast.js';
import { checkOracle } from './check-oracle.js';
import { type Planned, plannedState } from './planned-rollout.js';
import type { WayOut } from './rollout-check.js';
import { priceValues, state as say } from './statements.js';

/** The gentlest strategy under which the engines see the same update complete; `undefined`: none, or no
 * Deployment. */
export function wayOutOf(rollout: Planned): WayOut | 'too-large' | undefined {
  const state = plannedState(rollout);
  if (state.kind !== 'Deployment') return undefined;
  for (const { strategy, model, key } of candidates) {
    const oracle = checkOracle(rollout.index, rollout.placement, rollout.now, 'first');
    const { ends, downtime } = nextSteps(state, { kind: 'strategy', strategy: model }, oracle);
    // The harsher strategy is no answer where the gentle one was not tried to its end.
    if (ends === 'too-large') return 'too-large';
    if (ends !== 'complete' || downtime === undefined) continue;
    return { strategy, downtime, summary: say(key, priceValues(downtime)) };
  }
  return undefined;
}

const candidates: readonly {
  readonly strategy: WayOut['strategy'];
  readonly model: DeploymentStrategy;
  readonly key: 'way-out-in-place' | 'way-out-recreate';
}[] = [
  {
    strategy: { type: 'RollingUpdate', maxSurge: 0, maxUnavailable: 1 },
    model: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
    key: 'way-out-in-place',
  },
  {
    strategy: { type: 'Recreate' },
    model: { type: 'Recreate', rollingUpdate: undefined },
    key: 'way-out-recreate',
  },
];
