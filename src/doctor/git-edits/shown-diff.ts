import { redact } from '../redaction/redact.js';
import type { DiffLine } from './line-diff.js';

/** Characters of one line. Records, cards and pull requests hold it. */
const maxLine = 1_000;
/** Characters before the first difference of a line that is cut. */
const lead = 200;

/**
 * The lines of a difference as they are kept and shown, without secrets. Of a long line the part around its
 * change stays: a file may be one line, and a line beside the change may be as long as a file.
 */
export function shownDiff(diff: readonly DiffLine[]): readonly string[] {
  const texts = redact(diff.map(({ text }) => text).join('\n')).split('\n');
  const lines = diff.map(({ sign }, at) => ({ sign, text: texts[at] ?? '' }));
  const removed = lines.filter(({ sign }) => sign === '-');
  const added = lines.filter(({ sign }) => sign === '+');
  return lines.map((line) => {
    const [own, others] = line.sign === '-' ? [removed, added] : [added, removed];
    const other = line.sign === ' ' ? undefined : others[own.indexOf(line)];
    return `${line.sign}${partOf(line.text, other?.text ?? '')}`;
  });
}

/** The line, or what is around its first difference to another one. */
function partOf(text: string, other: string): string {
  if (text.length <= maxLine) return text;
  let same = 0;
  while (same < text.length && text[same] === other[same]) same += 1;
  const from = Math.max(0, same - lead);
  const end = from + maxLine;
  const part = withoutHalves(text.slice(from, end));
  return `${from > 0 ? '…' : ''}${part}${end < text.length ? '…' : ''}`;
}

/** A cut may halve a character of two units. */
function withoutHalves(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/u, '').replace(/[\uD800-\uDBFF]$/u, '');
}
