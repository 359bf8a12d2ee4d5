import type { Span } from './span.js';

/** What one match gave, and up to where the text is done with (at least to the end of the match). */
export interface Reading {
  readonly spans: readonly Span[];
  readonly next?: number;
}

/** Matches that are read in one step. */
const matchesOfStep = 1_000;

/**
 * Reads every match of a global pattern. A reading that went beyond its match says so, and the text it
 * covered is not matched again: this keeps the work in proportion to the text where a value is read to the
 * end of its line.
 */
export function scan(
  text: string,
  pattern: RegExp,
  read: (found: RegExpExecArray) => Reading | undefined,
): readonly Span[] {
  return finished(scanning(text, pattern, read));
}

/** The same in steps. Between them the pattern may serve another text. */
export function* scanning(
  text: string,
  pattern: RegExp,
  read: (found: RegExpExecArray) => Reading | undefined,
): Generator<void, readonly Span[]> {
  const spans: Span[] = [];
  for (let at = 0, matches = 1; ; matches += 1) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return spans;
    at = pattern.lastIndex;
    const reading = read(found);
    spans.push(...(reading?.spans ?? []));
    at = Math.max(at, reading?.next ?? 0);
    if (matches % matchesOfStep === 0) yield;
  }
}

/** What steps come to, without a pause. */
export function finished<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}
