import { recordedSource } from '#src/cli/sources.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import { WorkloadKind } from '#src/core/cluster/workload.js';
import type { Scenario } from './expectation.js';

/** The workload of a recorded incident as a rule sees it. @throws when the recording lacks it */
export async function snapshotOf({ folder, expect }: Scenario): Promise<Snapshot> {
  const { reader, cluster } = await recordedSource(folder, expect.takenAt);
  const { namespace, name } = expect.workload;
  const kind = WorkloadKind.parse(expect.workload.kind);
  const read = await reader.snapshot({ cluster, kind, namespace, name }, new Set());
  if (read.type !== 'snapshot') throw new Error(`${folder} holds no ${kind} ${namespace}/${name}`);
  return read.snapshot;
}
