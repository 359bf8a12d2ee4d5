import type { V1Pod } from '@kubernetes/client-node';
import { becomeReady } from '../controls/kubelet-acts.js';
import { runDaemonSet, runStatefulSet } from '../controls/workloads.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { type Form, type FormExpectation, type FormGroup, type Step, waitsForTraining } from './form.js';
import {
  becomesReady,
  crashLooping,
  gpu,
  inPool,
  isCrashLooping,
  isObserved,
  isStarting,
  lacksCard,
  oneGpu,
  onPool,
  patches,
  pool,
  reportOf,
  runs,
  secondPods,
  updates,
} from './steps.js';

const card = { resources: { requests: oneGpu, limits: oneGpu } };
const withoutCard = { requests: { [gpu]: null }, limits: { [gpu]: null } };

const waiting: FormExpectation = { ...waitsForTraining, neverFix: ['patch-strategy'] };
const deadlock: FormExpectation = { cause: 'surge-deadlock', resource: gpu, minConfidence: 'likely' };
const provenDeadlock: FormExpectation = { ...deadlock, minConfidence: 'proven' };
/** The new pod may recover, and then the old one stops. */
const likelyDeadlock: FormExpectation = { ...deadlock, maxConfidence: 'likely', mentions: ['training'] };

/** The new pod of `training` starts in pool b, where `web` cannot run; its old pod keeps a card of pool a. */
const movesTo = (app: string): readonly Step[] => [
  runs(app, onPool('a')),
  updates(app, 'container-creating', inPool('b')),
  isStarting(app),
];

const deployment = (
  id: string,
  title: string,
  expected: FormExpectation,
  steps: readonly Step[],
  ends?: readonly Step[],
): Form => ({
  id,
  title,
  expected,
  nodes: [pool('a', 2), pool('b', 2)],
  steps: [runs('web', onPool('a')), ...steps, ...lacksCard],
  ...(ends === undefined ? {} : { ends }),
});

const secondPodCrashes: Step = async (scene) => {
  for (const pod of await secondPods(scene, 'ml/training', 1)) await reportOf(scene, pod, crashLooping(1));
};

const secondPodsStart =
  (count: number): Step =>
  async (scene) => {
    for (let ready = 1; ready <= count; ready += 1) {
      await becomeReady(scene.cluster, ...(await secondPods(scene, 'ml/training', ready)));
    }
  };

const secondTemplate = (pod: object, container: object = {}) => ({
  spec: {
    template: {
      metadata: { annotations: { [kubeletAnnotation.start]: 'container-creating' } },
      spec: { ...pod, containers: [{ name: 'app', image: 'registry.example/app:2', ...container }] },
    },
  },
});

/**
 * Two replicas in pool a. The second one is replaced by a pod in pool b, which is starting; `rival` takes its
 * card.
 */
const statefulSet: readonly Step[] = [
  async ({ cluster, place }) => {
    const { namespace, name } = await place('ml/training');
    await runStatefulSet(cluster, {
      namespace,
      name,
      container: card,
      pod: inPool('a'),
      spec: { replicas: 2 },
    });
  },
  patches('StatefulSet', 'ml/training', secondTemplate(inPool('b'))),
  async (scene) => {
    await secondPods(scene, 'ml/training', 1);
  },
  runs('rival', onPool('a')),
];

/**
 * A pod on each pool, with a card. That of pool b is replaced first, since it is not ready; the new ones need
 * no card.
 */
const daemonSet: readonly Step[] = [
  async ({ cluster, place }) => {
    const { namespace, name } = await place('ml/training');
    await runDaemonSet(cluster, 2, { namespace, name, container: card });
    const { items } = await cluster.objects.list<V1Pod>('v1', 'Pod', namespace);
    for (const { metadata, spec } of items) {
      if (spec?.nodeName !== 'b-1') continue;
      await cluster.patchPodStatus(namespace, metadata?.name ?? '', {
        conditions: ['Ready', 'ContainersReady'].map((type) => ({ type, status: 'False' })),
      });
    }
  },
  patches('DaemonSet', 'ml/training', secondTemplate({}, { resources: withoutCard })),
  async (scene) => {
    await secondPods(scene, 'ml/training', 1);
  },
];

