import { expect, it, onTestFinished } from 'vitest';
import { createThreadedDoctor } from '#src/adapters/threads/threaded-doctor.js';
import { createDoctor } from '#src/doctor.js';
import { scenarios } from '#support/scenarios/expectation.js';
import { diagnosisOf, snapshotOf } from '#support/scenarios/snapshot-of.js';

it('a thread returns the same diagnosis and plan of every recorded incident as the process itself', async () => {
  const doctor = createDoctor();
  const entry = new URL('../../src/doctor-thread.ts', import.meta.url);
  const threaded = createThreadedDoctor({ entry, maxThreads: 1, needs: doctor.needs, deadlineSeconds: 120 });
  onTestFinished(() => threaded.close());
  let plans = 0;
  for (const scenario of scenarios()) {
    const snapshot = await snapshotOf(scenario);
    const diagnosis = await diagnosisOf(scenario);
    expect(JSON.stringify(await threaded.diagnose(snapshot))).toBe(JSON.stringify(diagnosis));
    for (const remediation of diagnosis.findings.flatMap(({ remediations }) => remediations)) {
      expect(await threaded.plan(remediation, snapshot)).toEqual(doctor.plan(remediation, snapshot));
      expect(await threaded.stands(remediation, snapshot)).toBe(doctor.stands(remediation, snapshot));
      plans += 1;
    }
  }
  expect(plans).toBeGreaterThan(10);
}, 300_000);
