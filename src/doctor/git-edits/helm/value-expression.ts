import type { Block } from './template-skeleton.js';

/** The keys of a value below `.Values`. */
export type ValuePath = readonly string[];

/** One simple value that an action writes. */
export interface ValueExpression {
  readonly path: ValuePath;
  /** `yaml`: the whole value; `text`: as Go prints it; `quoted`: in quotes. */
  readonly as: 'yaml' | 'text' | 'quoted';
}

const fromRoot = /^\$\.Values((?:\.[A-Za-z_][A-Za-z0-9_]*)+)$/u;
const fromDot = /^\.Values((?:\.[A-Za-z_][A-Za-z0-9_]*)+)$/u;
const belowDot = /^((?:\.[A-Za-z_][A-Za-z0-9_]*)+)$/u;
const maxCode = 300;

/**
 * The value that a name such as `.Values.a.b` stands for inside these blocks. `with` changes what the dot is,
 * and `range` makes it unknown; `$` is the root everywhere outside a helper.
 */
export function valueNamed(name: string, blocks: readonly Block[]): ValuePath | undefined {
  if (name.length > maxCode) return undefined;
  const absolute = fromRoot.exec(name)?.[1];
  if (absolute !== undefined) return keysIn(absolute);
  const dot = dotIn(blocks);
  if (dot === undefined) return undefined;
  if (dot === 'root') {
    const path = fromDot.exec(name)?.[1];
    return path === undefined ? undefined : keysIn(path);
  }
  if (name === '.') return dot;
  const below = belowDot.exec(name)?.[1];
  return below === undefined ? undefined : [...dot, ...keysIn(below)];
}

function keysIn(path: string): ValuePath {
  return path.slice(1).split('.');
}

/** What the dot is inside these blocks; `undefined` where that is no simple value. */
function dotIn(blocks: readonly Block[]): ValuePath | 'root' | undefined {
  const at = blocks.findLastIndex(({ keyword }) => keyword !== 'if');
  const block = blocks[at];
  if (block === undefined) return 'root';
  // Where the value is empty, the dot of an `else` branch is the outer one.
  if (block.keyword !== 'with' || block.branch > 0) return undefined;
  return valueNamed(block.code, blocks.slice(0, at));
}

/** The simple value that a pipeline writes; `undefined` for every other one. */
export function simpleValue(
  stages: readonly string[],
  blocks: readonly Block[],
): ValueExpression | undefined {
  const [first = '', ...more] = stages;
  const [, called, argument] = /^(toYaml|quote)\s+(\S+)$/u.exec(first) ?? [];
  const functions = [...(called === undefined ? [] : [called]), ...more];
  const path = valueNamed(argument ?? first, blocks);
  if (path === undefined) return undefined;
  const written = functions.join(' ');
  if (written === 'toYaml' || written === 'toYaml trim') return { path, as: 'yaml' };
  if (written === 'quote') return { path, as: 'quoted' };
  return written === '' ? { path, as: 'text' } : undefined;
}

/** Whether one of two values is, or holds, the other one. */
export function overlaps(one: ValuePath, other: ValuePath): boolean {
  const shared = Math.min(one.length, other.length);
  return one.slice(0, shared).every((key, at) => key === other[at]);
}

/**
 * The values that the code of an action mentions, by whatever name it has for the root; `[]` stands for all
 * of them.
 */
export function valuesMentioned(code: string): readonly ValuePath[] {
  return [...code.matchAll(/\.Values\b((?:\.[A-Za-z_][A-Za-z0-9_]*)*)/gu)].map(([, path = '']) =>
    path === '' ? [] : keysIn(path),
  );
}
