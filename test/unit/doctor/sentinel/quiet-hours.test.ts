import { describe, expect, it } from 'vitest';
import { QuietHours, quietUntil } from '#src/doctor/sentinel/sentinel-settings.js';

const untilIn = (settings: unknown, at: string): string | undefined => {
  const until = quietUntil(QuietHours.parse(settings), Date.parse(at));
  return until === undefined ? undefined : new Date(until).toISOString();
};
const nights = (timeZone: string) => ({ timeZone, windows: [{ from: '22:00', to: '07:00' }] });
const weekend = {
  timeZone: 'Asia/Seoul',
  windows: [
    { days: ['fri'], from: '18:00', to: '24:00' },
    { days: ['sat', 'sun'], from: '00:00', to: '24:00' },
  ],
};

describe('quiet hours', () => {
  it.each<[string, unknown, string, string | undefined]>([
    ['do not apply during the day', nights('UTC'), '2026-11-21T12:00:00Z', undefined],
    ['begin with their first minute', nights('UTC'), '2026-11-21T22:00:00Z', '2026-11-22T07:00:00.000Z'],
    ['do not apply a moment before', nights('UTC'), '2026-11-21T21:59:59.999Z', undefined],
    ['end on the next morning', nights('UTC'), '2026-11-22T03:14:15Z', '2026-11-22T07:00:00.000Z'],
    ['do not apply at their end', nights('UTC'), '2026-11-22T07:00:00Z', undefined],
    ['are those of the zone', nights('Asia/Seoul'), '2026-11-21T13:30:00Z', '2026-11-21T22:00:00.000Z'],
    ['of another zone do not apply', nights('America/New_York'), '2026-11-21T13:30:00Z', undefined],
    ['of several days end once', weekend, '2026-11-20T09:30:00Z', '2026-11-22T15:00:00.000Z'],
    ['of other days do not apply', weekend, '2026-11-19T09:30:00Z', undefined],
    [
      'belong to the day on which they begin',
      { timeZone: 'UTC', windows: [{ days: ['fri'], from: '22:00', to: '07:00' }] },
      '2026-11-21T03:00:00Z',
      '2026-11-21T07:00:00.000Z',
    ],
    [
      'of a Friday night do not hold in the night before',
      { timeZone: 'UTC', windows: [{ days: ['fri'], from: '22:00', to: '07:00' }] },
      '2026-11-20T03:00:00Z',
      undefined,
    ],
    [
      'that are adjacent are one period',
      {
        timeZone: 'UTC',
        windows: [
          { from: '22:00', to: '02:00' },
          { from: '02:00', to: '06:00' },
        ],
      },
      '2026-11-21T23:00:00Z',
      '2026-11-22T06:00:00.000Z',
    ],
    [
      'are an hour shorter when clocks go forward',
      nights('Europe/Berlin'),
      '2026-03-28T21:30:00Z',
      '2026-03-29T05:00:00.000Z',
    ],
    [
      'are an hour longer when clocks go back',
      nights('Europe/Berlin'),
      '2026-10-24T20:30:00Z',
      '2026-10-25T06:00:00.000Z',
    ],
    [
      'end with the hour that is missing, where their end falls into it',
      { timeZone: 'Europe/Berlin', windows: [{ from: '23:00', to: '02:30' }] },
      '2026-03-28T23:00:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'end the first time that the clock shows their end',
      { timeZone: 'Europe/Berlin', windows: [{ from: '23:00', to: '02:30' }] },
      '2026-10-24T23:30:00Z',
      '2026-10-25T00:30:00.000Z',
    ],
    ['of a zone with half hours', nights('Asia/Kolkata'), '2026-11-21T20:00:00Z', '2026-11-22T01:30:00.000Z'],
  ])('%s', (_, settings, at, until) => {
    expect(untilIn(settings, at)).toBe(until);
  });

  it.each<[string, unknown, string]>([
    ['an unknown time zone', nights('Asia/Soul'), 'IANA name'],
    ['a zone that is an offset', nights('+09:00'), 'IANA name'],
    ['no zone', nights(''), 'IANA name'],
    ['an invalid time', { timeZone: 'UTC', windows: [{ from: '25:00', to: '07:00' }] }, 'a time of day'],
    [
      'an end that is the begin',
      { timeZone: 'UTC', windows: [{ from: '07:00', to: '07:00' }] },
      'other than `from`',
    ],
    [
      'an unknown day',
      { timeZone: 'UTC', windows: [{ days: ['tues'], from: '07:00', to: '08:00' }] },
      'days',
    ],
    ['no window', { timeZone: 'UTC', windows: [] }, 'windows'],
    [
      'windows over the whole week',
      { timeZone: 'UTC', windows: [{ from: '00:00', to: '24:00' }] },
      'in which to speak',
    ],
  ])('are refused with %s', (_, settings, words) => {
    expect(JSON.stringify(QuietHours.safeParse(settings).error?.issues)).toContain(words);
  });
});
