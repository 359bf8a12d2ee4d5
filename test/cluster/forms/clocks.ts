import { untilRolledOut } from '../incidents/rolling.js';
import type { Form, FormExpectation, FormGroup, Step } from './form.js';
import {
  gpu,
  gpuNode,
  isObserved,
  isRefused,
  isStarting,
  newPods,
  oneGpu,
  patches,
  runs,
  updates,
} from './steps.js';

const calm: FormExpectation = {
  cause: null,
  never: ['surge-deadlock', 'readiness-failing', 'progress-deadline-exceeded', 'control-plane-not-acting'],
};
const isRolledOut: Step = async ({ cluster, place }) => {
  const { namespace, name } = await place('web');
  await untilRolledOut(cluster, namespace, name);
};

/** The kubelet of the node has a clock that is ahead by this much: the pod became ready in the future. */
const becomesReadyAhead =
  (seconds: number): Step =>
  async (scene) => {
    const at = new Date(Date.now() + seconds * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
    for (const pod of await newPods(scene, 'web', 1)) {
      await scene.cluster.patchPodStatus(pod.metadata?.namespace ?? '', pod.metadata?.name ?? '', {
        phase: 'Running',
        containerStatuses: (pod.status?.containerStatuses ?? []).map((status) => ({
          ...status,
          ready: true,
          started: true,
          state: { running: { startedAt: at } },
        })),
        conditions: ['Ready', 'ContainersReady'].map((type) => ({
          type,
          status: 'True',
          lastTransitionTime: at,
          reason: null,
          message: null,
        })),
      });
    }
  };

const minReadySeconds = [
  patches('Deployment', 'web', { spec: { minReadySeconds: 60, progressDeadlineSeconds: 3_600 } }),
  isObserved('web'),
];
const form = (one: Omit<Form, 'nodes'> & Partial<Pick<Form, 'nodes'>>): Form => ({
  nodes: [gpuNode(2)],
  ...one,
});
const web = runs('web', { requests: oneGpu });
const stuck: readonly Step[] = [updates('web'), isRefused('web', `Insufficient ${gpu}`)];

/** Class: clocks of nodes and of the program that differ from the clock of the control plane. */
export const clocks: FormGroup = {
  group: 'clocks',
  forms: [
    form({
      id: 'pod-ready-by-a-clock-ahead',
      title: 'the clock of a node is ten minutes ahead, and its ready pod is not available yet',
      expected: calm,
      steps: [
        web,
        ...minReadySeconds,
        updates('web', 'container-creating'),
        isStarting('web'),
        becomesReadyAhead(600),
      ],
    }),
    form({
      id: 'pod-ready-by-a-clock-behind',
      title: 'the clock of a node is ten minutes behind, and the rollout is complete',
      expected: calm,
      steps: [
        web,
        ...minReadySeconds,
        updates('web', 'container-creating'),
        isStarting('web'),
        becomesReadyAhead(-600),
        isRolledOut,
      ],
      ends: [],
    }),
    form({
      id: 'complete-and-seen-by-a-clock-behind',
      title: 'the program has a clock five minutes behind, and the rollout is complete',
      expected: calm,
      diagnoseAfterSeconds: -300,
      steps: [web, updates('web'), isRolledOut],
      ends: [],
    }),
    form({
      id: 'starting-and-seen-by-a-clock-behind',
      title: 'the program has a clock five minutes behind, and the new pod is starting',
      expected: calm,
      diagnoseAfterSeconds: -300,
      steps: [web, updates('web', 'container-creating'), isStarting('web')],
    }),
    form({
      id: 'available-soon-and-seen-by-a-clock-behind',
      title: 'the program has a clock five minutes behind, and the ready pod must stay ready for a minute',
      expected: calm,
      diagnoseAfterSeconds: -300,
      steps: [
        web,
        ...minReadySeconds,
        updates('web', 'container-creating'),
        isStarting('web'),
        becomesReadyAhead(0),
      ],
    }),
    form({
      id: 'deadlock-seen-by-a-clock-behind',
      title: 'the program has a clock five minutes behind, and the old pod keeps the only card',
      expected: { cause: 'surge-deadlock', resource: gpu, minConfidence: 'likely' },
      diagnoseAfterSeconds: -300,
      nodes: [gpuNode(1)],
      steps: [web, ...stuck],
    }),
    form({
      id: 'deadlock-seen-by-a-clock-ahead',
      title: 'the program has a clock ten minutes ahead, and the old pod keeps the only card',
      expected: { cause: 'surge-deadlock', resource: gpu, minConfidence: 'proven' },
      diagnoseAfterSeconds: 600,
      nodes: [gpuNode(1)],
      steps: [web, ...stuck],
    }),
  ],
};
