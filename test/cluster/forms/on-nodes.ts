import type { V1Pod } from '@kubernetes/client-node';
import { becomeReady, type KubeletEvent, recordEvents } from '../controls/kubelet-acts.js';
import type { Scene, Step } from './form.js';
import { newPods, reportOf, runs, updates } from './steps.js';

export const nodesNamed = (...names: readonly string[]) => names.map((name) => ({ name }));

/** One pod of the app on each node. */
export const onePerNode = {
  topologySpreadConstraints: [
    {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: { matchLabels: { app: 'web' } },
    },
  ],
};

/** `web` runs on as many nodes, and all its pods are replaced at once. Its new pods are being created. */
export const replacesAllPods = (replicas: number, pod: object = {}): readonly Step[] => [
  runs('web', {
    replicas,
    pod: onePerNode,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: replicas } },
  }),
  updates('web', 'container-creating', pod),
  async (scene) => {
    await newPods(scene, 'web', replicas);
  },
];

async function podsOn(
  scene: Scene,
  nodes: readonly string[],
  isOn: (name: string) => boolean,
): Promise<readonly V1Pod[]> {
  const pods = await newPods(scene, 'web', nodes.length);
  return pods.filter(({ spec }) => isOn(spec?.nodeName ?? ''));
}

/** The new pods of `web` on all nodes but the excepted ones become ready. */
export const becomesReadyBut =
  (all: readonly string[], ...excepted: readonly string[]): Step =>
  async (scene) => {
    await becomeReady(scene.cluster, ...(await podsOn(scene, all, (name) => !excepted.includes(name))));
  };

/** The kubelet of the node reports this of its new pod of `web`. */
export const kubeletReports =
  (
    all: readonly string[],
    node: string,
    first: object | undefined,
    ...events: readonly KubeletEvent[]
  ): Step =>
  async (scene) => {
    for (const pod of await podsOn(scene, all, (name) => name === node)) {
      if (first !== undefined) await reportOf(scene, pod, first);
      await recordEvents(scene.cluster, pod, ...events);
    }
  };

export const pullBackOff = {
  state: {
    waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "registry.example/app:2"' },
  },
};

export const pullFailed = (because: string): KubeletEvent => ({
  type: 'Warning',
  reason: 'Failed',
  message: `Failed to pull image "registry.example/app:2": ${because}`,
  count: 9,
});

export const noSandbox = (because: string): KubeletEvent => ({
  type: 'Warning',
  reason: 'FailedCreatePodSandBox',
  message: `Failed to create pod sandbox: rpc error: code = Unknown desc = ${because}`,
  count: 24,
});
