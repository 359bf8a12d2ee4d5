import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ClusterObjects,
  clusterObjects,
  isResourceKind,
  modelKindOf,
  schemas,
} from '#src/engine/objects/cluster-objects.js';
import { type ServerVersion, serverVersionIn } from '#src/engine/objects/release-rules.js';
import { scenariosFolder } from './scenario-folders.js';

/** The objects of a recorded incident, without those that do not parse. */
export function objectsOf(scenario: string): ClusterObjects {
  const list = JSON.parse(readFileSync(join(scenariosFolder, scenario, 'objects.json'), 'utf8')) as {
    readonly items: readonly { readonly apiVersion?: string; readonly kind: string }[];
  };
  const byKind: Record<string, unknown[]> = {};
  for (const item of list.items) {
    const kind = modelKindOf(item.kind, item.apiVersion);
    if (!isResourceKind(kind)) continue;
    const parsed = schemas[kind].safeParse(item);
    if (parsed.success) byKind[kind] = [...(byKind[kind] ?? []), parsed.data];
  }
  return clusterObjects(byKind as Partial<ClusterObjects>);
}

/** The release that a recording names. */
export function serverVersionOf(scenario: string): ServerVersion | undefined {
  const file = join(scenariosFolder, scenario, 'version.json');
  return existsSync(file) ? serverVersionIn(JSON.parse(readFileSync(file, 'utf8'))) : undefined;
}
