import * as z from 'zod';
import type { Immutable } from '../cluster/wire.js';

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

/** Times that come back each week. Times are those of the wall clock in the zone, in minutes of the day once parsed. */
export const WeeklyWindows = z.strictObject({
  timeZone: z.string().refine(isTimeZone, 'a time zone by its IANA name, such as Asia/Seoul'),
  windows: z.array(Window).min(1).max(100),
});
export type WeeklyWindows = Immutable<z.output<typeof WeeklyWindows>>;

type Windows = readonly Immutable<z.output<typeof Window>>[];

const minuteMs = 60_000;
const dayMinutes = 1_440;
/** The longest time that windows can be open without covering the week, and a day for clocks that are set. */
const searchedMinutes = 8 * dayMinutes;

/**
 * When the windows that are open at this moment close.
 *
 * @param at epoch milliseconds
 * @returns epoch milliseconds, on a full minute; `undefined` where no window is open
 */
export function openUntil({ timeZone, windows }: WeeklyWindows, at: number): number | undefined {
  const local = wallClock(timeZone);
  if (!isOpenAt(windows, local(at))) return undefined;
  // Minute by minute: where clocks are set, an hour may be missing or come twice.
  const first = Math.floor(at / minuteMs) + 1;
  for (let minute = first; minute < first + searchedMinutes; minute += 1) {
    if (!isOpenAt(windows, local(minute * minuteMs))) return minute * minuteMs;
  }
  return undefined;
}

interface WallClock {
  /** 0 is Sunday. */
  readonly day: number;
  readonly minute: number;
}

function isOpenAt(windows: Windows, { day, minute }: WallClock): boolean {
  const today = weekdays[day];
  const yesterday = weekdays[(day + 6) % 7];
  return windows.some(({ days, from, to }) => {
    const beganToday = days.some((each) => each === today) && minute >= from;
    if (from < to) return beganToday && minute < to;
    return beganToday || (days.some((each) => each === yesterday) && minute < to);
  });
}

/** Whether no minute of the week is outside the windows. */
export function coversWeek({ windows }: WeeklyWindows): boolean {
  for (let minute = 0; minute < 7 * dayMinutes; minute += 1) {
    const at = { day: Math.floor(minute / dayMinutes), minute: minute % dayMinutes };
    if (!isOpenAt(windows, at)) return false;
  }
  return true;
}

function wallClock(timeZone: string): (at: number) => WallClock {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const weekday = parts.get('weekday')?.toLowerCase() ?? '';
    return {
      day: weekdays.map(String).indexOf(weekday),
      minute: Number(parts.get('hour')) * 60 + Number(parts.get('minute')),
    };
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
