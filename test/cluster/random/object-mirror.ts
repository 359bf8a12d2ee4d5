import { type KubernetesObject, Watch } from '@kubernetes/client-node';
import { createApiCall } from '#src/adapters/kubernetes/cluster-connection.js';
import type { Cluster } from '../harness/cluster.js';
import { collectionPath, type Kind } from '../harness/resources.js';

/** Every object of some kinds as the API server last sent it, as plain JSON. */
export interface ObjectMirror {
  all<One extends KubernetesObject>(kind: Kind): readonly One[];
  get<One extends KubernetesObject>(kind: Kind, uid: string): One | undefined;
  /** Resolves as soon as the check is true of what was seen; rejects after `milliseconds`. */
  until(what: string, check: () => boolean, milliseconds?: number): Promise<void>;
  stop(): void;
}

type Note = (type: string, object: KubernetesObject) => void;

interface RawList {
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly KubernetesObject[];
}

export async function mirrorObjects(cluster: Cluster, kinds: readonly Kind[]): Promise<ObjectMirror> {
  const call = createApiCall(cluster.config);
  const stores = new Map<Kind, Map<string, KubernetesObject>>();
  const waiting = new Set<() => void>();
  const stops: (() => void)[] = [];
  let lost: string | undefined;

  for (const kind of kinds) {
    const store = new Map<string, KubernetesObject>();
    stores.set(kind, store);
    const list = (await call({ path: collectionPath(kind) })).body as RawList;
    for (const object of list.items) store.set(object.metadata?.uid ?? '', object);
    const note: Note = (type, object) => {
      const uid = object.metadata?.uid ?? '';
      if (type === 'DELETED') store.delete(uid);
      else if (type === 'ADDED' || type === 'MODIFIED') store.set(uid, object);
      for (const attempt of [...waiting]) attempt();
    };
    stops.push(
      await follow(cluster, kind, list.metadata.resourceVersion, note, (why) => {
        lost = why;
      }),
    );
  }

  const storeOf = (kind: Kind): Map<string, KubernetesObject> => {
    const store = stores.get(kind);
    if (store === undefined) throw new Error(`${kind} is not mirrored`);
    return store;
  };
  return {
    // The caller names the kind and the type that belongs to it, as with every typed view of an untyped API.
    all: <One extends KubernetesObject>(kind: Kind) => [...storeOf(kind).values()] as One[],
    get: <One extends KubernetesObject>(kind: Kind, uid: string) => storeOf(kind).get(uid) as One | undefined,
    until: (what, check, milliseconds = 15_000) =>
      new Promise((resolve, reject) => {
        const end = (settle: () => void): void => {
          clearTimeout(timer);
          waiting.delete(attempt);
          settle();
        };
        const attempt = (): void => {
          if (lost !== undefined) end(() => reject(new Error(lost)));
          else if (check()) end(resolve);
        };
        const timer = setTimeout(() => end(() => reject(new Error(`waited for ${what}`))), milliseconds);
        waiting.add(attempt);
        attempt();
      }),
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

/**
 * Watches from this moment on, for as long as it takes: the client gives a watch up in which nothing happens for 30 s,
 * and it goes on where it stopped. A mirror that cannot go on must not be believed: `onLost` says why.
 */
async function follow(
  cluster: Cluster,
  kind: Kind,
  from: string,
  note: Note,
  onLost: (why: string) => void,
): Promise<() => void> {
  let resourceVersion = from;
  let over = false;
  let current: AbortController | undefined;
  const begin = async (): Promise<void> => {
    const query = { resourceVersion, allowWatchBookmarks: 'true' };
    const seen: Note = (type, object) => {
      if (type === 'ERROR') {
        onLost(`the watch of ${kind} cannot go on from ${resourceVersion}`);
        return;
      }
      resourceVersion = object.metadata?.resourceVersion ?? resourceVersion;
      note(type, object);
    };
    const again = (): void => {
      if (!over) begin().catch((error: unknown) => onLost(`the watch of ${kind} ended: ${String(error)}`));
    };
    current = await new Watch(cluster.config).watch(collectionPath(kind), query, seen, again);
    if (over) current.abort();
  };
  await begin();
  return () => {
    over = true;
    current?.abort();
  };
}
