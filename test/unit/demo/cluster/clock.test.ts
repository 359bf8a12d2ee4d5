import { describe, expect, it } from 'vitest';
import { createClock } from '../../../../demo/cluster/clock.js';

describe('a stopped clock', () => {
  it('moves only when it is advanced, and makes every call that is due', () => {
    const clock = createClock(0);
    const calledAt: string[] = [];
    clock.at(20, () => calledAt.push(`b ${clock.now()}`));
    clock.at(10, () => calledAt.push(`a ${clock.now()}`));
    clock.at(20, () => calledAt.push(`c ${clock.now()}`));
    clock.advanceTo(15);
    expect([clock.now(), calledAt]).toEqual([15, ['a 10']]);
    clock.advance(10);
    expect(calledAt).toEqual(['a 10', 'b 20', 'c 20']);
  });

  it('makes calls that are scheduled while it advances', () => {
    const clock = createClock(0);
    const calledAt: number[] = [];
    const again = (): void => {
      calledAt.push(clock.now());
      if (calledAt.length < 3) clock.at(clock.now() + 5, again);
    };
    clock.at(5, again);
    clock.advanceTo(100);
    expect(calledAt).toEqual([5, 10, 15]);
  });

  it('never makes a cancelled call', () => {
    const clock = createClock(0);
    const calledAt: number[] = [];
    clock.at(5, () => calledAt.push(5))();
    clock.advanceTo(10);
    expect(calledAt).toEqual([]);
  });
});

describe('a clock that follows the wall clock', () => {
  it('jumps to the wall clock, makes the calls that are due, and cannot be advanced by hand', () => {
    const clock = createClock(0, () => 1_000);
    const calledAt: number[] = [];
    clock.at(500, () => calledAt.push(clock.now()));
    clock.follow();
    expect([clock.now(), calledAt]).toEqual([1_000, [1_000]]);
    expect(() => clock.advanceTo(2_000)).toThrow('cannot be moved');
    clock.stop();
  });

  it('does not go back when the wall clock is behind', () => {
    const clock = createClock(5_000, () => 1_000);
    clock.follow();
    expect(clock.now()).toBe(5_000);
    clock.stop();
  });
});
