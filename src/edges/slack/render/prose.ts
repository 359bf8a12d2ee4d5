import type { RichTextElement } from '@slack/types';
import { isGroupId } from '../../../doctor/policy/group-names.js';
import { untrusted } from '../../../doctor/redaction/untrusted.js';
import { type Prose, type Span, strong, word } from '../../../engine/language/prose.js';

/** How much of a foreign text is shown where it stands inside a sentence. */
export interface Lengths {
  /** Names and values. */
  readonly code: number;
  /** Messages of others. */
  readonly quote: number;
}

const fullLengths: Lengths = { code: 253, quote: 600 };

/**
 * The one escaping for Slack's mrkdwn: with `&`, `<` and `>` as entities, no mention, link or date can be
 * formed (docs.slack.dev/messaging/formatting-message-text). Only used on text objects with `verbatim: true`.
 */
export function escapeMrkdwn(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * Prose as mrkdwn. Where a marked span touches a letter, a zero-width space stands between: Slack ends `code`
 * and *bold* only at a word boundary, and a Korean particle follows without a space.
 */
export function toMrkdwn(prose: Prose, lengths: Lengths = fullLengths, links?: Links): string {
  let text = '';
  let before = '';
  let closed = false;
  for (const span of prose) {
    const marked = isMarked(span);
    const url = span.kind === 'code' ? links?.get(span.text) : undefined;
    const piece = url === undefined ? mrkdwnOf(span, lengths) : mrkdwnLink(span, url, lengths);
    if (piece === '') continue;
    const touches = closed ? marked || startsWithLetter(piece) : marked && endsWithLetter(before);
    text += touches ? `${zeroWidthSpace}${piece}` : piece;
    before = piece;
    closed = marked;
  }
  return text;
}

/** Addresses, of our own making, for names that stand in a sentence as code. */
export type Links = ReadonlyMap<string, string>;

/** Prose as elements of a rich_text section: literal by construction. */
export function toRichText(
  prose: Prose,
  options: { readonly lengths?: Lengths; readonly bold?: boolean; readonly links?: Links | undefined } = {},
): RichTextElement[] {
  const { lengths = fullLengths, bold = false, links } = options;
  const elements: RichTextElement[] = [];
  for (const span of prose) {
    const element = linkOf(span, lengths, links) ?? richTextOf(span, lengths, bold);
    if (element === undefined) continue;
    const before = elements.at(-1);
    if (isPlainText(before) && isPlainText(element) && sameStyle(before, element)) {
      elements[elements.length - 1] = { ...before, text: before.text + element.text };
    } else {
      elements.push(element);
    }
  }
  return elements.length > 0 ? elements : [{ type: 'text', text: ' ' }];
}

/** Prose for `plain_text` objects and labels: no marks, foreign text cleaned. */
export function toPlainText(prose: Prose, lengths: Lengths = fullLengths): string {
  return prose.map((span) => plainOf(span, lengths)).join('');
}

/** Prose for a message's top-level `text`, which Slack reads as mrkdwn: without marks, escaped. */
export function toNotification(prose: Prose, lengths: Lengths = fullLengths): string {
  return prose
    .map((span) =>
      span.kind === 'person' || span.kind === 'group' || span.kind === 'time'
        ? mrkdwnOf(span, lengths)
        : unmarked(span, lengths),
    )
    .join('');
}

function unmarked(span: Exclude<Span, { kind: 'person' | 'group' | 'time' }>, lengths: Lengths): string {
  const text = span.kind === 'code' || span.kind === 'quote' ? foreign(span, lengths) : span.text;
  return escapeMrkdwn(text).replace(/[*_~]/gu, (mark) => `${zeroWidthSpace}${mark}${zeroWidthSpace}`);
}

/** Foreign text for inside a sentence: cleaned, on one line, without backticks, shortened in the middle. */
export function foreign(
  span: { readonly kind: 'code' | 'quote'; readonly text: string },
  lengths: Lengths,
): string {
  const line = cleaned(span.text.slice(0, window));
  const shown = span.kind === 'code' ? shortenName(line, lengths.code) : cut(line, lengths.quote);
  return shown === '' ? '""' : shown;
}

/** Keeps both ends of a name: the end of a pod's name is what tells it from its siblings. */
export function shortenName(name: string, max: number): string {
  if (name.length <= max) return name;
  const characters = [...name];
  if (characters.length <= max) return name;
  const path = pathEnd(name, max);
  if (path !== undefined) return path;
  const tail = Math.floor((max - 1) / 2);
  return `${characters.slice(0, max - 1 - tail).join('')}…${characters.slice(characters.length - tail).join('')}`;
}

/**
 * Of an image, or of a path with several parts, as many last parts as fit; the tag and the name tell it from
 * others.
 */
function pathEnd(name: string, max: number): string | undefined {
  const [last = '', ...before] = name.split('/').toReversed();
  if (before.length === 0 || (before.length === 1 && !last.includes(':'))) return undefined;
  let end = last;
  for (const part of before) {
    if (`…/${part}/${end}`.length > max) break;
    end = `${part}/${end}`;
  }
  const shown = `…/${end}`;
  return [...shown].length <= max ? shown : undefined;
}

/** Ends a text that is too long with `…`. Counts code points, so that no character is halved. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, Math.max(0, max - 1)).join('')}…`;
}

/**
 * More than is ever shown is looked at, so that no secret is cut in half before it is recognised; not all of
 * it.
 */
const window = 2_400;
const most = 1_200;

/** The same names come many times in one card, and a card is tried in several sizes. */
const recent = new Map<string, string>();
const maxRecent = 300;

function cleaned(text: string): string {
  const known = recent.get(text);
  if (known !== undefined) return known;
  const line = untrusted(text, most).replaceAll('`', '´');
  recent.set(text, line);
  const oldest = recent.size > maxRecent ? recent.keys().next().value : undefined;
  if (oldest !== undefined) recent.delete(oldest);
  return line;
}

const zeroWidthSpace = '\u200b';
function dateFormat({ exact }: Extract<Span, { kind: 'time' }>): string {
  return exact ? '{date_short_pretty} {time_secs}' : '{date_short_pretty} {time}';
}

function mrkdwnOf(span: Span, lengths: Lengths): string {
  switch (span.kind) {
    case 'text':
      return escapeMrkdwn(span.text);
    case 'strong':
      return span.text.trim() === '' ? span.text : `*${escapeMrkdwn(span.text)}*`;
    case 'code':
    case 'quote':
      return `\`${escapeMrkdwn(foreign(span, lengths))}\``;
    case 'time': {
      const fallback = utc(span.at);
      return fallback === undefined
        ? mrkdwnOf({ kind: 'code', text: span.at }, lengths)
        : `<!date^${unixSeconds(span.at)}^${dateFormat(span)}|${fallback}>`;
    }
    case 'group':
      return isGroupId(span.id)
        ? `<!subteam^${span.id}>`
        : mrkdwnOf({ kind: 'code', text: `@${span.name}` }, lengths);
    case 'person':
      return isUserId(span.id) ? `<@${span.id}>` : mrkdwnOf({ kind: 'code', text: span.id }, lengths);
  }
}

function plainOf(span: Span, lengths: Lengths): string {
  switch (span.kind) {
    case 'text':
    case 'strong':
      return span.text;
    case 'code':
    case 'quote':
      return foreign(span, lengths);
    case 'time':
      return utc(span.at) ?? foreign({ kind: 'code', text: span.at }, lengths);
    case 'group':
      return `@${foreign({ kind: 'code', text: span.name }, lengths)}`;
    case 'person':
      return `@${foreign({ kind: 'code', text: span.id }, lengths)}`;
  }
}

function linkOf(span: Span, lengths: Lengths, links: Links | undefined): RichTextElement | undefined {
  const url = span.kind === 'code' ? links?.get(span.text) : undefined;
  if (span.kind !== 'code' || url === undefined) return undefined;
  return { type: 'link', url: url.slice(0, 3_000), text: foreign(span, lengths), style: { code: true } };
}

function mrkdwnLink(span: Span, url: string, lengths: Lengths): string {
  const shown = span.kind === 'code' ? foreign(span, lengths) : '';
  // Within a link, these end the address or the name.
  return `<${escapeMrkdwn(url)}|${escapeMrkdwn(shown).replaceAll('|', '¦')}>`;
}

function richTextOf(span: Span, lengths: Lengths, bold: boolean): RichTextElement | undefined {
  const style = bold ? { bold: true } : undefined;
  switch (span.kind) {
    case 'text':
      return span.text === '' ? undefined : { type: 'text', text: span.text, ...(style ? { style } : {}) };
    case 'strong':
      return span.text === '' ? undefined : { type: 'text', text: span.text, style: { bold: true } };
    case 'code':
    case 'quote':
      return { type: 'text', text: foreign(span, lengths), style: { ...style, code: true } };
    case 'time': {
      const fallback = utc(span.at);
      if (fallback === undefined) return richTextOf({ kind: 'code', text: span.at }, lengths, bold);
      return { type: 'date', timestamp: unixSeconds(span.at), format: dateFormat(span), fallback };
    }
    case 'group':
      return isGroupId(span.id)
        ? { type: 'usergroup', usergroup_id: span.id }
        : richTextOf({ kind: 'code', text: `@${span.name}` }, lengths, bold);
    case 'person':
      return isUserId(span.id)
        ? { type: 'user', user_id: span.id }
        : richTextOf({ kind: 'code', text: span.id }, lengths, bold);
  }
}

type TextElement = Extract<RichTextElement, { type: 'text' }>;

function isPlainText(element: RichTextElement | undefined): element is TextElement {
  return element?.type === 'text' && element.style?.code !== true;
}

function sameStyle(left: TextElement, right: TextElement): boolean {
  return (left.style?.bold ?? false) === (right.style?.bold ?? false);
}

function isMarked({ kind }: Span): boolean {
  return kind === 'code' || kind === 'quote' || kind === 'strong';
}

function startsWithLetter(text: string): boolean {
  return /^[\p{L}\p{N}]/u.test(text);
}

function endsWithLetter(text: string): boolean {
  return /[\p{L}\p{N}]$/u.test(text.slice(-2));
}

function isUserId(id: string): boolean {
  return /^[UW][A-Z0-9]{1,20}$/u.test(id);
}

function unixSeconds(at: string): number {
  return Math.floor(Date.parse(at) / 1000);
}

/** RFC3339 with nanoseconds and an offset takes 35 characters. */
const longestTime = 64;

/** `2026-11-20 09:30:04 UTC`, or undefined when it is no time. */
function utc(at: string): string | undefined {
  // No time is longer, and a foreign text of 100 kB would be parsed for milliseconds.
  if (at.length > longestTime) return undefined;
  const time = Date.parse(at);
  if (Number.isNaN(time)) return undefined;
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Our own words in bold; names keep their own mark. */
export function emphasised(prose: Prose): Prose {
  return prose.flatMap((span) =>
    span.kind === 'text' && span.text.trim() !== '' ? bold(span.text) : [span],
  );
}

function bold(text: string): Prose {
  const inner = text.trim();
  const start = text.length - text.trimStart().length;
  const before = text.slice(0, start);
  const after = text.slice(start + inner.length);
  return [...(before === '' ? [] : [word(before)]), strong(inner), ...(after === '' ? [] : [word(after)])];
}

/**
 * A fragment as the start of a sentence: our own first word in capitals, names as they are. Korean has no
 * capitals.
 */
export function capitalised([first, ...rest]: Prose): Prose {
  if (first === undefined) return [];
  if (first.kind !== 'text' && first.kind !== 'strong') return [first, ...rest];
  return [{ ...first, text: first.text.slice(0, 1).toUpperCase() + first.text.slice(1) }, ...rest];
}

/** The parts that are not empty, with the separator between them. */
export function separated(parts: readonly Prose[], separator: string): Prose {
  return parts
    .filter((part) => part.length > 0)
    .flatMap((part, position) => (position === 0 ? part : [word(separator), ...part]));
}
