import { expect, it } from 'vitest';
import { redact } from '#src/core/redaction/redact.js';
import { marker, type SecretKind } from '#src/core/redaction/span.js';

/** A text in which what must go, and no more, stands between ‹ and ›; without any, the text stays. What goes is then called `kind`. */
export type Row = readonly [text: string, kind?: SecretKind];

const marks = /‹([^›]*)›/gu;

/** One test for each text: `redact` takes what is marked, in full and under its name, and leaves every other character. */
export function itRedacts(kind: SecretKind, rows: readonly Row[]): void {
  it.each(rows.map(([text, own = kind]) => ({ text, own })))('$text', ({ text, own }) => {
    expect(redact(text.replace(marks, '$1'))).toBe(text.replace(marks, marker(own)));
  });
}
