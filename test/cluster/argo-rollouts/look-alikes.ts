import type { Beside } from '../harness/beside.js';
import type { Cluster } from '../harness/cluster.js';
import { calm, deadlockCauses, gpu, gpuNodes, withoutHolders } from '../recorded-state.js';
import { type RecordedRollout, rolloutName, untilWithoutGpu } from './recorded-rollout.js';
import {
  isPromoted,
  patchRollout,
  rollOutArgo,
  untilPaused,
  untilReadyPods,
  untilRollout,
  updateArgo,
} from './rolling.js';
import { type RolloutOptions, serviceManifest } from './rollout-manifest.js';

const name = rolloutName;
const steps = [{ setWeight: 50 }, { pause: {} }, { setWeight: 100 }];

type Before = (options: { namespace: string }) => Omit<RolloutOptions, 'namespace' | 'name'>;

/** A Rollout with GPUs, updated on nodes with so many. */
const onGpus = (
  count: number,
  options: Before,
  then: (
    ...scene: [...Parameters<RecordedRollout['reproduce']>, holders: readonly string[]]
  ) => Promise<unknown>,
): RecordedRollout['reproduce'] =>
  withoutHolders(async (cluster: Cluster, namespace: string, argo: Beside) => {
    await cluster.createNodes(...gpuNodes(count));
    const holders = await rollOutArgo(cluster, { namespace, name, requests: gpu, ...options({ namespace }) });
    await updateArgo(cluster, namespace, name);
    await then(cluster, namespace, argo, holders);
  });

/** The canary waits for a GPU, and the Rollout may go on by something else than a place. */
const waitsFor = (
  id: string,
  title: string,
  options: Before,
  then: RecordedRollout['reproduce'] = async () => undefined,
): RecordedRollout => ({
  id,
  title,
  expected: calm,
  reproduce: onGpus(1, options, async (cluster, namespace, argo, holders) => {
    await untilWithoutGpu(cluster, namespace, holders);
    await then(cluster, namespace, argo);
  }),
});

/** A job that measures nothing and takes an hour. */
const analysisTemplate = (namespace: string) => ({
  apiVersion: 'argoproj.io/v1alpha1',
  kind: 'AnalysisTemplate',
  metadata: { namespace, name: 'smoke' },
  spec: {
    metrics: [
      {
        name: 'smoke',
        initialDelay: '1h',
        provider: {
          job: {
            spec: {
              template: {
                spec: { restartPolicy: 'Never', containers: [{ name: 'smoke', image: 'smoke:1' }] },
              },
            },
          },
        },
      },
    ],
  },
});

const pausedWithTwo = async (cluster: Cluster, namespace: string): Promise<void> => {
  await untilPaused(cluster, namespace);
  await untilReadyPods(cluster, namespace, name, 2);
};

export const rolloutsLikeDeadlocks: readonly RecordedRollout[] = [
  {
    id: 'healthy',
    title: 'a canary that was promoted',
    expected: calm,
    reproduce: onGpus(
      2,
      () => ({}),
      async (cluster, namespace) => {
        await untilRollout(cluster, namespace, name, 'healthy again', isPromoted);
        await untilReadyPods(cluster, namespace, name, 1);
      },
    ),
  },
  {
    id: 'pause-step',
    title: 'a canary at a step that a person ends, its pods ready',
    expected: { ...calm, informational: ['rollout-paused'] },
    reproduce: onGpus(
      2,
      () => ({ replicas: 2, strategy: { canary: { maxSurge: 0, maxUnavailable: 1, steps } } }),
      pausedWithTwo,
    ),
  },
  {
    id: 'pause-before-the-promotion',
    title: 'a blue-green update that waits for a person, its preview pods ready',
    expected: { ...calm, informational: ['rollout-paused'] },
    reproduce: async (cluster, namespace, argo) => {
      await cluster.objects.create(serviceManifest(namespace, 'active', name));
      const strategy = { blueGreen: { activeService: 'active', autoPromotionEnabled: false } };
      await onGpus(2, () => ({ strategy }), pausedWithTwo)(cluster, namespace, argo);
    },
  },
  {
    ...waitsFor(
      'paused-by-a-person',
      'a person paused the Rollout while its canary waits for a GPU',
      () => ({}),
      async (cluster, namespace) => {
        await patchRollout(cluster, namespace, name, { spec: { paused: true } });
        await untilPaused(cluster, namespace);
      },
    ),
    expected: { cause: 'rollout-paused', minConfidence: 'proven', never: deadlockCauses },
  },
  {
    ...waitsFor(
      'aborted',
      'the update was aborted, and the stable pod serves',
      () => ({ strategy: { canary: { steps } } }),
      async (cluster, namespace) => {
        await patchRollout(cluster, namespace, name, { status: { abort: true } }, '/status');
        await untilReadyPods(cluster, namespace, name, 1);
      },
    ),
    expected: { ...calm, informational: ['rollout-aborted'] },
  },
  waitsFor(
    'analysis-beside-the-steps',
    'an analysis runs beside the steps, and may abort the update',
    () => ({ strategy: { canary: { steps, analysis: { templates: [{ templateName: 'smoke' }] } } } }),
    async (cluster, namespace) => {
      await untilRollout(cluster, namespace, name, 'analysed', ({ status }) =>
        JSON.stringify(status ?? {}).includes('currentBackgroundAnalysisRunStatus'),
      );
    },
  ),
  waitsFor('abort-at-the-deadline', 'the controller aborts the update by itself at the deadline', () => ({
    spec: { progressDeadlineAbort: true, progressDeadlineSeconds: 600 },
  })),
  waitsFor(
    'not-observed',
    'the controller has not seen the latest change',
    () => ({}),
    async (cluster, namespace, argo) => {
      await argo.stop();
      await updateArgo(cluster, namespace, name, 'registry.example/app:3');
    },
  ),
  {
    id: 'former-revision-goes-soon',
    title:
      'the former active pods of a blue-green Rollout go within minutes, and a third revision waits for one',
    expected: calm,
    reproduce: async (cluster, namespace, argo) => {
      await cluster.objects.create(serviceManifest(namespace, 'active', name));
      const strategy = { blueGreen: { activeService: 'active', scaleDownDelaySeconds: 300 } };
      await onGpus(
        2,
        () => ({ strategy }),
        async () => {
          await untilRollout(cluster, namespace, name, 'promoted', isPromoted);
          const holders = await untilReadyPods(cluster, namespace, name, 2);
          await updateArgo(cluster, namespace, name, 'registry.example/app:3');
          await untilWithoutGpu(cluster, namespace, holders);
        },
      )(cluster, namespace, argo);
    },
  },
];

export const analysisTemplates = (namespace: string): readonly object[] => [analysisTemplate(namespace)];
