import { expect, it } from 'vitest';
import { failingPods } from '#src/doctor/findings/crashes/failing-pods.js';
import type { Language } from '#src/engine/language/language.js';
import { plain } from '#src/engine/language/prose.js';

/**
 * The beginning of most sentences about pods that fail. Where a revision has one pod, "1 of 1 pods" would be
 * a wrong plural and say one number twice. Beside ready pods of an earlier revision it is the new one: the
 * card counts those as well, and both numbers would seem to contradict each other.
 */
it.each<[language: Language, failing: number, of: number, areNew: boolean, says: string]>([
  ['en', 1, 1, false, '1 pod'],
  ['en', 1, 1, true, '1 new pod'],
  ['en', 1, 2, false, '1 of 2 pods'],
  ['en', 2, 2, true, '2 of 2 new pods'],
  ['ko', 1, 1, false, '파드 1개'],
  ['ko', 1, 1, true, '새 파드 1개'],
  ['ko', 1, 2, false, '파드 2개 중 1개'],
  ['ko', 2, 2, true, '새 파드 2개 중 2개'],
])('in %s, %i failing of %i (new: %s) are: %s', (language, failing, of, areNew, says) => {
  expect(plain(failingPods(language, { failing, of, areNew }))).toBe(says);
});

it.each(['en', 'ko'] as const)(
  'names no share of a single pod in %s, whichever revision it is of',
  (language) => {
    for (const areNew of [false, true]) {
      const said = plain(failingPods(language, { failing: 1, of: 1, areNew }));
      expect(said.match(/1/gu)).toHaveLength(1);
    }
  },
);
