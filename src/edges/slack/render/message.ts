import type { KnownBlock } from '@slack/types';
import { columnsOf } from '../../../doctor/pictures/columns.js';
import type { Prose } from '../../../engine/language/prose.js';
import { capitalised, type Lengths, toNotification } from './prose.js';

/**
 * What `chat.postMessage`, `chat.update` and `respond` take. `text` is what notifications and screen readers
 * say.
 */
export interface Message {
  readonly text: string;
  readonly blocks: KnownBlock[];
  /** The same in lines, where `blocks` has a table that a Slack may refuse, and where views take none. */
  readonly withoutTable?: KnownBlock[];
}

/** How much is shown: lengths of foreign text, and items of a list before the rest becomes a count. */
export type Size = { readonly lengths: Lengths; readonly items: number };

/** From generous to terse; the last fits whatever a snapshot holds. */
export const sizes: readonly Size[] = [
  { lengths: { code: 253, quote: 600 }, items: 12 },
  { lengths: { code: 120, quote: 300 }, items: 10 },
  { lengths: { code: 63, quote: 200 }, items: 7 },
  { lengths: { code: 40, quote: 100 }, items: 4 },
  { lengths: { code: 24, quote: 60 }, items: 3 },
  { lengths: { code: 12, quote: 30 }, items: 1 },
];

/**
 * Characters of JSON in one message. Slack refuses somewhere above 13,000 over all blocks, undocumented, and
 * earlier with rich text (slackapi/bolt-js#2509, #2867).
 */
export const messageBudget = 10_000;
const blockBudget = 50;
const notificationLength = 1_500;

/** The most generous rendering that Slack will take. */
export function fitted(render: (size: Size) => Message): Message {
  let smallest: Message | undefined;
  for (const size of sizes) {
    const { text, blocks } = render(size);
    smallest = { text, blocks };
    if (fits(smallest)) return smallest;
  }
  const text = smallest?.text ?? '…';
  return { text, blocks: [{ type: 'section', text: { type: 'plain_text', text, emoji: false } }] };
}

/** Names that are shorter than this are hard to recognise. */
const minName = 40;

/** How much of our own words gives way: none, what explains facts, and further facts. */
export type Terseness = 'none' | 'short' | 'shortest';

/**
 * The most generous rendering that fits one screen of a phone as well: first our own words give way, then
 * names and quotes as far as people recognise them. Where that is not enough, nothing is shortened for the
 * phone.
 */
export function fittedToPhone(render: (size: Size, terseness: Terseness) => Message): Message {
  const recognisable = sizes.filter(({ lengths }) => lengths.code >= minName);
  const tried = [
    ...recognisable.slice(0, 1).flatMap((size) => [
      { size, terseness: 'none' as const },
      { size, terseness: 'short' as const },
    ]),
    ...recognisable.map((size) => ({ size, terseness: 'shortest' as const })),
  ];
  for (const { size, terseness } of tried) {
    const message = render(size, terseness);
    if (fits(message) && phoneLines(message.blocks) <= maxPhoneLines) return message;
  }
  return fitted((size) => render(size, 'none'));
}

export function fits({ text, blocks }: Message): boolean {
  return blocks.length <= blockBudget && JSON.stringify(blocks).length + text.length <= messageBudget;
}

/**
 * Sentences as the top-level text of a message: names give way first, then the last sentences, whole ones
 * only, so that no date or mention of ours is cut in half.
 */
export function spoken(sentences: readonly Prose[]): string {
  const said = sentences.filter((sentence) => sentence.length > 0);
  for (const { lengths } of sizes) {
    const text = said.map((sentence) => ended(toNotification(capitalised(sentence), lengths))).join(' ');
    if (text.length <= notificationLength) return text;
  }
  return said.length > 1 ? spoken(said.slice(0, -1)) : '…';
}

function ended(sentence: string): string {
  return /[.!?…:]$/u.test(sentence) ? sentence : `${sentence}.`;
}

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
