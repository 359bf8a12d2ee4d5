import {
  type Candidate,
  candidateInEvent,
  candidateInPod,
  watchedEventReasons,
} from '../../../doctor/sentinel/candidate.js';
import type { CandidateWatcher } from '../../../service/sentinel/sentinel-ports.js';
import type { ClusterConnection } from '../cluster-connection.js';
import { collectionPath } from '../resource-paths.js';
import { type CollectionWatcherOptions, createCollectionWatcher } from '../watch/watch-collection.js';

export interface CandidateWatcherOptions extends CollectionWatcherOptions {
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
