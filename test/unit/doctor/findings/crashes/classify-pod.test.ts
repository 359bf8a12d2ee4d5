import { describe, expect, it } from 'vitest';
import { classifyPod } from '#src/doctor/findings/crashes/classify-pod.js';
import { currentRevision } from '#src/doctor/findings/crashes/failure-group.js';
import type { Event } from '#src/engine/objects/event.js';
import { node } from '../../../../support/placement-builders.js';
import {
  ago,
  backingOff,
  type ContainerShape,
  crashSnapshot,
  ended,
  type FailingPodShape,
  failingPod,
  kubeletEvent,
  now,
} from './build.js';

const failuresOf = (shape: FailingPodShape, events: readonly Event[] = []) =>
  classifyPod(failingPod(shape), { events, node: node('n-a'), now });

const waiting = (reason: string, message = '') => ({ waiting: { reason, message } });
const runningSince = (seconds: number) => ({ running: { startedAt: ago(seconds) } });
const one = (container: ContainerShape, more: FailingPodShape = {}): FailingPodShape => ({
  containers: [container],
  ...more,
});
const pending = (reason: string, message = '') =>
  one({ state: waiting(reason, message) }, { phase: 'Pending' });
const starting = (init: ContainerShape): FailingPodShape => ({
  phase: 'Pending',
  inits: [{ name: 'init', ready: false, ...init }],
  containers: [{ state: waiting('PodInitializing') }],
});
const failed = (reason: string, seconds?: number, message = ''): FailingPodShape => ({
  phase: 'Failed',
  ...(seconds === undefined ? {} : { metadata: { creationTimestamp: ago(seconds + 60) } }),
  status: {
    phase: 'Failed',
    reason,
    message,
    ...(seconds === undefined ? {} : { startTime: ago(seconds) }),
  },
});
/** One container that keeps crashing with this end. */
const looping = (end: Parameters<typeof ended>[0], container: ContainerShape = {}) =>
  one({ state: backingOff, lastState: ended(end), ready: false, ...container });
/** One container that runs again after this end. */
const again = (end: Parameters<typeof ended>[0], since: number, more: ContainerShape = {}) =>
  one({ lastState: ended(end), state: runningSince(since), ready: true, ...more });

const oom = { exitCode: 137, reason: 'OOMKilled' };
/** What the kubelet makes up for each container that it removed to restart all of them. */
const restartedTogether = { exitCode: 137, reason: 'RestartingAllContainers' };
const restartsAll: ContainerShape = {
  spec: {
    restartPolicy: 'Never',
    restartPolicyRules: [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } }],
  },
};
const completed = { exitCode: 0, reason: 'Completed' };
const limited = (memory: string) => ({ spec: { resources: { limits: { memory } } } });
const probe = { httpGet: { port: 80 } };
const probed = (...names: readonly string[]): ContainerShape => ({
  spec: Object.fromEntries(names.map((name) => [name, probe])),
});
const live = probed('livenessProbe');
const readied = probed('readinessProbe');
const killing = (message: string, last: number, more: object = {}) => [
  kubeletEvent('Killing', message, { container: 'app', last, type: 'Normal', ...more }),
];
const words = (which: string) => `Container app failed ${which} probe, will be restarted`;
const kill = (last: number, more: object = {}, which = 'liveness') => killing(words(which), last, more);
const series = { first: 20_000, count: 40 };
const lostTimes = { startedAt: '0001-01-01T00:00:00Z', finishedAt: '0001-01-01T00:00:00Z' };
const oci = 'OCI runtime create failed:';

type Case = [what: string, shape: FailingPodShape, cause: string, events?: readonly Event[]];

