/** A stretch of text and where it starts. */
export type Piece = { readonly text: string; readonly at: number };

export function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

export function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r';
}

/** The first position from `from` that holds no white space. */
export function afterSpace(text: string, from: number): number {
  let position = from;
  while (isSpace(text[position])) position += 1;
  return position;
}

/** The first position from `from` that holds no digit. */
function afterDigits(text: string, from: number): number {
  let position = from;
  while (isDigit(text[position])) position += 1;
  return position;
}

/**
 * Splits a histogram at every comma that a count follows (`, 3 node(s)`): the only commas between reasons.
 * Those within a reason, as in `had taint {a: b}, that the pod didn't tolerate`, have words after them.
 *
 * @param cut the sentence was cut off, so that its last words may be no more than a count
 */
export function splitAtCounts(text: string, cut = false): readonly Piece[] {
  const pieces: Piece[] = [];
  let start = 0;
  for (let comma = text.indexOf(','); comma >= 0; comma = text.indexOf(',', comma + 1)) {
    const count = afterSpace(text, comma + 1);
    const words = afterDigits(text, count);
    const counts = isSpace(text[words]) || (cut && words === text.length);
    if (count > comma + 1 && words > count && counts) {
      pieces.push({ text: text.slice(start, comma), at: start });
      start = count;
    }
  }
  pieces.push({ text: text.slice(start), at: start });
  return pieces;
}

/**
 * Where a list of reasons ends: at the first full stop, or run of them (`..` in 1.26 to 1.28), that ends a
 * word (`nvidia.com` has one within, a taint's value may have several in a row), whether white space, or the
 * comma before another plugin's message follows.
 *
 * @returns the text's length when there is none
 */
export function fullStop(text: string, from = 0): number {
  for (let stop = text.indexOf('.', from); stop >= 0; stop = text.indexOf('.', stop + 1)) {
    let after = stop + 1;
    while (text[after] === '.') after += 1;
    const next = text[after];
    if (next === undefined || next === ',' || isSpace(next)) return stop;
    stop = after - 1;
  }
  return text.length;
}

/** Without the full stops, commas and white space at either end. */
export function trimmed(text: string): string {
  const isMargin = (character: string | undefined): boolean =>
    character === '.' || character === ',' || isSpace(character);
  let start = 0;
  let end = text.length;
  while (start < end && isMargin(text[start])) start += 1;
  while (end > start && isMargin(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

/**
 * `3 Insufficient cpu` as count and words; without a count, or with one no node list has, all of it is words.
 */
export function counted(text: string): { readonly count: number | undefined; readonly words: string } {
  const digits = afterDigits(text, 0);
  const words = afterSpace(text, digits);
  const count = Number(text.slice(0, Math.min(digits, 17)));
  if (digits === 0 || words === digits || words === text.length || !Number.isSafeInteger(count)) {
    return { count: undefined, words: text };
  }
  return { count, words: text.slice(words) };
}

/** A text with holes, written with `*` for each hole: `request *: device class * does not exist`. */
export type Pattern = { readonly literals: readonly string[] };

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
