import { describe, expect, it } from 'vitest';
import { createPodDigests } from '#src/core/crash-history/pod-digests.js';

const uidOf = (number: number): string => `0000000a-1b2c-4d5e-8f90-${number.toString(16).padStart(12, '0')}`;
const fieldsOf = (number: number) => ({
  owner: `rs-${number % 40}`,
  revision: `${number % 3}`,
  node: `n-${number % 90}`,
  startedAt: 1_700_000_000 + number,
  told: (number * 2_654_435_761) >>> 0,
});

describe('digests of pods', () => {
  it('return the stored values while they grow, and after others were added and removed', () => {
    const digests = createPodDigests(10_000);
    const all = Array.from({ length: 5_000 }, (_, number) => number);
    for (const number of all) expect(digests.put(uidOf(number), fieldsOf(number), 1)).toBe(true);
    for (const number of all.filter((each) => each % 2 === 0)) digests.forget(uidOf(number));
    expect(digests.size).toBe(2_500);
    for (const number of all.filter((each) => each % 4 === 0))
      digests.put(uidOf(number), fieldsOf(number + 7), 2);

    expect(digests.get(uidOf(1))).toEqual(fieldsOf(1));
    expect(digests.get(uidOf(1_025))).toEqual(fieldsOf(1_025));
    expect(digests.get(uidOf(4_999))).toEqual(fieldsOf(4_999));
    expect(digests.get(uidOf(2))).toBeUndefined();
    expect(digests.get(uidOf(4))).toEqual(fieldsOf(11));
    expect(digests.notOfRound(2)).toHaveLength(2_500);
    expect(digests.notOfRound(2)).toContain(uidOf(4_999));
    expect(digests.notOfRound(1).every((uid) => digests.get(uid) !== undefined)).toBe(true);
  });

  it('take no more space than allowed, and accept new ones after a removal', () => {
    const digests = createPodDigests(2);
    expect([1, 2, 3].map((number) => digests.put(uidOf(number), fieldsOf(number), 1))).toEqual([
      true,
      true,
      false,
    ]);
    expect(digests.put(uidOf(2), fieldsOf(5), 1)).toBe(true);
    digests.forget(uidOf(1));
    digests.forget(uidOf(1));
    expect(digests.put(uidOf(3), fieldsOf(3), 1)).toBe(true);
    expect(digests.get(uidOf(3))).toEqual(fieldsOf(3));
    expect(digests.size).toBe(2);
  });

  it.each([
    ['a mirror pod’s hash', '9a7b3c'],
    ['none at all', ''],
    ['a UUID in capitals', uidOf(1).toUpperCase()],
    ['a UUID', uidOf(0xabcdef)],
    ['a UUID and more', `${uidOf(1)}0`],
    ['a UUID after something', `0${uidOf(1)}`],
    ['a UUID without dashes', uidOf(1).replaceAll('-', '')],
    ['marked like those of this program', `=${uidOf(1)}`],
    ['marked as packed ones are', '#abc'],
  ])('keep a uid that is %s as it is', (_, uid) => {
    const digests = createPodDigests(10);
    digests.put(uid, fieldsOf(1), 1);
    expect(digests.notOfRound(2)).toEqual([uid]);
  });

  it('know which pods a list did not contain, after many lists too', () => {
    const digests = createPodDigests(10);
    digests.put('a', fieldsOf(1), 255);
    digests.put('b', fieldsOf(1), 256);
    expect(digests.notOfRound(256)).toEqual(['a']);
    digests.put('a', fieldsOf(2), 256);
    expect(digests.notOfRound(256)).toEqual([]);
    expect(digests.notOfRound(257)).toEqual(['a', 'b']);
  });

  it('keep shared names until the last of their pods is removed', () => {
    const digests = createPodDigests(10);
    const [first, other] = [fieldsOf(1), { ...fieldsOf(2), owner: 'rs-x', node: 'n-x', revision: '' }];
    digests.put('a', first, 1);
    digests.put('b', first, 1);
    digests.forget('a');
    digests.put('c', other, 1);
    expect([digests.get('b'), digests.get('c')]).toEqual([first, other]);
    digests.forget('b');
    digests.put('d', first, 1);
    expect([digests.get('c'), digests.get('d')]).toEqual([other, first]);
  });
});
