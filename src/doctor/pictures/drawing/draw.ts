import type { Language } from '../../../engine/language/language.js';
import { type NodeStrip, type Picture, podStates } from '../../findings/picture.js';
import { captionOf } from '../caption.js';
import { columnsOf, proseText, wrapped } from '../columns.js';
import { type ShownGroup, type ShownRow, shownGroups } from '../strip-rows.js';
import { pictureText } from '../text.js';
import { drawCycle } from './draw-cycle.js';
import { columnsIn, type Drawing, drawingWidth, line, lineHeight, margin, type Shape } from './drawing.js';

/** The picture as shapes, for a surface that shows images. */
export function draw(picture: Picture, language: Language): Drawing {
  return picture.kind === 'wait-cycle' ? drawCycle(picture, language) : drawStrip(picture, language);
}

const limits = { rows: 8, signs: 12, nameColumns: 12 } as const;
const perLine = 4;
const gap = 8;
const nodeWidth = (drawingWidth - 2 * margin - (perLine - 1) * gap) / perLine;
const padding = 8;
const nameSize = 13;
const wordSize = 12;
const wordHeight = 16;
const marksPerLine = 4;
const markStep = 24;

/** A piece of the drawing that grows downwards. */
interface Part {
  readonly shapes: readonly Shape[];
  readonly bottom: number;
}

/** Nodes beside each other, in each the marks of its pods and the same in words. */
function drawStrip(strip: NodeStrip, language: Language): Drawing {
  const groups = shownGroups(strip, language, limits);
  const columns = columnsIn(drawingWidth - 2 * margin, 15);
  const caption = wrapped(proseText(captionOf(strip, language), columns), columns);
  const title = linesAt(caption, 14 + lineHeight / 2, { size: 15, isBold: true });
  const body = groups.reduce<Part>((above, group) => after(above, groupAt(group, above.bottom + 8)), title);
  const all = after(body, legendAt(groups, language, body.bottom + 14));
  return { width: drawingWidth, height: all.bottom + margin, shapes: all.shapes };
}

function after(above: Part, { shapes, bottom }: Part): Part {
  return { shapes: [...above.shapes, ...shapes], bottom };
}

function linesAt(
  texts: readonly string[],
  y: number,
  style: Parameters<typeof line>[3],
  x: number = margin,
  step: number = lineHeight,
): Part {
  return {
    shapes: texts.map((text, row) => line(x, y + row * step, text, style)),
    bottom: y + (texts.length - 0.5) * step,
  };
}

function groupAt({ heading, rows, rest }: ShownGroup, top: number): Part {
  const head: Part =
    heading.length === 0
      ? { shapes: [], bottom: top }
      : linesAt([proseText(heading, limits.nameColumns)], top + lineHeight / 2, { isBold: true });
  const lines = Array.from({ length: Math.ceil(rows.length / perLine) }, (_, at) =>
    rows.slice(at * perLine, (at + 1) * perLine),
  );
  const nodes = lines.reduce<Part>((above, nodes) => after(above, nodesAt(nodes, above.bottom + 4)), head);
  if (rest === '') return nodes;
  const words = wrapped(rest, columnsIn(drawingWidth - 2 * margin, nameSize));
  return after(nodes, linesAt(words, nodes.bottom + lineHeight / 2, { size: nameSize, tone: 'quiet' }));
}

function nodesAt(rows: readonly ShownRow[], top: number): Part {
  const drawn = rows.map((row, at) => nodeAt(row, margin + at * (nodeWidth + gap), top));
  const bottom = Math.max(...drawn.map((node) => node.bottom));
  const frames = rows.map(
    ({ troubled }, at): Shape => ({
      kind: 'box',
      x: margin + at * (nodeWidth + gap),
      y: top,
      width: nodeWidth,
      height: bottom - top,
      tone: troubled ? 'bad' : 'node',
      corner: 6,
      isDashed: false,
    }),
  );
  return { shapes: [...frames, ...drawn.flatMap(({ shapes }) => shapes)], bottom: bottom + 4 };
}

function nodeAt({ name, states, hidden, troubled, words }: ShownRow, left: number, top: number): Part {
  const x = left + padding;
  const firstMark = top + 40;
  const markRows = Math.ceil(states.length / marksPerLine);
  const marks = states.map(
    (state, at): Shape => ({
      kind: 'mark',
      x: x + 10 + (at % marksPerLine) * markStep,
      y: firstMark + Math.floor(at / marksPerLine) * markStep,
      state,
    }),
  );
  const below = firstMark + (markRows - 0.5) * markStep + 4;
  const more = hidden === 0 ? [] : [`+${hidden}`];
  const said = [...more, ...words].flatMap((each) =>
    wrapped(each, columnsIn(nodeWidth - 2 * padding, wordSize)),
  );
  const text = linesAt(
    said,
    below + wordHeight / 2,
    { size: wordSize, tone: troubled ? 'bad' : 'ink' },
    x,
    wordHeight,
  );
  return {
    shapes: [line(x, top + 16, name, { size: nameSize, isBold: true }), ...marks, ...text.shapes],
    bottom: text.bottom + padding,
  };
}

/** What the marks that occur stand for. */
function legendAt(groups: readonly ShownGroup[], language: Language, top: number): Part {
  const present = new Set(groups.flatMap(({ rows }) => rows.flatMap(({ states }) => states)));
  const shapes: Shape[] = [];
  let x = margin;
  let y = top + 8;
  for (const state of podStates.filter((each) => present.has(each))) {
    const words = proseText(pictureText[language].sign({ state }), limits.nameColumns);
    const width = 24 + (columnsOf(words) * wordSize) / 2;
    if (x > margin && x + width > drawingWidth - margin) {
      x = margin;
      y += 24;
    }
    shapes.push(
      { kind: 'mark', x: x + 8, y, state },
      line(x + 24, y, words, { size: wordSize, tone: 'quiet' }),
    );
    x += width + 18;
  }
  return { shapes, bottom: y + 8 };
}
