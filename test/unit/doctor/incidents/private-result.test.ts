import { describe, expect, it } from 'vitest';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { heldBackMs, isPrivateResult, shareResult } from '#src/doctor/incidents/visible-incident.js';
import { buildDiagnosis, buildIncident } from '../../../support/slack-builders.js';

const asked = { via: 'command', by: 'U0ALICE' } as const;
const healthy = buildDiagnosis({ findings: [] });
const calm: Partial<Incident> = { phase: 'diagnosed', diagnosis: healthy, origin: asked };

describe('a result that only the person who asked sees', () => {
  it('is a diagnosis without a problem that a command asked for', () => {
    expect(isPrivateResult(buildIncident(calm))).toBe(true);
  });

  it.each<[string, Partial<Incident>]>([
    ['a problem was found', { diagnosis: buildDiagnosis() }],
    [
      'the rollout is in progress',
      { diagnosis: { ...healthy, underWay: { updated: 1, wanted: 3 } } as never },
    ],
    ['some check failed', { diagnosis: { ...healthy, defects: [{ cause: 'evicted' }] } as never }],
    ['a mention asked for it, which the channel has read', { origin: { ...asked, via: 'mention' } }],
    ['nobody asked', { origin: { via: 'alert' } }],
    ['an alert is about it', { alerts: [] }],
    ['somebody is on it', { assignee: { by: 'U0MIN' } as never }],
    ['it is shared', { shared: true }],
    ['it is diagnosed again', { phase: 'diagnosing' }],
    ['another incident goes on in its place', { successor: 'inc-2' }],
  ])('is none when %s', (_, fields) => {
    expect(isPrivateResult(buildIncident({ ...calm, ...fields }))).toBe(false);
  });

  const restart = { by: 'U0ALICE', at: '2026-11-20T09:30:00Z', change: { kind: 'restart-rollout' } } as const;
  const possible = { type: 'possible', remediation: {}, warnings: [], owners: [] };

  it.each<[boolean, string, object | undefined]>([
    [true, 'is not possible', { type: 'impossible', because: {} }],
    [true, 'would deadlock', { ...possible, stops: 'deadlock' }],
    [true, 'would stop halfway', { ...possible, stops: 'halfway' }],
    [false, 'would complete', possible],
    [false, 'has no forecast', undefined],
  ])('is %s for a requested change that %s', (isPrivate, _, requested) => {
    const diagnosis = { ...healthy, requested } as never;

    expect(isPrivateResult(buildIncident({ ...calm, diagnosis, requested: restart }))).toBe(isPrivate);
  });

  it('is none for a requested change that cannot work, beside a problem', () => {
    const diagnosis = { ...buildDiagnosis(), requested: { type: 'impossible', because: {} } } as never;

    expect(isPrivateResult(buildIncident({ ...calm, diagnosis, requested: restart }))).toBe(false);
  });

  it('is shared once', () => {
    const shared = shareResult(buildIncident(calm), '2026-11-20T09:31:00Z');

    expect(shared).toMatchObject({ shared: true, version: buildIncident(calm).version + 1 });
    expect(shared && shareResult(shared, '2026-11-20T09:32:00Z')).toBeUndefined();
  });

  it('is shared while it is diagnosed again', () => {
    const again = buildIncident({ ...calm, phase: 'diagnosing' });

    expect(shareResult(again, '2026-11-20T09:31:00Z')).toMatchObject({ shared: true });
  });
});

describe('the card of a command', () => {
  const createdAt = '2026-11-20T09:30:00Z';
  const fresh: Partial<Incident> = { phase: 'diagnosing', origin: asked, createdAt };
  const secondsLater = (seconds: number) => new Date(Date.parse(createdAt) + seconds * 1_000);

  it('is held back for 30 seconds at most', () => {
    const incident = { ...buildIncident(fresh), diagnosis: undefined };

    expect(heldBackMs(incident, secondsLater(1))).toBe(29_000);
    expect(heldBackMs(incident, secondsLater(30))).toBe(0);
    expect(heldBackMs(incident, secondsLater(60))).toBe(0);
  });

  it('is held back until the forecast of a requested change decides who sees it', () => {
    const requested = { by: 'U0ALICE', at: createdAt, change: { kind: 'restart-rollout' } } as const;
    const first = { ...buildIncident({ ...fresh, requested }), diagnosis: undefined };
    const { requested: _none, ...calmBefore } = healthy;
    const second = buildIncident({ ...fresh, requested, diagnosis: calmBefore, updatedAt: createdAt });

    expect([first, second].map((each) => heldBackMs(each, secondsLater(1)))).toEqual([29_000, 29_000]);
  });

  it('is held back again while a private result is diagnosed again', () => {
    const again = { ...buildIncident({ ...fresh, diagnosis: healthy }), updatedAt: '2026-11-20T09:40:00Z' };

    expect(heldBackMs(again, secondsLater(605))).toBe(25_000);
    expect(heldBackMs(again, secondsLater(631))).toBe(0);
    expect(heldBackMs({ ...again, shared: true }, secondsLater(605))).toBe(0);
  });

  it.each<[string, Partial<Incident>]>([
    ['a problem was found before', { diagnosis: buildDiagnosis() }],
    ['the diagnosis has ended', { phase: 'failed' }],
    ['a mention asked for it', { origin: { ...asked, via: 'mention' } }],
  ])('is not held back when %s', (_, fields) => {
    expect(heldBackMs({ ...buildIncident(fresh), diagnosis: undefined, ...fields }, secondsLater(1))).toBe(0);
  });
});
