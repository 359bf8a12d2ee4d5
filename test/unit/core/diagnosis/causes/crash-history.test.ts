import { describe, expect, it } from 'vitest';
import type { CrashHistory, PodRecord } from '#src/core/cluster/pod-record.js';
import { crashLoopOnNode } from '#src/core/diagnosis/causes/crash-loop-on-node/rule.js';
import type { Finding } from '#src/core/diagnosis/finding.js';
import { node } from '#support/placement-builders.js';
import { ago, crashSnapshot, failingPod, now, readyFor } from '../crashes/build.js';
import { foundBy, keysOf } from './run-rule.js';

const second = now / 1000;
const hour = 3600;

/** Healthy pods that have run for that long. */
function living(nodeName: string, pods: number, hours: number, revision = '1') {
  return Array.from({ length: pods }, (_, at) =>
    failingPod({
      name: `web-${revision}-${nodeName}-${at}`,
      node: nodeName,
      revision,
      status: readyFor(hours * hour),
    }),
  );
}

interface Gone {
  readonly node: string;
  /** Hours ago. */
  readonly from: number;
  readonly to: number | undefined;
  /** Hours ago; absent: the run was healthy. */
  readonly crashed?: number;
  readonly revision?: string;
}

let numbers = 0;

function deletedPod({ node: where, from, to, crashed, revision = '1' }: Gone): PodRecord {
  numbers += 1;
  const finishedAt = crashed === undefined ? 0 : second - crashed * hour;
  const run = {
    n: 0,
    startedAt: finishedAt - 60,
    finishedAt,
    exitCode: 139,
    reason: 'Error',
    stopped: false,
  };
  return {
    v: 1,
    uid: `gone-${numbers}`,
    name: crashed === undefined ? '' : `web-gone-${numbers}`,
    node: where,
    revision,
    startedAt: second - from * hour,
    ...(to === undefined ? {} : { endedAt: second - to * hour }),
    containers:
      crashed === undefined
        ? []
        : [{ name: 'app', role: 'main', restarts: 1, runs: [run], firstBad: { finishedAt, seconds: 60 } }],
  };
}

function history(pods: readonly PodRecord[], more: Partial<CrashHistory> = {}): CrashHistory {
  return { observedSince: second - 100 * hour, gaps: [], pods, dropped: 0, ...more };
}

/** Four pods on n-b crashed and were deleted; their successors have run for an hour. */
const crashedOnB = [26, 20, 14, 8].map((from) =>
  deletedPod({ node: 'n-b', from, to: from - 6, crashed: from - 1 }),
);
const oneEach = [
  ...living('n-a', 3, 30),
  ...living('n-b', 1, 1),
  ...living('n-c', 3, 30),
  ...living('n-d', 3, 30),
];

function diagnosed(
  pods: readonly PodRecord[],
  more: Partial<CrashHistory> = {},
  shape: object = {},
): Finding | undefined {
  const snapshot = crashSnapshot({ pods: oneEach, ...shape });
  return foundBy(crashLoopOnNode, { ...snapshot, history: history(pods, more) });
}

