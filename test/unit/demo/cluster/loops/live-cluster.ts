import type { ApiObject } from '../../../../../demo/cluster/api-object.js';
import { type ClusterClock, createClock } from '../../../../../demo/cluster/clock.js';
import { type ClusterState, createClusterState } from '../../../../../demo/cluster/cluster-state.js';
import { type JsonObject, listAt, numberAt, textAt } from '../../../../../demo/cluster/json.js';
import { allLoops } from '../../../../../demo/cluster/loops/all-loops.js';
import type { KubeletOptions } from '../../../../../demo/cluster/loops/kubelet-adoption.js';
import { runLoops } from '../../../../../demo/cluster/loops/run-loops.js';
import { deleteObject } from '../../../../../demo/cluster/registry/delete-object.js';
import { readyNode } from '../../../../../demo/cluster/seed/nodes.js';
import { create, patch, startAt, typeOf, writer } from '../builders.js';

/** A cluster with all loops on a standing clock, and the questions that tests ask of it. */
export interface LiveCluster {
  readonly clock: ClusterClock;
  readonly state: ClusterState;
  apply(object: JsonObject): ApiObject;
  change(object: ApiObject, change: (current: JsonObject) => JsonObject): void;
  remove(
    object: ApiObject,
    options?: { readonly propagation?: 'Orphan' | 'Foreground' | 'Background' },
  ): void;
  /** Everything that is due happens; then so many seconds pass. */
  pass(seconds: number): void;
  find(apiVersion: string, kind: string, name: string): ApiObject | undefined;
  list(apiVersion: string, kind: string): readonly ApiObject[];
  /** `name status node` of each pod, by name. */
  pods(): readonly string[];
  /** `reason: message` of each Event, in the order of writing. */
  events(reason?: string): readonly string[];
}

export function liveCluster(options: KubeletOptions = {}): LiveCluster {
  const clock = createClock(startAt);
  const state = createClusterState(clock, 1);
  const loops = runLoops(state, allLoops(options));
  create(state, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  const list = (apiVersion: string, kind: string) =>
    state.registry.store.list(typeOf({ apiVersion, kind }).storage);
  const find = (apiVersion: string, kind: string, name: string) =>
    list(apiVersion, kind).find(({ metadata }) => metadata.name === name);
  return {
    clock,
    state,
    apply: (object) => create(state, object),
    change: (object, change) => {
      patch(state, object, change);
    },
    remove({ apiVersion, kind, metadata }, { propagation } = {}) {
      deleteObject(state.registry, typeOf({ apiVersion, kind }), metadata.namespace ?? '', metadata.name, {
        ...writer,
        propagation,
      });
    },
    pass(seconds) {
      loops.settle();
      clock.advance(seconds * 1000);
      loops.settle();
    },
    find,
    list,
    pods: () =>
      list('v1', 'Pod').map((pod) => {
        const ready = listAt(pod, 'status', 'conditions').some(
          ({ type, status }) => type === 'Ready' && status === 'True',
        );
        const status =
          pod.metadata.deletionTimestamp === undefined
            ? ready
              ? 'Ready'
              : textAt(pod, 'status', 'phase')
            : 'Terminating';
        return `${pod.metadata.name} ${status} ${textAt(pod, 'spec', 'nodeName') ?? '-'}`;
      }),
    events: (reason) =>
      [...list('v1', 'Event')]
        .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
        .filter((event) => reason === undefined || event.reason === reason)
        .map((event) => `${event.reason}: ${event.message}`),
  };
}

export function node(name: string, extended: Readonly<Record<string, string>> = {}, cpu = '8'): JsonObject {
  return readyNode({ name, number: 1, cpu, memory: '32Gi', extended }, startAt);
}

export function imageOf(object: ApiObject | undefined): string | undefined {
  return textAt(listAt(object, 'spec', 'template', 'spec', 'containers')[0], 'image');
}

export function withImage(image: string): (current: JsonObject) => JsonObject {
  return (current) => {
    const changed = structuredClone(current);
    for (const container of listAt(changed, 'spec', 'template', 'spec', 'containers'))
      container.image = image;
    return changed;
  };
}

export function conditions(object: ApiObject | undefined): readonly string[] {
  return listAt(object, 'status', 'conditions').map(
    ({ type, status, reason }) => `${type}=${status} ${reason}`,
  );
}

export function count(object: ApiObject | undefined, field: string): number {
  return numberAt(object, 'status', field) ?? 0;
}
