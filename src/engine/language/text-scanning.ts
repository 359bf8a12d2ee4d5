/**
 * Searches of foreign text that an expression could only do with work that grows faster than the text. Each
 * reads the text a bounded number of times, whatever it holds.
 */

/** What follows the first `opening`, to the end; `undefined` where there is none. */
export function textAfter(text: string, opening: string): string | undefined {
  const start = text.indexOf(opening);
  return start < 0 ? undefined : text.slice(start + opening.length);
}

/** What stands between the first `opening` and the next `closing`; `undefined` where either is missing. */
export function textBetween(text: string, opening: string, closing: string): string | undefined {
  const rest = textAfter(text, opening);
  const end = rest?.indexOf(closing) ?? -1;
  return end < 0 ? undefined : rest?.slice(0, end);
}

/** Whether `second` stands somewhere after `first`. */
export function hasInOrder(text: string, first: string, second: string): boolean {
  return textAfter(text, first)?.includes(second) ?? false;
}

/**
 * The text without the leading characters that are among `atStart` and the trailing ones that are among
 * `atEnd`.
 */
export function trimCharacters(text: string, atStart: string, atEnd: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && atStart.includes(text.charAt(start))) start += 1;
  while (end > start && atEnd.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/**
 * The first `max` UTF-16 code units of a text from outside; a text that is longer ends with `…` in place of
 * the rest, so that people and parsers see the cut. Never longer than `max`, and never ends in the middle of
 * a surrogate pair. Borders call it before any expression is matched, so that no text decides how long
 * matching takes.
 */
export function boundText(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 2);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return `${text.slice(0, max - (splitsPair ? 2 : 1))}…`;
}
