import type { Pod } from '../../../cluster/pod.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { type FailedCreation, failedCreationsOf } from '../../../creation/failed-creation.js';
import {
  chargedFor,
  type Exceeded,
  opensByItself,
  type QuotaBlock,
  quotaBlockOf,
  smallestRelease,
} from '../../../creation/quota-block.js';
import { neighboursThatFreeQuota } from '../../../neighbours/quota-neighbours.js';
import { isFixedPoint } from '../../../rollout/fixed-point.js';
import { rolloutStateOf } from '../../../rollout/rollout-state.js';
import { ownPods } from '../../waiting/predecessors.js';

/** A creation refused for a quota that will not get room by waiting for this workload. */
export interface Refusal {
  readonly failed: FailedCreation;
  /** What is short: as worked out, or as the API server said where that could not be done. */
  readonly exceeded: readonly [Exceeded, ...Exceeded[]];
  /** `undefined` when something else than a pod is refused: then only the API server's words are known. */
  readonly block: QuotaBlock | undefined;
  /** Charged old pods of the workload whose leaving is not enough; empty where there are none. */
  readonly oldInVain: readonly Pod[];
  /** Old pods would be enough, but the rollout waits for new pods that exist. */
  readonly oldEnough: boolean;
  /**
   * `namespace/name` of workloads whose rollout is in progress and frees enough of the quota when it
   * completes.
   */
  readonly neighbours: readonly string[];
}

/** The first refusal of the workload that is a quota's, and stays unless somebody acts. */
export function refusalOf(snapshot: Snapshot): Refusal | undefined {
  for (const failed of failedCreationsOf(snapshot)) {
    const { denial } = failed;
    if (denial.kind !== 'quota' || denial.refusal.kind !== 'exceeded') continue;
    const block = quotaBlockOf(snapshot, failed);
    if (block === undefined) {
      return { failed, exceeded: [denial.refusal], block, oldInVain: [], oldEnough: false, neighbours: [] };
    }
    if (opensByItself(snapshot, block)) continue;
    const refusal = ofPod(snapshot, failed, block);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

/** While the rollout still moves, its own old pods will make room in their turn. */
function ofPod(snapshot: Snapshot, failed: FailedCreation, block: QuotaBlock): Refusal | undefined {
  const state = rolloutStateOf(snapshot);
  const now = nowOf(snapshot);
  const [first, ...more] = block.refusals;
  const exceeded = [first ?? block.said, ...more] as const;
  const old = chargedFor(block, ownPods(snapshot).predecessors, now);
  const oldEnough = smallestRelease(block, old, now) !== undefined;
  const isStepped = state.kind !== 'StatefulSet' && state.kind !== 'DaemonSet';
  if (oldEnough && isStepped && !isFixedPoint(state)) return undefined;
  const neighbours = neighboursThatFreeQuota(snapshot, block).map(
    ({ owner }) => `${owner.namespace}/${owner.name}`,
  );
  return { failed, exceeded, block, oldInVain: oldEnough ? [] : old, oldEnough, neighbours };
}
