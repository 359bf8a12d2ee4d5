import { keyOf } from '../cluster/api-object.js';
import type { LocalCluster } from '../cluster/local-cluster.js';
import { storageOf } from '../cluster/resources/resource-row.js';

/** Removes all objects but the namespaces, as if they had never been created. */
export function clearCluster({ registry: { store } }: LocalCluster): void {
  const namespaces = storageOf('', 'namespaces');
  for (const resource of store.resources.filter((each) => each !== namespaces)) {
    for (const object of store.list(resource)) store.remove(resource, keyOf(object));
  }
}
