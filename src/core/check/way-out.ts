import type { DeploymentStrategy } from '../cluster/workload.js';
import type { Statement } from '../language/statement.js';
import { nextSteps } from '../rollout/forecast.js';
import { checkSimulator } from './check-oracle.js';
import { type Planned, plannedState } from './planned-rollout.js';
import type { WayOut } from './rollout-check.js';
import { impactValues, nameOf } from './statement-values.js';
import { state as say } from './text.js';

/**
 * The gentlest strategy under which the engines see the same update complete, and what is to be said of the
 * others.
 */
export interface WayOutAnswer {
  readonly wayOut: WayOut | undefined;
  readonly reasoning: readonly Statement[];
}

export function wayOutOf(rollout: Planned): WayOutAnswer {
  const state = plannedState(rollout);
  const contested: Statement[] = [];
  if (state.kind !== 'Deployment') return { wayOut: undefined, reasoning: [] };
  for (const { strategy, model, key } of candidates) {
    const simulator = checkSimulator({ ...rollout, workload: rollout.planned }, 'first');
    const {
      ends,
      downtime,
      winners = [],
    } = nextSteps(state, { kind: 'strategy', strategy: model }, simulator);
    // The harsher strategy is no answer where the gentle one was not tried to its end.
    if (ends === 'too-large') return { wayOut: undefined, reasoning: [say('way-out-too-large')] };
    if (ends === 'contested') {
      contested.push(say('way-out-contested', { strategy: strategy.type, workloads: winners.map(nameOf) }));
    }
    if (ends !== 'complete' || downtime === undefined) continue;
    const summary = say(key, impactValues(downtime));
    return { wayOut: { strategy, downtime, summary }, reasoning: [...contested, summary] };
  }
  return { wayOut: undefined, reasoning: contested };
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
