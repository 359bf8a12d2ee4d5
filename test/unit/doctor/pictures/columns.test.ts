import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { columnsOf, padded, proseText, shortened, shownName, wrapped } from '#src/doctor/pictures/columns.js';
import { code, quote, say } from '#src/engine/language/prose.js';

describe('terminal columns', () => {
  it.each([
    ['nothing', '', 0],
    ['plain letters', 'gpu-a', 5],
    ['Korean syllables, two each', '새 파드', 7],
    ['conjoining jamo as the one syllable they are', '\u1112\u1161\u11ab', 2],
    ['ideographs and full-width forms', '節ｘ', 4],
    ['an emoji', '❌', 2],
    ['an emoji of several code points', '👩‍👩‍👧‍👦', 2],
    ['a flag', '🇰🇷', 2],
    ['a letter with a mark', 'e\u0301', 1],
    ['a mark alone', '\u0301', 0],
    ['the signs of a strip, narrow', '✕⊘▲□?●–↻', 8],
    ['the lines of a ring, narrow', '┌─▶│▼└┘', 7],
  ])('are counted for %s', (_, text, columns) => {
    expect(columnsOf(text)).toBe(columns);
  });

  it.each([
    ['a short name stays', 'gpu-a', 8, 'gpu-a'],
    ['both ends are kept', 'inference-5985d4c6c5-mbbwp', 15, 'inferenc…-mbbwp'],
    ['both ends are kept where the last part is long', 'node.eu-central-compute', 11, 'node.…mpute'],
    ['both ends are kept where the last part is short', 'a-very-long-name-7', 9, 'a-ve…me-7'],
    ['wide characters are not cut in half', '가나다라마바', 6, '가…바'],
    ['one column is the ellipsis', 'gpu-a', 1, '…'],
  ])('shorten a name: %s', (_, name, columns, wanted) => {
    expect(shortened(name, columns)).toBe(wanted);
    expect(columnsOf(wanted)).toBeLessThanOrEqual(columns);
  });

  it.each([
    ['breaks at spaces', 'needs cpu on n-a', 9, ['needs cpu', 'on n-a']],
    ['shortens a word without spaces', 'on abcdefghijkl', 7, ['on', 'abc…jkl']],
    ['is empty for an empty text', '', 7, ['']],
  ])('wrap a line: the line %s', (_, text, columns, wanted) => {
    expect(wrapped(text, columns)).toEqual(wanted);
  });

  it('pad by displayed width, not by characters', () => {
    expect(padded('노드', 6)).toBe('노드  ');
    expect(padded('gpu-a', 3)).toBe('gpu-a');
  });

  it('are never exceeded, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 80 }),
        fc.integer({ min: 2, max: 60 }),
        (text, columns) => {
          expect(columnsOf(shortened(text, columns))).toBeLessThanOrEqual(columns);
          for (const line of wrapped(text, columns)) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('a name in a picture', () => {
  it.each([
    ['cannot end a block of code', 'a```b', 'a´´´b'],
    ['stays on its line', 'a\nb\u2028c', 'a b c'],
    ['cannot turn the text round', 'a\u202eb', 'ab'],
    ['shows that it is empty', ' ', '""'],
  ])('%s', (_, name, wanted) => {
    expect(shownName(name, 20)).toBe(wanted);
    expect(proseText(say`${code(name)} ${quote(name)}`, 20)).toBe(`${wanted} ${wanted}`);
  });

  it('keeps no secret', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    expect(shownName(secret, 60)).not.toContain(secret);
  });
});
