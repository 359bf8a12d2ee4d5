import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { totalScore, wilson } from '../../mutation/score.js';

const page = readFileSync('docs/mutation.md', 'utf8');
const [, table = ''] = /<!-- mutation -->([\s\S]*)<!-- end of mutation -->/.exec(page) ?? [];
const rows = table
  .split('\n')
  .filter((line) => /^\| [`*]/.test(line))
  .map((line) => {
    const [name = '', mutants, , tried, detected, missed, share, interval] = line
      .split('|')
      .slice(1)
      .map((cell) => cell.trim().replaceAll(',', ''));
    return {
      name,
      mutants: Number(mutants),
      tried: Number(tried),
      detected: Number(detected),
      missed: Number(missed),
      shown: `${share} ${interval}`,
    };
  });
const parts = rows.slice(0, -1);
const total = rows.at(-1);

const shown = ({ share, low, high }: ReturnType<typeof wilson>): string => {
  const [all, from, to] = [share, low, high].map((value) => Math.round(value * 100));
  return `${all} % ${from}–${to} %`;
};
const sumOf = (column: 'mutants' | 'tried' | 'detected' | 'missed'): number =>
  parts.reduce((sum, row) => sum + row[column], 0);

describe('the published mutation score', () => {
  it.each(parts)('of $name follows from its mutants', ({ tried, detected, missed, shown: published }) => {
    expect(detected + missed).toBe(tried);
    expect(published).toBe(shown(wilson(detected / tried, tried)));
  });

  it('of all parts weighs each part by its mutants', () => {
    const samples = parts.map(({ mutants, detected, missed }) => ({
      mutants,
      outcome: { killed: detected, timedOut: 0, survived: missed, uncovered: 0 },
    }));
    expect(total).toMatchObject({
      mutants: sumOf('mutants'),
      tried: sumOf('tried'),
      detected: sumOf('detected'),
      missed: sumOf('missed'),
      shown: shown(totalScore(samples)),
    });
  });

  it('is the one that the README states', () => {
    const [stated] = /\d+ %(?= of \[random changes\])/.exec(readFileSync('README.md', 'utf8')) ?? [];
    expect(total?.shown.startsWith(`${stated} `)).toBe(true);
  });
});
