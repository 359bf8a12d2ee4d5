import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const rbac = join(import.meta.dirname, '../../deploy/rbac');
/** What every release has, and rights that are granted one namespace at a time or to another account. */
const others = new Set(['base', 'cluster-wide', 'namespaced', 'tokens', 'recorder', 'config-metadata']);

/**
 * Each optional file of deploy/rbac that concerns the whole cluster, by the name that the chart has for it.
 */
export const addOnRights: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(rbac)
    .filter((folder) => !others.has(folder))
    .flatMap((folder) =>
      readdirSync(join(rbac, folder)).map((file) => [
        folder === 'owners' ? file.replace('.yaml', '') : folder,
        `${folder}/${file}`,
      ]),
    ),
);
