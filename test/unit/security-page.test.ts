import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/security.md'), 'utf8');

/** A test, a folder of them, the properties of a tier, or a script of the checks. */
function isThere(name: string): boolean {
  if (name.startsWith('scripts/')) return existsSync(join(root, name));
  const path = join(root, 'test', name);
  return [`${path}.test.ts`, `${path}.nightly.test.ts`, `${path}.ts`, path].some((each) => existsSync(each));
}

/** The names in the second cell of a row; a name without a folder is in that of the one before it. */
function namesIn(row: string): readonly string[] {
  const [, , cell = ''] = row.split('|');
  const names: string[] = [];
  for (const [, name = ''] of cell.matchAll(/`([^`]+)`/g)) {
    names.push(name.includes('/') ? name : join(dirname(names.at(-1) ?? ''), name));
  }
  return names;
}

const table = page.slice(page.indexOf('## Attacks that run as tests'));
const rows = table.split('\n').filter((line) => /^\| (?!class|-)/.test(line));
const names = rows.flatMap(namesIn);

describe('docs/security.md', () => {
  it('names tests that exist for each class of attacks', () => {
    expect(rows.length).toBeGreaterThan(15);
    expect(rows.filter((row) => namesIn(row).length === 0)).toEqual([]);
    expect(names.filter((name) => !isThere(name))).toEqual([]);
  });

  it.each(['unit', 'integration', 'system'])('names every file of %s/attack with tests', (tier) => {
    const files = readdirSync(join(root, 'test', tier, 'attack')).filter((name) => name.endsWith('.test.ts'));
    const left = files.map((name) => `${tier}/attack/${name.replace('.test.ts', '')}`);
    expect(files.length).toBeGreaterThan(3);
    expect(left.filter((name) => !names.includes(name))).toEqual([]);
  });
});
