import { expect } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import type { Finding } from '#src/doctor/findings/finding.js';
import { sourceOfRecording } from '#src/edges/cli/sources.js';
import { createCollector } from '#src/edges/recordings/collect-objects.js';
import { createAllowance, readDocuments } from '#src/edges/recordings/read-documents.js';
import { fileOnDisk } from '#src/edges/recordings/read-recording.js';
import { textFilesOf } from '#src/edges/recordings/read-text.js';
import { createWithholder } from '#src/edges/recordings/withhold-values.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { Property } from '../property.js';
import { diagnosisOf, type Recorded, snapshotOf, sourceOf, workloadIn } from '../recorded.js';

const withhold = createWithholder('a-salt');

/** The same incident, recorded without the values that no rule needs. */
async function withheld(recorded: Recorded): Promise<Snapshot> {
  const { folder, expect: wanted } = recorded;
  const collector = createCollector();
  const allowance = createAllowance();
  for (const path of textFilesOf(folder)) {
    await readDocuments(fileOnDisk(path), allowance, {
      take: (document, place) =>
        collector.take(withhold(document), { shown: path, place, isOnlyFile: false }),
      lacks() {
        throw new Error(`${path} is incomplete`);
      },
      takeText: () => undefined,
    });
  }
  const { logs } = await snapshotOf(recorded);
  const { cluster } = await sourceOf(recorded);
  const source = sourceOfRecording({ ...collector.finish(folder), logs }, cluster, wanted.takenAt);
  return workloadIn(source, recorded);
}

/** A finding without the annotations and variables that it quotes as a difference of two templates. */
function comparable({ cause, confidence, facts }: Finding): unknown {
  const text = JSON.stringify({ cause, confidence, facts }, (_, value) =>
    typeof value === 'object' && value !== null && /\.(?:annotations|env)\b/u.test(String(value.path))
      ? { path: value.path }
      : value,
  );
  // A word that holds a secret is left out as a whole.
  return text.replace(/[^\s"]*(?:\[redacted [^\]]+\]|redacted-[0-9a-f]{6})/gu, 'left-out');
}

export const withoutValues: readonly Property[] = [
  {
    name: 'is diagnosed the same from a recording without values',
    async check(recorded) {
      const { findings } = await diagnosisOf(recorded);
      const other = diagnose(await withheld(recorded), causes).findings;
      expect(other.map(comparable)).toEqual(findings.map(comparable));
    },
  },
];
