import { afterAll, describe, expect, it } from 'vitest';
import type { ObjectRef } from '#src/engine/objects/metadata.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { type AppliedFix, applyFix, type Copy, createFixTable, offeredBy } from './forms/applied-fix.js';
import { resolveKubernetesVersion } from './harness/binaries.js';
import type { Cluster } from './harness/cluster.js';
import type { Program } from './harness/program.js';
import { withProgram } from './harness/with-program.js';
import type { Queued, RecordedQueue } from './kueue/queued-rollout.js';
import { recordedQueues } from './kueue/recorded-queues.js';
import { startKueue } from './kueue/start-controller.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);
/** A queue admits in seconds, and nothing changes any longer. */
const diagnoseAfterSeconds = 120;
const table = createFixTable();

describe(`fixes offered for Deployments in queues of the real Kueue on Kubernetes ${version}`, () => {
  let cluster: Cluster;
  let program: Program;
  const options = { version, env: { VERIFY_SECONDS: '8' }, cancelSeconds: 0, watches: false };
  withProgram({ ...options, prepare: startKueue, rights: ['kueue/kueue.yaml'] }, (started) => {
    ({ cluster, program } = started);
  });
  afterAll(table.end);

  it.for(recordedQueues.filter(({ configuration }) => configuration === undefined))(
    '$id: $title',
    { timeout: 400_000 },
    async (queue) => {
      const { latest } = await reproduced(queue);
      const applied: AppliedFix[] = [];
      for (const fix of offeredBy(latest).keys()) {
        await cluster.clear();
        applied.push(table.note(await applyFix({ cluster, program }, await reproduced(queue), fix)));
      }
      expect(applied.filter(({ differences }) => differences.length > 0)).toEqual([]);
    },
  );

  /** Brings the queue about, and diagnoses until the cause is the recorded one. */
  async function reproduced({ id, expected, reproduce, ...more }: RecordedQueue): Promise<Copy> {
    // Kueue lets a queue go once nothing is in it. One that is left of the former copy has the same name.
    for (const kind of ['Workload', 'ClusterQueue', 'ResourceFlavor', 'AdmissionCheck'] as const)
      await cluster.until<Queued, true>({
        what: `each ${kind} to be gone`,
        selection: { kind },
        check: (all) => all.length === 0,
        deadlineMilliseconds: 60_000,
      });
    const shop = await cluster.createNamespace('shop');
    const research = await cluster.createNamespace('research');
    await reproduce({ cluster, shop, research });
    const workload: WorkloadRef = { cluster: 'test', kind: 'Deployment', namespace: shop, name: 'web' };
    program.dateDiagnoses(more.diagnoseAfterSeconds ?? diagnoseAfterSeconds);
    const expiry = Date.now() + 90_000;
    let latest = await program.diagnose(workload);
    for (;;) {
      const [first] = latest.diagnosis.findings.filter(({ severity }) => severity !== 'info');
      if ((first?.cause ?? null) === expected.cause)
        return { form: id, workload, latest, startOthers: () => async () => {}, isTaken: haveQuota };
      if (Date.now() > expiry) throw new Error(`${first?.cause} was found, not ${expected.cause}`);
      latest = await program.diagnoseAgain(latest.incident);
    }
  }

  async function haveQuota(competitors: readonly ObjectRef[]): Promise<boolean> {
    for (const { kind, namespace, name } of competitors) {
      const { items } = await cluster.objects.list<Queued>('kueue.x-k8s.io/v1beta2', kind, namespace);
      const found = items.find(({ metadata }) => metadata?.name === name);
      if (found?.status?.admission !== undefined) return true;
    }
    return false;
  }
});
