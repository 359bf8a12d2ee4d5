import { describe, expect, it } from 'vitest';
import { type Incident, type Phase, phases } from '#src/doctor/incidents/incident.js';
import { approvalClosed, awaitingMore } from '#src/doctor/incidents/incident-approvals.js';
import {
  askedAgain,
  changeApplied,
  changeFailed,
  changeStarted,
  diagnosed,
  diagnosisFailed,
  diagnosisStarted,
  isChanging,
  settled,
  verificationSaw,
} from '#src/doctor/incidents/incident-transitions.js';
import type { Statement } from '#src/engine/language/statement.js';
import { buildDiagnosis } from '../../../support/diagnosis.js';
import { buildApproval, buildIncident, buildPatchStrategy } from '../../../support/records.js';

const at = '2026-11-20T10:00:00.000Z';
const words: Statement = { catalogue: 'judge', key: 'complete', values: { ready: 1, wanted: 1 } };
const otherWords: Statement = { ...words, values: { ready: 0, wanted: 1 } };
const diagnosis = buildDiagnosis();
const change: NonNullable<Incident['change']> = {
  approvalId: 'a1',
  cause: 'surge-deadlock',
  remediation: buildPatchStrategy(),
  undoes: false,
  approvedBy: ['U0ERIN'],
  approvedAt: '2026-11-20T09:31:00.000Z',
};

/** In each phase, with everything a record can hold. */
function incidentIn(phase: Phase, fields: Partial<Incident> = {}): Incident {
  return buildIncident({
    phase,
    version: 7,
    look: 3,
    occurrences: 2,
    approvalId: 'a1',
    diagnosis,
    change,
    ...fields,
  });
}

/** The fields that a transition changed, or `undefined` when it refused. */
function changes(before: Incident, after: Incident | undefined): Partial<Incident> | undefined {
  if (after === undefined) return undefined;
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof Incident)[];
  return Object.fromEntries(keys.filter((key) => before[key] !== after[key]).map((key) => [key, after[key]]));
}

const written = { version: 8, updatedAt: at };
const phasesWhere = (wanted: readonly Phase[]) =>
  phases.map((phase) => [phase, wanted.includes(phase)] as const);

describe('a new diagnosis', () => {
  it.each(phasesWhere(['diagnosed', 'awaiting', 'settled', 'failed']))(
    'requested by a person starts in phase %s: %s, and is counted',
    (phase, fresh) => {
      const before = incidentIn(phase);
      expect(changes(before, askedAgain(before, at))).toEqual({
        ...written,
        occurrences: 3,
        ...(fresh ? { phase: 'diagnosing', look: 4, approvalId: undefined } : {}),
      });
    },
  );

  it.each(phasesWhere(['diagnosed', 'awaiting', 'settled', 'failed']))(
    'requested by nobody starts in phase %s: %s, and is not counted',
    (phase, fresh) => {
      const before = incidentIn(phase);
      expect(changes(before, diagnosisStarted(before, at))).toEqual(
        fresh ? { ...written, phase: 'diagnosing', look: 4, approvalId: undefined } : {},
      );
    },
  );
});

describe('the result of a diagnosis', () => {
  const failed = { failure: words };

  it.each(phasesWhere(['diagnosing']))('in phase %s is recorded: %s', (phase, taken) => {
    const before = incidentIn(phase, failed);
    const newer = buildDiagnosis({ findings: [] });
    const diagnosedPhase = phase === 'diagnosed' ? {} : { phase: 'diagnosed' };
    expect(changes(before, diagnosed(before, 3, newer, at))).toEqual(
      taken ? { ...written, ...diagnosedPhase, diagnosis: newer, failure: undefined } : undefined,
    );
  });

  it.each(phasesWhere(['diagnosing']))('with a failure in phase %s is recorded: %s', (phase, taken) => {
    const before = incidentIn(phase);
    expect(changes(before, diagnosisFailed(before, 3, { failure: words, isGone: false }, at))).toEqual(
      taken ? { ...written, phase: 'failed', failure: words } : undefined,
    );
  });

  it.each([2, 4])('number %d is dropped when the third is expected', (look) => {
    expect(diagnosed(incidentIn('diagnosing'), look, diagnosis, at)).toBeUndefined();
    expect(
      diagnosisFailed(incidentIn('diagnosing'), look, { failure: words, isGone: false }, at),
    ).toBeUndefined();
  });
});

