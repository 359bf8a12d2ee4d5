import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KubernetesObject } from '@kubernetes/client-node';
import { parse, parseAllDocuments } from 'yaml';
import type { Cluster } from './cluster.js';

const folder = fileURLToPath(new URL('../../../deploy/admission/', import.meta.url));

/** The objects of one shipped kustomization (`base`, `without-undo`), as `kubectl apply -k` finds them. */
function admissionObjects(kustomization: string): readonly KubernetesObject[] {
  const at = join(folder, kustomization);
  const { resources } = parse(readFileSync(join(at, 'kustomization.yaml'), 'utf8')) as {
    readonly resources: readonly string[];
  };
  return resources.flatMap((each) =>
    each.endsWith('.yaml')
      ? parseAllDocuments(readFileSync(join(at, each), 'utf8')).map(
          (document): KubernetesObject => document.toJS(),
        )
      : admissionObjects(join(kustomization, each)),
  );
}

/** Applies those that are not there yet. */
export async function applyAdmission(cluster: Cluster, kustomization: string): Promise<void> {
  for (const object of admissionObjects(kustomization)) {
    const { name = '' } = object.metadata ?? {};
    const { apiVersion = '', kind = '' } = object;
    const { items } = await cluster.objects.list(apiVersion, kind);
    if (!items.some(({ metadata }) => metadata?.name === name)) await cluster.objects.create(object);
  }
}
