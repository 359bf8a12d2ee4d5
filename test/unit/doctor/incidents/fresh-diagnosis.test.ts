import { describe, expect, it } from 'vitest';
import type { IncidentAlert } from '#src/doctor/incidents/incident.js';
import { alertFired, freshFor, freshMs } from '#src/doctor/incidents/incident-alerts.js';
import { buildDiagnosis } from '../../../support/diagnosis.js';
import { buildIncident } from '../../../support/records.js';

const takenAt = '2026-11-21T03:00:00.000Z';
const msLater = (ms: number) => new Date(Date.parse(takenAt) + ms).toISOString();
const alertOf = (id: string, fields: Partial<IncidentAlert> = {}): IncidentAlert => ({
  id,
  name: 'KubePodNotReady',
  source: 'alertmanager',
  status: 'firing',
  firings: 1,
  at: takenAt,
  ...fields,
});
const seen = buildIncident({
  phase: 'diagnosed',
  diagnosis: buildDiagnosis({ takenAt }),
  alerts: [alertOf('a1')],
});

describe('a recent diagnosis', () => {
  it.each([
    ['covers the alerts of the next moments', seen, 1_000, freshMs - 1_000],
    ['covers no alert after its time', seen, freshMs, 0],
    ['of a clock that is a little ahead covers alerts for its whole time', seen, -3_000, freshMs],
    ['of a clock that is far ahead covers no alert', seen, -freshMs, 0],
    ['that is still running covers no alert yet', { ...seen, phase: 'diagnosing' as const }, 0, 0],
    ['that failed covers no alert', { ...seen, phase: 'failed' as const }, 0, 0],
    ['that never ran covers no alert', { ...seen, diagnosis: undefined }, 0, 0],
  ])('%s', (_, incident, ms, expected) => {
    expect(freshFor(incident, msLater(ms))).toBe(expected);
  });
});

describe('a firing alert', () => {
  it('shortly after a diagnosis is counted, and changes neither diagnosis nor phase', () => {
    expect(alertFired(seen, alertOf('a2'), msLater(1_000))).toMatchObject({
      version: seen.version + 1,
      phase: 'diagnosed',
      look: seen.look,
      occurrences: 2,
      alerts: [{ id: 'a1' }, { id: 'a2' }],
    });
  });

  it('shortly after a diagnosis keeps an approval that waits for a second person', () => {
    const awaiting = { ...seen, phase: 'awaiting' as const, approvalId: 'p1' };
    expect(alertFired(awaiting, alertOf('a2'), msLater(1_000))).toMatchObject({
      phase: 'awaiting',
      approvalId: 'p1',
    });
  });

  it.each([
    ['after the diagnosis has become old', seen, freshMs],
    [
      'at once where all other alerts are resolved',
      { ...seen, alerts: [alertOf('a1', { status: 'resolved' })] },
      1,
    ],
    ['at once where a person had asked', { ...seen, alerts: undefined }, 1],
  ])('is diagnosed again %s', (_, incident, ms) => {
    const { alerts, ...rest } = incident;
    const given = { ...rest, ...(alerts === undefined ? {} : { alerts }) };
    expect(alertFired(given, alertOf('a2'), msLater(ms))).toMatchObject({
      phase: 'diagnosing',
      look: seen.look + 1,
      occurrences: 2,
    });
  });

  it('is recognized when its job runs again after forty-nine other alerts', () => {
    const others = Array.from({ length: 49 }, (_, number) => alertOf(`other-${number}`));
    const full = others.reduce(
      (incident, alert) => alertFired(incident, alert, msLater(1)) ?? incident,
      seen,
    );

    expect(full.occurrences).toBe(50);
    expect(alertFired(full, alertOf('a1'), msLater(2))).toBeUndefined();
  });
});
