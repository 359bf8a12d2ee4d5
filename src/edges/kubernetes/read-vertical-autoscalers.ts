import { isActive, isReady, type Pod } from '../../engine/objects/pod.js';
import type { ApiCall } from './api-call.js';
import type { Gathering } from './gathering.js';
import { isServed } from './is-served.js';
import { cachedList } from './list-reading.js';
import { listObjects } from './read-objects.js';

const group = 'autoscaling.k8s.io';
/** Objects of one list that are kept. */
const maxObjects = 500;

/**
 * Reads the VerticalPodAutoscalers of these namespaces, '' for all of them, where some pod of the workload is
 * not ready. Those that could not be read may evict a pod at any time, unless the cluster does not serve
 * them. A kind is served in all namespaces or in none, so the first answer decides whether others are asked.
 */
export async function readVerticalAutoscalers(
  call: ApiCall,
  gathering: Pick<Gathering, 'keep' | 'miss'>,
  { own, namespaces }: { readonly own: readonly Pod[]; readonly namespaces: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  if (!own.some((pod) => isActive(pod) && !isReady(pod))) return;
  const readIn = async (namespace: string): Promise<boolean> => {
    const selection = { namespace, max: maxObjects, reading: cachedList };
    const read = await listObjects(call, 'VerticalPodAutoscaler', selection, signal);
    if (read.type !== 'unreadable') {
      gathering.keep('VerticalPodAutoscaler', read.value.items);
      return true;
    }
    const isThere =
      read.because === 'forbidden' ? await isServed(call, group, signal) : read.because !== 'not-served';
    if (isThere) gathering.miss('VerticalPodAutoscaler', namespace, read);
    return isThere;
  };
  const [first, ...others] = namespaces;
  if (first !== undefined && (await readIn(first))) await Promise.all(others.map(readIn));
}
