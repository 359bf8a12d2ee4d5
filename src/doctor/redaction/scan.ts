import type { Span } from './span.js';

/** What one match gave, and up to where the text is done with (at least to the end of the match). */
export interface Reading {
  readonly spans: readonly Span[];
  readonly next?: number;
}

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
  const spans: Span[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const resume = pattern.lastIndex;
    const reading = read(found);
    spans.push(...(reading?.spans ?? []));
    pattern.lastIndex = Math.max(resume, reading?.next ?? 0);
  }
  return spans;
}
