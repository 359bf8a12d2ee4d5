import type { Pod } from '../../cluster/pod.js';
import type { Snapshot } from '../../cluster/snapshot.js';
import { rolloutStateOf } from '../../rollout/rollout-state.js';
import { stuckRolloutOf } from '../stuck-rollout.js';
import { strategyFactsOf } from './facts.js';
import type { RestingRollout } from './resting.js';
import { restingArgoRolloutOf } from './resting-argo-rollout.js';
import { restingGroupsOf } from './resting-groups.js';
import { restingRevisionsOf } from './resting-revisions.js';
import { strategyEvidence, strategyStatement } from './strategy.js';

/** The kinds whose strategy bounds how many pods or groups exist beside the old ones. */
export const boundedKinds = ['Deployment', 'Rollout', 'LeaderWorkerSet'] as const;

/** The kinds that start new pods beside old ones and wait for them. */
export const restingKinds = [
  ...boundedKinds,
  'KnativeService',
  'RayService',
  'DynamoGraphDeployment',
] as const;

/**
 * The rollout as a candidate for a deadlock with itself, or `undefined` when it is none: it waits for a person, is not
 * observed yet, has no old pods left, or something is still moving by itself.
 *
 * @param cannotStart tells young pods of which it is known that they will not become ready, however long they are given
 */
export function restingRolloutOf(
  snapshot: Snapshot,
  cannotStart: (pod: Pod) => boolean = () => false,
): RestingRollout | undefined {
  if (snapshot.workload.metadata.deletionTimestamp !== undefined) return undefined;
  const state = rolloutStateOf(snapshot);
  switch (state.kind) {
    case 'Deployment':
      return restingDeploymentOf(snapshot, cannotStart);
    case 'Rollout':
      return restingArgoRolloutOf(state, cannotStart);
    case 'LeaderWorkerSet':
      return restingGroupsOf(state, cannotStart);
    case 'Revisioned':
      return restingRevisionsOf(state, cannotStart);
    case 'StatefulSet':
    case 'DaemonSet':
      return undefined;
  }
}

function restingDeploymentOf(
  snapshot: Snapshot,
  cannotStart: (pod: Pod) => boolean,
): RestingRollout | undefined {
  const rollout = stuckRolloutOf(snapshot, cannotStart);
  if (rollout === undefined) return undefined;
  const { deployment, state, holding, blocked } = rollout;
  return {
    workload: deployment,
    state,
    holding,
    blocked,
    strategy: strategyStatement(rollout),
    strategyFacts: strategyFactsOf(deployment),
    strategyEvidence: strategyEvidence(rollout),
  };
}
