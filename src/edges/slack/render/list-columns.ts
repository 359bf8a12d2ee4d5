import type { KnownBlock, RichTextBlock, TableBlock } from '@slack/types';
import type { Language } from '../../../engine/language/language.js';
import type { Prose } from '../../../engine/language/prose.js';
import { fitted, type Message, type Size } from './message.js';
import { type Links, toPlainText, toRichText } from './prose.js';

type Columns = Readonly<
  Record<
    | 'state'
    | 'workload'
    | 'ready'
    | 'problem'
    | 'assignee'
    | 'since'
    | 'when'
    | 'change'
    | 'by'
    | 'reason'
    | 'result',
    Column
  >
>;

/** Headings of the tables of lists. */
export const listColumns: Readonly<Record<Language, Columns>> = {
  en: {
    state: { heading: 'Severity' },
    workload: { heading: 'Workload' },
    ready: { heading: 'Ready' },
    problem: { heading: 'Problem', isWide: true },
    assignee: { heading: 'On it' },
    since: { heading: 'Since' },
    when: { heading: 'When' },
    change: { heading: 'Change', isWide: true },
    by: { heading: 'By' },
    reason: { heading: 'Reason', isWide: true },
    result: { heading: 'Result', isWide: true },
  },
  ko: {
    state: { heading: '심각도' },
    workload: { heading: '워크로드' },
    ready: { heading: 'Ready' },
    problem: { heading: '문제', isWide: true },
    assignee: { heading: '담당자' },
    since: { heading: '시작' },
    when: { heading: '시각' },
    change: { heading: '변경', isWide: true },
    by: { heading: '사용자' },
    reason: { heading: '사유', isWide: true },
    result: { heading: '결과', isWide: true },
  },
};

/** A column of a table; a wide one wraps its text. */
type Column = { readonly heading: string; readonly isWide?: true };

/** Slack refuses an empty cell. */
const emptyCell = '–';

/**
 * The one place that decides between Slack's table block and lines of text, which every client shows. A
 * message has one table at most, and brings its lines along for a Slack that refuses the table
 * (docs/decisions/tables.md).
 */
export function withTable(
  hasTables: boolean,
  render: (size: Size, form: 'table' | 'lines') => Message,
): Message {
  const lines = fitted((size) => render(size, 'lines'));
  if (!hasTables) return lines;
  const table = fitted((size) => render(size, 'table'));
  return { ...table, withoutTable: lines.blocks };
}

/** Cells keep times, people and links as Slack shows them to each reader. No block where there is no row. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly Prose[])[],
  { lengths }: Size,
  links?: Links,
): KnownBlock[] {
  if (rows.length === 0) return [];
  const block: TableBlock = {
    type: 'table',
    column_settings: columns.map(({ isWide = false }) => ({ is_wrapped: isWide })),
    rows: [
      columns.map(({ heading }) => ({ type: 'raw_text' as const, text: heading })),
      ...rows.map((row) => row.map((prose) => cell(prose, lengths, links))),
    ],
  };
  return [block];
}

function cell(prose: Prose, lengths: Size['lengths'], links?: Links): TableBlock['rows'][number][number] {
  const isPlain = prose.every(({ kind }) => kind === 'text');
  if (isPlain) return { type: 'raw_text', text: toPlainText(prose, lengths).trim() || emptyCell };
  const elements = toRichText(prose, { lengths, ...(links === undefined ? {} : { links }) });
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] } satisfies RichTextBlock;
}
