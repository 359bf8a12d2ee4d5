import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Brakes, findBrake } from '#src/doctor/policy/brakes.js';
import { coversWeek, openUntil, WeeklyWindows } from '#src/doctor/policy/weekly-windows.js';
import { mainThreadWork } from '../../../support/processor-work.js';

const minuteMs = 60_000;
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const timeOf = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** Minute by minute, by what the wall clock shows: slow, and right where clocks are set. */
function openUntilByMinutes({ timeZone, windows }: WeeklyWindows, at: number): number | undefined {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  });
  const isOpen = (time: number): boolean => {
    const parts = new Map(format.formatToParts(time).map(({ type, value }) => [type, value]));
    const today = days.map(String).indexOf(parts.get('weekday')?.toLowerCase() ?? '');
    const minute = Number(parts.get('hour')) * 60 + Number(parts.get('minute'));
    return windows.some(({ days: starts, from, to }) => {
      const beganToday = starts.some((day) => day === days[today]) && minute >= from;
      if (from < to) return beganToday && minute < to;
      return beganToday || (starts.some((day) => day === days[(today + 6) % 7]) && minute < to);
    });
  };
  if (!isOpen(at)) return undefined;
  const first = Math.floor(at / minuteMs) + 1;
  for (let minute = first; minute < first + 8 * 1_440; minute += 1) {
    if (!isOpen(minute * minuteMs)) return minute * minuteMs;
  }
  return undefined;
}

const window = fc
  .tuple(
    fc.subarray([...days], { minLength: 1 }),
    fc.integer({ min: 0, max: 95 }),
    fc.integer({ min: 0, max: 95 }),
  )
  .filter(([, from, to]) => from !== to)
  .map(([on, from, to]) => ({ days: on, from: timeOf(from * 15), to: timeOf(to * 15) }));

/** With the nights on which clocks are set, also by half an hour and across midnight. */
const moments: readonly [string, string][] = [
  ['Europe/Berlin', '2026-03-28T20:00:00Z'],
  ['Europe/Berlin', '2026-10-24T20:00:00Z'],
  ['America/New_York', '2026-03-07T20:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T10:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T10:00:00Z'],
  ['America/Sao_Paulo', '2018-11-03T20:00:00Z'],
  ['Pacific/Apia', '2011-12-29T20:00:00Z'],
  ['Asia/Kathmandu', '2026-06-01T00:00:00Z'],
  ['UTC', '2026-12-31T20:00:00Z'],
];

describe('weekly windows', () => {
  it('close when the wall clock shows it, also where clocks are set', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...moments),
        fc.array(window, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 0, max: 7 * 1_440 * 60 }),
        ([timeZone, from], windows, seconds) => {
          const weekly = WeeklyWindows.parse({ timeZone, windows });
          const at = Date.parse(from) - 86_400_000 + seconds * 1_000;
          expect(openUntil(weekly, at)).toBe(openUntilByMinutes(weekly, at));
        },
      ),
      { seed: 40, numRuns: 60 },
    );
  });

  it.each([
    [[{ from: '00:00', to: '24:00' }], true],
    [[{ from: '12:00', to: '11:59' }], false],
    [
      [
        { from: '12:00', to: '00:00' },
        { from: '00:00', to: '12:00' },
      ],
      true,
    ],
    [[{ days: ['sat'], from: '00:00', to: '24:00' }], false],
  ])('that are %j cover the week: %s', (windows, covers) => {
    expect(coversWeek(WeeklyWindows.parse({ timeZone: 'UTC', windows }))).toBe(covers);
  });

  it('cost a click the same for a hundred long freezes as for a hundred short ones', async () => {
    const brakesOf = (windows: readonly object[]) =>
      Brakes.parse({
        freezes: Array.from({ length: 100 }, (_, at) => ({
          ...{ reason: `freeze ${at}`, clusters: ['*'], namespaces: ['*'] },
          weekly: { timeZone: 'Asia/Seoul', windows },
        })),
      });
    // A Monday, at two minutes past noon in Seoul.
    const now = Date.parse('2026-11-23T03:02:00Z');
    const about = { cluster: 'prod', namespace: 'shop', undoes: false, now, stop: undefined, startedAt: [] };
    const short = brakesOf([{ days: ['mon'], from: '12:00', to: '12:05' }]);
    const long = brakesOf([
      { days: days.slice(1), from: '00:00', to: '24:00' },
      { days: ['sun'], from: '00:00', to: '23:58' },
    ]);
    expect(findBrake(long, about)).toMatchObject({ type: 'frozen' });
    expect(findBrake(short, about)).toMatchObject({ type: 'frozen' });
    const ofShort = await mainThreadWork(() => findBrake(short, about), 5);
    const ofLong = await mainThreadWork(() => findBrake(long, about), 5);
    expect(ofLong).toBeLessThan(Math.max(ofShort, 1) * 20);
  });
});
