import { describe, expect, it } from 'vitest';
import { isWorthKeeping, observePod } from '#src/doctor/crash-history/observe-pod.js';
import { Pod } from '#src/engine/objects/pod.js';
import type { PodRecord } from '#src/engine/objects/pod-record.js';
import {
  at,
  ended,
  type PodShape,
  podObject,
  running,
  type StatusWire,
  start,
  waiting,
  watched,
} from './pods.js';

const now = start + 10_000;
const end = { from: 10, to: 40, exitCode: 139 };
const recordOf = (shape: PodShape, gone = false): PodRecord | undefined =>
  observePod(watched(shape), gone, now)?.record;
const terminated = (fields: object, restartCount = 1): StatusWire => ({
  name: 'app',
  restartCount,
  state: {},
  lastState: { terminated: { exitCode: 1, reason: 'Error', finishedAt: at(40), ...fields } },
});
const container = (...statuses: readonly StatusWire[]) => recordOf({ statuses })?.containers[0];

describe('the record of a pod', () => {
  it('contains all stored fields of a crash', () => {
    expect(observePod(watched({ statuses: [waiting(1, end)] }), false, now)).toEqual({
      owner: 'rs-1',
      record: {
        v: 1,
        uid: '11111111-0000-4000-8000-000000000001',
        name: 'web-1-a',
        node: 'n-a',
        revision: '1',
        startedAt: start,
        containers: [
          {
            name: 'app',
            role: 'main',
            restarts: 1,
            runs: [
              {
                n: 1,
                startedAt: start + 10,
                finishedAt: start + 40,
                exitCode: 139,
                reason: 'Error',
                stopped: false,
              },
            ],
            firstBad: { finishedAt: start + 40, seconds: 30 },
          },
        ],
      },
    });
  });

  it('has no name and is not stored while the pod is healthy', () => {
    const record = recordOf({});
    expect(record).toMatchObject({ name: '', containers: [] });
    expect(record && isWorthKeeping(record)).toBe(false);
  });

  it('is stored after a crash', () => {
    const record = recordOf({ statuses: [waiting(1, end)] });
    expect(record && isWorthKeeping(record)).toBe(true);
  });

  it.each([
    ['ReplicaSet', 'rs-1'],
    ['StatefulSet', 'rs-1'],
    ['DaemonSet', 'rs-1'],
    ['ReplicationController', undefined],
  ])('is stored under a %s: %s', (ownerKind, owner) => {
    expect(observePod(watched({ ownerKind }), false, now)?.owner).toBe(owner);
  });

  it.each<[string, readonly object[], string | undefined]>([
    [
      'that controls it, not another owner',
      [
        { kind: 'StatefulSet', uid: 'x' },
        { kind: 'ReplicaSet', uid: 'y', controller: true },
      ],
      'y',
    ],
    [
      'that controls it, not one with controller: false',
      [{ kind: 'ReplicaSet', uid: 'x', controller: false }],
      undefined,
    ],
  ])('is stored under the owner %s', (_, ownerReferences, owner) => {
    const named = ownerReferences.map((each) => ({ name: 'n', ...each }));
    expect(observePod(watched({ metadata: { ownerReferences: named } }), false, now)?.owner).toBe(owner);
  });

  it.each<[string, object | undefined, string]>([
    ['of a Deployment', { 'pod-template-hash': 'a' }, 'a'],
    ['of a StatefulSet', { 'controller-revision-hash': 'web-b' }, 'web-b'],
    ['of a Deployment first', { 'controller-revision-hash': 'b', 'pod-template-hash': 'a' }, 'a'],
    ['that is not labelled', {}, ''],
    ['of a pod without labels', undefined, ''],
  ])('has the revision %s', (_, labels, revision) => {
    expect(recordOf({ metadata: { labels } })?.revision).toBe(revision);
  });

  it.each<[string, PodShape, number | undefined]>([
    ['when the kubelet accepted it', { metadata: { creationTimestamp: at(-9) } }, start],
    [
      'at its creation, where that is not known',
      { metadata: { creationTimestamp: at(-9) }, status: { startTime: null } },
      start - 9,
    ],
    [
      'never, where no time is known',
      { metadata: { creationTimestamp: null }, status: { startTime: null } },
      undefined,
    ],
    ['in the whole second', { status: { startTime: '2026-11-20T00:00:07.900Z' } }, start + 7],
    ['when it has only ended', { statuses: [ended(0, end)] }, start],
    ['when it only restarted', { statuses: [{ name: 'app', restartCount: 1 }] }, start],
    ['never, where no container ran', { statuses: [{ name: 'app', restartCount: 0 }] }, undefined],
    ['when one of its containers did', { statuses: [{ name: 'b', restartCount: 0 }, running(0)] }, start],
  ])('begins %s', (_, shape, startedAt) => {
    expect(recordOf(shape)?.startedAt).toBe(startedAt);
  });

  it.each<[string, PodShape, number]>([
    [
      'with its last container',
      { statuses: [ended(0, end), { ...ended(0, { ...end, to: 60 }), name: 'b' }] },
      start + 60,
    ],
    [
      'with its container rather than its grace',
      { metadata: { deletionTimestamp: at(70) }, statuses: [ended(0, end)] },
      start + 40,
    ],
    ['no later than the deletion was observed', { metadata: { deletionTimestamp: at(99_999) } }, now],
  ])('of a deleted pod ends %s', (_, shape, endedAt) => {
    expect(recordOf(shape, true)?.endedAt).toBe(endedAt);
  });

  it('of a deleted pod without a status ends when the deletion was observed', () => {
    expect(observePod(Pod.parse({ ...podObject(), status: undefined }), true, now)?.record).toMatchObject({
      name: '',
      endedAt: now,
      containers: [],
    });
  });

  it('keeps sixteen containers, by name', () => {
    const names = Array.from({ length: 18 }, (_, each) => `c${String.fromCharCode(97 + each)}`);
    const statuses = names.toReversed().map((name) => ({ ...waiting(1, end), name }));
    expect(recordOf({ statuses })?.containers.map(({ name }) => name)).toEqual(names.slice(0, 16));
  });
});

