/** One candidate: what it covers, and how long it is. */
export interface Candidate {
  readonly covered: readonly number[];
  readonly length: number;
  /** Chosen whatever it covers. */
  readonly isWanted: boolean;
}

/**
 * At most `most` positions of candidates, which together cover all that any candidate covers, as far as so
 * many can: each time the one that covers most that the chosen ones do not, of equals the shortest. When
 * everything is covered, it is covered once more by others, and so on.
 */
export function choose(candidates: readonly Candidate[], most: number): readonly number[] {
  const chosen = new Set(candidates.flatMap(({ isWanted }, position) => (isWanted ? [position] : [])));
  const times = new Map<number, number>();
  const count = (position: number): void => {
    for (const branch of candidates[position]?.covered ?? []) times.set(branch, (times.get(branch) ?? 0) + 1);
  };
  for (const position of chosen) count(position);
  for (let round = 1; chosen.size < Math.min(most, candidates.length); ) {
    const gainOf = ({ covered }: Candidate): number =>
      covered.filter((branch) => (times.get(branch) ?? 0) < round).length;
    let best: { readonly position: number; readonly gain: number; readonly length: number } | undefined;
    for (const [position, candidate] of candidates.entries()) {
      if (chosen.has(position)) continue;
      const gain = gainOf(candidate);
      const isBetter =
        best === undefined || gain > best.gain || (gain === best.gain && candidate.length < best.length);
      if (isBetter) best = { position, gain, length: candidate.length };
    }
    if (best === undefined) break;
    if (best.gain === 0) {
      round += 1;
      continue;
    }
    chosen.add(best.position);
    count(best.position);
  }
  return [...chosen].sort((a, b) => a - b);
}
