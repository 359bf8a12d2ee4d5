import type { Language } from '../../engine/language/language.js';
import { type NodeStrip, type Picture, type PodState, podStates } from '../findings/picture.js';
import type { WaitCycle } from '../findings/wait-cycle.js';
import { withNext } from './caption.js';
import { columnsOf, padded, proseText, wrapped } from './columns.js';
import { type ShownGroup, type ShownRow, shownGroups, shownState } from './strip-rows.js';
import { pictureText } from './text.js';

/** What every terminal and code block shows without breaking lines. */
export const pictureColumns = 60;

/** The picture for a font of equally wide characters, without its caption. */
export function pictureLines(
  picture: Picture,
  language: Language,
  columns: number = pictureColumns,
): readonly Line[] {
  return picture.kind === 'node-strip'
    ? stripLines(picture, language, columns)
    : cycleLines(picture, language, columns).map((text) => [{ text }]);
}

/** A piece of a line, with how it looks where there are colours. */
type Piece = { readonly text: string; readonly tone?: 'bad' | 'warn' | 'good' | 'faint' };

type Line = readonly Piece[];

const limits = { rows: 8, signs: 8, nameColumns: 18 } as const;
const gap = '  ';

/**
 * The strip in a font of equally wide characters: the node, a sign for each pod, and the same in words.
 *
 * @param columns no line takes more; at least 56
 */
function stripLines(strip: NodeStrip, language: Language, columns: number): readonly Line[] {
  const groups = shownGroups(strip, language, limits);
  const rows = groups.flatMap((group) => group.rows);
  const widths: Widths = {
    columns,
    nameColumns: Math.max(0, ...rows.map(({ name }) => columnsOf(name))),
    signColumns: Math.max(0, ...rows.map((row) => columnsOf(drawn(row)))),
  };
  return [
    ...groups.flatMap((group) => groupLines(group, widths)),
    ...legend(groups, strip, language, columns),
  ];
}

type Widths = { readonly columns: number; readonly nameColumns: number; readonly signColumns: number };

function groupLines({ heading, rows, rest }: ShownGroup, widths: Widths): readonly Line[] {
  return [
    ...(heading.length === 0 ? [] : [[{ text: proseText(heading, limits.nameColumns) }]]),
    ...rows.flatMap((row) => rowLines(row, widths)),
    ...(rest === '' ? [] : faint(rest, widths.columns)),
  ];
}

function rowLines(row: ShownRow, { columns, nameColumns, signColumns }: Widths): readonly Line[] {
  const before = nameColumns + signColumns + 2 * gap.length;
  const [words = '', ...more] = wrapped(row.words.join(', '), columns - before);
  const tone = row.troubled ? ({ tone: 'bad' } as const) : {};
  return [
    [
      { text: padded(row.name, nameColumns), ...tone },
      { text: gap },
      ...row.states.map((state, at) => ({
        text: `${at === 0 ? '' : ' '}${signs[state]}`,
        tone: toneOf(state),
      })),
      {
        text: `${padded(hiddenOf(row), signColumns - columnsOf(drawn(row)) + columnsOf(hiddenOf(row)))}${gap}`,
      },
      { text: words, ...tone },
    ],
    ...more.map((line) => [{ text: `${' '.repeat(before)}${line}` }]),
  ];
}

function drawn(row: ShownRow): string {
  return row.states.map((state) => signs[state]).join(' ') + hiddenOf(row);
}

function hiddenOf({ hidden }: ShownRow): string {
  return hidden === 0 ? '' : ` +${hidden}`;
}

/** What the signs that occur stand for. */
function legend(
  groups: readonly ShownGroup[],
  { failing }: NodeStrip,
  language: Language,
  columns: number,
): readonly Line[] {
  const present = new Set(groups.flatMap(({ rows }) => rows.flatMap(({ states }) => states)));
  const text = podStates
    .filter((state) => present.has(state))
    .map(
      (state) =>
        `${signs[state]} ${proseText(pictureText[language].sign({ state: shownState(state, failing) }), limits.nameColumns)}`,
    )
    .join(', ');
  return faint(text, columns);
}

function faint(words: string, columns: number): readonly Line[] {
  return wrapped(words, columns).map((text) => [{ text, tone: 'faint' }]);
}

/** One narrow character for each state, of different shapes: no meaning hangs on colour. */
export const signs = {
  crashing: '✕',
  restarting: '↻',
  failing: '⊘',
  crashed: '▲',
  'not-ready': '□',
  waiting: '?',
  ready: '●',
  gone: '–',
} as const satisfies Readonly<Record<PodState, string>>;

/** How a state looks where there are colours too. */
export function toneOf(state: PodState): 'bad' | 'warn' | 'good' | 'faint' {
  switch (state) {
    case 'crashing':
    case 'restarting':
    case 'failing':
      return 'bad';
    case 'crashed':
    case 'not-ready':
    case 'waiting':
      return 'warn';
    case 'ready':
      return 'good';
    case 'gone':
      return 'faint';
  }
}

/** Room in front of the words: the way back, and the way on. */
const rail = 4;
const inner = 6;

/**
 * The circle as a ring of lines for a font of equally wide characters: down from one to the next, and from
 * the last back up to the first.
 *
 * @param columns no line takes more; at least 24
 */
export function cycleLines(cycle: WaitCycle, language: Language, columns: number): readonly string[] {
  const text = pictureText[language];
  const nameColumns = Math.max(12, columns - rail - 10);
  const steps = withNext(cycle);
  return steps.flatMap((step, at) => {
    const isLast = at === steps.length - 1;
    const who = wrapped(proseText(text.party(step.who), nameColumns), columns - rail);
    const way = [text.needs(step), text.held(step)].flatMap((words) =>
      wrapped(proseText(words, nameColumns), columns - inner),
    );
    return [
      ...who.map((line, row) => `${at === 0 && row === 0 ? '┌─▶ ' : '│   '}${line}`),
      ...way.map((line, row) => {
        const isEnd = row === way.length - 1;
        const lead = !isEnd ? '│   │ ' : isLast ? '└───┘ ' : '│   ▼ ';
        return `${lead}${line}`.trimEnd();
      }),
    ];
  });
}
