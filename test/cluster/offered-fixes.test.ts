import type { KubernetesObject, V1Pod } from '@kubernetes/client-node';
import { afterAll, describe, expect, it } from 'vitest';
import type { ObjectRef } from '#src/core/cluster/metadata.js';
import type { Remediation } from '#src/core/remediation/remediation.js';
import { seededRandom } from '#support/seeded-random.js';
import { allForms } from './forms/all-forms.js';
import {
  type AppliedFix,
  differencesOf,
  isComplete,
  recordReady,
  startRecovering,
} from './forms/applied-fix.js';
import { type Form, type Reproduced, reproduceForm } from './forms/form.js';
import { mistakesInForm } from './forms/mistakes-in-form.js';
import { resolveKubernetesVersion } from './harness/binaries.js';
import type { Cluster } from './harness/cluster.js';
import { recordPods } from './harness/pod-record.js';
import type { DiagnosedIncident, Program } from './harness/program.js';
import { withProgram } from './harness/with-program.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);
const seed = Number(process.env.RANDOM_SEED ?? 20_261_121);
const everyForm = allForms.flatMap(({ forms }) => forms);
const named = (process.env.FORMS ?? '').split(',').filter((name) => name !== '');
const chosen =
  named.length > 0
    ? allForms.flatMap(({ group, forms }) =>
        forms.filter(({ id }) => named.includes(id) || named.includes(group)),
      )
    : process.env.ALL_FIXES === undefined
      ? drawnOf(everyForm, 5)
      : everyForm;
const table: AppliedFix[] = [];

/** Prints a row of the table; the run ends with the number of rows. */
function note(row: AppliedFix): AppliedFix {
  const { form, fix, forecast, happened, differences } = row;
  table.push(row);
  const isAsForecast = differences.length === 0 ? 'yes' : differences.join('; ');
  console.log(`| ${form} | ${fix} | ${forecast} | ${happened} | ${isAsForecast} |`);
  return row;
}

/** A sample of this size, drawn by the seed, in the original order. */
function drawnOf<One>(all: readonly One[], count: number): readonly One[] {
  const below = seededRandom(seed);
  const left = all.map((one, at) => ({ one, at }));
  const drawn = Array.from({ length: count }, () => left.splice(below(left.length), 1)).flat();
  return drawn.toSorted((a, b) => a.at - b.at).map(({ one }) => one);
}

const fixName = (remediation: Remediation): string =>
  remediation.kind === 'patch-strategy'
    ? `${remediation.kind} ${remediation.strategy.type}`
    : remediation.kind;

