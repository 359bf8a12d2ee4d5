import type { CoreV1Event, KubernetesObject } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { openKnative } from '../knative/service.js';
import { startKnative } from '../knative/start-controllers.js';
import { startKserve } from '../kserve/start-managers.js';
import { componentOf, openService, workersOf } from './kserve-scenes.js';
import { first, gpuNodes, proven, provenUnserved, second, updated } from './kserve-update.js';
import {
  calm,
  elsewhere,
  gpu,
  proven as provenWithoutFix,
  type RecordedService,
  type Scene,
  settled,
  takeGpus,
} from './played-controllers.js';
import { playNewerKserve } from './played-kserve.js';
import { recordedKserveGroups } from './recorded-kserve-groups.js';

const inPlace = {
  deploymentStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
};
const recreate = { deploymentStrategy: { type: 'Recreate' } };

const predictorUpdate = (nodes: number, after: object, before: object = componentOf(first)) => ({
  kind: 'InferenceService' as const,
  nodes,
  before: { predictor: before },
  after: { predictor: after },
  parts: ['predictor'] as const,
});
const workload = { kind: 'Deployment', name: 'llm-predictor' } as const;
const asked = 'isvc/llm';

/** Refuses a second pod: the API server says so in an event of the ReplicaSet. */
async function untilOverQuota({ cluster, shop }: Scene): Promise<void> {
  await cluster.until<CoreV1Event, true>({
    what: 'a pod that the quota refuses',
    selection: { kind: 'Event', namespace: shop },
    check: (events) =>
      events.some(({ message = '' }) => message.includes('exceeded quota')) ? true : undefined,
    deadlineMilliseconds: 60_000,
  });
}

/** KServe makes Knative Services, whose kind must be there first. */
async function startBoth(cluster: Cluster) {
  const knative = await startKnative(cluster);
  const kserve = await startKserve(cluster);
  return {
    logs: (lines: number) => `${knative.logs(lines)}\n${kserve.logs(lines)}`,
    stop: async () => void (await Promise.all([kserve.stop(), knative.stop()])),
  };
}

