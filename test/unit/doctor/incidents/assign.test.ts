import { describe, expect, it } from 'vitest';
import { Incident } from '#src/doctor/incidents/incident.js';
import { succeededBy } from '#src/doctor/incidents/incident-succession.js';
import {
  assigned,
  assigneeOf,
  changeStarted,
  diagnosed,
  diagnosisFailed,
  diagnosisStarted,
  isAssignable,
  settled,
  unassigned,
} from '#src/doctor/incidents/incident-transitions.js';
import {
  applied,
  buildApproval,
  buildChange,
  buildDiagnosis,
  buildFinding,
  buildIncident,
} from '../../../support/slack-builders.js';

const at = '2026-11-20T09:31:00Z';
const later = '2026-11-20T09:40:00Z';
const statement = { catalogue: 'notices', key: 'failed-inside', values: { reference: 'x' } };

function onIt(fields: Partial<Incident> = {}): Incident {
  const incident = assigned(buildIncident(fields), 'U0MIN', at);
  if (incident === undefined) throw new Error('must be assigned');
  return incident;
}

/** The incident after another diagnosis of it. */
function diagnosedAgain(incident: Incident, diagnosis = buildDiagnosis()): Incident {
  const looking = diagnosisStarted(incident, later);
  const next = diagnosed(looking, looking.look, diagnosis, later);
  if (next === undefined) throw new Error('must be diagnosed');
  return next;
}

const anotherCause = buildDiagnosis({ findings: [buildFinding({ cause: 'application-crash' })] });

describe('somebody is on an incident', () => {
  it('that nobody is on, and the next version of the record names them', () => {
    const incident = onIt();
    expect(assigneeOf(incident)).toEqual({ by: 'U0MIN', at, cause: 'surge-deadlock' });
    expect(incident).toMatchObject({ version: 3, updatedAt: at });
    expect(Incident.parse(JSON.parse(JSON.stringify(incident)))).toEqual(incident);
  });

  it('once, however often they press', () => {
    expect(assigned(onIt(), 'U0MIN', later)).toBeUndefined();
  });

  it('until another person takes it from the one who has it', () => {
    const incident = onIt();
    expect(assigned(incident, 'U0DANA', later)).toBeUndefined();
    expect(assigned(incident, 'U0DANA', later, 'U0SAM')).toBeUndefined();
    const taken = assigned(incident, 'U0DANA', later, 'U0MIN');
    expect(taken && assigneeOf(taken)?.by).toBe('U0DANA');
  });

  it('until they hand it back', () => {
    const incident = onIt();
    expect(unassigned(incident, 'U0DANA', later)).toBeUndefined();
    const free = unassigned(incident, 'U0MIN', later);
    expect(free && assigneeOf(free)).toBeUndefined();
  });

  it('in the record of an approved fix, also after the cause is gone', () => {
    const incident = onIt();
    const started = changeStarted(incident, buildApproval({ look: incident.look }), later);
    expect(started?.beforeFix?.assignee).toEqual({ by: 'U0MIN', at, cause: 'surge-deadlock' });
    expect(changeStarted(buildIncident(), buildApproval(), later)?.beforeFix).not.toHaveProperty('assignee');
  });

  it('while the same cause is diagnosed again, and while it is', () => {
    expect(assigneeOf(diagnosisStarted(onIt(), later))?.by).toBe('U0MIN');
    expect(assigneeOf(diagnosedAgain(onIt()))?.by).toBe('U0MIN');
  });

  it.each([
    ['nothing is found', buildDiagnosis({ findings: [] })],
    ['another cause is found', anotherCause],
  ])('until %s, and not again when the cause comes back', (_, diagnosis) => {
    const over = diagnosedAgain(onIt(), diagnosis);
    expect(assigneeOf(over)).toBeUndefined();
    expect(assigneeOf(diagnosedAgain(over))).toBeUndefined();
  });

  it('until another incident goes on in its place', () => {
    const looking = diagnosisStarted(onIt(), later);
    expect(succeededBy(looking, looking.look, 'i2', later)?.assignee).toBeUndefined();
  });

  it.each([
    ['the workload is gone', true, undefined],
    ['the workload could not be read, and is read again', false, 'U0MIN'],
  ])('when %s', (_, isGone, by) => {
    const looking = diagnosisStarted(onIt(), later);
    const failed = diagnosisFailed(looking, looking.look, { failure: statement, isGone }, later);
    expect(failed && assigneeOf(failed)).toBeUndefined();
    expect(failed && assigneeOf(diagnosedAgain(failed))?.by).toBe(by);
  });

  it.each([
    ['helped', buildDiagnosis({ findings: [] }), undefined],
    ['did not help', buildDiagnosis(), 'U0MIN'],
    ['was not looked at', undefined, 'U0MIN'],
  ])('after a change that %s', (_, diagnosis, by) => {
    const verifying = onIt({ phase: 'verifying', change: buildChange(applied) });
    const outcome = { at: later, diagnosis, verdict: 'unchanged' } as const;
    const after = settled(verifying, 'a'.repeat(32), outcome);
    expect(after && assigneeOf(after)?.by).toBe(by);
  });
});

describe('nobody can be on an incident', () => {
  it.each<readonly [string, Partial<Incident>]>([
    ['without a diagnosis', { phase: 'diagnosing', diagnosis: undefined }],
    ['without a problem', { diagnosis: buildDiagnosis({ findings: [] }) }],
    ['that failed', { phase: 'failed' }],
    ['that goes on in another one', { successor: 'i2' }],
  ])('%s', (_, fields) => {
    const incident = buildIncident(fields);
    expect(isAssignable(incident)).toBe(false);
    expect(assigned(incident, 'U0MIN', at)).toBeUndefined();
  });
});
