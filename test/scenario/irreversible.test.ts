import { describe, expect, it } from 'vitest';
import { isIrreversible } from '#src/core/remediation/remediation.js';
import { createDoctor } from '#src/doctor.js';
import { scenarios } from '#support/scenarios/expectation.js';
import { diagnosisOf, snapshotOf } from '#support/scenarios/snapshot-of.js';

/** The card states "no undo" before the click, and the plan decides later whether an undo exists. */
describe('a fix that a card marks as irreversible', () => {
  it('has a plan without an undo, and other fixes have one, in every recorded incident', async () => {
    const doctor = createDoctor();
    const seen = new Map<string, Set<boolean>>();
    for (const scenario of scenarios()) {
      const snapshot = await snapshotOf(scenario);
      for (const remediation of (await diagnosisOf(scenario)).findings.flatMap((each) => each.remediations)) {
        const plan = doctor.plan(remediation, snapshot);
        if (plan.type !== 'plan') continue;
        expect([remediation.id, isIrreversible(remediation)]).toEqual([
          remediation.id,
          plan.undo === undefined,
        ]);
        seen.set(
          remediation.kind,
          (seen.get(remediation.kind) ?? new Set()).add(isIrreversible(remediation)),
        );
      }
    }
    expect(seen.size).toBeGreaterThan(5);
  });
});
