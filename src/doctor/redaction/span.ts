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
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: SecretKind;
}

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
