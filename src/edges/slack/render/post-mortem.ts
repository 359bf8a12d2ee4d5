import type { ModalView } from '@slack/types';
import type { Diagnosis } from '../../../doctor/findings/diagnosis.js';
import { mainFindingOf } from '../../../doctor/findings/main-finding.js';
import type { Change, Incident } from '../../../doctor/incidents/incident.js';
import { hasFixResult } from '../../../doctor/incidents/incident-transitions.js';
import { pictureLines } from '../../../doctor/pictures/picture-lines.js';
import { markdown as asMarkdown, type Names } from '../../../doctor/redaction/markdown.js';
import type { Tell } from '../../../engine/language/catalogue.js';
import type { Language } from '../../../engine/language/language.js';
import type { Prose } from '../../../engine/language/prose.js';
import { preformatted } from './blocks.js';
import { downtimeOf, outcome, verdictOf } from './card-change.js';
import { titleOf, workloadName } from './card-context.js';
import { cardText } from './card-text.js';
import { entryText } from './entry.js';
import { modalFrame, sentenceModal } from './modal.js';
import { postMortemFrame, postMortemText } from './post-mortem-text.js';

interface Options {
  readonly language: Language;
  readonly tell: Tell;
  /** Of the people in `peopleIn` the incident, as far as they are known. */
  readonly names: Names;
}

/** The ids of the people whom a post-mortem names. */
export function peopleIn({ origin, beforeFix, change, pullRequest }: Incident): readonly string[] {
  const asked = [origin.by, beforeFix?.assignee?.by, change?.requested?.by];
  return [
    ...new Set([
      ...asked.flatMap((by) => by ?? []),
      ...(change?.approvedBy ?? []),
      ...(pullRequest?.approvedBy ?? []),
    ]),
  ];
}

/** In place of a post-mortem: why there is none, or that it is being read. */
export function renderPostMortemOutcome(language: Language, says: Prose): ModalView {
  return sentenceModal(postMortemFrame[language], says);
}

/**
 * What happened, as Markdown that people copy: the result, then timeline, cause with its picture, change and
 * people.
 *
 * @param incident as the reader may see it
 */
export function renderPostMortem(incident: Incident, options: Options): ModalView {
  const { language } = options;
  const lines = postMortemLines(incident, options);
  if (lines === undefined) {
    return renderPostMortemOutcome(
      language,
      postMortemText[language].none({ workload: workloadName(incident) }),
    );
  }
  const { title, close } = postMortemFrame[language];
  const parts = inParts(lines);
  return { ...modalFrame(title, close), blocks: parts.map((part) => preformatted(part, longestPart)) };
}

/**
 * The same as one text, for a note outside of Slack; `undefined` until a fix has ended.
 *
 * @param incident as the readers of the note may see it
 */
export function postMortemMarkdown(incident: Incident, options: Options): string | undefined {
  return postMortemLines(incident, options)?.join('\n');
}

/** Characters of one block, and blocks of the modal: together less than Slack takes. */
const longestPart = 2_900;
const mostParts = 4;

function inParts(lines: readonly string[]): readonly string[] {
  const parts: string[] = [];
  for (const line of lines) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + line.length + 1 <= longestPart)
      parts[parts.length - 1] = `${last}\n${line}`;
    else parts.push(line.slice(0, longestPart));
  }
  return parts.slice(0, mostParts);
}

