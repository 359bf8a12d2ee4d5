import { describe, expect, it } from 'vitest';
import type { ContainerRecord, PodRecord } from '#src/core/cluster/pod-record.js';
import { totalsOf } from '#src/core/crash-history/totals.js';

type Exit = readonly [exitCode: number, reason?: string, seconds?: number, stopped?: boolean];

const runs = (...exits: readonly Exit[]): ContainerRecord['runs'] =>
  exits.map(([exitCode, reason = 'Error', seconds = 10, stopped = false], n) => ({
    n,
    exitCode,
    reason,
    stopped,
    startedAt: 100,
    finishedAt: 100 + seconds,
  }));
const pod = (
  fields: Partial<PodRecord> = {},
  ...containers: readonly Partial<ContainerRecord>[]
): PodRecord => ({
  v: 1,
  uid: 'u',
  name: 'web',
  node: 'n-a',
  revision: '1',
  ...fields,
  containers: containers.map((each) => ({ name: 'app', role: 'main', restarts: 0, runs: [], ...each })),
});

describe('crash totals', () => {
  it('of no records are empty', () => {
    expect(totalsOf([])).toEqual([]);
  });

  it('of pods without crashes count only the pods', () => {
    expect(totalsOf([pod(), pod()])).toEqual([
      {
        revision: '1',
        node: 'n-a',
        pods: 2,
        containerSeconds: 0,
        runsStarted: 0,
        badEnds: [],
        notItemised: 0,
      },
    ]);
  });

  it('are by revision, then by node', () => {
    const places = [
      ['2', 'n-a'],
      ['1', 'n-b'],
      ['1', 'n-a'],
      ['2', 'n-a'],
    ] as const;
    const totals = totalsOf(places.map(([revision, node]) => pod({ revision, node })));

    expect(totals.map(({ revision, node, pods }) => [revision, node, pods])).toEqual([
      ['1', 'n-a', 1],
      ['1', 'n-b', 1],
      ['2', 'n-a', 2],
    ]);
  });

  it('name exits by code and reason, the most frequent first, equal ones by name', () => {
    const [total] = totalsOf([
      pod(
        {},
        { runs: runs([139], [137, 'OOMKilled'], [1, ''], [1, 'Error'], [137]) },
        { runs: runs([139], [1], [0, 'Completed'], [143, 'Error', 10, true], [255, 'Unknown']) },
      ),
    ]);

    expect(total?.badEnds).toEqual([
      { exit: '1', runs: 3 },
      { exit: '139', runs: 2 },
      { exit: '137', runs: 1 },
      { exit: '137 OOMKilled', runs: 1 },
    ]);
  });

  it('sum the seconds of all runs of known duration', () => {
    const [known] = runs([1, 'Error', 30]);
    const unknown = { n: 4, exitCode: 1, reason: '', stopped: false };
    const [total] = totalsOf([
      pod({}, { runs: known === undefined ? [] : [known, unknown] }, { runs: runs([0, '', 5]) }),
    ]);

    expect(total?.containerSeconds).toBe(35);
  });

  it('count started runs: one more than the restarts of each container', () => {
    expect(
      totalsOf([pod({}, { restarts: 4 }, { restarts: 0 }), pod({}, { restarts: 1 })])[0]?.runsStarted,
    ).toBe(8);
  });

  it.each<[string, Partial<ContainerRecord>, number]>([
    ['none when each is kept', { restarts: 2, runs: runs([1], [1]) }, 0],
    ['those that are no longer kept', { restarts: 5, runs: runs([1], [1]) }, 3],
    ['not the current one, which has ended', { restarts: 2, runs: runs([1], [1], [1]) }, 0],
    ['all where no end was observed', { restarts: 3 }, 3],
  ])('count ends that are not stored individually: %s', (_, container, count) => {
    expect(totalsOf([pod({}, container)])[0]?.notItemised).toBe(count);
  });
});
