import {
  type Candidate,
  candidateInEvent,
  candidateInPod,
  isWatchedKind,
  oldPodsOf,
  watchedEventReasons,
} from '../../../doctor/sentinel/candidate.js';
import type { WorkloadRef } from '../../../engine/objects/workload.js';
import type { Unreadable } from '../../../service/diagnose/cluster-reader.js';
import type { Behind, CandidateReader, CandidateWatcher } from '../../../service/sentinel/sentinel-ports.js';
import type { ClusterConnection } from '../cluster-connection.js';
import { type NamedOwner, ownerOfNamed } from '../controller-above.js';
import { readObject } from '../read-objects.js';
import { collectionPath } from '../resource-paths.js';
import { type CollectionWatcherOptions, createCollectionWatcher } from '../watch/watch-collection.js';

interface CandidateWatcherOptions extends CollectionWatcherOptions {
  readonly connections: readonly ClusterConnection[];
}

interface Selection {
  readonly kind: 'Pod' | 'Event';
  readonly fieldSelector: string;
  readonly candidateIn: (object: unknown) => Candidate | undefined;
}

/**
 * The server selects: of 50,000 pods those that are Pending, of all Events those of two reasons. Of what
 * comes nothing is kept but the candidate. A pod's own condition outlives its event, so that a list after a
 * gap misses nothing.
 */
const selections: readonly Selection[] = [
  { kind: 'Pod', fieldSelector: 'status.phase=Pending', candidateIn: candidateInPod },
  ...watchedEventReasons.map((reason) => ({
    kind: 'Event' as const,
    fieldSelector: `reason=${reason}`,
    candidateIn: candidateInEvent,
  })),
];

/** One loop a selection: one that is refused, such as events, holds up no other. */
export function createCandidateWatcher({
  connections,
  ...options
}: CandidateWatcherOptions): CandidateWatcher {
  const watchCollection = createCollectionWatcher(options);
  return {
    clusters: connections.map(({ name }) => name),
    async watch(cluster, namespace, hears, signal) {
      const connection = connections.find(({ name }) => name === cluster);
      if (connection === undefined) return;
      await Promise.all(
        selections.map(({ kind, fieldSelector, candidateIn }) =>
          watchCollection(
            connection,
            { path: collectionPath(kind, namespace), fieldSelector },
            {
              listBegins: () => undefined,
              listEnds: hears.inStep,
              object(object, gone) {
                const candidate = gone ? undefined : candidateIn(object);
                if (candidate !== undefined) hears.candidate(candidate);
              },
              inStep: hears.inStep,
              trouble: hears.trouble,
            },
            signal,
          ),
        ),
      );
    },
  };
}

interface CandidateReaderDeps {
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
