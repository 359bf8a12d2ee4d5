import { beforeEach, describe, expect, it } from 'vitest';
import { resolveKubernetesVersion } from '../harness/binaries.js';
import type { Cluster } from '../harness/cluster.js';
import type { Program } from '../harness/program.js';
import { withProgram } from '../harness/with-program.js';
import { startLeaderWorkerSets } from '../lws/start-controller.js';
import {
  componentOf,
  groupsOf,
  openService,
  type PodOptions,
  serviceName,
  workersOf,
} from '../services/kserve-scenes.js';
import { gpu } from '../services/played-controllers.js';
import { playNewerKserve } from '../services/played-kserve.js';
import { untilSpec } from './until-spec.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);
const requests = { [gpu]: '1' };
const first: PodOptions = { version: 1, requests };
const second: PodOptions = { version: 2, requests };
const restartedAt = 'kubectl.kubernetes.io/restartedAt';

describe(`services of KServe that 0.20 cannot run on Kubernetes ${version}, with a played manager and the real controller of LeaderWorkerSets`, () => {
  let cluster: Cluster;
  let program: Program;
  let shop: string;
  let service: ReturnType<typeof openService> | undefined;
  const rights = ['kserve/services.yaml', 'leader-worker-sets/leader-worker-sets.yaml'];
  const prepare = async (started: Cluster) => {
    const groups = await startLeaderWorkerSets(started);
    const manager = await playNewerKserve(started);
    return { stop: async () => void (await Promise.all([manager.stop(), groups.stop()])) };
  };
  withProgram({ version, cancelSeconds: 0, prepare, rights }, (started) => {
    ({ cluster, program } = started);
  });
  beforeEach(async () => {
    shop = await cluster.createNamespace('shop');
    service = openService({ cluster, shop }, 'LLMInferenceService');
  });

  const named = () => ({ owner: 'LLMInferenceService', namespace: shop, name: serviceName }) as const;

  /** A group of two pods, each on a node of its own. */
  async function serving(nodes: number, strategy: object): Promise<void> {
    const names = Array.from({ length: nodes }, (_, at) => `gpu-${at + 1}`);
    await cluster.createNodes(...names.map((name) => ({ name, allocatable: { [gpu]: '1' } })));
    await service?.create(groupsOf(first, 2, strategy));
    await service?.until('leaders', { ready: 1 });
    await service?.until('workers', { ready: 1 });
  }

  it('patch-strategy ends the deadlock of its groups in the LLMInferenceService, and undo restores the bounds', {
    timeout: 240_000,
  }, async () => {
    await serving(2, { rolloutStrategy: { maxSurge: 1, maxUnavailable: 0 } });
    await service?.update(groupsOf(second, 2));
    await service?.until('leaders', { ready: 1, refused: 1 });
    await service?.until('workers', { ready: 1, refused: 1 });

    const { incident: opened, diagnosis } = await program.diagnose(named());
    expect(diagnosis.ownedBy).toEqual({ kind: 'LLMInferenceService', name: serviceName });
    expect(opened.workload).toMatchObject({ kind: 'LeaderWorkerSet', name: 'llm-kserve-mn' });
    expect(diagnosis.findings[0]).toMatchObject({ cause: 'surge-deadlock', confidence: 'proven' });
    const review = await program.review(opened, 'patch-strategy-in-place');
    expect(review.approval.plan.target).toMatchObject({ kind: 'LLMInferenceService', name: serviceName });
    const settled = await program.approve(review);

    expect(settled).toMatchObject({ phase: 'settled', change: { verdict: 'recovered' } });
    await untilSpec({ cluster, shop }, 'LLMInferenceService', {
      rolloutStrategy: { maxSurge: 0, maxUnavailable: 1 },
    });
    await untilSpec({ cluster, shop }, 'LeaderWorkerSet', {
      rolloutStrategy: { rollingUpdateConfiguration: { maxSurge: 0, maxUnavailable: 1 } },
    });
    expect(await service?.until('leaders', { ready: 1 })).toEqual(['llm-kserve-mn-0']);

    const undone = await program.approve(await program.review(settled, 'undo'));

    expect(undone.change).toMatchObject({ undoes: true, verdict: 'undone' });
    await untilSpec({ cluster, shop }, 'LLMInferenceService', {
      rolloutStrategy: { maxSurge: 1, maxUnavailable: 0 },
    });
    await untilSpec({ cluster, shop }, 'LeaderWorkerSet', {
      rolloutStrategy: { rollingUpdateConfiguration: { maxSurge: 1, maxUnavailable: 0 } },
    });
  });

  it('patch-strategy ends the deadlock of its workers on one node in the LLMInferenceService, and undo declares the former bounds', {
    timeout: 240_000,
  }, async () => {
    await cluster.createNodes({ name: 'gpu-1', allocatable: requests });
    await service?.create(workersOf(first));
    await service?.until('decode', { ready: 1 });
    await service?.update(workersOf(second));
    await service?.until('decode', { ready: 1, refused: 1 });

    const { incident: opened, diagnosis } = await program.diagnose(named());
    expect(diagnosis.findings[0]).toMatchObject({ cause: 'surge-deadlock', confidence: 'proven' });
    const review = await program.review(opened, 'patch-strategy-in-place');
    expect(review.approval.plan.target).toMatchObject({ kind: 'LLMInferenceService', name: serviceName });
    const settled = await program.approve(review);

    expect(settled).toMatchObject({ phase: 'settled', change: { verdict: 'recovered' } });
    const inPlace = { maxSurge: 0, maxUnavailable: 1 };
    await untilSpec({ cluster, shop }, 'LLMInferenceService', { rolloutStrategy: inPlace });
    await untilSpec({ cluster, shop }, 'Deployment', { strategy: { rollingUpdate: inPlace } });
    await service?.until('decode', { ready: 1 });
    // The mark of an approval would be copied into the pods, and start one more rollout.
    const { items } = await cluster.objects.list('apps/v1', 'ReplicaSet', shop);
    expect(items).toHaveLength(2);

    await program.approve(await program.review(settled, 'undo'));
    // Its manager would leave the bounds in the Deployment if they were removed.
    const former = { maxSurge: '25%', maxUnavailable: '25%' };
    await untilSpec({ cluster, shop }, 'LLMInferenceService', { rolloutStrategy: former });
    await untilSpec({ cluster, shop }, 'Deployment', { strategy: { rollingUpdate: former } });
  });

  it('switches a predictor on two nodes to Recreate, which replaces head and workers and has no undo', {
    timeout: 240_000,
  }, async () => {
    const nodes = ['gpu-1', 'gpu-2'].map((name) => ({ name, allocatable: requests }));
    await cluster.createNodes(...nodes);
    const predictors = openService({ cluster, shop }, 'InferenceService');
    await predictors.create({ predictor: componentOf(first, { workerSpec: componentOf(first) }) });
    for (const part of ['predictor', 'worker'] as const) await predictors.until(part, { ready: 1 });
    await predictors.update({ predictor: { workerSpec: componentOf(second) } });
    await predictors.until('worker', { ready: 1, refused: 1 });
    const workload = { cluster: 'test', kind: 'Deployment', namespace: shop } as const;
    const { incident } = await program.diagnose({ ...workload, name: 'llm-predictor-worker' });

    const settled = await program.approve(await program.review(incident, 'patch-strategy-recreate'));

    expect(settled).toMatchObject({ phase: 'settled', change: { verdict: 'recovered' } });
    await untilSpec({ cluster, shop }, 'InferenceService', {
      predictor: { deploymentStrategy: { type: 'Recreate' } },
    });
    for (const part of ['worker', 'predictor'] as const) await predictors.until(part, { ready: 1 });
    await expect(program.review(settled, 'undo')).rejects.toThrow('nothing-to-undo');
  });

  it('restarts its groups by an annotation of the LLMInferenceService, which both kinds of pods get', {
    timeout: 180_000,
  }, async () => {
    await serving(2, {});
    const { incident } = await program.diagnose(named(), { kind: 'restart-rollout' });

    const restarted = await program.approve(
      await program.review(incident, 'requested-restart-rollout'),
      `${shop}/llm-kserve-mn`,
    );

    expect(restarted).toMatchObject({ phase: 'settled', change: { verdict: 'recovered' } });
    const metadata = { annotations: { [restartedAt]: expect.any(String) } };
    await untilSpec({ cluster, shop }, 'LLMInferenceService', metadata);
    await untilSpec({ cluster, shop }, 'LeaderWorkerSet', {
      leaderWorkerTemplate: { leaderTemplate: { metadata }, workerTemplate: { metadata } },
    });
  });
});
