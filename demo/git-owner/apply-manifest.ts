import { parse } from 'yaml';
import { type ApiObject, objectKey } from '../cluster/api-object.js';
import { apiTime } from '../cluster/api-time.js';
import { isObject, type JsonObject } from '../cluster/json.js';
import { applyConfiguration } from '../cluster/patch/server-side-apply.js';
import { createObject } from '../cluster/registry/create-object.js';
import type { Registry } from '../cluster/registry/registry.js';
import { updateObject } from '../cluster/registry/update-object.js';
import { resourceTypeOfKind } from '../cluster/resources/resource-types.js';

/** Name and namespace of the Kustomization that declares the workloads in Git. */
export const kustomizationName = { namespace: 'flux-system', name: 'apps' } as const;

const group = 'kustomize.toolkit.fluxcd.io';
const options = { manager: 'kustomize-controller', user: 'flux', dryRun: false };

/**
 * Applies a manifest as kustomize-controller does: labelled, server-side, and forced over the writes of
 * others.
 */
export function applyManifest(registry: Registry, manifest: string): void {
  const sent = labelled(parse(manifest));
  const { apiVersion, kind, metadata } = sent;
  const type = resourceTypeOfKind(apiVersion, kind);
  if (type === undefined) throw new Error(`the local cluster serves no ${kind} of ${apiVersion}`);
  const { namespace = '', name } = metadata;
  const live = registry.store.get(type.storage, objectKey(type.namespaced ? namespace : undefined, name));
  if (live === undefined) {
    createObject(registry, type, namespace, sent, { ...options, operation: 'Apply' });
    return;
  }
  const time = apiTime(registry.clock.now());
  const writer = { manager: options.manager, operation: 'Apply', subresource: '', time } as const;
  const { object, taken } = applyConfiguration(live, sent, writer, true);
  updateObject(registry, type, namespace, name, () => object, {
    ...options,
    subresource: '',
    replaces: false,
    applied: { sent, taken },
  });
}

function labelled(manifest: unknown): ApiObject {
  if (!isObject(manifest) || !isObject(manifest.metadata)) throw new Error('the manifest is no object');
  const { metadata } = manifest;
  const labels: JsonObject = {
    ...(isObject(metadata.labels) ? metadata.labels : {}),
    [`${group}/name`]: kustomizationName.name,
    [`${group}/namespace`]: kustomizationName.namespace,
  };
  return { ...manifest, metadata: { ...metadata, labels } } as unknown as ApiObject;
}
