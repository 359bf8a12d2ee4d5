import { describe, expect, it } from 'vitest';
import type { Event } from '#src/core/cluster/event.js';
import { classifyPod } from '#src/core/diagnosis/crashes/classify-pod.js';
import { node } from '#support/placement-builders.js';
import { ago, backingOff, ended, type FailingPodShape, failingPod, kubeletEvent, now } from './build.js';

const waiting = (reason: string, message = '') => ({ waiting: { reason, message } });
const limited = (memory: string) => ({ spec: { resources: { limits: { memory } } } });
const livenessKill = 'Container app failed liveness probe, will be restarted';
const startupKill = 'Container app failed startup probe, will be restarted';
const probed = (...names: readonly string[]) => ({
  spec: Object.fromEntries(names.map((name) => [name, { httpGet: { port: 80 } }])),
});

function causes(shape: FailingPodShape, events: readonly Event[] = []): readonly string[] {
  return classifyPod(failingPod(shape), { events, node: node('n-a'), now }).map(({ cause }) => cause);
}

/** One container that keeps crashing with this end. */
const looping = (end: Parameters<typeof ended>[0], container: object = {}): FailingPodShape => ({
  containers: [{ state: backingOff, lastState: ended(end), ready: false, ...container }],
});

describe('the failure of a pod', () => {
  it.each<[string, FailingPodShape, readonly string[], (readonly Event[])?]>([
    ['a healthy pod has no failure', {}, []],
    ['exit 1 is the application', looping({ exitCode: 1 }), ['application-crash']],
    ['SIGSEGV is the application', looping({ exitCode: 139 }), ['application-crash']],
    ['exit 0 in a Deployment', looping({ exitCode: 0, reason: 'Completed' }), ['process-exits-zero']],
    ['command not found', looping({ exitCode: 127 }), ['bad-command']],
    ['not executable', looping({ exitCode: 126 }), ['bad-command']],
    ['the runtime could not start it', looping({ exitCode: 128, reason: 'StartError' }), ['bad-command']],
    [
      'OOM under its own limit',
      looping({ exitCode: 137, reason: 'OOMKilled' }, limited('512Mi')),
      ['out-of-memory'],
    ],
    [
      'OOM without a limit is the node',
      looping({ exitCode: 137, reason: 'OOMKilled' }),
      ['node-out-of-memory'],
    ],
    [
      "an OOM kill with a limit above the node's memory is a node failure",
      looping({ exitCode: 137, reason: 'OOMKilled' }, limited('64Gi')),
      ['node-out-of-memory'],
    ],
    ['137 without OOMKilled is no proof of memory', looping({ exitCode: 137 }), ['application-crash']],
    [
      'a container the kubelet lost is the node, not memory',
      looping({ exitCode: 137, reason: 'ContainerStatusUnknown' }),
      ['node-not-ready'],
    ],
    [
      'a restart of all containers by rule is no crash',
      looping({ exitCode: 137, reason: 'RestartingAllContainers' }),
      [],
    ],
    [
      'killed for its liveness probe in this run',
      looping({ exitCode: 143, before: 60 }, probed('livenessProbe')),
      ['liveness-probe-kill'],
      [kubeletEvent('Killing', livenessKill, { container: 'app', last: 62, type: 'Normal' })],
    ],
    [
      'killed for its startup probe in this run',
      looping({ exitCode: 137, before: 60 }, probed('livenessProbe', 'startupProbe')),
      ['startup-probe-kill'],
      [kubeletEvent('Killing', startupKill, { container: 'app', last: 75, type: 'Normal' })],
    ],
    [
      'exit 0 after a probe kill is the probe',
      looping({ exitCode: 0, reason: 'Completed', before: 60 }, probed('livenessProbe')),
      ['liveness-probe-kill'],
      [kubeletEvent('Killing', livenessKill, { container: 'app', last: 61, type: 'Normal' })],
    ],
    [
      'a probe kill of an older run does not explain this one',
      looping({ exitCode: 1, before: 60, seconds: 20 }, probed('livenessProbe')),
      ['application-crash'],
      [kubeletEvent('Killing', livenessKill, { container: 'app', first: 900, last: 600, type: 'Normal' })],
    ],
    [
      'a kill for a probe that the container does not have explains no end',
      looping({ exitCode: 137, before: 60 }, probed('livenessProbe', 'readinessProbe')),
      ['application-crash'],
      [kubeletEvent('Killing', startupKill, { container: 'app', last: 62, type: 'Normal' })],
    ],
    [
      "a probe kill of another container does not explain this one's",
      looping({ exitCode: 1, before: 60 }, probed('livenessProbe')),
      ['application-crash'],
      [kubeletEvent('Killing', livenessKill, { container: 'proxy', last: 62, type: 'Normal' })],
    ],
    [
      'a name that imitates the words is not enough',
      looping({ exitCode: 1, before: 60 }, probed('livenessProbe')),
      ['application-crash'],
      [kubeletEvent('BackOff', livenessKill, { container: 'app', last: 62 })],
    ],
    [
      'image that cannot be pulled',
      { phase: 'Pending', containers: [{ state: waiting('ImagePullBackOff') }] },
      ['image-pull-failure'],
    ],
    [
      'a name that is no image',
      { phase: 'Pending', containers: [{ state: waiting('InvalidImageName') }] },
      ['image-pull-failure'],
    ],
    [
      'a key that is missing',
      { phase: 'Pending', containers: [{ state: waiting('CreateContainerConfigError') }] },
      ['config-missing'],
    ],
    [
      'a container the runtime will not make',
      { phase: 'Pending', containers: [{ state: waiting('RunContainerError') }] },
      ['bad-command'],
    ],
    [
      'a mount that fails',
      { phase: 'Pending', containers: [{ state: waiting('ContainerCreating') }] },
      ['mount-failure'],
      [
        kubeletEvent(
          'FailedMount',
          'MountVolume.SetUp failed for volume "files": configmap "web-files" not found',
        ),
      ],
    ],
    [
      'a sandbox that fails',
      { phase: 'Pending', containers: [{ state: waiting('ContainerCreating') }] },
      ['sandbox-failure'],
      [kubeletEvent('FailedCreatePodSandBox', 'Failed to create pod sandbox: plugin type="calico" failed')],
    ],
    [
      'the later of two hindrances',
      { phase: 'Pending', containers: [{ state: waiting('ContainerCreating') }] },
      ['sandbox-failure'],
      [
        kubeletEvent('FailedMount', 'timed out', { last: 500 }),
        kubeletEvent('FailedCreatePodSandBox', 'no network', { last: 10 }),
      ],
    ],
    [
      'a container that is being created',
      { phase: 'Pending', containers: [{ state: waiting('ContainerCreating') }] },
      [],
    ],
    [
      'a hindrance that was overcome',
      {},
      [],
      [kubeletEvent('FailedMount', 'timed out waiting for the condition', { last: 3000 })],
    ],
    [
      'an init container that crashes',
      {
        phase: 'Pending',
        inits: [{ name: 'migrate', state: backingOff, lastState: ended(), ready: false }],
        containers: [{ state: waiting('PodInitializing') }],
      },
      ['application-crash'],
    ],
    [
      'an init container that succeeded after a failed run',
      {
        inits: [
          {
            name: 'migrate',
            state: ended({ exitCode: 0, reason: 'Completed' }),
            lastState: ended(),
            ready: true,
          },
        ],
      },
      [],
    ],
    [
      'an init container that waits for long',
      {
        phase: 'Pending',
        inits: [{ name: 'wait', state: { running: { startedAt: ago(1800) } }, ready: false }],
        containers: [{ state: waiting('PodInitializing') }],
      },
      ['init-container-stuck'],
    ],
    [
      'an init container that has just begun',
      {
        phase: 'Pending',
        inits: [{ name: 'wait', state: { running: { startedAt: ago(30) } }, ready: false }],
        containers: [{ state: waiting('PodInitializing') }],
      },
      [],
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
      ['application-crash'],
    ],
    [
      'a crash an hour ago that is over',
      { containers: [{ lastState: ended({ before: 4000 }), ready: true }] },
      [],
    ],
    [
      'a crash ten minutes ago that may come back',
      { containers: [{ lastState: ended({ before: 600 }), ready: true }] },
      ['application-crash'],
    ],
    [
      'a readiness probe that fails for long',
      {
        containers: [
          {
            state: { running: { startedAt: ago(900) } },
            ready: false,
            spec: { readinessProbe: { httpGet: { port: 80 } } },
          },
        ],
      },
      ['readiness-failing'],
    ],
    [
      'a readiness probe that may still pass',
      {
        containers: [
          {
            state: { running: { startedAt: ago(20) } },
            ready: false,
            spec: { readinessProbe: { httpGet: { port: 80 } } },
          },
        ],
      },
      [],
    ],
    [
      'a container whose startup probe has not passed yet',
      {
        containers: [
          {
            state: { running: { startedAt: ago(900) } },
            ready: false,
            started: false,
            spec: {
              readinessProbe: { httpGet: { port: 80 } },
              startupProbe: { httpGet: { port: 80 }, failureThreshold: 360 },
            },
          },
        ],
      },
      [],
    ],
    [
      'evicted by the kubelet',
      {
        phase: 'Failed',
        status: { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' },
      },
      ['evicted'],
    ],
    [
      'rejected at the door',
      {
        phase: 'Failed',
        status: {
          phase: 'Failed',
          reason: 'NodePorts',
          message: 'Pod was rejected: Predicate NodePorts failed',
        },
      },
      ['kubelet-rejected'],
    ],
    [
      'rejected for an extended resource',
      { phase: 'Failed', status: { phase: 'Failed', reason: 'OutOfnvidia.com/gpu' } },
      ['kubelet-rejected'],
    ],
    [
      'a pod was preempted for a critical pod',
      { phase: 'Failed', status: { phase: 'Failed', reason: 'Preempting' } },
      ['preempted'],
    ],
    [
      'went with its node',
      { phase: 'Failed', status: { phase: 'Failed', reason: 'NodeShutdown' } },
      ['node-not-ready'],
    ],
    ['done', { phase: 'Succeeded', containers: [{ state: ended({ exitCode: 0 }) }] }, []],
    ['being deleted', { ...looping({}), metadata: { deletionTimestamp: ago(5) } }, []],
    ['without a node', { ...looping({}), node: '' }, []],
  ])('%s', (_, shape, expected, events) => {
    expect(causes(shape, events)).toEqual(expected);
  });

  it('lists every failing container', () => {
    const pod = failingPod({
      containers: [
        { name: 'app', state: backingOff, lastState: ended(), ready: false },
        { name: 'proxy', state: waiting('ImagePullBackOff') },
      ],
    });
    const found = classifyPod(pod, { events: [], node: undefined, now });

    expect(found.map(({ cause, container }) => [container?.name, cause])).toEqual([
      ['app', 'application-crash'],
      ['proxy', 'image-pull-failure'],
    ]);
  });

  it('distinguishes a crash that continues from one that is over for now', () => {
    const crash = (shape: FailingPodShape) =>
      classifyPod(failingPod(shape), { events: [], node: undefined, now }).map(({ ongoing }) => ongoing);

    expect(crash(looping({}))).toEqual([true]);
    expect(crash({ containers: [{ lastState: ended({ before: 60 }), ready: true }] })).toEqual([false]);
  });
});
