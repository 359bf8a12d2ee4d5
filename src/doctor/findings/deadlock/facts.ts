import * as z from 'zod';
import type { Deployment } from '../../../engine/objects/workload.js';
import { rollingBounds } from '../../../engine/workloads/fenceposts.js';
import { proofFacts } from '../escapes/index.js';
import { type FactsOf, fact } from '../facts.js';

/** What the strategy of a rollout allows. */
export const Strategy = z.strictObject({
  maxSurge: fact.text('`maxSurge` as the workload states it, or `-`'),
  maxUnavailable: fact.text('`maxUnavailable` as the workload states it, or `-`').optional(),
  surge: fact.count('Pods that may exist beyond those wanted'),
  unavailable: fact.count('Pods that may be missing').optional(),
  replicas: fact.count('Pods wanted').optional(),
  missing: fact.count('Pods that are missing now').optional(),
});
export type StrategyFacts = FactsOf<typeof Strategy>;

/** Facts that every cause of a deadlocked rollout has. */
export const deadlockFacts = {
  revision: fact.text('The revision that cannot be completed'),
  stuckSeconds: fact.seconds('How long the rollout has been stuck').optional(),
  strategy: Strategy.describe('Why the controller stops no old pod; absent for a StatefulSet').optional(),
  ...proofFacts,
} as const;

export function strategyFactsOf(deployment: Deployment) {
  const { replicas, strategy } = deployment.spec;
  const { maxSurge: surge, maxUnavailable: unavailable } = rollingBounds(deployment);
  return {
    maxSurge: String(strategy.rollingUpdate?.maxSurge ?? '-'),
    maxUnavailable: String(strategy.rollingUpdate?.maxUnavailable ?? '-'),
    surge,
    unavailable,
    replicas,
    missing: Math.max(0, replicas - deployment.status.availableReplicas),
  };
}
