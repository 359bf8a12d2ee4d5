import { readdirSync } from 'node:fs';
import { basename, dirname, join, parse } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scenarios, scenariosFolder } from '#support/scenarios/expectation.js';
import { scenarioFolders } from '#support/scenarios/scenario-folders.js';
import { factsOf, outlineOf } from './facts.js';

const all = scenarios();
/** The incidents themselves, and their variants in folders below. */
const incidents = all.filter(({ folder }) => dirname(folder) === scenariosFolder);
const variants = all.filter(({ folder }) => dirname(folder) !== scenariosFolder);

/**
 * `expect.json` says what must be found; this keeps every fact that is stated besides. Whoever changes one sees all the
 * incidents in which people will read something else. `npx vitest run --project scenario -u` takes the new ones.
 */
describe('the facts stated about', () => {
  it.each(incidents.map((scenario) => [basename(scenario.folder), scenario] as const))(
    '%s are those that were reviewed',
    async (name, scenario) => {
      await expect(await factsOf(scenario)).toMatchFileSnapshot(`facts/${name}.yaml`);
    },
  );

  it.each([...new Set(variants.map(({ folder }) => basename(dirname(folder))))])(
    'the variants in %s are, in outline, those that were reviewed',
    async (parent) => {
      const lines: string[] = [];
      for (const variant of variants.filter(({ folder }) => basename(dirname(folder)) === parent)) {
        lines.push(`${basename(variant.folder)}:`, ...(await outlineOf(variant)).map((line) => `  ${line}`));
      }
      await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`facts/${parent}.txt`);
    },
  );
});

describe('the facts that are kept', () => {
  it('are of incidents and folders that are still there', () => {
    const kept = readdirSync(join(import.meta.dirname, 'facts')).map((file) => parse(file).name);
    const known = new Set(scenarioFolders().map((path) => path.split('/')[0]));
    expect(kept.filter((name) => !known.has(name))).toEqual([]);
  });
});
