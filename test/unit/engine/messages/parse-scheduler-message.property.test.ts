import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSchedulerMessage } from '#src/engine/messages/parse-scheduler-message.js';
import { SchedulerMessage } from '#src/engine/messages/scheduler-message.js';
import { reviewedSentences } from './sentences/expected.js';
import { nodeWords, versions, type Words } from './words-by-version.js';

const sentences = reviewedSentences.map(({ says }) => says);

const name = fc.stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/);
const domain = fc.tuple(name, name).map(([host, top]) => `${host}.${top}`);
const resource = fc.tuple(domain, name).map(([host, kind]) => `${host}/${kind}`);
const taint = fc.record({
  key: fc.oneof(name, resource),
  value: fc.oneof(fc.constant(''), fc.stringMatching(/^[A-Za-z0-9]([A-Za-z0-9._-]{0,8}[A-Za-z0-9])?$/)),
});

interface Counted {
  readonly count: number;
  readonly words: Words;
}

/** What a scheduler of that version found, and the sentence it would write (`types.go: FitError.Error`). */
const finding = fc
  .tuple(fc.constantFrom(...versions), taint, resource)
  .chain(([minor, itsTaint, itsResource]) => {
    const possible = nodeWords(minor, itsTaint, itsResource);
    return fc.record({
      minor: fc.constant(minor),
      nodes: fc.integer({ min: 1, max: 15_000 }),
      refused: fc.uniqueArray(
        fc.record({ count: fc.integer({ min: 1, max: 5000 }), words: fc.constantFrom(...possible) }),
        { minLength: 1, maxLength: 6, selector: ({ words }) => words.text },
      ),
      victimless: fc.integer({ min: 0, max: 500 }),
      hopeless: fc.integer({ min: 0, max: 500 }),
    });
  });

function sorted(counted: readonly Counted[]): readonly Counted[] {
  const written = ({ count, words }: Counted): string => `${count} ${words.text}`;
  return [...counted].sort((a, b) => (written(a) < written(b) ? -1 : 1));
}

function preemptionPart(minor: number, nodes: number, victimless: number, hopeless: number): string {
  if (minor < 24) return '';
  const list = [
    ...(victimless > 0 ? [`${victimless} No preemption victims found for incoming pod`] : []),
    ...(hopeless > 0 ? [`${hopeless} Preemption is not helpful for scheduling`] : []),
  ];
  const note = minor >= 34 && minor <= 36 ? 'no new claims to deallocate, ' : '';
  const stops = list.length === 0 ? '' : minor >= 26 && minor <= 28 ? '..' : '.';
  return ` ${note}preemption: 0/${nodes} nodes are available:${list.length === 0 ? '' : ' '}${list.sort().join(', ')}${stops}`;
}

