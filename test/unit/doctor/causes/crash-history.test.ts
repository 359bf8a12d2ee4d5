import { describe, expect, it } from 'vitest';
import { crashLoopOnNode as rule } from '#src/doctor/causes/crash-loop-on-node/rule.js';
import type { Node } from '#src/engine/objects/node.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { CrashHistory, PodRecord } from '#src/engine/objects/pod-record.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { node } from '../../../support/placement-builders.js';
import {
  ago,
  backingOff,
  crashSnapshot,
  ended,
  failingPod,
  now,
  readyFor,
} from '../findings/crashes/build.js';
import { expectFindings, foundBy, has, lacks, mustFind, type Row, step } from './run-rule.js';

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

interface Remembered {
  readonly records: readonly PodRecord[];
  readonly more?: Partial<CrashHistory>;
  readonly pods?: readonly Pod[];
  readonly nodes?: readonly Node[];
}
const remembering = ({ records, more = {}, pods = oneEach, nodes }: Remembered): Snapshot => ({
  ...crashSnapshot({ pods, ...(nodes && { nodes }) }),
  history: history(records, more),
});
const others = ['n-a', 'n-c', 'n-d'];
const allNodes = ['n-b', ...others];

/** The record with these ends of its runs, of more restarts than are kept. */
function withRuns(
  record: PodRecord | undefined,
  restarts: number,
  ...ends: readonly [number, string][]
): PodRecord {
  const [container] = record?.containers ?? [];
  const [run] = container?.runs ?? [];
  if (record === undefined || container === undefined || run === undefined) throw new Error('no run');
  const runs = ends.map(([exitCode, reason], n) => ({ ...run, n, exitCode, reason }));
  return { ...record, containers: [{ ...container, restarts, runs }] };
}
const [first, next, ...further] = crashedOnB;

/** Of a pod that runs, and crashed 60 and 5 hours ago. */
function recordOf({ metadata }: Pod, at: number): PodRecord {
  const [{ containers: early }, { containers: late }] = [60, 5].map((hours) =>
    deletedPod({ node: 'n-b', from: 90, to: undefined, crashed: hours + at }),
  ) as [PodRecord, PodRecord];
  const record = deletedPod({ node: 'n-b', from: 90, to: undefined });
  const [container] = early;
  const [before, last] = [early[0]?.runs[0], late[0]?.runs[0]];
  if (container === undefined || before === undefined || last === undefined) throw new Error('no run');
  const runs = [before, { ...last, n: 1 }];
  return { ...record, uid: metadata.uid, containers: [{ ...container, restarts: 2, runs }] };
}
const longLived = ['n-a', 'n-b', 'n-c'].flatMap((name) => living(name, 3, 90));
const remade = allNodes.map((name) => {
  const made = node(name);
  return { ...made, metadata: { ...made.metadata, creationTimestamp: ago(2 * hour) } };
});
const without = (field: 'endedAt' | 'startedAt') =>
  crashedOnB.map(({ [field]: _, ...record }) => record as PodRecord);
const yesterday = [80, 60, 40].map((from) =>
  deletedPod({ node: 'n-b', from, to: from - 6, crashed: from - 1 }),
);
const uncounted: readonly (readonly [string, readonly PodRecord[], (readonly Node[])?])[] = [
  ['whose end was not observed', without('endedAt')],
  ['that never ran', without('startedAt')],
  ['of a revision that no longer runs', crashedOnB.map((record) => ({ ...record, revision: '0' }))],
  ['on a deleted node', crashedOnB.map((record) => ({ ...record, node: 'n-x' }))],
  ['on a former node of that name', crashedOnB, remade],
  ['that crashed while their node was down', crashedOnB.map(unknownEnds)],
  ['that crashed more than a day ago', yesterday],
];
const shortLives = others.flatMap((name) =>
  Array.from({ length: 8 }, (_, at) => deletedPod({ node: name, from: 24 - 2 * at, to: 22 - 2 * at })),
);
const longLives = [3, 4, 5].map((at) => deletedPod({ node: 'n-b', from: 90, to: 1, crashed: at }));
const everywhere = others.flatMap((name) =>
  [20, 14, 8].map((from) => deletedPod({ node: name, from, to: from - 6, crashed: from - 1 })),
);

