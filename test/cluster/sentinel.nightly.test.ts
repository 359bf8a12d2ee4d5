import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { V1Pod } from '@kubernetes/client-node';
import { afterAll, describe, expect, it } from 'vitest';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { resolveKubernetesVersion } from './harness/binaries.js';
import type { Cluster } from './harness/cluster.js';
import type { Program } from './harness/program.js';
import { withProgram } from './harness/with-program.js';
import { deploymentManifest } from './incidents/deployment-manifest.js';
import { quotaDeadlock } from './incidents/quota-deadlock.js';
import { rollOut, untilRolledOut, untilUnschedulable, update } from './incidents/rolling.js';
import { surgeExtendedResource } from './incidents/surge-deadlocks.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);
const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-sentinel-'));
const alerts = join(folder, 'alerts.yaml');
writeFileSync(alerts, 'channel: C0INCIDENTS\nsentinel: {}\n');
const withinMs = 300_000;

function mainFindingOf({ diagnosis }: Incident): string {
  const main = diagnosis?.findings[0];
  return `${main?.cause} ${main?.confidence}`;
}

describe(`the sentinel on Kubernetes ${version}`, () => {
  let cluster: Cluster;
  let program: Program;
  withProgram({ version, env: { ALERTS_FILE: alerts } }, (started) => {
    ({ cluster, program } = started);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function untilFound(namespace: string): Promise<Incident> {
    const late = Date.now() + withinMs;
    for (;;) {
      const found = (await program.incidents()).find(({ workload }) => workload.namespace === namespace);
      if (found !== undefined) return found;
      if (Date.now() > late) throw new Error(`nothing was found in ${namespace}`);
      await delay(250);
    }
  }

  it(
    'reports deadlocks, but not pods that fit on no node nor a rollout that completes',
    async () => {
      const { workload, blocked } = await surgeExtendedResource.reproduce(cluster);
      await cluster.createNodes({ name: 'n-moving' });
      const tooLarge = await cluster.createNamespace('too-large');
      const requests = { cpu: '1000' };
      await cluster.create(deploymentManifest({ namespace: tooLarge, name: 'web', requests }));
      await untilUnschedulable(cluster, tooLarge, 'web', [], ['Insufficient cpu']);
      const moving = await cluster.createNamespace('moving');
      await rollOut(cluster, { namespace: moving, name: 'web' });
      await update(cluster, moving, 'web');
      await untilRolledOut(cluster, moving, 'web');
      const quota = await quotaDeadlock.reproduce(cluster);

      const found = await untilFound(workload.namespace);
      const pod = await cluster.read<V1Pod>({
        kind: 'Pod',
        namespace: workload.namespace,
        name: blocked[0] ?? '',
      });
      const refused = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')?.lastTransitionTime;
      const seconds = (Date.parse(found.createdAt) - new Date(refused ?? 0).getTime()) / 1_000;
      console.log(
        `the card of a surge deadlock came ${seconds.toFixed(0)} s after the first FailedScheduling`,
      );
      expect(found).toMatchObject({
        channel: 'C0INCIDENTS',
        origin: { via: 'sentinel', refusal: { reason: 'FailedScheduling' } },
      });
      expect(Date.parse(found.origin.refusal?.at ?? '')).toBe(new Date(refused ?? 0).getTime());

      expect(mainFindingOf(found)).toBe('surge-deadlock proven');
      const other = await untilFound(quota.workload.namespace);
      expect(other.origin).toMatchObject({ via: 'sentinel', refusal: { reason: 'FailedCreate' } });
      expect(mainFindingOf(other)).toBe('quota-deadlock proven');
      const spokenOf = (await program.incidents()).map(({ workload: { namespace } }) => namespace);
      expect(spokenOf.filter((namespace) => namespace === tooLarge || namespace === moving)).toEqual([]);
    },
    withinMs * 2,
  );
});