describe(`fixes offered in ${chosen.length} of ${everyForm.length} forms (seed ${seed}) on Kubernetes ${version}`, () => {
  let cluster: Cluster;
  let program: Program;
  withProgram(
    {
      version,
      env: { VERIFY_SECONDS: '8', CONFIG_METADATA: 'configmaps' },
      cancelSeconds: 0,
      watches: false,
    },
    (started) => {
      ({ cluster, program } = started);
    },
  );
  afterAll(() => {
    const asForecast = table.filter(({ differences }) => differences.length === 0).length;
    console.log(`${table.length} fixes were offered and applied, ${asForecast} did what was forecast`);
  });

  it.for(chosen)('$id: $title', { timeout: 400_000 }, async (form) => {
    const first = await reproduceForm(cluster, form);
    const latest = await diagnosed(form, first);
    const offered = latest.diagnosis.findings
      .flatMap(({ remediations }) => [...remediations])
      .filter((one, at, all) => all.findIndex((other) => fixName(other) === fixName(one)) === at);
    if (form.ends === undefined) await expectRest(first);
    else await expectEnd(form, first);
    const applied: AppliedFix[] = [];
    for (const remediation of offered) {
      await cluster.clear();
      applied.push(note(await apply(form, fixName(remediation))));
    }
    expect(applied.filter(({ differences }) => differences.length > 0)).toEqual([]);
  });

  /** Diagnoses until the answer is the expected one. No answer on the way may contain a forbidden cause. */
  async function diagnosed(form: Form, { workload }: Reproduced): Promise<DiagnosedIncident> {
    program.dateDiagnoses(form.diagnoseAfterSeconds ?? 0);
    const expiry = Date.now() + 30_000;
    let latest = await program.diagnose(workload);
    for (;;) {
      const mistakes = mistakesInForm(latest.diagnosis, form);
      if (mistakes.length === 0) return latest;
      if (Date.now() > expiry || mistakes.some((mistake) => mistake.includes('forbidden')))
        throw new Error(`${mistakes.join('\n')}\n${JSON.stringify(latest.diagnosis.findings, undefined, 1)}`);
      latest = await program.diagnoseAgain(latest.incident);
    }
  }

  const untilComplete = (
    { workload: { kind, namespace, name } }: Reproduced,
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

  /** The workload is not changed, the later events of the form happen, and the rollout completes. */
  async function expectEnd(form: Form, reproduced: Reproduced): Promise<void> {
    const stopRecovering = startRecovering(cluster, form, reproduced);
    for (const step of form.ends ?? []) await step(reproduced.scene);
    const isDone = await untilComplete(reproduced, 90_000);
    await stopRecovering();
    expect(isDone, 'the wait ends without a change').toBe(true);
  }

  /** Without a change, the rollout does not complete. */
  async function expectRest(reproduced: Reproduced): Promise<void> {
    expect(await untilComplete(reproduced, 4_000), 'it does not complete without a change').toBe(false);
  }

  async function apply(form: Form, wanted: string): Promise<AppliedFix> {
    const reproduced = await reproduceForm(cluster, form);
    const { incident, diagnosis } = await diagnosed(form, reproduced);
    const remediation = diagnosis.findings
      .flatMap(({ remediations }) => [...remediations])
      .find((one) => fixName(one) === wanted);
    if (remediation === undefined) {
      return { form: form.id, fix: wanted, forecast: '', happened: '', differences: ['not offered again'] };
    }
    const pods = await recordPods(cluster, reproduced.workload.namespace);
    const ready = await recordReady(cluster, reproduced);
    // Events that end a wait must not end it before the fix.
    const stopRecovering =
      form.ends === undefined ? startRecovering(cluster, form, reproduced) : async () => {};
    const { ends, competitors } = remediation.prediction;
    let failure = '';
    try {
      const after = await program.approve(await program.review(incident, remediation.id));
      failure = after.change?.failure === undefined ? '' : JSON.stringify(after.change.failure);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
    const competitorPlaced =
      ends === 'contested' && (await isTakenFirst(reproduced, competitors, pods.before));
    const isDone = await untilComplete(reproduced, ends === 'complete' ? 60_000 : 6_000);
    await stopRecovering();
    pods.stop();
    ready.stop();
    const seen = { isComplete: isDone, pods, ready, competitorPlaced };
    return {
      form: form.id,
      fix: wanted,
      forecast: ends,
      happened: isDone ? 'complete' : competitorPlaced ? 'a competitor took it' : 'not complete',
      differences: [...(failure === '' ? [] : [failure]), ...differencesOf(remediation, seen)],
    };
  }

  /** Until the rollout completes or a competitor uses what becomes free. A refused controller retries later. */
  async function isTakenFirst(
    reproduced: Reproduced,
    competitors: readonly ObjectRef[],
    before: readonly string[],
  ): Promise<boolean> {
    const expiry = Date.now() + 60_000;
    while (Date.now() < expiry) {
      if (await isPlaced(competitors, before)) return true;
      if (await untilComplete(reproduced, 1_000)) return false;
    }
    return false;
  }

  /** Waiting pods that have a node, and workloads that have a pod that did not exist before. */
  async function isPlaced(competitors: readonly ObjectRef[], before: readonly string[]): Promise<boolean> {
    for (const { kind, namespace, name } of competitors) {
      const { items } = await cluster.objects.list<V1Pod>('v1', 'Pod', namespace);
      const has = ({ metadata, spec }: V1Pod): boolean =>
        kind === 'Pod'
          ? metadata?.name === name && spec?.nodeName !== undefined
          : metadata?.labels?.app === name && !before.includes(metadata.name ?? '');
      if (items.some(has)) return true;
    }
    return false;
  }
});
