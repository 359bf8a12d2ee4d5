import { describe, expect, it } from 'vitest';
import { createCollector } from '#src/adapters/recording/collect-objects.js';
import { createAllowance, readDocuments } from '#src/adapters/recording/read-documents.js';
import { readRecording } from '#src/adapters/recording/read-recording.js';
import { textFilesOf } from '#src/adapters/recording/read-text.js';
import { createWithholder } from '#src/adapters/recording/withhold-values.js';
import { sourceOfRecording } from '#src/cli/sources.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import { WorkloadKind } from '#src/core/cluster/workload.js';
import type { Finding } from '#src/core/diagnosis/finding.js';
import { createDoctor } from '#src/doctor.js';
import { type Scenario, scenarios } from '#support/scenarios/expectation.js';
import { snapshotOf } from '#support/scenarios/snapshot-of.js';

const { diagnose } = createDoctor();
const withhold = createWithholder('a-salt');

/** The same incident, recorded without the values that no rule needs. */
async function withoutValues({ folder, expect: { takenAt, workload } }: Scenario): Promise<Snapshot> {
  const collector = createCollector();
  const allowance = createAllowance();
  for (const path of textFilesOf(folder)) {
    await readDocuments({ path, shown: path, within: undefined }, allowance, (document, place) =>
      collector.take(withhold(document), { shown: path, place, isOnlyFile: false }),
    );
  }
  const { logs } = await readRecording(folder);
  const { reader, cluster } = sourceOfRecording({ ...collector.finish(folder), logs }, 'recording', takenAt);
  const { namespace, name } = workload;
  const ref = { cluster, kind: WorkloadKind.parse(workload.kind), namespace, name };
  const read = await reader.snapshot(ref, new Set());
  if (read.type !== 'snapshot') throw new Error(`${folder} holds no ${name}`);
  return read.snapshot;
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

describe.each(scenarios().map((scenario) => [scenario.expect.id, scenario] as const))(
  'the diagnosis of %s',
  (_, scenario) => {
    it('is the same of a recording without values', async () => {
      const full = await snapshotOf(scenario);
      const { findings } = diagnose({ ...full, cluster: 'recording' });
      const withheld = diagnose(await withoutValues(scenario)).findings;
      expect(withheld.map(comparable)).toEqual(findings.map(comparable));
    });
  },
);
