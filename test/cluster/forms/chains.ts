import type { V1Deployment, V1Pod } from '@kubernetes/client-node';
import { kubeletAnnotation } from '../harness/kubelet-stages.js';
import { type Form, type FormExpectation, type FormGroup, type Step, waitsForTraining } from './form.js';
import {
  becomesReady,
  gpu,
  inPool,
  isCrashLooping,
  isObserved,
  isRefused,
  isStarting,
  lacksCard,
  onPool,
  patches,
  pool,
  runs,
  updates,
} from './steps.js';

const waiting: FormExpectation = { ...waitsForTraining, neverFix: ['patch-strategy'] };
/** A pod within its grace period leaves by itself. */
const leaves: FormExpectation = { cause: null, never: ['surge-deadlock', 'capacity-contention'] };
const deadlock: FormExpectation = { cause: 'surge-deadlock', resource: gpu, minConfidence: 'likely' };

/** `training` moves from pool `b` to pool `a`; `batch` runs in pool `b`. */
const movesPool = (app: string, to: string, start?: 'container-creating'): Step =>
  updates(app, start, inPool(to));

/** As its kubelet would report it. */
const trainingStops: Step = async ({ cluster, namespace }) => {
  const { items } = await cluster.objects.list<V1Pod>('v1', 'Pod', namespace);
  for (const { metadata } of items.filter(({ metadata }) => metadata?.labels?.app === 'training'))
    await cluster.remove({ kind: 'Pod', namespace, name: metadata?.name ?? '' });
};
/** The pod of `training` does not stop within its grace period. */
const trainingStaysOn = runs('training', {
  ...onPool('a'),
  annotations: { [kubeletAnnotation.stop]: 'never' },
  pod: { ...inPool('a'), terminationGracePeriodSeconds: 300 },
});

/** `batch` moves to a third pool, so that it frees a card for `training`. */
const batchMoves: readonly Step[] = [
  runs('web', onPool('a')),
  runs('training', onPool('a')),
  runs('batch', onPool('b')),
  runs('other', onPool('b')),
  movesPool('batch', 'c', 'container-creating'),
  isStarting('batch'),
];

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
        ...batchMoves,
        movesPool('training', 'b'),
        isRefused('training', `Insufficient ${gpu}`),
        ...lacksCard,
      ],
      ends: [becomesReady('batch')],
    }),
    form({
      id: 'neighbour-waits-for-a-third-rollout-that-crashes',
      title: 'the neighbour would free the card, but waits for a third rollout, whose new pod crashes',
      expected: { ...deadlock, maxConfidence: 'likely', mentions: ['training'] },
      nodes: [pool('a', 2), pool('b', 2), pool('c', 1)],
      steps: [
        ...batchMoves,
        isCrashLooping('batch'),
        movesPool('training', 'b'),
        isRefused('training', `Insufficient ${gpu}`),
        ...lacksCard,
      ],
    }),
    form({
      id: 'neighbour-is-being-deleted',
      title: 'the neighbour was deleted in the foreground, and its pod stops within its grace period',
      expected: leaves,
      nodes: [pool('a', 2)],
      steps: [
        runs('web', onPool('a')),
        trainingStaysOn,
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
        ...lacksCard,
      ],
      ends: [trainingStops],
    }),
    form({
      id: 'neighbour-was-scaled-to-zero',
      title: 'the neighbour was scaled to zero, and its pod stops within its grace period',
      expected: leaves,
      nodes: [pool('a', 2)],
      diagnoseAfterSeconds: 70,
      steps: [
        runs('web', onPool('a')),
        trainingStaysOn,
        patches('Deployment', 'training', { spec: { replicas: 0 } }),
        ...lacksCard,
      ],
      ends: [trainingStops],
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
        ...lacksCard,
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
        ...lacksCard,
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
        ...lacksCard,
      ],
      heals: ({ metadata }) => metadata?.labels?.app === 'training',
      ends: [becomesReady('training', 2)],
    }),
  ],
};
