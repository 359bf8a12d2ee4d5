import { setTimeout as delay } from 'node:timers/promises';
import type { V1ConfigMap, V1Node, V1Pod } from '@kubernetes/client-node';
import { CoreV1Api, PatchStrategy, setHeaderOptions } from '@kubernetes/client-node';
import { applyShipped } from '../harness/shipped-rbac.js';
import type { Form, FormGroup, Scene, Step } from './form.js';
import { nodesNamed, onePerNode } from './on-nodes.js';
import { crashLooping, gpu, gpuNode, oneGpu, reportOf, runs } from './steps.js';

const diagnoseAfterSeconds = 600;
const secondsAgo = (seconds: number): string =>
  new Date(Date.now() - seconds * 1000).toISOString().replace(/\.\d+/, '');

const readinessProbe = { httpGet: { path: '/ready', port: 8080 } };
/** Does not fail, so that the case of pods that nothing restarts does not apply. */
const livenessProbe = { httpGet: { path: '/live', port: 8080 } };
const probes = { readinessProbe, livenessProbe };
const fromSettings = { ...probes, envFrom: [{ configMapRef: { name: 'settings' } }] };
const three = nodesNamed('n-a', 'n-b', 'n-c');
const apart = {
  topologySpreadConstraints: onePerNode.topologySpreadConstraints.map((each) => ({
    ...each,
    matchLabelKeys: ['pod-template-hash'],
  })),
};

const hasSettings: Step = async ({ cluster, namespace }) => {
  await applyShipped(cluster, ['config-metadata/configmaps.yaml'], namespace);
  await cluster.create<V1ConfigMap>({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace, name: 'settings' },
    data: { UPSTREAM: 'http://orders:8080' },
  });
};

const writes =
  (patch: object): Step =>
  async ({ cluster, namespace }) =>
    cluster.patch({ kind: 'ConfigMap', namespace, name: 'settings' }, patch);

const writesData = writes({ data: { UPSTREAM: 'http://orders.shop:8080' } });

/** Times of the API are whole seconds, so a later event needs another second. */
const nextSecond: Step = async () => {
  const second = secondsAgo(0);
  while (secondsAgo(0) === second) await delay(50);
};

async function podsOf({ cluster, namespace }: Scene): Promise<readonly V1Pod[]> {
  const { items } = await cluster.objects.list<V1Pod>('v1', 'Pod', namespace);
  return items
    .filter(({ metadata }) => metadata?.deletionTimestamp === undefined)
    .sort((a, b) => (a.metadata?.name ?? '').localeCompare(b.metadata?.name ?? ''));
}

interface Unready {
  /** Which pods, in the order of their names. */
  readonly which: readonly number[];
  readonly startedAgo: number;
  /** Equal to the start: it was never ready. */
  readonly lostAgo: number;
}

/** The kubelet reports that these pods have run and have not been ready since then. */
const areNotReady =
  ({ which, startedAgo, lostAgo }: Unready): Step =>
  async (scene) => {
    const pods = await podsOf(scene);
    for (const at of which) {
      const pod = pods[at] ?? {};
      await reportOf(scene, pod, {
        started: true,
        state: { running: { startedAt: secondsAgo(startedAgo) } },
      });
      await scene.cluster.patchPodStatus(scene.namespace, pod.metadata?.name ?? '', {
        conditions: ['Ready', 'ContainersReady'].map((type) => ({
          type,
          status: 'False',
          reason: 'ContainersNotReady',
          message: 'containers with unready status: [app]',
          lastTransitionTime: secondsAgo(lostAgo),
        })),
      });
    }
  };

/** The pod is deleted, and its replacement becomes ready. */
const isReplaced =
  (which: number): Step =>
  async (scene) => {
    const { cluster, namespace } = scene;
    const before = await podsOf(scene);
    const gone = before[which]?.metadata?.name ?? '';
    await cluster.remove({ kind: 'Pod', namespace, name: gone });
    await cluster.until<V1Pod, true>({
      what: 'the replacement to be ready',
      selection: { kind: 'Pod', namespace },
      check: (pods) =>
        pods.some(
          ({ metadata, status }) =>
            !before.some((each) => each.metadata?.name === metadata?.name) &&
            status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
        ),
    });
  };

