import { describe, expect, it } from 'vitest';
import { createClock } from '../../../../demo/cluster/clock.js';

describe('a stopped clock', () => {
  it('moves only when it is advanced, and makes every call that is due', () => {
    const clock = createClock(0);
    const told: string[] = [];
    clock.at(20, () => told.push(`b ${clock.now()}`));
    clock.at(10, () => told.push(`a ${clock.now()}`));
    clock.at(20, () => told.push(`c ${clock.now()}`));
    clock.advanceTo(15);
    expect([clock.now(), told]).toEqual([15, ['a 10']]);
    clock.advance(10);
    expect(told).toEqual(['a 10', 'b 20', 'c 20']);
  });

  it('makes calls that are scheduled while it advances', () => {
    const clock = createClock(0);
    const told: number[] = [];
    const again = (): void => {
      told.push(clock.now());
      if (told.length < 3) clock.at(clock.now() + 5, again);
    };
    clock.at(5, again);
    clock.advanceTo(100);
    expect(told).toEqual([5, 10, 15]);
  });

  it('never makes a cancelled call', () => {
    const clock = createClock(0);
    const told: number[] = [];
    clock.at(5, () => told.push(5))();
    clock.advanceTo(10);
    expect(told).toEqual([]);
  });
});

describe('a clock that follows the wall clock', () => {
  it('jumps to the wall clock, makes the calls that are due, and cannot be advanced by hand', () => {
    const clock = createClock(0, () => 1_000);
    const told: number[] = [];
    clock.at(500, () => told.push(clock.now()));
    clock.follow();
    expect([clock.now(), told]).toEqual([1_000, [1_000]]);
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
