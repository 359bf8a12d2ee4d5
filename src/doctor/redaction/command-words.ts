/** One word of a command line or of a configuration file. */
export interface Word {
  readonly start: number;
  /** Behind its last character, quotes included. */
  readonly end: number;
  /** Without quotes, brackets and commas around it. */
  readonly text: string;
  /** It is the first of its line. */
  readonly opensLine: boolean;
  /** A new command starts with it: behind a line break, `|`, `;` or `&&`. */
  readonly opensCommand: boolean;
}

/**
 * The words of a text, apart by white space and, in a list of quoted words, by commas. A line that ends in
 * `\` goes on.
 */
export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  let opensLine = true;
  let opensCommand = true;
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (isSpace(char)) {
      const isBreak = char === '\n' && text[at - 1] !== '\\';
      opensLine ||= isBreak;
      opensCommand ||= isBreak;
      at += 1;
      continue;
    }
    const end = endOfWord(text, at);
    if (char === '\\' && end === at + 1) {
      at = end;
      continue;
    }
    const raw = text.slice(at, end);
    const word = withoutEnclosure(raw);
    words.push({ start: at, end, text: word, opensLine, opensCommand });
    opensLine = false;
    opensCommand = ends.has(raw) || raw.endsWith(';');
    at = end;
  }
  return words;
}

const ends = new Set(['|', '||', '&', '&&', ';']);

function isSpace(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\t' || char === '\u00a0' || char === '\u3000';
}

export function isQuote(char: string | undefined): boolean {
  return char === '"' || char === "'" || char === '`';
}

function endOfWord(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && !isSpace(text.charAt(at))) {
    if (text[at - 1] === ',' && isQuote(text[at]) && isQuote(text[at - 2])) break;
    at += 1;
  }
  return at;
}

function withoutEnclosure(raw: string): string {
  let start = 0;
  let end = raw.length;
  while (start < end && '"\'`[({$,'.includes(raw.charAt(start))) start += 1;
  while (end > start && '"\'`])},;'.includes(raw.charAt(end - 1))) end -= 1;
  return raw.slice(start, end);
}

const maxSecret = 256;

/**
 * The secret that starts at `from`, behind a quote where one opens there or `quote` opened before: up to that
 * quote, also over spaces; without one, or where it never closes, up to white space or any quote. `undefined`
 * where nothing is there.
 */
export function secretFrom(
  text: string,
  from: number,
  quote = isQuote(text[from]) ? text[from] : undefined,
): { readonly start: number; readonly end: number; readonly closed: boolean } | undefined {
  const start = isQuote(text[from]) ? from + 1 : from;
  const limit = Math.min(text.length, start + maxSecret);
  let bare: number | undefined;
  for (let at = start; at < limit && text[at] !== '\n'; at += 1) {
    const char = text.charAt(at);
    if (quote !== undefined && char === quote) return { start, end: at, closed: true };
    if (isSpace(char) || (isQuote(char) && char !== '`')) {
      bare ??= at;
      if (quote === undefined) break;
    }
    if (at === limit - 1 || text[at + 1] === '\n') bare ??= at + 1;
  }
  return bare === undefined || bare === start ? undefined : { start, end: bare, closed: false };
}
