import type { Prose, Span } from '../../engine/language/prose.js';
import { untrusted } from './untrusted.js';

const longest = 4_000;

/** Characters of a person's name. */
const longestName = 80;

/** Names of people by the chat's id. */
export type Names = ReadonlyMap<string, string>;

/**
 * Prose as Markdown. Ours is free of markup; foreign spans become code, which needs no further escaping.
 *
 * @param names for readers outside of the chat, who do not know its ids; a person without one is mentioned
 *   by id
 */
export function markdown(prose: Prose, names?: Names): string {
  return prose.map((span) => markdownSpan(span, names)).join('');
}

function markdownSpan(span: Span, names: Names | undefined): string {
  switch (span.kind) {
    case 'text':
      return span.text;
    case 'strong':
      return `**${span.text}**`;
    case 'code':
    case 'quote':
      return codeSpan(untrusted(span.text, longest));
    case 'time':
      return timeText(span.at);
    case 'group':
      return codeSpan(untrusted(span.name, longest));
    case 'person':
      return codeSpan(nameOf(span.id, names));
  }
}

/** A record in Redis may hold another text in the place of a time. */
function timeText(at: string): string {
  return /^[\dTZ:.+-]{1,40}$/u.test(at) ? at.replace(/\.\d{1,9}Z$/u, 'Z') : codeSpan(untrusted(at, longest));
}

/** A name that has nothing to show, such as one of invisible characters, is no name. */
function nameOf(id: string, names: Names | undefined): string {
  const name = untrusted(names?.get(id) ?? '', longestName);
  return name === '' ? untrusted(names === undefined ? id : `@${id}`, longest) : name;
}

/** A code span whose fence is longer than any run of backticks inside (CommonMark 6.1). */
export function codeSpan(text: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(runs.reduce((longest, { length }) => Math.max(longest, length), 0) + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text}${pad}${fence}`;
}
