import { seededRandom } from '../../support/seeded-random.js';

/** Of each seed the same fixes are drawn; `RANDOM_SEED` names another one. */
export const fixesSeed = Number(process.env.RANDOM_SEED ?? 20_261_121);

/**
 * All of them with `--all-fixes`; otherwise a sample of this size, drawn by the seed, in the original order.
 */
export function drawnFixes<One>(all: readonly One[], count: number): readonly One[] {
  if (process.env.ALL_FIXES !== undefined) return all;
  const below = seededRandom(fixesSeed);
  const left = all.map((one, at) => ({ one, at }));
  const drawn = Array.from({ length: Math.min(count, all.length) }, () =>
    left.splice(below(left.length), 1),
  ).flat();
  return drawn.toSorted((a, b) => a.at - b.at).map(({ one }) => one);
}
