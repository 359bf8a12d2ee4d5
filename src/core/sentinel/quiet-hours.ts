import { z } from 'zod';
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

/** When nobody is told unasked. Times are those of the wall clock in the zone, in minutes of the day once parsed. */
export const QuietHours = z
  .strictObject({
    timeZone: z.string().refine(isTimeZone, 'a time zone by its IANA name, such as Asia/Seoul'),
    windows: z.array(Window).min(1),
  })
  .refine((hours) => !coversTheWeek(hours.windows), {
    message: 'windows that leave some time in which to speak',
    path: ['windows'],
  });
export type QuietHours = Immutable<z.output<typeof QuietHours>>;

type Windows = readonly Immutable<z.output<typeof Window>>[];

const minuteMs = 60_000;
const dayMinutes = 1_440;
/** With the longest quiet time, and a day for clocks that are set. */
const searchedMinutes = 8 * dayMinutes;

/**
 * When the quiet hours that hold at this moment end.
 *
 * @param at epoch milliseconds
 * @returns epoch milliseconds, on a full minute; `undefined` where it is not quiet
 */
export function quietUntil({ timeZone, windows }: QuietHours, at: number): number | undefined {
  const local = wallClock(timeZone);
  if (!isQuietAt(windows, local(at))) return undefined;
  // Minute by minute: where clocks are set, an hour may be missing or come twice.
  const first = Math.floor(at / minuteMs) + 1;
  for (let minute = first; minute < first + searchedMinutes; minute += 1) {
    if (!isQuietAt(windows, local(minute * minuteMs))) return minute * minuteMs;
  }
  return undefined;
}

interface WallClock {
  /** 0 is Sunday. */
  readonly day: number;
  readonly minute: number;
}

function isQuietAt(windows: Windows, { day, minute }: WallClock): boolean {
  const today = weekdays[day];
  const yesterday = weekdays[(day + 6) % 7];
  return windows.some(({ days, from, to }) => {
    const beganToday = days.some((each) => each === today) && minute >= from;
    if (from < to) return beganToday && minute < to;
    return beganToday || (days.some((each) => each === yesterday) && minute < to);
  });
}

function coversTheWeek(windows: Windows): boolean {
  for (let minute = 0; minute < 7 * dayMinutes; minute += 1) {
    const at = { day: Math.floor(minute / dayMinutes), minute: minute % dayMinutes };
    if (!isQuietAt(windows, at)) return false;
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

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
