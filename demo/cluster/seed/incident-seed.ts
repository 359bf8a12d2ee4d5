import type { ApiObject } from '../api-object.js';
import { copy, type JsonObject, listAt } from '../json.js';
import type { LocalCluster } from '../local-cluster.js';
import { type Conduct, conductObject } from '../loops/conduct.js';
import { createObject } from '../registry/create-object.js';
import type { Registry } from '../registry/registry.js';
import { updateObject } from '../registry/update-object.js';
import { requireResourceType, resourceTypeOfKind } from '../resources/resource-types.js';
import { type NodeShape, readyNode } from './nodes.js';
import { playHistory } from './play-history.js';

/** One incident of the demo: what there is, what its programs do, and what happened when. */
export interface IncidentSeed {
  /** `kind/name -n namespace`, as people type it. */
  readonly workload: string;
  readonly nodes: readonly NodeShape[];
  readonly conduct: readonly Conduct[];
  /** In any order; they happen by time. */
  readonly steps: readonly SeedStep[];
}

export interface SeedStep {
  readonly minutesAgo: number;
  readonly happens: (registry: Registry) => void;
}

export const dayMinutes = 24 * 60;
const minuteMs = 60_000;
const writer = { manager: 'kubectl-create', user: 'admin', dryRun: false };

/**
 * Plays the incidents, all in one cluster, from three days ago until now, and puts what is there into
 * `cluster`. Nodes are as old as that.
 */
export async function seedIncidents(
  cluster: LocalCluster,
  seeds: readonly IncidentSeed[],
  nameSeed?: number,
): Promise<void> {
  const now = cluster.clock.now();
  const began = now - 3 * dayMinutes * minuteMs;
  playHistory(
    cluster,
    began,
    ({ state, advanceTo }) => {
      const conduct = seeds.flatMap((seed) => seed.conduct);
      state.load(seeds.flatMap(({ nodes }) => nodes).map((shape) => readyNode(shape, began)));
      if (conduct.length > 0) {
        create(state.registry, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } });
        create(state.registry, conductObject(conduct));
      }
      const steps = seeds.flatMap((seed) => seed.steps).sort((a, b) => b.minutesAgo - a.minutesAgo);
      for (const { minutesAgo, happens } of steps) {
        advanceTo(now - minutesAgo * minuteMs);
        happens(state.registry);
      }
      advanceTo(now);
    },
    nameSeed,
  );
  cluster.settle();
}

/** Somebody creates it as `kubectl create` does; a namespace that is there stays as it is. */
export function create(registry: Registry, object: JsonObject): void {
  const { apiVersion, kind, metadata } = object as ApiObject;
  const type = resourceTypeOfKind(apiVersion, kind);
  if (type === undefined) throw new Error(`the local cluster serves no ${kind} of ${apiVersion}`);
  if (kind === 'Namespace' && registry.store.get(type.storage, metadata.name) !== undefined) return;
  createObject(registry, type, metadata.namespace ?? '', object, writer);
}

/** Somebody changes the containers of a Deployment, which starts a rollout. */
export function changeContainers(
  registry: Registry,
  namespace: string,
  name: string,
  change: (container: JsonObject) => void,
): void {
  const changed = (current: ApiObject): JsonObject => {
    const next = copy<JsonObject>(current);
    for (const container of listAt(next, 'spec', 'template', 'spec', 'containers')) change(container);
    return next;
  };
  updateObject(registry, requireResourceType('apps', 'deployments'), namespace, name, changed, {
    ...writer,
    manager: 'kubectl-set',
    subresource: '',
    replaces: false,
  });
}

/** A Deployment with one container, and its namespace. */
export function deploymentObject(
  name: { readonly namespace: string; readonly name: string },
  replicas: number,
  container: JsonObject,
  podSpec: JsonObject = {},
): JsonObject {
  const labels = { app: name.name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...name, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { ...podSpec, containers: [container] } },
    },
  };
}

export function namespaceObject(name: string): JsonObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}
