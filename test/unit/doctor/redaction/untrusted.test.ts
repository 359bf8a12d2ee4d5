import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { untrusted } from '#src/doctor/redaction/untrusted.js';

const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';

describe('untrusted text', () => {
  it.each<[string, string, string]>([
    ['loses colours', '\u001b[1;31merror\u001b[0m: boom', 'error: boom'],
    ['loses colours in their C1 form', '\u009b31merror\u009b0m', 'error'],
    ['loses terminal titles and links', '\u001b]0;title\u0007a\u001b]8;;https://evil\u001b\\b', 'ab'],
    ['keeps the text after an unfinished title on the next line', '\u001b]0;title\nsecond', 'second'],
    ['loses cursor movements that overwrite', 'ok\u001b[2K\u001b[1Gnot ok', 'oknot ok'],
    ['loses bells, backspaces and nulls', 'a\u0007b\u0008c\u0000d', 'abcd'],
    ['loses zero-width characters', 'de\u200bfa\u2060ult\ufeff', 'default'],
    [
      'loses characters that turn the direction of writing',
      'safe\u202egnp.exe\u202c \u2066x\u2069',
      'safegnp.exe x',
    ],
    ['loses invisible tag characters', 'a\u{e0041}\u{e0042}b', 'ab'],
    ['loses variation selectors and fillers', 'a\ufe0fb\u3164c', 'abc'],
    ['turns line breaks of every kind into spaces', 'a\r\nb\rc\u2028d\u0085e\tf', 'a b c d e f'],
    ['collapses white space', '  a \u00a0  b  ', 'a b'],
    ['replaces half a surrogate pair', 'a\ud83dx', 'a\ufffdx'],
    ['cuts towers of combining marks', `e${'\u0301'.repeat(50)}`, `e${'\u0301'.repeat(8)}`.normalize('NFD')],
    ['removes secrets', 'password=hunter2Canary ok', 'password=[redacted password] ok'],
    [
      'removes secrets that are hidden between colours',
      'pass\u001b[0mword=hunter2\u001b[31mCanary',
      'password=[redacted password]',
    ],
    [
      'removes secrets that are hidden between zero-width characters',
      'to\u200bken=abc\u200b123456',
      'token=[redacted token]',
    ],
    [
      'leaves mentions and mark-up to the renderer',
      '<!channel> *b* `c` <https://x|y>',
      '<!channel> *b* `c` <https://x|y>',
    ],
    [
      'leaves Korean and Japanese',
      '오류: 파드를 찾을 수 없음 起動に失敗',
      '오류: 파드를 찾을 수 없음 起動に失敗',
    ],
  ])('%s', (_, text, shown) => {
    expect(untrusted(text, 500)).toBe(shown);
  });

  it('keeps lines and tabs when requested, at most one empty line together and none at the ends', () => {
    expect(untrusted('\n\na\t1  \r\n\n\n\nb\n', 500, { keepLines: true })).toBe('a\t1\n\nb');
  });

  it.each<[string, string, number, string]>([
    ['a short text stays', 'abcdef', 6, 'abcdef'],
    ['a long one ends in an ellipsis within the limit', 'abcdefg', 6, 'abcde…'],
    ['the ellipsis has no space before it', 'abcd efgh', 6, 'abcd…'],
    ['a surrogate pair is not split', 'abc\u{1f600}\u{1f600}', 6, 'abc\u{1f600}…'],
    ['a surrogate pair that does not fit is removed', 'abcd\u{1f600}\u{1f600}', 6, 'abcd…'],
    ['a letter stays with its mark', 'abcde\u0301fgh', 6, 'abcd…'],
    ['a flag is not split', `abcd\u{1f1f0}\u{1f1f7}x`, 7, 'abcd…'],
    ['a Hangul syllable written in parts is not split', 'abc\u1112\u1161\u11abxyz', 6, 'abc…'],
    ['a family loses its joiners and is then several people', `${family}`, 20, '\u{1f468}\u{1f469}\u{1f467}'],
    ['a limit of zero gives an empty text', 'abc', 0, ''],
    ['a limit of one is enough for the ellipsis', 'abc', 1, '…'],
  ])('%s', (_, text, max, shown) => {
    expect(untrusted(text, max)).toBe(shown);
  });

  it('is redacted before it is cut, so that no half of a secret remains', () => {
    for (let max = 1; max < 60; max += 1) {
      expect(untrusted(`at start password=hunter2Canary and more`, max)).not.toMatch(/hunt|Can/u);
    }
  });

  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 120 }),
    fc.string({ unit: 'grapheme', maxLength: 120 }),
  );

  it('is never longer than allowed, well-formed, and without invisible characters', () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: 0, max: 80 }), fc.boolean(), (text, max, keepLines) => {
        const shown = untrusted(text, max, { keepLines });
        expect(shown.length).toBeLessThanOrEqual(max);
        expect(shown).not.toMatch(/\p{Cs}/u);
        expect(shown).not.toMatch(/\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}/u);
        expect(shown).not.toMatch(keepLines ? /(?![\n\t])\p{Cc}/u : /\p{Cc}/u);
      }),
      { numRuns: 1_000, seed: 11 },
    );
  });

  it('is unchanged when processed again', () => {
    fc.assert(
      fc.property(anything, fc.integer({ min: 0, max: 80 }), (text, max) => {
        const cleaned = untrusted(text, max);
        expect(untrusted(cleaned, max)).toBe(cleaned);
      }),
      { numRuns: 1_000, seed: 12 },
    );
  });
});

describe('a text that is longer than its limit', () => {
  const key = [
    '-----BEGIN PRIVATE KEY-----',
    ...Array.from({ length: 60 }, () => 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj'),
    '-----END PRIVATE KEY-----',
  ].join('\\n');
  const token = ['xoxb', '123456789012', 'abcdefGHIJKLmnop'].join('-');

  it.each(Array.from({ length: 30 }, (_, i) => i))(
    'shows no start of a token that ends %i characters behind the limit',
    (behind) => {
      const max = 600;
      const read = 2 * max + 4_096;
      const start = `${key} `;
      const filled = `${start}${' '.repeat(read - start.length - token.length + behind)}${token}`;

      expect(untrusted(filled, max)).not.toContain('xox');
    },
  );

  it('ends with … when redaction makes it shorter than its limit', () => {
    expect(untrusted(`${key} ${'word '.repeat(1_000)}`, 60)).toMatch(/…$/u);
  });
});
