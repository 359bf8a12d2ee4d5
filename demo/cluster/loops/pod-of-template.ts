import type { ApiObject, OwnerReference } from '../api-object.js';
import { copy, type JsonObject, objectAt, textMapAt } from '../json.js';

/** The pod a controller makes from a template (`controller_utils.go: GetPodFromTemplate`). */
export function podOfTemplate(
  template: JsonObject,
  owner: ApiObject,
  reference: OwnerReference,
  naming: { readonly name: string } | { readonly generateName: string },
  labels: Readonly<Record<string, string>> = {},
): JsonObject {
  const annotations = textMapAt(template, 'metadata', 'annotations');
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...naming,
      namespace: owner.metadata.namespace,
      labels: { ...textMapAt(template, 'metadata', 'labels'), ...labels },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ownerReferences: [reference],
    },
    spec: copy(objectAt(template, 'spec')),
  };
}
