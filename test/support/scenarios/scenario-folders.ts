import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export const scenariosFolder = join(import.meta.dirname, '../../scenarios');

/**
 * Every folder below that holds a recording, as its path from there: `gpu-one-node`,
 * `controls/before-surge-cpu`.
 */
export function scenarioFolders(parent = scenariosFolder): readonly string[] {
  return readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) =>
      existsSync(join(parent, name, 'expect.json'))
        ? [name]
        : scenarioFolders(join(parent, name)).map((inner) => `${name}/${inner}`),
    )
    .sort();
}
