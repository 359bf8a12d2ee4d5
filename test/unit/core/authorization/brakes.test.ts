import { describe, expect, it } from 'vitest';
import {
  type BrakedChange,
  Brakes,
  defaultChangesPerHour,
  findBrake,
} from '#src/core/authorization/brakes.js';

const now = Date.parse('2026-11-20T09:30:00Z');
const minuteMs = 60_000;

function change(fields: Partial<BrakedChange> = {}): BrakedChange {
  return { cluster: 'prod', namespace: 'ml', undoes: false, now, stop: undefined, startedAt: [], ...fields };
}

const stop = { by: 'U0DANA', at: '2026-11-20T09:00:00Z', reason: 'network outage' };
const friday = { timeZone: 'UTC', windows: [{ days: ['fri'], from: '09:00', to: '18:00' }] };

describe('brakes', () => {
  it('block no change by default', () => {
    expect(findBrake(Brakes.parse({}), change())).toBeUndefined();
  });

  it.each([
    [
      'the policy stops changes',
      { stopped: 'migration' },
      {},
      { type: 'stopped', reason: 'migration', by: undefined },
    ],
    ['a person stopped changes', {}, { stop }, { type: 'stopped', ...stop }],
    [
      'the policy stops changes and a person did too',
      { stopped: 'migration' },
      { stop },
      { reason: 'migration' },
    ],
    ['changes are stopped and the change is an undo', {}, { stop, undoes: true }, { type: 'stopped' }],
    [
      'a freeze holds',
      { freezes: [{ reason: 'launch', from: '2026-11-20T09:30:00Z', until: '2026-11-20T10:00:00Z' }] },
      {},
      { type: 'frozen', reason: 'launch', until: '2026-11-20T10:00:00.000Z' },
    ],
    [
      'a freeze with an offset holds',
      {
        freezes: [
          { reason: 'launch', from: '2026-11-20T18:00:00+09:00', until: '2026-11-20T19:00:00+09:00' },
        ],
      },
      {},
      { until: '2026-11-20T10:00:00.000Z' },
    ],
    [
      'a weekly freeze holds',
      { freezes: [{ reason: 'weekend', weekly: friday }] },
      {},
      { until: '2026-11-20T18:00:00.000Z' },
    ],
    [
      'the longer of two freezes holds',
      {
        freezes: [
          { reason: 'short', from: '2026-11-20T09:00:00Z', until: '2026-11-20T10:00:00Z' },
          { reason: 'long', weekly: friday },
        ],
      },
      {},
      { reason: 'long' },
    ],
    [
      'the workload was changed too often',
      { limits: [{ changesPerHour: 2 }] },
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
    [
      'the freeze is over',
      { freezes: [{ reason: 'x', from: '2026-11-20T09:00:00Z', until: '2026-11-20T09:30:00Z' }] },
      {},
    ],
    [
      'the freeze begins later',
      { freezes: [{ reason: 'x', from: '2026-11-20T09:30:01Z', until: '2026-11-21T09:30:00Z' }] },
      {},
    ],
    [
      'the freeze is for another namespace',
      { freezes: [{ reason: 'x', namespaces: ['shop'], weekly: friday }] },
      {},
    ],
    [
      'the freeze is for another cluster',
      { freezes: [{ reason: 'x', clusters: ['stage-*'], weekly: friday }] },
      {},
    ],
    [
      'a freeze is active and the change is an undo',
      { freezes: [{ reason: 'x', weekly: friday }] },
      { undoes: true },
    ],
    ['an hour has passed', { limits: [{ changesPerHour: 1 }] }, { startedAt: [now - 60 * minuteMs] }],
    [
      'the limit is reached and the change is an undo',
      { limits: [{ changesPerHour: 1 }] },
      { startedAt: [now], undoes: true },
    ],
    [
      'a limit of the policy is higher than the default',
      { limits: [{ changesPerHour: 50 }] },
      { startedAt: Array.from({ length: 20 }, () => now - 1) },
    ],
  ])('allow a change when %s', (_, policy, fields) => {
    expect(findBrake(Brakes.parse(policy), change(fields))).toBeUndefined();
  });

  it.each([
    ['a freeze without an end', { freezes: [{ reason: 'x', from: '2026-11-20T09:00:00Z' }] }],
    [
      'a freeze that ends before it begins',
      { freezes: [{ reason: 'x', from: '2026-11-20T09:00:00Z', until: '2026-11-20T08:00:00Z' }] },
    ],
    [
      'a freeze with both forms',
      {
        freezes: [
          { reason: 'x', from: '2026-11-20T09:00:00Z', until: '2026-11-20T10:00:00Z', weekly: friday },
        ],
      },
    ],
    ['a freeze without a reason', { freezes: [{ weekly: friday }] }],
    [
      'a time without a zone',
      { freezes: [{ reason: 'x', from: '2026-11-20T09:00:00', until: '2026-11-20T10:00:00Z' }] },
    ],
    [
      'a freeze of the whole week',
      { freezes: [{ reason: 'x', weekly: { timeZone: 'UTC', windows: [{ from: '00:00', to: '24:00' }] } }] },
    ],
    ['a limit of no change', { limits: [{ changesPerHour: 0 }] }],
    ['a misspelled field', { freeze: [] }],
    ['an empty reason for the stop', { stopped: '' }],
  ])('are refused with %s', (_, policy) => {
    expect(Brakes.safeParse(policy).success).toBe(false);
  });
});
