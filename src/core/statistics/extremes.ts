/**
 * The least of many numbers; `Infinity` without any, as `Math.min`. A call takes about 120,000 arguments before the
 * stack overflows, and a list of pods may be longer.
 */
export function leastOf(values: Iterable<number>): number {
  let least = Number.POSITIVE_INFINITY;
  for (const value of values) least = Math.min(least, value);
  return least;
}

/** The greatest of many numbers; `-Infinity` without any, as `Math.max`. */
export function greatestOf(values: Iterable<number>): number {
  let greatest = Number.NEGATIVE_INFINITY;
  for (const value of values) greatest = Math.max(greatest, value);
  return greatest;
}
