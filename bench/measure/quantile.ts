/**
 * The value below which the share `p` of the samples lies, by the nearest rank: always one that was measured.
 *
 * @throws when there is no sample
 */
export function quantile(samples: readonly number[], p: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)];
  if (value === undefined) throw new Error('there is no sample');
  return value;
}
