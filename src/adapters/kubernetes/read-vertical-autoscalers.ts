import { isActive, isReady, type Pod } from '../../core/cluster/pod.js';
import type { ApiCall } from './api-call.js';
import type { Gathering } from './gathering.js';
import { cachedList } from './list-reading.js';
import { listObjects } from './read-objects.js';

/** Objects of one list that are kept. */
const maxObjects = 500;

/**
 * Reads the VerticalPodAutoscalers of these namespaces, '' for all of them, where some pod of the workload is not ready. A refused
 * read, or a cluster that does not serve them, makes no finding less certain: what they did shows on the pods.
 */
export async function readVerticalAutoscalers(
  call: ApiCall,
  gathering: Pick<Gathering, 'keep'>,
  { own, namespaces }: { readonly own: readonly Pod[]; readonly namespaces: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  if (!own.some((pod) => isActive(pod) && !isReady(pod))) return;
  await Promise.all(
    namespaces.map(async (namespace) => {
      const selection = { namespace, max: maxObjects, reading: cachedList };
      const read = await listObjects(call, 'VerticalPodAutoscaler', selection, signal);
      if (read.type !== 'unreadable') gathering.keep('VerticalPodAutoscaler', read.value.items);
    }),
  );
}