const writesLog =
  (text: string): Step =>
  async (scene) => {
    for (const { metadata } of await podsOf(scene))
      scene.logs.set(`${scene.namespace}_${metadata?.name}_app`, `${text}\n`);
    scene.cluster.controlPlane.writePodLogs({ current: text, previous: '' });
  };

/** The first pod crashes with a device of this health; if it is unhealthy, the node no longer counts it. */
const crashesWithDevice =
  (health: 'Healthy' | 'Unhealthy'): Step =>
  async (scene) => {
    const [pod = {}] = await podsOf(scene);
    await reportOf(scene, pod, {
      ...crashLooping(1),
      allocatedResourcesStatus: [{ name: gpu, resources: [{ resourceID: 'GPU-7c1d', health }] }],
    });
    await scene.cluster.patchPodStatus(scene.namespace, pod.metadata?.name ?? '', {
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: secondsAgo(0) }],
    });
    if (health === 'Healthy') return;
    const name = pod.spec?.nodeName ?? '';
    await scene.cluster.config
      .makeApiClient(CoreV1Api)
      .patchNodeStatus(
        { name, body: { status: { allocatable: { [gpu]: '0' } } } as V1Node },
        setHeaderOptions('Content-Type', PatchStrategy.StrategicMergePatch),
      );
  };

/** The kubelet reports an unhealthy device of a pod that stays ready. */
const servesWithUnhealthyDevice: Step = async (scene) => {
  const [pod = {}] = await podsOf(scene);
  const resources = [{ resourceID: 'GPU-7c1d', health: 'Unhealthy' }];
  const [status] = pod.status?.containerStatuses ?? [];
  await reportOf(scene, pod, { ...status, allocatedResourcesStatus: [{ name: gpu, resources }] });
};

const neverReady: Unready = { which: [0, 1], startedAgo: 7200, lostAgo: 7200 };
const restarted = { cause: 'readiness-failing', firstFix: ['restart-rollout'] } as const;
const notRestarted = { cause: 'readiness-failing', neverFix: ['restart-rollout'] } as const;

const form = (one: Omit<Form, 'nodes'> & Partial<Pick<Form, 'nodes'>>): Form => ({
  nodes: three,
  diagnoseAfterSeconds,
  ...one,
});

const settingsForm = (
  one: Pick<Form, 'id' | 'title' | 'expected' | 'steps'> & Partial<Pick<Form, 'ends'>>,
): Form =>
  form({ ...one, steps: [hasSettings, runs('web', { replicas: 2, container: fromSettings }), ...one.steps] });

