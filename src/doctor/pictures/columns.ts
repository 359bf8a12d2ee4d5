import type { Prose, Span } from '../../engine/language/prose.js';
import { untrusted } from '../redaction/untrusted.js';

const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Hangul, kana, ideographs and full-width forms (Unicode `East_Asian_Width` W and F). */
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]/u;
const emoji = /^\p{Emoji_Presentation}|^\p{Emoji}\ufe0f|^\p{Regional_Indicator}{2}/u;
const nothing = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;

/**
 * Columns that a text takes where all characters are equally wide: two for Korean, ideographs and emoji, none
 * for marks on a letter. Signs that are narrow in Latin fonts and wide in some Korean ones count as narrow.
 */
export function columnsOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of characters.segment(bothEnds(text))) {
    if (nothing.test(segment)) continue;
    columns += wide.test(segment) || emoji.test(segment) ? 2 : 1;
  }
  return columns;
}

/** Far wider than any line. A segmenter takes quadratic time on texts that are not Latin. */
const maxMeasured = 2_000;

/** The ends of a text that is too long to be measured: it is wider than every line in any case. */
function bothEnds(text: string): string {
  const half = maxMeasured / 2;
  return text.length <= maxMeasured ? text : text.slice(0, half) + text.slice(-half);
}

/** The text with spaces behind it up to so many columns. */
export function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

/**
 * Keeps both ends of a name that takes more columns: the end is what tells a pod from its siblings, and as
 * much as there is room for of what comes before its last part.
 */
export function shortened(name: string, columns: number): string {
  if (columnsOf(name) <= columns) return name;
  const all = [...characters.segment(bothEnds(name))].map(({ segment }) => segment);
  const room = Math.max(0, columns - 1);
  const half = taken([...all].reverse(), Math.floor(room / 2)).reverse();
  const last = half.lastIndexOf('-');
  const tail = last > 0 && half.length - last > 3 ? half.slice(last) : half;
  const head = taken(all, room - columnsOf(tail.join('')));
  return `${head.join('')}…${tail.join('')}`;
}

function taken(segments: readonly string[], columns: number): string[] {
  const found: string[] = [];
  let left = columns;
  for (const segment of segments) {
    left -= columnsOf(segment);
    if (left < 0) break;
    found.push(segment);
  }
  return found;
}

/**
 * Breaks a text at spaces; a word that is wider than a line is shortened in the middle. At least one line.
 */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const each of text.split(' ')) {
    const word = shortened(each, columns);
    const longer = line === '' ? word : `${line} ${word}`;
    if (columnsOf(longer) <= columns) line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

/** As much of a foreign text as is ever looked at. */
const longest = 320;

/**
 * A name from the cluster as it may stand in a picture: redacted, on one line, without what ends a code
 * block.
 */
export function shownName(name: string, columns: number): string {
  return shortened(untrusted(name, longest).replaceAll('`', '´'), columns) || '""';
}

/** Prose as plain text; foreign names take at most so many columns each. */
export function proseText(prose: Prose, nameColumns: number): string {
  return prose.map((span) => spanText(span, nameColumns)).join('');
}

function spanText(span: Span, nameColumns: number): string {
  switch (span.kind) {
    case 'text':
    case 'strong':
      return span.text;
    case 'code':
    case 'quote':
      return shownName(span.text, nameColumns);
    case 'time':
      return shownName(span.at, nameColumns);
    case 'group':
      return shownName(span.name, nameColumns);
    case 'person':
      return shownName(span.id, nameColumns);
  }
}
