import { readFile, writeFile } from 'node:fs/promises';
import type { Machine } from '../measure/machine.js';

const page = new URL('../../docs/benchmarks.md', import.meta.url);
/** The comments on the page between which the table of today stands. */
const [begin, end] = ['<!-- measured: begin -->', '<!-- measured: end -->'];
/** Where others compute as well, times say more about them. */
const maxLoadOfCore = 1;

/** Why figures of such a machine are not published; undefined where they may be. */
export function refusalOf({ load, cores }: Machine): string | undefined {
  return load > cores * maxLoadOfCore ? `not published: the load is ${load} on ${cores} cores` : undefined;
}

/**
 * Puts the report in front of the page of benchmarks.
 *
 * @param machines as it was before the run and after it
 * @returns why it did not
 */
export async function publish(report: string, machines: readonly Machine[]): Promise<string | undefined> {
  const busy = machines.map(refusalOf).find((refusal) => refusal !== undefined);
  if (busy !== undefined) return busy;
  const text = await readFile(page, 'utf8');
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from === -1 || to < from) return `not published: the page has no place between ${begin} and ${end}`;
  const placed = `${text.slice(0, from + begin.length)}\n\n${report.replaceAll(/^## /gm, '### ')}\n${text.slice(to)}`;
  await writeFile(page, placed);
  return undefined;
}
