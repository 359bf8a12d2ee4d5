import { strategyFactsOf } from '../../deadlock/facts.js';
import { strategyEvidence, strategyStatement } from '../../deadlock/strategy.js';
import type { Examination } from '../../rule.js';
import { isUnschedulable, stuckRolloutOf } from '../../stuck-rollout.js';
import { deploymentRemedies } from './remedies.js';

import type { Stuck } from './stuck.js';

/** A Deployment at rest half-way, all of whose new pods that are not available were refused by the scheduler. */
export function stuckDeploymentOf(examination: Examination): Stuck | undefined {
  const rollout = stuckRolloutOf(examination.snapshot);
  if (rollout === undefined) return undefined;
  const [first, ...rest] = rollout.blocked.filter(isUnschedulable);
  if (first === undefined || 1 + rest.length < rollout.blocked.length) return undefined;
  const waiting = [first, ...rest] as const;
  return {
    workload: rollout.deployment,
    holding: rollout.holding,
    waiting,
    strategy: strategyStatement(rollout),
    strategyFacts: strategyFactsOf(rollout.deployment),
    strategyEvidence: strategyEvidence(rollout),
    weakenedBy: [],
    remedies: (node, resource) => deploymentRemedies(examination, rollout.state, waiting, { node, resource }),
  };
}
