import { describe, expect, it } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';

describe('the declarations of the rules', () => {
  /**
   * The workload kinds that they support, the kinds they must read, and the causes they explain better than
   * other rules.
   */
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
