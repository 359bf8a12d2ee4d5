import { isMap, isScalar, type Pair, type YAMLMap } from 'yaml';
import { parseTemplate } from '../parse-manifest.js';
import { type Block, hasMark, markedPiece, type Piece, type Skeleton } from './template-skeleton.js';

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

/** A part of a template that may render any object. */
export interface UnknownDocument {
  readonly type: 'unknown';
  /** In the template. */
  readonly source: number;
}

/**
 * The documents of a template whose kind it states; and those that may be of any kind: what does not parse once its
 * actions are left out, and what a helper writes as a whole.
 */
export function documentsOf(skeleton: Skeleton | undefined): readonly (TemplateDocument | UnknownDocument)[] {
  const parsed = skeleton && parseTemplate(skeleton.text);
  if (skeleton === undefined || parsed === undefined) return [{ type: 'unknown', source: 0 }];
  return parsed.flatMap((document): readonly (TemplateDocument | UnknownDocument)[] => {
    const [start, end] = [document.range[0], document.range[2]];
    const pieces = piecesIn(skeleton, start, end);
    const loose = pieces.find(({ output }) => output?.form === 'loose');
    const written = pieces.find(({ output }) => output !== undefined);
    const unknown = { type: 'unknown', source: pieces[0]?.source ?? 0 } as const;
    const { contents, errors } = document;
    if (errors.length > 0) return [unknown];
    if (!isMap(contents)) return written === undefined ? [] : [{ ...unknown, source: written.source }];
    const kind = entriesOf(contents, 'kind')[0];
    const added = contents.items.find(({ key }) => hasMark(String(key)));
    if (added !== undefined || kind === undefined || !isScalar(kind.key)) {
      return written === undefined ? [] : [{ ...unknown, source: written.source }];
    }
    const blocks = blocksAt(skeleton, kind.key.range?.[0] ?? 0);
    return [{ type: 'document', contents, blocks, skeleton, loose }];
  });
}

export function entriesOf(map: YAMLMap, name: string): readonly Pair[] {
  return map.items.filter(({ key }) => isScalar(key) && key.value === name);
}

/** The pieces that a range of the skeleton touches. */
export function piecesIn({ pieces }: Skeleton, start: number, end: number): readonly Piece[] {
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

export function blocksAt(skeleton: Skeleton, offset: number): readonly Block[] {
  return piecesIn(skeleton, offset, offset + 1)[0]?.blocks ?? [];
}

/** The piece that a scalar of the skeleton consists of, without its quotes. */
export function pieceOf({ text, pieces }: Skeleton, range: readonly [number, number]): Piece | undefined {
  const written = text.slice(range[0], range[1]);
  const [, inner = written] = /^"([^"]*)"$/u.exec(written) ?? /^'([^']*)'$/u.exec(written) ?? [];
  const number = markedPiece(inner);
  return number === undefined ? undefined : pieces[number];
}

/** Whether two places stand in the same branches of the same blocks. */
export function isSameBlocks(one: readonly Block[], other: readonly Block[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ start, branch }, at) => other[at]?.start === start && other[at].branch === branch)
  );
}
