import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KubernetesObject, V1ClusterRoleBinding, V1RoleBinding } from '@kubernetes/client-node';
import { parseAllDocuments } from 'yaml';
import type { Cluster } from './cluster.js';
import { grantsIn, isRole, nameOf, untilAllowed } from './grants.js';

const folder = fileURLToPath(new URL('../../../deploy/rbac/', import.meta.url));

export const accounts = {
  namespace: 'rollout-doctor',
  reader: 'rollout-doctor-reader',
  patcher: 'rollout-doctor-patcher',
} as const;

/** The objects of one shipped file (`cluster-wide/reader.yaml`). */
export function shippedObjects(file: string): KubernetesObject[] {
  return parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map(
    (document): KubernetesObject => document.toJS(),
  );
}

/**
 * `['list pods', 'get apps/deployments', …]`: every verb on every resource that the rules of a Role grant.
 */
export function grantsOf(objects: readonly KubernetesObject[]): string[] {
  return objects.filter(isRole).flatMap(grantsIn).map(nameOf).sort();
}

type Binding = V1ClusterRoleBinding | V1RoleBinding;

const isBinding = (object: KubernetesObject): object is Binding => 'roleRef' in object;

/**
 * Applies shipped files as they are, those for one namespace into that namespace, and waits until every right
 * is in effect.
 */
export async function applyShipped(
  cluster: Cluster,
  files: readonly string[],
  namespace?: string,
): Promise<void> {
  const objects = files.flatMap(shippedObjects);
  for (const object of objects) {
    const isNamespaced = object.kind === 'Role' || object.kind === 'RoleBinding';
    if (isNamespaced) object.metadata = { ...object.metadata, ...(namespace ? { namespace } : {}) };
    await cluster.objects.create(object);
  }
  const roles = objects.filter(isRole);
  for (const { kind, metadata, roleRef, subjects = [] } of objects.filter(isBinding)) {
    const role = roles.find((one) => one.kind === roleRef.kind && one.metadata?.name === roleRef.name);
    if (role === undefined) throw new Error(`no role is shipped for the binding ${metadata?.name}`);
    const scope = kind === 'RoleBinding' ? (metadata?.namespace ?? '') : '';
    for (const subject of subjects) {
      const name = `${subject.namespace}:${subject.name}`;
      for (const granted of grantsIn(role)) {
        await untilAllowed(cluster, { name, namespace: scope, granted, allowed: true });
      }
    }
  }
}
