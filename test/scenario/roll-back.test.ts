import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { revisionToGoBackTo } from '#src/core/remediation/template-source.js';
import { rolloutStateOf } from '#src/core/rollout/rollout-state.js';
import { scenarios } from '#support/scenarios/expectation.js';
import { diagnosisOf, snapshotOf } from '#support/scenarios/snapshot-of.js';

const examined = await Promise.all(
  scenarios().map(async (scenario) => {
    const snapshot = await snapshotOf(scenario);
    const kept = revisionToGoBackTo(rolloutStateOf(snapshot));
    const { findings } = await diagnosisOf(scenario);
    return {
      name: basename(scenario.folder),
      isKept: kept !== undefined,
      findings: findings.filter(({ severity }) => severity !== 'info'),
    };
  }),
);
const withEarlier = examined.filter(({ isKept, findings }) => isKept && findings.length > 0);

describe('the roll back of a recorded incident with an earlier revision', () => {
  it('is recorded more than fifty times', () => {
    expect(withEarlier.length).toBeGreaterThan(50);
  });

  it.each(withEarlier)('is offered, or not recommended with a reason: $name', ({ findings }) => {
    for (const { cause, remediations, withheld } of findings) {
      const kinds = [...remediations, ...withheld].map(({ kind }) => kind);
      expect(kinds, cause).toContain('undo-rollout');
    }
  });
});
