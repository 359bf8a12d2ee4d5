import { describe, expect, it } from 'vitest';
import { formatDate } from '../../../../demo/slack/page/dates.js';

const newYork = { locale: 'en-US', timeZone: 'America/New_York' };
const seoul = { locale: 'ko-KR', timeZone: 'Asia/Seoul' };
/** 2025-11-21 00:30:04 UTC. */
const moment = 1_763_685_004;
const show = (format: string, reader = newYork, now = moment) =>
  formatDate(moment, format, reader, now).replace(/\s/g, ' ');

describe('formatDate', () => {
  it('uses the time zone of the reader', () => {
    expect(show('{date_num} {time}')).toBe('2025-11-20 7:30 PM');
    // The word for the morning differs between versions of ICU.
    expect(show('{date_num} {time_secs}', seoul)).toMatch(/^2025-11-21 \S+ 9:30:04$/);
  });

  it('writes today, yesterday and tomorrow by the reader’s own day', () => {
    expect(show('{date_short_pretty}')).toBe('today');
    expect(show('{date_short_pretty}', seoul, moment + 86_400)).toBe('어제');
    expect(show('{date_short_pretty}', newYork, moment - 86_400)).toBe('tomorrow');
    expect(show('{date_short_pretty}', newYork, moment + 3 * 86_400)).toBe('Nov 20, 2025');
  });

  it('writes how long ago a time was', () => {
    expect(show('{ago}', newYork, moment + 150)).toBe('2 minutes ago');
    expect(show('{ago}', newYork, moment + 3 * 86_400)).toBe('3 days ago');
  });

  it('keeps unknown tokens and other words', () => {
    expect(show('at {time} {nonsense}')).toBe('at 7:30 PM {nonsense}');
  });
});
