import { expect, it } from 'vitest';
import { causes } from '#src/core/diagnosis/causes/causes.js';
import { ruledOutWords } from '#src/core/diagnosis/ruled-out-words.js';
import { scenarios } from '#support/scenarios/expectation.js';
import { diagnosisOf } from '#support/scenarios/snapshot-of.js';

it('what the recorded incidents exclude is the id of a cause, or has Korean words', async () => {
  const ids = new Set<string>(causes.map(({ id }) => id));
  const excluded = new Set<string>();
  for (const scenario of scenarios()) {
    const { findings } = await diagnosisOf(scenario);
    for (const { ruledOut } of findings) for (const { cause } of ruledOut) excluded.add(cause);
  }
  const words = [...excluded].filter((each) => !ids.has(each));

  expect(words.length).toBeGreaterThan(2);
  expect(words.filter((each) => !/[가-힣]/u.test(ruledOutWords(each, 'ko')))).toEqual([]);
  expect(words.map((each) => ruledOutWords(each, 'en'))).toEqual(words);
});
