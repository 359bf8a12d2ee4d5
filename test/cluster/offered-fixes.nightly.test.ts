import type { V1Pod } from '@kubernetes/client-node';
import { afterAll, describe, expect, it } from 'vitest';
import type { ObjectRef } from '#src/engine/objects/metadata.js';
import { allForms } from './forms/all-forms.js';
import {
  type AppliedFix,
  applyFix,
  type Copy,
  createFixTable,
  offeredBy,
  startRecovering,
  untilComplete,
} from './forms/applied-fix.js';
import { drawnFixes, fixesSeed } from './forms/drawn-fixes.js';
import { type Form, type Reproduced, reproduceForm } from './forms/form.js';
import { mistakesInForm } from './forms/mistakes-in-form.js';
import { resolveKubernetesVersion } from './harness/binaries.js';
import type { Cluster } from './harness/cluster.js';
import type { DiagnosedIncident, Program } from './harness/program.js';
import { withProgram } from './harness/with-program.js';

const version = await resolveKubernetesVersion(process.env.KUBERNETES_VERSION);
const everyForm = allForms.flatMap(({ forms }) => forms);
const named = (process.env.FORMS ?? '').split(',').filter((name) => name !== '');
const chosen =
  named.length > 0
    ? allForms.flatMap(({ group, forms }) =>
        forms.filter(({ id }) => named.includes(id) || named.includes(group)),
      )
    : drawnFixes(everyForm, 5);
const table = createFixTable();

describe(`fixes offered in ${chosen.length} of ${everyForm.length} forms (seed ${fixesSeed}) on Kubernetes ${version}`, () => {
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
  afterAll(table.end);

  it.for(chosen)('$id: $title', { timeout: 400_000 }, async (form) => {
    const first = await reproduceForm(cluster, form);
    const latest = await diagnosed(form, first);
    if (form.ends === undefined) await expectRest(first);
    else await expectEnd(form, first);
    const applied: AppliedFix[] = [];
    for (const fix of offeredBy(latest).keys()) {
      await cluster.clear();
      applied.push(table.note(await apply(form, fix)));
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

  /** The workload is not changed, the later events of the form happen, and the rollout completes. */
  async function expectEnd(form: Form, reproduced: Reproduced): Promise<void> {
    const stopRecovering = startRecovering(cluster, form, reproduced);
    for (const step of form.ends ?? []) await step(reproduced.scene);
    const isDone = await untilComplete(cluster, reproduced.workload, 90_000);
    await stopRecovering();
    expect(isDone, 'the wait ends without a change').toBe(true);
  }

  /** Without a change, the rollout does not complete. */
  async function expectRest(reproduced: Reproduced): Promise<void> {
    expect(
      await untilComplete(cluster, reproduced.workload, 4_000),
      'it does not complete without a change',
    ).toBe(false);
  }

  async function apply(form: Form, fix: string): Promise<AppliedFix> {
    const reproduced = await reproduceForm(cluster, form);
    const { workload } = reproduced;
    const copy: Copy = {
      form: form.id,
      workload,
      latest: await diagnosed(form, reproduced),
      // Events that end a wait must not end it before the fix.
      startOthers: () =>
        form.ends === undefined ? startRecovering(cluster, form, reproduced) : async () => {},
      isTaken: isPlaced,
    };
    return applyFix({ cluster, program }, copy, fix);
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
