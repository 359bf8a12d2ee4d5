import type { V1Pod } from '@kubernetes/client-node';
import type { Form, FormGroup, Scene, Step } from './form.js';
import {
  crashLooping,
  gpu,
  gpuNode,
  isCrashLooping,
  isRefused,
  newPods,
  oneGpu,
  recordsEvents,
  reportOf,
  runs,
  updates,
} from './steps.js';

const at = (seconds = 0): string =>
  new Date(Date.now() + seconds * 1_000).toISOString().replace(/\.\d+Z$/, 'Z');

const unready = (): readonly object[] =>
  ['Ready', 'ContainersReady'].map((type) => ({
    type,
    status: 'False',
    reason: 'ContainersNotReady',
    message: 'containers with unready status: [app]',
    lastTransitionTime: at(),
  }));

async function reportsOfInit({ cluster }: Scene, pod: V1Pod, name: string, first: object): Promise<void> {
  await cluster.patchPodStatus(pod.metadata?.namespace ?? '', pod.metadata?.name ?? '', {
    phase: 'Pending',
    conditions: [
      {
        type: 'Initialized',
        status: 'False',
        reason: 'ContainersNotInitialized',
        message: `containers with incomplete status: [${name}]`,
        lastTransitionTime: at(),
      },
      ...unready(),
    ],
    initContainerStatuses: [
      { name, image: `registry.example/${name}:1`, imageID: '', ready: false, restartCount: 0, ...first },
    ],
    containerStatuses: [
      {
        name: 'app',
        image: 'registry.example/app:2',
        imageID: '',
        ready: false,
        started: false,
        restartCount: 0,
        state: { waiting: { reason: 'PodInitializing' } },
      },
    ],
  });
}

const initReports =
  (name: string, first: () => object): Step =>
  async (scene) => {
    for (const pod of await newPods(scene, 'web', 1)) await reportsOfInit(scene, pod, name, first());
  };

const sidecar = {
  initContainers: [
    {
      name: 'proxy',
      image: 'registry.example/proxy:1',
      restartPolicy: 'Always',
      startupProbe: { tcpSocket: { port: 15_021 }, periodSeconds: 10, failureThreshold: 30 },
    },
  ],
} as object;

const oneShot = { initContainers: [{ name: 'migrate', image: 'registry.example/migrate:1' }] } as object;

const terminated = (exitCode: number, reason = 'Error', seconds = 0): object => ({
  exitCode,
  reason,
  startedAt: at(-seconds),
  finishedAt: at(),
});

/** The container ended and will not be restarted: it has a restart policy of its own. */
const neverRestarted =
  (exitCode: number): Step =>
  async (scene) => {
    for (const pod of await newPods(scene, 'web', 1)) {
      await reportOf(scene, pod, { state: { terminated: terminated(exitCode) } });
      await scene.cluster.patchPodStatus(scene.namespace, pod.metadata?.name ?? '', {
        conditions: unready(),
      });
    }
  };

const restartRules = (action: object): object => ({
  containers: [
    {
      name: 'app',
      image: 'registry.example/app:2',
      restartPolicy: 'Never',
      ...action,
    },
    { name: 'proxy', image: 'registry.example/proxy:1' },
  ],
});

const form = (one: Omit<Form, 'nodes'> & Partial<Pick<Form, 'nodes'>>): Form => ({
  nodes: [{ name: 'n-a' }],
  diagnoseAfterSeconds: 900,
  ...one,
});

/** Class: what containers of a new pod do before the pod is available. */
export const containers: FormGroup = {
  group: 'containers',
  forms: [
    form({
      id: 'sidecar-never-starts',
      title: 'an init container that keeps running fails its startup probe, so the program never starts',
      expected: {
        cause: ['startup-probe-kill', 'init-container-stuck'],
        never: ['surge-deadlock'],
        mentions: ['proxy'],
        firstFix: ['undo-rollout'],
      },
      steps: [
        runs('web', { pod: sidecar }),
        updates('web', 'container-creating'),
        initReports('proxy', () => ({
          started: false,
          restartCount: 3,
          state: { running: { startedAt: at() } },
          lastState: { terminated: terminated(137, 'Error', 300) },
        })),
        recordsEvents(
          'web',
          1,
          {
            type: 'Warning',
            reason: 'Unhealthy',
            message: 'Startup probe failed: dial tcp 10.0.0.7:15021: connect: connection refused',
            count: 90,
            fieldPath: 'spec.initContainers{proxy}',
          },
          {
            reason: 'Killing',
            message: 'Init container proxy failed startup probe',
            count: 3,
            fieldPath: 'spec.initContainers{proxy}',
          },
        ),
      ],
    }),
    form({
      id: 'sidecar-starts-within-its-time',
      title: 'an init container that keeps running has been starting for a minute of the five it may take',
      expected: { cause: null, never: ['init-container-stuck', 'startup-probe-kill'] },
      diagnoseAfterSeconds: 60,
      steps: [
        runs('web', { pod: sidecar }),
        updates('web', 'container-creating'),
        initReports('proxy', () => ({ started: false, state: { running: { startedAt: at() } } })),
      ],
    }),
    form({
      id: 'init-container-runs-for-hours',
      title: 'an init container has been running for six hours and has not ended',
      expected: { cause: 'init-container-stuck', mentions: ['migrate'] },
      diagnoseAfterSeconds: 6 * 3_600,
      steps: [
        runs('web', { pod: oneShot }),
        updates('web', 'container-creating'),
        initReports('migrate', () => ({ started: true, state: { running: { startedAt: at() } } })),
      ],
    }),
    form({
      id: 'container-that-is-not-restarted',
      title:
        'a container with its own restart policy Never ended with status 1, and the pod keeps running without it',
      expected: {
        cause: ['application-crash', 'crash-loop-after-rollout'],
        mentions: ['restartPolicy'],
        firstFix: ['undo-rollout'],
      },
      steps: [runs('web'), updates('web', 'not-ready', restartRules({})), neverRestarted(1)],
    }),
    form({
      id: 'restart-rule-for-another-exit-code',
      title: 'a restart rule names exit code 42, and the container ended with 3',
      expected: {
        cause: ['application-crash', 'crash-loop-after-rollout'],
        mentions: ['restartPolicy'],
        firstFix: ['undo-rollout'],
      },
      steps: [
        runs('web'),
        updates(
          'web',
          'not-ready',
          restartRules({
            restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }],
          }),
        ),
        neverRestarted(3),
      ],
    }),
    form({
      id: 'crash-and-no-card-for-the-next',
      title: 'one new pod crashes, and a second new pod waits for the card of an old one',
      expected: {
        cause: ['surge-deadlock', 'application-crash', 'crash-loop-after-rollout'],
        mentions: ['crash', gpu],
        firstFix: ['undo-rollout'],
        also: [],
      },
      nodes: [gpuNode(3)],
      steps: [
        runs('web', {
          replicas: 2,
          requests: oneGpu,
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } },
        }),
        updates('web', 'not-ready'),
        isCrashLooping('web', 1),
        isRefused('web', `Insufficient ${gpu}`),
      ],
    }),
    form({
      id: 'crash-of-a-sidecar',
      title: 'an init container that keeps running crashes; the program beside it is ready',
      expected: {
        cause: ['application-crash', 'crash-loop-after-rollout', 'init-container-stuck'],
        mentions: ['proxy'],
      },
      steps: [
        runs('web', { pod: sidecar }),
        updates('web', 'container-creating'),
        initReports('proxy', () => ({ started: false, ...crashLooping(1) })),
      ],
    }),
  ],
};
