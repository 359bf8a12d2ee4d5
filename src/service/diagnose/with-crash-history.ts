import type { Snapshot } from '../../engine/objects/snapshot.js';
import { hasDeploymentStrategy } from '../../engine/objects/workload.js';
import type { CrashHistoryReader } from '../history/crash-history-ports.js';
import type { Clock } from '../records/process-ports.js';
import type { ClusterReader } from './cluster-reader.js';

/**
 * A reader whose snapshots hold what is remembered of the workload's pods. Where nothing is remembered, or
 * the store does not answer, the snapshot is as it would be without.
 */
export function withCrashHistory<Reader extends Pick<ClusterReader, 'snapshot'>>(
  reader: Reader,
  history: CrashHistoryReader,
  clock: Clock,
): Reader {
  return {
    ...reader,
    async snapshot(ref, needs, signal) {
      const read = await reader.snapshot(ref, needs, signal);
      if (read.type !== 'snapshot') return read;
      const { cluster, namespace } = ref;
      const known = await history
        .read({ cluster, namespace, owners: ownersIn(read.snapshot) }, clock.now())
        .catch(() => undefined);
      return known === undefined ? read : { ...read, snapshot: { ...read.snapshot, history: known } };
    },
  };
}

/** Controllers of the workload's pods: its ReplicaSets, or itself. */
function ownersIn({ workload, index }: Snapshot): readonly string[] {
  const { uid } = workload.metadata;
  if (!hasDeploymentStrategy(workload)) return [uid];
  return (index.replicaSetsByOwner.get(uid) ?? []).map(({ metadata }) => metadata.uid);
}
