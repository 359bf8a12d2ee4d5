import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { isAlone, startRecovering } from '../forms/applied-fix.js';
import { drawnFixes, fixesSeed } from '../forms/drawn-fixes.js';
import { resolveKubernetesVersion } from '../harness/binaries.js';
import type { Cluster } from '../harness/cluster.js';
import type { Program } from '../harness/program.js';
import { withProgram } from '../harness/with-program.js';
import { gpu, gpuNodes } from '../recorded-state.js';
import { deadlockedSets } from './deadlocks.js';
import { otherDeadlockedSets } from './other-deadlocks.js';
import { setName } from './recorded-set.js';
import { rollOutSet, untilReadyPods, untilUpdated } from './rolling.js';
import { startLeaderWorkerSets } from './start-controller.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);

/** Deadlocked sets, and the groups and pods that they have once the fix has worked. */
const fixes = [
  { incident: 'one-pod-group', groups: 1, pods: 1 },
  { incident: 'two-groups', groups: 2, pods: 4 },
  { incident: 'half-a-group', groups: 1, pods: 2 },
  { incident: 'quota-for-one-group', groups: 1, pods: 2 },
  { incident: 'quota-for-a-worker', groups: 1, pods: 2 },
  { incident: 'lock-of-the-old-leader', groups: 1, pods: 1 },
  { incident: 'volume-of-the-old-group', groups: 1, pods: 1 },
  { incident: 'host-port-of-the-old-group', groups: 1, pods: 1 },
] as const;
const chosen = drawnFixes(fixes, 4);

describe(`approved fixes of LeaderWorkerSets (${chosen.length} of ${fixes.length}, seed ${fixesSeed}) on Kubernetes ${version}`, () => {
  let cluster: Cluster;
  let program: Program;
  let namespace: string;
  const rights = ['leader-worker-sets/leader-worker-sets.yaml'];
  withProgram({ version, cancelSeconds: 0, prepare: startLeaderWorkerSets, rights }, (started) => {
    ({ cluster, program } = started);
  });
  beforeEach(async () => {
    namespace = await cluster.createNamespace('shop');
  });
  // Its controller would make the pods again that the cluster is cleared of.
  afterEach(() =>
    cluster.objects.delete({
      apiVersion: 'leaderworkerset.x-k8s.io/v1',
      kind: 'LeaderWorkerSet',
      metadata: { namespace, name: setName },
    }),
  );

  it.each(chosen)(
    'patch-strategy ends $incident, and undo restores the former bounds',
    { timeout: 240_000 },
    async ({ incident, groups, pods }) => {
      const found = [...deadlockedSets, ...otherDeadlockedSets].find(({ id }) => id === incident);
      await found?.reproduce(cluster, namespace);
      program.dateDiagnoses(found?.diagnoseAfterSeconds ?? 0);
      const workload: WorkloadRef = { cluster: 'test', kind: 'LeaderWorkerSet', namespace, name: setName };
      const { incident: opened, diagnosis } = await program.diagnose(workload);
      expect(diagnosis.findings[0]).toMatchObject({ cause: found?.expected.cause, confidence: 'proven' });
      const stopRecovering = startRecovering(cluster, { heals: isAlone }, { namespaces: [namespace] });

      const settled = await program.approve(await program.review(opened, 'patch-strategy-in-place'));

      expect(settled).toMatchObject({ phase: 'settled', change: { verdict: 'recovered' } });
      await untilUpdated(cluster, namespace, groups, pods);
      await stopRecovering();

      const undone = await program.approve(await program.review(settled, 'undo'));

      expect(undone.change).toMatchObject({ undoes: true, verdict: 'undone' });
    },
  );

  it('a restart replaces every group, and is verified', { timeout: 180_000 }, async () => {
    await cluster.createNodes(...gpuNodes(2));
    const before = await rollOutSet(cluster, { namespace, size: 2, requests: gpu });
    const uids = async () => {
      const { items } = await cluster.objects.list('v1', 'Pod', namespace);
      return items.map(({ metadata }) => metadata?.uid);
    };
    const former = await uids();
    const workload: WorkloadRef = { cluster: 'test', kind: 'LeaderWorkerSet', namespace, name: setName };
    const { incident, diagnosis } = await program.diagnose(workload, { kind: 'restart-rollout' });
    expect(diagnosis.requested).toMatchObject({
      type: 'possible',
      remediation: { prediction: { ends: 'complete' } },
    });

    const review = await program.review(incident, 'requested-restart-rollout');
    const settled = await program.approve(review, `${namespace}/${setName}`);

    expect(settled).toMatchObject({ phase: 'settled', change: { verdict: 'recovered' } });
    expect(await untilReadyPods(cluster, namespace, 2)).toEqual(before);
    expect((await uids()).filter((uid) => former.includes(uid))).toEqual([]);
  });
});
