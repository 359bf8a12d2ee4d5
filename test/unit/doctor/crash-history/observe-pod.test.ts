import { describe, expect, it } from 'vitest';
import { isWorthKeeping, observePod } from '#src/doctor/crash-history/observe-pod.js';
import { isBadEnd } from '#src/engine/objects/pod-record.js';
import { at, ended, type PodShape, podObject, running, start, waiting, watched } from './pods.js';

const now = start + 10_000;

function observed(shape: PodShape, gone = false) {
  return observePod(watched(shape), gone, now);
}

function runsOf(shape: PodShape, gone = false) {
  return observed(shape, gone)?.record.containers[0]?.runs.map(({ n, exitCode, stopped }) => [
    n,
    exitCode,
    stopped,
  ]);
}

const end = { from: 10, to: 40, exitCode: 139 };

describe('the record of one pod state', () => {
  it.each<[string, PodShape, readonly unknown[] | undefined]>([
    ['a container in its first run: no record', {}, undefined],
    ['run 0 has ended while run 1 runs', { statuses: [running(1, 50, end)] }, [[0, 139, false]]],
    [
      'run 1 has ended while the container waits in back-off',
      { statuses: [waiting(1, end)] },
      [[1, 139, false]],
    ],
    ['run 2 has ended and is still the current one', { statuses: [ended(2, end)] }, [[2, 139, false]]],
    [
      'the current and the previous run',
      { statuses: [ended(3, { ...end, to: 90 }, { from: 1, to: 9 })] },
      [
        [2, 1, false],
        [3, 139, false],
      ],
    ],
    [
      'a first run that ended with exit code 0: no record',
      { statuses: [ended(0, { ...end, exitCode: 0 })] },
      undefined,
    ],
  ])('%s', (_, shape, runs) => {
    expect(runsOf(shape)).toEqual(runs);
  });

  it.each<[string, PodShape]>([
    ['no controller that is diagnosed', { ownerKind: 'Job' }],
    ['no controller', { metadata: { ownerReferences: [] } }],
    ['no node', { spec: { nodeName: '' } }],
  ])('is undefined for a pod with %s', (_, shape) => {
    expect(observed({ statuses: [waiting(1, end)], ...shape })).toBeUndefined();
  });

  it.each<[string, PodShape, boolean]>([
    ['a crash is an end with a non-zero exit code', {}, true],
    ['exit 0 is no crash', { statuses: [waiting(1, { ...end, exitCode: 0 })] }, false],
    [
      'a container that the runtime lost is no crash',
      { statuses: [waiting(1, { ...end, reason: 'Unknown' })] },
      false,
    ],
    [
      'an end for the deletion is no crash',
      {
        metadata: { deletionTimestamp: at(60), deletionGracePeriodSeconds: 30 },
        statuses: [ended(1, { ...end, exitCode: 137 })],
      },
      false,
    ],
    [
      'a crash some time before the deletion counts as a crash',
      {
        metadata: { deletionTimestamp: at(600), deletionGracePeriodSeconds: 30 },
        statuses: [running(1, 50, end)],
      },
      true,
    ],
    [
      'an eviction is no crash',
      { status: { phase: 'Failed', reason: 'Evicted' }, statuses: [ended(1, end)] },
      false,
    ],
  ])('%s', (_, shape, isBad) => {
    const record = observed({ statuses: [waiting(1, end)], ...shape })?.record;
    expect(record?.containers[0]?.runs.some(isBadEnd)).toBe(isBad);
    expect(record?.containers[0]?.firstBad?.finishedAt).toBe(isBad ? start + 40 : undefined);
  });

  it.each<[string, PodShape, number]>([
    ['its last container ended', { statuses: [ended(0, { ...end, exitCode: 0 })] }, start + 40],
    ['its grace was over', { metadata: { deletionTimestamp: at(70) } }, start + 70],
    ['its deletion was observed', {}, now],
  ])('a deleted pod ended when %s', (_, shape, endedAt) => {
    const record = observed(shape, true)?.record;
    expect(record).toMatchObject({ startedAt: start, endedAt });
    expect(record && isWorthKeeping(record)).toBe(true);
  });

  it('a pod whose containers never ran has no start time', () => {
    const record = observed({ statuses: [{ name: 'app', restartCount: 0, state: {} }] }, true)?.record;
    expect(record?.startedAt).toBeUndefined();
  });

  it('times that the runtime does not know are omitted', () => {
    const zero = { exitCode: 255, reason: 'Error', startedAt: null, finishedAt: '0001-01-01T00:00:00Z' };
    const record = observed({
      statuses: [{ name: 'app', restartCount: 1, state: {}, lastState: { terminated: zero } }],
    })?.record;
    expect(record?.containers[0]?.runs).toEqual([{ n: 1, exitCode: 255, reason: 'Error', stopped: false }]);
  });

  it('sidecars are separate from init containers, in order of names', () => {
    const status = (name: string) => ({ ...waiting(2, end), name });
    const record = observed({
      spec: { initContainers: [{ name: 'proxy', restartPolicy: 'Always' }, { name: 'migrate' }] },
      status: {
        initContainerStatuses: [status('proxy'), status('migrate')],
        containerStatuses: [status('app')],
      },
    })?.record;
    expect(record?.containers.map(({ name, role }) => [name, role])).toEqual([
      ['app', 'main'],
      ['migrate', 'init'],
      ['proxy', 'sidecar'],
    ]);
  });

  it('no output, argument or variable of a program is kept', () => {
    const canary = 'hunter2-canary';
    const secret = podObject({
      metadata: { annotations: { note: canary }, labels: { app: canary, 'pod-template-hash': '1' } },
      spec: { containers: [{ name: 'app', env: [{ name: 'TOKEN', value: canary }], args: [canary] }] },
      status: {
        message: canary,
        reason: `${canary} in a free text`,
        conditions: [{ type: 'Ready', status: 'False', message: canary }],
        containerStatuses: [
          {
            name: 'app',
            restartCount: 1,
            state: { waiting: { reason: 'CrashLoopBackOff', message: canary } },
            lastState: {
              terminated: {
                exitCode: 1,
                reason: `panic: ${canary}`,
                message: canary,
                startedAt: at(1),
                finishedAt: at(2),
              },
            },
          },
        ],
      },
    });
    const pod = watched({
      metadata: secret.metadata as object,
      spec: secret.spec as object,
      status: secret.status as object,
    });
    const observation = observePod(pod, true, now);

    expect(observation?.record.containers).toHaveLength(1);
    expect(JSON.stringify(observation)).not.toContain(canary);
  });
});
