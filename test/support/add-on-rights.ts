import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const rbac = join(import.meta.dirname, '../../deploy/rbac');
/** What every release has, and rights that are granted one namespace at a time or to another account. */
const others = new Set(['base', 'cluster-wide', 'namespaced', 'tokens', 'recorder', 'config-metadata']);

/**
 * The optional files of deploy/rbac that concern the whole cluster, by the name that the chart has for them.
 */
export const addOnRights: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  readdirSync(rbac)
    .filter((folder) => !others.has(folder))
    .flatMap((folder): (readonly [string, readonly string[]])[] => {
      const files = readdirSync(join(rbac, folder)).map((file) => `${folder}/${file}`);
      if (folder !== 'owners') return [[folder, files]];
      return files.map((file) => [file.replace('owners/', '').replace('.yaml', ''), [file]]);
    }),
);
