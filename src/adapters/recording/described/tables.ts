/** Rows of a table that kubectl printed: cells by the title of their column. */
export type Row = ReadonlyMap<string, string>;

/** Columns of one table. kubectl has at most about a dozen. */
const maxColumns = 40;

interface Column {
  readonly title: string;
  readonly from: number;
}

/**
 * The columns of a line of titles. Titles may contain single spaces (`LAST SEEN`); at least two, or a tab,
 * separate them.
 */
export function columnsOf(header: string): readonly Column[] {
  const columns: Column[] = [];
  for (const match of header.matchAll(/\S+(?: \S+)*/gu)) {
    if (columns.length === maxColumns) break;
    columns.push({ title: match[0], from: match.index });
  }
  return columns;
}

/**
 * Cells stand below their titles, so that an empty one is seen. Where a table was pasted and moved, or rows
 * were printed later with other widths, wide gaps separate the cells instead.
 */
export function rowOf(columns: readonly Column[], line: string): Row {
  const isAligned = columns.every(
    ({ from }) => from === 0 || from >= line.length || /\s/u.test(line[from - 1] ?? ' '),
  );
  const cells = isAligned ? alignedCells(columns, line) : gappedCells(columns.length, line);
  return new Map(columns.map(({ title }, at) => [title, cells[at] ?? '']));
}

function alignedCells(columns: readonly Column[], line: string): readonly string[] {
  return columns.map(({ from }, at) => line.slice(from, columns[at + 1]?.from).trim());
}

/** The last cell may itself contain gaps. */
function gappedCells(count: number, line: string): readonly string[] {
  const cells: string[] = [];
  let rest = line.trim();
  while (cells.length < count - 1) {
    const gap = /\t|\s{2,}/u.exec(rest);
    if (gap === null) break;
    cells.push(rest.slice(0, gap.index));
    rest = rest.slice(gap.index + gap[0].length);
  }
  return [...cells, rest];
}

/** The rows below a line of titles, of a table within a description: the first line holds the titles. */
export function rowsOf(lines: readonly string[]): readonly Row[] {
  const at = lines.findIndex((line) => line.trim() !== '');
  const columns = columnsOf(lines[at] ?? '');
  return lines
    .slice(at + 1)
    .filter((line) => line.trim() !== '' && !/^[\s-]+$/u.test(line))
    .map((line) => rowOf(columns, line));
}

export function cellOf(row: Row, ...titles: readonly string[]): string {
  for (const title of titles) {
    const cell = row.get(title);
    if (cell !== undefined) return cell;
  }
  return '';
}
