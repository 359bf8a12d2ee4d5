import { describe, expect, it } from 'vitest';
import type { Incident, IncidentAlert } from '#src/doctor/incidents/incident.js';
import { alertFired, alertResolved, alertStatusOf } from '#src/doctor/incidents/incident-alerts.js';
import { buildDiagnosis } from '../../../support/diagnosis.js';
import { buildIncident } from '../../../support/records.js';

const at = '2026-11-21T05:00:00.000Z';
const earlier = '2026-11-21T04:00:00.000Z';
const alertOf = (id: string, fields: Partial<IncidentAlert> = {}): IncidentAlert => ({
  id,
  name: 'KubePodNotReady',
  source: 'alertmanager',
  status: 'firing',
  firings: 1,
  at,
  ...fields,
});
const over = { status: 'resolved' } as const;

/** An incident with an old diagnosis, which covers no alert. */
const seen = (alerts?: readonly IncidentAlert[], fields: Partial<Incident> = {}): Incident =>
  buildIncident({
    phase: 'diagnosed',
    diagnosis: buildDiagnosis({ takenAt: '2026-11-21T03:00:00.000Z' }),
    occurrences: 4,
    look: 2,
    approvalId: 'a9',
    ...(alerts === undefined ? {} : { alerts }),
    ...fields,
  });

describe('the alerts of an incident report together', () => {
  it.each<readonly [string, Incident, string | undefined]>([
    ['nothing where no alert is stored', seen(), undefined],
    ['nothing where the list is empty', seen([]), undefined],
    ['that one alert fires', seen([alertOf('a', over), alertOf('b'), alertOf('c', over)]), 'firing'],
    ['that all alerts are resolved', seen([alertOf('a', over), alertOf('b', over)]), 'resolved'],
  ])('%s', (_, incident, status) => {
    expect(alertStatusOf(incident)).toBe(status);
  });
});

describe('a firing alert', () => {
  const fired = (incident: Incident, alert: IncidentAlert) => alertFired(incident, alert, at);

  it('is the first alert of an incident that people requested', () => {
    expect(fired(seen(), alertOf('a'))).toMatchObject({
      version: 2,
      phase: 'diagnosing',
      look: 3,
      approvalId: undefined,
      updatedAt: at,
      occurrences: 5,
      alerts: [alertOf('a')],
    });
  });

  it.each<readonly [string, readonly IncidentAlert[], IncidentAlert, number | undefined]>([
    ['a second alert counts once', [alertOf('a')], alertOf('b', { firings: 7 }), 5],
    [
      'a repeated alert counts its new firings',
      [alertOf('a', { firings: 2 })],
      alertOf('a', { firings: 5 }),
      7,
    ],
    [
      'an alert that was counted changes nothing',
      [alertOf('a', { firings: 5 })],
      alertOf('a', { firings: 5 }),
      undefined,
    ],
    [
      'an alert with fewer firings than counted changes nothing',
      [alertOf('a', { firings: 5 })],
      alertOf('a'),
      undefined,
    ],
    [
      'an alert whose former record was forgotten counts all firings of the new one',
      [alertOf('a', { firings: 5, recordedAt: earlier })],
      alertOf('a', { firings: 2, recordedAt: at }),
      6,
    ],
    [
      'the new record of a forgotten alert counts once',
      [alertOf('a', { firings: 2, recordedAt: at })],
      alertOf('a', { firings: 2, recordedAt: at }),
      undefined,
    ],
    [
      'the forgotten record of an alert counts no more',
      [alertOf('a', { firings: 2, recordedAt: at })],
      alertOf('a', { firings: 5, recordedAt: earlier }),
      undefined,
    ],
    [
      'the forgotten record of an alert that was resolved since counts no more',
      [alertOf('a', { ...over, firings: 2, recordedAt: at })],
      alertOf('a', { firings: 5, recordedAt: earlier }),
      undefined,
    ],
    [
      'an alert of an earlier version that was forgotten counts all firings of the new record',
      [alertOf('a', { firings: 5, at: earlier })],
      alertOf('a', { firings: 2, recordedAt: at }),
      6,
    ],
    [
      'an alert of an earlier version that was not forgotten counts its new firings',
      [alertOf('a', { firings: 2, at: earlier })],
      alertOf('a', { firings: 5, recordedAt: earlier }),
      7,
    ],
    [
      'an alert that was resolved starts a diagnosis, and is not counted twice',
      [alertOf('a', over)],
      alertOf('a'),
      4,
    ],
    [
      'an alert that was resolved keeps its higher count',
      [alertOf('a', { ...over, firings: 5 })],
      alertOf('a', { firings: 3 }),
      4,
    ],
  ])('%s', (_, known, alert, occurrences) => {
    const next = fired(seen(known), alert);

    expect(next?.occurrences).toBe(occurrences);
    if (occurrences !== undefined) expect(next).toMatchObject({ phase: 'diagnosing', look: 3 });
  });

  it('replaces its earlier entry, as the newest', () => {
    const next = fired(seen([alertOf('a'), alertOf('b')]), alertOf('a', { firings: 2 }));

    expect(next?.alerts).toEqual([alertOf('b'), alertOf('a', { firings: 2 })]);
  });

  it('leaves at most the fifty newest', () => {
    const many = Array.from({ length: 50 }, (_, number) => alertOf(`a${number}`));

    expect(fired(seen(many), alertOf('z'))?.alerts?.map(({ id }) => id)).toEqual([
      ...many.slice(1).map(({ id }) => id),
      'z',
    ]);
  });
});

