import type { Pod } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { hasOrdinals, hasPodPerNode, workloadKinds } from '../../../engine/objects/workload.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { stuckRolloutOf } from '../stuck-rollout.js';
import { strategyFactsOf } from './facts.js';
import type { StableRollout } from './stable.js';
import { stableArgoRolloutOf } from './stable-argo-rollout.js';
import { stableGroupsOf } from './stable-groups.js';
import { stableRevisionsOf } from './stable-revisions.js';
import { strategyEvidence, strategyStatement } from './strategy.js';

/** The kinds whose strategy bounds how many pods or groups exist beside the old ones. */
export const boundedKinds = ['Deployment', 'Rollout', 'LeaderWorkerSet'] as const;

/** The kinds that start new pods beside old ones and wait for them. */
export const stableKinds = workloadKinds.filter((kind) => !hasOrdinals({ kind }) && !hasPodPerNode({ kind }));

/**
 * The rollout as a candidate for a deadlock with itself, or `undefined` when it is none: it waits for a
 * person, is not observed yet, has no old pods left, or something is still moving by itself.
 *
 * @param cannotStart tells young pods of which it is known that they will not become ready, however long they
 *   are given
 */
export function stableRolloutOf(
  snapshot: Snapshot,
  cannotStart: (pod: Pod) => boolean = () => false,
): StableRollout | undefined {
  if (snapshot.workload.metadata.deletionTimestamp !== undefined) return undefined;
  const state = rolloutStateOf(snapshot);
  switch (state.kind) {
    case 'Deployment':
      return stableDeploymentOf(snapshot, cannotStart);
    case 'Rollout':
      return stableArgoRolloutOf(state, cannotStart);
    case 'LeaderWorkerSet':
      return stableGroupsOf(state, cannotStart);
    case 'Revisioned':
      return stableRevisionsOf(state, cannotStart);
    case 'StatefulSet':
    case 'DaemonSet':
      return undefined;
  }
}

function stableDeploymentOf(
  snapshot: Snapshot,
  cannotStart: (pod: Pod) => boolean,
): StableRollout | undefined {
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
