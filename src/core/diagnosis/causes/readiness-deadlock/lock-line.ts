import type { Event } from '../../../cluster/event.js';
import type { LockWord } from './lock-words.js';

/** A line in which the waiting pod itself speaks of a lock or of leadership. */
export interface LockLine {
  readonly container: string;
  readonly line: string;
  readonly word: LockWord;
  /** `probe`: the answer of its readiness probe. */
  readonly from: 'log' | 'probe';
  readonly event: Event | undefined;
}

/** Any line of the waiting pod; `word` is absent if it is about something else. */
export type ReadLine = Omit<LockLine, 'word'> & { readonly word: LockWord | undefined };
