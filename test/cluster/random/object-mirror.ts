import { type KubernetesObject, Watch } from '@kubernetes/client-node';
import { createApiCall } from '#src/edges/kubernetes/cluster-connection.js';
import { eventually } from '../../support/eventually.js';
import type { Cluster } from '../harness/cluster.js';
import { collectionPath, type Kind } from '../harness/resources.js';
import { hasCaughtUp, type Listed, versionOf } from './mirror-age.js';

/** Every object of some kinds as the API server last sent it, as plain JSON. */
export interface ObjectMirror {
  all<One extends KubernetesObject>(kind: Kind): readonly One[];
  get<One extends KubernetesObject>(kind: Kind, uid: string): One | undefined;
  /** Resolves as soon as the check is true of what was seen; rejects after `milliseconds`. */
  until(what: string, check: () => boolean, milliseconds?: number): Promise<void>;
  /**
   * Resolves once everything is seen that the API server stored of these kinds before the call. Each kind has
   * a watch of its own, so one may show the result of a sync before another shows the objects that the sync
   * wrote first.
   */
  catchUp(kinds: readonly Kind[], namespace: string): Promise<void>;
  stop(): void;
}

/**
 * Milliseconds that events of a kind wait before they are seen, as on a machine that is slow to read them.
 */
export type Delays = Readonly<Partial<Record<Kind, number>>>;

type Note = (type: string, object: KubernetesObject) => void;

/** The API server serves a kind of a CustomResourceDefinition a moment after it was created. */
async function listOnceServed(call: ReturnType<typeof createApiCall>, kind: Kind): Promise<Listed> {
  let body: unknown;
  await eventually(`the API server serves ${kind}`, async () => {
    const answer = await call({ path: collectionPath(kind) });
    body = answer.body;
    return answer.status === 200;
  });
  return body as Listed;
}

export async function mirrorObjects(
  cluster: Cluster,
  kinds: readonly Kind[],
  delays: Delays = {},
): Promise<ObjectMirror> {
  const call = createApiCall(cluster.config);
  const stores = new Map<Kind, Map<string, KubernetesObject>>();
  const seenUpTo = new Map<Kind, number>();
  const waiting = new Set<() => void>();
  const stops: (() => void)[] = [];
  let lost: string | undefined;

  for (const kind of kinds) {
    const store = new Map<string, KubernetesObject>();
    stores.set(kind, store);
    const list = await listOnceServed(call, kind);
    for (const object of list.items) store.set(object.metadata?.uid ?? '', object);
    seenUpTo.set(kind, versionOf(list));
    const see: Note = (type, object) => {
      seenUpTo.set(kind, Math.max(versionOf(object), seenUpTo.get(kind) ?? 0));
      const uid = object.metadata?.uid ?? '';
      if (type === 'DELETED') store.delete(uid);
      else if (type === 'ADDED' || type === 'MODIFIED') store.set(uid, object);
      for (const tryCheck of [...waiting]) tryCheck();
    };
    const delay = delays[kind];
    const note: Note =
      delay === undefined ? see : (type, object) => void setTimeout(() => see(type, object), delay);
    stops.push(
      await follow(cluster, kind, list.metadata.resourceVersion ?? '', note, (why) => {
        lost = why;
      }),
    );
  }

  const storeOf = (kind: Kind): Map<string, KubernetesObject> => {
    const store = stores.get(kind);
    if (store === undefined) throw new Error(`${kind} is not mirrored`);
    return store;
  };
  const until: ObjectMirror['until'] = (what, check, milliseconds = 15_000) =>
    new Promise((resolve, reject) => {
      const end = (settle: () => void): void => {
        clearTimeout(timer);
        waiting.delete(tryCheck);
        settle();
      };
      const tryCheck = (): void => {
        if (lost !== undefined) end(() => reject(new Error(lost)));
        else if (check()) end(resolve);
      };
      const timer = setTimeout(() => end(() => reject(new Error(`waited for ${what}`))), milliseconds);
      waiting.add(tryCheck);
      tryCheck();
    });
  return {
    // The caller names the kind and the type that belongs to it, as with every typed view of an untyped API.
    all: <One extends KubernetesObject>(kind: Kind) => [...storeOf(kind).values()] as One[],
    get: <One extends KubernetesObject>(kind: Kind, uid: string) => storeOf(kind).get(uid) as One | undefined,
    until,
    catchUp: async (kinds, namespace) => {
      for (const kind of kinds) {
        const list = (await call({ path: collectionPath(kind, namespace) })).body as Listed;
        await until(`every ${kind} of ${namespace}`, () => {
          const objects = [...storeOf(kind).values()].filter(
            ({ metadata }) => metadata?.namespace === namespace,
          );
          return hasCaughtUp(list, objects, seenUpTo.get(kind) ?? 0);
        });
      }
    },
    stop: () => {
      for (const stop of stops) stop();
    },
  };
}

/**
 * Watches from now on until it is stopped. The client ends a watch in which nothing happens for 30 s; the
 * mirror resumes it where it stopped. A mirror that cannot resume must not be trusted: `onLost` receives the
 * reason.
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
