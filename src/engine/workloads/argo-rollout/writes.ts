import type { ReplicaSet } from '../../objects/workload.js';
import { apiTime, epochOf } from '../creation-order.js';
import type { ArgoRolloutState } from '../rollout-state.js';
import type { ServiceTarget } from './service-targets.js';

export const revisionAnnotation = 'rollout.argoproj.io/revision';
export const desiredReplicasAnnotation = 'rollout.argoproj.io/desired-replicas';
export const scaleDownDeadlineAnnotation = 'scale-down-deadline';

/** What one reconciliation writes to ReplicaSets and Services. The status is written last, by its caller. */
export interface Writes {
  /** The ReplicaSet with what was written to it so far. */
  readonly written: (replicaSet: ReplicaSet) => ReplicaSet;
  /** True when the size changes. */
  readonly scale: (replicaSet: ReplicaSet, replicas: number) => boolean;
  readonly annotate: (
    replicaSet: ReplicaSet,
    annotations: Readonly<Record<string, string | undefined>>,
  ) => void;
  readonly remove: (replicaSet: ReplicaSet) => void;
  readonly switchService: (name: string, hash: string) => void;
  readonly serviceOf: (name: string) => ServiceTarget | undefined;
  readonly applied: (state: ArgoRolloutState) => ArgoRolloutState;
  /** Whether anything is another after the writes than before. */
  readonly hasChanges: () => boolean;
}

/** @param keepsDeadlines after an abort, a ReplicaSet without replicas keeps its deadline */
export function createWrites({ rollout, services }: ArgoRolloutState, keepsDeadlines: boolean): Writes {
  const changed = new Map<string, ReplicaSet>();
  const removed = new Set<string>();
  const targets = new Map(Object.entries(services));
  const wanted = String(rollout.spec.replicas);

  const written = (replicaSet: ReplicaSet): ReplicaSet => changed.get(replicaSet.metadata.name) ?? replicaSet;
  const put = (replicaSet: ReplicaSet): void => {
    changed.set(replicaSet.metadata.name, replicaSet);
  };
  const annotate: Writes['annotate'] = (replicaSet, annotations) => {
    const present = written(replicaSet);
    const entries = Object.entries({ ...present.metadata.annotations, ...annotations });
    const kept = Object.fromEntries(
      entries.filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    put({ ...present, metadata: { ...present.metadata, annotations: kept } });
  };
  return {
    written,
    annotate,
    scale(replicaSet, replicas) {
      const present = written(replicaSet);
      const { metadata, spec } = present;
      const isOther = spec.replicas !== replicas;
      const needsNote =
        metadata.annotations[desiredReplicasAnnotation] !== wanted ||
        (rollout.spec.replicas === 0 && deadlineOf(present) !== undefined);
      if (!isOther && !needsNote) return false;
      const clears = replicas === 0 && !keepsDeadlines;
      annotate(present, {
        [desiredReplicasAnnotation]: wanted,
        ...(clears ? { [scaleDownDeadlineAnnotation]: undefined } : {}),
      });
      const noted = written(present);
      const generation = (metadata.generation ?? 0) + (isOther ? 1 : 0);
      put({
        ...noted,
        metadata: { ...noted.metadata, generation },
        spec: { ...noted.spec, replicas },
      });
      return isOther;
    },
    remove(replicaSet) {
      removed.add(replicaSet.metadata.name);
    },
    switchService(name, hash) {
      const present = targets.get(name);
      if (present?.hash === hash && present.isManaged) return;
      targets.set(name, { hash, isManaged: true });
    },
    serviceOf: (name) => targets.get(name),
    applied: (state) => ({
      ...state,
      services: Object.fromEntries(targets),
      replicaSets: state.replicaSets
        .filter(({ metadata }) => !removed.has(metadata.name))
        .map((replicaSet) => written(replicaSet)),
    }),
    // After an abort, a Service may be switched to the canary and back in one reconciliation.
    hasChanges: () =>
      changed.size + removed.size > 0 ||
      [...targets].some(([name, target]) => JSON.stringify(target) !== JSON.stringify(services[name])),
  };
}

/** The moment from which a ReplicaSet may be scaled down, in epoch milliseconds; `undefined` without one. */
export function deadlineOf({ metadata }: ReplicaSet): number | undefined {
  return epochOf(metadata.annotations[scaleDownDeadlineAnnotation]);
}

export function hasDeadline(replicaSet: ReplicaSet | undefined): boolean {
  return (replicaSet?.metadata.annotations[scaleDownDeadlineAnnotation] ?? '') !== '';
}

/** The annotation for a deadline so many seconds from `now`. */
export function deadlineIn(seconds: number, now: number): Readonly<Record<string, string>> {
  return { [scaleDownDeadlineAnnotation]: apiTime(now + seconds * 1_000) };
}
