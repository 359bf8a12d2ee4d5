import { describe, expect, it } from 'vitest';
import { causes } from '#src/core/diagnosis/causes/causes.js';

describe('the declarations of the rules', () => {
  /** Which kinds of workloads they look at, what must be read for them, and what they explain better than others. */
  it('match the reviewed list', async () => {
    const lines = causes.flatMap((rule) => [
      rule.id,
      `  applies to  ${rule.appliesTo.join(' ')}`,
      `  needs       ${rule.needs.join(' ')}`,
      `  supersedes  ${rule.supersedes.join(' ')}`,
    ]);
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('rules.txt');
  });

  it('name each kind and each cause once', () => {
    for (const rule of causes) {
      for (const list of [rule.appliesTo, rule.needs, rule.supersedes])
        expect([...new Set(list)]).toEqual(list);
    }
  });
});
