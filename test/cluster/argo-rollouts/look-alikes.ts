import { calm, deadlockCauses, gpu, gpuNodes } from '../recorded-state.js';
import { type RecordedRollout, rolloutName, untilWithoutGpu } from './recorded-rollout.js';
import { patchRollout, rollOutArgo, untilReadyPods, untilRollout, updateArgo } from './rolling.js';
import { serviceManifest } from './rollout-manifest.js';

const name = rolloutName;
const steps = [{ setWeight: 50 }, { pause: {} }, { setWeight: 100 }];

/** The canary waits for a GPU, and the Rollout may go on by something else than a place. */
const waitsFor = (
  id: string,
  title: string,
  before: (options: { namespace: string }) => { readonly strategy?: object; readonly spec?: object },
  then: RecordedRollout['reproduce'],
): RecordedRollout => ({
  id,
  title,
  expected: calm,
  reproduce: async (cluster, namespace, argo) => {
    await cluster.createNodes(...gpuNodes(1));
    const holders = await rollOutArgo(cluster, { namespace, name, requests: gpu, ...before({ namespace }) });
    await updateArgo(cluster, namespace, name);
    await untilWithoutGpu(cluster, namespace, holders);
    await then(cluster, namespace, argo);
    return [];
  },
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

export const rolloutsLikeDeadlocks: readonly RecordedRollout[] = [
  {
    id: 'healthy',
    title: 'a canary that was promoted',
    expected: calm,
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes(...gpuNodes(2));
      await rollOutArgo(cluster, { namespace, name, requests: gpu });
      await updateArgo(cluster, namespace, name);
      await untilRollout(
        cluster,
        namespace,
        name,
        'healthy again',
        ({ status }) => status?.phase === 'Healthy' && status.stableRS === status.currentPodHash,
      );
      await untilReadyPods(cluster, namespace, name, 1);
      return [];
    },
  },
  {
    id: 'pause-step',
    title: 'a canary at a step that a person ends, its pods ready',
    expected: { ...calm, informational: ['rollout-paused'] },
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes(...gpuNodes(2));
      await rollOutArgo(cluster, {
        namespace,
        name,
        requests: gpu,
        replicas: 2,
        strategy: { canary: { maxSurge: 0, maxUnavailable: 1, steps } },
      });
      await updateArgo(cluster, namespace, name);
      await untilRollout(cluster, namespace, name, 'paused', ({ status }) => status?.phase === 'Paused');
      await untilReadyPods(cluster, namespace, name, 2);
      return [];
    },
  },
  {
    id: 'pause-before-the-promotion',
    title: 'a blue-green update that waits for a person, its preview pods ready',
    expected: { ...calm, informational: ['rollout-paused'] },
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes(...gpuNodes(2));
      await cluster.objects.create(serviceManifest(namespace, 'active', name));
      await rollOutArgo(cluster, {
        namespace,
        name,
        requests: gpu,
        strategy: { blueGreen: { activeService: 'active', autoPromotionEnabled: false } },
      });
      await updateArgo(cluster, namespace, name);
      await untilRollout(cluster, namespace, name, 'paused', ({ status }) => status?.phase === 'Paused');
      await untilReadyPods(cluster, namespace, name, 2);
      return [];
    },
  },
  {
    ...waitsFor(
      'paused-by-a-person',
      'a person paused the Rollout while its canary waits for a GPU',
      () => ({}),
      async (cluster, namespace) => {
        await patchRollout(cluster, namespace, name, { spec: { paused: true } });
        await untilRollout(cluster, namespace, name, 'paused', ({ status }) => status?.phase === 'Paused');
        return [];
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
        return [];
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
      return [];
    },
  ),
  waitsFor(
    'abort-at-the-deadline',
    'the controller aborts the update by itself at the deadline',
    () => ({ spec: { progressDeadlineAbort: true, progressDeadlineSeconds: 600 } }),
    async () => [],
  ),
  waitsFor(
    'not-observed',
    'the controller has not seen the latest change',
    () => ({}),
    async (cluster, namespace, argo) => {
      await argo.stop();
      await updateArgo(cluster, namespace, name, 'registry.example/app:3');
      return [];
    },
  ),
  {
    id: 'former-revision-goes-soon',
    title:
      'the former active pods of a blue-green Rollout go within minutes, and a third revision waits for one',
    expected: calm,
    reproduce: async (cluster, namespace) => {
      await cluster.createNodes(...gpuNodes(2));
      await cluster.objects.create(serviceManifest(namespace, 'active', name));
      await rollOutArgo(cluster, {
        namespace,
        name,
        requests: gpu,
        strategy: { blueGreen: { activeService: 'active', scaleDownDelaySeconds: 300 } },
      });
      await updateArgo(cluster, namespace, name);
      await untilRollout(
        cluster,
        namespace,
        name,
        'promoted',
        ({ status }) => status?.phase === 'Healthy' && status.stableRS === status.currentPodHash,
      );
      const holders = await untilReadyPods(cluster, namespace, name, 2);
      await updateArgo(cluster, namespace, name, 'registry.example/app:3');
      await untilWithoutGpu(cluster, namespace, holders);
      return [];
    },
  },
];

export const analysisTemplates = (namespace: string): readonly object[] => [analysisTemplate(namespace)];