describe('a resolved alert', () => {
  const resolved = (incident: Incident, alert: IncidentAlert) => alertResolved(incident, alert, at);

  it.each<readonly [string, Incident]>([
    ['that the incident never had', seen([alertOf('b')])],
    ['of an incident without alerts', seen()],
    ['that was resolved', seen([alertOf('a', over)])],
  ])('changes nothing when it is one %s', (_, incident) => {
    expect(resolved(incident, alertOf('a', over))).toBeUndefined();
  });

  it('is recorded while another alert fires', () => {
    expect(resolved(seen([alertOf('a'), alertOf('b')]), alertOf('a', over))).toEqual({
      ...seen([alertOf('b'), alertOf('a', over)]),
      version: 2,
      updatedAt: at,
    });
  });

  it('counts what fired since its former record was forgotten', () => {
    const known = alertOf('a', { firings: 5, recordedAt: earlier });
    const anew = alertOf('a', { ...over, firings: 1, recordedAt: at });
    expect(resolved(seen([known]), anew)).toMatchObject({ occurrences: 5, alerts: [anew] });
  });

  it.each<readonly [string, Partial<IncidentAlert>]>([
    ['a record that was forgotten', { firings: 5, recordedAt: '2026-11-21T03:00:00.000Z' }],
    ['a state before the last firing', { firings: 1, recordedAt: earlier }],
  ])('changes nothing when a slow worker reports it of %s', (_, fields) => {
    const known = alertOf('a', { firings: 2, recordedAt: earlier });
    expect(resolved(seen([known]), alertOf('a', { ...over, ...fields }))).toBeUndefined();
  });

  it('starts a new diagnosis where it was the last one firing', () => {
    expect(resolved(seen([alertOf('b', over), alertOf('a')]), alertOf('a', over))).toMatchObject({
      version: 2,
      updatedAt: at,
      phase: 'diagnosing',
      look: 3,
      occurrences: 4,
      approvalId: undefined,
      alerts: [{ id: 'b' }, { id: 'a', status: 'resolved' }],
    });
  });

  it.each(['diagnosing', 'applying', 'verifying'] as const)(
    'is recorded, the last or not, while %s',
    (phase) => {
      expect(resolved(seen([alertOf('a')], { phase }), alertOf('a', over))).toMatchObject({
        version: 2,
        updatedAt: at,
        phase,
        look: 2,
        approvalId: 'a9',
        alerts: [{ status: 'resolved' }],
      });
    },
  );
});
