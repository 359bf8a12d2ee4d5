import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObjectRef } from '#src/core/cluster/metadata.js';
import type { WorkloadRef } from '#src/core/cluster/workload.js';
import type { Remediation } from '#src/core/remediation/remediation.js';
import { type AppliedFix, differencesOf, isComplete, recordReady } from './forms/applied-fix.js';
import { resolveKubernetesVersion } from './harness/binaries.js';
import type { Cluster } from './harness/cluster.js';
import { recordPods } from './harness/pod-record.js';
import type { DiagnosedIncident, Program } from './harness/program.js';
import { applyShipped } from './harness/shipped-rbac.js';
import { withProgram } from './harness/with-program.js';
import { defineKueue } from './kueue/definitions.js';
import { playKueue, type Queued } from './kueue/played-kueue.js';
import type { RecordedQueue, Scene } from './kueue/queued-rollout.js';
import { recordedQueues } from './kueue/recorded-queues.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);
/** A queue admits in seconds, and nothing changes any longer. */
const diagnoseAfterSeconds = 120;
const table: AppliedFix[] = [];

const fixName = (remediation: Remediation): string =>
  remediation.kind === 'patch-strategy'
    ? `${remediation.kind} ${remediation.strategy.type}`
    : remediation.kind;

const offeredBy = ({ diagnosis }: DiagnosedIncident): readonly Remediation[] =>
  diagnosis.findings
    .flatMap(({ remediations }) => [...remediations])
    .filter((one, at, all) => all.findIndex((other) => fixName(other) === fixName(one)) === at);

/** Plays Kueue until it is stopped. */
function startPlaying({ kueue, shop, research }: Scene): () => Promise<void> {
  let isOver = false;
  const loop = async (): Promise<void> => {
    while (!isOver) {
      await kueue.settle([shop, research]);
      await delay(200);
    }
  };
  const running = loop();
  return async () => {
    isOver = true;
    await running;
  };
}

