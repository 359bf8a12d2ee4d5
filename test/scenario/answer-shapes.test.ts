import { expect, it } from 'vitest';
import { answerExplanation } from '#src/edges/library/answers.js';
import { ExplanationAnswer } from '#src/edges/library/shapes.js';

it('the published shape names every field of an explanation', () => {
  const answer = answerExplanation(
    '0/3 nodes are available: 1 node(s) had untolerated taint {a: b}, 2 Insufficient cpu. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    'en',
  );
  expect(ExplanationAnswer.parse(answer)).toEqual(answer);
  expect(answer.message.reasons).toHaveLength(2);
});
