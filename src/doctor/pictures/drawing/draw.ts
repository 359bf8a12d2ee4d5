import type { Language } from '../../../engine/language/language.js';
import { code, type Prose, say, word } from '../../../engine/language/prose.js';
import { counted } from '../../../engine/language/words.js';
import { thingWords } from '../../causes/surge-deadlock/text.js';
import { type NodeStrip, type Picture, podStates } from '../../findings/picture.js';
import type { Party, Wait, WaitCycle, WaitStep } from '../../findings/wait-cycle.js';
import { captionOf } from '../caption.js';
import { columnsOf, proseText, shortened, shownName, wrapped } from '../columns.js';
import { type ShownGroup, type ShownRow, shownGroups, shownState } from '../strip-rows.js';
import { pictureText } from '../text.js';
import type { Drawing, PlainShape, Shape, Tone } from './drawing.js';
import { columnsIn, drawingWidth, line, lineHeight, margin } from './drawing.js';

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
type Part = { readonly shapes: readonly Shape[]; readonly bottom: number };

/** Nodes beside each other, in each the marks of its pods and the same in words. */
function drawStrip(strip: NodeStrip, language: Language): Drawing {
  const groups = shownGroups(strip, language, limits);
  const columns = columnsIn(drawingWidth - 2 * margin, 15);
  const caption = wrapped(proseText(captionOf(strip, language), columns), columns);
  const title = linesAt(caption, 14 + lineHeight / 2, { size: 15, isBold: true });
  const body = groups.reduce<Part>((above, group) => after(above, groupAt(group, above.bottom + 8)), title);
  const all = after(body, legendAt(groups, strip, language, body.bottom + 14));
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
function legendAt(
  groups: readonly ShownGroup[],
  { failing }: NodeStrip,
  language: Language,
  top: number,
): Part {
  const present = new Set(groups.flatMap(({ rows }) => rows.flatMap(({ states }) => states)));
  const shapes: Shape[] = [];
  let x = margin;
  let y = top + 8;
  for (const state of podStates.filter((each) => present.has(each))) {
    const meaning = pictureText[language].sign({ state: shownState(state, failing) });
    const words = proseText(meaning, limits.nameColumns);
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

/** One station of the cycle: pods, or the thing that they need, and how it leads to the next. */
interface Station {
  readonly tone: Tone;
  readonly heading: string;
  readonly lines: readonly string[];
  readonly label: string;
  /** Whether the arrow to the next station is the one that the controller holds closed. */
  readonly isKept: boolean;
}

const boxX = margin;
const boxWidth = 312;
const boxPadding = 14;
const arrowLength = 44;
/** Where the arrow from the last station back to the first runs. */
const returnX = boxX + boxWidth + 26;
const labelX = returnX + 10;
const titleHeight = 44;

/** Stations one below the other, and an arrow from the last back to the first. */
export function drawCycle(cycle: WaitCycle, language: Language): Drawing<PlainShape> {
  const stations = cycle.steps.flatMap((step) => stationsOf(step, language));
  const heights = stations.map(heightOf);
  const tops = stations.map(
    (_, at) => titleHeight + heights.slice(0, at).reduce((sum, height) => sum + height + arrowLength, 0),
  );
  const title = shortened(titleOf(cycle, language), columnsIn(drawingWidth - 2 * margin, 16));
  const bottom = (tops.at(-1) ?? 0) + (heights.at(-1) ?? 0);
  return {
    width: drawingWidth,
    height: bottom + margin,
    shapes: [
      line(margin, 24, title, { size: 16, isBold: true }),
      ...stations.flatMap((station, at) => boxOf(station, tops[at] ?? 0)),
      ...stations
        .slice(0, -1)
        .flatMap((station, at) => downOf(station, (tops[at] ?? 0) + (heights[at] ?? 0))),
      ...backOf(stations.at(-1), middle(tops, heights, -1), middle(tops, heights, 0)),
    ],
  };
}

function titleOf(cycle: WaitCycle, language: Language): string {
  return proseText(captionOf(cycle, language), columnsIn(drawingWidth - 2 * margin, 16));
}

function middle(tops: readonly number[], heights: readonly number[], at: number): number {
  return (tops.at(at) ?? 0) + (heights.at(at) ?? 0) / 2;
}

function stationsOf({ who, waits }: WaitStep, language: Language): readonly Station[] {
  const text = drawingText[language];
  const kept = waits.for === 'readiness';
  const pods: Station = {
    tone: who.role === 'old-pod' ? 'old' : 'new',
    heading: plain(text[who.role]()),
    lines: namesOf(who, language),
    label: plain(kept ? text.kept() : text.needs()),
    isKept: kept,
  };
  if (kept) return [pods];
  const [heading = '', ...lines] = thingOf(waits, language);
  return [pods, { tone: 'resource', heading, lines, label: plain(text.held()), isKept: false }];
}

function namesOf({ names, more, workload }: Party, language: Language): readonly string[] {
  const text = drawingText[language];
  return [
    ...names.map((name) => shownName(name, inside)),
    ...(more === 0 ? [] : [plain(text.others({ more }))]),
    ...(workload === undefined ? [] : [plain(text.workload({ workload }))]),
  ];
}

/** The thing that pods wait for: what it is, and where. */
function thingOf(waits: Exclude<Wait, { readonly for: 'readiness' }>, language: Language): readonly string[] {
  const text = drawingText[language];
  switch (waits.for) {
    case 'resource': {
      const more = waits.moreNodes === 0 ? [] : [plain(text.others({ more: waits.moreNodes }))];
      const nodes = waits.nodes.map((node) => plain(text['on-node']({ node })));
      return [...wrapped(plain(text.resource(waits), 60), inside), ...nodes, ...more];
    }
    case 'place':
      return [plain(text.place()), shownName(waits.node, inside)];
    case 'quota':
      return [shownName(waits.resource, inside), plain(text.quota(waits))];
    case 'group':
      return [plain(text.group(waits)), shownName(waits.group, inside)];
    case 'volume':
      return [plain(text.volume()), shownName(waits.volume, inside), plain(text['on-node'](waits))];
    case 'lease':
      return [plain(text.lease()), shownName(waits.lease, inside)];
    case 'lock':
      return [plain(text.lock())];
  }
}

const inside = columnsIn(boxWidth - 2 * boxPadding);

function plain(prose: Prose, nameColumns = inside - 8): string {
  return proseText(prose, nameColumns);
}

function heightOf({ lines }: Station): number {
  return 2 * 10 + (1 + lines.length) * lineHeight;
}

function boxOf(station: Station, top: number): readonly PlainShape[] {
  const { tone, heading, lines } = station;
  const y = top + 10 + lineHeight / 2;
  const height = heightOf(station);
  return [
    {
      kind: 'box',
      x: boxX,
      y: top,
      width: boxWidth,
      height,
      tone,
      corner: tone === 'resource' ? height / 2 : 8,
      isDashed: tone === 'new',
    },
    line(centred(heading), y, heading, { tone, isBold: true }),
    ...lines.map((text, row) => line(centred(text), y + (row + 1) * lineHeight, text)),
  ];
}

function centred(text: string): number {
  return boxX + (boxWidth - (columnsOf(text) * 14) / 2) / 2;
}

function downOf({ label, isKept }: Station, top: number): readonly PlainShape[] {
  const x = boxX + boxWidth / 2;
  const tone = isKept ? 'bad' : 'ink';
  return [
    {
      kind: 'arrow',
      points: [
        { x, y: top + 2 },
        { x, y: top + arrowLength - 2 },
      ],
      tone,
    },
    line(x + 14, top + arrowLength / 2, label, { tone, isBold: true }),
  ];
}

function backOf(last: Station | undefined, from: number, to: number): readonly PlainShape[] {
  if (last === undefined) return [];
  const words = wrapped(last.label, columnsIn(drawingWidth - labelX - 6));
  const first = (from + to) / 2 - ((words.length - 1) * lineHeight) / 2;
  const right = boxX + boxWidth + 2;
  return [
    {
      kind: 'arrow',
      points: [
        { x: right, y: from },
        { x: returnX, y: from },
        { x: returnX, y: to },
        { x: right, y: to },
      ],
      tone: 'bad',
    },
    ...words.map((text, row) => line(labelX, first + row * lineHeight, text, { tone: 'bad', isBold: true })),
  ];
}

type Thing<Kind extends Wait['for']> = Extract<Wait, { readonly for: Kind }>;

/** Words in an image: captions of its boxes, and labels of its arrows. */
const en = {
  'new-pod': () => say`New pod`,
  'old-pod': () => say`Old pod`,
  'unmade-pod': () => say`New pod, not created`,
  others: ({ more }: Pick<Party, 'more'>) => say`and ${counted(more, 'more', 'more')}`,
  workload: ({ workload }: { workload: string }) => say`of ${code(workload)}`,
  resource: ({ resource, amount }: Thing<'resource'>): Prose =>
    amount === '' ? say`${code(resource)}` : thingWords('en', resource, amount),
  place: () => say`room on the node`,
  quota: ({ quota }: Thing<'quota'>) => say`of quota ${code(quota)}`,
  group: ({ missing }: Thing<'group'>) => say`${counted(missing, 'more pod', 'more pods')} of its group`,
  volume: () => say`Volume`,
  lease: () => say`Lease`,
  lock: () => say`Lock`,
  'on-node': ({ node }: { node: string }) => say`on ${code(node)}`,
  needs: () => say`${word('needs')}`,
  held: () => say`${word('held by')}`,
  kept: () => say`kept until ready`,
};

const ko: typeof en = {
  'new-pod': () => say`새 파드`,
  'old-pod': () => say`이전 파드`,
  'unmade-pod': () => say`새 파드(미생성)`,
  others: ({ more }) => say`외 ${more}개`,
  workload: ({ workload }) => say`${code(workload)} 소속`,
  resource: ({ resource, amount }) =>
    amount === '' ? say`${code(resource)}` : thingWords('ko', resource, amount),
  place: () => say`노드의 자리`,
  quota: ({ quota }) => say`쿼터 ${code(quota)}`,
  group: ({ missing }) => say`그룹의 파드 ${missing}개 더`,
  volume: () => say`볼륨`,
  lease: () => say`리스`,
  lock: () => say`락`,
  'on-node': ({ node }) => say`${code(node)} 노드`,
  needs: () => say`필요`,
  held: () => say`점유`,
  kept: () => say`준비될 때까지 유지`,
};

const drawingText = { en, ko };
