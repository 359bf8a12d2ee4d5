import { createObject } from '../registry/create-object.js';
import { requireResourceType, resourceTypes } from '../resources/resource-types.js';
import { attempt, controllerWriter, remove } from './controller-writes.js';
import type { Loop } from './loop.js';

const namespaces = requireResourceType('', 'namespaces');
const serviceAccounts = requireResourceType('', 'serviceaccounts');

/** Gives each namespace its `default` ServiceAccount, and empties and removes one that is being deleted. */
export const namespaceLoop: Loop = ({ registry }) => {
  const { store } = registry;
  for (const { metadata } of store.list(namespaces.storage)) {
    const { name, deletionTimestamp } = metadata;
    if (deletionTimestamp === undefined) {
      if (store.get(serviceAccounts.storage, `${name}/default`) !== undefined) continue;
      attempt(() =>
        createObject(registry, serviceAccounts, name, { metadata: { name: 'default' } }, controllerWriter),
      );
      continue;
    }
    const contents = resourceTypes
      .filter((type) => type.namespaced && !type.isReview && type.convert === undefined)
      .flatMap((type) => store.list(type.storage).map((object) => ({ type, object })))
      .filter(({ object }) => object.metadata.namespace === name);
    for (const { type, object } of contents) {
      if (object.metadata.deletionTimestamp === undefined) attempt(() => remove(registry, type, object));
    }
    if (contents.length === 0) store.remove(namespaces.storage, name);
  }
};
