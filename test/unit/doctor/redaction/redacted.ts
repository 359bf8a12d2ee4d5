import { expect, it } from 'vitest';
import { redact } from '#src/doctor/redaction/redact.js';
import { marker, type SecretKind } from '#src/doctor/redaction/span.js';

/**
 * A text with the part to remove, and no more, between ‹ and ›; without any, the text is kept. The marker
 * names `kind`.
 */
export type Row = readonly [text: string, kind?: SecretKind];

const marks = /‹([^›]*)›/gu;

/** One test for each text: `redact` removes exactly the marked text, under its kind. */
export function itRedacts(kind: SecretKind, rows: readonly Row[]): void {
  it.each(rows.map(([text, own = kind]) => ({ text, own })))('$text', ({ text, own }) => {
    expect(redact(text.replace(marks, '$1'))).toBe(text.replace(marks, marker(own)));
  });
}
