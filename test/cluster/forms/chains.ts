import type { V1Deployment, V1Pod } from '@kubernetes/client-node';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { deadlocks } from '../incidents/incident.js';
import type { Form, FormExpectation, FormGroup, Step } from './form.js';
import {
  becomesReady,
  gpu,
  isCrashLooping,
  isObserved,
  isRefused,
  isStarting,
  oneGpu,
  patches,
  runs,
  updates,
} from './steps.js';

const pool = (name: string, count: number) => ({
  name: `${name}-1`,
  labels: { pool: name },
  allocatable: { [gpu]: String(count) },
});
const onPool = (name: string) => ({ requests: oneGpu, pod: { nodeSelector: { pool: name } } });
const refused = isRefused('web', `Insufficient ${gpu}`);
const stuck: readonly Step[] = [updates('web'), refused];

const waiting: FormExpectation = {
  cause: 'capacity-contention',
  never: deadlocks,
  maxConfidence: 'likely',
  mentions: ['training'],
  neverFix: ['patch-strategy'],
};
/** A pod within its grace period leaves by itself. */
const leaves: FormExpectation = { cause: null, never: ['surge-deadlock', 'capacity-contention'] };
const deadlock: FormExpectation = { cause: 'surge-deadlock', resource: gpu, minConfidence: 'likely' };

/** `training` moves from pool `b` to pool `a`; `batch` runs in pool `b`. */
const movesPool = (app: string, to: string, start?: 'container-creating'): Step =>
  updates(app, start, { nodeSelector: { pool: to } });

const form = (one: Omit<Form, 'nodes'> & Partial<Pick<Form, 'nodes'>>): Form => ({
  nodes: [pool('a', 2), pool('b', 1)],
  ...one,
});

/** Class: neighbours that wait themselves, that leave, or that keep what they have. */
export const chains: FormGroup = {
  group: 'chains',
  forms: [
    form({
      id: 'neighbour-waits-for-a-third-rollout',
      title: 'the neighbour would free the card, but waits for a third rollout, which is moving',
      expected: waiting,
      nodes: [pool('a', 2), pool('b', 2), pool('c', 1)],
      steps: [
        runs('web', onPool('a')),
        runs('training', onPool('a')),
        runs('batch', onPool('b')),
        runs('other', onPool('b')),
        movesPool('batch', 'c', 'container-creating'),
        isStarting('batch'),
        movesPool('training', 'b'),
        isRefused('training', `Insufficient ${gpu}`),
        ...stuck,
      ],
      ends: [becomesReady('batch')],
    }),
    form({
      id: 'neighbour-waits-for-a-third-rollout-that-crashes',
      title: 'the neighbour would free the card, but waits for a third rollout, whose new pod crashes',
      expected: { ...deadlock, maxConfidence: 'likely', mentions: ['training'] },
      nodes: [pool('a', 2), pool('b', 2), pool('c', 1)],
      steps: [
        runs('web', onPool('a')),
        runs('training', onPool('a')),
        runs('batch', onPool('b')),
        runs('other', onPool('b')),
        movesPool('batch', 'c', 'container-creating'),
        isStarting('batch'),
        isCrashLooping('batch'),
        movesPool('training', 'b'),
        isRefused('training', `Insufficient ${gpu}`),
        ...stuck,
      ],
    }),
    form({
      id: 'neighbour-is-being-deleted',
      title: 'the neighbour was deleted in the foreground, and its pod stops within its grace period',
      expected: leaves,
      nodes: [pool('a', 2)],
      steps: [
        runs('web', onPool('a')),
        runs('training', {
          ...onPool('a'),
          annotations: { [kubeletAnnotation.stop]: 'never' },
          pod: { nodeSelector: { pool: 'a' }, terminationGracePeriodSeconds: 300 },
        }),
        async ({ cluster, namespace }) => {
          await cluster.objects.delete(
            { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { namespace, name: 'training' } },
            undefined,
            undefined,
            undefined,
            undefined,
            'Foreground',
          );
        },
        ...stuck,
      ],
      ends: [
        async ({ cluster, namespace }) => {
          const { items } = await cluster.objects.list<V1Pod>('v1', 'Pod', namespace);
          for (const { metadata } of items.filter(({ metadata }) => metadata?.labels?.app === 'training'))
            await cluster.remove({ kind: 'Pod', namespace, name: metadata?.name ?? '' });
        },
      ],
    }),
    form({
      id: 'neighbour-was-scaled-to-zero',
      title: 'the neighbour was scaled to zero, and its pod stops within its grace period',
      expected: leaves,
      nodes: [pool('a', 2)],
      diagnoseAfterSeconds: 70,
      steps: [
        runs('web', onPool('a')),
        runs('training', {
          ...onPool('a'),
          annotations: { [kubeletAnnotation.stop]: 'never' },
          pod: { nodeSelector: { pool: 'a' }, terminationGracePeriodSeconds: 300 },
        }),
        patches('Deployment', 'training', { spec: { replicas: 0 } }),
        ...stuck,
      ],
      ends: [
        async ({ cluster, namespace }) => {
          const { items } = await cluster.objects.list<V1Pod>('v1', 'Pod', namespace);
          for (const { metadata } of items.filter(({ metadata }) => metadata?.labels?.app === 'training'))
            await cluster.remove({ kind: 'Pod', namespace, name: metadata?.name ?? '' });
        },
      ],
    }),
    form({
      id: 'neighbour-past-its-progress-deadline',
      title: 'the surge pod of the neighbour exceeded the progress deadline and still starts',
      expected: { ...waiting },
      nodes: [pool('a', 3)],
      diagnoseAfterSeconds: 30,
      steps: [
        runs('web', onPool('a')),
        runs('training', { ...onPool('a'), spec: { progressDeadlineSeconds: 2 } }),
        updates('training', 'container-creating'),
        isStarting('training'),
        ...stuck,
        async ({ cluster, namespace }) => {
          await cluster.until<V1Deployment, true>({
            what: 'training to exceed its deadline',
            selection: { kind: 'Deployment', namespace },
            check: (all) =>
              all.some(
                ({ metadata, status }) =>
                  metadata?.name === 'training' &&
                  status?.conditions?.some(({ reason }) => reason === 'ProgressDeadlineExceeded'),
              ),
          });
        },
      ],
      ends: [becomesReady('training')],
    }),
    form({
      id: 'neighbour-grows-and-does-not-roll-out',
      title: 'the neighbour was scaled up; its second pod starts and will stay',
      expected: deadlock,
      nodes: [pool('a', 3)],
      steps: [
        runs('web', onPool('a')),
        runs('training', onPool('a')),
        patches('Deployment', 'training', { spec: { replicas: 2 } }),
        isObserved('training'),
        isStarting('training'),
        ...stuck,
      ],
    }),
    form({
      id: 'neighbour-rolls-out-and-grows',
      title:
        'the neighbour rolls out and was scaled to three: its last pod and web compete for the next card',
      expected: { ...waiting, neverFix: [] },
      nodes: [pool('a', 4)],
      steps: [
        runs('web', onPool('a')),
        runs('training', onPool('a')),
        updates('training', 'container-creating'),
        isStarting('training'),
        patches('Deployment', 'training', {
          spec: { replicas: 3, strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
        }),
        isObserved('training'),
        isStarting('training', 2),
        ...stuck,
      ],
      heals: ({ metadata }) => metadata?.labels?.app === 'training',
      ends: [becomesReady('training', 2)],
    }),
  ],
};
