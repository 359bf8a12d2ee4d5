import { setTimeout as delay } from 'node:timers/promises';
import type { V1Deployment, V1Pod } from '@kubernetes/client-node';
import { beforeEach, describe, expect, it } from 'vitest';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { resolveKubernetesVersion } from '../harness/binaries.js';
import type { Cluster } from '../harness/cluster.js';
import type { Program } from '../harness/program.js';
import { withProgram } from '../harness/with-program.js';
import { deploymentManifest } from '../incidents/deployment-manifest.js';
import { isRolledOut, update } from '../incidents/rolling.js';
import { gpu, type Queued, queueLabel } from './played-kueue.js';
import { makeQueues } from './queued-rollout.js';
import { startKueue } from './start-controller.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);

/** A queue admits in seconds. */
const diagnoseAfterSeconds = 120;

describe(`Deployments in queues of the real Kueue on Kubernetes ${version}`, () => {
  let cluster: Cluster;
  let program: Program;
  let shop: string;
  const rights = ['kueue/kueue.yaml'];
  withProgram({ version, cancelSeconds: 0, prepare: startKueue, rights }, (started) => {
    ({ cluster, program } = started);
  });
  beforeEach(async () => {
    shop = await cluster.createNamespace('shop');
    program.dateDiagnoses(diagnoseAfterSeconds);
  });

  const podsOf = async (): Promise<readonly V1Pod[]> =>
    (await cluster.objects.list<V1Pod>('v1', 'Pod', shop)).items;
  const isGated = ({ spec }: V1Pod): boolean => (spec?.schedulingGates ?? []).length > 0;

  /** Rolls a Deployment out in a queue, updates it, and waits for the new pods at the gate. */
  async function stuck(options: {
    readonly replicas: number;
    readonly maxSurge: number;
  }): Promise<WorkloadRef> {
    await cluster.createNodes({ name: 'gpu-a', allocatable: { [gpu]: '4' } });
    await makeQueues(cluster, shop, options.replicas);
    const manifest = deploymentManifest({
      namespace: shop,
      name: 'web',
      requests: { [gpu]: '1' },
      replicas: options.replicas,
      strategy: {
        type: 'RollingUpdate',
        rollingUpdate: { maxSurge: options.maxSurge, maxUnavailable: 0 },
      },
    });
    await cluster.create({
      ...manifest,
      metadata: { ...manifest.metadata, labels: { ...manifest.metadata?.labels, [queueLabel]: 'gpus' } },
    });
    await untilDeployment('rolled out', (deployment) => isRolledOut(deployment));
    await update(cluster, shop, 'web');
    await untilDeployment('gated', (_, pods) => pods.filter(isGated).length === options.maxSurge);
    // Until Kueue has evaluated the Workloads.
    await cluster.until<Queued, true>({
      what: 'an answer of Kueue',
      selection: { kind: 'Workload', namespace: shop },
      check: (all) =>
        all.some(({ status }) =>
          status?.conditions?.some(({ type, status: is }) => type === 'QuotaReserved' && is === 'False'),
        ),
      deadlineMilliseconds: 60_000,
    });
    return { cluster: 'test', kind: 'Deployment', namespace: shop, name: 'web' };
  }

  async function untilDeployment(
    what: string,
    check: (deployment: V1Deployment, pods: readonly V1Pod[]) => boolean,
  ): Promise<void> {
    const expiry = Date.now() + 90_000;
    for (;;) {
      const deployment = await cluster.read<V1Deployment>({
        kind: 'Deployment',
        namespace: shop,
        name: 'web',
      });
      const pods = await podsOf();
      if (check(deployment, pods)) return;
      if (Date.now() > expiry)
        throw new Error(`${what}: ${JSON.stringify(pods.map(({ status }) => status))}`);
      await delay(250);
    }
  }

  it('proves the deadlock of one pod, whose quota is free as soon as the old pod is marked for deletion', {
    timeout: 300_000,
  }, async () => {
    const workload = await stuck({ replicas: 1, maxSurge: 1 });
    const { incident, diagnosis } = await program.diagnose(workload);
    const [finding] = diagnosis.findings;

    expect(finding).toMatchObject({ cause: 'queue-deadlock', confidence: 'proven' });
    expect(finding?.remediations[0]).toMatchObject({
      kind: 'patch-strategy',
      price: { downtime: { kind: 'gap', seconds: 1 } },
    });
    const settled = await program.approve(await program.review(incident, 'patch-strategy-in-place'));
    expect(settled).toMatchObject({ phase: 'settled', change: { verdict: 'recovered' } });
  });

  it('proves the deadlock of two new pods, of which Kueue evaluates one', { timeout: 300_000 }, async () => {
    const workload = await stuck({ replicas: 2, maxSurge: 2 });
    const { items } = await cluster.objects.list<Queued>('kueue.x-k8s.io/v1beta2', 'Workload', shop);
    const answered = items.filter(({ status }) =>
      status?.conditions?.some(({ type, status: is }) => type === 'QuotaReserved' && is === 'False'),
    );
    const { diagnosis } = await program.diagnose(workload);

    expect(answered).toHaveLength(1);
    expect(diagnosis.findings[0]).toMatchObject({ cause: 'queue-deadlock', confidence: 'proven' });
  });
});
