import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, parse } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { scenarios, scenariosFolder } from '#support/scenarios/expectation.js';
import { scenarioFolders } from '#support/scenarios/scenario-folders.js';
import { factsOf, outlineOf } from './facts.js';

const all = scenarios();
/** The incidents, and their variants in subfolders. */
const incidents = all.filter(({ folder }) => dirname(folder) === scenariosFolder);
const variants = all.filter(({ folder }) => dirname(folder) !== scenariosFolder);

/**
 * `expect.json` names the required findings. These files keep every other stated fact. A change of one shows all the
 * incidents in which people will read something else. `npx vitest run --project scenario -u` accepts the new ones.
 */
describe('the facts stated about', () => {
  it.each(incidents.map((scenario) => [basename(scenario.folder), scenario] as const))(
    '%s are the reviewed ones',
    async (name, scenario) => {
      const file = `facts/${name}.yaml`;
      await expect(inReviewedOrder(await factsOf(scenario), file)).toMatchFileSnapshot(file);
    },
  );

  it.each([...new Set(variants.map(({ folder }) => basename(dirname(folder))))])(
    'the variants in %s are, in outline, the reviewed ones',
    async (parent) => {
      const lines: string[] = [];
      for (const variant of variants.filter(({ folder }) => basename(dirname(folder)) === parent)) {
        lines.push(`${basename(variant.folder)}:`, ...(await outlineOf(variant)).map((line) => `  ${line}`));
      }
      await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`facts/${parent}.txt`);
    },
  );
});

/** The reviewed text where it states the same: in which order a finding has its fields means nothing. */
function inReviewedOrder(facts: string, file: string): string {
  const path = join(import.meta.dirname, file);
  const reviewed = existsSync(path) ? readFileSync(path, 'utf8') : '';
  return isDeepStrictEqual(parseYaml(facts), parseYaml(reviewed)) ? reviewed : facts;
}

describe('the recorded facts', () => {
  it('belong to existing incidents and folders', () => {
    const kept = readdirSync(join(import.meta.dirname, 'facts')).map((file) => parse(file).name);
    const known = new Set(scenarioFolders().map((path) => path.split('/')[0]));
    expect(kept.filter((name) => !known.has(name))).toEqual([]);
  });
});
