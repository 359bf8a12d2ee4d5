import { describe, expect, it } from 'vitest';
import { keptUntilReady, partyOf, waitForResource } from '#src/doctor/findings/wait-cycle.js';
import { provenDeadlockOf } from '#src/doctor/sentinel/candidate.js';
import { buildDiagnosis, buildFinding } from '../../../support/diagnosis.js';

const of = (...findings: Parameters<typeof buildFinding>[0][]) =>
  provenDeadlockOf(buildDiagnosis({ findings: findings.map((each) => buildFinding(each)) }))?.cause;
const waitCycle = [
  { who: partyOf('new-pod', ['web-new']), waits: waitForResource('cpu', '2', ['n-a']) },
  keptUntilReady(['web-old']),
];

describe('the finding that the sentinel reports', () => {
  it('is a proven wait cycle, and not a likely one', () => {
    expect(of({ waitCycle })).toBe('surge-deadlock');
    expect(of({ cause: 'capacity-contention', waitCycle })).toBe('capacity-contention');
    expect(of({ waitCycle, confidence: 'likely' })).toBeUndefined();
  });

  it('is no contention without a cycle', () => {
    expect(of({ cause: 'capacity-contention' })).toBeUndefined();
  });

  it('is undefined without a finding, with another finding first, or with a more severe one', () => {
    expect(of()).toBeUndefined();
    expect(of({ cause: 'out-of-memory' })).toBeUndefined();
    expect(of({ cause: 'out-of-memory' }, { waitCycle })).toBeUndefined();
  });
});
