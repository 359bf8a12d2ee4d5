import { coversWeek, openUntil, WeeklyWindows } from '../schedule/weekly-windows.js';

/** When the sentinel sends nothing. */
export const QuietHours = WeeklyWindows.refine((hours) => !coversWeek(hours), {
  message: 'windows that leave some time in which to speak',
  path: ['windows'],
});
export type QuietHours = WeeklyWindows;

/**
 * When the quiet hours that hold at this moment end.
 *
 * @param at epoch milliseconds
 * @returns epoch milliseconds, on a full minute; `undefined` where it is not quiet
 */
export const quietUntil = openUntil;
