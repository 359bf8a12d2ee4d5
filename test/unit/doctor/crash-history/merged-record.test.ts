import { describe, expect, it } from 'vitest';
import { mergePodRecords } from '#src/doctor/crash-history/merge-records.js';
import type { ContainerRecord, PodRecord, RunRecord } from '#src/engine/objects/pod-record.js';

const record = (fields: Partial<PodRecord> = {}): PodRecord => ({
  v: 1,
  uid: 'u',
  name: '',
  node: 'n-a',
  revision: '1',
  containers: [],
  ...fields,
});
const run = (fields: Partial<RunRecord> = {}): RunRecord => ({
  n: 1,
  exitCode: 1,
  reason: 'Error',
  stopped: false,
  ...fields,
});
const container = (fields: Partial<ContainerRecord> = {}): ContainerRecord => ({
  name: 'app',
  role: 'main',
  restarts: 1,
  runs: [],
  ...fields,
});

/** In both orders: which one was observed first does not matter. */
function merged(a: Partial<PodRecord>, b: Partial<PodRecord>): PodRecord {
  const one = mergePodRecords(record(a), record(b));
  expect(mergePodRecords(record(b), record(a))).toEqual(one);
  return one;
}

describe('two observations of a pod', () => {
  it.each<[string, Partial<PodRecord>, Partial<PodRecord>, Partial<PodRecord>]>([
    ['merge to an empty record when both are empty', {}, {}, {}],
    ['keep its name', { name: 'web-1' }, {}, { name: 'web-1' }],
    ['keep its start', { startedAt: 5 }, {}, { startedAt: 5 }],
    ['keep its earliest start', { startedAt: 5 }, { startedAt: 4 }, { startedAt: 4 }],
    ['keep its end', { endedAt: 9 }, {}, { endedAt: 9 }],
    ['keep its earliest end', { endedAt: 9 }, { endedAt: 8 }, { endedAt: 8 }],
    ['keep its node', { node: '' }, {}, { node: 'n-a' }],
    ['keep its revision', { revision: '' }, {}, { revision: '1' }],
    [
      'put its containers in order',
      { containers: [container({ name: 'b' })] },
      { containers: [container({ name: 'a' })] },
      { containers: [container({ name: 'a' }), container({ name: 'b' })] },
    ],
    [
      'count the most restarts of a container',
      { containers: [container({ restarts: 3 })] },
      { containers: [container({ restarts: 2, role: 'init' })] },
      { containers: [container({ restarts: 3, role: 'main' })] },
    ],
  ])('%s', (_, a, b, expected) => {
    expect(merged(a, b)).toEqual(record(expected));
  });

  it('merge the runs in order, each once, and keep the last eight', () => {
    const runs = (...numbers: readonly number[]) => ({
      containers: [container({ runs: numbers.map((n) => run({ n })) })],
    });
    const both = merged(runs(9, 3, 5, 1, 2), runs(4, 5, 6, 7, 8, 10));

    expect(both.containers[0]?.runs.map(({ n }) => n)).toEqual([3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('sort the runs of a single observation', () => {
    const one = { containers: [container({ runs: [run({ n: 2 }), run({ n: 1 })] })] };

    expect(merged(one, {}).containers[0]?.runs.map(({ n }) => n)).toEqual([1, 2]);
  });

  it.each<[string, Partial<RunRecord>, Partial<RunRecord>]>([
    ['was stopped, whatever else', { stopped: true }, { finishedAt: 9, exitCode: 137 }],
    ['ended later', { finishedAt: 10 }, { finishedAt: 9, startedAt: 8, exitCode: 137 }],
    ['has an end', { finishedAt: 1 }, { startedAt: 8 }],
    ['began later', { startedAt: 10 }, { startedAt: 9, exitCode: 137 }],
    ['has the greater exit code', { exitCode: 137 }, { exitCode: 9, signal: 9 }],
    ['has a signal', { signal: 9, reason: '' }, { reason: 'Error' }],
    ['has the greater signal', { signal: 11 }, { signal: 9, reason: 'Z' }],
    ['has a reason', { reason: 'Error' }, { reason: '' }],
  ])('agree on one end of a run: the one that %s', (_, kept, lost) => {
    const withRun = (fields: Partial<RunRecord>) => ({ containers: [container({ runs: [run(fields)] })] });

    expect(merged(withRun(kept), withRun(lost)).containers[0]?.runs).toEqual([run(kept)]);
  });

  it.each<[string, ContainerRecord['firstBad'], ContainerRecord['firstBad']]>([
    ['the only one', { finishedAt: 5 }, undefined],
    ['the earlier one', { finishedAt: 5 }, { finishedAt: 6, seconds: 9 }],
    ['of two at once the one whose length is known', { finishedAt: 5, seconds: 0 }, { finishedAt: 5 }],
    ['of two at once the longer one', { finishedAt: 5, seconds: 4 }, { finishedAt: 5, seconds: 3 }],
  ])('keep of two first crashes %s', (_, kept, lost) => {
    const withRun = (firstBad: ContainerRecord['firstBad']) => ({
      containers: [container(firstBad === undefined ? {} : { firstBad })],
    });

    expect(merged(withRun(kept), withRun(lost)).containers[0]?.firstBad).toEqual(kept);
  });
});
