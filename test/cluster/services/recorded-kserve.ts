import type { CoreV1Event, KubernetesObject } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { openKnative } from '../knative/service.js';
import { startKnative } from '../knative/start-controllers.js';
import { startKserve } from '../kserve/start-managers.js';
import { startLeaderWorkerSets } from '../lws/start-controller.js';
import type { Expected } from '../recorded-state.js';
import {
  componentOf,
  groupsOf,
  openService,
  type Part,
  type PodOptions,
  type ServiceKind,
  serviceName,
  workersOf,
} from './kserve-scenes.js';
import {
  calm,
  elsewhere,
  gpu,
  proven as provenWithoutFix,
  type RecordedService,
  type Scene,
  settled,
  takeGpus,
  untilPods,
} from './played-controllers.js';

const provenWithFix: Expected = {
  cause: 'surge-deadlock',
  minConfidence: 'proven',
  detail: { resource: gpu },
  remediation: { first: ['patch-strategy'], never: ['undo-rollout', 'restart-rollout', 'exclude-nodes'] },
};
/** A recording has no definitions, so that it does not show whether the field for the strategy exists. */
const provenUnserved: Expected = {
  ...provenWithFix,
  remediation: {
    first: ['scale-down-old'],
    never: ['patch-strategy', 'undo-rollout', 'restart-rollout', 'exclude-nodes'],
  },
};
const oneGpu = { [gpu]: '1' };
const first: PodOptions = { version: 1, requests: oneGpu };
const second: PodOptions = { version: 2, requests: oneGpu };

const gpuNodes = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `gpu-${at + 1}`, allocatable: { [gpu]: '1' } }));

interface Update {
  readonly kind: ServiceKind;
  readonly nodes: number;
  readonly before: object;
  /** Merged into the spec. */
  readonly after: object;
  /** Parts that are ready before the update. */
  readonly parts: readonly Part[];
  /** The state of these parts that is recorded. */
  readonly until: readonly (readonly [Part, Parameters<ReturnType<typeof openService>['until']>[1]])[];
  /** Its pods from before the update hold what is waited for. */
  readonly holding?: Part;
  readonly beforehand?: (scene: Scene) => Promise<void>;
  readonly afterwards?: (scene: Scene) => Promise<void>;
}

/** All parts serve, and the spec changes. */
const updated =
  ({ kind, nodes, before, after, parts, until, holding, beforehand, afterwards }: Update) =>
  async (scene: Scene): Promise<readonly string[]> => {
    await scene.cluster.createNodes(...gpuNodes(nodes));
    await beforehand?.(scene);
    const service = openService(scene, kind);
    await service.create(before);
    for (const part of parts) await service.until(part, { ready: 1 });
    const pods = holding === undefined ? [] : await service.until(holding, { ready: 1 });
    await service.update(after);
    for (const [part, wanted] of until) await service.until(part, wanted);
    await afterwards?.(scene);
    await settled();
    return pods;
  };

const inPlace = {
  deploymentStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
};

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

/** KServe makes objects of this controller, whose kind must be there first. */
async function startBeside(cluster: Cluster, start: typeof startKnative | typeof startLeaderWorkerSets) {
  const controller = await start(cluster);
  const kserve = await startKserve(cluster);
  return {
    logs: (lines: number) => `${controller.logs(lines)}\n${kserve.logs(lines)}`,
    stop: async () => void (await Promise.all([kserve.stop(), controller.stop()])),
  };
}

/** Of the only GPU, which a service of this name uses, and no other predictor. Returns the pods that use it. */
async function canaryWithoutGpu(scene: Scene, holder: string): Promise<readonly string[]> {
  await scene.cluster.createNodes(...gpuNodes(1));
  // KServe refuses a canary beside a predictor without a model.
  const env = [{ name: 'STORAGE_URI', value: 'hf://example/llm' }];
  const annotations = { 'serving.kserve.io/deploymentMode': 'Standard' };
  for (const name of new Set([holder, serviceName])) {
    const { requests } = name === holder ? first : {};
    const predictor = componentOf({ version: 1, env, requests });
    await openService(scene, 'InferenceService', name).create({ predictor }, annotations);
    await untilPods(scene, { app: `isvc.${name}-predictor` }, { ready: 1 });
  }
  const pods = await untilPods(scene, { app: `isvc.${holder}-predictor` }, { ready: 1 });
  const predictor = { name: 'v2', ...componentOf({ ...second, env }) };
  await openService(scene, 'InferenceService').update({ canary: [{ trafficPercent: 10, predictor }] });
  await untilPods(scene, { app: `isvc.${serviceName}-v2-predictor` }, { refused: 1 });
  await settled();
  return pods;
}

export const recordedKserveServices: readonly RecordedService[] = [
  {
    id: 'deadlock-of-the-predictor',
    title: 'the new predictor needs the GPU of the old one',
    workload,
    asked,
    expected: {
      ...provenWithFix,
      mustMention: ['InferenceService shop/llm', 'spec.predictor.deploymentStrategy'],
    },
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
    expected: { ...provenWithFix, mustMention: ['spec.transformer.deploymentStrategy'] },
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
  {
    id: 'groups-in-place',
    start: (cluster) => startBeside(cluster, startLeaderWorkerSets),
    title: 'no strategy is declared: the old group is gone, and the new one is starting in its place',
    workload: { kind: 'LeaderWorkerSet', name: 'llm-kserve-mn' },
    asked: 'llmisvc/llm',
    expected: calm,
    diagnoseAfterSeconds: 5,
    reproduce: updated({
      kind: 'LLMInferenceService',
      nodes: 2,
      before: groupsOf(first, 2),
      after: groupsOf({ ...second, start: 'not-ready' }, 2),
      parts: ['leaders', 'workers'],
      until: [['leaders', { running: 1 }]],
    }),
  },
  {
    id: 'canary-without-a-gpu',
    title: 'a canary that the InferenceService declares needs the GPU of its predictor',
    workload: { kind: 'Deployment', name: 'llm-v2-predictor' },
    expected: { ...elsewhere('capacity-contention'), mustMention: ['InferenceService llm'] },
    reproduce: (scene) => canaryWithoutGpu(scene, serviceName),
  },
  {
    id: 'canary-without-a-gpu-of-another',
    title: 'a canary needs a GPU that another InferenceService uses, whose owners are other people',
    workload: { kind: 'Deployment', name: 'llm-v2-predictor' },
    expected: elsewhere('capacity-contention'),
    reproduce: (scene) => canaryWithoutGpu(scene, 'other'),
  },
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
    start: (cluster) => startBeside(cluster, startKnative),
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
    },
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
