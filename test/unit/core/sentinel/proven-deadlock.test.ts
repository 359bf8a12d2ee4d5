import { describe, expect, it } from 'vitest';
import { provenDeadlockOf } from '../../../../src/core/sentinel/proven-deadlock.js';
import { buildDiagnosis, buildFinding } from '../../../builders/diagnosis.js';

const of = (...findings: Parameters<typeof buildFinding>[0][]) =>
  provenDeadlockOf(buildDiagnosis({ findings: findings.map((each) => buildFinding(each)) }))?.cause;
const cycle = { catalogue: 'capacity-contention', key: 'cycle', values: {} };
const unproven = { catalogue: 'capacity-contention', key: 'cycle-unproven', values: {} };

describe('worth speaking of unasked', () => {
  it.each(['surge-deadlock', 'quota-deadlock', 'volume-attach-deadlock', 'readiness-deadlock'] as const)(
    'is a proven %s, and not a likely one',
    (cause) => {
      expect(of({ cause })).toBe(cause);
      expect(of({ cause, confidence: 'likely' })).toBeUndefined();
    },
  );

  it('is a circle through two rollouts, and not contention, and not a circle that is not proven', () => {
    expect(of({ cause: 'capacity-contention', reasoning: [cycle] })).toBe('capacity-contention');
    expect(of({ cause: 'capacity-contention' })).toBeUndefined();
    expect(of({ cause: 'capacity-contention', reasoning: [cycle], weakenedBy: [unproven] })).toBeUndefined();
  });

  it('is nothing where nothing was found, something else, or something graver', () => {
    expect(of()).toBeUndefined();
    expect(of({ cause: 'out-of-memory' })).toBeUndefined();
    expect(of({ cause: 'out-of-memory' }, { cause: 'surge-deadlock' })).toBeUndefined();
  });
});
