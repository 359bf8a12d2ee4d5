import { statefulSetManifest } from '../controls/workloads.js';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { untilRolledOut } from '../incidents/rolling.js';
import type { Form, FormGroup, Step } from './form.js';
import {
  becomesReady,
  gpuNode,
  hasQuota,
  inPool,
  isStarting,
  lacksCard,
  oneGpu,
  onPool,
  patches,
  pool,
  runs,
  updates,
} from './steps.js';

const isRolledOut =
  (app: string): Step =>
  async ({ cluster, place }) => {
    const { namespace, name } = await place(app);
    await untilRolledOut(cluster, namespace, name);
  };

const calm = (
  id: string,
  title: string,
  nodes: Form['nodes'],
  steps: readonly Step[],
  ends?: readonly Step[],
): Form => ({
  id,
  title,
  nodes,
  steps,
  expected: {
    cause: null,
    never: ['surge-deadlock', 'capacity-contention', 'quota-deadlock', 'quota-exceeded'],
  },
  ...(ends === undefined ? {} : { ends }),
});

const movesTo = (app: string): readonly Step[] => [
  runs(app, onPool('a')),
  updates(app, 'container-creating', inPool('b')),
  isStarting(app),
];
const pauses = (app: string): Step => patches('Deployment', app, { spec: { paused: true } });
const two = [pool('a', 2), pool('b', 2)];

const runsSet =
  (replicas: number): Step =>
  async ({ cluster, namespace }) => {
    await cluster.create(
      statefulSetManifest({
        namespace,
        name: 'training',
        container: { resources: { requests: { cpu: '1' } } },
        annotations: { [kubeletAnnotation.start]: 'container-creating' },
        spec: { replicas },
      }),
    );
  };

/** Class: healthy workloads beside rollouts of others that hold, free or do not touch what they use. */
export const calmNeighbours: FormGroup = {
  group: 'calm-neighbours',
  forms: [
    calm(
      'placed-after-a-neighbour-moved',
      'the rollout waited for the card of a workload that moved to another pool, and is complete',
      two,
      [
        runs('web', onPool('a')),
        ...movesTo('ml/training'),
        ...lacksCard,
        becomesReady('ml/training'),
        isRolledOut('web'),
      ],
      [],
    ),
    calm(
      'placed-after-a-paused-neighbour-finished',
      'a paused rollout stopped its old pod when its new pod was ready, and the rollout behind it is complete',
      two,
      [
        runs('web', onPool('a')),
        ...movesTo('training'),
        pauses('training'),
        ...lacksCard,
        becomesReady('training'),
        isRolledOut('web'),
      ],
      [],
    ),
    calm(
      'card-free-beside-a-neighbour-in-another-pool',
      'a neighbour moves to another pool, and the starting pod has the third card of this one',
      [pool('a', 3), pool('b', 2)],
      [
        runs('web', onPool('a')),
        ...movesTo('ml/training'),
        updates('web', 'container-creating'),
        isStarting('web'),
      ],
    ),
    calm(
      'neighbour-crashes-beside-a-complete-rollout',
      'the rollout of another namespace starts for ever, and this rollout is complete',
      [pool('a', 3), pool('b', 2)],
      [runs('web', onPool('a')), ...movesTo('ml/training'), updates('web'), isRolledOut('web')],
      [],
    ),
    calm(
      'forty-replicas-half-way',
      'a rollout of forty replicas is half-way, and its new pods are starting',
      [{ name: 'n-a' }],
      [runs('web', { replicas: 40 }), updates('web', 'container-creating'), isStarting('web', 20)],
    ),
    calm(
      'quota-exactly-enough-for-the-surge-pod',
      'the quota has room for exactly one more pod, which is starting',
      [{ name: 'n-a' }],
      [
        hasQuota({ 'requests.cpu': '2' }),
        runs('web', { requests: { cpu: '1' } }),
        updates('web', 'container-creating'),
        isStarting('web'),
      ],
    ),
    calm(
      'quota-beside-a-stateful-set-that-starts',
      'a StatefulSet takes its part of the quota while it starts, and the rollout has its own',
      [{ name: 'n-a' }],
      [
        hasQuota({ 'requests.cpu': '4' }),
        runs('web', { requests: { cpu: '1' } }),
        runsSet(1),
        updates('web', 'container-creating'),
        isStarting('web'),
      ],
    ),
    calm(
      'recreated-on-the-only-card',
      'Recreate stopped the old pod first, and the new pod starts on the only card',
      [gpuNode(1)],
      [
        runs('web', { requests: oneGpu, strategy: { type: 'Recreate' } }),
        updates('web', 'container-creating'),
        isStarting('web'),
      ],
    ),
    calm(
      'host-port-free-on-another-node',
      'each node has one pod with the host port, and the surge pod starts on the free third one',
      [{ name: 'n-a' }, { name: 'n-b' }, { name: 'n-c' }],
      [
        runs('web', { replicas: 2, container: { ports: [{ containerPort: 80, hostPort: 8080 }] } }),
        updates('web', 'container-creating'),
        isStarting('web'),
      ],
    ),
  ],
};
