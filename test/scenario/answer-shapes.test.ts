import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { recordedSource } from '#src/cli/sources.js';
import { answerExplanation, answerScan } from '#src/library/answers.js';
import { DiagnosisListAnswer, ExplanationAnswer } from '#src/library/shapes.js';
import { answersSchema } from '#support/answers-page.js';
import { scenarios } from '#support/scenarios/expectation.js';

describe('the published shape of a diagnosis', () => {
  const schema = z.fromJSONSchema(JSON.parse(answersSchema()));

  it.each(scenarios().map(({ folder }) => [folder]))(
    'names every field of the answer for %s',
    async (folder) => {
      const answer = await answerScan(await recordedSource(folder), undefined, 'en');

      // A field that the shape lacks is dropped by it.
      expect(DiagnosisListAnswer.parse(answer)).toEqual(answer);
      expect(schema.safeParse(answer).error).toBeUndefined();
      expect(answer.items.length).toBeGreaterThan(0);
    },
  );

  it('names every field of an explanation', () => {
    const answer = answerExplanation(
      '0/3 nodes are available: 1 node(s) had untolerated taint {a: b}, 2 Insufficient cpu. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
      'en',
    );
    expect(ExplanationAnswer.parse(answer)).toEqual(answer);
    expect(answer.message.reasons).toHaveLength(2);
  });
});
