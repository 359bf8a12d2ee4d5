import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { groupBy } from '#src/engine/collections/collections.js';
import { quantile } from '../measure/quantile.js';
import { type Figure, type Row, ratio, type Table } from '../report/table.js';

const ownFolder = fileURLToPath(new URL('../..', import.meta.url));

/** What another version printed of a part: only what both versions have is compared. */
const Measured = z.object({
  tables: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      columns: z.array(z.string()),
      rows: z.array(
        z.object({
          name: z.string(),
          figures: z.array(z.object({ value: z.number(), unit: z.string() }).nullable()),
        }),
      ),
    }),
  ),
});

interface Compared {
  readonly table: string;
  readonly name: string;
  readonly unit: string;
  readonly before: number[];
  readonly now: number[];
}

/** Measures a part of the version in a folder. */
export type MeasureVersion = (folder: string) => Promise<readonly Table[]>;

/**
 * Each part of a former version and of this one, in turns, so that whatever else the machine does meets both.
 * Commands are measured by this bench; what runs in the process of the bench, by the bench of each version. A
 * part that the former version lacks has no figures of it.
 *
 * @param former a folder of the project with its node_modules and its build
 * @param commands the parts that run the built command line
 */
export async function measureAgainst(
  former: string,
  parts: readonly string[],
  pairs: number,
  commands: Readonly<Record<string, MeasureVersion>>,
  say: (line: string) => void,
): Promise<readonly Table[]> {
  const tables: Table[] = [];
  for (const part of parts) {
    const figures = new Map<string, Compared>();
    for (let pair = 0; pair < pairs; pair += 1) {
      say(`${part}: pair ${pair + 1} of ${pairs}`);
      // Who is first changes, since the one behind may find warm caches.
      const order = pair % 2 === 0 ? (['before', 'now'] as const) : (['now', 'before'] as const);
      for (const side of order) {
        const folder = side === 'now' ? ownFolder : former;
        const tablesNow = await commands[part]?.(folder);
        note(figures, tablesNow === undefined ? await measuredIn(folder, part) : asPrinted(tablesNow), side);
      }
    }
    tables.push(...tablesOf(figures));
  }
  return tables;
}

type Report = z.output<typeof Measured>;

const asPrinted = (tables: readonly Table[]): Report =>
  Measured.parse(JSON.parse(JSON.stringify({ tables })));

/** Nothing where that version does not know the part. */
async function measuredIn(folder: string, part: string): Promise<Report> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'bench/main.ts', '--output', 'json', '--only', part],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const [output, complaint, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<[number]>,
  ]);
  if (status === unknownPart) return { tables: [] };
  if (status !== 0)
    throw new Error(`${part} in ${folder} ended with status ${status}: ${complaint.slice(-2_000)}`);
  return Measured.parse(JSON.parse(output));
}

const unknownPart = 2;

function note(figures: Map<string, Compared>, { tables }: Report, side: 'before' | 'now'): void {
  for (const { title, columns, rows } of tables) {
    for (const { name, figures: ofRow } of rows) {
      for (const [position, figure] of ofRow.entries()) {
        if (figure === null || !Number.isFinite(figure.value)) continue;
        const key = JSON.stringify([title, name, columns[position]]);
        const known = figures.get(key) ?? {
          table: title,
          name: `${name}: ${columns[position] ?? ''}`,
          unit: figure.unit,
          before: [],
          now: [],
        };
        known[side].push(figure.value);
        figures.set(key, known);
      }
    }
  }
}

function tablesOf(figures: ReadonlyMap<string, Compared>): readonly Table[] {
  const byTable = groupBy(figures.values(), ({ table }) => table);
  return [...byTable].map(([title, compared]) => ({
    id: 'against',
    title,
    about: 'Medians; the ratio of the pairs is this version by the former one.',
    columns: ['former', 'now', 'ratio'],
    rows: compared.map(rowOf),
  }));
}

function rowOf({ name, unit, before, now }: Compared): Row {
  const median = (values: readonly number[]): Figure | undefined =>
    values.length === 0 ? undefined : { value: quantile(values, 0.5), unit: unit as Figure['unit'] };
  const ratios = now.flatMap((value, pair) => {
    const former = before[pair];
    return former === undefined || former === 0 ? [] : [value / former];
  });
  return {
    name,
    figures: [median(before), median(now), ratios.length === 0 ? undefined : ratio(quantile(ratios, 0.5))],
  };
}
