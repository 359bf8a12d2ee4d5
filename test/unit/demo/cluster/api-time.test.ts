import { expect, it } from 'vitest';
import { apiMicroTime, apiTime, humanDuration } from '../../../../demo/cluster/api-time.js';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Vectors of apimachinery `duration_test.go`. */
it.each([
  [0, '0s'],
  [-second, '0s'],
  [-10 * second, '<invalid>'],
  [second, '1s'],
  [70 * second, '70s'],
  [190 * second, '3m10s'],
  [9 * minute, '9m'],
  [70 * minute, '70m'],
  [47 * hour, '47h'],
  [49 * hour, '2d1h'],
  [8 * day + 2 * hour, '8d'],
  [367 * day, '367d'],
  [365 * 2 * day + 25 * hour, '2y1d'],
  [365 * 8 * day + 2 * hour, '8y'],
])('an age of %i ms is printed as %s', (ms, text) => {
  expect(humanDuration(ms)).toBe(text);
});

it('times are printed in the format of the API', () => {
  expect(apiTime(Date.parse('2026-11-20T09:30:00.999Z'))).toBe('2026-11-20T09:30:00Z');
  expect(apiMicroTime(Date.parse('2026-11-20T09:30:00.028Z'))).toBe('2026-11-20T09:30:00.028000Z');
});
