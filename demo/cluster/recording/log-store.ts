import type { ContainerLogs } from '../api/pod-log.js';
import type { ApiObject } from '../api-object.js';

/** Logs by container and run. The kubelet loop writes them; recordings bring theirs. */
export interface LogStore extends ContainerLogs {
  set(namespace: string, pod: string, container: string, previous: boolean, text: string): void;
  append(namespace: string, pod: string, container: string, text: string): void;
  /** The current run becomes the previous one. */
  rotate(namespace: string, pod: string, container: string): void;
  load(logs: ReadonlyMap<string, string>): void;
  /** All that is kept, as `load` takes it. */
  all(): ReadonlyMap<string, string>;
}

export function createLogStore(): LogStore {
  const texts = new Map<string, string>();
  const keyOf = (namespace: string, pod: string, container: string, previous: boolean): string =>
    `${namespace}_${pod}_${container}${previous ? '.previous' : ''}`;
  return {
    read: ({ metadata }: ApiObject, container, previous) =>
      texts.get(keyOf(metadata.namespace ?? '', metadata.name, container, previous)),
    set: (namespace, pod, container, previous, text) => {
      texts.set(keyOf(namespace, pod, container, previous), text);
    },
    append(namespace, pod, container, text) {
      const key = keyOf(namespace, pod, container, false);
      texts.set(key, `${texts.get(key) ?? ''}${text}`);
    },
    rotate(namespace, pod, container) {
      const key = keyOf(namespace, pod, container, false);
      const current = texts.get(key);
      if (current === undefined) return;
      texts.set(keyOf(namespace, pod, container, true), current);
      texts.delete(key);
    },
    load(logs) {
      for (const [key, text] of logs) texts.set(key, text);
    },
    all: () => new Map(texts),
  };
}
