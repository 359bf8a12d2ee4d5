import { describe, expect, it } from 'vitest';
import { changedLines, diffLines, shownDiff } from '#src/doctor/git-edits/line-diff.js';

describe('the difference of two texts', () => {
  const shown = (before: readonly string[], after: readonly string[]): readonly string[] =>
    diffLines(before.join('\n'), after.join('\n')).map(({ sign, text }) => `${sign}${text}`);
  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    ['nothing', ['a', 'b'], ['a', 'b'], []],
    ['one line', ['a', 'b', 'c'], ['a', 'x', 'c'], [' a', '-b', '+x', ' c']],
    ['a new line', ['a', 'c'], ['a', 'b', 'c'], [' a', '+b', ' c']],
    ['a line that is repeated', ['a', 'a'], ['a', 'a', 'a'], [' a', ' a', '+a']],
    ['a line that goes', ['a', 'b', 'c'], ['a', 'c'], [' a', '-b', ' c']],
    [
      'three lines around it',
      ['1', '2', '3', '4', 'x', '5', '6', '7', '8'],
      ['1', '2', '3', '4', 'y', '5', '6', '7', '8'],
      [' 2', ' 3', ' 4', '-x', '+y', ' 5', ' 6', ' 7'],
    ],
    ['lines between two changes', ['a', 'k', 'b'], ['x', 'k', 'y'], ['-a', '+x', ' k', '-b', '+y']],
    [
      'most of what both have',
      ['a', 'b', 'c', 'd'],
      ['b', 'x', 'd', 'y'],
      ['-a', ' b', '-c', '+x', ' d', '+y'],
    ],
    ['no line ends', ['a\r', 'b\r'], ['a\r', 'c\r'], [' a', '-b', '+c']],
  ])('shows %s', (_, before, after, expected) => {
    expect(shown(before, after)).toEqual(expected);
    expect(changedLines(diffLines(before.join('\n'), after.join('\n')))).toBe(
      expected.filter((line) => !line.startsWith(' ')).length,
    );
  });

  it('shows a large region as a whole', () => {
    const numbers = (from: number) =>
      Array.from({ length: 401 }, (_, at) => (at === 200 ? 'same' : `${from + at}`));
    const [before, after] = [numbers(0), numbers(1_000)];
    expect(shown(before, after)).toEqual([
      ...before.map((each) => `-${each}`),
      ...after.map((each) => `+${each}`),
    ]);
    const smaller = shown(before.slice(1), after.slice(1));
    expect(smaller).toContain(' same');
  });
});

describe('a difference as it is shown', () => {
  it('cuts a long line a little before its first difference to the line in its place', () => {
    const padded = (end: string) => `${'p'.repeat(1_500)}${end}${'q'.repeat(1_500)}`;
    const shown = shownDiff(diffLines(`${padded('1')}\n${padded('2')}`, `${padded('3')}\n${padded('4')}`));
    expect(
      shown.map((line) => [line.slice(0, 2), line.indexOf('p'), line.search(/\d/u), line.length]),
    ).toEqual([
      ['-…', 2, 202, 1_002],
      ['-…', 2, 202, 1_002],
      ['+…', 2, 202, 1_002],
      ['+…', 2, 202, 1_002],
    ]);
    expect(shown.map((line) => /\d+/u.exec(line)?.[0])).toEqual(['1', '2', '3', '4']);
  });

  it('keeps a line of a thousand characters, and of a longer one beside the change its beginning', () => {
    const whole = `a${'b'.repeat(999)}`;
    expect(shownDiff([{ sign: '+', text: whole }])).toEqual([`+${whole}`]);
    const [kept, added] = shownDiff([
      { sign: ' ', text: `${whole}c` },
      { sign: '+', text: `${whole}c` },
    ]);
    expect([kept, added]).toEqual([` ${whole.slice(0, 999)}…`, `+${whole.slice(0, 999)}…`]);
  });

  it('hides a secret whose name stands in the line above', () => {
    const value = ['hunter', '22x'].join('');
    const shown = shownDiff(diffLines('name: a\n', `name: DB_PASSWORD\nvalue: ${value}\n`));
    expect(shown.join('\n')).not.toContain(value);
    expect(shown.slice(0, 2)).toEqual(['-name: a', '+name: DB_PASSWORD']);
  });
});
