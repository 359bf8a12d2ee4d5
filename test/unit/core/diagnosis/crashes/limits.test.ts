import { describe, expect, it } from 'vitest';
import { classifyPod } from '#src/core/diagnosis/crashes/classify-pod.js';
import { currentRevision } from '#src/core/diagnosis/crashes/current-revision.js';
import { node } from '#support/placement-builders.js';
import {
  ago,
  type ContainerShape,
  crashSnapshot,
  ended,
  type FailingPodShape,
  failingPod,
  kubeletEvent,
  now,
} from './build.js';

function seen(shape: FailingPodShape, events: Parameters<typeof kubeletEvent>[] = []): readonly string[] {
  const all = events.map((args) => kubeletEvent(...args));
  return classifyPod(failingPod(shape), { events: all, node: node('n-a'), now }).map(
    ({ cause, ongoing }) => `${cause}${ongoing ? '' : ', over'}`,
  );
}

const running = (seconds: number, fields: ContainerShape = {}): FailingPodShape => ({
  containers: [{ state: { running: { startedAt: ago(seconds) } }, ready: true, ...fields }],
});

describe('a container that runs again after a crash', () => {
  const crash = (before: number, seconds = 20) => ended({ exitCode: 1, before, seconds });

  it.each<readonly [string, FailingPodShape, readonly string[]]>([
    [
      'still fails while it is not ready',
      running(30, { ready: false, lastState: crash(31), restarts: 1 }),
      ['application-crash'],
    ],
    [
      'still fails within the length of its previous run',
      running(20, { lastState: crash(21), restarts: 2 }),
      ['application-crash'],
    ],
    [
      'has recovered one second later',
      running(21, { lastState: crash(22), restarts: 2 }),
      ['application-crash, over'],
    ],
    [
      'has recovered from a first crash as soon as it is ready',
      running(5, { lastState: crash(6), restarts: 1 }),
      ['application-crash, over'],
    ],
    [
      'has recovered when it has run for more than ten minutes',
      running(601, { ready: false, lastState: crash(602, 9000), restarts: 9 }),
      ['application-crash, over'],
    ],
    [
      'has not recovered after exactly ten minutes',
      running(600, { ready: false, lastState: crash(601, 9000), restarts: 9 }),
      ['application-crash'],
    ],
    [
      'has a crash of the last hour',
      running(3599, { lastState: crash(3600), restarts: 1 }),
      ['application-crash, over'],
    ],
    ['has no older crash', running(3600, { lastState: crash(3601), restarts: 1 }), []],
    [
      'has no crash of unknown end',
      running(3000, { lastState: { terminated: { exitCode: 1, reason: 'Error' } }, restarts: 1 }),
      [],
    ],
  ])('%s', (_, shape, expected) => {
    expect(seen(shape)).toEqual(expected);
  });

  const succeeded = ended({ exitCode: 0, reason: 'Completed', before: 1000, seconds: 900 });

  it.each<readonly [string, number, readonly string[]]>([
    ['may exit successfully once', 1, []],
    ['may exit successfully twice', 2, []],
    ['fails from its third successful exit on', 3, ['process-exits-zero, over']],
  ])('%s', (_, restarts, expected) => {
    expect(seen(running(950, { lastState: succeeded, restarts }))).toEqual(expected);
  });
});

describe('an init container', () => {
  const init = (seconds: number): FailingPodShape => ({
    inits: [{ name: 'wait', state: { running: { startedAt: ago(seconds) } }, ready: false }],
    containers: [{ state: { waiting: { reason: 'PodInitializing' } }, ready: false }],
    phase: 'Pending',
  });

  it('may wait for at most five minutes', () => {
    expect(seen(init(300))).toEqual([]);
    expect(seen(init(301))).toEqual(['init-container-stuck']);
  });

  it('that ended successfully is complete', () => {
    const done: FailingPodShape = {
      inits: [{ name: 'wait', state: ended({ exitCode: 0, reason: 'Completed' }), ready: true }],
    };
    const failed: FailingPodShape = {
      inits: [{ name: 'wait', state: ended({ exitCode: 2 }), ready: false }],
      containers: [{ state: { waiting: { reason: 'PodInitializing' } }, ready: false }],
      phase: 'Pending',
    };

    expect(seen(done)).toEqual([]);
    expect(seen(failed)).not.toEqual([]);
  });
});

describe('a container that lost its readiness', () => {
  const probe = { spec: { readinessProbe: { tcpSocket: { port: 1 } } } };
  const lost = (since: number, started: number, status = 'False'): FailingPodShape => ({
    ...running(started, { ready: false, ...probe }),
    status: { conditions: [{ type: 'Ready', status, lastTransitionTime: ago(since) }] },
  });

  it.each<readonly [string, FailingPodShape, readonly string[]]>([
    ['more than a minute ago fails', lost(61, 1000), ['readiness-failing']],
    ['a minute ago may come back', lost(60, 1000), []],
    ['before this run began leaves five minutes to start', lost(400, 300), []],
    ['before this run began fails after those five minutes', lost(400, 301), ['readiness-failing']],
    ['at the start of this run counts as never ready in it', lost(200, 200), []],
    ['at an unknown time leaves five minutes', lost(61, 300, 'Unknown'), []],
  ])('%s', (_, shape, expected) => {
    expect(seen(shape)).toEqual(expected);
  });

  it('has the message of the latest failure of that probe', () => {
    const shape = lost(100, 1000);
    const events = [
      kubeletEvent('Unhealthy', 'Readiness probe failed: first', { container: 'app', last: 90 }),
      kubeletEvent('Unhealthy', 'Readiness probe failed: latest', { container: 'app', last: 50 }),
      kubeletEvent('Unhealthy', 'Liveness probe failed: other', { container: 'app', last: 40 }),
      kubeletEvent('Pulled', 'Readiness probe failed: no', { container: 'app', last: 30 }),
      kubeletEvent('Unhealthy', 'Readiness probe failed: of another', { container: 'proxy', last: 20 }),
    ];
    const [podFailure] = classifyPod(failingPod(shape), { events, node: node('n-a'), now });

    expect(podFailure?.message).toBe('Readiness probe failed: latest');
    expect(podFailure?.events.map(({ message }) => message)).toEqual([
      'Readiness probe failed: first',
      'Readiness probe failed: latest',
    ]);
  });
});

describe('the target revision of a workload', () => {
  it('is that of its new ReplicaSet, as on its pods', () => {
    const pods = [failingPod({ name: 'a', revision: '1' }), failingPod({ name: 'b', revision: '2' })];

    expect(currentRevision(crashSnapshot({ pods }))).toBe('2');
  });

  it('is that of the youngest pod that stays, where no ReplicaSet has its template', () => {
    const made = (name: string, revision: string, seconds: number, leaving = false) =>
      failingPod({
        name,
        revision,
        metadata: { creationTimestamp: ago(seconds), ...(leaving ? { deletionTimestamp: ago(1) } : {}) },
      });
    const pods = [made('a', '5', 900), made('b', '4', 60), made('c', '6', 5, true)];

    const snapshot = crashSnapshot({ pods });
    const { workload } = crashSnapshot({
      pods: [],
      template: { containers: [{ name: 'app', image: 'other' }] },
    });

    expect(currentRevision({ ...snapshot, workload })).toBe('4');
    expect(currentRevision({ ...crashSnapshot({ pods: [] }), workload })).toBe('');
  });
});