/** Class: neighbours whose new pods are on nodes that the diagnosed workload cannot use. */
export const elsewhere: FormGroup = {
  group: 'elsewhere',
  forms: [
    deployment(
      'neighbour-moves-to-another-pool',
      'the new pod of a rollout of another namespace starts in a pool that this workload cannot use',
      waiting,
      movesTo('ml/training'),
      [becomesReady('ml/training')],
    ),
    deployment(
      'neighbour-moved-to-another-pool-and-back',
      'a workload of another namespace was rolled back before its new pod was ready: nothing moves any longer',
      provenDeadlock,
      [
        ...movesTo('ml/training'),
        patches('Deployment', 'ml/training', {
          spec: {
            template: {
              metadata: { annotations: { [kubeletAnnotation.start]: null } },
              spec: { ...inPool('a'), containers: [{ name: 'app', image: 'registry.example/app:1' }] },
            },
          },
        }),
        async ({ cluster, place }) => {
          const { namespace } = await place('ml/training');
          await cluster.until<V1Pod, true>({
            what: 'one pod of training to be left',
            selection: { kind: 'Pod', namespace },
            check: (pods) => pods.length === 1,
          });
        },
      ],
    ),
    deployment(
      'neighbour-crashes-in-another-pool',
      'the new pod of a rollout of another namespace crashes in a pool that this workload cannot use',
      likelyDeadlock,
      [...movesTo('ml/training'), isCrashLooping('ml/training')],
    ),
    deployment(
      'neighbour-is-paused-in-another-pool',
      'a rollout of another namespace was paused, and stops its old pod all the same when its only new pod is ready',
      waiting,
      [
        ...movesTo('ml/training'),
        patches('Deployment', 'ml/training', { spec: { paused: true } }),
        isObserved('ml/training'),
      ],
      [becomesReady('ml/training')],
    ),
    {
      id: 'neighbour-is-paused-half-way-in-another-pool',
      title:
        'a rollout of another namespace was paused after one of its two new pods, which is ready in another pool',
      expected: provenDeadlock,
      nodes: [pool('a', 3), pool('b', 2)],
      steps: [
        runs('web', onPool('a')),
        runs('ml/training', { ...onPool('a'), replicas: 2 }),
        updates('ml/training', 'container-creating', inPool('b')),
        patches('Deployment', 'ml/training', { spec: { paused: true } }),
        isObserved('ml/training'),
        becomesReady('ml/training'),
        ...lacksCard,
      ],
    },
    {
      id: 'neighbour-is-a-stateful-set-that-moves-to-another-pool',
      title:
        'a StatefulSet of another namespace replaces its pods by pods in a pool that this workload cannot use',
      expected: waiting,
      nodes: [pool('a', 3), pool('b', 2)],
      steps: [runs('web', onPool('a')), ...statefulSet, ...lacksCard],
      ends: [secondPodsStart(2)],
    },
    {
      id: 'neighbour-is-a-stateful-set-that-crashes-in-another-pool',
      title: 'the same StatefulSet, whose first new pod crashes in the other pool',
      expected: likelyDeadlock,
      nodes: [pool('a', 3), pool('b', 2)],
      steps: [runs('web', onPool('a')), ...statefulSet, secondPodCrashes, ...lacksCard],
    },
    {
      id: 'neighbour-is-a-daemon-set-that-began-in-another-pool',
      title:
        'a DaemonSet of another namespace drops its cards, and began on a node that this workload cannot use',
      expected: waiting,
      nodes: [pool('a', 2), pool('b', 1)],
      steps: [runs('web', onPool('a')), ...daemonSet, ...lacksCard],
      ends: [secondPodsStart(2)],
    },
    {
      id: 'neighbour-is-a-daemon-set-that-crashes-in-another-pool',
      title: 'the same DaemonSet, whose first new pod crashes on the other node',
      expected: likelyDeadlock,
      nodes: [pool('a', 2), pool('b', 1)],
      steps: [runs('web', onPool('a')), ...daemonSet, secondPodCrashes, ...lacksCard],
    },
  ],
};
