import { type V1Pod, Watch } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { collectionPath } from '../harness/resources.js';

/** Every pod of the cluster as the API server last sent it, in the order of its writes. */
export interface PodMirror {
  all(): readonly V1Pod[];
  get(uid: string): V1Pod | undefined;
  /** Resolves as soon as the check is true of what was seen; rejects after `milliseconds`. */
  until(what: string, check: () => boolean, milliseconds?: number): Promise<void>;
  stop(): void;
}

export async function mirrorPods(cluster: Cluster): Promise<PodMirror> {
  const pods = new Map<string, V1Pod>();
  const waiting = new Set<() => void>();
  let over = false;
  const list = await cluster.objects.list<V1Pod>('v1', 'Pod');
  for (const pod of list.items) pods.set(pod.metadata?.uid ?? '', pod);
  const note = (type: string, pod: V1Pod): void => {
    const uid = pod.metadata?.uid ?? '';
    if (type === 'DELETED') pods.delete(uid);
    else if (type === 'ADDED' || type === 'MODIFIED') pods.set(uid, pod);
    for (const look of [...waiting]) look();
  };
  const { resourceVersion } = list.metadata ?? {};
  const watch = await new Watch(cluster.config).watch(
    collectionPath('Pod'),
    { resourceVersion, timeoutSeconds: '7200' },
    note,
    (error) => {
      // A mirror that no longer hears anything must not be believed.
      if (!over) for (const look of [...waiting]) look();
      if (!over && error !== null) console.error('the watch of all pods ended', error);
    },
  );
  return {
    all: () => [...pods.values()],
    get: (uid) => pods.get(uid),
    until: (what, check, milliseconds = 15_000) =>
      new Promise((resolve, reject) => {
        const end = (settle: () => void): void => {
          clearTimeout(timer);
          waiting.delete(look);
          settle();
        };
        const look = (): void => {
          if (check()) end(resolve);
        };
        const timer = setTimeout(() => end(() => reject(new Error(`waited for ${what}`))), milliseconds);
        waiting.add(look);
        look();
      }),
    stop: () => {
      over = true;
      watch.abort();
    },
  };
}
