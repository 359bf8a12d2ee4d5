import { type ClusterIndex, indexObjects } from '../../core/cluster/cluster-index.js';
import { compareText } from '../../core/cluster/cluster-objects.js';
import type { Snapshot, Unseen } from '../../core/cluster/snapshot.js';
import { unrecordedKinds } from '../../core/cluster/unrecorded.js';
import type { Workload } from '../../core/cluster/workload.js';
import type { NamedWorkload } from '../../core/command/command.js';
import { nearestTo } from '../../core/command/resolve-workload.js';
import type { Recording } from './read-recording.js';

/** All workloads of the recording, by namespace, name and kind. */
export function workloadsIn({ objects }: Recording): readonly Workload[] {
  const all: Workload[] = [...objects.Deployment, ...objects.StatefulSet, ...objects.DaemonSet];
  return all.sort(
    (a, b) =>
      compareText(a.metadata.namespace, b.metadata.namespace) ||
      compareText(a.metadata.name, b.metadata.name) ||
      compareText(a.kind, b.kind),
  );
}

export type FoundInRecording =
  | { readonly type: 'found'; readonly workloads: readonly Workload[] }
  | { readonly type: 'not-found'; readonly nearest: readonly string[] };

/** The workloads a query may mean, or the nearest names. */
export function findInRecording(
  recording: Recording,
  { kind, namespace, name }: NamedWorkload,
): FoundInRecording {
  const all = workloadsIn(recording);
  const workloads = all.filter(
    (workload) =>
      workload.metadata.name === name &&
      (kind === undefined || workload.kind === kind) &&
      (namespace === undefined || workload.metadata.namespace === namespace),
  );
  if (workloads.length > 0) return { type: 'found', workloads };
  const near = nearestTo(name, all, ({ metadata }) => metadata.name);
  const nearest = near.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  return { type: 'not-found', nearest: [...new Set(nearest)] };
}

/**
 * The recording as seen by one workload after another: the index is built once.
 *
 * @param takenAt RFC3339, the moment that ages are counted to
 * @param cluster the name shown for the recording
 */
export function snapshotsOf(
  recording: Recording,
  takenAt: string,
  cluster: string,
): (workload: Workload) => Snapshot {
  const index: ClusterIndex = indexObjects(recording.objects);
  const unseen = [...unrecordedKinds(recording.objects), ...malformedKinds(recording)];
  return (workload) => ({ takenAt, cluster, workload, index, logs: recording.logs, unseen });
}

/** Each kind of which some object does not parse, with the first of them. */
function malformedKinds({ malformed }: Recording): readonly Unseen[] {
  const first = new Map([...malformed].reverse().map(({ kind, error }) => [kind, error.message]));
  return [...first].map(([what, message]) => ({ what, namespace: '', because: 'malformed', message }));
}
