import { describe, expect, it } from 'vitest';
import { type Candidate, choose } from '../../cluster/steps/choose.js';
import { compact } from '../../cluster/steps/compact.js';

const candidate = (length: number, ...covered: readonly number[]): Candidate => ({
  covered,
  length,
  isWanted: false,
});

describe('the recorded steps that are stored', () => {
  it.each<readonly [string, readonly Candidate[], number, readonly number[]]>([
    ['are none of none', [], 9, []],
    [
      'are those that together cover everything',
      [candidate(9, 1), candidate(9, 1, 2), candidate(9, 3)],
      2,
      [1, 2],
    ],
    ['are the shortest of those that cover as much', [candidate(9, 1, 2), candidate(5, 1, 2)], 1, [1]],
    [
      'cover everything once more where more may be stored',
      [candidate(9, 1, 2), candidate(9, 1), candidate(9, 2)],
      3,
      [0, 1, 2],
    ],
    ['cover nothing only where everything else is stored', [candidate(1), candidate(9, 1)], 1, [1]],
    ['include those that disagree', [{ ...candidate(9), isWanted: true }, candidate(1, 1)], 2, [0, 1]],
  ])('%s', (_, candidates, most, chosen) => {
    expect(choose(candidates, most)).toEqual(chosen);
  });

  it('lack what no engine reads, and keep everything else', () => {
    const step = {
      uid: '0123456789',
      managedFields: [],
      spec: { securityContext: {}, volumes: [{ name: 'kube-api-access-x' }], nodeName: 'n-a' },
      volumes: [{ name: 'data' }, { name: 'kube-api-access-y' }],
    };
    expect(compact<unknown>(step)).toEqual({
      uid: '01234567',
      spec: { nodeName: 'n-a' },
      volumes: [{ name: 'data' }],
    });
  });
});
