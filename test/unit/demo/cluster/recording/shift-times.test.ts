import { describe, expect, it } from 'vitest';
import { shiftTimes } from '../../../../../demo/cluster/recording/shift-times.js';

describe('shifting times', () => {
  it.each([
    ['whole seconds', '2026-11-20T09:30:00Z', '2026-11-20T10:30:00Z'],
    ['microseconds keep their digits', '2026-11-20T09:30:00.028000Z', '2026-11-20T10:30:00.028000Z'],
    ['a text that only holds a time', 'seen at 2026-11-20T09:30:00Z', 'seen at 2026-11-20T09:30:00Z'],
    ['a date', '2026-11-20', '2026-11-20'],
    ['a number', 5, 5],
    ['null', null, null],
  ])('%s', (_sentence, value, wanted) => {
    expect(shiftTimes({ a: [{ b: value }] }, 3_600_000)).toEqual({ a: [{ b: wanted }] });
  });
});
