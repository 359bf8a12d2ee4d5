import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WorkloadRef } from '#src/core/cluster/workload.js';
import { resolveKubernetesVersion } from '../harness/binaries.js';
import { type Cluster, startCluster } from '../harness/cluster.js';
import { grantClusterWide, type Program, startProgram } from '../harness/program.js';
import { applyShipped } from '../harness/shipped-rbac.js';
import { deadlockedRollouts } from './deadlocks.js';
import { rolloutName } from './recorded-rollout.js';
import { untilReadyPods, untilRollout } from './rolling.js';
import type { RolloutObject } from './rollout-manifest.js';
import { type ArgoRollouts, startArgoRollouts } from './start-controller.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);

const isPromoted = ({ status }: RolloutObject): boolean =>
  status?.phase === 'Healthy' && status.stableRS === status.currentPodHash;

const isAborted = ({ status }: RolloutObject): boolean => status?.abort === true;

/** Each fix that a deadlocked Rollout is offered, and what its real controller makes of it. */
const fixes = [
  { incident: 'canary-without-steps', fix: 'patch-strategy-in-place', pods: 1, ends: isPromoted },
  { incident: 'canary-of-four-replicas', fix: 'patch-strategy-in-place', pods: 4, ends: isPromoted },
  { incident: 'third-revision', fix: 'patch-strategy-in-place', pods: 1, ends: isPromoted },
  { incident: 'template-of-a-deployment', fix: 'patch-strategy-in-place', pods: 1, ends: isPromoted },
  { incident: 'canary-at-a-low-weight', fix: 'abort-rollout', pods: 1, ends: isAborted },
  { incident: 'routed-canary', fix: 'abort-rollout', pods: 1, ends: isAborted },
  { incident: 'blue-green', fix: 'abort-rollout', pods: 1, ends: isAborted },
  { incident: 'canary-without-steps', fix: 'undo-rollout', pods: 1, ends: isPromoted },
] as const;

describe(`approved fixes of Rollouts on Kubernetes ${version}`, () => {
  let cluster: Cluster;
  let argo: ArgoRollouts;
  let program: Program;
  let namespace: string;
  beforeAll(async () => {
    cluster = await startCluster({ version });
    argo = await startArgoRollouts(cluster);
    await grantClusterWide(cluster);
    await applyShipped(cluster, ['argo-rollouts/rollouts.yaml']);
    program = await startProgram(cluster, { cancelSeconds: 0 });
  });
  afterAll(async () => {
    await program?.stop();
    await argo?.stop();
    await cluster?.stop();
  });
  beforeEach(async () => {
    namespace = await cluster.createNamespace('shop');
  });

  it.each(fixes)(
    '$fix ends $incident, and undo restores the previous state',
    { timeout: 240_000 },
    async ({ incident, fix, pods, ends }) => {
      const found = deadlockedRollouts.find(({ id }) => id === incident);
      await found?.reproduce(cluster, namespace, argo);
      const workload: WorkloadRef = { cluster: 'test', kind: 'Rollout', namespace, name: rolloutName };
      const { incident: opened, diagnosis } = await program.diagnose(workload);
      expect(diagnosis.findings[0]).toMatchObject({ cause: 'surge-deadlock', confidence: 'proven' });

      const remediation = diagnosis.findings[0]?.remediations.find(({ id }) => id.startsWith(fix));

      const settled = await program.approve(await program.review(opened, remediation?.id ?? fix));

      expect(settled).toMatchObject({ phase: 'settled', change: { verdict: 'recovered' } });
      await untilRollout(cluster, namespace, rolloutName, 'as the fix makes it', ends);
      await untilReadyPods(cluster, namespace, rolloutName, pods);

      const undone = await program.approve(await program.review(settled, 'undo'));

      expect(undone.change).toMatchObject({ undoes: true, verdict: 'undone' });
      await cluster.objects.delete({
        apiVersion: 'argoproj.io/v1alpha1',
        kind: 'Rollout',
        metadata: { namespace, name: rolloutName },
      });
      await cluster.clear();
    },
  );
});
