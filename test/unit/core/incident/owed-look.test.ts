import { describe, expect, it } from 'vitest';
import type { IncidentAlert } from '#src/core/incident/incident.js';
import { alertFired } from '#src/core/incident/incident-alerts.js';
import { freshFor, freshMs } from '#src/core/incident/owed-look.js';
import { buildDiagnosis } from '#support/diagnosis.js';
import { buildIncident } from '#support/records.js';

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

describe('a look', () => {
  it.each([
    ['speaks for the alerts of the next moments', seen, 1_000, freshMs - 1_000],
    ['speaks no longer when its time is over', seen, freshMs, 0],
    ['of a clock that is a little ahead speaks its whole time', seen, -3_000, freshMs],
    ['of a clock that is far ahead speaks for nothing', seen, -freshMs, 0],
    ['that is under way speaks for nothing yet', { ...seen, phase: 'diagnosing' as const }, 0, 0],
    ['that failed speaks for nothing', { ...seen, phase: 'failed' as const }, 0, 0],
    ['that was never made speaks for nothing', { ...seen, diagnosis: undefined }, 0, 0],
  ])('%s', (_, incident, ms, expected) => {
    expect(freshFor(incident, msLater(ms))).toBe(expected);
  });
});

describe('an alert that fires', () => {
  it('right after a look is counted, and changes neither look nor phase', () => {
    expect(alertFired(seen, alertOf('a2'), msLater(1_000))).toMatchObject({
      version: seen.version + 1,
      phase: 'diagnosed',
      look: seen.look,
      occurrences: 2,
      alerts: [{ id: 'a1' }, { id: 'a2' }],
    });
  });

  it('right after a look leaves an approval that waits for a second person as it is', () => {
    const awaiting = { ...seen, phase: 'awaiting' as const, approvalId: 'p1' };
    expect(alertFired(awaiting, alertOf('a2'), msLater(1_000))).toMatchObject({
      phase: 'awaiting',
      approvalId: 'p1',
    });
  });

  it.each([
    ['once the look is old', seen, freshMs],
    [
      'at once where all the others said resolved',
      { ...seen, alerts: [alertOf('a1', { status: 'resolved' })] },
      1,
    ],
    ['at once where a person had asked', { ...seen, alerts: undefined }, 1],
  ])('is looked at afresh %s', (_, incident, ms) => {
    const { alerts, ...rest } = incident;
    const given = { ...rest, ...(alerts === undefined ? {} : { alerts }) };
    expect(alertFired(given, alertOf('a2'), msLater(ms))).toMatchObject({
      phase: 'diagnosing',
      look: seen.look + 1,
      occurrences: 2,
    });
  });

  it('is known for what it is, when its job is done again after forty-nine others', () => {
    const others = Array.from({ length: 49 }, (_, number) => alertOf(`other-${number}`));
    const full = others.reduce(
      (incident, alert) => alertFired(incident, alert, msLater(1)) ?? incident,
      seen,
    );

    expect(full.occurrences).toBe(50);
    expect(alertFired(full, alertOf('a1'), msLater(2))).toBeUndefined();
  });
});
