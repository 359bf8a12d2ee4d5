/** One element of a regular expression: what repeats how often, and what is inside a group. */
interface Item {
  readonly min: number;
  readonly max: number;
  readonly zeroWidth: boolean;
  readonly alternatives: readonly (readonly Item[])[];
}

/**
 * Why matching the pattern all over a text might cost more than a bounded number of steps a character; empty
 * when it cannot: no unbounded repetition inside another one, and, unless the pattern is tied to one place
 * (`^` or sticky), nothing that must follow an unbounded repetition, so that each one that was run through
 * also belongs to a match.
 */
export function unboundedWork(source: string, flags: string): readonly string[] {
  const [alternatives] = parse(source, 0);
  const found: string[] = [];
  for (const items of alternatives) {
    const tied =
      flags.includes('y') || (source.startsWith('^') && alternatives.length === 1) || startsTied(items);
    visit(items, false, tied, found);
  }
  return found;
}

function startsTied(items: readonly Item[]): boolean {
  return items[0] === start;
}

const start: Item = { min: 1, max: 1, zeroWidth: true, alternatives: [] };
const end: Item = { min: 1, max: 1, zeroWidth: true, alternatives: [] };

function visit(items: readonly Item[], repeated: boolean, tied: boolean, found: string[]): void {
  items.forEach((item, i) => {
    const unbounded = item.max === Number.POSITIVE_INFINITY;
    if (unbounded && repeated) found.push('an unbounded repetition inside another');
    if (
      unbounded &&
      !tied &&
      items.slice(i + 1).some((next) => next !== start && next.min > 0 && (next === end || !next.zeroWidth))
    ) {
      found.push('something must follow an unbounded repetition');
    }
    for (const inner of item.alternatives) visit(inner, repeated || unbounded, tied, found);
  });
}

function parse(source: string, from: number): [Item[][], number] {
  const alternatives: Item[][] = [[]];
  let at = from;
  while (at < source.length && source[at] !== ')') {
    if (source[at] === '|') {
      alternatives.push([]);
      at += 1;
      continue;
    }
    const [item, next] = parseItem(source, at);
    alternatives.at(-1)?.push(item);
    at = next;
  }
  return [alternatives, at];
}

function parseItem(source: string, at: number): [Item, number] {
  if (source[at] === '^') return [start, at + 1];
  if (source[at] === '$') return [end, at + 1];
  let next = at + 1;
  let inner: Item[][] = [];
  let zeroWidth = false;
  if (source[at] === '\\') next = source.startsWith('p{', at + 1) ? source.indexOf('}', at) + 1 : at + 2;
  if (source[at] === '[') next = classEnd(source, at);
  if (source[at] === '(') {
    const prefix = /^\((?:\?(?::|=|!|<=|<!))?/u.exec(source.slice(at))?.[0] ?? '(';
    zeroWidth = /[=!]$/u.test(prefix);
    const [alternatives, close] = parse(source, at + prefix.length);
    inner = alternatives;
    next = close + 1;
  }
  const quantifier = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/u.exec(source.slice(next));
  const [min, max] = range(quantifier);
  return [{ min, max, zeroWidth, alternatives: inner }, next + (quantifier?.[0].length ?? 0)];
}

function range(quantifier: RegExpExecArray | null): [number, number] {
  if (quantifier === null) return [1, 1];
  if (quantifier[0].startsWith('*')) return [0, Number.POSITIVE_INFINITY];
  if (quantifier[0].startsWith('+')) return [1, Number.POSITIVE_INFINITY];
  if (quantifier[0].startsWith('?')) return [0, 1];
  const low = Number(quantifier[1]);
  if (quantifier[2] === '') return [low, low];
  return [low, quantifier[3] === '' ? Number.POSITIVE_INFINITY : Number(quantifier[3])];
}

function classEnd(source: string, at: number): number {
  let next = at + 1;
  while (next < source.length && source[next] !== ']') next += source[next] === '\\' ? 2 : 1;
  return next + 1;
}