describe('parseSchedulerMessage', () => {
  it('returns what any version from 1.18 to 1.37 found', () => {
    fc.assert(
      fc.property(finding, ({ minor, nodes, refused, victimless, hopeless }) => {
        const list = sorted(refused);
        const post = preemptionPart(minor, nodes, victimless, hopeless);
        const text = `0/${nodes} nodes are available: ${list.map(({ count, words }) => `${count} ${words.text}`).join(', ')}.${post}`;
        const message = parseSchedulerMessage(text);
        expect(message.nodes).toBe(nodes);
        expect(message.feasible).toBe(0);
        expect(message.reasons).toEqual(
          list.map(({ count, words }) => ({
            reason: words.reason,
            count,
            text: words.text,
            ...(words.detail === undefined ? {} : { detail: words.detail }),
          })),
        );
        expect(message.preemption.text).toBe(post.trim());
        const sums = { 'no-victims': 0, 'not-helpful': 0, 'not-eligible': 0, unknown: 0 };
        for (const { reason, count } of message.preemption.reasons) sums[reason] += count ?? 0;
        expect(sums).toEqual({
          'no-victims': minor < 24 ? 0 : victimless,
          'not-helpful': minor < 24 ? 0 : hopeless,
          'not-eligible': 0,
          unknown: 0,
        });
      }),
      { numRuns: 300 },
    );
  });

  it('returns the same reasons for a message cut off anywhere, up to the cut', () => {
    const broken: string[] = [];
    for (const text of sentences.filter((each) => /^0\/\d+ nodes are available: /.test(each))) {
      const whole = parseSchedulerMessage(text).reasons.map((reason) => JSON.stringify(reason));
      for (let end = text.indexOf(':') + 1; end < text.length; end += 1) {
        for (const cut of [text.slice(0, end), `${text.slice(0, end)} ...`]) {
          const reasons = parseSchedulerMessage(cut).reasons.map((reason) => JSON.stringify(reason));
          const agrees = reasons.slice(0, -1).every((reason, position) => reason === whole[position]);
          // The first letters of the preemption part may still resemble a reason.
          if (!agrees || reasons.length > Math.max(1, whole.length)) broken.push(cut);
        }
      }
    }
    expect(broken).toEqual([]);
  });

  it('never throws, keeps its shape, and adds no words, whatever the text', () => {
    const fragment = fc.oneof(
      fc.constantFrom(...sentences),
      fc.constantFrom(
        ', 3 ',
        '. ',
        ' ...',
        'preemption:',
        '0/3 nodes are available:',
        '; ',
        '..',
        '\n',
        '12',
      ),
      fc.string({ unit: 'binary', maxLength: 20 }),
    );
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 6 }), (fragments) => {
        const text = fragments.join('');
        const message = parseSchedulerMessage(text);
        expect(SchedulerMessage.parse(message)).toEqual(message);
        for (const { text: said } of [...message.reasons, ...message.preemption.reasons]) {
          const withoutSpace = (each: string): string => each.replace(/[\s:]+/g, '');
          expect(withoutSpace(text)).toContain(withoutSpace(said));
        }
        expect(parseSchedulerMessage(text)).toEqual(message);
      }),
      { numRuns: 400 },
    );
  });

  it('accounts for every word after the heading', () => {
    const word = fc.stringMatching(/^[A-Za-z][A-Za-z0-9/()-]{0,9}$/);
    const count = fc.integer({ min: 0, max: 99_999 }).map(String);
    const separator = fc.constantFrom(
      ' ',
      ' ',
      ', ',
      '. ',
      '.. ',
      ' preemption: ',
      ' 0/9 nodes are available: ',
    );
    const body = fc.array(fc.tuple(fc.oneof(word, count), separator), { maxLength: 14 });
    const wordsOf = (text: string): readonly string[] => text.split(/[\s.,]+/).filter((each) => each !== '');
    fc.assert(
      fc.property(body, (parts) => {
        const text = parts.flat().join('');
        const { reasons, preemption } = parseSchedulerMessage(`0/9 nodes are available: ${text}`);
        const kept = [
          ...reasons.flatMap((reason) => [String(reason.count ?? ''), reason.text]),
          preemption.text,
        ].join(' ');
        expect(wordsOf(kept)).toEqual(wordsOf(text));
      }),
      { numRuns: 400 },
    );
  });

  it.each([
    ['digits', '9'],
    ['commas', ','],
    ['commas and blanks', ', '],
    ['items', ', 1 x'],
    ['full stops', '. '],
    ['blanks', ' '],
    ['slashes between digits', '1/'],
    ['headings', '0/1 nodes are available: '],
    ['nested headings', 'preemption: 0/1 nodes are available: '],
    ['halves of headings', 'nodes are '],
    ['taints', ', 1 node(s) had taint {a: b'],
    ['openings of requests', 'request r: device class '],
    ['quotes', 'running "'],
    ['notes', '. no new claims to deallocat'],
    ['NodePools', '; incompatible with nodepool "'],
    ['predicates', ' (1'],
  ])('parses a megabyte of %s', (_, piece) => {
    const times = Math.ceil(1_000_000 / piece.length);
    const megabyte = piece.repeat(times);
    const mass = piece.repeat(Math.ceil(times / 10));
    for (const text of [
      megabyte,
      `0/3 nodes are available: ${megabyte}`,
      `0/3 nodes are available: 1 x. ${mass}`,
      `0/3 nodes are available: 1 x. preemption: ${mass} ...`,
      `pod didn't trigger scale-up: ${mass}`,
      `Failed to schedule pod, ${mass}`,
      `No nodes are available that match all of the predicates: ${mass}`,
    ]) {
      expect(Array.isArray(parseSchedulerMessage(text).reasons)).toBe(true);
    }
  });
});
