import { isCollection, isMap, isNode, isScalar, type Node, type Pair, type YAMLMap } from 'yaml';
import { blockedMap, parseTemplate } from '../parse-manifest.js';
import { type Block, hasMark, markedPiece, type Piece, type Skeleton } from './template-skeleton.js';
import type { ValueExpression, ValuePath } from './value-expression.js';
import { overlaps, simpleValue, valueNamed } from './value-expression.js';

/** What a template renders for a field. */
export type FieldNode =
  | { readonly type: 'literal'; readonly data: unknown }
  | { readonly type: 'value'; readonly value: ValueExpression; readonly guards: readonly ValuePath[] }
  | {
      readonly type: 'map';
      readonly entries: readonly {
        readonly key: string;
        readonly guards: readonly ValuePath[];
        readonly node: FieldNode;
      }[];
    };

/** A field that a template sets by simple values only. */
export interface TemplateField {
  readonly type: 'field';
  /** The field is rendered only where these are not empty. */
  readonly guards: readonly ValuePath[];
  readonly node: FieldNode;
  /** Of its key, in the template. */
  readonly source: number;
  /** The range of the template in which the values of the field are read. */
  readonly reads: { readonly start: number; readonly end: number };
}

/** Why it is not known what a template renders for a field. */
interface OpaqueField {
  readonly type: 'opaque';
  readonly because: 'expression' | 'condition' | 'inserts' | 'not-exposed';
  readonly source: number;
}

/** What a template renders at a path of maps. */
export function fieldIn(document: TemplateDocument, path: readonly string[]): TemplateField | OpaqueField {
  const { contents, blocks, skeleton, loose } = document;
  if (loose !== undefined) return opaque('inserts', loose.source);
  const conditional = blocks.find(({ keyword }) => keyword !== 'if');
  if (conditional !== undefined) return opaque('condition', conditional.start);
  let map: YAMLMap = contents;
  for (const [depth, name] of path.entries()) {
    const problem = problemOf(map, skeleton);
    if (problem !== undefined) return problem;
    const [entry, second] = entriesOf(map, name);
    if (entry === undefined) return opaque('not-exposed', sourceAt(skeleton, map.range?.[0] ?? 0));
    if (second !== undefined) return opaque('condition', sourceOf(skeleton, second));
    const own = blocksAt(skeleton, startOf(entry));
    if (depth === path.length - 1) return builtField(entry, { skeleton, blocks, own });
    if (!isSameBlocks(own, blocks)) return opaque('condition', sourceOf(skeleton, entry));
    if (!isMap(entry.value)) return opaque('expression', sourceOf(skeleton, entry));
    map = entry.value;
  }
  return opaque('not-exposed', 0);
}

/** Why a map may have other entries than its keys say. */
function problemOf(map: YAMLMap, skeleton: Skeleton): OpaqueField | undefined {
  const inserted = map.items.find(({ key }) => !isScalar(key) || hasMark(String(key.value)));
  if (inserted !== undefined) return opaque('inserts', sourceOf(skeleton, inserted));
  return blockedMap(map) === undefined
    ? undefined
    : opaque('expression', sourceAt(skeleton, map.range?.[0] ?? 0));
}

function builtField(
  entry: Pair,
  { skeleton, blocks, own }: { skeleton: Skeleton; blocks: readonly Block[]; own: readonly Block[] },
): TemplateField | OpaqueField {
  const source = sourceOf(skeleton, entry);
  const guards = guardsBetween(blocks, own);
  if ('type' in guards) return guards;
  const node = nodeOf(entry, skeleton, guards.paths);
  if (node.type === 'opaque') return node;
  const within = piecesIn(skeleton, startOf(entry), endOf(entry));
  const last = within.at(-1);
  const conditions = new Set(
    within.flatMap((piece) => piece.blocks.slice(blocks.length).map((block) => block.start)),
  );
  const wider = widerBlock(skeleton, entry, conditions);
  if (wider !== undefined) return opaque('condition', wider);
  const start = Math.min(source, ...own.slice(blocks.length).map((block) => block.start));
  return { type: 'field', guards: guards.paths, node, source, reads: { start, end: last?.source ?? source } };
}

/**
 * Where a condition on the field decides on more than the field: a change of its value would add or remove
 * that too.
 *
 * @param conditions starts of their blocks
 */
