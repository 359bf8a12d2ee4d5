import { boundText } from '../../engine/language/text-scanning.js';
import { redact } from '../redaction/redact.js';

/** One line of a difference: kept, removed or added. */
export type DiffLine = { readonly sign: ' ' | '-' | '+'; readonly text: string };

const contextLines = 3;
/** A larger changed region is shown as removed and added as a whole. */
const maxCompared = 400;

/** The changed lines with three lines around them; line ends are not part of the texts. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const old = before.split('\n');
  const now = after.split('\n');
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  const most = Math.min(old.length, now.length) - start;
  while (end < most && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  const removed = old.slice(start, old.length - end);
  const added = now.slice(start, now.length - end);
  if (removed.length + added.length === 0) return [];
  const kept = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ sign: ' ', text }));
  const lines = [
    ...kept(old.slice(Math.max(0, start - contextLines), start)),
    ...compared(removed, added),
    ...kept(old.slice(old.length - end, old.length - end + contextLines)),
  ];
  return lines.map(({ sign, text }) => ({ sign, text: text.replace(/\r$/u, '') }));
}

/** Lines that were removed and lines that were added. */
export function changedLines(diff: readonly DiffLine[]): number {
  return diff.filter(({ sign }) => sign !== ' ').length;
}

/** By the longest common subsequence. */
function compared(old: readonly string[], now: readonly string[]): DiffLine[] {
  if (old.length * now.length > maxCompared ** 2) {
    return [...old.map(removedLine), ...now.map(addedLine)];
  }
  const width = now.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = now.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        old[row] === now[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: DiffLine[] = [];
  let row = 0;
  let column = 0;
  while (row < old.length && column < now.length) {
    const text = old[row] ?? '';
    if (text === now[column]) {
      lines.push({ sign: ' ', text });
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      lines.push(removedLine(text));
      row += 1;
    } else {
      lines.push(addedLine(now[column] ?? ''));
      column += 1;
    }
  }
  return [...lines, ...old.slice(row).map(removedLine), ...now.slice(column).map(addedLine)];
}

function removedLine(text: string): DiffLine {
  return { sign: '-', text };
}

function addedLine(text: string): DiffLine {
  return { sign: '+', text };
}

/** Characters of one line. Records, cards and pull requests hold it. */
const maxShownLine = 1_000;
/** Characters before the first difference of a line that is cut. */
const leadLength = 200;

/**
 * The lines of a difference as they are kept and shown, without secrets. Of a long line the part around its
 * change stays: a file may be one line, and a line beside the change may be as long as a file.
 */
export function shownDiff(diff: readonly DiffLine[]): readonly string[] {
  const texts = redact(diff.map(({ text }) => text).join('\n')).split('\n');
  const lines = diff.map(({ sign }, at) => ({ sign, text: texts[at] ?? '' }));
  const removed = lines.filter(({ sign }) => sign === '-');
  const added = lines.filter(({ sign }) => sign === '+');
  const seen = { '-': 0, '+': 0, ' ': 0 };
  return lines.map(({ sign, text }) => {
    const others = sign === '-' ? added : sign === '+' ? removed : [];
    const other = others[seen[sign]]?.text ?? '';
    seen[sign] += 1;
    return `${sign}${partAroundChange(text, other)}`;
  });
}

/** The line, or what is around its first difference to another one. */
function partAroundChange(text: string, other: string): string {
  if (text.length <= maxShownLine) return text;
  let same = 0;
  while (same < text.length && text[same] === other[same]) same += 1;
  const from = Math.max(0, same - leadLength);
  // A cut may halve a character of two units.
  const start = /^[\uDC00-\uDFFF]/u.test(text.slice(from, from + 1)) ? from + 1 : from;
  return `${start > 0 ? '…' : ''}${boundText(text.slice(start), maxShownLine)}`;
}