describe('the failure of a pod', () => {
  it.each<Case>([
    ['a healthy pod has none', {}, ''],
    ['exit 1 is the application', looping({ exitCode: 1 }), 'application-crash'],
    ['SIGSEGV is the application', looping({ exitCode: 139 }), 'application-crash'],
    ['exit 0 in a Deployment', looping(completed), 'process-exits-zero'],
    ['command not found', looping({ exitCode: 127 }), 'bad-command'],
    ['not executable', looping({ exitCode: 126 }), 'bad-command'],
    [
      'exit 127 after an hour is a line of a script',
      looping({ exitCode: 127, seconds: 3600 }),
      'application-crash',
    ],
    ['exit 126 after an hour is one too', looping({ exitCode: 126, seconds: 3600 }), 'application-crash'],
    ['the runtime could not start it', looping({ exitCode: 128, reason: 'StartError' }), 'bad-command'],
    [
      'exit 128 of a program that ran, such as git',
      looping({ exitCode: 128, seconds: 4 }),
      'application-crash',
    ],
    ['OOM under its own limit', looping(oom, limited('512Mi')), 'out-of-memory'],
    ['OOM without a limit is the node', looping(oom), 'node-out-of-memory'],
    [
      "OOM with a limit above the node's memory is the node",
      looping(oom, limited('64Gi')),
      'node-out-of-memory',
    ],
    ['137 without OOMKilled is no proof of memory', looping({ exitCode: 137 }), 'application-crash'],
    [
      'a container the kubelet lost is the node, not memory',
      looping({ exitCode: 137, reason: 'ContainerStatusUnknown' }),
      'node-not-ready',
    ],
    ['a restart of all containers by the rule of another one is no crash', looping(restartedTogether), ''],
    [
      'a restart of all containers by its own rule is a crash of it',
      looping(restartedTogether, restartsAll),
      'application-crash',
    ],
    [
      'a container that has restarted all of them often and is just up again crashes',
      again(restartedTogether, 30, restartsAll),
      'application-crash',
    ],
    [
      'a container that restarted all of them more than an hour ago is well',
      again(restartedTogether, 4000, { ...restartsAll, restarts: 1 }),
      '',
    ],
    [
      'killed for its liveness probe in this run',
      looping({ exitCode: 143, before: 60 }, live),
      'liveness-probe-kill',
      kill(62),
    ],
    [
      'killed for its startup probe in this run',
      looping({ exitCode: 137, before: 60 }, probed('livenessProbe', 'startupProbe')),
      'startup-probe-kill',
      kill(75, {}, 'startup'),
    ],
    [
      'exit 0 after a probe kill',
      looping({ ...completed, before: 60 }, live),
      'liveness-probe-kill',
      kill(61),
    ],
    [
      'a probe kill of an older run does not explain this one',
      looping({ before: 60 }, live),
      'application-crash',
      kill(600, { first: 900 }),
    ],
    [
      'a kill for a probe that the container does not have explains no end',
      looping({ exitCode: 137, before: 60 }, probed('livenessProbe', 'readinessProbe')),
      'application-crash',
      kill(62, {}, 'startup'),
    ],
    [
      'a probe kill of another container explains none',
      looping({ before: 60 }, live),
      'application-crash',
      kill(62, { container: 'proxy' }),
    ],
    [
      'a reason that imitates the words is not enough',
      looping({ before: 60 }, live),
      'application-crash',
      [kubeletEvent('BackOff', words('liveness'), { container: 'app', last: 62 })],
    ],
    [
      'a run too short for the probe to have killed it',
      looping({ seconds: 2, before: 60 }, live),
      'application-crash',
      kill(30, series),
    ],
    [
      'a probe kill of a series, in a run that was long enough',
      looping({ seconds: 45, before: 60 }, live),
      'liveness-probe-kill',
      kill(30, series),
    ],
    [
      'a probe kill of a run whose times the runtime lost',
      one({
        ...live,
        state: backingOff,
        ready: false,
        lastState: { terminated: { exitCode: 137, reason: 'Error', ...lostTimes } },
      }),
      'liveness-probe-kill',
      kill(60),
    ],
    ['an image that cannot be pulled', pending('ImagePullBackOff'), 'image-pull-failure'],
    ['a name that is no image', pending('InvalidImageName'), 'image-pull-failure'],
    ['a key that is missing', pending('CreateContainerConfigError'), 'config-missing'],
    ['a container the runtime will not make', pending('RunContainerError'), 'bad-command'],
    [
      'a command that the runtime cannot find',
      pending(
        'RunContainerError',
        `${oci} unable to start container process: exec: "/nope": stat /nope: no such file or directory`,
      ),
      'bad-command',
    ],
    [
      'a name that the runtime still keeps is no command',
      pending(
        'CreateContainerError',
        'failed to reserve container name "app_web-1-a_shop": name is reserved for "4f1c"',
      ),
      'sandbox-failure',
    ],
    [
      'a runtime that does not answer in time is no command',
      pending('CreateContainerError', 'context deadline exceeded'),
      'sandbox-failure',
    ],
    [
      'a device hook that fails is no command',
      pending(
        'RunContainerError',
        `${oci} error running prestart hook #0: nvidia-container-cli: initialization error: driver error: timed out`,
      ),
      'sandbox-failure',
    ],
    [
      'a path that cannot be mounted is no missing command',
      pending(
        'RunContainerError',
        `${oci} unable to start container process: error mounting "/var/lib/kubelet/x" to rootfs at "/etc/app.conf": not a directory`,
      ),
      'mount-failure',
    ],
    [
      'a mount that fails',
      pending('ContainerCreating'),
      'mount-failure',
      [
        kubeletEvent(
          'FailedMount',
          'MountVolume.SetUp failed for volume "files": configmap "web-files" not found',
        ),
      ],
    ],
    [
      'a sandbox that fails',
      pending('ContainerCreating'),
      'sandbox-failure',
      [kubeletEvent('FailedCreatePodSandBox', 'Failed to create pod sandbox: plugin type="calico" failed')],
    ],
    [
      'the later of two hindrances',
      pending('ContainerCreating'),
      'sandbox-failure',
      [
        kubeletEvent('FailedMount', 'timed out', { last: 500 }),
        kubeletEvent('FailedCreatePodSandBox', 'no network', { last: 10 }),
      ],
    ],
    [
      'a container that has been created for long without an event',
      pending('ContainerCreating'),
      'pod-start-stalled',
    ],
    ['a hindrance that was overcome', {}, '', [kubeletEvent('FailedMount', 'timed out', { last: 3000 })]],
    [
      'a slow image, whose mount had failed before',
      pending('ContainerCreating'),
      '',
      [
        kubeletEvent('FailedMount', 'MountVolume.SetUp failed for volume "a" : timed out', { last: 300 }),
        kubeletEvent('Pulling', 'Pulling image "web:1.0"', { last: 200, type: 'Normal', container: 'app' }),
      ],
    ],
    [
      'an init container that crashes',
      starting({ state: backingOff, lastState: ended() }),
      'application-crash',
    ],
    [
      'an init container that succeeded after a failed run',
      { inits: [{ name: 'init', state: ended(completed), lastState: ended(), ready: true }] },
      '',
    ],
    [
      'an init container that ended successfully and runs again in a new sandbox',
      starting({ lastState: ended(completed), state: runningSince(20) }),
      '',
    ],
    [
      'an init container that failed once and has waited since',
      starting({ lastState: ended({ before: 1800 }), state: runningSince(1790) }),
      'init-container-stuck',
    ],
    [
      'an init container that ended with an error',
      starting({ state: ended({ exitCode: 2 }) }),
      'application-crash',
    ],
    ['an init container that waits for five minutes', starting({ state: runningSince(300) }), ''],
    [
      'an init container that waits for longer',
      starting({ state: runningSince(301) }),
      'init-container-stuck',
    ],
    [
      'a sidecar that crashes',
      {
        inits: [
          {
            name: 'proxy',
            spec: { restartPolicy: 'Always' },
            state: backingOff,
            lastState: ended(),
            ready: false,
          },
        ],
      },
      'application-crash',
    ],
    [
      'a container whose image was changed in place',
      again({ exitCode: 143, before: 60 }, 55),
      '',
      killing('Container app definition changed, will be restarted', 62),
    ],
    [
      'a container that was resized in place and needed a restart',
      again({ exitCode: 137, before: 60 }, 55),
      '',
      killing('Container app resize requires restart', 62),
    ],
    [
      'a readiness probe that fails for long',
      one({ ...readied, state: runningSince(900), ready: false }),
      'readiness-failing',
    ],
    ['a readiness probe that may still pass', one({ ...readied, state: runningSince(60), ready: false }), ''],
    [
      'a crash of two days ago does not explain why it is not ready now',
      again({ before: 172_800 }, 172_790, { ...readied, ready: false }),
      'readiness-failing',
    ],
    [
      'a container whose startup probe has not passed yet',
      one({
        state: runningSince(900),
        ready: false,
        started: false,
        spec: { readinessProbe: probe, startupProbe: { ...probe, failureThreshold: 360 } },
      }),
      '',
    ],
    [
      'evicted by the kubelet',
      failed('Evicted', undefined, 'The node was low on resource: memory.'),
      'evicted',
    ],
    ['evicted yesterday', failed('Evicted', 90_000), ''],
    ['rejected at the door', failed('NodePorts'), 'kubelet-rejected'],
    ['rejected for an extended resource', failed('OutOfnvidia.com/gpu'), 'kubelet-rejected'],
    ['rejected last week', failed('OutOfcpu', 600_000), ''],
    ['preempted for a critical pod', failed('Preempting'), 'preempted'],
    ['went with its node', failed('NodeShutdown'), 'node-not-ready'],
    ['went with its node last month', failed('NodeShutdown', 2_600_000), ''],
    ['done', { phase: 'Succeeded', containers: [{ state: ended({ exitCode: 0 }) }] }, ''],
    ['being deleted', { ...looping({}), metadata: { deletionTimestamp: ago(5) } }, ''],
    ['without a node', { ...looping({}), node: '' }, ''],
  ])('%s', (_, shape, cause, events) => {
    expect(failuresOf(shape, events).map((each) => each.cause)).toEqual(cause === '' ? [] : [cause]);
  });

  it('lists every failing container', () => {
    const pulling = { name: 'proxy', state: waiting('ImagePullBackOff') };
    const found = failuresOf({ containers: [...(looping({}).containers ?? []), pulling] });

    expect(found.map(({ cause, container }) => [container?.name, cause])).toEqual([
      ['app', 'application-crash'],
      ['proxy', 'image-pull-failure'],
    ]);
  });
});

