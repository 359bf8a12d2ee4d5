import * as z from 'zod';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { checkManifests, noCompanions } from './check-manifests.js';
import { type DeclaredManifest, plannedManifest } from './planned-below.js';
import type { RolloutCheck } from './rollout-check.js';

/** Checks one manifest on the cluster as a snapshot shows it; `undefined` where it can be no workload. */
export function checkSnapshot(manifest: DeclaredManifest, snapshot: Snapshot): RolloutCheck | undefined {
  const { index, unseen, cluster } = snapshot;
  const now = nowOf(snapshot);
  try {
    const planned = plannedManifest(manifest, snapshot);
    if (planned === undefined) return undefined;
    return checkManifests({
      index,
      unseen,
      cluster,
      now,
      manifests: [planned],
      companions: noCompanions,
    })[0];
  } catch (error) {
    if (error instanceof z.ZodError) return undefined;
    throw error;
  }
}
