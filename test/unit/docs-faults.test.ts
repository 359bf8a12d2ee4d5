import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const [told = '', counts = ''] = readFileSync(join(root, 'docs/faults.md'), 'utf8').split('<!-- counts:');

/** Cells of the rows of the table under this heading row. */
const rowsUnder = (text: string, heading: string): readonly (readonly string[])[] =>
  text
    .slice(text.indexOf(heading))
    .split('\n')
    .slice(2)
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    );

const faults = rowsUnder(told, '| what fails |');
const counted = rowsUnder(counts, '| test |');
/** The command writes this of a test with rounds that it has not run: it never stands beside a number. */
const notYet = 'not counted yet';
const pathIn = (cell = '') => /^`(test\/[\w/-]+\.test\.ts)`$/u.exec(cell)?.[1] ?? '';
const listed = faults.map((row) => pathIn(row[3]));
const sourceOf = (path: string) =>
  path !== '' && existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';

describe('docs/faults.md', () => {
  it('has a test in every row', () => {
    expect(faults.length).toBeGreaterThan(40);
    expect(faults.filter((row) => row.length !== 4 || row.includes(''))).toEqual([]);
    const isTest = (row: readonly string[]) =>
      /\bit(?:\.(?:each|for|runIf))?\(/u.test(sourceOf(pathIn(row[3])));
    expect(faults.filter((row) => !isTest(row))).toEqual([]);
  });

  it('names every test of a fault', () => {
    const tests = ['test/system/faults', 'test/integration/faults'].flatMap((folder) =>
      readdirSync(join(root, folder))
        .filter((name) => name.endsWith('.test.ts'))
        .map((name) => `${folder}/${name}`),
    );
    expect(tests.filter((path) => !listed.includes(path))).toEqual([]);
  });

  it('leaves counts of rounds to the table that the runs write', () => {
    const typed = /\b\d+ (?:kills|approvals|reviews|cut answers|failovers|rounds)\b|_(?:ROUNDS|FAILOVERS)=/u;
    expect(faults.filter((row) => typed.test(row.join(' ')))).toEqual([]);
  });

  it('counts only tests that it names, that ran and that did not fail', () => {
    expect(counted.map(([test]) => pathIn(test)).filter((path) => !listed.includes(path))).toEqual([]);
    const isWhole = ([, , passed, failed, , commit, day, machine]: readonly string[]) =>
      Number(passed) > 0 && failed === '0' && /^[\da-f]{7,}$/u.test(commit ?? '') && !!day && !!machine;
    expect(counted.filter((row) => !row.includes(notYet) && !isWhole(row))).toEqual([]);
  });

  it('has a row for every test that makes more rounds than the usual run', () => {
    const withRounds = listed.filter((path) =>
      /process\.env\.\w+_(?:ROUNDS|FAILOVERS|FAULTS|MINUTES)\b/u.test(sourceOf(path)),
    );
    const inTable = counted.filter(([, settings = '']) => settings !== '').map(([test]) => pathIn(test));
    expect([...new Set(withRounds)].filter((path) => !inTable.includes(path))).toEqual([]);
    const numbered = counted.filter(
      (row) => row.includes(notYet) && row.slice(2).some((cell) => /\d/u.test(cell)),
    );
    expect(numbered).toEqual([]);
  });
});
