import { describe, expect, it } from 'vitest';
import { alertBounds, identityText } from '#src/doctor/alerts/alert.js';
import {
  AlertQuestion,
  AlertRecord,
  firstSignal,
  handledUpTo,
  isHandled,
  nextSignal,
} from '#src/doctor/alerts/alert-record.js';
import { boundedAlert, buildAlert } from '../../../support/alert-builders.js';

const place = { channel: 'C0INCIDENTS' };
const at = (minutes: number): string => new Date(Date.UTC(2026, 10, 21, 3, minutes)).toISOString();
const buildSignal = (changes: Parameters<typeof buildAlert>[0] = {}) => ({
  alert: buildAlert(changes),
  place,
  language: 'en' as const,
});

function recordOf(...signals: readonly [number, Parameters<typeof buildAlert>[0]][]): AlertRecord {
  const [[minute, first], ...rest] = signals as [(typeof signals)[number], ...typeof signals];
  return rest.reduce(
    (record, [later, changes]) => nextSignal(record, buildSignal(changes), at(later)) ?? record,
    firstSignal('a1', buildSignal(first), at(minute)),
  );
}

describe('an alert record', () => {
  it.each<
    [string, readonly [number, Parameters<typeof buildAlert>[0]][], { signals: number; firings: number }]
  >([
    ['a first notification is a signal', [[0, {}]], { signals: 1, firings: 1 }],
    [
      'a retry within four minutes is none',
      [
        [0, {}],
        [3, {}],
      ],
      { signals: 1, firings: 1 },
    ],
    [
      'the same after five minutes is a repetition',
      [
        [0, {}],
        [5, {}],
      ],
      { signals: 2, firings: 2 },
    ],
    [
      'a new firing counts at once',
      [
        [0, {}],
        [1, { startsAt: '2026-11-21T03:01:00Z' }],
      ],
      { signals: 2, firings: 2 },
    ],
    [
      'resolved is a signal and no firing',
      [
        [0, {}],
        [1, { status: 'resolved' }],
      ],
      { signals: 2, firings: 1 },
    ],
    [
      'a late retry of the firing keeps the alert resolved',
      [
        [0, {}],
        [1, { status: 'resolved' }],
        [2, {}],
      ],
      { signals: 2, firings: 1 },
    ],
    [
      'the sender lives in another time',
      [
        [0, { startsAt: '2031-01-01T00:00:00Z' }],
        [1, { startsAt: '1999-01-01T00:00:00Z' }],
      ],
      { signals: 2, firings: 2 },
    ],
  ])('counts its firings: %s', (_, signals, expected) => {
    expect(recordOf(...signals)).toMatchObject(expected);
  });

  it('stays resolved when a retry of an old firing arrives late', () => {
    expect(recordOf([0, {}], [1, { status: 'resolved' }], [2, {}]).alert.status).toBe('resolved');
  });

  it('is pending until its newest signal was handled', () => {
    const record = recordOf([0, {}], [5, {}]);
    const half = handledUpTo(record, 1, { counted: 1, incidents: ['i1'] });
    const all = half && handledUpTo(half, 2, { counted: 1, incidents: ['i1', 'i2'] });

    expect([isHandled(record), half && isHandled(half), all && isHandled(all)]).toEqual([false, false, true]);
    expect(all?.incidents).toEqual(['i1', 'i2']);
    expect(all && handledUpTo(all, 2, { counted: 1, incidents: ['i3'] })).toBeUndefined();
  });

  it('stores a bounded number of signals', () => {
    const record = recordOf(...Array.from({ length: 40 }, (_, hour): [number, object] => [hour * 10, {}]));

    expect(record.recent.length).toBeLessThanOrEqual(8);
    expect(record.signals).toBe(40);
  });
});

