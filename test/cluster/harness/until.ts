import { type KubeConfig, type KubernetesObject, KubernetesObjectApi, Watch } from '@kubernetes/client-node';
import { collectionPath, type Kind, resources } from './resources.js';

/** Which objects to watch. */
export interface Selection {
  readonly kind: Kind;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface Wait<Seen extends KubernetesObject, Result> {
  /** The awaited state, as the end of "waited 30 s for …". */
  readonly what: string;
  readonly selection: Selection;
  /** The result once the objects pass the check, `undefined` or `false` until then. */
  readonly check: (objects: readonly Seen[]) => Result | undefined | false;
  readonly deadlineMilliseconds?: number;
}

const selectorOf = (labels: Readonly<Record<string, string>> | undefined): string | undefined =>
  labels === undefined
    ? undefined
    : Object.entries(labels)
        .map(([key, value]) => `${key}=${value}`)
        .join(',');

/** One line per object, which shows in the message of a failing test how far it got. */
function describe(object: KubernetesObject): string {
  const status = 'status' in object ? JSON.stringify(object.status) : 'no status';
  return `${object.kind ?? ''} ${object.metadata?.namespace ?? ''}/${object.metadata?.name}: ${status.slice(0, 2_000)}`;
}

const keyOf = (object: KubernetesObject): string =>
  `${object.metadata?.namespace ?? ''}/${object.metadata?.name ?? ''}`;

/**
 * Watches the selected objects until `check` accepts them, and returns its result. Rejects at the deadline
 * with the objects as they were last seen. Nothing sleeps: each change of an object is checked when it
 * arrives.
 */
export async function until<Seen extends KubernetesObject, Result>(
  config: KubeConfig,
  wait: Wait<Seen, Result>,
): Promise<Result> {
  const { selection, deadlineMilliseconds = 30_000 } = wait;
  const labelSelector = selectorOf(selection.labels);
  const api = KubernetesObjectApi.makeApiClient(config);
  const { apiVersion } = resources[selection.kind];
  const seen = new Map<string, Seen>();
  const check = (): Result | undefined | false => wait.check([...seen.values()]);
  const expiry = Date.now() + deadlineMilliseconds;
  while (Date.now() < expiry) {
    const list = await api.list<Seen>(
      apiVersion,
      selection.kind,
      selection.namespace,
      undefined,
      undefined,
      undefined,
      undefined,
      labelSelector,
    );
    seen.clear();
    for (const object of list.items) seen.set(keyOf(object), object);
    const result = check();
    if (result !== undefined && result !== false) return result;
    const query = { resourceVersion: list.metadata?.resourceVersion, labelSelector };
    const watched = await watchOnce(config, selection, query, expiry, (type, object: Seen) => {
      if (type === 'DELETED') seen.delete(keyOf(object));
      else seen.set(keyOf(object), object);
      return check();
    });
    if (watched !== undefined && watched !== false) return watched;
  }
  const last = [...seen.values()].map(describe).join('\n') || 'no such object';
  throw new Error(`waited ${deadlineMilliseconds / 1000} s for ${wait.what}. Last seen:\n${last}`);
}

/**
 * One watch, until a change gives the result (which it returns), or the connection or the time ends
 * (`undefined`).
 */
function watchOnce<Seen, Result>(
  config: KubeConfig,
  selection: Selection,
  query: Record<string, string | undefined>,
  expiry: number,
  onChange: (type: string, object: Seen) => Result | undefined | false,
): Promise<Result | undefined | false> {
  return new Promise((resolve, reject) => {
    let controller: AbortController | undefined;
    let over = false;
    const finish = (settle: () => void): void => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      controller?.abort();
      settle();
    };
    const timer = setTimeout(() => finish(() => resolve(undefined)), Math.max(0, expiry - Date.now()));
    const changed = (type: string, object: Seen): void => {
      if (over) return;
      // The API server ends a watch whose position is too old with an ERROR; the caller lists again.
      if (type === 'ERROR') {
        finish(() => resolve(undefined));
        return;
      }
      try {
        const result = onChange(type, object);
        if (result !== undefined && result !== false) finish(() => resolve(result));
      } catch (error) {
        finish(() => reject(error));
      }
    };
    new Watch(config)
      .watch(collectionPath(selection.kind, selection.namespace), query, changed, () =>
        finish(() => resolve(undefined)),
      )
      .then(
        (started) => {
          controller = started;
          if (over) started.abort();
        },
        (error: unknown) => finish(() => reject(error)),
      );
  });
}
