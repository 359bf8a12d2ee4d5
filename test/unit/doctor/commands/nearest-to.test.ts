import { describe, expect, it } from 'vitest';
import { nearestTo } from '#src/doctor/commands/resolve-workload.js';

const near = (wanted: string, ...names: string[]) => nearestTo(wanted, names, (name) => name);

describe('the names nearest to an unknown name', () => {
  it.each([
    ['a swapped pair of letters', 'wbe', 'web'],
    ['a missing letter', 'inferece', 'inference'],
    ['a letter too many', 'paymments', 'payments'],
    ['a wrong letter', 'checkaut', 'checkout'],
    ['three errors in a long name', 'chekcout-wroker-gpuu', 'checkout-worker-gpu'],
    ['a part of the name', 'infer', 'inference-canary'],
    ['the name of a pod', 'inference-5d9c7b-x2z9q', 'inference'],
  ])('include one with %s', (_, wanted, meant) => {
    expect(near(wanted, 'unrelated', meant)).toEqual([meant]);
  });

  it.each([
    ['another short name', 'web', 'db'],
    ['a short name that is part of any other', 'database', 'a'],
    ['a name with as many errors as letters', 'payments', 'checkout'],
  ])('omit %s', (_, wanted, other) => {
    expect(near(wanted, other)).toEqual([]);
  });

  it('put an equal name first, then names that contain it, then typing errors', () => {
    expect(near('cache', 'cash', 'cache-v2', 'cache', 'cachet')).toEqual([
      'cache',
      'cache-v2',
      'cachet',
      'cash',
    ]);
  });

  it('are at most five, with equally near ones in the given order', () => {
    const names = Array.from({ length: 9 }, (_, number) => `web-${9 - number}`);
    expect(near('web', ...names)).toEqual(['web-9', 'web-8', 'web-7', 'web-6', 'web-5']);
  });
});
