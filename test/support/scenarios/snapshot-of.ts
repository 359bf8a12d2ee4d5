import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { recordedSource } from '#src/edges/cli/sources.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { WorkloadKind } from '#src/engine/objects/workload.js';
import { createEngine } from '#src/service/create-engine.js';
import type { Scenario } from './expectation.js';

/** By folder. Files of one process share them, and nothing changes a snapshot or a diagnosis. */
const snapshots = new Map<string, Promise<Snapshot>>();
const diagnoses = new Map<string, Promise<Diagnosis>>();
const engine = createEngine();

/**
 * The workload of a recorded incident as a rule sees it, read once a process. @throws when the recording
 * lacks it
 */
export function snapshotOf(scenario: Scenario): Promise<Snapshot> {
  return once(snapshots, scenario, readSnapshot);
}

/** What all rules find in a recorded incident, computed once a process. */
export function diagnosisOf(scenario: Scenario): Promise<Diagnosis> {
  return once(diagnoses, scenario, async () => engine.diagnose(await snapshotOf(scenario)));
}

function once<Value>(
  known: Map<string, Promise<Value>>,
  scenario: Scenario,
  work: (scenario: Scenario) => Promise<Value>,
): Promise<Value> {
  const key = `${scenario.folder} ${scenario.expect.takenAt}`;
  const found = known.get(key) ?? work(scenario);
  known.set(key, found);
  return found;
}

async function readSnapshot({ folder, expect }: Scenario): Promise<Snapshot> {
  const { reader, cluster } = await recordedSource(folder, expect.takenAt);
  const { namespace, name } = expect.workload;
  const kind = WorkloadKind.parse(expect.workload.kind);
  const read = await reader.snapshot({ cluster, kind, namespace, name }, new Set());
  if (read.type !== 'snapshot') throw new Error(`${folder} holds no ${kind} ${namespace}/${name}`);
  return read.snapshot;
}
