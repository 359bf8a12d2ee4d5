import type { Finding } from './finding.js';

/** Facts of several causes that state how long the trouble has lasted, in seconds. */
const durations = [
  'stuckSeconds',
  'waitingSeconds',
  'failingSeconds',
  'sinceSeconds',
  'pausedSeconds',
  'gatedSeconds',
  'deletingSeconds',
  'exceededSeconds',
] as const;

/**
 * For how many seconds the trouble had lasted when it was diagnosed; `undefined` where the cause does not
 * state it.
 */
export function durationSeconds({ facts = {} }: Pick<Finding, 'facts'>): number | undefined {
  return durations.map((name) => facts[name]).find((value) => typeof value === 'number');
}
