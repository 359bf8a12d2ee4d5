import type { Form, FormGroup } from './form.js';
import { gpu, gpuNode, isRefused, oneGpu, runs, updates } from './steps.js';

const karpenter = { labels: { 'karpenter.sh/nodepool': 'default' } };
const deadlock = { cause: 'surge-deadlock', resource: gpu } as const;

/** A rollout that is deadlocked on the only card, seen so many seconds after it was refused. */
const onOneCard = (
  one: Pick<Form, 'id' | 'title' | 'expected' | 'nodes' | 'diagnoseAfterSeconds'>,
): Form => ({
  ...one,
  steps: [runs('web', { requests: oneGpu }), updates('web'), isRefused('web', `Insufficient ${gpu}`)],
});

const cardsOfNode = 10;
const largeReplicas = 310;

/** Class: how sure an answer may be, and how large a rollout may be. */
export const certainty: FormGroup = {
  group: 'certainty',
  forms: [
    onOneCard({
      id: 'karpenter-has-not-answered-yet',
      title: 'the new pod was refused 20 seconds ago, and Karpenter still collects pods',
      expected: { ...deadlock, maxConfidence: 'likely' },
      nodes: [{ ...gpuNode(1), ...karpenter }],
      diagnoseAfterSeconds: 20,
    }),
    onOneCard({
      id: 'karpenter-was-silent-for-minutes',
      title: 'the new pod was refused three minutes ago, and Karpenter has ordered no node',
      expected: { ...deadlock, minConfidence: 'proven', firstFix: ['patch-strategy'] },
      nodes: [{ ...gpuNode(1), ...karpenter }],
      diagnoseAfterSeconds: 180,
    }),
    onOneCard({
      id: 'no-autoscaler-to-wait-for',
      title: 'the new pod was refused 20 seconds ago, and the cluster has no autoscaler',
      expected: { ...deadlock, minConfidence: 'proven', firstFix: ['patch-strategy'] },
      nodes: [gpuNode(1)],
      diagnoseAfterSeconds: 20,
    }),
    {
      id: 'deadlock-of-a-large-rollout',
      title: '310 replicas hold all 310 cards, and the new pod waits for one of them',
      expected: {
        ...deadlock,
        minConfidence: 'proven',
        firstFix: ['patch-strategy', 'undo-rollout'],
        maxDowntimeSeconds: 0,
      },
      nodes: Array.from({ length: largeReplicas / cardsOfNode }, (_, at) =>
        gpuNode(cardsOfNode, `n-${String(at).padStart(2, '0')}`),
      ),
      diagnoseAfterSeconds: 0,
      steps: [
        runs('web', {
          replicas: largeReplicas,
          requests: oneGpu,
          strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        }),
        updates('web'),
        isRefused('web', `Insufficient ${gpu}`),
      ],
    },
  ],
};
