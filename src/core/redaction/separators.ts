/**
 * What stands between a name and its value, the longer ones first: also the colon and the equals sign of
 * Chinese, Japanese and Korean keyboards.
 */
const signs = ['===>', '==>', '=>', '===', '==', ':=', '?=', '=', ':', '：', '＝'];
const arrows = ['-->', '->', '<-', '~>', '→', '⇒', '➜', '➔', '»'];
const separators: readonly string[] = [...signs, ...arrows];
const starts: ReadonlySet<string> = new Set([...separators, '.'].map((each) => each.slice(0, 1)));
const arrowSigns: ReadonlySet<string> = new Set([...arrows, '===>', '==>']);

const maxDots = 200;

/**
 * The separator at this place, if one is there: a sign, an arrow, or the dots that fill a column of a dump of
 * settings.
 */
export function separatorAt(text: string, at: number): string | undefined {
  if (!starts.has(text.charAt(at))) return undefined;
  if (text[at] !== '.') return separators.find((each) => text.startsWith(each, at));
  let end = at;
  while (end < at + maxDots && text[end] === '.') end += 1;
  const fillsColumn = end >= at + 4 || (end >= at + 2 && isBehindColumn(text, at));
  return fillsColumn ? text.slice(at, end) : undefined;
}

const longName = 24;

/** A space before the dots, or a long name, which leaves few of them. */
function isBehindColumn(text: string, at: number): boolean {
  return text[at - 1] === ' ' || (at >= longName && /^[\w.-]+$/u.test(text.slice(at - longName, at)));
}

/** Whether prose uses the separator too, so that it tells less than a colon or an equals sign. */
export function isArrow(separator: string): boolean {
  return arrowSigns.has(separator) || separator.startsWith('.');
}
