import { describe, expect, it } from 'vitest';
import type { Event } from '#src/core/cluster/event.js';
import { classifyPod } from '#src/core/diagnosis/crashes/classify-pod.js';
import { node } from '#support/placement-builders.js';
import { ago, backingOff, ended, type FailingPodShape, failingPod, kubeletEvent, now } from './build.js';

function causes(shape: FailingPodShape, events: readonly Event[] = []): readonly string[] {
  return classifyPod(failingPod(shape), { events, node: node('n-a'), now }).map(({ cause }) => cause);
}

const looping = (end: Parameters<typeof ended>[0], container: object = {}): FailingPodShape => ({
  containers: [{ state: backingOff, lastState: ended(end), ready: false, ...container }],
});
const runningSince = (seconds: number) => ({ running: { startedAt: ago(seconds) } });
const creating = (message: string, reason = 'CreateContainerError'): FailingPodShape => ({
  phase: 'Pending',
  containers: [{ state: { waiting: { reason, message } } }],
});
const probe = { httpGet: { port: 8080, path: '/' } };
const failedPod = (reason: string, seconds: number): FailingPodShape => ({
  phase: 'Failed',
  metadata: { creationTimestamp: ago(seconds + 60) },
  status: { phase: 'Failed', reason, message: '', startTime: ago(seconds) },
});

describe('ends of runs that are no failure', () => {
  it.each<[string, FailingPodShape, (readonly Event[])?]>([
    [
      'a container whose image was changed in place',
      {
        containers: [
          { lastState: ended({ exitCode: 143, before: 60 }), state: runningSince(55), ready: true },
        ],
      },
      [
        kubeletEvent('Killing', 'Container app definition changed, will be restarted', {
          container: 'app',
          last: 62,
          type: 'Normal',
        }),
      ],
    ],
    [
      'a container that was resized in place and needed a restart',
      {
        containers: [
          { lastState: ended({ exitCode: 137, before: 60 }), state: runningSince(55), ready: true },
        ],
      },
      [
        kubeletEvent('Killing', 'Container app resize requires restart', {
          container: 'app',
          last: 62,
          type: 'Normal',
        }),
      ],
    ],
    [
      'an init container that ended successfully and runs again in a new sandbox',
      {
        phase: 'Pending',
        inits: [
          {
            name: 'migrate',
            lastState: ended({ exitCode: 0, reason: 'Completed' }),
            state: runningSince(20),
            ready: false,
          },
        ],
        containers: [{ state: { waiting: { reason: 'PodInitializing', message: '' } } }],
      },
    ],
    [
      'a program that exited successfully once and runs again',
      {
        containers: [
          {
            lastState: ended({ exitCode: 0, reason: 'Completed', before: 1200 }),
            state: runningSince(1190),
            restarts: 1,
            ready: true,
          },
        ],
      },
    ],
    ['a pod that was evicted yesterday', failedPod('Evicted', 90_000)],
    ['a pod that was rejected last week', failedPod('OutOfcpu', 600_000)],
    ['a pod that was lost with its node last month', failedPod('NodeShutdown', 2_600_000)],
    [
      'a slow image, whose mount had failed before',
      {
        phase: 'Pending',
        containers: [{ state: { waiting: { reason: 'ContainerCreating', message: '' } } }],
      },
      [
        kubeletEvent('FailedMount', 'MountVolume.SetUp failed for volume "a" : timed out', { last: 300 }),
        kubeletEvent('Pulling', 'Pulling image "registry.example/web:1.0"', {
          last: 200,
          type: 'Normal',
          container: 'app',
        }),
      ],
    ],
    [
      'a start that takes a minute and has no startup probe',
      { containers: [{ state: runningSince(60), ready: false, spec: { readinessProbe: probe } }] },
    ],
  ])('%s', (_, shape, events) => {
    expect(causes(shape, events)).toEqual([]);
  });
});