describe('an alert record, field by field', () => {
  it('begins with the first notification', () => {
    const { alert } = buildSignal();
    expect(firstSignal('a1', buildSignal(), at(0))).toEqual({
      v: 1,
      id: 'a1',
      version: 1,
      alert,
      place,
      language: 'en',
      firstAt: at(0),
      lastAt: at(0),
      signals: 1,
      firings: 1,
      handled: 0,
      counted: 0,
      recent: [{ says: `firing ${alert.startsAt}`, at: at(0) }],
      incidents: [],
    });
  });

  it('may begin with a resolved alert, of a sender without a start time', () => {
    const record = firstSignal('a1', buildSignal({ status: 'resolved', startsAt: undefined }), at(0));

    expect(record).toMatchObject({ signals: 1, firings: 0 });
    expect(
      nextSignal(record, buildSignal({ status: 'resolved', startsAt: undefined }), at(1)),
    ).toBeUndefined();
  });

  it('has the newest text, place and language, and the time of the first signal', () => {
    const record = firstSignal('a1', buildSignal(), at(0));
    const next = nextSignal(
      record,
      {
        alert: buildAlert({ status: 'resolved', text: 'over' }),
        place: { channel: 'C0B', threadTs: '1.2' },
        language: 'ko',
      },
      at(7),
    );

    expect(next).toMatchObject({
      version: 2,
      alert: { status: 'resolved', text: 'over' },
      place: { channel: 'C0B', threadTs: '1.2' },
      language: 'ko',
      firstAt: at(0),
      lastAt: at(7),
    });
  });

  it('treats an equal signal within four minutes as a retry, to the second', () => {
    const record = firstSignal('a1', buildSignal(), '2026-11-21T03:00:00Z');

    expect(nextSignal(record, buildSignal(), '2026-11-21T03:03:59Z')).toBeUndefined();
    expect(nextSignal(record, buildSignal(), '2026-11-21T03:04:00Z')?.signals).toBe(2);
  });

  it('stores the eight newest signals, newest last', () => {
    const record = recordOf(...Array.from({ length: 9 }, (_, each): [number, object] => [each * 10, {}]));

    expect(record.recent.map((each) => each.at)).toEqual([10, 20, 30, 40, 50, 60, 70, 80].map(at));
  });

  it('stores the ten newest incidents, each once', () => {
    const ids = Array.from({ length: 11 }, (_, each) => `i${each}`);
    const record = handledUpTo(firstSignal('a1', buildSignal(), at(0)), 1, {
      counted: 1,
      incidents: [...ids, 'i10'],
    });

    expect(record?.incidents).toEqual(ids.slice(1));
  });

  const question = AlertQuestion.parse({
    of: 1,
    at: at(1),
    place: { channel: 'C0A', threadTs: '1.2' },
    about: 'name',
    called: 'web',
    choices: [{ cluster: 'prod', kind: 'Deployment', namespace: 'shop', name: 'web' }],
  });

  it('keeps a question until another one replaces it, and counts each change', () => {
    const withQuestion = handledUpTo(recordOf([0, {}], [5, {}]), 1, { counted: 1, incidents: [], question });
    const later = withQuestion && handledUpTo(withQuestion, 2, { counted: 1, incidents: ['i1'] });

    expect(withQuestion).toMatchObject({ version: 3, handled: 1, question });
    expect(later).toMatchObject({ version: 4, handled: 2, incidents: ['i1'], question });
    expect(later && handledUpTo(later, 1, { counted: 1, incidents: ['i1'] })).toBeUndefined();
  });

  it('is to be worked on again where a slow worker opened an incident that later signals did not reach', () => {
    const record = recordOf([0, {}], [1, { status: 'resolved' }]);
    const later = handledUpTo(record, 2, { counted: 0, incidents: [] });
    const again = later && handledUpTo(later, 1, { counted: 1, incidents: ['i1'] });

    expect(again).toMatchObject({ version: 4, handled: 1, counted: 0, incidents: ['i1'] });
    expect(again && handledUpTo(again, 1, { counted: 1, incidents: ['i1'] })).toBeUndefined();
  });

  it.each([
    [0, false],
    [1, false],
    [2, true],
    [3, true],
  ])('with two signals, of which %i were handled, is complete: %s', (handled, done) => {
    expect(isHandled({ ...recordOf([0, {}], [5, {}]), handled })).toBe(done);
  });

  it('is parsed as it was written', () => {
    const record = { ...recordOf([0, {}], [5, {}]), question };
    expect(AlertRecord.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
  });

  it.each<[string, object]>([
    ['without signals', { signals: 0 }],
    ['with half a signal', { signals: 1.5 }],
    ['with a negative number of firings', { firings: -1 }],
    ['with half a firing', { firings: 0.5 }],
    ['with a negative number of handled signals', { handled: -1 }],
    ['acted on by half', { handled: 0.5 }],
    ['of another version', { v: 2 }],
    ['without a channel', { place: {} }],
    ['with a thread that is no text', { place: { channel: 'C0A', threadTs: 1 } }],
    ['with an empty signal', { recent: [{}] }],
    ['with a question about something else', { question: { ...question, about: 'weather' } }],
    ['with a question without choices', { question: { ...question, choices: [] } }],
  ])('is refused %s', (_, changes) => {
    expect(AlertRecord.safeParse({ ...recordOf([0, {}]), ...changes }).success).toBe(false);
  });

  it.each(['name', 'cluster'])('may contain a question about the %s', (about) => {
    expect(AlertQuestion.safeParse({ ...question, about }).success).toBe(true);
  });
});

describe('a received alert', () => {
  it('is shortened to its limits', () => {
    const many = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, number) => [`label_${number}`, 'x y '.repeat(1_000)]),
    );
    const alert = boundedAlert({
      source: 'generic',
      status: 'firing',
      fingerprint: 'f'.repeat(10_000),
      name: 'n'.repeat(10_000),
      startsAt: 'soon',
      labels: many,
      annotations: many,
      text: 'one two '.repeat(50_000),
      links: Array.from({ length: 50 }, () => 'https://example.com/'),
    });

    expect(JSON.stringify(alert).length).toBeLessThan(80_000);
    expect(Object.keys(alert.labels)).toHaveLength(alertBounds.labels);
    expect(alert.text.length).toBeLessThanOrEqual(alertBounds.text);
    expect(alert.startsAt).toBeUndefined();
  });

  it('keeps no secret in any field', () => {
    const canary = 'xoxb-1111111111-2222222222-CanaryCanaryCanaryCan';
    const alert = boundedAlert({
      source: 'alertmanager',
      status: 'firing',
      fingerprint: 'f',
      name: `Stuck ${canary}`,
      labels: { namespace: 'shop', note: `password=${canary}`, deployment: 'web' },
      annotations: { description: `Authorization: Bearer ${canary}` },
      text: `token ${canary}`,
    });

    expect(JSON.stringify(alert)).not.toContain('Canary');
    expect(alert.labels).toMatchObject({ namespace: 'shop', deployment: 'web' });
  });

  it.each([
    ['the name of a pod', 'web-7d9c5b8f6-x2k4p'],
    ['a long name of a workload', 'payments-reconciliation-worker-eu-west-1-canary'],
    ['the name of a StatefulSet pod', 'postgresql-ha-0'],
  ])('keeps %s unchanged, since it is used for look-ups', (_, name) => {
    expect(buildAlert({ labels: { pod: name } }).labels.pod).toBe(name);
  });

  it.each([
    ['javascript:alert(1)', []],
    ['https://x.example/a|b', []],
    ['?orgId=1', []],
    ['https://x.example/a?b=c', ['https://x.example/a?b=c']],
  ])('keeps only the address of the link %s', (link, expected) => {
    expect(buildAlert({ links: [link] }).links).toEqual(expected);
  });

  it('has no start time where the sender knows none', () => {
    expect(buildAlert({ startsAt: '0001-01-01T00:00:00Z' }).startsAt).toBeUndefined();
  });

  it('has a fingerprint of its name and labels, in any order', () => {
    expect(identityText('A', { x: '1', y: '2' })).toBe(identityText('A', { y: '2', x: '1' }));
    expect(identityText('A', { x: '1' })).not.toBe(identityText('A', { x: '2' }));
  });
});
