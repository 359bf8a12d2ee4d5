import fc from 'fast-check';

/** Length of every hostile text, in UTF-16 code units. */
export const hostileLength = 100_000;

/** Seed of the random texts: every run tries the same ones. */
const seed = 20_261_122;

/** Characters and marks that grammars treat as separators, brackets, quotes or letters; some draw nothing. */
const atoms: readonly string[] = [
  ...[
    'a',
    'A',
    'AaA',
    '0',
    '9.',
    '-',
    '_',
    '.',
    ',',
    ', ',
    ':',
    ';',
    '=',
    '/',
    '|',
    '\\',
    '+',
    '"',
    "'",
    '`',
    '–',
    '…',
  ],
  ...[' ', '\t', '\n', '\r\n', '\u00a0', '\u2028', '(', '[', '{', '<', '<@', '&lt;', '*', '!', '?', '$'],
  ...[
    '\u0000',
    '\u001b[',
    '\u009b',
    '\u200b',
    '\u202e',
    '\ufe0f',
    '\ud800',
    '\udc00',
    '한국어 ',
    'e\u0301',
    '\u0301',
    '👨‍👩‍👧',
  ],
  ...['key=value ', 'key: value\n', 'key="value', '"key":', '{"a":', '](http://', 'http://', 'a+'],
];

/** `piece` again and again, as long as every hostile text is. */
function pumped(piece: string): string {
  return piece.repeat(Math.ceil(hostileLength / piece.length)).slice(0, hostileLength);
}

/**
 * Hostile texts for a reader whose grammar has these words: every atom and every word repeated, each word
 * before and after long runs, half of a text nested in the other half, and random prefixes, pumps and
 * suffixes of atoms and words.
 */
export function hostileTexts(words: readonly string[]): readonly string[] {
  return [...fixedTexts, ...words.flatMap(aroundWord), ...randomTexts(words)];
}

const half = hostileLength / 2;

const fixedTexts: readonly string[] = [
  ...atoms.map(pumped),
  '('.repeat(half) + ')'.repeat(half),
  '['.repeat(half) + ']'.repeat(half),
  '{"a":'.repeat(half / 5) + '}'.repeat(half),
  Array.from({ length: 12_000 }, (_, at) => `k${at}=v`).join(' '),
  Array.from({ length: 12_000 }, (_, at) => `k${at}: v`).join('\n'),
  Array.from({ length: 12_000 }, (_, at) => `n${at}/w`).join(' '),
  Array.from({ length: 20_000 }, (_, at) => at).join(','),
];

function aroundWord(word: string): readonly string[] {
  const runs = ['a', ' '];
  return [
    pumped(word),
    pumped(word.slice(0, -1) || word),
    ...runs.map((run) => word + run.repeat(hostileLength - word.length)),
    'a'.repeat(hostileLength - word.length) + word,
  ];
}

function randomTexts(words: readonly string[]): readonly string[] {
  const piece = fc
    .array(fc.constantFrom(...atoms, ...words), { minLength: 1, maxLength: 4 })
    .map((pieces) => pieces.join(''));
  const text = fc.tuple(piece, piece, piece, piece).map(([prefix, pump, between, suffix]) => {
    const run = pump.repeat(Math.ceil(half / pump.length)).slice(0, half);
    return `${prefix}${run}${between}${run}${suffix}`.slice(0, hostileLength);
  });
  return fc.sample(text, { seed, numRuns: 6 });
}
