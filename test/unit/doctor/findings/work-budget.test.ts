import { describe, expect, it } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import { createWorkBudget } from '#src/engine/objects/work-budget.js';
import { snapshotOf } from '../../../support/hostile-snapshots.js';

const rules = [...causes];
const snapshot = snapshotOf({ kind: 'Deployment', change: () => undefined });

describe('the work budget of one diagnosis', () => {
  it('suffices for a rollout that is deadlocked', () => {
    const diagnosis = diagnose(snapshot, rules, createWorkBudget());

    expect(diagnosis.workSpent).toBeUndefined();
    expect(diagnosis.findings[0]).toMatchObject({ cause: 'surge-deadlock', confidence: 'proven' });
  });

  it('is reported as spent, and no finding that needs more is proven', () => {
    const diagnosis = diagnose(snapshot, rules, createWorkBudget(0));

    expect(diagnosis.workSpent).toBe(true);
    expect(diagnosis.findings.filter(({ cause }) => cause === 'surge-deadlock')).toEqual([]);
    expect(diagnosis.defects).toEqual([]);
  });
});
