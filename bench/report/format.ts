import type { Machine } from '../measure/machine.js';
import { type Figure, isMet, type Row, type Table } from './table.js';

export interface Report {
  readonly apiVersion: 'rollout-doctor/v1';
  readonly kind: 'Bench';
  /** RFC3339. */
  readonly takenAt: string;
  readonly machine: Machine;
  /** Commits that were measured, as `former d2c748bd`; none without a former version. */
  readonly versions?: readonly string[];
  readonly tables: readonly Table[];
}

/**
 * One table as a Markdown table whose source lines up, so that the same text serves a terminal and a page.
 */
function tableText({ title, about, columns, rows }: Table): string {
  const cells = [['', ...columns], ...rows.map(cellsOf)];
  const widths = ['', ...columns].map((_, column) => widest(cells, column));
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => padded(row[column] ?? '', width, column > 0)).join(' | ')} |`;
  const rule = line(widths.map((width, column) => (column === 0 ? '' : ':').padStart(width, '-')));
  const [head = [], ...body] = cells;
  return [`## ${title}`, '', about, '', line(head), rule, ...body.map(line), ''].join('\n');
}

export function reportText({ takenAt, machine, versions = [], tables }: Report): string {
  const { cpu, cores, memoryGB, node, load } = machine;
  const where = `${takenAt.slice(0, 10)}, ${cores} × ${cpu}, ${memoryGB} GB, Node ${node}, load ${load} before the run`;
  return [[where, ...versions].join(', '), '', ...tables.map(tableText)].join('\n');
}

function cellsOf({ name, figures }: Row): readonly string[] {
  return [name, ...figures.map((figure) => (figure === undefined ? '' : figureText(figure)))];
}

/** `12.3 ms (< 200)`; a promise that was not kept says so in words. */
function figureText(figure: Figure): string {
  const { value, unit, below } = figure;
  const text = `${numberText(value)}${unit === '' || unit === '×' ? unit : ` ${unit}`}`;
  if (below === undefined) return text;
  return isMet(figure) === true ? `${text} (aim < ${below})` : `${text} (MISSED: aim < ${below})`;
}

function numberText(value: number): string {
  const digits = Number.isInteger(value) || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function widest(rows: readonly (readonly string[])[], column: number): number {
  return Math.max(3, ...rows.map((row) => (row[column] ?? '').length));
}

function padded(text: string, width: number, right: boolean): string {
  return right ? text.padStart(width) : text.padEnd(width);
}
