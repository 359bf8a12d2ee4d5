import type { V1Pod } from '@kubernetes/client-node';
import { becomeReady } from '../controls/kubelet-acts.js';
import { daemonSetManifest } from '../controls/workloads.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { type FormGroup, type Step, waitsForTraining } from './form.js';
import {
  becomesReady,
  gpuNode,
  isObserved,
  isStarting,
  lacksCard,
  newPods,
  oneGpu,
  patches,
  reports,
  runs,
  updates,
} from './steps.js';

const minReadySeconds = (seconds: number): readonly Step[] => [
  patches('Deployment', 'training', { spec: { minReadySeconds: seconds, progressDeadlineSeconds: 2_000 } }),
  isObserved('training'),
];

const runningOnce = { restartCount: 1, started: true, state: { running: { startedAt: new Date() } } };

/** Uses the second card on the node; its pods start only when a test makes them ready. */
const daemonSet: readonly Step[] = [
  async ({ cluster, namespace }) => {
    await cluster.create(
      daemonSetManifest({
        namespace,
        name: 'training',
        container: { resources: { requests: oneGpu, limits: oneGpu } },
        spec: {
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        },
      }),
    );
    const [first] = await cluster.until<V1Pod, V1Pod[]>({
      what: 'the daemon pod to be ready',
      selection: { kind: 'Pod', namespace, labels: { app: 'training' } },
      check: (pods) =>
        pods.filter(({ status }) =>
          status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
        ).length === 1
          ? [...pods]
          : undefined,
    });
    if (first === undefined) throw new Error('no daemon pod');
  },
  async (scene) => {
    const { items } = await scene.cluster.objects.list<V1Pod>('v1', 'Pod', scene.namespace);
    const mine = items.filter(({ metadata }) => metadata?.labels?.app === 'training');
    scene.before.set(
      'training',
      mine.map(({ metadata }) => metadata?.name ?? ''),
    );
  },
  patches('DaemonSet', 'training', {
    spec: { template: { metadata: { annotations: { [kubeletAnnotation.start]: 'container-creating' } } } },
  }),
  isStarting('training'),
];

/** The old pod is replaced by one of its own revision after the surge pod was created. */
const oldPodRecreated: Step = async (scene) => {
  const { cluster, namespace, before } = scene;
  const surge = await newPods(scene, 'training', 1);
  const [old = ''] = before.get('training') ?? [];
  await cluster.remove({ kind: 'Pod', namespace, name: old });
  await cluster.until<V1Pod, true>({
    what: 'another pod of the old revision to run',
    selection: { kind: 'Pod', namespace, labels: { app: 'training' } },
    check: (pods) =>
      pods.filter(({ status }) => status?.phase === 'Running').length === 1 &&
      !pods.some(({ metadata }) => metadata?.name === old),
  });
  const names = surge.map(({ metadata }) => metadata?.name);
  const { items } = await cluster.objects.list<V1Pod>('v1', 'Pod', namespace);
  before.set(
    'training',
    items
      .filter(({ metadata }) => metadata?.labels?.app === 'training' && !names.includes(metadata.name))
      .map(({ metadata }) => metadata?.name ?? ''),
  );
};

/** Class: neighbours that continue, although they appear to be stuck. */
export const lateNeighbours: FormGroup = {
  group: 'late-neighbours',
  forms: [
    {
      id: 'neighbour-ready-for-minutes-and-not-available',
      title: 'the surge pod of another rollout has been ready for three minutes of the ten that it must be',
      expected: waitsForTraining,
      nodes: [gpuNode(3)],
      diagnoseAfterSeconds: 180,
      steps: [
        runs('web', { requests: oneGpu }),
        runs('training', { requests: oneGpu }),
        ...minReadySeconds(600),
        updates('training', 'container-creating'),
        becomesReady('training'),
        ...lacksCard,
      ],
      ends: [patches('Deployment', 'training', { spec: { minReadySeconds: 0 } })],
    },
    {
      id: 'neighbour-restarted-once-while-starting',
      title: 'a container of the surge pod of another rollout restarted once and is starting',
      expected: waitsForTraining,
      nodes: [gpuNode(3)],
      steps: [
        runs('web', { requests: oneGpu }),
        runs('training', { requests: oneGpu }),
        updates('training', 'not-ready'),
        reports('training', 1, runningOnce as object),
        ...lacksCard,
      ],
      ends: [becomesReady('training')],
    },
    {
      id: 'neighbour-is-a-daemon-set-that-surges',
      title: 'a DaemonSet with maxSurge replaces its pod on the node and frees a card when it is done',
      expected: waitsForTraining,
      nodes: [gpuNode(3)],
      steps: [runs('web', { requests: oneGpu }), ...daemonSet, ...lacksCard],
      ends: [
        async (scene) => {
          await becomeReady(scene.cluster, ...(await newPods(scene, 'training', 1)));
        },
      ],
    },
    {
      id: 'neighbours-old-pod-is-younger-than-its-new-one',
      title: 'the old pod of another rollout was created again after the surge pod, and stops nevertheless',
      expected: waitsForTraining,
      nodes: [gpuNode(3)],
      steps: [
        runs('web', { requests: oneGpu }),
        runs('training', { requests: oneGpu }),
        updates('training', 'container-creating'),
        isStarting('training'),
        oldPodRecreated,
        ...lacksCard,
      ],
      ends: [becomesReady('training')],
    },
  ],
};