describe('crash-loop-on-node with a crash history', () => {
  it('is found by pods that were deleted since, and names the history as its source', () => {
    expect(foundBy(crashLoopOnNode, crashSnapshot({ pods: oneEach }))).toBeUndefined();
    const finding = diagnosed(crashedOnB);

    expect(finding).toMatchObject({ confidence: 'likely', severity: 'warning', nodes: ['n-b'] });
    expect(finding?.reasoning.find(({ key }) => key === 'remembered')?.values).toEqual({
      deleted: 4,
      elsewhere: 0,
      since: ago(100 * hour),
    });
    expect(keysOf(finding?.reasoning ?? [])).toContain('exposure');
    expect(keysOf(finding?.reasoning ?? [])).not.toContain('not-watched');
    expect(finding?.evidence.map(({ says }) => says.key)).toEqual([
      'ev-deleted',
      'ev-deleted',
      'ev-deleted',
      'ev-ends',
    ]);
    expect(finding?.evidence[0]).toMatchObject({
      object: { kind: 'Pod', name: crashedOnB[3]?.name },
      value: 'exitCode 139, Error',
      at: ago(7 * hour),
    });
  });

  it('shows how the runs of each revision on the node ended, by exit, most first', () => {
    const [first, next, ...others] = crashedOnB;
    const withRuns = (
      record: PodRecord | undefined,
      restarts: number,
      ...ends: readonly [number, string][]
    ) => {
      const [container] = record?.containers ?? [];
      const [run] = container?.runs ?? [];
      if (record === undefined || container === undefined || run === undefined) throw new Error('no run');
      const runs = ends.map(([exitCode, reason], n) => ({ ...run, n, exitCode, reason }));
      return { ...record, containers: [{ ...container, restarts, runs }] };
    };
    const finding = diagnosed([
      // Three of five ends are no longer kept, and the current run has ended too.
      withRuns(first, 5, [139, 'Error'], [137, 'OOMKilled']),
      withRuns(next, 1, [1, ''], [139, 'Error'], [0, 'Completed']),
      ...others,
    ]);

    expect(finding?.evidence.at(-1)).toMatchObject({
      object: { kind: 'Node', name: 'n-b' },
      field: 'history[shop, revision 1]',
      value: '139: 4, 1: 1, 137 OOMKilled: 1',
      says: { values: { node: 'n-b', runs: 6, more: 3, exits: ['139', '1', '137 OOMKilled'] } },
    });
  });

  it('counts a running pod whose crash the API no longer shows', () => {
    const pods = [...living('n-a', 3, 90), ...living('n-b', 3, 90), ...living('n-c', 3, 90)];
    const records = pods
      .filter(({ spec }) => spec.nodeName === 'n-b')
      .map(({ metadata }, at) => {
        const [first] = deletedPod({ node: 'n-b', from: 90, to: 0, crashed: 60 + at }).containers;
        const [last] = deletedPod({ node: 'n-b', from: 90, to: 0, crashed: 5 + at }).containers;
        const { endedAt: _, ...record } = deletedPod({ node: 'n-b', from: 90, to: 0 });
        const [early, late] = [first?.runs[0], last?.runs[0]];
        if (first === undefined || early === undefined || late === undefined) throw new Error('no run');
        return {
          ...record,
          uid: metadata.uid,
          containers: [{ ...first, restarts: 2, runs: [early, { ...late, n: 1 }] }],
        };
      });
    const finding = diagnosed(records, {}, { pods });

    expect(finding).toMatchObject({ severity: 'warning', nodes: ['n-b'] });
    expect(finding?.reasoning.find(({ key }) => key === 'recalled')?.values).toEqual({ pods: 3 });
  });

  it('states the times without a watch, and the dropped records', () => {
    const finding = diagnosed(crashedOnB, {
      gaps: [{ from: second - 9000, to: second - 8400 }],
      dropped: 12,
    });

    expect(finding?.reasoning.find(({ key }) => key === 'not-watched')?.values).toEqual({
      gaps: 1,
      seconds: 600,
    });
    expect(finding?.reasoning.find(({ key }) => key === 'dropped')?.values).toEqual({ pods: 12 });
  });

  it('recommends recreating only an existing pod', () => {
    const finding = diagnosed(crashedOnB.slice(2));

    expect(finding?.remediations.map(({ kind }) => kind) ?? []).not.toContain('delete-pod');
  });

  it.each<[string, readonly PodRecord[], object]>([
    ['whose end was not observed', crashedOnB.map(({ endedAt: _, ...record }) => record), {}],
    ['that never ran', crashedOnB.map(({ startedAt: _, ...record }) => record), {}],
    ['of a revision that no longer runs', crashedOnB.map((record) => ({ ...record, revision: '0' })), {}],
    ['on a deleted node', crashedOnB.map((record) => ({ ...record, node: 'n-x' })), {}],
    [
      'on a former node of that name',
      crashedOnB,
      {
        nodes: ['n-a', 'n-b', 'n-c', 'n-d'].map((name) => {
          const made = node(name);
          return { ...made, metadata: { ...made.metadata, creationTimestamp: ago(2 * hour) } };
        }),
      },
    ],
    ['that crashed while their node was down', crashedOnB.map((record) => unknownEnds(record)), {}],
    [
      'that crashed more than a day ago',
      [80, 60, 40].map((from) => deletedPod({ node: 'n-b', from, to: from - 6, crashed: from - 1 })),
      {},
    ],
  ])('does not count pods %s', (_, pods, shape) => {
    expect(diagnosed(pods, {}, shape)).toBeUndefined();
  });

  it('counts healthy pods elsewhere too: crashes everywhere now and then are not caused by a node', () => {
    const elsewhere = ['n-a', 'n-c', 'n-d'].flatMap((name) =>
      [20, 14, 8].map((from) => deletedPod({ node: name, from, to: from - 6, crashed: from - 1 })),
    );
    expect(diagnosed([...crashedOnB, ...elsewhere])?.severity).not.toBe('warning');
  });

  it('does not blame a node for crashes that come with the long life of its pods', () => {
    const short = ['n-a', 'n-c', 'n-d'].flatMap((name) =>
      Array.from({ length: 8 }, (_, at) => deletedPod({ node: name, from: 24 - 2 * at, to: 22 - 2 * at })),
    );
    const long = [3, 4, 5].map((at) => deletedPod({ node: 'n-b', from: 90, to: 1, crashed: at }));
    const young = ['n-a', 'n-b', 'n-c', 'n-d'].flatMap((name) => living(name, 1, 1));
    const finding = diagnosed([...short, ...long], {}, { pods: young });

    expect(finding?.severity ?? 'info').toBe('info');
    expect(keysOf(finding?.reasoning ?? [])).toContain('unsure-exposure');
  });

  it('equals the finding without a history where no crash is recorded', () => {
    const crashing = {
      containers: [
        {
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: {
            terminated: { exitCode: 139, reason: 'Error', startedAt: ago(140), finishedAt: ago(120) },
          },
          ready: false,
        },
      ],
      status: { startTime: ago(3 * hour) },
    };
    const bad = [0, 1, 2].map((at) => failingPod({ name: `web-1-n-b-${at}`, node: 'n-b', ...crashing }));
    const snapshot = crashSnapshot({ pods: [...living('n-a', 3, 3), ...bad, ...living('n-c', 3, 3)] });
    const without = foundBy(crashLoopOnNode, snapshot);
    const fresh = foundBy(crashLoopOnNode, { ...snapshot, history: history([], { observedSince: second }) });

    expect(without).toMatchObject({ severity: 'critical', nodes: ['n-b'] });
    expect(fresh).toEqual(without);
  });
});

function unknownEnds(record: PodRecord): PodRecord {
  const containers = record.containers.map(({ firstBad: _, ...container }) => ({
    ...container,
    runs: container.runs.map((run) => ({ ...run, exitCode: 255, reason: 'Unknown' })),
  }));
  return { ...record, containers };
}
