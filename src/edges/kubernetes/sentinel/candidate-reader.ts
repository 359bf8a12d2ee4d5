import { isWatchedKind, oldPodsOf } from '../../../doctor/sentinel/old-pods.js';
import type { WorkloadRef } from '../../../engine/objects/workload.js';
import type { Unreadable } from '../../../service/diagnose/cluster-reader.js';
import type { Behind, CandidateReader } from '../../../service/sentinel/sentinel-ports.js';
import type { ClusterConnection } from '../cluster-connection.js';
import { type NamedOwner, ownerOfNamed } from '../controller-above.js';
import { readObject } from '../read-objects.js';

export interface CandidateReaderDeps {
  readonly connections: readonly ClusterConnection[];
  /** Deadline of one question, in milliseconds. */
  readonly timeoutMs: number;
}

const nothing = { type: 'nothing' } as const;

export function createCandidateReader({ connections, timeoutMs }: CandidateReaderDeps): CandidateReader {
  return {
    async behind(cluster, owner) {
      const connection = connections.find(({ name }) => name === cluster);
      if (connection === undefined) return nothing;
      const signal = AbortSignal.timeout(timeoutMs);
      const top =
        owner.kind === 'DaemonSet' ? owner : await ownerOfNamed(connection.call, owner.kind, owner, signal);
      if (top === undefined) return nothing;
      return 'type' in top ? top : workloadAt(connection, top, signal);
    },
  };
}

async function workloadAt(
  { name: cluster, call }: ClusterConnection,
  { kind, namespace, name }: NamedOwner,
  signal: AbortSignal,
): Promise<Behind> {
  if (!isWatchedKind(kind)) return nothing;
  const read = await readObject(call, kind, { namespace, name }, signal);
  if (read.type === 'unreadable') return read;
  if (read.type === 'missing') return nothing;
  const around = await readObject(call, 'Namespace', { namespace: '', name: namespace }, signal);
  if (around.type === 'unreadable' && !isForGood(around)) return around;
  const workload: WorkloadRef = { cluster, kind, namespace, name };
  return {
    type: 'workload',
    workload,
    annotated: {
      workload: read.value.metadata.annotations,
      namespace: around.type === 'read' ? around.value.metadata.annotations : {},
    },
    oldPods: oldPodsOf(read.value),
  };
}

/** Who may not read Namespaces goes by the workload and the settings. */
function isForGood({ because }: Unreadable): boolean {
  return because === 'forbidden' || because === 'not-served';
}
