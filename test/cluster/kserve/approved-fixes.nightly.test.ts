import type { V1Deployment, V1ReplicaSet } from '@kubernetes/client-node';
import { beforeEach, describe, expect, it } from 'vitest';
import { canonicalJson } from '#src/doctor/fixes/plan.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { resolveKubernetesVersion } from '../harness/binaries.js';
import type { Cluster } from '../harness/cluster.js';
import type { Program } from '../harness/program.js';
import { withProgram } from '../harness/with-program.js';
import {
  componentOf,
  groupsOf,
  openService,
  type Part,
  podsOf,
  type ServiceKind,
  serviceName,
  workersOf,
} from '../services/kserve-scenes.js';
import { gpu, patchObject } from '../services/played-controllers.js';
import { startKserve } from './start-managers.js';
import { untilSpec } from './until-spec.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);
const options = { version, cancelSeconds: 0, rights: ['kserve/services.yaml'] };
const oneGpu = { [gpu]: '1' };
const first = { version: 1, requests: oneGpu };
const second = { version: 2, requests: oneGpu };
const gpuNodes = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `gpu-${at + 1}`, allocatable: { [gpu]: '1' } }));

interface Fix {
  readonly title: string;
  readonly kind: ServiceKind;
  readonly nodes: number;
  readonly before: object;
  readonly after: object;
  readonly part: Part;
  readonly workload: string;
  /** Of the owner after the fix and after the undo. */
  readonly fixed: object;
  readonly undone: object;
}

const inPlace = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
const fixes: readonly Fix[] = [
  {
    title: 'the predictor of an InferenceService',
    kind: 'InferenceService',
    nodes: 1,
    before: { predictor: componentOf(first) },
    after: { predictor: componentOf(second) },
    part: 'predictor',
    workload: 'llm-predictor',
    fixed: { predictor: { deploymentStrategy: inPlace } },
    undone: { predictor: {} },
  },
  {
    title: 'a transformer that declares its strategy, beside a predictor',
    kind: 'InferenceService',
    nodes: 2,
    before: {
      predictor: componentOf(first),
      transformer: componentOf(first, {
        deploymentStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      }),
    },
    after: { transformer: componentOf(second) },
    part: 'transformer',
    workload: 'llm-transformer',
    fixed: { transformer: { deploymentStrategy: inPlace } },
    undone: {
      transformer: {
        deploymentStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      },
    },
  },
];

