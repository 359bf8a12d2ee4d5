import { setTimeout as delay } from 'node:timers/promises';
import type { WorkloadKind } from '#src/engine/objects/workload.js';
import { deadlockedRollouts } from '../argo-rollouts/deadlocks.js';
import { otherDeadlockedRollouts } from '../argo-rollouts/other-deadlocks.js';
import { rolloutName } from '../argo-rollouts/recorded-rollout.js';
import { startArgoRollouts } from '../argo-rollouts/start-controller.js';
import type { Beside } from '../harness/beside.js';
import { startKnative } from '../knative/start-controllers.js';
import { startKserve } from '../kserve/start-managers.js';
import { deadlockedSets } from '../lws/deadlocks.js';
import { setName } from '../lws/recorded-set.js';
import { startLeaderWorkerSets } from '../lws/start-controller.js';
import { startRayOperator } from '../ray/start-operator.js';
import { componentOf, openService, workersOf } from '../services/kserve-scenes.js';
import { gpu, type RecordedService } from '../services/played-controllers.js';
import { defineDynamo } from '../services/played-dynamo.js';
import { recordedDynamoGraphs } from '../services/recorded-dynamo.js';
import { recordedKnativeServices } from '../services/recorded-knative.js';
import { recordedRayServices } from '../services/recorded-ray.js';
import type { AddOn, Scene, Staged } from './add-on.js';

/** The service `llm`, and a Deployment of its new revision. */
const recorded =
  (services: readonly RecordedService[], id: string, kind: WorkloadKind, below?: string) =>
  async (scene: Scene): Promise<Staged> => {
    await services.find((each) => each.id === id)?.reproduce(scene);
    const at = { cluster: 'test', namespace: scene.shop };
    const service = { workload: { ...at, kind, name: 'llm' } };
    const deployment = { workload: { ...at, kind: 'Deployment', name: below ?? '' } } as const;
    return { asked: below === undefined ? [service] : [service, deployment] };
  };

const nothing = async (): Promise<undefined> => undefined;

let argo: Beside;

const oneGpu = { [gpu]: '1' };

/** Add-ons with a kind of workload. */
export const workloadKinds: readonly AddOn[] = [
  {
    file: 'knative/services.yaml',
    hasController: true,
    prepare: async (cluster) => (await startKnative(cluster)).stop,
    stage: recorded(
      recordedKnativeServices,
      'deadlock-of-two-revisions',
      'KnativeService',
      'llm-00002-deployment',
    ),
  },
  {
    file: 'ray/ray-services.yaml',
    hasController: true,
    prepare: async (cluster) => (await startRayOperator(cluster)).stop,
    stage: recorded(recordedRayServices, 'deadlock-of-two-heads', 'RayService'),
  },
  {
    file: 'dynamo/graph-deployments.yaml',
    prepare: (cluster) => defineDynamo(cluster).then(nothing),
    stage: recorded(
      recordedDynamoGraphs,
      'deadlock-of-one-worker',
      'DynamoGraphDeployment',
      'llm-worker-7b2d4e60',
    ),
  },
  {
    file: 'kserve/services.yaml',
    hasController: true,
    prepare: async (cluster) => (await startKserve(cluster)).stop,
    stage: async ({ cluster, shop }) => {
      const nodes = ['gpu-1', 'gpu-2'].map((name) => ({ name, allocatable: oneGpu }));
      await cluster.createNodes(...nodes);
      const first = { version: 1, requests: oneGpu };
      const second = { version: 2, requests: oneGpu };
      const scene = { cluster, shop };
      const services = [
        openService(scene, 'InferenceService'),
        openService(scene, 'LLMInferenceService'),
      ] as const;
      const [predictor, workers] = services;
      await predictor.create({ predictor: componentOf(first) });
      await workers.create(workersOf(first));
      for (const part of ['predictor', 'decode'] as const) await predictor.until(part, { ready: 1 });
      await predictor.update({ predictor: componentOf(second) });
      await workers.update(workersOf(second));
      for (const part of ['predictor', 'decode'] as const)
        await predictor.until(part, { ready: 1, refused: 1 });
      const workload = { cluster: 'test', kind: 'Deployment', namespace: shop } as const;
      return {
        asked: [
          { workload: { ...workload, name: 'llm-predictor' }, reviews: ['patch-strategy-in-place'] },
          // Its definition has no strategy in 0.20, so that another change is made in it.
          {
            workload: { ...workload, name: 'llm-kserve' },
            requested: { kind: 'restart-rollout' },
            reviews: ['requested-restart-rollout'],
          },
        ],
      };
    },
  },
  {
    file: 'leader-worker-sets/leader-worker-sets.yaml',
    hasController: true,
    prepare: async (cluster) => (await startLeaderWorkerSets(cluster)).stop,
    stage: async ({ cluster, shop }) => {
      await deadlockedSets.find(({ id }) => id === 'one-pod-group')?.reproduce(cluster, shop);
      const workload = { cluster: 'test', kind: 'LeaderWorkerSet', namespace: shop, name: setName } as const;
      const leaders = { ...workload, kind: 'StatefulSet' } as const;
      return { asked: [{ workload, reviews: ['patch-strategy-in-place'] }, { workload: leaders }] };
    },
  },
  {
    file: 'argo-rollouts/rollouts.yaml',
    hasController: true,
    prepare: async (cluster) => {
      argo = await startArgoRollouts(cluster);
      return argo.stop;
    },
    stage: async ({ cluster, shop }) => {
      const all = [...deadlockedRollouts, ...otherDeadlockedRollouts];
      await all.find(({ id }) => id === 'quota-canary')?.reproduce(cluster, shop, argo);
      await delay(1_500);
      const workload = { cluster: 'test', kind: 'Rollout', namespace: shop, name: rolloutName } as const;
      return { asked: [{ workload, reviews: ['patch-strategy-in-place', 'abort-rollout'] }] };
    },
  },
];
