import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';

/** As `Intl` counts and abbreviates them. */
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const clockTime = z
  .string()
  .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, 'a time of day such as 22:30')
  .transform(minutesOf);

const Window = z
  .strictObject({
    /** Days on which it begins; all of them when left out. */
    days: z
      .array(z.enum(weekdays))
      .min(1)
      .default([...weekdays]),
    from: clockTime,
    /** Earlier than `from`: on the next day. */
    to: clockTime,
  })
  .refine(({ from, to }) => from !== to, { message: 'a time other than `from`', path: ['to'] });

/**
 * Times that come back each week. Times are those of the wall clock in the zone, in minutes of the day once
 * parsed.
 */
export const WeeklyWindows = z.strictObject({
  timeZone: z.string().refine(isTimeZone, 'a time zone by its IANA name, such as Asia/Seoul'),
  windows: z.array(Window).min(1).max(100),
});
export type WeeklyWindows = Immutable<z.output<typeof WeeklyWindows>>;

const minuteMs = 60_000;
const dayMinutes = 1_440;
const weekMinutes = 7 * dayMinutes;
/** The longest time that windows can be open without covering the week, and a day for clocks that are set. */
const searchedMinutes = 8 * dayMinutes;
/** No zone sets its clocks twice within this time. */
const steadyMinutes = 3 * dayMinutes;

/**
 * When the windows that are open at this moment close. The work does not grow with how long they are open:
 * between two changes of the clocks, the wall clock runs evenly.
 *
 * @param at epoch milliseconds
 * @returns epoch milliseconds, on a full minute; `undefined` where no window is open
 */
export function openUntil(weekly: WeeklyWindows, at: number): number | undefined {
  const wallMinuteAt = wallClock(weekly.timeZone);
  const week = openWeek(weekly);
  if (minutesLeft(week, wallMinuteAt(at)) === 0) return undefined;
  const first = Math.floor(at / minuteMs) + 1;
  const last = first + searchedMinutes;
  /** How far the wall clock is ahead, in minutes of the week. */
  const aheadAt = (minute: number): number =>
    (wallMinuteAt(minute * minuteMs) - (minute % weekMinutes) + 2 * weekMinutes) % weekMinutes;
  /** The first minute at which the clocks are set, after one and up to another. */
  const clocksSet = (from: number, to: number): number | undefined => {
    const ahead = aheadAt(from);
    for (let low = from; low < to; ) {
      let high = Math.min(low + steadyMinutes, to);
      if (aheadAt(high) === ahead) {
        low = high;
        continue;
      }
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (aheadAt(middle) === ahead) low = middle;
        else high = middle;
      }
      return high;
    }
    return undefined;
  };
  for (let minute = first; minute < last; ) {
    const left = minutesLeft(week, wallMinuteAt(minute * minuteMs));
    if (left === 0) return minute * minuteMs;
    const closing = Math.min(minute + left, last);
    minute = clocksSet(minute, closing) ?? closing;
  }
  return undefined;
}

/** Whether no minute of the week is outside the windows. */
export function coversWeek(weekly: WeeklyWindows): boolean {
  return minutesLeft(openWeek(weekly), 0) >= weekMinutes;
}

/** In minutes of the week, of which the first is that of Sunday. */
type OpenTime = { readonly start: number; readonly end: number };

const openWeeks = new WeakMap<WeeklyWindows, readonly OpenTime[]>();

/**
 * When windows are open, in order and apart from each other, with the weeks before and after. Worked out
 * once.
 */
function openWeek(weekly: WeeklyWindows): readonly OpenTime[] {
  const known = openWeeks.get(weekly);
  if (known !== undefined) return known;
  const times = weekly.windows.flatMap(({ days, from, to }) =>
    days.flatMap((name) => {
      const day = weekdays.indexOf(name) * dayMinutes;
      const end = day + to + (from < to ? 0 : dayMinutes);
      return [-1, 0, 1, 2].map((weeks) => ({
        start: day + from + weeks * weekMinutes,
        end: end + weeks * weekMinutes,
      }));
    }),
  );
  const joined: OpenTime[] = [];
  for (const time of times.sort((one, other) => one.start - other.start)) {
    const before = joined.at(-1);
    if (before === undefined || before.end < time.start) joined.push(time);
    else joined[joined.length - 1] = { start: before.start, end: Math.max(before.end, time.end) };
  }
  openWeeks.set(weekly, joined);
  return joined;
}

/** How long the windows stay open from a minute of the week on; 0 where none is open. */
function minutesLeft(week: readonly OpenTime[], minute: number): number {
  const open = week.find(({ start, end }) => start <= minute && minute < end);
  return open === undefined ? 0 : open.end - minute;
}

/** A formatter is far more work than what it formats. One for each zone that the settings name. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The minute of the week on the wall. */
function wallClock(timeZone: string): (at: number) => number {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  formats.set(timeZone, format);
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const weekday = parts.get('weekday')?.toLowerCase() ?? '';
    const day = weekdays.map(String).indexOf(weekday);
    return day * dayMinutes + Number(parts.get('hour')) * 60 + Number(parts.get('minute'));
  };
}

/** Whether it is the IANA name of a time zone. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/**
 * `*` stands for any run of characters; everything else is literal. Linear: no expression is built from
 * input.
 */
export function matchesName(pattern: string, name: string): boolean {
  const parts = pattern.split('*');
  const first = parts[0] ?? '';
  if (parts.length === 1) return pattern === name;
  if (!name.startsWith(first)) return false;
  let position = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, position);
    if (found < 0) return false;
    position = found + part.length;
  }
  const last = parts.at(-1) ?? '';
  return name.length - last.length >= position && name.endsWith(last);
}

export function matchesAny(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => matchesName(pattern, name));
}
