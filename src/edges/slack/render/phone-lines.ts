import { columnsOf } from '../../../doctor/pictures/columns.js';

/** The lines that a phone shows without scrolling: no card has more. */
export const maxPhoneLines = 12;

/**
 * Characters of a line on a phone of 390 px, as the page of `demo/` shows messages; Korean ones count twice.
 */
const columns = { header: 36, text: 44, small: 52 } as const;

/**
 * The number of lines of a message on a phone: its text at the width of each kind of block, a row of buttons
 * as one line as far as the buttons fit beside each other. `test/browser/phone.test.ts` compares it with a
 * browser.
 */
export function phoneLines(blocks: readonly unknown[]): number {
  return blocks.reduce((sum: number, block) => sum + linesOf(block as Node), 0);
}

/** Lines above the first button of the message; all lines where it has none. */
export function linesAboveButton(blocks: readonly unknown[]): number {
  const at = blocks.findIndex((block) => (block as Node).type === 'actions');
  return phoneLines(at < 0 ? blocks : blocks.slice(0, at));
}

interface Node {
  readonly type?: string;
  readonly text?: string | { readonly text: string };
  readonly elements?: readonly Node[];
  readonly fallback?: string;
  readonly user_id?: string;
}

function linesOf(block: Node): number {
  switch (block.type) {
    case 'header':
      return rows(textOf(block), columns.header);
    case 'actions':
      return Math.ceil(
        (block.elements ?? []).reduce((sum, each) => sum + buttonColumns(each), 0) / columns.text,
      );
    case 'context':
      return rows((block.elements ?? []).map(textOf).join(' '), columns.small);
    case 'section':
      return rows(textOf(block), columns.text);
    case 'rich_text':
      return (block.elements ?? []).reduce((sum, each) => sum + rows(textOf(each), columns.text), 0);
    // A line between blocks, and what no card has.
    default:
      return 1;
  }
}

/** Padding and margin of a button are worth four characters. */
function buttonColumns(element: Node): number {
  return element.type === 'overflow' ? 5 : columnsOf(textOf(element)) + 4;
}

function textOf({ type, text, elements, fallback, user_id: user }: Node): string {
  if (type === 'date') return shownDate;
  if (type === 'emoji') return '●';
  if (user !== undefined) return '@somebody';
  if (typeof text === 'object') return textOf({ text: text.text });
  if (text !== undefined) return shown(text);
  return (elements ?? []).map(textOf).join(fallback ?? '');
}

const shownDate = 'today 9:30 AM';

/** mrkdwn without its marks. */
function shown(text: string): string {
  return text
    .replace(/<!date\^[^<>]{0,200}>/gu, shownDate)
    .replace(/<@[^<>]{0,40}>/gu, '@somebody')
    .replace(/<[^<>|]{1,3000}\|([^<>|]{1,300})>/gu, '$1')
    .replace(/[`*]/gu, '');
}

function rows(text: string, width: number): number {
  return text.split('\n').reduce((sum, line) => sum + Math.max(1, wrapped(line, width)), 0);
}

function wrapped(line: string, width: number): number {
  let count = 1;
  let used = 0;
  // Lines break after spaces and hyphens.
  for (const part of line.split(/(?<=[ -])/u)) {
    const size = columnsOf(part.trimEnd());
    if (used > 0 && used + size > width) {
      count += 1;
      used = 0;
    }
    used += columnsOf(part);
    count += Math.floor(Math.max(0, size - 1) / width);
    used = Math.min(used, width);
  }
  return count;
}
