import { expect, it } from 'vitest';
import {
  type Detector,
  marker,
  replaceSpans,
  type SecretKind,
  veilMarkers,
} from '#src/doctor/redaction/span.js';

/** A test name; a text with the part to remove, and no more, between ‹ and ›; and the kind in its marker. */
export type Marked = readonly [name: string, text: string, kind?: SecretKind];

const marks = /‹([^›]*)›/gu;

/** Asserts that the detector removes exactly the marked text, under its kind. */
export function expectTaken(detector: Detector, marked: string, kind: SecretKind): void {
  const text = marked.replace(marks, '$1');
  const veiled = veilMarkers(text);

  expect(replaceSpans(text, veiled, detector(veiled))).toBe(marked.replace(marks, marker(kind)));
}

/** One test for each text, with a secret of `kind` by default. */
export function itTakes(detector: Detector, kind: SecretKind, texts: readonly Marked[]): void {
  it.each(texts.map(([name, text, own = kind]) => ({ name, text, own })))('$name', ({ text, own }) => {
    expectTaken(detector, text, own);
  });
}
