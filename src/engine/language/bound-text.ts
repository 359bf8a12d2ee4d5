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
