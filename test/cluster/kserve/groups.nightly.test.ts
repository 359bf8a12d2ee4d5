import { beforeEach, describe, expect, it } from 'vitest';
import { resolveKubernetesVersion } from '../harness/binaries.js';
import type { Cluster } from '../harness/cluster.js';
import type { Program } from '../harness/program.js';
import { withProgram } from '../harness/with-program.js';
import { startLeaderWorkerSets } from '../lws/start-controller.js';
import { groupsOf, openService, serviceName } from '../services/kserve-scenes.js';
import { gpu } from '../services/played-controllers.js';
import { startKserve } from './start-managers.js';
import { untilSpec } from './until-spec.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);
const requests = { [gpu]: '1' };
const restartedAt = 'kubectl.kubernetes.io/restartedAt';

describe(`an LLMInferenceService on several nodes of Kubernetes ${version}, with the real managers and the real controller of LeaderWorkerSets`, () => {
  let cluster: Cluster;
  let program: Program;
  let shop: string;
  const rights = ['kserve/services.yaml', 'leader-worker-sets/leader-worker-sets.yaml'];
  const prepare = async (started: Cluster) => {
    const groups = await startLeaderWorkerSets(started);
    const managers = await startKserve(started);
    return { stop: async () => void (await Promise.all([managers.stop(), groups.stop()])) };
  };
  withProgram({ version, cancelSeconds: 0, prepare, rights }, (started) => {
    ({ cluster, program } = started);
  });
  beforeEach(async () => {
    shop = await cluster.createNamespace('shop');
  });

  it('restarts its groups by an annotation that both kinds of pods get', { timeout: 180_000 }, async () => {
    const nodes = ['gpu-1', 'gpu-2'].map((name) => ({ name, allocatable: requests }));
    await cluster.createNodes(...nodes);
    const service = openService({ cluster, shop }, 'LLMInferenceService');
    await service.create(groupsOf({ version: 1, requests }, 2));
    for (const part of ['leaders', 'workers'] as const) await service.until(part, { ready: 1 });
    const named = { owner: 'LLMInferenceService', namespace: shop, name: serviceName } as const;
    const { incident } = await program.diagnose(named, { kind: 'restart-rollout' });

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