describe('a pod of which the kubelet only sums up that it waited for volumes', () => {
  const summary = (why = 'timed out waiting for the condition', last = 5) =>
    kubeletEvent(
      'FailedMount',
      `Unable to attach or mount volumes: unmounted volumes=[creds], unattached volumes=[], failed to process volumes=[]: ${why}`,
      { last },
    );
  const missing = (volume: string, last: number) =>
    kubeletEvent('FailedMount', `MountVolume.SetUp failed for volume "${volume}" : secret "db" not found`, {
      last,
    });
  const messageOf = (events: readonly Event[]) =>
    failuresOf(
      { ...pending('ContainerCreating'), spec: { volumes: [{ name: 'creds' }, { name: 'config' }] } },
      events,
    ).map(({ message }) => message);

  it.each([
    ['the volume of the pod', missing('creds', 60), summary()],
    ['the PersistentVolume', missing('pvc-1e9bb83a', 60), summary('context deadline exceeded')],
  ])('is described by what it reported of %s', (_, detail, summed) => {
    expect(messageOf([detail, summed])).toEqual([detail.message]);
  });

  it.each([
    ['the failure was of a volume that is mounted now', missing('config', 60), summary()],
    ['the failure is too old', missing('creds', 900), summary()],
    ['the summary has a reason of its own', missing('creds', 60), summary('conflicting SELinux labels')],
  ])('is described by the summary where %s', (_, detail, summed) => {
    expect(messageOf([detail, summed])).toEqual([summed.message]);
  });
});