describe('an approval', () => {
  const approval = buildApproval({
    id: 'a2',
    look: 3,
    cause: 'quota-deadlock',
    undoes: true,
    remediation: buildPatchStrategy({ id: 'other' }),
    decisions: [
      { by: 'U0ERIN', at, decision: 'approve', reason: 'the only GPU' },
      { by: 'U0GUS', at, decision: 'reject', reason: 'wait' },
      { by: 'U0FINN', at, decision: 'approve', reason: '' },
    ],
  });

  it.each(phasesWhere(['diagnosed', 'awaiting', 'settled']))(
    'waits for more approvers in phase %s: %s',
    (phase, waits) => {
      const before = incidentIn(phase);
      const moved = phase === 'awaiting' ? {} : { phase: 'awaiting' };
      expect(changes(before, awaitingMore(before, approval, at))).toEqual(
        waits ? { ...written, ...moved, approvalId: 'a2' } : undefined,
      );
    },
  );

  it.each(phasesWhere(['diagnosed', 'awaiting', 'settled']))(
    'starts its change in phase %s: %s',
    (phase, starts) => {
      const before = incidentIn(phase);
      expect(changes(before, changeStarted(before, approval, at))).toEqual(
        starts
          ? {
              ...written,
              phase: 'applying',
              approvalId: 'a2',
              change: {
                approvalId: 'a2',
                cause: 'quota-deadlock',
                remediation: approval.remediation,
                undoes: true,
                restored: approval.plan.changes,
                approvedBy: ['U0ERIN', 'U0FINN'],
                reasons: [{ by: 'U0ERIN', reason: 'the only GPU' }],
                approvedAt: at,
              },
            }
          : undefined,
      );
    },
  );

  it('of an older diagnosis neither waits nor starts', () => {
    const older = { ...approval, look: 2 };
    expect(awaitingMore(incidentIn('diagnosed'), older, at)).toBeUndefined();
    expect(changeStarted(incidentIn('diagnosed'), older, at)).toBeUndefined();
  });

  it.each(phasesWhere(['awaiting']))('that closes in phase %s ends the waiting: %s', (phase, ends) => {
    const before = incidentIn(phase);
    expect(changes(before, approvalClosed(before, 'a1', at))).toEqual(
      ends ? { ...written, phase: 'diagnosed', approvalId: undefined } : undefined,
    );
  });

  it('that closes keeps the verdict of an earlier change', () => {
    const before = incidentIn('awaiting', { change: { ...change, verdict: 'unchanged' } });
    expect(approvalClosed(before, 'a1', at)?.phase).toBe('settled');
  });

  it('that closes ends the waiting where no change was made yet', () => {
    const { change: _, ...unchanged } = incidentIn('awaiting');
    expect(approvalClosed(unchanged, 'a1', at)?.phase).toBe('diagnosed');
  });

  it('that closes does not end the waiting for another approval', () => {
    expect(approvalClosed(incidentIn('awaiting'), 'a0', at)).toBeUndefined();
  });
});

