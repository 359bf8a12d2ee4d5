import { describe, expect, it } from 'vitest';
import type { Remediation } from '#src/doctor/fixes/remediation.js';
import { recordReady } from './forms/applied-fix.js';
import { resolveKubernetesVersion } from './harness/binaries.js';
import type { Cluster } from './harness/cluster.js';
import type { DiagnosedIncident, Program } from './harness/program.js';
import { withProgram } from './harness/with-program.js';
import { deployment, type Incident } from './incidents/incident.js';
import { untilAllRolledOut, waitCycleOfThree, waitCycleOfTwo } from './incidents/wait-cycles.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);

interface Case {
  readonly incident: Incident;
  /** The member that is diagnosed and changed; the others must follow. */
  readonly changed: string;
  readonly kind: 'patch-strategy' | 'scale-down-old';
}

const cases: readonly Case[] = [
  { incident: waitCycleOfTwo, changed: 'cart', kind: 'patch-strategy' },
  { incident: waitCycleOfTwo, changed: 'stock', kind: 'patch-strategy' },
  { incident: waitCycleOfThree, changed: 'web', kind: 'patch-strategy' },
  { incident: waitCycleOfThree, changed: 'api', kind: 'scale-down-old' },
];

interface MemberForecast {
  readonly workload: string;
  readonly ends: string;
  readonly readyMin: number;
}

describe(`wait cycles of rollouts on Kubernetes ${version}`, () => {
  let cluster: Cluster;
  let program: Program;
  withProgram({ version }, (started) => {
    ({ cluster, program } = started);
  });

  it.for(cases)(
    '$kind of $changed opens $incident.id, and every member does what was forecast',
    async (one) => {
      const { workload } = await one.incident.reproduce(cluster);
      const { namespace } = workload;
      const { remediation, latest } = await offered(namespace, one);
      const forecasts = remediation.effects
        .filter(({ key }) => key === 'member-forecast')
        .map(({ values }) => values.forecast as MemberForecast);
      expect(forecasts.length).toBeGreaterThan(1);
      expect(forecasts.map(({ ends }) => ends)).toEqual(forecasts.map(() => 'complete'));

      const names = forecasts.map((each) => each.workload.slice(namespace.length + 1));
      const records = await Promise.all(
        names.map((name) => recordReady(cluster, { workload: deployment(namespace, name) })),
      );
      const recovered = await program.approve(await program.review(latest.incident, remediation.id));
      expect(recovered.change?.verdict, JSON.stringify(recovered.change?.progress)).toBe('recovered');
      await untilAllRolledOut(cluster, namespace, names);
      for (const record of records) record.stop();
      expect(records.map((record) => record.least())).toEqual(forecasts.map(({ readyMin }) => readyMin));
    },
  );

  it('offers the fix of another member on the card of that member', async () => {
    const { workload } = await waitCycleOfThree.reproduce(cluster);
    const { namespace } = workload;
    const { latest } = await offered(namespace, { changed: 'web', kind: 'patch-strategy' });
    const elsewhere = latest.diagnosis.findings[0]?.reasoning.find(({ key }) => key === 'fix-elsewhere');
    expect(elsewhere?.values.command).toBe(`/rollout-doctor deployment/api -n ${namespace}`);

    await expect(offered(namespace, { changed: 'api', kind: 'patch-strategy' })).resolves.toBeDefined();
  });

  /**
   * Diagnoses until the fix is offered: right after the last event the controllers may not have counted it.
   */
  async function offered(
    namespace: string,
    { changed, kind }: Pick<Case, 'changed' | 'kind'>,
  ): Promise<{ readonly latest: DiagnosedIncident; readonly remediation: Remediation }> {
    const expiry = Date.now() + 90_000;
    let latest = await program.diagnose(deployment(namespace, changed));
    for (;;) {
      const all = latest.diagnosis.findings.flatMap(({ remediations }) => remediations);
      const remediation = all.find((each) => each.kind === kind);
      if (remediation !== undefined) return { latest, remediation };
      if (Date.now() > expiry) throw new Error(`not offered: ${JSON.stringify(latest.diagnosis)}`);
      latest = await program.diagnoseAgain(latest.incident);
    }
  }
});
