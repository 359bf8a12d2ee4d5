import type { StatusError } from '../../../../demo/cluster/api/status-error.js';
import type { ApiObject } from '../../../../demo/cluster/api-object.js';
import { type ClusterClock, createClock } from '../../../../demo/cluster/clock.js';
import { type ClusterState, createClusterState } from '../../../../demo/cluster/cluster-state.js';
import type { JsonObject } from '../../../../demo/cluster/json.js';
import { createObject } from '../../../../demo/cluster/registry/create-object.js';
import { updateObject } from '../../../../demo/cluster/registry/update-object.js';
import { resourceTypeOfKind } from '../../../../demo/cluster/resources/resource-types.js';

export const startAt = Date.parse('2026-11-20T09:00:00Z');

export const writer = { manager: 'test', user: 'admin', dryRun: false } as const;

export interface TestCluster {
  readonly clock: ClusterClock;
  readonly state: ClusterState;
}

/** A cluster without server and loops, with a standing clock and the namespace `shop`. */
export function testCluster(): TestCluster {
  const clock = createClock(startAt);
  const state = createClusterState(clock, 1);
  create(state, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  return { clock, state };
}

/** @param kind of the path it is sent to; its own by default */
export function create(
  state: ClusterState,
  object: JsonObject,
  namespace = 'shop',
  kind = String(object.kind),
): ApiObject {
  return createObject(state.registry, typeOf({ ...object, kind }), namespace, object, writer);
}

export function patch(
  state: ClusterState,
  object: ApiObject,
  change: (current: JsonObject) => JsonObject,
  subresource: '' | 'status' = '',
): ApiObject {
  const { namespace = '', name } = object.metadata;
  return updateObject(state.registry, typeOf(object), namespace, name, change, {
    ...writer,
    subresource,
    replaces: false,
  });
}

export function current(state: ClusterState, object: ApiObject): ApiObject | undefined {
  const { namespace, name } = object.metadata;
  const key = namespace === undefined ? name : `${namespace}/${name}`;
  return state.registry.store.get(typeOf(object).storage, key);
}

export function typeOf(object: JsonObject) {
  const type = resourceTypeOfKind(String(object.apiVersion), String(object.kind));
  if (type === undefined) throw new Error(`no type for ${object.kind}`);
  return type;
}

export function deployment(spec: JsonObject = {}, podSpec: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'app', image: 'registry.example/web:1' }], ...podSpec },
      },
      ...spec,
    },
  };
}

export function pod(
  name: string,
  labels: Readonly<Record<string, string>> = {},
  spec: JsonObject = {},
): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec: { containers: [{ name: 'app', image: 'registry.example/app:1' }], ...spec },
  };
}

/** The Status that the call throws; fails when it throws nothing. */
export function refusalOf(call: () => unknown): StatusError['status'] {
  try {
    call();
  } catch (error) {
    const { status } = error as StatusError;
    if (status === undefined) throw error;
    return status;
  }
  throw new Error('nothing was refused');
}
