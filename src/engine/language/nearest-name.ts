/**
 * The name that somebody most likely meant: the one with the fewest typing errors, at most one for each three
 * letters. Two neighbouring letters that changed places count as one error.
 */
export function nearestName(typed: string, known: readonly string[]): string | undefined {
  const word = typed.toLowerCase();
  if (word.length > maxLength) return undefined;
  let nearest: string | undefined;
  let fewest = Math.max(1, Math.floor(word.length / 3)) + 1;
  for (const name of known) {
    if (name.length > maxLength) continue;
    const errors = typingErrors(word, name.toLowerCase());
    if (errors < fewest) {
      nearest = name;
      fewest = errors;
    }
  }
  return nearest;
}

/** The time grows with the product of the lengths. */
const maxLength = 64;

/**
 * Damerau-Levenshtein distance in its restricted form: letters added, left out, replaced, or exchanged with
 * the next.
 */
function typingErrors(a: string, b: string): number {
  let beforeLast: readonly number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = a[row - 1] === b[column - 1] ? 0 : 1;
      const exchanged =
        row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
          ? (beforeLast[column - 2] ?? 0) + 1
          : Number.POSITIVE_INFINITY;
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + replaced,
          exchanged,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
