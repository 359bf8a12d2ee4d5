/**
 * Counts what makes the sources hard to read, and fails when a count is above its limit in `house-limits.json`. With
 * `--lower`, a limit above its count becomes the count; no limit ever rises.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { posix, sep } from 'node:path';
import { counts, readHouse } from './house-counts.mjs';

const limitsFile = 'scripts/house-limits.json';
const limits = JSON.parse(readFileSync(limitsFile, 'utf8'));
const paths = ['src', 'workers'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => posix.join(folder, ...name.split(sep))),
);
const house = readHouse(new Map(paths.toSorted().map((path) => [path, readFileSync(path, 'utf8')])));
const rows = counts.map(({ id, title, count }) => ({ id, title, count: count(house), ...limits[id] }));

const widest = Math.max(...rows.map(({ title }) => title.length));
const row = (title, ...cells) =>
  `${title.padEnd(widest)}${cells.map((cell) => `${cell}`.padStart(9)).join('')}`;
process.stdout.write(`${row('', 'count', 'limit', 'aim')}\n`);
for (const { title, count, limit, aim = '' } of rows) {
  process.stdout.write(`${row(title, count, limit, aim)}${noteOf(count, limit)}\n`);
}

if (process.argv.includes('--lower')) {
  for (const { id, count, limit } of rows) limits[id].limit = Math.min(count, limit);
  writeFileSync(limitsFile, `${JSON.stringify(limits, undefined, 2)}\n`);
}
process.exit(rows.some(({ count, limit }) => count > limit) ? 1 : 0);

function noteOf(count, limit) {
  if (count === limit) return '';
  return count > limit ? `  ${count - limit} above the limit` : `  lower the limit to ${count}`;
}