describe(`approved fixes of workloads of KServe 0.20 on Kubernetes ${version}, beside its managers`, () => {
  let cluster: Cluster;
  let program: Program;
  let shop: string;
  let service: ReturnType<typeof openService> | undefined;
  withProgram({ ...options, prepare: startKserve }, (started) => {
    ({ cluster, program } = started);
  });
  beforeEach(async () => {
    shop = await cluster.createNamespace('shop');
  });

  const refOf = (name: string): WorkloadRef => ({
    cluster: 'test',
    kind: 'Deployment',
    namespace: shop,
    name,
  });

  /** The first version serves, and the second one waits for its GPU. */
  async function deadlock({ kind, nodes, before, after, part }: Fix): Promise<void> {
    await cluster.createNodes(...gpuNodes(nodes));
    service = openService({ cluster, shop }, kind);
    await service.create(before);
    await service.until(part, { ready: 1 });
    if (part !== 'predictor' && kind === 'InferenceService') await service.until('predictor', { ready: 1 });
    await service.update(after);
    await service.until(part, { ready: 1, refused: 1 });
  }

  const untilStrategy = (name: string, strategy: object) =>
    cluster.until<V1Deployment, true>({
      what: `${name} with ${JSON.stringify(strategy)}`,
      selection: { kind: 'Deployment', namespace: shop },
      check: (all) => {
        const found = all.find(({ metadata }) => metadata?.name === name)?.spec?.strategy;
        // A watch and a list give the fields in different orders.
        return canonicalJson(found) === canonicalJson(strategy) ? true : undefined;
      },
    });

  async function revisionsOf(part: Part): Promise<number> {
    const { items } = await cluster.objects.list('apps/v1', 'ReplicaSet', shop);
    const wanted = Object.entries(podsOf[part]);
    return (items as V1ReplicaSet[]).filter(({ metadata }) =>
      wanted.every(([key, value]) => metadata?.labels?.[key] === value),
    ).length;
  }

  it.each(fixes)(
    'patch-strategy ends the deadlock of $title in its owner, and undo restores the former value',
    { timeout: 240_000 },
    async (fix) => {
      const { kind, part, workload } = fix;
      await deadlock(fix);
      const { incident: opened, diagnosis } = await program.diagnose(refOf(workload));
      expect(diagnosis.ownedBy).toEqual({ kind, name: serviceName });
      expect(diagnosis.findings[0]).toMatchObject({ cause: 'surge-deadlock', confidence: 'proven' });

      const review = await program.review(opened, 'patch-strategy-in-place');
      expect(review.approval.plan.target).toMatchObject({ kind, name: serviceName });
      const settled = await program.approve(review);

      expect(settled).toMatchObject({ phase: 'settled', change: { verdict: 'recovered' } });
      await untilSpec({ cluster, shop }, kind, fix.fixed);
      await untilStrategy(workload, inPlaceOf(0, 1));
      await service?.until(part, { ready: 1 });
      // The mark of an approval would be copied into the pods, and start one more rollout.
      expect(await revisionsOf(part)).toBe(2);

      const undone = await program.approve(await program.review(settled, 'undo'));

      expect(undone.change).toMatchObject({ undoes: true, verdict: 'undone' });
      await untilSpec({ cluster, shop }, kind, fix.undone);
      await untilStrategy(workload, formerOf(fix));
      expect(await revisionsOf(part)).toBe(2);
    },
  );

  it('restarts by an annotation of the component, and excludes a node by its affinity', {
    timeout: 240_000,
  }, async () => {
    await cluster.createNodes(...gpuNodes(3));
    service = openService({ cluster, shop }, 'InferenceService');
    await service.create({ predictor: componentOf(first) });
    await service.until('predictor', { ready: 1 });

    const named = { owner: 'InferenceService', namespace: shop, name: serviceName } as const;
    const { incident } = await program.diagnose(named, { kind: 'restart-rollout' });
    const typed = `${shop}/llm-predictor`;
    const restarted = await program.approve(
      await program.review(incident, 'requested-restart-rollout'),
      typed,
    );
    expect(restarted).toMatchObject({ phase: 'settled', change: { verdict: 'recovered' } });
    await untilSpec({ cluster, shop }, 'InferenceService', {
      predictor: { annotations: { 'kubectl.kubernetes.io/restartedAt': expect.any(String) } },
    });

    const asked = await program.diagnose(named, { kind: 'exclude-nodes', nodes: ['gpu-1'] });
    const excluded = await program.approve(
      await program.review(asked.incident, 'requested-exclude-nodes-gpu-1'),
      typed,
    );
    expect(excluded).toMatchObject({ phase: 'settled', change: { verdict: 'recovered' } });
    await untilSpec({ cluster, shop }, 'InferenceService', {
      predictor: { affinity: { nodeAffinity: expect.anything() } },
    });

    await program.approve(await program.review(excluded, 'undo'), typed);
    const undone = await untilSpec({ cluster, shop }, 'InferenceService', { predictor: {} });
    expect(undone).not.toHaveProperty('spec.predictor.affinity');
  });

  it('refuses a roll back and a resumption, for which there is no field', { timeout: 120_000 }, async () => {
    await deadlock({ ...(fixes[0] as Fix) });

    const named = { owner: 'InferenceService', namespace: shop, name: serviceName } as const;
    const { diagnosis } = await program.diagnose(named, { kind: 'undo-rollout' });

    expect(diagnosis.requested).toMatchObject({ type: 'impossible' });
    expect(JSON.stringify(diagnosis.requested)).toContain('owner-keeps-no-revision');
  });

  it('changes nothing where the InferenceService is deleted between the review and the approval', {
    timeout: 120_000,
  }, async () => {
    await deadlock({ ...(fixes[0] as Fix) });
    const { incident } = await program.diagnose(refOf('llm-predictor'));
    const review = await program.review(incident, 'patch-strategy-in-place');
    await cluster.objects.delete(
      {
        apiVersion: 'serving.kserve.io/v1beta1',
        kind: 'InferenceService',
        metadata: { namespace: shop, name: serviceName },
      },
      ...[undefined, undefined, undefined, undefined, 'Orphan'],
    );

    await expect(program.approve(review)).rejects.toThrow('not approved');
    await untilStrategy('llm-predictor', inPlaceOf('25%', '25%'));
  });

  it('asks which part of an InferenceService is to restart, although one of them is not complete', {
    timeout: 120_000,
  }, async () => {
    await deadlock({ ...(fixes[1] as Fix) });

    const named = { owner: 'InferenceService', namespace: shop, name: serviceName } as const;
    await expect(program.diagnose(named, { kind: 'restart-rollout' })).rejects.toThrow(
      /choices.*llm-predictor.*llm-transformer/u,
    );
  });

  it('offer an LLMInferenceService no field that its definition lacks: the old ReplicaSet is scaled down', {
    timeout: 180_000,
  }, async () => {
    await cluster.createNodes(...gpuNodes(1));
    service = openService({ cluster, shop }, 'LLMInferenceService');
    await service.create(workersOf(first));
    await service.until('decode', { ready: 1 });
    await service.update(workersOf(second));
    await service.until('decode', { ready: 1, refused: 1 });
    const { incident, diagnosis } = await program.diagnose(refOf('llm-kserve'));

    const [deadlocked] = diagnosis.findings;
    expect(deadlocked).toMatchObject({ cause: 'surge-deadlock', confidence: 'proven' });
    expect(deadlocked?.remediations.map((each) => each.kind)).not.toContain('patch-strategy');
    const settled = await program.approve(await program.review(incident, 'scale-down-old'));

    expect(settled).toMatchObject({ phase: 'settled', change: { verdict: 'recovered' } });
    expect(await service.until('decode', { ready: 1 })).toHaveLength(1);
  });

  const refused = { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 }, type: 'RollingUpdate' };
  it.each<[string, ServiceKind, object, object, RegExp]>([
    [
      'that is stopped',
      'InferenceService',
      { predictor: componentOf(first) },
      { 'serving.kserve.io/stop': 'true' },
      /"type":"Stopped"/u,
    ],
    [
      'whose strategy the API server refuses',
      'InferenceService',
      { predictor: componentOf(first, { deploymentStrategy: refused }) },
      {},
      /"type":"PredictorReady","reason":"ReconcileFailed".*is invalid/u,
    ],
    [
      'whose preset is not there',
      'LLMInferenceService',
      { ...workersOf(first), baseRefs: [{ name: 'missing' }] },
      {},
      /"type":"PresetsCombined","reason":"ConfigNotFound"/u,
    ],
    [
      'that needs LeaderWorkerSets, which are not installed',
      'LLMInferenceService',
      groupsOf(first, 2),
      {},
      /"reason":"ReconcileMultiNodeWorkloadError".*LeaderWorkerSet/u,
    ],
  ])(
    'answer for a service without a workload %s with its conditions',
    {
      timeout: 120_000,
    },
    async (_, kind, spec, annotations, states) => {
      await openService({ cluster, shop }, kind).create(spec, annotations);
      const named = { owner: kind, namespace: shop, name: serviceName } as const;

      await expect
        .poll(() => program.diagnose(named).then(() => 'diagnosed', String), { timeout: 90_000 })
        .toMatch(states);
    },
  );

  it.each<[string, ServiceKind, Part, object, string]>([
    [
      'an InferenceService',
      'InferenceService',
      'predictor',
      { predictor: componentOf(first) },
      'llm-predictor',
    ],
    ['an LLMInferenceService', 'LLMInferenceService', 'decode', workersOf(first), 'llm-kserve'],
  ])(
    'are not offered in the Deployment of %s, whose strategy is put back',
    {
      timeout: 120_000,
    },
    async (_, kind, part, spec, name) => {
      await cluster.createNodes(...gpuNodes(1));
      service = openService({ cluster, shop }, kind);
      await service.create(spec);
      await service.until(part, { ready: 1 });

      const strategy = { type: 'Recreate', rollingUpdate: null };
      const changed = await patchObject({ cluster, shop }, 'Deployment', name, { spec: { strategy } });

      expect(changed).toMatchObject({ spec: { strategy: { type: 'Recreate' } } });
      await untilStrategy(name, inPlaceOf('25%', '25%'));
    },
  );
});

function inPlaceOf(maxSurge: number | string, maxUnavailable: number | string): object {
  return { rollingUpdate: { maxSurge, maxUnavailable }, type: 'RollingUpdate' };
}

/** What the Deployment had before the fix. */
function formerOf({ workload }: Fix): object {
  return workload === 'llm-transformer' ? inPlaceOf(1, 0) : inPlaceOf('25%', '25%');
}
