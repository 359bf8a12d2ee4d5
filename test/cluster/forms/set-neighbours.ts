import type { V1Pod } from '@kubernetes/client-node';
import { becomeReady } from '../controls/kubelet-acts.js';
import { daemonSetManifest, runStatefulSet } from '../controls/workloads.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { type Form, type FormExpectation, type FormGroup, type Step, waitsForTraining } from './form.js';
import { crashLooping, gpu, lacksCard, oneGpu, onPool, patches, pool, reportOf, runs } from './steps.js';

const waiting: FormExpectation = { ...waitsForTraining, neverFix: ['patch-strategy'] };
const deadlock: FormExpectation = { cause: 'surge-deadlock', resource: gpu, minConfidence: 'likely' };

const noCard = { requests: { [gpu]: null }, limits: { [gpu]: null } };

/** Two replicas with a card each. The new revision needs none, or one again. */
const statefulSet = (partition: number, keepsCards = false): readonly Step[] => [
  async ({ cluster, namespace }) => {
    await runStatefulSet(cluster, {
      namespace,
      name: 'training',
      container: { resources: { requests: oneGpu, limits: oneGpu } },
      spec: { replicas: 2, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } } },
    });
  },
  patches('StatefulSet', 'training', {
    spec: {
      template: {
        metadata: { annotations: { [kubeletAnnotation.start]: 'container-creating' } },
        spec: {
          containers: [
            { name: 'app', image: 'registry.example/app:2', ...(keepsCards ? {} : { resources: noCard }) },
          ],
        },
      },
    },
  }),
  async ({ cluster, namespace }) => {
    if (partition > 1) return;
    await cluster.until<V1Pod, true>({
      what: 'the second replica of training to be replaced',
      selection: { kind: 'Pod', namespace, labels: { app: 'training' } },
      check: (pods) =>
        pods.some(
          ({ metadata, spec, status }) =>
            metadata?.name === 'training-1' &&
            spec?.containers[0]?.image?.endsWith(':2') &&
            status?.containerStatuses !== undefined,
        ),
    });
  },
];

const startsAll =
  (app: string): Step =>
  async ({ cluster, namespace }) => {
    for (let at = 0; at < 2; at += 1) {
      const pods = await cluster.until<V1Pod, V1Pod[]>({
        what: `a pod of ${app} to start`,
        selection: { kind: 'Pod', namespace, labels: { app } },
        check: (all) => {
          const found = all.filter(
            ({ status, metadata }) =>
              metadata?.deletionTimestamp === undefined &&
              status?.containerStatuses?.some(({ ready }) => !ready) === true,
          );
          return found.length > 0 ? found : undefined;
        },
      });
      await becomeReady(cluster, ...pods);
    }
  };

const daemonSetOnDelete: readonly Step[] = [
  async ({ cluster, namespace }) => {
    await cluster.create(
      daemonSetManifest({
        namespace,
        name: 'training',
        container: { resources: { requests: oneGpu, limits: oneGpu } },
        spec: { updateStrategy: { type: 'OnDelete' } },
      }),
    );
    await cluster.until<V1Pod, true>({
      what: 'the daemon pod to run',
      selection: { kind: 'Pod', namespace, labels: { app: 'training' } },
      check: (pods) => pods.some(({ status }) => status?.phase === 'Running'),
    });
  },
  patches('DaemonSet', 'training', {
    spec: {
      template: {
        spec: {
          containers: [{ name: 'app', resources: noCard }],
        },
      },
    },
  }),
];

const form = (one: Form): Form => one;

/** Class: neighbours that stop an old pod before they create the new one. */
export const setNeighbours: FormGroup = {
  group: 'set-neighbours',
  forms: [
    form({
      id: 'neighbour-is-a-stateful-set-that-drops-its-cards',
      title: 'a StatefulSet whose new revision needs no card replaces its pods from the last to the first',
      expected: waiting,
      nodes: [pool('a', 3)],
      steps: [...statefulSet(0), runs('web', onPool('a')), runs('rival', onPool('a')), ...lacksCard],
      ends: [startsAll('training')],
    }),
    form({
      id: 'neighbour-is-a-stateful-set-with-a-partition',
      title: 'the same StatefulSet with a partition above its ordinals: no pod is replaced',
      expected: deadlock,
      nodes: [pool('a', 3)],
      steps: [...statefulSet(2), runs('web', onPool('a')), ...lacksCard],
    }),
    form({
      id: 'neighbour-is-a-stateful-set-that-keeps-its-cards',
      title: 'a StatefulSet replaces its pods one after the other, and each one needs a card again',
      expected: {
        cause: ['surge-deadlock', 'capacity-contention'],
        maxConfidence: 'likely',
        mentions: ['training'],
      },
      nodes: [pool('a', 3)],
      steps: [...statefulSet(0, true), runs('web', onPool('a')), ...lacksCard],
      ends: [startsAll('training')],
    }),
    form({
      id: 'neighbour-is-a-stateful-set-whose-new-pod-crashes',
      title: 'the same StatefulSet, whose first new pod crashes: it keeps the card of the other one',
      expected: { ...deadlock, maxConfidence: 'likely', mentions: ['training'] },
      nodes: [pool('a', 3)],
      steps: [
        ...statefulSet(0),
        async (scene) => {
          const pod = await scene.cluster.read<V1Pod>({
            kind: 'Pod',
            namespace: scene.namespace,
            name: 'training-1',
          });
          await reportOf(scene, pod, crashLooping(1));
        },
        runs('web', onPool('a')),
        runs('rival', onPool('a')),
        ...lacksCard,
      ],
    }),
    form({
      id: 'neighbour-is-a-daemon-set-of-on-delete',
      title: 'a DaemonSet of OnDelete whose new revision needs no card keeps its old pod',
      expected: deadlock,
      nodes: [pool('a', 2)],
      steps: [...daemonSetOnDelete, runs('web', onPool('a')), ...lacksCard],
    }),
  ],
};
