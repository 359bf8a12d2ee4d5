import { forbidden, notFound } from '../api/status-error.js';
import type { AdmissionPlugin } from '../registry/registry.js';
import { requireResourceType } from '../resources/resource-types.js';
import type { ObjectStore } from '../store/object-store.js';

/** Nothing is created in a namespace that is not there or is going. */
export function namespaceLifecycle(store: ObjectStore): AdmissionPlugin {
  const namespaces = requireResourceType('', 'namespaces');
  return (_object, { operation, type, namespace, name }) => {
    if (operation !== 'create' || !type.namespaced) return;
    const found = store.get(namespaces.storage, namespace);
    if (found === undefined) throw notFound(namespaces, namespace);
    if (found.metadata.deletionTimestamp === undefined) return;
    throw forbidden(
      type,
      name,
      `unable to create new content in namespace ${namespace} because it is being terminated`,
    );
  };
}
