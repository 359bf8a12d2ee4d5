import { expect, it } from 'vitest';
import {
  type Detector,
  marker,
  replaceSpans,
  type SecretKind,
  veilMarkers,
} from '#src/core/redaction/span.js';

/** A sentence for a name; a text in which what must go, and no more, stands between ‹ and ›; and what it is then called. */
export type Marked = readonly [name: string, text: string, kind?: SecretKind];

const marks = /‹([^›]*)›/gu;

/** Asserts that the detector takes what is marked, in full and under its name, and leaves every other character. */
export function expectTaken(detector: Detector, marked: string, kind: SecretKind): void {
  const text = marked.replace(marks, '$1');
  const veiled = veilMarkers(text);

  expect(replaceSpans(text, veiled, detector(veiled))).toBe(marked.replace(marks, marker(kind)));
}

/** One test for each text, which holds what is of `kind` unless it says otherwise. */
export function itTakes(detector: Detector, kind: SecretKind, texts: readonly Marked[]): void {
  it.each(texts.map(([name, text, own = kind]) => ({ name, text, own })))('$name', ({ text, own }) => {
    expectTaken(detector, text, own);
  });
}
