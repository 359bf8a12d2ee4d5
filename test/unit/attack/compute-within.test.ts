import { describe, expect, it } from 'vitest';
import { computeEachWithin, computeWithin } from '#src/edges/cli/compute-within.js';
import { CommandFailure, exitStatus } from '#src/edges/cli/exit-status.js';

describe('a computation on the command line', () => {
  it.each<[string, () => unknown]>([
    [
      'loops without end',
      () => {
        for (let n = 0; ; n += 1) if (n < 0) return n;
      },
    ],
    ['matches an expression that backtracks', () => /^(a+)+$/.test(`${'a'.repeat(60)}!`)],
    [
      'catches every error in a loop',
      () => {
        for (;;) {
          try {
            for (let n = 0; ; n += 1) if (n < 0) return n;
          } catch {}
        }
      },
    ],
  ])('that %s ends with status 3 and an error message', (_, compute) => {
    const run = () => computeWithin('shop/web', compute, 0.2);
    expect(run).toThrow(CommandFailure);
    expect(run).toThrow('shop/web is too large: the diagnosis was stopped after 0.2 seconds.');
    expect(run).toThrow(expect.objectContaining({ status: exitStatus.unseen }));
  });

  it('of several that do not end names the one that was stopped, after the values before it', () => {
    const computed: number[] = [];
    const run = (): readonly number[] =>
      computeEachWithin(
        [1, 2, 3],
        (number) => `shop/web-${number}`,
        (number) => {
          while (number === 2) if (computed.length > 2) return number;
          computed.push(number);
          return number;
        },
        () => undefined,
        0.2,
      );
    expect(run).toThrow('shop/web-2 is too large: the diagnosis was stopped after 0.2 seconds.');
    expect(computed).toEqual([1]);
  });

  it('of several that end keeps their order', () => {
    const told: number[] = [];
    const values = computeEachWithin(
      ['a', 'b'],
      String,
      (each) => each.toUpperCase(),
      (done) => told.push(done),
    );
    expect(values).toEqual(['A', 'B']);
    expect(told).toEqual([0]);
  });

  it('that ends in time returns its value or throws its own error', () => {
    expect(computeWithin('shop/web', () => ({ found: 1 }))).toEqual({ found: 1 });
    expect(() =>
      computeWithin('shop/web', () => {
        throw new RangeError('a defect');
      }),
    ).toThrow(RangeError);
  });
});
