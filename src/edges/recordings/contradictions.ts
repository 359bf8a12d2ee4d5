import { parseSchedulerMessage } from '../../engine/messages/parse-scheduler-message.js';
import { type ClusterObjects, workloadsIn } from '../../engine/objects/cluster-objects.js';
import { matchesSelector } from '../../engine/objects/label-selector.js';
import { conditionOf, controllerOf } from '../../engine/objects/metadata.js';
import type { Unseen } from '../../engine/objects/snapshot.js';
import { countsMorePods } from '../../engine/objects/unrecorded.js';
import { isAddOn, type Workload } from '../../engine/objects/workload.js';

/** What the objects of a recording state of others that it lacks. */
interface Contradictions {
  /** Of the whole cluster. */
  readonly unseen: readonly Unseen[];
  /** Of the other workloads beside this one, and of what it is made of. */
  besides(workload: Workload, known: readonly Unseen[]): readonly Unseen[];
}

/**
 * Counts that contradict each other: the scheduler looked at more nodes than were recorded, or the status of
 * a workload counts more pods. A part of the objects was left out, whatever the recording states.
 */
export function contradictionsIn(objects: ClusterObjects): Contradictions {
  const incomplete = workloadsIn(objects).filter((each) => countsMorePods(each, objects));
  return {
    unseen: nodesCounted(objects) > objects.Node.length ? [lacking('Node', '')] : [],
    besides(workload, known) {
      const isKnown = ({ metadata }: Workload): boolean =>
        known.some(
          ({ what, namespace, because }) =>
            what === 'Pod' &&
            because !== 'partly-recorded' &&
            (namespace === '' || namespace === metadata.namespace),
        );
      const others = incomplete.filter((each) => each !== workload && !isKnown(each));
      const parts = others.filter((each) => isPartOf(each, workload));
      const foreign = new Set(
        others.filter((each) => !parts.includes(each)).map(({ metadata }) => metadata.namespace),
      );
      return [
        ...(parts.length > 0 ? [lacking('Pod', workload.metadata.namespace)] : []),
        ...[...foreign].map((namespace): Unseen => ({ ...lacking('Pod', namespace), ofOthers: true })),
      ];
    },
  };
}

function lacking(what: 'Node' | 'Pod', namespace: string): Unseen {
  return { what, namespace, because: 'not-recorded', message: '' };
}

/** How many nodes the scheduler had when it last tried a pod: `0/5 nodes are available`. */
function nodesCounted({ Pod }: ClusterObjects): number {
  return Pod.reduce((most, { status }) => {
    const scheduled = conditionOf(status, 'PodScheduled');
    if (scheduled === undefined || scheduled.status !== 'False') return most;
    return Math.max(most, parseSchedulerMessage(scheduled.message).nodes ?? 0);
  }, 0);
}

function isPartOf(part: Workload, { kind, metadata, spec }: Workload): boolean {
  return (
    part.metadata.namespace === metadata.namespace &&
    (controllerOf(part)?.uid === metadata.uid ||
      (isAddOn(kind) && matchesSelector(spec.selector, part.metadata.labels)))
  );
}