function postMortemLines(whole: Incident, options: Options): readonly string[] | undefined {
  const { language, tell, names } = options;
  const markdown = (prose: Prose): string => asMarkdown(prose, names);
  const incident = { ...whole, language };
  const { beforeFix, diagnosis, workload } = incident;
  if (beforeFix === undefined || !hasFixResult(incident)) return undefined;
  const text = postMortemText[language];
  const { main } = mainFindingOf(beforeFix.diagnosis);
  const section = (heading: Prose, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ['', `## ${markdown(heading)}`, '', ...lines];
  const told = (statements: Parameters<Tell>[0][]): string[] =>
    statements.map((statement) => markdown(tell(statement, language)));
  const ready = (of: Diagnosis): Prose => cardText[language].ready(of.ready);
  return [
    `# ${markdown(text.title({ workload: workloadName(incident), cluster: workload.cluster }))}`,
    ...(main === undefined ? [] : ['', ...told([main.summary])]),
    ...section(
      text.result(),
      [
        ...resultOf(incident, tell).map(markdown),
        markdown(text['before-fix']({ ready: ready(beforeFix.diagnosis) })),
        ...(diagnosis === undefined ? [] : [markdown(text.now({ ready: ready(diagnosis) }))]),
      ].map((line) => `- ${line}`),
    ),
    ...(diagnosis === undefined ? [] : drawn(diagnosis, language)),
    ...section(
      text.timeline(),
      timeline(incident, options).map((line) => `- ${markdown(line)}`),
    ),
    ...section(
      text.cause(),
      main === undefined
        ? []
        : [
            ...(main.standing === undefined ? [] : [...told([main.standing]), '']),
            ...told([...main.reasoning]).map((line, at) => `${at + 1}. ${line}`),
          ],
    ),
    ...drawn(beforeFix.diagnosis, language),
    ...section(text.change(), changeLines(incident, options)),
    ...section(
      text.advice(),
      (main?.advice ?? []).map(({ title, text: says }) => `- ${told([title, says]).join(': ')}`),
    ),
  ];
}

/** What the records hold, in the order of its time. */
function timeline(incident: Incident, { language, tell }: Options): readonly Prose[] {
  const text = postMortemText[language];
  const { beforeFix, change, pullRequest, createdAt, origin } = incident;
  const { main } = beforeFix === undefined ? {} : mainFindingOf(beforeFix.diagnosis);
  const { via, by, assistant } = origin;
  const words = cardText[language];
  const how =
    by === undefined && assistant === undefined
      ? words[via === 'alert' ? 'by-alert' : 'unasked']()
      : words['requested-by']({ by, assistant });
  const events: (readonly [at: string | undefined, (at: string) => Prose])[] = [
    [createdAt, (at) => text.opened({ at, how })],
  ];
  if (beforeFix !== undefined && main !== undefined) {
    const confidence = words.confidence({ confidence: main.confidence });
    events.push([beforeFix.diagnosis.takenAt, (at) => text.found({ at, cause: main.cause, confidence })]);
  }
  const assignee = beforeFix?.assignee;
  if (assignee !== undefined) events.push([assignee.at, (at) => text.assigned({ at, by: assignee.by })]);
  if (pullRequest !== undefined) {
    const { approvedAt, openedAt, mergedAt, approvedBy, target, number } = pullRequest;
    const name = number === undefined ? target.repository : `${target.repository}#${number}`;
    events.push(
      [approvedAt, (at) => text.approved({ at, title: tell(pullRequest.title, language), by: approvedBy })],
      [openedAt, (at) => text['opened-in-git']({ at, name })],
      [mergedAt, (at) => text.merged({ at, name })],
    );
  }
  if (change !== undefined) {
    const { approvedAt, appliedAt, verdictAt, approvedBy, requested } = change;
    const title = titleOf(change, language, tell);
    events.push(
      [requested?.at, (at) => text.requested({ at, title, by: requested?.by ?? '' })],
      [approvedAt, (at) => text.approved({ at, title, by: approvedBy })],
      [appliedAt, (at) => text.applied({ at })],
      [verdictAt, (at) => text.ended({ at, verdict: verdictOf(incident, change) })],
    );
  }
  return events
    .flatMap(([at, says]) => (at === undefined ? [] : [{ at, says }]))
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .map(({ at, says }) => says(at));
}

function changeLines(
  { change, pullRequest }: Incident,
  { language, tell, names }: Options,
): readonly string[] {
  const text = postMortemText[language];
  const markdown = (prose: Prose): string => asMarkdown(prose, names);
  const reasonLines = (of: Pick<Change, 'reasons'> | undefined): readonly string[] =>
    (of?.reasons ?? []).map((given) => `  - ${markdown(entryText[language].reason(given))}`);
  const fields = (pullRequest?.changes ?? []).filter(({ path }) => !path.startsWith('spec.template'));
  return [
    ...(pullRequest === undefined ? [] : [`- ${markdown(tell(pullRequest.title, language))}`]),
    ...fields.map(
      ({ path, before, after }) =>
        `  - ${markdown(text.field({ path, before: shown(before), after: shown(after) }))}`,
    ),
    ...reasonLines(pullRequest),
    ...(change === undefined ? [] : [`- ${markdown(titleOf(change, language, tell))}`]),
    ...reasonLines(change),
  ];
}

function shown(value: unknown): string {
  return value === undefined ? '–' : typeof value === 'string' ? value : JSON.stringify(value);
}

function resultOf(incident: Incident, tell: Tell): readonly Prose[] {
  const { change } = incident;
  if (change?.verdict === undefined) return [];
  return [outcome({ incident, tell }, change), downtimeOf(incident, change)].filter(
    ({ length }) => length > 0,
  );
}

/** In a block of text; no name can end it, since a picture shows no backticks. */
function drawn({ picture }: Diagnosis, language: Language): readonly string[] {
  if (picture === undefined) return [];
  const lines = pictureLines(picture, language).map((line) => line.map(({ text }) => text).join(''));
  return ['', '```text', ...lines, '```'];
}
