/** A text with holes, written with `*` for each hole: `request *: device class * does not exist`. */
export interface Pattern {
  readonly literals: readonly string[];
}

export function pattern(source: string): Pattern {
  return { literals: source.split('*') };
}

/**
 * Matches the whole text. Every hole takes the shortest text that lets the next literal follow; linear in the
 * text's length for a given pattern.
 *
 * @returns what stands in the holes, in order, or undefined when the text does not match
 */
export function match({ literals }: Pattern, text: string): readonly string[] | undefined {
  const first = literals[0] ?? '';
  if (!text.startsWith(first)) return undefined;
  if (literals.length === 1) return text === first ? [] : undefined;
  const last = literals.at(-1) ?? '';
  const end = text.length - last.length;
  if (end < first.length || !text.endsWith(last)) return undefined;
  const holes: string[] = [];
  let position = first.length;
  for (const literal of literals.slice(1, -1)) {
    const found = text.indexOf(literal, position);
    if (found < 0 || found > end) return undefined;
    holes.push(text.slice(position, found));
    position = found + literal.length;
  }
  if (position > end) return undefined;
  holes.push(text.slice(position, end));
  return holes;
}

/** Whether a text that was cut off could have been going to match. */
export function couldMatch({ literals }: Pattern, text: string): boolean {
  const first = literals[0] ?? '';
  return first.startsWith(text) || (first !== '' && literals.length > 1 && text.startsWith(first));
}