describe('crash-loop-on-node with a crash history', () => {
  expectFindings<Remembered>(rule, remembering, [
    ['is none without a record', { records: [] }],
    [
      'is found by pods that were deleted since, and names the history as its source',
      { records: crashedOnB },
      {
        confidence: 'likely',
        severity: 'warning',
        nodes: ['n-b'],
        steps: has(
          step('remembered', { deleted: 4, elsewhere: 0, since: ago(100 * hour) }),
          step('exposure', {}),
        ),
        reasoning: lacks('not-watched'),
        evidence: ['ev-deleted', 'ev-deleted', 'ev-deleted', 'ev-ends'],
        quotes: has('exitCode 139, Error'),
        ends: has(
          expect.objectContaining({
            object: expect.objectContaining({ name: crashedOnB[3]?.name }),
            at: ago(7 * hour),
          }),
        ),
      },
    ],
    [
      'shows how the runs of each revision on the node ended, by exit, most first, with those no longer kept',
      {
        records: [
          withRuns(first, 5, [139, 'Error'], [137, 'OOMKilled']),
          withRuns(next, 1, [1, ''], [139, 'Error'], [0, 'Completed']),
          ...further,
        ],
      },
      {
        where: has('history[shop, revision 1]'),
        quotes: has('139: 4, 1: 1, 137 OOMKilled: 1'),
        arithmetic: has({ node: 'n-b', runs: 6, more: 3, exits: ['139', '1', '137 OOMKilled'] }),
      },
    ],
    [
      'counts a running pod whose crash the API no longer shows',
      { records: longLived.filter(({ spec }) => spec.nodeName === 'n-b').map(recordOf), pods: longLived },
      { severity: 'warning', nodes: ['n-b'], steps: has(step('recalled', { pods: 3 })) },
    ],
    [
      'states the times without a watch, and the dropped records',
      { records: crashedOnB, more: { gaps: [{ from: second - 9000, to: second - 8400 }], dropped: 12 } },
      { steps: has(step('not-watched', { gaps: 1, seconds: 600 }), step('dropped', { pods: 12 })) },
    ],
    ...uncounted.map(
      ([what, records, nodes]): Row<Remembered> => [
        `does not count pods ${what}`,
        { records, ...(nodes && { nodes }) },
      ],
    ),
  ]);

  it('recommends recreating only an existing pod', () => {
    const finding = foundBy(rule, remembering({ records: crashedOnB.slice(2) }));

    expect(finding?.remediations.map(({ kind }) => kind) ?? []).not.toContain('delete-pod');
  });

  it('counts healthy pods elsewhere too: crashes everywhere now and then are not caused by a node', () => {
    expect(foundBy(rule, remembering({ records: [...crashedOnB, ...everywhere] }))?.severity).not.toBe(
      'warning',
    );
  });

  it('does not blame a node for crashes that come with the long life of its pods', () => {
    const pods = allNodes.toSorted().flatMap((name) => living(name, 1, 1));
    const finding = mustFind(rule, remembering({ records: [...shortLives, ...longLives], pods }));

    expect(finding.severity).toBe('info');
    expect(finding.reasoning.map(({ key }) => key)).toContain('unsure-exposure');
  });

  it('equals the finding without a history where no crash is recorded', () => {
    const crashing = {
      containers: [{ state: backingOff, lastState: ended({ exitCode: 139 }), ready: false }],
      status: { startTime: ago(3 * hour) },
    };
    const bad = [0, 1, 2].map((at) => failingPod({ name: `web-1-n-b-${at}`, node: 'n-b', ...crashing }));
    const snapshot = crashSnapshot({ pods: [...living('n-a', 3, 3), ...bad, ...living('n-c', 3, 3)] });
    const plain = mustFind(rule, snapshot);

    expect(plain).toMatchObject({ severity: 'critical', nodes: ['n-b'] });
    expect(mustFind(rule, { ...snapshot, history: history([], { observedSince: second }) })).toEqual(plain);
  });
});

function unknownEnds(record: PodRecord): PodRecord {
  const containers = record.containers.map(({ firstBad: _, ...container }) => ({
    ...container,
    runs: container.runs.map((run) => ({ ...run, exitCode: 255, reason: 'Unknown' })),
  }));
  return { ...record, containers };
}
