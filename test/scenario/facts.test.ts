import { describe, expect, it } from 'vitest';
import { scenarios } from './expectation.js';
import { factsOf } from './facts.js';

/**
 * `expect.json` says what must be found; this keeps every fact that is stated besides. Whoever changes one sees all the
 * incidents in which people will read something else. `npx vitest run --project scenario -u` takes the new ones.
 */
describe('the facts stated about', () => {
  it.each(scenarios().map((scenario) => [scenario.expect.id, scenario] as const))(
    '%s are those that were reviewed',
    async (id, scenario) => {
      await expect(await factsOf(scenario)).toMatchFileSnapshot(`facts/${id}.yaml`);
    },
  );
});
