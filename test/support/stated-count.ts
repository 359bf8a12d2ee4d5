import { readFileSync } from 'node:fs';

const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');

/** The number that docs/security.md states before these words: a suite of attacks compares it with its own. */
export function statedCount(words: string): number {
  const [, number] = new RegExp(`(\\d[\\d,]*) ${words}`, 'u').exec(page) ?? [];
  if (number === undefined) throw new Error(`docs/security.md states no number of "${words}"`);
  return Number(number.replaceAll(',', ''));
}
