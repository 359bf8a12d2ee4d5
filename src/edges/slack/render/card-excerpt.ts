import type { KnownBlock, RichTextSection } from '@slack/types';
import wrapAnsi from 'wrap-ansi';
import type { Diagnosis } from '../../../doctor/findings/diagnosis.js';
import type { Finding } from '../../../doctor/findings/finding.js';
import type { NodeStrip } from '../../../doctor/findings/picture.js';
import { columnsOf } from '../../../doctor/pictures/columns.js';
import { shownGroups } from '../../../doctor/pictures/strip-rows.js';
import type { Tell } from '../../../engine/language/catalogue.js';
import type { Language } from '../../../engine/language/language.js';
import { preformatted } from './blocks.js';
import type { CardContext } from './card-context.js';
import { rowElements } from './picture.js';
import { cut, toPlainText } from './prose.js';

/** What shows the cause better than words, as far as a phone has room for it. */
interface Excerpt {
  readonly blocks: readonly KnownBlock[];
  /** It says more than the finding's status line, which has no room beside it. */
  readonly replacesStatusLine: boolean;
}

/** Troubled nodes with a row of their own; the others are counted in one more. */
const maxNodes = 2;
const stripLimits = { signs: 8, nameColumns: 20 } as const;
/** Characters of log: two lines of a phone, or one below a long title and where all else has given way. */
const maxLog = { belowLongTitle: 40, belowShortTitle: 80 } as const;
/** Characters of a line of log on a phone, one less than it has: the mark of what is cut is wide. */
const phoneColumns = 43;
/** Columns of a title that takes two lines of a phone. */
const shortTitle = 60;

/** Pods by node where one node is to blame, and the last lines that the container wrote. */
export function excerptBlocks(
  { incident, tell, terseness }: Pick<CardContext, 'incident' | 'tell' | 'terseness'>,
  { picture }: Diagnosis,
  finding: Finding,
): Excerpt {
  const { language } = incident;
  const strip = picture?.kind === 'node-strip' && blamesNode(finding) ? stripOf(picture, language) : [];
  const hasRoom = columnsOf(toPlainText(tell(finding.summary, language))) <= shortTitle;
  const maxCharacters = hasRoom && terseness !== 'shortest' ? maxLog.belowShortTitle : maxLog.belowLongTitle;
  const log = ending(quotedIn(finding, language, tell), maxCharacters);
  return {
    replacesStatusLine:
      strip.length > 0 || (log !== '' && (finding.remediations.length === 0 || terseness === 'shortest')),
    blocks: [...strip, ...(log === '' ? [] : [preformatted(log, maxCharacters)])],
  };
}

/** Its failure depends on the node: the pods of other nodes say so. */
function blamesNode({ shows, blames }: Finding): boolean {
  return shows === 'pods-by-node' && blames?.kind === 'Node';
}

function stripOf(strip: NodeStrip, language: Language): KnownBlock[] {
  if (strip.nodes.all < 2) return [];
  const rows = Math.max(1, Math.min(maxNodes, strip.nodes.troubled));
  const sections = shownGroups(strip, language, { ...stripLimits, rows }).flatMap(
    ({ rows: shown, rest }): RichTextSection[] => [
      ...shown.map((row) => ({ type: 'rich_text_section' as const, elements: rowElements(row) })),
      ...(rest === ''
        ? []
        : [{ type: 'rich_text_section' as const, elements: [{ type: 'text' as const, text: rest }] }]),
    ],
  );
  return [{ type: 'rich_text', elements: sections }];
}

/** The lines that the finding quotes from containers, the newest last. */
export function quotedIn({ reasoning }: Finding, language: Language, tell: Tell): readonly string[] {
  return reasoning
    .filter(({ quotesLogs }) => quotesLogs)
    .flatMap((statement) => tell(statement, language))
    .flatMap((span) => (span.kind === 'quote' ? span.text.split('\n') : []))
    .filter((line) => line.trim() !== '');
}

/** Time and level, which many loggers write before the message, in plain lines and in `key=value` ones. */
const preamble =
  /^(?:\[?\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{2}:\d{2}:\d{2}[\d.,:+Z-]{0,16}\]?\s{1,8}|(?:time|ts|timestamp|level|lvl|severity)=(?:"[^"]{0,40}"|[^\s"]{1,40})\s{1,8}|msg=)/u;

/** The part of a log line that differs from line to line; the whole line where nothing else would be left. */
export function withoutPreamble(line: string): string {
  let rest = line.trimStart();
  // A line has few such parts.
  for (let parts = 0; parts < 5; parts += 1) {
    const shorter = rest.replace(preamble, '');
    if (shorter === rest || shorter === '') break;
    rest = shorter;
  }
  return withoutQuotes(rest);
}

/** The message of a `key=value` line, whose quotes would show that something before it is missing. */
function withoutQuotes(text: string): string {
  const [, message, rest = ''] = /^"((?:[^"\\]|\\.){1,2000})"(?=\s|$)(.*)$/su.exec(text) ?? [];
  return message === undefined ? text : `${message.replaceAll('\\"', '"')}${rest}`;
}

/**
 * The beginning that takes no more lines of a phone than `max` characters do: words that do not fit move to
 * the next one.
 */
function cutToPhone(text: string, max: number): string {
  const lines = Math.ceil(max / phoneColumns);
  let shown = cut(text, max);
  while (wrapAnsi(shown, phoneColumns, { hard: true }).split('\n').length > lines) {
    shown = cut(text, shown.length - 1);
  }
  return shown;
}

/** The last lines that fit; of a line that is too long its beginning. */
function ending(lines: readonly string[], max: number): string {
  const shown: string[] = [];
  let left = max;
  for (const line of lines.toReversed()) {
    const text = shown.length === 0 ? cutToPhone(withoutPreamble(line), max) : withoutPreamble(line);
    if (text.length > left) break;
    shown.unshift(text);
    left -= text.length;
  }
  return shown.join('\n');
}
