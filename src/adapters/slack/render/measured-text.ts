import type { Catalogue } from '../../../core/language/catalogue.js';
import { type Prose, say, word } from '../../../core/language/prose.js';
import { duration } from '../../../core/language/words.js';

interface Measured {
  readonly [value: string]: number | Prose;
  readonly atLeastSeconds: number;
  readonly atMostSeconds: number;
  readonly readings: number;
  readonly longestPauseSeconds: number;
  /** Before the change; empty for an undo, whose impact is not kept. */
  readonly estimate: Prose;
}

/** Downtime after a change, between the bounds that the readings give. */
export const measuredText: Catalogue<{ readonly downtime: Measured; readonly 'no-downtime': Measured }> = {
  en: {
    downtime: ({ atLeastSeconds, atMostSeconds, estimate }) =>
      say`Measured downtime: ${
        atLeastSeconds === 0 ? word('at most') : say`${duration('en', atLeastSeconds)} to`
      } ${duration('en', atMostSeconds)}${estimate.length === 0 ? [] : say` (estimate: ${estimate})`}.`,
    'no-downtime': ({ readings, longestPauseSeconds, estimate }) =>
      say`No downtime measured: a pod was ready at all ${readings} readings, at most ${duration('en', longestPauseSeconds)} apart${
        estimate.length === 0 ? [] : say` (estimate: ${estimate})`
      }.`,
  },
  ko: {
    downtime: ({ atLeastSeconds, atMostSeconds, estimate }) =>
      say`측정된 서비스 중단: ${
        atLeastSeconds === 0 ? word('최대') : say`${duration('ko', atLeastSeconds)} ~`
      } ${duration('ko', atMostSeconds)}${estimate.length === 0 ? [] : say` (예상: ${estimate})`}.`,
    'no-downtime': ({ readings, longestPauseSeconds, estimate }) =>
      say`측정된 서비스 중단 없음: 최대 ${duration('ko', longestPauseSeconds)} 간격으로 ${readings}회 확인했으며 매번 Ready 파드가 있었습니다${
        estimate.length === 0 ? [] : say` (예상: ${estimate})`
      }.`,
  },
};
