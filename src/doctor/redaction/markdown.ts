import type { Prose, Span } from '../../engine/language/prose.js';
import { untrusted } from './untrusted.js';

const longest = 4_000;

/** Prose as Markdown. Ours is free of markup; foreign spans become code, which needs no further escaping. */
export function markdown(prose: Prose): string {
  return prose.map(markdownSpan).join('');
}

function markdownSpan(span: Span): string {
  switch (span.kind) {
    case 'text':
      return span.text;
    case 'strong':
      return `**${span.text}**`;
    case 'code':
    case 'quote':
      return codeSpan(untrusted(span.text, longest));
    case 'time':
      return span.at;
    case 'group':
      return codeSpan(untrusted(span.name, longest));
    case 'person':
      return codeSpan(untrusted(span.id, longest));
  }
}

/** A code span whose fence is longer than any run of backticks inside (CommonMark 6.1). */
export function codeSpan(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(runs.reduce((longest, { length }) => Math.max(longest, length), 0) + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}
