import { describe, expect, it } from 'vitest';
import { type BrakedChange, Brakes, defaultChangesPerHour, findBrake } from '#src/doctor/policy/brakes.js';

const now = Date.parse('2026-11-20T09:30:00Z');
const minuteMs = 60_000;

function change(fields: Partial<BrakedChange> = {}): BrakedChange {
  return { cluster: 'prod', namespace: 'ml', undoes: false, now, stop: undefined, startedAt: [], ...fields };
}

const stop = { by: 'U0DANA', at: '2026-11-20T09:00:00Z', reason: 'network outage' };
const friday = { timeZone: 'UTC', windows: [{ days: ['fri'], from: '09:00', to: '18:00' }] };

const at = (time: string, day = 20) => `2026-11-${day}T${time}`;
const freeze = (reason: string, from?: string, until?: string) => ({ reason, from, until });
const weekly = (fields: object = {}) => ({ freezes: [{ reason: 'x', weekly: friday, ...fields }] });
const frozen = (from: string, until?: string) => ({ freezes: [freeze('x', from, until)] });
const atMost = (changesPerHour: number) => ({ limits: [{ changesPerHour }] });

describe('brakes', () => {
  it('block no change by default', () => {
    expect(findBrake(Brakes.parse({}), change())).toBeUndefined();
  });

  it.each([
    ['the policy stops changes', { stopped: 'x' }, {}, { type: 'stopped', reason: 'x', by: undefined }],
    ['a person stopped changes', {}, { stop }, { type: 'stopped', ...stop }],
    ['the policy stops changes and a person did too', { stopped: 'x' }, { stop }, { reason: 'x' }],
    ['changes are stopped and the change is an undo', {}, { stop, undoes: true }, { type: 'stopped' }],
    [
      'a freeze holds',
      frozen(at('09:30:00Z'), at('10:00:00Z')),
      {},
      { type: 'frozen', reason: 'x', until: '2026-11-20T10:00:00.000Z' },
    ],
    [
      'a freeze with an offset holds',
      frozen(at('18:00:00+09:00'), at('19:00:00+09:00')),
      {},
      { until: '2026-11-20T10:00:00.000Z' },
    ],
    ['a weekly freeze holds', weekly(), {}, { until: '2026-11-20T18:00:00.000Z' }],
    [
      'the longer of two freezes holds',
      { freezes: [freeze('short', at('09:00:00Z'), at('10:00:00Z')), { reason: 'long', weekly: friday }] },
      {},
      { reason: 'long' },
    ],
    [
      'the workload was changed too often',
      atMost(2),
      { startedAt: [now - 59 * minuteMs, now - 10 * minuteMs] },
      { type: 'too-many', changesPerHour: 2, freeAt: '2026-11-20T09:31:00.000Z' },
    ],
    [
      'the strictest of two limits is met',
      { limits: [{ changesPerHour: 5 }, { namespaces: ['m*'], changesPerHour: 1 }] },
      { startedAt: [now - minuteMs] },
      { changesPerHour: 1 },
    ],
    [
      'nothing is configured and the default is met',
      {},
      { startedAt: Array.from({ length: defaultChangesPerHour }, (_, n) => now - n * minuteMs) },
      { type: 'too-many', changesPerHour: defaultChangesPerHour },
    ],
  ])('block a change when %s', (_, policy, fields, expected) => {
    expect(findBrake(Brakes.parse(policy), change(fields))).toMatchObject(expected);
  });

  it.each([
    ['the freeze is over', frozen(at('09:00:00Z'), at('09:30:00Z')), {}],
    ['the freeze begins later', frozen(at('09:30:01Z'), at('09:30:00Z', 21)), {}],
    ['the freeze is for another namespace', weekly({ namespaces: ['shop'] }), {}],
    ['the freeze is for another cluster', weekly({ clusters: ['stage-*'] }), {}],
    ['a freeze is active and the change is an undo', weekly(), { undoes: true }],
    ['an hour has passed', atMost(1), { startedAt: [now - 60 * minuteMs] }],
    ['the limit is reached and the change is an undo', atMost(1), { startedAt: [now], undoes: true }],
    [
      'a limit of the policy is higher than the default',
      atMost(50),
      { startedAt: Array.from({ length: 20 }, () => now - 1) },
    ],
  ])('allow a change when %s', (_, policy, fields) => {
    expect(findBrake(Brakes.parse(policy), change(fields))).toBeUndefined();
  });

  it.each([
    ['a freeze without an end', frozen(at('09:00:00Z'))],
    ['a freeze that ends before it begins', frozen(at('09:00:00Z'), at('08:00:00Z'))],
    ['a freeze with both forms', weekly({ from: at('09:00:00Z'), until: at('10:00:00Z') })],
    ['a freeze without a reason', { freezes: [{ weekly: friday }] }],
    ['a time without a zone', frozen(at('09:00:00'), at('10:00:00Z'))],
    [
      'a freeze of the whole week',
      weekly({ weekly: { timeZone: 'UTC', windows: [{ from: '00:00', to: '24:00' }] } }),
    ],
    ['a limit of no change', atMost(0)],
    ['a misspelled field', { freeze: [] }],
    ['an empty reason for the stop', { stopped: '' }],
  ])('are refused with %s', (_, policy) => {
    expect(Brakes.safeParse(policy).success).toBe(false);
  });
});
