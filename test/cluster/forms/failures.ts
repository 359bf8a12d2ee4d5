import type { V1DeploymentStrategy, V1Pod } from '@kubernetes/client-node';
import { recordEvents } from '../controls/kubelet-acts.js';
import type { Form, FormGroup, Step } from './form.js';
import { nodesNamed, onePerNode } from './on-nodes.js';
import {
  crashLooping,
  gpu,
  gpuNode,
  isCrashLooping,
  isRefused,
  newPods,
  oneGpu,
  reportOf,
  reports,
  runs,
  updates,
} from './steps.js';

const recreate: V1DeploymentStrategy = { type: 'Recreate' };
const diagnoseAfterSeconds = 600;

const memory = (limit: string, image: string): object => ({
  name: 'app',
  image: `registry.example/app:${image}`,
  resources: { limits: { memory: limit }, requests: { memory: '32Mi' } },
});

const limited =
  (limit: string): Step =>
  async ({ cluster, namespace }) => {
    const annotations = { 'rollout-doctor.test/start': 'not-ready' };
    const containers = [memory(limit, '2')];
    await cluster.patch(
      { kind: 'Deployment', namespace, name: 'web' },
      { spec: { template: { metadata: { annotations }, spec: { containers } } } },
    );
  };

const pulling = {
  state: {
    waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "registry.example/app:2"' },
  },
};

const pullFails: Step = async (scene) => {
  for (const pod of await onNode(scene, 'n-b', 1)) await failsToPull(scene, pod);
};

async function failsToPull(scene: Parameters<Step>[0], pod: V1Pod): Promise<void> {
  await reportOf(scene, pod, pulling);
  await recordEvents(scene.cluster, pod, {
    type: 'Warning',
    reason: 'Failed',
    message: 'Failed to pull image "registry.example/app:2": dial tcp 10.0.0.9:443: i/o timeout',
    count: 9,
  });
}

async function onNode(scene: Parameters<Step>[0], node: string, count: number): Promise<readonly V1Pod[]> {
  const pods = await newPods(scene, 'web', count);
  return pods.filter(({ spec }) => spec?.nodeName === node);
}

const crashesOn =
  (node: string): Step =>
  async (scene) => {
    const { items } = await scene.cluster.objects.list<V1Pod>('v1', 'Pod', scene.namespace);
    for (const pod of items.filter(({ spec }) => spec?.nodeName === node)) {
      await reportOf(scene, pod, crashLooping(139));
      await scene.cluster.patchPodStatus(scene.namespace, pod.metadata?.name ?? '', {
        conditions: ['Ready', 'ContainersReady'].map((type) => ({
          type,
          status: 'False',
          reason: 'ContainersNotReady',
          lastTransitionTime: new Date().toISOString().replace(/\.\d+/, ''),
        })),
      });
    }
  };

const three = nodesNamed('n-a', 'n-b', 'n-c');

const form = (one: Omit<Form, 'nodes'> & Partial<Pick<Form, 'nodes'>>): Form => ({
  nodes: [{ name: 'n-a' }],
  diagnoseAfterSeconds,
  ...one,
});