export const recordedKserveServices: readonly RecordedService[] = [
  {
    id: 'deadlock-of-the-predictor',
    title: 'the new predictor needs the GPU of the old one',
    workload,
    asked,
    expected: { ...proven, mustMention: ['InferenceService shop/llm', 'spec.predictor.deploymentStrategy'] },
    reproduce: updated({
      ...predictorUpdate(1, componentOf(second)),
      until: [['predictor', { ready: 1, refused: 1 }]],
      holding: 'predictor',
    }),
  },
  {
    id: 'deadlock-of-the-transformer',
    title: 'the predictor is complete, and the new transformer needs the GPU of the old one',
    workload: { kind: 'Deployment', name: 'llm-transformer' },
    asked,
    expected: { ...proven, mustMention: ['spec.transformer.deploymentStrategy'] },
    reproduce: updated({
      kind: 'InferenceService',
      nodes: 2,
      before: { predictor: componentOf(first), transformer: componentOf(first) },
      after: { transformer: componentOf(second) },
      parts: ['predictor', 'transformer'],
      until: [['transformer', { ready: 1, refused: 1 }]],
      holding: 'transformer',
    }),
  },
  {
    id: 'deadlock-of-the-workers',
    start: playNewerKserve,
    title:
      'a predictor on two nodes: the new worker needs the GPU of the old one, and only Recreate is honoured',
    workload: { kind: 'Deployment', name: 'llm-predictor-worker' },
    expected: { ...proven, mustMention: ['type: Recreate'] },
    reproduce: updated({
      ...predictorUpdate(
        2,
        { workerSpec: componentOf(second) },
        componentOf(first, { workerSpec: componentOf(first) }),
      ),
      parts: ['predictor', 'worker'],
      until: [
        ['predictor', { ready: 1, refused: 1 }],
        ['worker', { ready: 1, refused: 1 }],
      ],
      holding: 'worker',
    }),
  },
  {
    id: 'deadlock-of-decode',
    title: 'an LLMInferenceService without a strategy: the new worker needs the GPU of the old one',
    workload: { kind: 'Deployment', name: 'llm-kserve' },
    asked: 'llmisvc/llm',
    expected: { ...provenUnserved, mustMention: ['LLMInferenceService shop/llm', 'spec.rolloutStrategy'] },
    reproduce: updated({
      kind: 'LLMInferenceService',
      nodes: 1,
      before: workersOf(first),
      after: workersOf(second),
      parts: ['decode'],
      until: [['decode', { ready: 1, refused: 1 }]],
      holding: 'decode',
    }),
  },
  {
    id: 'deadlock-of-prefill',
    title: 'decode is complete, and the new prefill worker needs the GPU of the old one',
    workload: { kind: 'Deployment', name: 'llm-kserve-prefill' },
    asked: 'llmisvc/llm',
    expected: { ...provenUnserved, mustMention: ['spec.prefill.rolloutStrategy'] },
    reproduce: updated({
      kind: 'LLMInferenceService',
      nodes: 2,
      before: { ...workersOf(first), prefill: workersOf(first) },
      after: { prefill: workersOf(second) },
      parts: ['decode', 'prefill'],
      until: [['prefill', { ready: 1, refused: 1 }]],
      holding: 'prefill',
    }),
  },
  ...recordedKserveGroups,
  {
    id: 'deadlock-by-quota',
    title: 'the quota of the namespace allows one GPU, which the old predictor uses',
    workload,
    asked,
    expected: {
      cause: 'quota-deadlock',
      minConfidence: 'proven',
      remediation: { first: ['patch-strategy'], never: ['undo-rollout'] },
    },
    reproduce: updated({
      ...predictorUpdate(2, componentOf(second)),
      beforehand: async ({ cluster, shop }) => {
        await cluster.create({
          apiVersion: 'v1',
          kind: 'ResourceQuota',
          metadata: { namespace: shop, name: 'gpus' },
          spec: { hard: { [`requests.${gpu}`]: '1' } },
        } as KubernetesObject);
      },
      until: [['predictor', { ready: 1 }]],
      afterwards: untilOverQuota,
      holding: 'predictor',
    }),
  },
  {
    id: 'deadlock-in-serverless-mode',
    title: 'in serverless mode, two Knative revisions need the same GPU, and there is no strategy to set',
    workload: { kind: 'KnativeService', name: 'llm-predictor' },
    asked,
    start: startBoth,
    expected: { ...provenWithoutFix, mustMention: ['serverless mode', 'deploymentStrategy'] },
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(1));
      const service = openService(scene, 'InferenceService');
      const annotations = { 'serving.kserve.io/deploymentMode': 'Serverless' };
      await service.create({ predictor: componentOf(first, { minReplicas: 1 }) }, annotations);
      const knative = openKnative(scene, [], 'llm-predictor');
      const pods = await knative.serving();
      await service.update({ predictor: componentOf(second) });
      await knative.refused(2);
      await settled();
      return pods;
    },
  },
  {
    id: 'strategy-in-place',
    title: 'the predictor declares a surge of 0: the old pod is gone, and the new one is starting',
    workload,
    asked,
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: updated({
      ...predictorUpdate(1, componentOf({ ...second, start: 'not-ready' }), componentOf(first, inPlace)),
      until: [['predictor', { running: 1 }]],
    }),
  },
  {
    id: 'slow-image',
    title: 'the new predictor has a free GPU, and its image is still being pulled',
    workload,
    asked,
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: updated({
      ...predictorUpdate(2, componentOf({ ...second, start: 'container-creating' })),
      until: [['predictor', { ready: 1 }]],
    }),
  },
  {
    id: 'slow-start',
    title: 'the new predictor has a free GPU and loads its model',
    workload,
    asked,
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: updated({
      ...predictorUpdate(2, componentOf({ ...second, start: 'not-ready' })),
      until: [['predictor', { running: 2 }]],
    }),
  },
  {
    id: 'node-full-of-others',
    title: 'the first predictor waits for a GPU that another team uses',
    workload,
    asked,
    expected: elsewhere('capacity-contention'),
    reproduce: async (scene) => {
      await scene.cluster.createNodes(...gpuNodes(1));
      await takeGpus(scene, 1);
      const service = openService(scene, 'InferenceService');
      await service.create({ predictor: componentOf(first) });
      await service.until('predictor', { refused: 1 });
      await settled();
      return [];
    },
  },
  {
    id: 'recreated-workers',
    start: playNewerKserve,
    title: 'a predictor on two nodes declares Recreate: head and worker are gone, and new ones are starting',
    workload: { kind: 'Deployment', name: 'llm-predictor-worker' },
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: updated({
      ...predictorUpdate(
        2,
        componentOf({ ...second, start: 'not-ready' }),
        componentOf(first, { ...recreate, workerSpec: componentOf(first) }),
      ),
      parts: ['predictor', 'worker'],
      until: [
        ['predictor', { running: 1 }],
        ['worker', { running: 1 }],
      ],
    }),
  },
  {
    id: 'decode-in-place',
    start: playNewerKserve,
    title: 'an LLMInferenceService declares a surge of 0: the new worker is starting in place of the old one',
    workload: { kind: 'Deployment', name: 'llm-kserve' },
    asked: 'llmisvc/llm',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: updated({
      kind: 'LLMInferenceService',
      nodes: 1,
      before: workersOf(first, { rolloutStrategy: { maxSurge: 0, maxUnavailable: 1 } }),
      after: workersOf({ ...second, start: 'not-ready' }),
      parts: ['decode'],
      until: [['decode', { running: 1 }]],
    }),
  },
  {
    id: 'healthy',
    title: 'predictor and transformer are complete',
    workload,
    asked,
    expected: calm,
    reproduce: updated({
      kind: 'InferenceService',
      nodes: 3,
      before: { predictor: componentOf(first), transformer: componentOf({ version: 1 }) },
      after: { predictor: componentOf(second) },
      parts: ['predictor', 'transformer'],
      until: [['predictor', { ready: 1 }]],
    }),
  },
];
