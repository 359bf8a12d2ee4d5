import { describe, expect, it } from 'vitest';
import { nearestName } from '#src/engine/language/nearest-name.js';

describe('the nearest name', () => {
  it.each<[string, readonly string[], string | undefined]>([
    ['group', ['users', 'groups', 'clusters'], 'groups'],
    ['hepl', ['help', 'scan'], 'help'],
    ['scna', ['help', 'scan'], 'scan'],
    ['SCAN', ['scan'], 'scan'],
    ['incident', ['incidents'], 'incidents'],
    ['prod', ['local'], undefined],
    ['api', ['audit', 'apis', 'aps'], 'apis'],
    ['x', ['help'], undefined],
    ['', ['help'], undefined],
    ['help', [], undefined],
  ])('of %s among %j is %s', (typed, known, nearest) => {
    expect(nearestName(typed, known)).toBe(nearest);
  });

  it('is not searched among names that are too long', () => {
    expect(nearestName('a'.repeat(100_000), ['a'.repeat(100_000)])).toBeUndefined();
    expect(nearestName('help', ['h'.repeat(100_000), 'helm'])).toBe('helm');
  });
});