function widerBlock(
  { pieces, text, actions }: Skeleton,
  entry: Pair,
  conditions: ReadonlySet<number>,
): number | undefined {
  if (conditions.size === 0) return undefined;
  const [start, end] = [startOf(entry), endOf(entry)];
  const beside = pieces.find((piece) => {
    if (!piece.blocks.some((block) => conditions.has(block.start))) return false;
    if (piece.output !== undefined) return piece.end <= start || piece.start >= end;
    const before = text.slice(piece.start, Math.max(piece.start, Math.min(piece.end, start)));
    const after = text.slice(Math.min(piece.end, Math.max(piece.start, end)), piece.end);
    return [...before.split('\n'), ...after.split('\n')].some((line) => !/^\s*(?:#|$)/u.test(line));
  });
  // A variable of an outer block that is set anew.
  const set = actions.find(
    (action) => /^\$\w+\s*=/u.test(action.code) && action.start > Math.min(...conditions),
  );
  return beside?.source ?? set?.start;
}

/** The conditions on simple values that `own` adds to the blocks around it. */
function guardsBetween(
  outer: readonly Block[],
  own: readonly Block[],
): { readonly paths: readonly ValuePath[] } | OpaqueField {
  if (!isSameBlocks(outer, own.slice(0, outer.length))) return opaque('condition', own.at(-1)?.start ?? 0);
  const paths: ValuePath[] = [];
  for (let depth = outer.length; depth < own.length; depth += 1) {
    const block = own[depth];
    if (block === undefined) break;
    const isGuard = (block.keyword === 'if' || block.keyword === 'with') && block.branch === 0;
    const path = isGuard ? valueNamed(block.code, own.slice(0, depth)) : undefined;
    if (path === undefined) return opaque('condition', block.start);
    paths.push(path);
  }
  return { paths };
}

function nodeOf(entry: Pair, skeleton: Skeleton, above: readonly ValuePath[]): FieldNode | OpaqueField {
  const { value } = entry;
  const blocks = blocksAt(skeleton, startOf(entry));
  if (!isNode(value)) return { type: 'literal', data: null };
  if (isMap(value)) {
    const written = writtenWhole(value, skeleton);
    if (written !== undefined) return valueNode(written, { blocks, above, form: 'entry' });
    return mapNode(value, skeleton, { blocks, above });
  }
  const [start, end] = rangeOf(value);
  const piece = isScalar(value) ? pieceOf(skeleton, [start, end]) : undefined;
  if (piece !== undefined && isScalar(value)) {
    if (value.tag !== undefined || value.anchor !== undefined) return opaque('expression', piece.source);
    const isQuoted = skeleton.text[start] === '"' || skeleton.text[start] === "'";
    const node = valueNode(piece, { blocks, above, form: 'inline' });
    if (node.type !== 'value' || !isQuoted) return node;
    return node.value.as === 'text'
      ? { ...node, value: { ...node.value, as: 'quoted' } }
      : opaque('expression', piece.source);
  }
  const conditional = piecesIn(skeleton, start, end).find((each) => !isSameBlocks(each.blocks, blocks));
  if (conditional !== undefined) return opaque('condition', conditional.source);
  if (hasMark(skeleton.text.slice(start, end)) || (isCollection(value) && value.anchor !== undefined)) {
    return opaque('expression', sourceAt(skeleton, start));
  }
  const isData = isScalar(value) || isCollection(value);
  return isData ? { type: 'literal', data: value.toJSON() } : opaque('expression', sourceAt(skeleton, start));
}

function mapNode(
  map: YAMLMap,
  skeleton: Skeleton,
  { blocks, above }: { blocks: readonly Block[]; above: readonly ValuePath[] },
): FieldNode | OpaqueField {
  const problem = problemOf(map, skeleton);
  if (problem !== undefined) return problem;
  const entries: { key: string; guards: readonly ValuePath[]; node: FieldNode }[] = [];
  for (const entry of map.items) {
    const key = isScalar(entry.key) ? String(entry.key.value) : '';
    if (entriesOf(map, key).length > 1) return opaque('condition', sourceOf(skeleton, entry));
    const guards = guardsBetween(blocks, blocksAt(skeleton, startOf(entry)));
    if ('type' in guards) return guards;
    const node = nodeOf(entry, skeleton, [...above, ...guards.paths]);
    if (node.type === 'opaque') return node;
    entries.push({ key, guards: guards.paths, node });
  }
  return { type: 'map', entries };
}

/** The piece that writes the whole content of a map. */
function writtenWhole(map: YAMLMap, { pieces }: Skeleton): Piece | undefined {
  const [only, second] = map.items;
  if (only === undefined || second !== undefined || !isScalar(only.key)) return undefined;
  // A text behind it would end up in its last line.
  if (isNode(only.value) && !(isScalar(only.value) && only.value.value === null)) return undefined;
  const number = markedPiece(String(only.key.value));
  return number === undefined ? undefined : pieces[number];
}

/** A value behind conditions on other values than itself is not followed. */
function valueNode(
  { output, blocks: own, source }: Piece,
  {
    blocks,
    above,
    form,
  }: { blocks: readonly Block[]; above: readonly ValuePath[]; form: 'entry' | 'inline' },
): FieldNode | OpaqueField {
  const guards = guardsBetween(blocks, own);
  if ('type' in guards) return guards;
  const value = output === undefined ? undefined : simpleValue(output.stages, own);
  const isWhole = value?.as === 'yaml';
  if (value === undefined || output?.form !== form || isWhole !== (form === 'entry')) {
    return opaque('expression', source);
  }
  const isOwn = [...above, ...guards.paths].every((guard) => overlaps(guard, value.path));
  return isOwn ? { type: 'value', value, guards: guards.paths } : opaque('condition', source);
}

function opaque(because: OpaqueField['because'], source: number): OpaqueField {
  return { type: 'opaque', because, source };
}

function rangeOf(node: Node): readonly [number, number] {
  return [node.range?.[0] ?? 0, node.range?.[1] ?? 0];
}

function startOf({ key }: Pair): number {
  return isNode(key) ? rangeOf(key)[0] : 0;
}

function endOf({ key, value }: Pair): number {
  const node = isNode(value) ? value : key;
  return isNode(node) ? rangeOf(node)[1] : 0;
}

function sourceOf(skeleton: Skeleton, entry: Pair): number {
  return sourceAt(skeleton, startOf(entry));
}

/** The place in the template from which a place of the skeleton comes. */
function sourceAt(skeleton: Skeleton, offset: number): number {
  const piece = piecesIn(skeleton, offset, offset + 1)[0];
  if (piece === undefined) return 0;
  return piece.output === undefined ? piece.source + offset - piece.start : piece.source;
}

/** A document that a template renders. */
export interface TemplateDocument {
  readonly type: 'document';
  readonly contents: YAMLMap;
  /** In which the whole document stands. */
  readonly blocks: readonly Block[];
  readonly skeleton: Skeleton;
  /** Where an action may write lines of any field. */
  readonly loose: Piece | undefined;
}

/** A part of a template that may render other objects than it states. */
interface UnknownDocument {
  readonly type: 'unknown';
  /** In the template. */
  readonly source: number;
  /** An action writes it as a whole; otherwise it is one that does not parse without its actions. */
  readonly isWritten: boolean;
}

/** The documents of a template whose kind it states, and those that may be of any kind. */
export function documentsOf(skeleton: Skeleton | undefined): readonly (TemplateDocument | UnknownDocument)[] {
  const documents = skeleton && parseTemplate(skeleton.text);
  if (skeleton === undefined || documents === undefined) {
    return [{ type: 'unknown', source: 0, isWritten: false }];
  }
  const { text, pieces } = skeleton;
  const written = pieces.filter(
    ({ output, start }) => output?.form === 'loose' && (start === 0 || text[start - 1] === '\n'),
  );
  const unknown = (source: number, isWritten: boolean) => [{ type: 'unknown', source, isWritten } as const];
  return [
    ...documents.flatMap((document): readonly (TemplateDocument | UnknownDocument)[] => {
      const within = piecesIn(skeleton, document.range[0], document.range[2]);
      const { contents, errors } = document;
      if (errors.length > 0) return unknown(within[0]?.source ?? 0, false);
      const output = within.find((each) => each.output !== undefined);
      const map = isMap(contents) ? contents : undefined;
      const kind = map && entriesOf(map, 'kind')[0];
      const added = map?.items.find(({ key }) => hasMark(String(key)));
      if (map === undefined || added !== undefined || !isScalar(kind?.key)) {
        return output === undefined ? [] : unknown(output.source, true);
      }
      const blocks = blocksAt(skeleton, kind.key.range?.[0] ?? 0);
      const loose = within.find((each) => each.output?.form === 'loose');
      return [{ type: 'document', contents: map, blocks, skeleton, loose }];
    }),
    ...written.flatMap(({ source }) => unknown(source, true)),
  ];
}

export function entriesOf(map: YAMLMap, name: string): readonly Pair[] {
  return map.items.filter(({ key }) => isScalar(key) && key.value === name);
}

/** The pieces that a range of the skeleton touches. */
function piecesIn({ pieces }: Skeleton, start: number, end: number): readonly Piece[] {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pieces[middle]?.end ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  const found: Piece[] = [];
  for (let at = low; at < pieces.length; at += 1) {
    const piece = pieces[at];
    if (piece === undefined || piece.start >= Math.max(end, start + 1)) break;
    found.push(piece);
  }
  return found;
}

function blocksAt(skeleton: Skeleton, offset: number): readonly Block[] {
  return piecesIn(skeleton, offset, offset + 1)[0]?.blocks ?? [];
}

/** The piece that a scalar of the skeleton consists of, without its quotes. */
function pieceOf({ text, pieces }: Skeleton, range: readonly [number, number]): Piece | undefined {
  const written = text.slice(range[0], range[1]);
  const [, inner = written] = /^"([^"]*)"$/u.exec(written) ?? /^'([^']*)'$/u.exec(written) ?? [];
  const number = markedPiece(inner);
  return number === undefined ? undefined : pieces[number];
}

/** Whether two places stand in the same branches of the same blocks. */
function isSameBlocks(one: readonly Block[], other: readonly Block[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ start, branch }, at) => other[at]?.start === start && other[at].branch === branch)
  );
}
