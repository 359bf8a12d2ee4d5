import type { Pod } from '../../engine/objects/pod.js';
import { isHeldByKueue } from '../../engine/queues/queued-workload.js';
import type { Gathering } from './gathering.js';

/** Kueue keeps the Workloads of finished jobs until their owners are gone. */
const maxWorkloads = 5_000;
const maxQueues = 2_000;

/**
 * Reads the queues of Kueue, where it keeps a pod from the scheduler. Quota and order are those of a
 * ClusterQueue, which Workloads of all namespaces share. Where they may not be listed in all of them, those
 * of the pods' namespace are.
 */
export async function readQueues(
  gathering: Pick<Gathering, 'list' | 'tryList'>,
  pods: readonly Pod[],
): Promise<void> {
  const held = pods.filter(isHeldByKueue);
  if (held.length === 0) return;
  const namespaces = [...new Set(held.map(({ metadata }) => metadata.namespace))];
  const listWide = async (kind: 'Workload' | 'LocalQueue', max: number): Promise<void> => {
    const listed = await gathering.tryList(kind, { max });
    if (!('type' in listed)) return;
    for (const namespace of namespaces) await gathering.tryList(kind, { namespace, max });
  };
  const [queues] = await Promise.all([
    gathering.list('ClusterQueue', { max: maxQueues }),
    listWide('Workload', maxWorkloads),
    listWide('LocalQueue', maxQueues),
    gathering.list('ResourceFlavor', { max: maxQueues }),
  ]);
  if (queues.some(({ spec }) => spec.cohort !== undefined))
    await gathering.list('Cohort', { max: maxQueues });
}
