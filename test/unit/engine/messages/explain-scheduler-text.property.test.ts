import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languages } from '#src/engine/language/language.js';
import { plain } from '#src/engine/language/prose.js';
import { explainSchedulerText } from '#src/engine/messages/explain-scheduler-message.js';
import { createTell } from '#src/service/create-engine.js';
import { reviewedSentences } from './sentences/expected.js';

const tell = createTell();
const sentences = reviewedSentences.map(({ says }) => says);

/** Pieces of real messages and their separators, which a parser may search for repeatedly. */
const piece = fc.oneof(
  fc
    .constantFrom(...sentences)
    .chain((text) =>
      fc
        .tuple(fc.nat(text.length), fc.nat(text.length))
        .map(([a, b]) => text.slice(Math.min(a, b), Math.max(a, b))),
    ),
  fc.constantFrom(
    ', 1 ',
    '. ',
    '..',
    ' ...',
    ': ',
    '; ',
    '{',
    '"',
    '[',
    ' (',
    '\t',
    '0/1 nodes are available:',
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

/** Text of 400,000 characters: one step for each pair of them would be 160,000,000,000. */
const grown = fc
  .tuple(fc.array(piece, { maxLength: 3 }), fc.array(piece, { minLength: 1, maxLength: 4 }))
  .map(([head, repeated]) => {
    const unit = repeated.join('') || ' ';
    return head.join('') + unit.repeat(Math.ceil(400_000 / unit.length));
  });

describe('explainSchedulerText', () => {
  it('ends on long text made of everything that the parser knows', () => {
    fc.assert(
      fc.property(grown, (text) => {
        const { statements } = explainSchedulerText(text);
        expect(statements.length).toBeGreaterThan(0);
        expect(statements.length).toBeLessThan(100);
      }),
      { numRuns: 60 },
    );
  });

  it('has text in every language for every statement', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        for (const statement of explainSchedulerText(pieces.join('')).statements) {
          for (const language of languages) {
            expect(plain(tell(statement, language))).not.toBe(`${statement.catalogue}: ${statement.key}`);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('counts each node exactly once as helpable, hopeless or unclear', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const { help } = explainSchedulerText(pieces.join(''));
        if (help === undefined) return;
        expect(help.could + help.never + help.unclear).toBe(help.nodes);
        expect(Math.min(help.could, help.never, help.unclear)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 500 },
    );
  });
});