/** Class: rolling back, a limit that was cut, several failures at once, values without a sensible size. */
export const failures: FormGroup = {
  group: 'failures',
  forms: [
    form({
      id: 'crash-in-all-pods-under-recreate',
      title: 'Recreate has stopped every old pod, and all new ones crash: no pod is ready',
      expected: { cause: ['application-crash', 'crash-loop-after-rollout'], firstFix: ['undo-rollout'] },
      steps: [
        runs('web', { replicas: 2, strategy: recreate }),
        updates('web', 'not-ready'),
        isCrashLooping('web', 2),
      ],
    }),
    form({
      id: 'crash-in-the-first-revision',
      title: 'the only revision crashes, so there is nothing to roll back to',
      expected: { cause: ['application-crash', 'crash-loop-after-rollout'], neverFix: ['undo-rollout'] },
      steps: [
        async (scene) => {
          await runs('web', { replicas: 2 })(scene);
          scene.before.set('web', []);
        },
        crashesOn('n-a'),
      ],
    }),
    form({
      id: 'memory-limit-cut',
      title: 'the new revision lowers the memory limit from 512Mi to 64Mi and is killed for it',
      expected: { cause: 'out-of-memory', firstFix: ['undo-rollout'], mentions: ['512Mi', '64Mi'] },
      steps: [
        runs('web', { container: memory('512Mi', '1') }),
        limited('64Mi'),
        isCrashLooping('web', 1, 137, 'OOMKilled'),
      ],
    }),
    form({
      id: 'memory-limit-kept',
      title: 'the new revision keeps its limit of 64Mi and is killed for it',
      expected: { cause: 'out-of-memory', mentions: ['64Mi'] },
      steps: [
        runs('web', { container: memory('64Mi', '1') }),
        limited('64Mi'),
        isCrashLooping('web', 1, 137, 'OOMKilled'),
      ],
    }),
    form({
      id: 'pull-fails-on-one-node',
      title: 'the image is pulled on two nodes, and the third does not reach the registry',
      expected: { cause: 'image-pull-failure', nodes: ['n-b'] },
      nodes: three,
      steps: [
        runs('web', {
          replicas: 3,
          pod: onePerNode,
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 3 } },
        }),
        updates('web', 'container-creating'),
        async (scene) => {
          const pods = await newPods(scene, 'web', 3);
          const { becomeReady } = await import('../controls/kubelet-acts.js');
          await becomeReady(scene.cluster, ...pods.filter(({ spec }) => spec?.nodeName !== 'n-b'));
        },
        pullFails,
      ],
      heals: (pod) => pod.spec?.nodeName !== 'n-b',
    }),
    form({
      id: 'pull-fails-everywhere',
      title: 'no node can pull the image of the new revision',
      expected: { cause: 'image-pull-failure', firstFix: ['undo-rollout'] },
      nodes: three,
      steps: [
        runs('web', { replicas: 3, pod: onePerNode }),
        updates('web', 'container-creating'),
        async (scene) => {
          for (const pod of await newPods(scene, 'web', 1)) await failsToPull(scene, pod);
        },
      ],
    }),
    form({
      id: 'deadlock-beside-a-crash-on-another-node',
      title: 'the rollout is deadlocked on the last card, and an old pod on another node crashes',
      expected: {
        cause: ['surge-deadlock', 'application-crash', 'crash-loop-on-node'],
        mentions: ['gpu-b', 'surge-deadlock'],
      },
      nodes: [gpuNode(1, 'gpu-a'), gpuNode(1, 'gpu-b')],
      steps: [
        runs('web', {
          replicas: 2,
          requests: oneGpu,
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        }),
        updates('web'),
        isRefused('web', `Insufficient ${gpu}`),
        crashesOn('gpu-b'),
      ],
    }),
    form({
      id: 'pull-failure-beside-a-crash',
      title: 'one new pod crashes, another on another node cannot pull its image',
      expected: {
        cause: ['image-pull-failure', 'application-crash', 'crash-loop-after-rollout', 'crash-loop-on-node'],
        mentions: ['image-pull-failure', 'n-b'],
      },
      nodes: three,
      steps: [
        runs('web', { replicas: 3, pod: onePerNode, strategy: recreate }),
        updates('web', 'container-creating'),
        async (scene) => {
          const pods = await newPods(scene, 'web', 3);
          for (const pod of pods.filter(({ spec }) => spec?.nodeName === 'n-b'))
            await failsToPull(scene, pod);
          for (const pod of pods.filter(({ spec }) => spec?.nodeName !== 'n-b'))
            await reportOf(scene, pod, crashLooping(1));
        },
      ],
    }),
    form({
      id: 'deadlock-with-a-boundless-grace-period',
      title: 'the old pod holds the card and has a grace period of 285 million years',
      expected: { cause: 'surge-deadlock', minConfidence: 'proven', resource: gpu },
      nodes: [gpuNode(1)],
      diagnoseAfterSeconds: 0,
      steps: [
        runs('web', { requests: oneGpu, pod: { terminationGracePeriodSeconds: 9_000_000_000_000_000 } }),
        updates('web'),
        isRefused('web', `Insufficient ${gpu}`),
      ],
    }),
    form({
      id: 'deadlock-in-the-third-revision',
      title: 'a second update follows while the first is deadlocked on the only card',
      expected: {
        cause: 'surge-deadlock',
        minConfidence: 'proven',
        resource: gpu,
        firstFix: ['patch-strategy'],
      },
      nodes: [gpuNode(1)],
      diagnoseAfterSeconds: 0,
      steps: [
        runs('web', { requests: oneGpu }),
        updates('web'),
        isRefused('web', `Insufficient ${gpu}`),
        updates('web', undefined, {}, { change: 'third' }),
        isRefused('web', `Insufficient ${gpu}`),
      ],
    }),
    form({
      id: 'deadlock-after-a-blip-of-readiness',
      title: 'the old pod was unready for a moment two days after its start, and holds the only card',
      expected: { cause: 'surge-deadlock', minConfidence: 'proven', resource: gpu, maxDowntimeSeconds: 600 },
      nodes: [gpuNode(1)],
      diagnoseAfterSeconds: 190_000,
      steps: [
        runs('web', { requests: oneGpu }),
        async ({ cluster, namespace, before }) => {
          const lastTransitionTime = new Date(Date.now() + 180_000_000).toISOString().replace(/\.\d+/, '');
          await cluster.patchPodStatus(namespace, before.get('web')?.[0] ?? '', {
            conditions: ['Ready', 'ContainersReady'].map((type) => ({
              type,
              status: 'True',
              lastTransitionTime,
            })),
          });
        },
        updates('web'),
        isRefused('web', `Insufficient ${gpu}`),
      ],
    }),
    form({
      id: 'restarted-container-and-a-deadlock',
      title: 'a container of the old pod restarted once, long after its start; the pod holds the only card',
      expected: { cause: 'surge-deadlock', minConfidence: 'proven', resource: gpu, maxDowntimeSeconds: 600 },
      nodes: [gpuNode(1)],
      diagnoseAfterSeconds: 190_000,
      steps: [
        async (scene) => {
          await runs('web', { requests: oneGpu })(scene);
          const names = scene.before.get('web') ?? [];
          scene.before.set('web', []);
          const later = new Date(Date.now() + 180_000_000).toISOString().replace(/\.\d+/, '');
          await reports('web', 1, {
            ready: true,
            started: true,
            restartCount: 1,
            state: { running: { startedAt: later } },
          } as object)(scene);
          scene.before.set('web', names);
        },
        updates('web'),
        isRefused('web', `Insufficient ${gpu}`),
      ],
    }),
  ],
};