describe('failures that are distinguished', () => {
  it.each<[string, FailingPodShape, string, (readonly Event[])?]>([
    [
      'exit 128 of a program that ran (such as git), not of the runtime',
      looping({ exitCode: 128, seconds: 4 }),
      'application-crash',
    ],
    [
      'exit 127 after an hour is a line of a script, not the command',
      looping({ exitCode: 127, seconds: 3600 }),
      'application-crash',
    ],
    [
      'exit 126 after an hour is a line of a script too',
      looping({ exitCode: 126, seconds: 3600 }),
      'application-crash',
    ],
    [
      'a run too short for the probe to have killed it',
      looping({ exitCode: 1, seconds: 2, before: 60 }, { spec: { livenessProbe: probe } }),
      'application-crash',
      [
        kubeletEvent('Killing', 'Container app failed liveness probe, will be restarted', {
          container: 'app',
          first: 20_000,
          last: 30,
          type: 'Normal',
          count: 40,
        }),
      ],
    ],
    [
      'a probe kill of a series, in a run that was long enough',
      looping({ exitCode: 1, seconds: 45, before: 60 }, { spec: { livenessProbe: probe } }),
      'liveness-probe-kill',
      [
        kubeletEvent('Killing', 'Container app failed liveness probe, will be restarted', {
          container: 'app',
          first: 20_000,
          last: 30,
          type: 'Normal',
          count: 40,
        }),
      ],
    ],
    [
      'a probe kill of a run whose times the runtime lost',
      {
        containers: [
          {
            state: backingOff,
            ready: false,
            spec: { livenessProbe: probe },
            lastState: {
              terminated: {
                exitCode: 137,
                reason: 'Error',
                startedAt: '0001-01-01T00:00:00Z',
                finishedAt: '0001-01-01T00:00:00Z',
              },
            },
          },
        ],
      },
      'liveness-probe-kill',
      [
        kubeletEvent('Killing', 'Container app failed liveness probe, will be restarted', {
          container: 'app',
          type: 'Normal',
        }),
      ],
    ],
    [
      'a crash of two days ago does not explain why it is not ready now',
      {
        containers: [
          {
            lastState: ended({ before: 172_800 }),
            state: runningSince(172_790),
            ready: false,
            spec: { readinessProbe: probe },
          },
        ],
      },
      'readiness-failing',
    ],
    [
      'an init container that failed once and has waited since',
      {
        phase: 'Pending',
        inits: [
          { name: 'wait', lastState: ended({ before: 1800 }), state: runningSince(1790), ready: false },
        ],
        containers: [{ state: { waiting: { reason: 'PodInitializing', message: '' } } }],
      },
      'init-container-stuck',
    ],
    [
      'the runtime cannot find the command',
      creating(
        'failed to create containerd task: OCI runtime create failed: unable to start container process: exec: "/nope": stat /nope: no such file or directory',
        'RunContainerError',
      ),
      'bad-command',
    ],
    [
      'a name that the runtime still keeps is no command',
      creating('failed to reserve container name "app_web-1-a_shop": name is reserved for "4f1c"'),
      'sandbox-failure',
    ],
    [
      'a runtime that does not answer in time is no command',
      creating('context deadline exceeded'),
      'sandbox-failure',
    ],
    [
      'a device hook that fails is no command',
      creating(
        'OCI runtime create failed: error running prestart hook #0: nvidia-container-cli: initialization error: driver error: timed out',
        'RunContainerError',
      ),
      'sandbox-failure',
    ],
    [
      'a path that cannot be mounted is no missing command',
      creating(
        'OCI runtime create failed: unable to start container process: error mounting "/var/lib/kubelet/x" to rootfs at "/etc/app.conf": not a directory',
        'RunContainerError',
      ),
      'mount-failure',
    ],
  ])('%s', (_, shape, cause, events) => {
    expect(causes(shape, events)).toEqual([cause]);
  });

  it('a pod that lost its readiness a few minutes ago is reported at once', () => {
    const shape: FailingPodShape = {
      containers: [{ state: runningSince(7200), ready: false, spec: { readinessProbe: probe } }],
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: ago(120) }],
      },
    };

    expect(causes(shape)).toEqual(['readiness-failing']);
  });

  it('a crash loop observed between two runs continues', () => {
    const [podFailure] = classifyPod(
      failingPod({
        containers: [
          {
            lastState: ended({ seconds: 40, before: 15 }),
            state: runningSince(10),
            restarts: 6,
            ready: true,
          },
        ],
      }),
      { events: [], node: node('n-a'), now },
    );

    expect(podFailure).toMatchObject({ cause: 'application-crash', ongoing: true });
  });
});