/** Class: failing pods whose replacements would not fail, and their near misses. */
export const restarts: FormGroup = {
  group: 'restarts',
  forms: [
    settingsForm({
      id: 'config-written-after-the-start',
      title: 'the address in the ConfigMap was corrected after the pods had started with the wrong one',
      expected: { ...restarted, mentions: ['settings'] },
      steps: [areNotReady(neverReady), writesData],
    }),
    settingsForm({
      id: 'config-written-after-one-pod-failed',
      title: 'one of two pods was not restarted since the ConfigMap was corrected, the other was',
      expected: { cause: 'readiness-failing', firstFix: ['delete-pod'], mentions: ['settings'] },
      steps: [areNotReady({ ...neverReady, which: [0] }), writesData, nextSecond, isReplaced(1)],
    }),
    settingsForm({
      id: 'config-written-before-the-start',
      title: 'the ConfigMap was written before the pods started, and they fail all the same',
      expected: notRestarted,
      steps: [writesData, areNotReady({ which: [0, 1], startedAgo: 0, lostAgo: 0 })],
    }),
    settingsForm({
      id: 'config-written-under-ready-pods',
      title: 'the ConfigMap was changed after the pods had started, and they stay ready',
      ends: [],
      expected: { cause: null, never: ['readiness-failing'] },
      steps: [writesData],
    }),
    form({
      id: 'config-mounted-whole',
      title: 'the ConfigMap was corrected, and the kubelet has updated the mounted files since',
      expected: notRestarted,
      steps: [
        hasSettings,
        runs('web', {
          replicas: 2,
          container: { ...probes, volumeMounts: [{ name: 'files', mountPath: '/etc/web' }] },
          pod: { volumes: [{ name: 'files', configMap: { name: 'settings' } }] },
        }),
        areNotReady(neverReady),
        writesData,
      ],
    }),
    form({
      id: 'older-pods-fail-younger-is-ready',
      title: 'a token expired in two pods; a pod of the same revision that was replaced since is ready',
      expected: { ...restarted, mentions: ['token has expired'] },
      steps: [
        runs('web', { replicas: 3, container: probes, pod: apart }),
        isReplaced(2),
        async (scene) => {
          const old = (await podsOf(scene)).flatMap(({ metadata }, at) =>
            (scene.before.get('web') ?? []).includes(metadata?.name ?? '') ? [at] : [],
          );
          await areNotReady({ which: old, startedAgo: 90_000, lostAgo: 3600 })(scene);
        },
        writesLog('GET /ready 503: the token has expired'),
      ],
    }),
    form({
      id: 'older-and-younger-pods-ready',
      title: 'one pod was replaced, and pods of every age are ready',
      ends: [],
      expected: { cause: null, never: ['readiness-failing'] },
      steps: [runs('web', { replicas: 3, container: probes, pod: apart }), isReplaced(2)],
    }),
    form({
      id: 'older-and-younger-pods-fail',
      title: 'a pod of the same revision that was replaced since is not ready either',
      expected: { ...notRestarted, mentions: ['web'] },
      steps: [
        runs('web', { replicas: 3, container: probes, pod: apart }),
        isReplaced(2),
        async (scene) => {
          const pods = await podsOf(scene);
          const isOld = (at: number) =>
            (scene.before.get('web') ?? []).includes(pods[at]?.metadata?.name ?? '');
          const all = [0, 1, 2];
          await areNotReady({ which: all.filter(isOld), startedAgo: 90_000, lostAgo: 3600 })(scene);
          await areNotReady({ which: all.filter((at) => !isOld(at)), startedAgo: 0, lostAgo: 0 })(scene);
        },
        writesLog('GET /ready 503: the token has expired'),
      ],
    }),
    form({
      id: 'crash-with-an-unhealthy-device',
      title:
        'the program crashes on a card that its plugin reports as unhealthy; another node has a free one',
      expected: {
        cause: ['application-crash', 'crash-loop-after-rollout'],
        firstFix: ['delete-pod'],
        mentions: ['unhealthy', gpu],
      },
      nodes: [gpuNode(1, 'gpu-a'), gpuNode(1, 'gpu-b')],
      steps: [runs('web', { requests: oneGpu }), crashesWithDevice('Unhealthy')],
    }),
    form({
      id: 'ready-with-an-unhealthy-device',
      title: 'the plugin reports the card of a ready pod as unhealthy',
      ends: [],
      expected: { cause: null, never: ['application-crash'] },
      nodes: [gpuNode(1, 'gpu-a'), gpuNode(1, 'gpu-b')],
      steps: [runs('web', { requests: oneGpu }), servesWithUnhealthyDevice],
    }),
    form({
      id: 'crash-with-a-healthy-device',
      title: 'the program crashes on a card that its plugin reports as healthy',
      expected: {
        cause: ['application-crash', 'crash-loop-after-rollout'],
        neverFix: ['restart-rollout'],
      },
      nodes: [gpuNode(1, 'gpu-a'), gpuNode(1, 'gpu-b')],
      steps: [runs('web', { requests: oneGpu }), crashesWithDevice('Healthy')],
    }),
    form({
      id: 'crash-with-the-only-device-unhealthy',
      title: 'the program crashes on an unhealthy card, and no node has another one',
      expected: {
        cause: ['application-crash', 'crash-loop-after-rollout'],
        neverFix: ['restart-rollout', 'delete-pod'],
      },
      nodes: [gpuNode(1, 'gpu-a')],
      steps: [runs('web', { requests: oneGpu }), crashesWithDevice('Unhealthy')],
    }),
  ],
};
