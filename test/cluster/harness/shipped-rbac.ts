import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KubernetesObject, V1ClusterRole, V1Role } from '@kubernetes/client-node';
import { parseAllDocuments } from 'yaml';
import type { Cluster } from './cluster.js';

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

/** `['list pods', 'get apps/deployments', …]`: every verb on every resource that the rules of a Role grant. */
export function grantsOf(objects: readonly KubernetesObject[]): string[] {
  const roles = objects.filter((object): object is V1ClusterRole | V1Role => 'rules' in object);
  return roles
    .flatMap((role) => role.rules ?? [])
    .flatMap(({ apiGroups = [], resources = [], verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => grant(verb, group, resource))),
      ),
    )
    .sort();
}

export const grant = (verb: string, apiGroup: string, resource: string): string =>
  `${verb} ${apiGroup === '' ? '' : `${apiGroup}/`}${resource}`;

/** Applies shipped files as they are; those for one namespace into that namespace. */
export async function applyShipped(
  cluster: Cluster,
  files: readonly string[],
  namespace?: string,
): Promise<void> {
  for (const object of files.flatMap(shippedObjects)) {
    const isNamespaced = object.kind === 'Role' || object.kind === 'RoleBinding';
    if (isNamespaced) object.metadata = { ...object.metadata, ...(namespace ? { namespace } : {}) };
    await cluster.objects.create(object);
  }
}
