import { styleText } from 'node:util';
import wrapAnsi from 'wrap-ansi';
import { untrusted } from '../../doctor/redaction/untrusted.js';
import type { Prose, Span } from '../../engine/language/prose.js';

const longest = 4_000;

/** How text looks on this output: colours only on a terminal, lines no wider than it. */
export interface Paint {
  readonly colour: boolean;
  /** Columns. */
  readonly width: number;
}

export type Tone = 'bad' | 'warn' | 'good' | 'name' | 'faint' | 'strong';

const styles = {
  bad: ['red', 'bold'],
  warn: ['yellow'],
  good: ['green'],
  name: ['cyan'],
  faint: ['dim'],
  strong: ['bold'],
} as const satisfies Record<Tone, readonly Parameters<typeof styleText>[0][]>;

export function toned(paint: Paint, tone: Tone, text: string): string {
  if (!paint.colour) return text;
  return styles[tone].reduce((painted, style) => styleText(style, painted, { validateStream: false }), text);
}

/** Prose as terminal text. Foreign text passes the one gate, which takes control characters out. */
export function painted(paint: Paint, prose: Prose): string {
  return prose.map((span) => paintedSpan(paint, span)).join('');
}

function paintedSpan(paint: Paint, span: Span): string {
  switch (span.kind) {
    case 'text':
      return span.text;
    case 'strong':
      return toned(paint, 'strong', span.text);
    case 'code':
      return toned(paint, 'name', untrusted(span.text, longest));
    case 'quote':
      return `"${untrusted(span.text, longest)}"`;
    case 'time':
      return wholeSeconds(span.at);
    case 'group':
      return `@${untrusted(span.name, longest)}`;
    case 'person':
      return `@${untrusted(span.id, longest)}`;
  }
}

/** A time without fractions of a second, which Kubernetes writes as six digits. */
export function wholeSeconds(at: string): string {
  return at.replace(/\.\d+(?=Z|[+-]\d\d:\d\d$)/u, '');
}

/** Wraps at the width; lines after the first are indented like the text of the first. */
export function block(paint: Paint, lead: string, text: string): string {
  const hang = ' '.repeat(lead.length);
  const lines = wrapAnsi(text, Math.max(20, paint.width - lead.length), { trim: true, hard: true }).split(
    '\n',
  );
  return lines.map((line, position) => `${position === 0 ? lead : hang}${line}`).join('\n');
}