describe('of a container is kept', () => {
  it('that it restarted, though no end was seen', () => {
    expect(container({ name: 'app', restartCount: 2 })).toEqual({
      name: 'app',
      role: 'main',
      restarts: 2,
      runs: [],
    });
  });

  it('its first end, while it is waiting and has not restarted', () => {
    expect(container(waiting(0, end))?.runs.map(({ n }) => n)).toEqual([0]);
  });

  it('no end from before its first run', () => {
    expect(container(running(0, 50, end))).toBeUndefined();
  });

  it('a first run that ended badly', () => {
    expect(container(ended(0, end))).toMatchObject({ restarts: 0, runs: [{ n: 0 }] });
  });

  it('the earlier of two crashes as the first crash', () => {
    expect(container(ended(3, { ...end, to: 90 }, { from: 1, to: 9 }))?.firstBad).toEqual({
      finishedAt: start + 9,
      seconds: 8,
    });
    expect(container(ended(3, { ...end, to: 20 }, { from: 11, to: 90 }))?.firstBad).toEqual({
      finishedAt: start + 20,
      seconds: 10,
    });
  });

  it('a crash with a known time as the first crash', () => {
    const former = { ...terminated({ finishedAt: null }).lastState };
    expect(container({ ...ended(3, end), lastState: former })?.firstBad).toEqual({
      finishedAt: start + 40,
      seconds: 30,
    });
    expect(container(terminated({ finishedAt: null }))?.firstBad).toBeUndefined();
  });

  it('no unknown duration of a first crash', () => {
    expect(container(terminated({}))?.firstBad).toEqual({ finishedAt: start + 40 });
  });

  it.each([
    [9, 9],
    [0, undefined],
    [undefined, undefined],
  ])('the signal %s as %s', (signal, kept) => {
    expect(container(terminated({ signal }))?.runs[0]?.signal).toBe(kept);
  });

  it.each([
    ['a word', 'OOMKilled', 'OOMKilled'],
    ['two words of CRI-O', 'seccomp killed', 'seccomp killed'],
    ['forty letters', 'A'.repeat(40), 'A'.repeat(40)],
    ['not forty-one', 'A'.repeat(41), ''],
    ['a second word of twenty letters', `a ${'b'.repeat(20)}`, `a ${'b'.repeat(20)}`],
    ['not of twenty-one', `a ${'b'.repeat(21)}`, ''],
    ['not three words', 'a b c', ''],
    ['not two words in capitals', 'Secret Value', ''],
    ['not a word with a mark', 'Error:', ''],
    ['not a word after a mark', ':Error', ''],
    ['not digits', 'code1', ''],
    ['not an empty reason', undefined, ''],
  ])('of reasons %s', (_, reason, kept) => {
    expect(container(terminated({ reason }))?.runs[0]?.reason).toBe(kept);
  });

  it('exit code 0, where none is reported', () => {
    expect(container(terminated({ exitCode: null }))?.runs[0]?.exitCode).toBe(0);
  });
});

