import { describe, expect, it } from 'vitest';
import { languageOfBrowser, languageOfLocale } from '#src/engine/language/language.js';
import {
  code,
  listed,
  moment,
  person,
  plain,
  quote,
  say,
  sentences,
  strong,
  word,
} from '#src/engine/language/prose.js';
import {
  counted,
  countedPods,
  duration,
  elapsed,
  elapsedAtMost,
  joined,
  names,
  particle,
  withLowerBounds,
} from '#src/engine/language/words.js';

describe('the language of a browser', () => {
  it.each<[string | undefined, 'en' | 'ko' | undefined]>([
    ['ko-KR,ko;q=0.9,en-US;q=0.8', 'ko'],
    ['en-US,en;q=0.9,ko;q=0.8', 'en'],
    ['fr-FR,ko;q=0.8', 'ko'],
    ['KO', 'ko'],
    ['kok-IN', undefined],
    ['de', undefined],
    ['*', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('of %s is %s', (header, language) => {
    expect(languageOfBrowser(header)).toBe(language);
  });
});

describe('the language of a locale', () => {
  it.each<[string | undefined, 'en' | 'ko']>([
    ['ko-KR', 'ko'],
    ['ko', 'ko'],
    ['KO_kr.UTF-8', 'ko'],
    ['en-GB', 'en'],
    ['fr-FR', 'en'],
    ['C', 'en'],
    ['', 'en'],
    [undefined, 'en'],
    ['kok-IN', 'en'],
    ['en-ko', 'en'],
  ])('of %s is %s', (locale, language) => {
    expect(languageOfLocale(locale)).toBe(language);
  });
});

describe('a sentence that ends with a quotation', () => {
  it.each([
    ['No node fits.', 'It reports No node fits. Add one.'],
    ['No node fits', 'It reports No node fits. Add one.'],
    ['No node fits. ', 'It reports No node fits. Add one.'],
    ['waiting ...', 'It reports waiting .... Add one.'],
    ['.', 'It reports . Add one.'],
  ])('has one full stop: %j', (message, sentence) => {
    expect(plain(say`It reports ${quote(message)}. Add one.`)).toBe(sentence);
    expect(plain(say`It reports ${quote(message)} and more.`)).toBe(`It reports ${message} and more.`);
    expect(plain(say`It reports ${code(message)}.`)).toBe(`It reports ${message}.`);
  });
});

describe('a duration', () => {
  it.each<[number, string, string]>([
    [-5, '0 s', '0초'],
    [0, '0 s', '0초'],
    [0.4, '0 s', '0초'],
    [40, '40 s', '40초'],
    [59.4, '59 s', '59초'],
    [59.6, '1 min', '1분'],
    [60, '1 min', '1분'],
    [61, '1 min 1 s', '1분 1초'],
    [599, '9 min 59 s', '9분 59초'],
    [600, '10 min', '10분'],
    [601, '10 min', '10분'],
    [3_599, '59 min', '59분'],
    [3_600, '1 h', '1시간'],
    [3_659, '1 h', '1시간'],
    [3_660, '1 h 1 min', '1시간 1분'],
    [86_399, '23 h 59 min', '23시간 59분'],
    [86_400, '1 d', '1일'],
    [90_000, '1 d 1 h', '1일 1시간'],
    [863_999, '9 d 23 h', '9일 23시간'],
    [864_000, '10 d', '10일'],
    [867_600, '10 d', '10일'],
    [31_535_999, '364 d', '364일'],
    [31_536_000, 'more than a year', '1년 이상'],
    [251_606_908_800, 'more than a year', '1년 이상'],
  ])('of %d s is written as %s and %s', (seconds, english, korean) => {
    expect(plain(duration('en', seconds))).toBe(english);
    expect(plain(duration('ko', seconds))).toBe(korean);
  });
});

describe('a list of items', () => {
  it.each<[readonly string[], number | undefined, string, string]>([
    [[], undefined, '', ''],
    [['a'], undefined, 'a', 'a'],
    [['a', 'b'], undefined, 'a and b', 'a, b'],
    [['a', 'b', 'c'], undefined, 'a, b and c', 'a, b, c'],
    [['a', 'b', 'c', 'd', 'e'], undefined, 'a, b, c, d and e', 'a, b, c, d, e'],
    [['a', 'b', 'c', 'd', 'e', 'f'], undefined, 'a, b, c, d, e and 1 more', 'a, b, c, d, e 외 1개'],
    [['a', 'b', 'c'], 1, 'a and 2 more', 'a 외 2개'],
  ])('%j (at most %s) is written as %s', (items, max, english, korean) => {
    expect(plain(names('en', items, max))).toBe(english);
    expect(plain(names('ko', items, max))).toBe(korean);
  });

  it('marks names from the cluster as code', () => {
    expect(names('en', ['a', 'b'])).toEqual([code('a'), word(' and '), code('b')]);
  });

  it('may contain numbers and sentences', () => {
    expect(plain(joined('en', [1, say`two ${code('pods')}`]))).toBe('1 and two pods');
    expect(listed([], { and: '', more: '' })).toEqual([]);
  });

  it.each([
    [0, '0 pods'],
    [1, '1 pod'],
    [2, '2 pods'],
  ])('is counted: %d', (count, text) => {
    expect(plain(counted(count, 'pod', 'pods'))).toBe(text);
  });
});

describe('a sentence', () => {
  it('separates our words from literal text', () => {
    expect(
      say`The pod ${code('web-1')} of ${person('U0DANA')} said ${quote('no')} at ${moment('t')}${3}.`,
    ).toEqual([
      { kind: 'text', text: 'The pod ' },
      { kind: 'code', text: 'web-1' },
      { kind: 'text', text: ' of ' },
      { kind: 'person', id: 'U0DANA' },
      { kind: 'text', text: ' said ' },
      { kind: 'quote', text: 'no' },
      { kind: 'text', text: ' at ' },
      { kind: 'time', at: 't' },
      { kind: 'text', text: '3' },
      { kind: 'text', text: '.' },
    ]);
  });

  it('can contain sentences and large numbers', () => {
    expect(say`${say`a ${strong('b')}`} ${10n}`).toEqual([
      word('a '),
      { kind: 'strong', text: 'b' },
      word(' '),
      word('10'),
    ]);
  });

  it('is plain text with written times and ids of people', () => {
    expect(plain(say`${person('U0DANA')} at ${moment('2026-11-20T09:30:00Z')} saw ${code('web')}`)).toBe(
      '@U0DANA at 2026-11-20T09:30:00Z saw web',
    );
  });

  it('follows another sentence after one space, and an empty one leaves no space', () => {
    expect(plain(sentences([], say`One.`, [], say`Two.`, []))).toBe('One. Two.');
    expect(sentences()).toEqual([]);
  });
});

describe('a Korean particle', () => {
  it.each([
    ['노드', '가'],
    ['파드', '가'],
    ['서버들', '이'],
    ['각', '이'],
    ['가', '가'],
    ['힣', '이'],
    ['gpu-a', '가'],
    ['model', '이'],
    ['web-L', '이'],
    ['server', '가'],
    ['scheduler', '가'],
    ['CR', '이'],
    ['R', '이'],
    ['training', '이'],
    ['rollout', '이'],
    ['webhook', '이'],
    ['app', '이'],
    ['bot', '이'],
    ['stack', '이'],
    ['queue', '가'],
    ['root', '가'],
    ['restart', '가'],
    ['node-1', '이'],
    ['node-2', '가'],
    ['node-0', '이'],
    ['node-9', '가'],
    ['node-1 ', '이'],
    ['', '가'],
    ['  ', '가'],
  ])('after %j is %s', (before, expected) => {
    expect(particle(before, '이', '가')).toEqual(word(expected));
  });
});

describe('a time that goes on until now', () => {
  it.each([
    ['en', '25 min', 'at least 25 min'],
    ['ko', '25분', '최소 25분'],
  ] as const)('has a form as a lower bound: %s', (language, text, bound) => {
    expect(plain(elapsed(language, 1500))).toBe(text);
    expect(plain(withLowerBounds(say`for ${elapsed(language, 1500)}`))).toBe(`for ${bound}`);
  });

  it.each([
    ['en', 'up to 25 min', 'at least 25 min'],
    ['ko', '최대 25분', '최소 25분'],
  ] as const)('is no upper bound where it is a lower one: %s', (language, text, bound) => {
    expect(plain(elapsedAtMost(language, 1500))).toBe(text);
    expect(plain(withLowerBounds(elapsedAtMost(language, 1500)))).toBe(bound);
  });

  it('leaves lengths alone that have an end', () => {
    expect(plain(withLowerBounds(duration('en', 30)))).toBe('30 s');
  });
});

it.each([
  [0, 1, '0 of 1 pod'],
  [1, 1, '1 of 1 pod'],
  [1, 2, '1 of 2 pods'],
])('%i ready of %i are counted in the number of all', (part, all, says) => {
  expect(plain(countedPods(part, all))).toBe(says);
});
