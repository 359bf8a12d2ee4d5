/** What was taken out, as readers see it: `[redacted password]`. */
export type SecretKind =
  | 'cookie'
  | 'credentials'
  | 'encoded secret'
  | 'key'
  | 'password'
  | 'private key'
  | 'secret'
  | 'token';

/** A stretch of text to take out: `start` inclusive, `end` exclusive, in UTF-16 code units. */
export type Span = { readonly start: number; readonly end: number; readonly kind: SecretKind };

/** A detector reads the text in which earlier markers are veiled and says where secrets stand. */
export type Detector = (text: string) => readonly Span[];

/** What stands in place of a secret. */
export function marker(kind: SecretKind): string {
  return `[redacted ${kind}]`;
}

const markers = /\[redacted [a-z ]{3,14}\]/gu;

/** Stands for every character of a marker while detectors look: no letter, no space, no delimiter. */
const veil = '\uE000';

/**
 * Hides markers of an earlier pass from the detectors, at unchanged offsets, so that they are atoms of a
 * value.
 */
export function veilMarkers(text: string): string {
  return text.replace(markers, (found) => veil.repeat(found.length));
}

/**
 * Replaces the spans by markers. Overlapping spans become one, named after the longest; a span over several
 * lines is replaced line by line, so that no line appears or vanishes; what is a marker already stays as it
 * is.
 */
export function replaceSpans(text: string, veiled: string, spans: readonly Span[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, kind } of union(spans).flatMap((span) => perLine(text, span))) {
    if (isVeiled(veiled, start, end)) continue;
    pieces.push(text.slice(at, start), marker(kind));
    at = end;
  }
  pieces.push(text.slice(at));
  return pieces.join('');
}

function union(spans: readonly Span[]): Span[] {
  const sorted = spans
    .filter(({ start, end }) => end > start)
    .sort((a, b) => a.start - b.start || b.end - a.end || (a.kind < b.kind ? -1 : 1));
  const merged: { start: number; end: number; kind: SecretKind; longest: number }[] = [];
  for (const { start, end, kind } of sorted) {
    const last = merged.at(-1);
    if (last === undefined || start >= last.end) {
      merged.push({ start, end, kind, longest: end - start });
      continue;
    }
    if (end - start > last.longest) Object.assign(last, { kind, longest: end - start });
    last.end = Math.max(last.end, end);
  }
  return merged;
}

function perLine(text: string, { start, end, kind }: Span): Span[] {
  const lines: Span[] = [];
  let from = start;
  for (const line of text.slice(start, end).split('\n')) {
    const first = line.search(/\S/u);
    if (first >= 0) lines.push({ start: from + first, end: from + line.trimEnd().length, kind });
    from += line.length + 1;
  }
  return lines;
}

function isVeiled(veiled: string, start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) if (veiled[i] !== veil) return false;
  return true;
}

/**
 * What an expression tied to its start (`^`) finds at `from`, within a window of `max` characters. The window
 * bounds the work, whatever the expression repeats. The end of the window counts as the end of the text
 * (`$`).
 */
export function matchAt(
  text: string,
  from: number,
  max: number,
  pattern: RegExp,
): RegExpExecArray | undefined {
  return pattern.exec(text.slice(from, from + max)) ?? undefined;
}

/**
 * Behind what such an expression finds at `from`: its first group, or else all of it; `from` where it finds
 * nothing.
 */
export function endAt(text: string, from: number, max: number, pattern: RegExp): number {
  const found = matchAt(text, from, max, pattern);
  return from + (found?.[1] ?? found?.[0] ?? '').length;
}

/** What one match gave, and up to where the text is done with (at least to the end of the match). */
export type Reading = { readonly spans: readonly Span[]; readonly next?: number };

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
