import type { V1Pod, V1PodSpec } from '@kubernetes/client-node';
import {
  allReady,
  incident,
  isUpdated,
  type NodeIncident,
  podOf,
  polite,
  program,
  run,
  type Scene,
  updateTo,
} from './incident.js';

const next = program(`${polite} echo new; ${run}`);
const isLeaving = (pods: readonly V1Pod[]): boolean =>
  pods.some(({ metadata }) => metadata?.deletionTimestamp !== undefined);
const stubborn = (graceSeconds: number): V1PodSpec =>
  podOf(program(`trap '' TERM; ${run}`), { terminationGracePeriodSeconds: graceSeconds });
/** The old pod leaves before the new one comes. */
const oneAtATime = { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } };

async function addFinalizer({ cluster, namespace }: Scene): Promise<void> {
  const { items } = await cluster.objects.list<V1Pod>('v1', 'Pod', namespace);
  for (const { metadata } of items) {
    await cluster.patch(
      { kind: 'Pod', namespace, name: metadata?.name ?? '' },
      { metadata: { finalizers: ['node.test/kept'] } },
    );
  }
}

/** Pods that receive SIGTERM. */
export const endings: readonly NodeIncident[] = [
  incident(
    'finalizer-keeps-the-old-pod',
    'a finalizer keeps the old pod after its containers ended',
    program(`${polite} ${run}`),
    {
      deployment: { strategy: { type: 'Recreate' } },
      steps: [
        { reached: allReady(), act: addFinalizer },
        { reached: allReady(), act: updateTo(next) },
      ],
      reached: (pods) =>
        pods.some(
          ({ metadata, status }) =>
            metadata?.deletionTimestamp !== undefined &&
            status?.containerStatuses?.[0]?.state?.terminated !== undefined,
        ),
      later: 180,
      cause: 'stuck-terminating',
    },
  ),
  incident(
    'old-pod-within-its-grace',
    'the old pod ignores SIGTERM, and its grace period is not over',
    stubborn(300),
    {
      deployment: { strategy: { type: 'Recreate' } },
      steps: [{ reached: allReady(), act: updateTo(next) }],
      reached: isLeaving,
      later: 20,
      cause: null,
      never: ['stuck-terminating', 'termination-grace-exceeded'],
    },
  ),
  incident(
    'old-pod-killed-after-its-grace',
    'the old pod ignored SIGTERM and was killed, and the new pod runs',
    stubborn(4),
    {
      deployment: oneAtATime,
      steps: [{ reached: allReady(), act: updateTo(next) }],
      reached: isUpdated,
      cause: null,
      never: ['stuck-terminating', 'application-crash'],
    },
  ),
  incident(
    'hook-longer-than-the-grace',
    'the preStop hook of the old pod is longer than its grace period',
    podOf(
      program(`${polite} ${run}`, { lifecycle: { preStop: { exec: { command: ['/bin/sleep', '60'] } } } }),
      { terminationGracePeriodSeconds: 5 },
    ),
    {
      deployment: { strategy: { type: 'Recreate' } },
      steps: [{ reached: allReady(), act: updateTo(next) }],
      reached: isUpdated,
      cause: null,
      never: ['stuck-terminating', 'termination-grace-exceeded'],
    },
  ),
];