describe('a container that runs again after a crash', () => {
  const recovered = (since: number, restarts: number, more: ContainerShape = {}, seconds = 20) =>
    again({ before: since + 1, seconds }, since, { restarts, ...more });
  const unknownEnd = { lastState: { terminated: { exitCode: 1, reason: 'Error' } } };
  const succeeded = (restarts: number) =>
    again({ ...completed, before: 1000, seconds: 900 }, 950, { restarts });

  it.each<readonly [what: string, shape: FailingPodShape, seen: string]>([
    ['fails while it backs off', looping({}), 'application-crash'],
    ['fails while it is not ready', recovered(30, 1, { ready: false }), 'application-crash'],
    ['fails within the length of its previous run', recovered(20, 2), 'application-crash'],
    [
      'fails between two runs of a loop',
      again({ seconds: 40, before: 15 }, 10, { restarts: 6 }),
      'application-crash',
    ],
    ['has recovered one second later', recovered(21, 2), 'application-crash, over'],
    ['has recovered from a first crash as soon as it is ready', recovered(5, 1), 'application-crash, over'],
    [
      'has recovered where it has run for more than ten minutes',
      recovered(601, 9, { ready: false }, 9000),
      'application-crash, over',
    ],
    [
      'has not recovered after exactly ten minutes',
      recovered(600, 9, { ready: false }, 9000),
      'application-crash',
    ],
    ['has a crash of the last hour', recovered(3599, 1), 'application-crash, over'],
    ['has no older crash', recovered(3600, 1), ''],
    [
      'has no crash of unknown end',
      one({ ...unknownEnd, state: runningSince(3000), ready: true, restarts: 1 }),
      '',
    ],
    ['may exit successfully once', succeeded(1), ''],
    ['may exit successfully twice', succeeded(2), ''],
    ['fails from its third successful exit on', succeeded(3), 'process-exits-zero, over'],
  ])('%s', (_, shape, seen) => {
    const found = failuresOf(shape).map(({ cause, ongoing }) => `${cause}${ongoing ? '' : ', over'}`);
    expect(found.join()).toBe(seen);
  });
});

