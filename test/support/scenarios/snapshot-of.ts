import { recordedSource } from '#src/cli/sources.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import type { Scenario } from './expectation.js';

/** The workload of a recorded incident as a rule sees it. @throws when the recording lacks it */
export async function snapshotOf({ folder, expect }: Scenario): Promise<Snapshot> {
  const source = await recordedSource(folder, expect.takenAt);
  const { kind, namespace, name } = expect.workload;
  const snapshot = source
    .all(namespace)
    .find(({ workload }) => workload.kind === kind && workload.metadata.name === name);
  if (snapshot === undefined) throw new Error(`${folder} holds no ${kind} ${namespace}/${name}`);
  return snapshot;
}
