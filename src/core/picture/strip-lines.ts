import type { Language } from '../language/language.js';
import { columnsOf, padded, proseText } from './columns.js';
import { type NodeStrip, podStates } from './picture.js';
import { signs, toneOf } from './signs.js';
import { type ShownGroup, type ShownRow, shownGroups } from './strip-rows.js';
import { pictureText } from './text.js';

/** A piece of a line, with how it looks where there are colours. */
export interface Piece {
  readonly text: string;
  readonly tone?: 'bad' | 'warn' | 'good' | 'faint';
}

export type Line = readonly Piece[];

const limits = { rows: 10, signs: 8, nameColumns: 18 } as const;
const gap = '  ';

/**
 * The strip in a font of equally wide characters: the node, a sign for each pod, and the same in words.
 *
 * @param columns no line takes more; at least 56
 */
export function stripLines(strip: NodeStrip, language: Language, columns: number): readonly Line[] {
  const first = shownGroups(strip, language, { ...limits, wordColumns: columns });
  const rows = first.flatMap((group) => group.rows);
  const nameColumns = Math.max(0, ...rows.map(({ name }) => columnsOf(name)));
  const signColumns = Math.max(0, ...rows.map((row) => columnsOf(drawn(row))));
  const before = nameColumns + signColumns + 2 * gap.length;
  const wordColumns = columns - before;
  const groups = shownGroups(strip, language, { ...limits, wordColumns });
  return [
    ...groups.flatMap((group) => groupLines(group, nameColumns, signColumns)),
    legend(groups, language),
  ];
}

function groupLines(
  { heading, rows, rest }: ShownGroup,
  nameColumns: number,
  signColumns: number,
): readonly Line[] {
  const hang = ' '.repeat(nameColumns + signColumns + 2 * gap.length);
  return [
    ...(heading.length === 0 ? [] : [[{ text: proseText(heading, limits.nameColumns) }]]),
    ...rows.flatMap((row): readonly Line[] => {
      const [words, ...more] = row.words;
      const tone = row.troubled ? ({ tone: 'bad' } as const) : {};
      return [
        [
          { text: padded(row.name, nameColumns), ...tone },
          { text: gap },
          ...row.states.map((state, at) => ({
            text: `${at === 0 ? '' : ' '}${signs[state]}`,
            tone: toneOf(state),
          })),
          { text: `${hiddenOf(row)}${' '.repeat(Math.max(0, signColumns - columnsOf(drawn(row))))}${gap}` },
          { text: words, ...tone },
        ],
        ...more.map((line) => [{ text: `${hang}${line}` }]),
      ];
    }),
    ...(rest === '' ? [] : [[{ text: rest, tone: 'faint' as const }]]),
  ];
}

function drawn(row: ShownRow): string {
  return row.states.map((state) => signs[state]).join(' ') + hiddenOf(row);
}

function hiddenOf({ hidden }: ShownRow): string {
  return hidden === 0 ? '' : ` +${hidden}`;
}

/** What the signs that occur stand for. */
function legend(groups: readonly ShownGroup[], language: Language): Line {
  const present = new Set(groups.flatMap(({ rows }) => rows.flatMap(({ states }) => states)));
  const text = podStates
    .filter((state) => present.has(state))
    .map((state) => `${signs[state]} ${proseText(pictureText[language].sign({ state }), limits.nameColumns)}`)
    .join('   ');
  return [{ text, tone: 'faint' }];
}
