import type { KnownBlock, RichTextElement, RichTextSection } from '@slack/types';
import { structuredPatch } from 'diff';
import { stringify } from 'yaml';
import { type NodeStrip, type Picture, type PodState, podStates } from '../../../doctor/findings/picture.js';
import type { FieldChange } from '../../../doctor/fixes/plan.js';
import type { Incident } from '../../../doctor/incidents/incident.js';
import { captionOf, spokenPicture } from '../../../doctor/pictures/caption.js';
import { cycleLines } from '../../../doctor/pictures/picture-lines.js';
import { type ShownRow, shownGroups, shownState } from '../../../doctor/pictures/strip-rows.js';
import { pictureText } from '../../../doctor/pictures/text.js';
import type { Language } from '../../../engine/language/language.js';
import { code, type Prose, say, word } from '../../../engine/language/prose.js';
import { isObject } from '../../../engine/objects/wire.js';
import { footer, headline, paragraph, preformatted } from './blocks.js';
import { workloadName } from './card-context.js';
import { cardText } from './card-text.js';
import { fitted, type Message, type Size, spoken } from './message.js';
import { toRichText } from './prose.js';

/** Fits a phone held upright in Slack's code font. */
const cycleColumns = 36;
const stripLimits = { rows: 8, signs: 8, nameColumns: 20 } as const;

/**
 * What there is to see of the incident's diagnosis: one message of its thread, rendered whole at each change.
 * Signs differ in shape and in colour, and words beside them say the same; the message's text says it in
 * sentences.
 *
 * @param file id of the uploaded image that takes the place of signs and words
 */
export function renderPicture(incident: Incident, file?: string): Message {
  const { diagnosis, language } = incident;
  const picture = diagnosis?.picture;
  return fitted((size) => {
    if (diagnosis === undefined || picture === undefined) {
      const says = pictureText[language].unreadable({ workload: workloadName(incident) });
      return { text: spoken([says]), blocks: [paragraph(says, size)] };
    }
    return {
      text: spoken(spokenPicture(picture, language)),
      blocks: [
        headline(captionOf(picture, language), qualifierOf(picture, language), size),
        ...(file === undefined
          ? textBlocks(picture, language, size)
          : [imageBlock(file, pictureInWords(picture, language))]),
        footer(
          [
            ...(file === undefined || picture.kind === 'wait-cycle' ? [explained(picture, language)] : []),
            pictureText[language]['as-of']({ at: diagnosis.takenAt }),
          ],
          size,
        ),
      ],
    };
  });
}

/** Everything that an image shows, with whole names, for those who do not see it. */
export function pictureInWords(picture: Picture, language: Language): string {
  const rows =
    picture.kind === 'wait-cycle'
      ? []
      : shownGroups(picture, language, wholeStrip).flatMap(({ heading, rows, rest }) => [
          heading,
          ...rows.map(({ name, words }) => say`${code(name)}: ${word(words.join(', '))}`),
          rest === '' ? [] : say`${word(rest)}`,
        ]);
  return spoken([...spokenPicture(picture, language), ...rows]);
}

const wholeStrip = { rows: 8, signs: 1, nameColumns: 253 } as const;

function imageBlock(id: string, alt: string): KnownBlock {
  return { type: 'image', slack_file: { id }, alt_text: alt };
}

function textBlocks(picture: Picture, language: Language, size: Size): KnownBlock[] {
  return picture.kind === 'node-strip'
    ? stripBlocks(picture, language, size)
    : cycleBlocks(picture, language);
}

function qualifierOf(picture: Picture, language: Language): Prose {
  return picture.kind === 'wait-cycle'
    ? cardText[language].confidence({ confidence: picture.confidence })
    : [];
}

function cycleBlocks(cycle: Extract<Picture, { kind: 'wait-cycle' }>, language: Language): KnownBlock[] {
  const lines = cycleLines(cycle, language, cycleColumns);
  return [preformatted(lines.join('\n'), longestCycle)];
}

/** More than the ring of four parties takes, whatever their names. */
const longestCycle = 3_000;

function stripBlocks(strip: NodeStrip, language: Language, size: Size): KnownBlock[] {
  const limits = { ...stripLimits, rows: Math.min(stripLimits.rows, Math.max(2, size.items)) };
  const sections = shownGroups(strip, language, limits).flatMap(
    ({ heading, rows, rest }): RichTextSection[] => [
      ...(heading.length === 0 ? [] : [section(toRichText(heading, { lengths: size.lengths, bold: true }))]),
      ...rows.map((row) => section(rowElements(row))),
      ...(rest === '' ? [] : [section([{ type: 'text', text: rest }])]),
    ],
  );
  return [{ type: 'rich_text', elements: sections }];
}

