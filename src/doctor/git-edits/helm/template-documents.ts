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

/** A part of a template that may render other objects than it states. */
export interface UnknownDocument {
  readonly type: 'unknown';
  /** In the template. */
  readonly source: number;
  /** An action writes it as a whole; otherwise it is one that does not parse without its actions. */
  readonly isWritten: boolean;
}

/** The documents of a template whose kind it states, and those that may be of any kind. */
export function documentsOf(skeleton: Skeleton | undefined): readonly (TemplateDocument | UnknownDocument)[] {
  if (skeleton === undefined) return [{ type: 'unknown', source: 0, isWritten: false }];
  const { text, pieces } = skeleton;
  const written = pieces.filter(
    ({ output, start }) => output?.form === 'loose' && (start === 0 || text[start - 1] === '\n'),
  );
  const unknown = (source: number, isWritten: boolean) => [{ type: 'unknown', source, isWritten } as const];
  return [
    ...parseTemplate(text).flatMap((document): readonly (TemplateDocument | UnknownDocument)[] => {
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