describe('a change', () => {
  const applied = {
    approvalId: 'a1',
    at,
    generation: 9,
    undo: undefined,
    verifyUntil: '2026-11-20T10:10:00.000Z',
  };

  it.each(phasesWhere(['applying']))('is accepted by the API server in phase %s: %s', (phase, taken) => {
    const before = incidentIn(phase);
    expect(changes(before, changeApplied(before, applied))).toEqual(
      taken
        ? {
            ...written,
            phase: 'verifying',
            change: {
              ...change,
              appliedAt: at,
              generation: 9,
              undo: undefined,
              verifyUntil: applied.verifyUntil,
            },
          }
        : undefined,
    );
  });

  it.each(phasesWhere(['applying']))('fails in phase %s: %s', (phase, fails) => {
    const before = incidentIn(phase);
    expect(changes(before, changeFailed(before, 'a1', words, at))).toEqual(
      fails
        ? { ...written, phase: 'diagnosed', approvalId: undefined, change: { ...change, failure: words } }
        : undefined,
    );
  });

  it('ends in the same record whether the API server responds before or after the report of a failure', () => {
    const applying = incidentIn('applying');
    const failedFirst = changeFailed(applying, 'a1', words, at);
    const { version: _, ...late } = changeApplied(failedFirst ?? applying, applied) ?? applying;
    const { version: __, ...direct } = changeApplied(applying, applied) ?? applying;

    expect(late).toEqual(direct);
    expect(changeFailed(incidentIn('verifying'), 'a1', words, at)).toBeUndefined();
  });

  it.each(phasesWhere(['verifying']))('is verified in phase %s: %s', (phase, watched) => {
    const before = incidentIn(phase);
    expect(changes(before, verificationSaw(before, 'a1', { at, progress: words }))).toEqual(
      watched ? { ...written, change: { ...change, progress: words } } : undefined,
    );
  });

  it('records how many pods are replaced', () => {
    const seen = verificationSaw(incidentIn('verifying'), 'a1', { at, progress: words, replaced: 3 });
    expect(seen?.change?.replaced).toBe(3);
    const later = seen && verificationSaw(seen, 'a1', { at, progress: otherWords });
    expect(later?.change?.replaced).toBe(3);
  });

  it('is not recorded again while its progress is the same', () => {
    const before = incidentIn('verifying', { change: { ...change, progress: { ...words } } });
    expect(verificationSaw(before, 'a1', { at, progress: words })).toBeUndefined();
    expect(verificationSaw(before, 'a1', { at, progress: otherWords })?.change?.progress).toEqual(otherWords);
  });

  it.each(phasesWhere(['verifying']))('gets its verdict in phase %s: %s', (phase, gets) => {
    const before = incidentIn(phase, { change: { ...change, progress: otherWords } });
    const newer = buildDiagnosis({ findings: [] });
    const outcome = { at, diagnosis: newer, verdict: 'recovered', progress: words } as const;
    const settledPhase = { phase: 'settled', approvalId: undefined, look: 4 };
    expect(changes(before, settled(before, 'a1', outcome))).toEqual(
      gets
        ? {
            ...written,
            ...settledPhase,
            diagnosis: newer,
            change: { ...change, progress: words, verdict: 'recovered', verdictAt: at },
          }
        : undefined,
    );
  });

  it('keeps a reversal in a form that older versions read: unchanged, with who did it beside', () => {
    const reversal = { paths: ['spec.paused'], isFormer: true };
    const before = incidentIn('verifying', { change });
    const outcome = { at, diagnosis: undefined, verdict: 'reverted', reversal } as const;

    expect(settled(before, 'a1', outcome)?.change).toMatchObject({ verdict: 'unchanged', reversal });
  });

  it('keeps the last progress when the diagnosis for the verdict failed', () => {
    const before = incidentIn('verifying', { change: { ...change, progress: otherWords } });
    const after = settled(before, 'a1', { at, diagnosis: undefined, verdict: 'unchanged' });
    expect(after?.diagnosis).toBe(diagnosis);
    expect(after?.change).toEqual({ ...change, progress: otherWords, verdict: 'unchanged', verdictAt: at });
  });

  it.each<[string, (incident: Incident) => Incident | undefined]>([
    [
      'taken',
      (incident) => changeApplied({ ...incident, phase: 'applying' }, { ...applied, approvalId: 'a0' }),
    ],
    ['failed', (incident) => changeFailed({ ...incident, phase: 'applying' }, 'a0', words, at)],
    ['watched', (incident) => verificationSaw(incident, 'a0', { at, progress: words })],
    ['settled', (incident) => settled(incident, 'a0', { at, diagnosis, verdict: 'recovered' })],
  ])('of another approval is not %s', (_, transition) => {
    const { change: __, ...unchanged } = incidentIn('verifying');
    expect(transition(incidentIn('verifying'))).toBeUndefined();
    expect(transition(unchanged)).toBeUndefined();
  });

  it.each(phasesWhere(['applying', 'verifying']))('is in progress in phase %s: %s', (phase, under) => {
    expect(isChanging(incidentIn(phase))).toBe(under);
  });
});
