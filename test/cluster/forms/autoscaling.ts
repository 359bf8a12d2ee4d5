import type { KubernetesObject } from '@kubernetes/client-node';
import { untilRolledOut } from '../incidents/rolling.js';
import type { Form, FormExpectation, FormGroup, Step } from './form.js';
import { creates, gpu, gpuNode, isRefused, isStarting, oneGpu, patches, runs, updates } from './steps.js';

/** No metrics are served, so the autoscaler changes nothing by itself. */
const autoscaler = (name: string, minReplicas: number, maxReplicas = 4): Step =>
  creates(
    (namespace) =>
      ({
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { namespace, name },
        spec: {
          minReplicas,
          maxReplicas,
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
            },
          ],
        },
      }) as KubernetesObject,
  );

const budget = (maxUnavailable: number): Step =>
  creates(
    (namespace) =>
      ({
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { namespace, name: 'web' },
        spec: { maxUnavailable, selector: { matchLabels: { app: 'web' } } },
      }) as KubernetesObject,
  );

const isRolledOut: Step = async ({ cluster, place }) => {
  const { namespace, name } = await place('web');
  await untilRolledOut(cluster, namespace, name);
};

const scales = (replicas: number): Step => patches('Deployment', 'web', { spec: { replicas } });
const deadlock: FormExpectation = { cause: 'surge-deadlock', resource: gpu, minConfidence: 'likely' };
const stuck: readonly Step[] = [updates('web'), isRefused('web', `Insufficient ${gpu}`)];
const twoCards: readonly Step[] = [runs('web', { replicas: 2, requests: oneGpu })];
const calm: FormExpectation = { cause: null, never: ['surge-deadlock', 'scale-up-pending'] };

const form = (one: Omit<Form, 'nodes'> & Partial<Pick<Form, 'nodes'>>): Form => ({
  nodes: [gpuNode(2)],
  ...one,
});

/**
 * Class: replicas that an autoscaler may change during a rollout, and budgets, which do not concern rollouts.
 */
export const autoscaling: FormGroup = {
  group: 'autoscaling',
  forms: [
    form({
      id: 'autoscaler-may-remove-an-old-pod',
      title:
        'both cards are used by old pods, and an autoscaler may scale to one replica, which frees a card',
      expected: { ...deadlock, maxConfidence: 'likely', mentions: ['HorizontalPodAutoscaler'] },
      steps: [...twoCards, autoscaler('web', 1), ...stuck],
      ends: [scales(1)],
    }),
    form({
      id: 'autoscaler-at-its-minimum',
      title: 'both cards are used by old pods, and the autoscaler is at its minimum of two replicas',
      expected: { ...deadlock, minConfidence: 'proven' },
      steps: [...twoCards, autoscaler('web', 2), ...stuck],
    }),
    form({
      id: 'autoscaler-of-another-workload',
      title: 'both cards are used by old pods, and the autoscaler is of another workload, without a card',
      expected: { ...deadlock, minConfidence: 'proven' },
      steps: [...twoCards, runs('api', { replicas: 2 }), autoscaler('api', 1), ...stuck],
    }),
    form({
      id: 'budget-that-allows-no-disruption',
      title:
        'a budget allows no disruption, and the Deployment controller replaces the pod in place all the same',
      expected: { ...deadlock, minConfidence: 'proven', firstFix: ['patch-strategy'] },
      nodes: [gpuNode(1)],
      steps: [runs('web', { requests: oneGpu }), budget(0), ...stuck],
    }),
    form({
      id: 'rolled-out-under-a-budget-of-zero',
      title: 'a budget allows no disruption, and the rollout is complete',
      expected: calm,
      steps: [runs('web', { requests: oneGpu }), budget(0), updates('web'), isRolledOut],
      ends: [],
    }),
    form({
      id: 'scaled-down-by-its-autoscaler-and-rolled-out',
      title: 'the replicas were reduced during the rollout, and the new pod has the card',
      expected: calm,
      steps: [...twoCards, autoscaler('web', 1), ...stuck, scales(1), isRolledOut],
      ends: [],
    }),
    form({
      id: 'scaled-up-by-its-autoscaler-while-starting',
      title: 'the replicas were raised during the rollout, and every card is free or used by a starting pod',
      expected: calm,
      nodes: [gpuNode(6)],
      steps: [
        ...twoCards,
        autoscaler('web', 1),
        updates('web', 'container-creating'),
        isStarting('web'),
        scales(3),
        isStarting('web', 2),
      ],
    }),
  ],
};
