import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scenarios, scenariosFolder } from './expectation.js';
import { factsOf } from './facts.js';

/** The incidents themselves, not their variants in folders below. */
const incidents = scenarios().filter(({ folder }) => dirname(folder) === scenariosFolder);

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
});
