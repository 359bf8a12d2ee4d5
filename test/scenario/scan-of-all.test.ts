import { describe, expect, it } from 'vitest';
import { recordedSource } from '#src/cli/sources.js';
import { indexObjects } from '#src/core/cluster/cluster-index.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import { createDoctor } from '#src/doctor.js';
import { scenarios } from '#support/scenarios/expectation.js';

const doctor = createDoctor();

async function workloadsOf(folder: string, takenAt: string | undefined): Promise<readonly Snapshot[]> {
  const { reader, cluster } = await recordedSource(folder, takenAt);
  const scope = await reader.scope({ cluster, namespace: '' }, new Set(), new AbortController().signal);
  return scope.type === 'scope' ? scope.snapshots : [];
}

/** The same objects, of which nothing is computed yet. */
function anew(snapshot: Snapshot): Snapshot {
  const { objects, podsReadOn, serverVersion } = snapshot.index;
  return { ...snapshot, index: indexObjects({ ...objects }, podsReadOn, serverVersion) };
}

/** What a scan computes once for all workloads must not show in the answer about any of them. */
describe('a scan', () => {
  it('answers of each workload as a diagnosis of this workload alone does', async () => {
    let compared = 0;
    for (const { folder, expect: recorded } of scenarios()) {
      const snapshots = await workloadsOf(folder, recorded.takenAt);
      if (snapshots.length < 2) continue;
      const alone = snapshots.map((snapshot) => doctor.diagnose(anew(snapshot)));
      const together = snapshots.map((snapshot) => doctor.diagnose(snapshot));
      const backwards = snapshots.toReversed().map((snapshot) => doctor.diagnose(snapshot));
      expect({ folder, found: together }).toEqual({ folder, found: alone });
      expect({ folder, found: backwards.toReversed() }).toEqual({ folder, found: alone });
      compared += snapshots.length;
    }
    expect(compared).toBeGreaterThan(50);
  }, 180_000);
});