/** Takes five minutes: runs with `--all-fixes`. */
describe.runIf(process.env.ALL_FIXES !== undefined)(
  `fixes offered for Deployments in Kueue's queues on Kubernetes ${version}`,
  () => {
    let cluster: Cluster;
    let program: Program;
    withProgram({ version, env: { VERIFY_SECONDS: '8' }, cancelSeconds: 0, watches: false }, (started) => {
      ({ cluster, program } = started);
    });
    beforeAll(async () => {
      await defineKueue(cluster);
      await applyShipped(cluster, ['kueue/kueue.yaml']);
    });
    afterAll(() => {
      const asForecast = table.filter(({ differences }) => differences.length === 0).length;
      console.log(`${table.length} fixes were offered and applied, ${asForecast} did what was forecast`);
    });

    it.for(recordedQueues)('$id: $title', { timeout: 400_000 }, async (queue) => {
      const { latest } = await reproduced(queue);
      const applied: AppliedFix[] = [];
      for (const remediation of offeredBy(latest)) {
        await cluster.clear();
        const row = await apply(queue, fixName(remediation));
        const { form, fix, forecast, happened, differences } = row;
        console.log(
          `| ${form} | ${fix} | ${forecast} | ${happened} | ${differences.length === 0 ? 'yes' : differences.join('; ')} |`,
        );
        table.push(row);
        applied.push(row);
      }
      expect(applied.filter(({ differences }) => differences.length > 0)).toEqual([]);
    });

    interface Reproduced {
      readonly scene: Scene;
      readonly workload: WorkloadRef;
      readonly latest: DiagnosedIncident;
    }

    /** Brings the queue about, and diagnoses until the cause is the recorded one. */
    async function reproduced({ expected, reproduce, ...more }: RecordedQueue): Promise<Reproduced> {
      const kueue = playKueue(cluster);
      const shop = await cluster.createNamespace('shop');
      const research = await cluster.createNamespace('research');
      const scene: Scene = { cluster, kueue, shop, research };
      await reproduce(scene);
      const workload: WorkloadRef = { cluster: 'test', kind: 'Deployment', namespace: shop, name: 'web' };
      program.dateDiagnoses(more.diagnoseAfterSeconds ?? diagnoseAfterSeconds);
      const expiry = Date.now() + 90_000;
      let latest = await program.diagnose(workload);
      for (;;) {
        const [first] = latest.diagnosis.findings.filter(({ severity }) => severity !== 'info');
        if ((first?.cause ?? null) === expected.cause) return { scene, workload, latest };
        if (Date.now() > expiry) throw new Error(`${first?.cause} was found, not ${expected.cause}`);
        latest = await program.diagnoseAgain(latest.incident);
      }
    }

    async function apply(queue: RecordedQueue, wanted: string): Promise<AppliedFix> {
      const { scene, workload, latest } = await reproduced(queue);
      const remediation = offeredBy(latest).find((one) => fixName(one) === wanted);
      if (remediation === undefined) {
        return {
          form: queue.id,
          fix: wanted,
          forecast: '',
          happened: '',
          differences: ['not offered again'],
        };
      }
      const pods = await recordPods(cluster, scene.shop);
      const ready = await recordReady(cluster, { workload });
      const stopPlaying = startPlaying(scene);
      const { ends, competitors } = remediation.prediction;
      let failure = '';
      try {
        const after = await program.approve(await program.review(latest.incident, remediation.id));
        failure = after.change?.failure === undefined ? '' : JSON.stringify(after.change.failure);
      } catch (error) {
        failure = error instanceof Error ? error.message : String(error);
      }
      const isFirst = ends === 'contested' && (await isTakenFirst(workload, competitors));
      const isDone = await untilComplete(workload, ends === 'complete' ? 60_000 : 4_000);
      // The status was that of a complete rollout for longer than usual.
      const isLater =
        ends === 'contested' && !isFirst && !isDone && (await isTakenFirst(workload, competitors));
      const competitorPlaced = isFirst || isLater;
      await stopPlaying();
      pods.stop();
      ready.stop();
      const seen = { isComplete: isDone, pods, ready, competitorPlaced };
      return {
        form: queue.id,
        fix: wanted,
        forecast: ends,
        happened: isDone ? 'complete' : competitorPlaced ? 'a competitor took it' : 'not complete',
        differences: [...(failure === '' ? [] : [failure]), ...differencesOf(remediation, seen)],
      };
    }

    const untilComplete = (
      { kind, namespace, name }: WorkloadRef,
      deadlineMilliseconds: number,
    ): Promise<boolean> =>
      cluster
        .until<KubernetesObject, true>({
          what: `${kind} ${namespace}/${name} to be rolled out`,
          selection: { kind, namespace },
          check: (all) => all.some((one) => one.metadata?.name === name && isComplete({ ...one, kind })),
          deadlineMilliseconds,
        })
        .catch(() => false);

    /** Until the rollout completes or a competitor has the quota. */
    async function isTakenFirst(workload: WorkloadRef, competitors: readonly ObjectRef[]): Promise<boolean> {
      const expiry = Date.now() + 60_000;
      while (Date.now() < expiry) {
        if (await haveQuota(competitors)) return true;
        // For a moment, the status counts the new pod and the old one's readiness.
        if (!(await untilComplete(workload, 1_000))) continue;
        await delay(2_000);
        if (await untilComplete(workload, 1_000)) return haveQuota(competitors);
      }
      return false;
    }

    async function haveQuota(competitors: readonly ObjectRef[]): Promise<boolean> {
      for (const { kind, namespace, name } of competitors) {
        const { items } = await cluster.objects.list<Queued>('kueue.x-k8s.io/v1beta2', kind, namespace);
        const found = items.find(({ metadata }) => metadata?.name === name);
        if (found?.status?.admission !== undefined) return true;
      }
      return false;
    }
  },
);
