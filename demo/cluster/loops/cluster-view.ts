import { type ClusterIndex, indexObjects } from '#src/engine/objects/cluster-index.js';
import {
  type ClusterObjects,
  clusterObjects,
  type ObjectOf,
  type ResourceKind,
  resourceKinds,
  schemas,
} from '#src/engine/objects/cluster-objects.js';
import { parseServerVersion } from '#src/engine/objects/release-rules.js';
import type { ApiObject } from '../api-object.js';
import { resourceTypes } from '../resources/resource-types.js';
import type { ObjectStore } from '../store/object-store.js';

/** What the cluster claims to be, and behaves as. */
export const kubernetesVersion = 'v1.36.3';

/** The stored objects as the product's own model reads them, for the engines. */
export interface ClusterView {
  readonly index: ClusterIndex;
  /** The stored object behind one of the model. */
  stored(object: { readonly metadata: { readonly uid: string } }): ApiObject | undefined;
}

/** Stored objects never change, so each is parsed once. One that does not parse is left out. */
const parsed = new WeakMap<ApiObject, unknown>();

/** Gives the view of the store as it is; the same one until something is written. */
export function createClusterViews(store: ObjectStore): () => ClusterView {
  let current: { readonly revision: number; readonly view: ClusterView } | undefined;
  return () => {
    if (current?.revision !== store.revision) current = { revision: store.revision, view: viewOf(store) };
    return current.view;
  };
}

function viewOf(store: ObjectStore): ClusterView {
  const byUid = new Map<string, ApiObject>();
  const objects: Partial<Record<ResourceKind, readonly unknown[]>> = {};
  for (const kind of resourceKinds) {
    const type = resourceTypes.find((each) => each.kind === kind && each.convert === undefined);
    if (type === undefined) continue;
    const stored = store.list(type.storage);
    for (const object of stored) byUid.set(object.metadata.uid, object);
    objects[kind] = stored.map((object) => parse(kind, object)).filter((object) => object !== undefined);
  }
  const all = clusterObjects(objects as Partial<ClusterObjects>);
  const index = indexObjects(all, undefined, parseServerVersion(kubernetesVersion));
  return { index, stored: ({ metadata }) => byUid.get(metadata.uid) };
}

/** `undefined` for an object that the model cannot read. */
export function parse<Kind extends ResourceKind>(kind: Kind, object: ApiObject): ObjectOf<Kind> | undefined {
  if (!parsed.has(object)) parsed.set(object, schemas[kind].safeParse(object).data);
  return parsed.get(object) as ObjectOf<Kind> | undefined;
}
