/**
 * What stands between a name and its value, the longer ones first: also the colon and the equals sign of Chinese,
 * Japanese and Korean keyboards.
 */
const signs = ['===>', '==>', '=>', '===', '==', ':=', '?=', '=', ':', '：', '＝'];
const arrows = ['-->', '->', '<-', '~>', '→', '⇒', '➜', '➔', '»'];
const separators: readonly string[] = [...signs, ...arrows];
const starts: ReadonlySet<string> = new Set([...separators, '.'].map((each) => each.slice(0, 1)));
const arrowSigns: ReadonlySet<string> = new Set([...arrows, '===>', '==>']);

const maxDots = 200;

/** The separator at this place, if one is there: a sign, an arrow, or at least four dots of a dump of settings. */
export function separatorAt(text: string, at: number): string | undefined {
  if (!starts.has(text.charAt(at))) return undefined;
  if (text[at] !== '.') return separators.find((each) => text.startsWith(each, at));
  let end = at;
  while (end < at + maxDots && text[end] === '.') end += 1;
  return end < at + 4 ? undefined : text.slice(at, end);
}

/** Whether prose uses the separator too, so that it tells less than a colon or an equals sign. */
export function isArrow(separator: string): boolean {
  return arrowSigns.has(separator) || separator.startsWith('.');
}
