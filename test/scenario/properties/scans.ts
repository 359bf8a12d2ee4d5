import { expect } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { answerScan } from '#src/edges/library/answers.js';
import { DiagnosisListAnswer } from '#src/edges/library/shapes.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { Property } from '../property.js';
import { diagnosisOf, engine, reading, snapshotOf, sourceOf } from '../recorded.js';

/** Every workload of the recording, as a scan sees it. */
const workloadsOf = reading(async (recorded): Promise<readonly Snapshot[]> => {
  const { reader, cluster } = await sourceOf(recorded);
  const scope = await reader.scope({ cluster, namespace: '' }, new Set(), new AbortController().signal);
  return scope.type === 'scope' ? scope.snapshots : [];
});

/** The same objects, of which nothing is computed yet. */
function anew(snapshot: Snapshot): Snapshot {
  const { objects, podsReadOn, serverVersion } = snapshot.index;
  return { ...snapshot, index: indexObjects({ ...objects }, podsReadOn, serverVersion) };
}

/** What a scan computes once for all workloads must not show in the answer about any of them. */
export const scans: readonly Property[] = [
  {
    name: 'is answered by a scan as each workload alone is, in a list of the published shape',
    async check(recorded, saw) {
      const snapshots = await workloadsOf(recorded);
      expect(snapshots.length).toBeGreaterThan(0);
      if (snapshots.length < 2) return;
      const alone = snapshots.map((snapshot) => engine.diagnose(anew(snapshot)));
      const together = snapshots.map((snapshot) => engine.diagnose(snapshot));
      const backwards = snapshots.toReversed().map((snapshot) => engine.diagnose(snapshot));
      expect(together).toEqual(alone);
      expect(backwards.toReversed()).toEqual(alone);
      for (const _ of snapshots) saw('a workload');

      const answer = await answerScan(await sourceOf(recorded), undefined, 'en');
      expect(DiagnosisListAnswer.parse(answer)).toEqual(answer);
      expect(answer.items).toHaveLength(snapshots.length);
    },
    whole: (seen) => expect(seen.get('a workload')).toBeGreaterThan(50),
  },
  {
    name: 'is answered about one cause as among all causes',
    async check(recorded, saw) {
      const { findings } = await diagnosisOf(recorded);
      const snapshot = anew(await snapshotOf(recorded));
      const found = causes.filter(({ id }) => findings.some(({ cause }) => cause === id));
      // Also of causes that were perhaps found, and that a better one explains.
      const asked = new Set([...found.map(({ id }) => id), ...found.flatMap(({ supersedes }) => supersedes)]);
      for (const cause of asked) {
        const about = engine.diagnose(snapshot, undefined, [cause]);
        expect(about.findings, cause).toEqual(findings.filter((each) => each.cause === cause));
        saw('a cause');
      }
    },
    whole: (seen) => expect(seen.get('a cause')).toBeGreaterThan(500),
  },
];