/** A row of the strip: the signs of the pods, the node, and the same in words. */
export function rowElements({ name, states, hidden, troubled, words }: ShownRow): RichTextElement[] {
  const [first, ...more] = words;
  return [
    ...states.map((state) => ({ type: 'emoji' as const, name: emoji[state] })),
    { type: 'text', text: hidden === 0 ? ' ' : ` +${hidden} ` },
    { type: 'text', text: name, style: { code: true } },
    { type: 'text', text: ` ${first}`, ...(troubled ? { style: { bold: true } } : {}) },
    ...more.map((words) => ({ type: 'text' as const, text: `, ${words}` })),
  ];
}

function section(elements: RichTextElement[]): RichTextSection {
  return { type: 'rich_text_section', elements };
}

/** Slack's names. No two of them have the same outline, so that nothing hangs on telling red from green. */
const emoji = {
  crashing: 'x',
  restarting: 'octagonal_sign',
  failing: 'no_entry_sign',
  crashed: 'warning',
  'not-ready': 'white_large_square',
  waiting: 'hourglass_flowing_sand',
  ready: 'large_green_circle',
  gone: 'heavy_minus_sign',
} as const satisfies Readonly<Record<PodState, string>>;

/** What the signs that occur stand for, or how a circle is read. */
function explained(picture: Picture, language: Language): Prose {
  const text = pictureText[language];
  if (picture.kind === 'wait-cycle') return text['how-to-read-cycle']();
  const present = picture.groups.flatMap(({ rows }) => rows.map(({ pods }) => pods));
  return podStates
    .filter((state) => present.some((pods) => (pods[state] ?? 0) > 0))
    .flatMap(
      (state, at) =>
        say`${word(`${at === 0 ? '' : '  '}:${emoji[state]}: `)}${text.sign({ state: shownState(state, picture.failing) })}`,
    );
}

const contextLines = 2;
/** No field of the API lies deeper; a path that does is not taken apart further. */
const maxDepth = 24;

/**
 * Field changes as people know them from `kubectl diff`: YAML, with `-` and `+` before the lines that go and
 * come. Parents stand around them, so that the place in the object is seen.
 */
export function fieldDiff(changes: readonly FieldChange[]): string {
  const before = yamlOf(changes.map(({ path, before: value }) => [path, value]));
  const after = yamlOf(changes.map(({ path, after: value }) => [path, value]));
  const { hunks } = structuredPatch('', '', before, after, '', '', {
    context: contextLines + depthOf(changes),
  });
  return hunks.map(({ lines }) => lines.filter((line) => !line.startsWith('\\')).join('\n')).join('\n ⋮\n');
}

/** A field's value on one line; undefined when the field is absent. */
export function fieldText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

type Tree = { [key: string]: unknown };

function yamlOf(fields: readonly (readonly [path: string, value: unknown])[]): string {
  const root: Tree = Object.create(null) as Tree;
  for (const [path, value] of fields) {
    const steps = stepsOf(path);
    const last = steps.pop();
    if (last === undefined || value === undefined) continue;
    let node = root;
    for (const step of steps) {
      const next = node[step];
      if (isObject(next)) node = next;
      else {
        const made: Tree = Object.create(null) as Tree;
        node[step] = made;
        node = made;
      }
    }
    node[last] = structuredClone(value);
  }
  return Object.keys(root).length === 0 ? '' : stringify(root, { lineWidth: 0 });
}

/** Splits a dotted path; dots inside brackets belong to a key. */
function stepsOf(path: string): string[] {
  const steps = splitOutsideBrackets(path);
  return steps.length <= maxDepth
    ? steps
    : [...steps.slice(0, maxDepth - 1), steps.slice(maxDepth - 1).join('.')];
}

function splitOutsideBrackets(path: string): string[] {
  const steps: string[] = [];
  let start = 0;
  let closing = -1;
  for (let at = 0; at < path.length; at += 1) {
    if (path[at] === '[' && at > closing) {
      closing = path.indexOf(']', at);
      if (closing < 0) break;
    }
    if (path[at] !== '.' || at < closing) continue;
    steps.push(path.slice(start, at));
    start = at + 1;
  }
  return [...steps, path.slice(start)].filter((step) => step !== '');
}

function depthOf(changes: readonly FieldChange[]): number {
  return changes.reduce((deepest, { path }) => Math.max(deepest, stepsOf(path).length), 0);
}
