import { describe, expect, it } from 'vitest';
import { Coverage } from '#src/doctor/crash-history/merge-records.js';
import { isBadEnd, lengthOfRun, PodRecord, type RunRecord } from '#src/engine/objects/pod-record.js';

const run: RunRecord = { n: 1, exitCode: 1, reason: 'Error', stopped: false };

describe('the end of a run is a crash', () => {
  it.each<[string, Partial<RunRecord>, boolean]>([
    ['with an exit code', {}, true],
    ['when memory ran out', { exitCode: 137, reason: 'OOMKilled' }, true],
    ['without a reason', { reason: '' }, true],
    ['not with exit code 0', { exitCode: 0 }, false],
    ['not when the pod was stopped', { stopped: true }, false],
    ['not when all containers restart together', { reason: 'RestartingAllContainers' }, false],
    ['not when the kubelet lost it', { reason: 'ContainerStatusUnknown' }, false],
    ['not when the reason is unknown', { reason: 'Unknown' }, false],
  ])('%s', (_, fields, bad) => {
    expect(isBadEnd({ ...run, ...fields })).toBe(bad);
  });
});

describe('the length of a run', () => {
  it.each<[string, Partial<RunRecord>, number | undefined]>([
    ['is from its start to its end', { startedAt: 10, finishedAt: 40 }, 30],
    ['may be zero', { startedAt: 10, finishedAt: 10 }, 0],
    ['is not known without a start', { finishedAt: 40 }, undefined],
    ['is not known without an end', { startedAt: 10 }, undefined],
    ['is not known when clocks disagree', { startedAt: 11, finishedAt: 10 }, undefined],
  ])('%s', (_, fields, seconds) => {
    expect(lengthOfRun({ ...run, ...fields })).toBe(seconds);
  });
});

const container = {
  name: 'app',
  role: 'main',
  restarts: 1,
  runs: [run],
  firstBad: { finishedAt: 5, seconds: 1 },
};
const full = {
  v: 1,
  uid: 'u',
  name: 'web',
  node: 'n',
  revision: '1',
  startedAt: 0,
  endedAt: 9,
  containers: [{ ...container, runs: [{ ...run, startedAt: 1, finishedAt: 2, signal: 9 }] }],
};

describe('a stored record', () => {
  it('is parsed as it was written', () => {
    expect(PodRecord.parse(JSON.parse(JSON.stringify(full)))).toEqual(full);
  });

  it.each(['init', 'sidecar', 'main'])('may contain a container with the role %s', (role) => {
    expect(PodRecord.safeParse({ ...full, containers: [{ ...container, role }] }).success).toBe(true);
  });

  const withRun = (fields: object): object => ({
    containers: [{ ...container, runs: [{ ...run, ...fields }] }],
  });
  it.each<[string, object]>([
    ['of another version', { v: 2 }],
    ['that began before 1970', { startedAt: -1 }],
    ['that ended within a second', { endedAt: 1.5 }],
    ['with a container of another role', { containers: [{ ...container, role: 'ephemeral' }] }],
    ['with fewer than no restarts', { containers: [{ ...container, restarts: -1 }] }],
    ['with half a restart', { containers: [{ ...container, restarts: 0.5 }] }],
    ['with a first crash at no time', { containers: [{ ...container, firstBad: {} }] }],
    ['with a run numbered below 0', withRun({ n: -1 })],
    ['with half a run', withRun({ n: 0.5 })],
    ['with half an exit code', withRun({ exitCode: 0.5 })],
    ['with half a signal', withRun({ signal: 0.5 })],
    ['with a run without the stopped field', withRun({ stopped: undefined })],
  ])('is refused when it is one %s', (_, fields) => {
    expect(PodRecord.safeParse({ ...full, ...fields }).success).toBe(false);
  });

  it.each<[string, object, boolean]>([
    ['a gap', { gaps: [{ from: 1, to: 2 }] }, true],
    ['half a gap', { gaps: [{ from: 1 }] }, false],
    ['a beginning before 1970', { since: -1 }, false],
    ['half a second', { upTo: 0.5 }, false],
    ['another version', { v: 2 }, false],
  ])('of the covered period may have %s: %o', (_, fields, good) => {
    expect(Coverage.safeParse({ v: 1, since: 0, upTo: 9, gaps: [], ...fields }).success).toBe(good);
  });
});
