import { expect, it, onTestFinished } from 'vitest';
import { createThreadedEngine } from '#src/edges/threads/threaded-engine.js';
import { WorkloadKind } from '#src/engine/objects/workload.js';
import { scenarios } from '../support/scenarios/expectation.js';
import { diagnosisOf, engine, plansOf, recordedOf, snapshotOf } from './recorded.js';

const recordings = scenarios().map(recordedOf);

/** The copy that a thread gets is a property of every recording (`properties/bystanders.ts`). */
it('a thread returns the same diagnosis and plans as the process itself, of each kind of workload', async () => {
  const entry = new URL('../../src/roots/doctor-thread.ts', import.meta.url);
  const threaded = createThreadedEngine({ entry, maxThreads: 1, needs: engine.needs, deadlineSeconds: 120 });
  onTestFinished(() => threaded.close());
  let plans = 0;
  for (const kind of WorkloadKind.options) {
    const ofKind = recordings.filter(({ expect: { workload, cause } }) => workload.kind === kind && cause);
    expect(ofKind.length).toBeGreaterThan(3);
    for (const recorded of ofKind.slice(0, 4)) {
      const snapshot = await snapshotOf(recorded);
      const diagnosis = await diagnosisOf(recorded);
      expect(JSON.stringify(await threaded.diagnose(snapshot))).toBe(JSON.stringify(diagnosis));
      for (const { remediation, plan } of await plansOf(recorded)) {
        expect(await threaded.plan(remediation, snapshot)).toEqual(plan);
        expect(await threaded.stands(remediation, snapshot)).toBe(engine.stands(remediation, snapshot));
        plans += 1;
      }
    }
  }
  expect(plans).toBeGreaterThan(10);
}, 300_000);