describe('a container that lost its readiness', () => {
  const lost = (since: number, started: number, status = 'False') =>
    one(
      { ...readied, state: runningSince(started), ready: false },
      { status: { conditions: [{ type: 'Ready', status, lastTransitionTime: ago(since) }] } },
    );

  it.each<readonly [string, FailingPodShape, boolean]>([
    ['more than a minute ago fails', lost(61, 1000), true],
    ['a minute ago may come back', lost(60, 1000), false],
    ['before this run began leaves five minutes to start', lost(400, 300), false],
    ['before this run began fails after those five minutes', lost(400, 301), true],
    ['at the start of this run counts as never ready in it', lost(200, 200), false],
    ['at an unknown time leaves five minutes', lost(61, 300, 'Unknown'), false],
  ])('%s', (_, shape, fails) => {
    expect(failuresOf(shape).map(({ cause }) => cause)).toEqual(fails ? ['readiness-failing'] : []);
  });

  it('has the message of the latest failure of that probe', () => {
    const says = (last: number, message: string, reason = 'Unhealthy', container = 'app') =>
      kubeletEvent(reason, message, { container, last });
    const [first, latest] = ['Readiness probe failed: first', 'Readiness probe failed: latest'];
    const [failure] = failuresOf(lost(100, 1000), [
      says(90, first),
      says(50, latest),
      says(40, 'Liveness probe failed: other'),
      says(30, 'Readiness probe failed: no', 'Pulled'),
      says(20, 'Readiness probe failed: of another', 'Unhealthy', 'proxy'),
    ]);

    expect(failure?.message).toBe(latest);
    expect(failure?.events.map(({ message }) => message)).toEqual([first, latest]);
  });
});

describe('the target revision of a workload', () => {
  const made = (name: string, revision: string, seconds = 60, more: object = {}) =>
    failingPod({ name, revision, metadata: { creationTimestamp: ago(seconds), ...more } });

  it('is that of its new ReplicaSet, as on its pods', () => {
    expect(currentRevision(crashSnapshot({ pods: [made('a', '1'), made('b', '2')] }))).toBe('2');
  });

  it('is that of the youngest pod that stays, where no ReplicaSet has its template', () => {
    const pods = [made('a', '5', 900), made('b', '4'), made('c', '6', 5, { deletionTimestamp: ago(1) })];
    const { workload } = crashSnapshot({
      pods: [],
      template: { containers: [{ name: 'app', image: 'other' }] },
    });

    expect(currentRevision({ ...crashSnapshot({ pods }), workload })).toBe('4');
    expect(currentRevision({ ...crashSnapshot({ pods: [] }), workload })).toBe('');
  });
});
