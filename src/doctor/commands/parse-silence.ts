import type { Command } from './command.js';
import {
  hasFurtherWords,
  isUsage,
  parseWorkload,
  takeOptions,
  unmarked,
  usage,
  workloadIn,
} from './parse-workload.js';

/**
 * `silence ml/inference 2h [why]`: the words before the duration name the workload. `off` in the duration's
 * place ends it. A workload called `off` or `2h` is named with its namespace or kind.
 */
export function silence(rest: string): Command {
  if (rest === '') return { type: 'silences' };
  const given = joinedDurations(rest)
    .split(' ')
    .filter((token) => token !== '' && token.toLowerCase() !== 'for');
  const [duration = '', named, ...reason] = given;
  const isTurned = isDurationLike(duration) && named !== undefined;
  const tokens = isTurned ? [named, duration, ...reason] : given;
  const at = tokens.findIndex((token, place) => isDurationLike(token) || (place > 0 && isOff(token)));
  if (at > 0 && isOff(tokens[at] ?? '')) {
    const more = tokens.slice(at + 1);
    return more.length > 0
      ? usage('too-many-words', { words: more })
      : unsilence(tokens.slice(0, at).join(' '));
  }
  if (at < 0) {
    const query = workloadIn(rest);
    if (!isUsage(query)) return usage('duration-missing', {});
    const unread = hasFurtherWords(query) ? tokens[1] : undefined;
    return unread === undefined ? query : usage('duration-invalid', { text: unread });
  }
  const options = takeOptions(tokens.slice(0, at).join(' '));
  // The workload that owns a Pod is silenced.
  const query = isUsage(options) ? options : parseWorkload(options);
  if (isUsage(query)) return query;
  const text = tokens[at] ?? '';
  const seconds = secondsOf(text);
  if (seconds === undefined) return usage('duration-invalid', { text });
  return { type: 'silence', query, seconds, reason: tokens.slice(at + 1).join(' ') };
}

function isOff(token: string): boolean {
  return ['off', '해제'].includes(token.toLowerCase());
}

export function unsilence(rest: string): Command {
  const query = workloadIn(rest);
  return isUsage(query) ? query : { type: 'unsilence', query };
}

const units: readonly (readonly [seconds: number, words: string])[] = [
  [60, 'm min mins minute minutes 분'],
  [3_600, 'h hr hour hours 시간'],
  [86_400, 'd day days 일'],
];

/** `2 hours` is `2hours`. */
function joinedDurations(text: string): string {
  return text.replace(/(^| )(\d{1,6}) ([a-z가-힣]{1,9})(?=[ ,.]|$)/giu, (whole, before, digits, unit) =>
    secondsOf(`${digits}${unit}`) === undefined ? whole : `${before}${digits}${unit}`,
  );
}

function isDurationLike(token: string): boolean {
  return /^\d+(?:[a-z]*|분|시간|일)[,.:;]?$/iu.test(token);
}

function secondsOf(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,6})([a-z가-힣]{1,9})$/u.exec(unmarked(text).toLowerCase()) ?? [];
  const [size = 0] = units.find(([, words]) => words.split(' ').includes(unit)) ?? [];
  const seconds = Number(digits) * size;
  return seconds > 0 ? seconds : undefined;
}