describe("the end of a run counts as a consequence of the pod's deletion or eviction", () => {
  const stops = (shape: PodShape) =>
    recordOf(shape)?.containers[0]?.runs.map(({ n, stopped }) => [n, stopped]);
  const deleted = { deletionTimestamp: at(75), deletionGracePeriodSeconds: 30 };

  it.each<[string, PodShape, boolean]>([
    ['from its deletion on', { metadata: deleted, statuses: [waiting(1, { from: 1, to: 46 })] }, true],
    [
      'five seconds before, since clocks differ',
      { metadata: deleted, statuses: [waiting(1, { from: 1, to: 40 })] },
      true,
    ],
    ['not six seconds before', { metadata: deleted, statuses: [waiting(1, { from: 1, to: 39 })] }, false],
    [
      'without grace, up to five seconds before',
      { metadata: { deletionTimestamp: at(45) }, statuses: [waiting(1, end)] },
      true,
    ],
    [
      'without grace, not six seconds before',
      { metadata: { deletionTimestamp: at(46) }, statuses: [waiting(1, end)] },
      false,
    ],
    [
      'not where its time is unknown',
      { metadata: deleted, statuses: [terminated({ finishedAt: null })] },
      false,
    ],
    ['not of a pod that stays', { statuses: [waiting(1, end)] }, false],
  ])('%s', (_, shape, stopped) => {
    expect(stops(shape)).toEqual([[1, stopped]]);
  });

  const disrupted = { type: 'DisruptionTarget', status: 'True' };
  it.each<[string, object, boolean]>([
    ['an eviction', { phase: 'Failed', reason: 'Evicted' }, true],
    ['a disruption', { phase: 'Failed', conditions: [{ type: 'Ready', status: 'False' }, disrupted] }, true],
    [
      'not a disruption that did not happen',
      { phase: 'Failed', conditions: [{ ...disrupted, status: 'False' }] },
      false,
    ],
    ['not another condition', { phase: 'Failed', conditions: [{ type: 'Ready', status: 'True' }] }, false],
    ['not a failure of its containers', { phase: 'Failed' }, false],
    ['not a failure with an empty reason', { phase: 'Failed', reason: '' }, false],
    ['not while it runs', { phase: 'Running', reason: 'Evicted', conditions: [disrupted] }, false],
  ])('by %s, and only the end of its last run', (_, status, stopped) => {
    expect(stops({ status, statuses: [ended(2, end, { from: 1, to: 9 })] })).toEqual([
      [1, false],
      [2, stopped],
    ]);
  });
});
