import { findHeading, type Heading, type Speaker } from './heading.js';
import { parseKarpenter } from './karpenter.js';
import { findPostFilter, parsePostFilter } from './post-filter.js';
import { oneLine, recognise } from './recognise.js';
import { counted, fullStop, splitAtCounts, trimmed } from './scanning.js';
import type { MessageReason, SchedulerMessage } from './scheduler-message.js';

/** A sentence and whose it is. */
export interface SchedulerSentence {
  readonly speaker: Speaker;
  readonly message: SchedulerMessage;
}

/** How kube-scheduler ends an event's note that would be longer than 1024 bytes (`schedule_one.go: truncateMessage`). */
const CUT = ' ...';

/** Characters of a sentence that are read; a longer one is cut as kube-scheduler cuts it. */
export const maxSentence = 16_384;

/** The sentence as far as it is read. */
export function boundSentence(text: string): string {
  return text.length <= maxSentence ? text : `${text.slice(0, maxSentence - CUT.length)}${CUT}`;
}

/**
 * Takes apart what a scheduler says of a pod it cannot place: the message of the condition PodScheduled or of a
 * FailedScheduling event, of Kubernetes 1.18 to 1.37; and what autoscalers and other schedulers say in its place.
 *
 * Never throws and never drops a reason: what is not known is `unknown`, with its words. A text that is no such
 * sentence is one reason, without `nodes` and `feasible`. Linear in the text's length.
 */
export function parseSchedulerMessage(text: string): SchedulerMessage {
  return parseSchedulerSentence(text).message;
}

/** As `parseSchedulerMessage`, and whose sentence it is. */
export function parseSchedulerSentence(text: string): SchedulerSentence {
  const said = boundSentence(text).trim();
  const heading = findHeading(said);
  return { speaker: heading.speaker, message: parseAs(heading, said) };
}

function parseAs(heading: Heading, text: string): SchedulerMessage {
  switch (heading.speaker) {
    case 'scheduler':
      return {
        ...(heading.nodes === undefined ? {} : { nodes: heading.nodes }),
        ...(heading.feasible === undefined ? {} : { feasible: heading.feasible }),
        ...parseList(text.slice(heading.to)),
      };
    case 'scale-up-declined':
      return parseScaleUpDeclined(heading, text);
    case 'karpenter-declined':
      return { reasons: parseKarpenter(text.slice(heading.to)), preemption: nothing };
    case 'predicates':
      return { reasons: parsePredicates(text.slice(heading.to)), preemption: nothing };
    case 'scale-up-triggered':
    case 'karpenter-nominated':
    case 'gang':
    case 'queue':
      return { reasons: [{ reason: 'unknown', text }], preemption: nothing };
    case 'nobody':
      return parseBare(text);
  }
}

const nothing: SchedulerMessage['preemption'] = { reasons: [], text: '' };

/** A histogram or PreFilter message, and what PostFilter plugins add. */
function parseList(text: string): Pick<SchedulerMessage, 'reasons' | 'preemption'> {
  const cut = text.endsWith(CUT);
  const whole = cut ? text.slice(0, -CUT.length) : text;
  const known = findPostFilter(whole);
  const pieces = splitAtCounts(whole.slice(0, known), cut);
  const last = pieces.at(-1) ?? { text: '', at: 0 };
  const end = known ?? last.at + fullStop(last.text);
  const rest = trimmedStart(text.slice(end));
  const reasons = [...pieces.slice(0, -1).map((piece) => piece.text), whole.slice(last.at, end)]
    .map((piece, position, all) =>
      reasonOf(piece, cut && end === whole.length && position === all.length - 1),
    )
    .filter((reason) => reason.text !== '');
  return {
    reasons,
    preemption: cut && end === whole.length ? nothing : parseRest(rest, cut),
  };
}

function parseRest(text: string, cut: boolean): SchedulerMessage['preemption'] {
  if (text === '') return nothing;
  const parsed = parsePostFilter(cut ? text.slice(0, -CUT.length) : text, cut);
  return { ...parsed, text };
}

function reasonOf(piece: string, cut: boolean): MessageReason {
  const { count, words } = counted(trimmed(piece));
  const { reason, detail } = recognise(words, cut);
  return {
    reason,
    ...(count === undefined ? {} : { count }),
    text: words,
    ...(detail === undefined ? {} : { detail }),
  };
}

/** `pod didn't trigger scale-up (it wouldn't fit if a new node is added): 2 Insufficient cpu, 1 max node group …` */
function parseScaleUpDeclined(heading: Heading, text: string): SchedulerMessage {
  const colon = text.indexOf(':', heading.to);
  if (colon < 0) return { reasons: [{ reason: 'unknown', text }], preemption: nothing };
  return parseList(text.slice(colon + 1).trimStart());
}

/** `predicates:: Insufficient cpu (9), MatchNodeSelector (18).` of schedulers before 1.8. */
function parsePredicates(body: string): readonly MessageReason[] {
  return body
    .slice(body.indexOf(':') + 1)
    .split(', ')
    .map((part) => trimmed(part.replaceAll(':', ' ')))
    .filter((part) => part !== '')
    .map((part) => {
      const open = part.lastIndexOf(' (');
      const count = open > 0 && part.endsWith(')') ? part.slice(open + 2, -1) : '';
      return reasonOf(/^\d{1,15}$/.test(count) ? `${count} ${part.slice(0, open)}` : part, false);
    });
}

/** A text without a heading: a list that lost its own, one reason, or nothing we know. */
function parseBare(text: string): SchedulerMessage {
  const whole = oneLine(trimmed(text));
  if (whole === '') return { reasons: [], preemption: nothing };
  const { reason, detail } = recognise(whole);
  if (reason === 'no-node') {
    return { nodes: 0, feasible: 0, reasons: [{ reason, text: whole }], preemption: nothing };
  }
  if (reason === 'unknown') {
    const list = parseList(text);
    if (list.reasons.some((each) => each.reason !== 'unknown')) return list;
    if (list.reasons.length === 0) return list;
    return { reasons: [{ reason, text }], preemption: nothing };
  }
  const named = detail === undefined ? {} : { detail };
  return { reasons: [{ reason, text: trimmed(text), ...named }], preemption: nothing };
}

function trimmedStart(text: string): string {
  let start = 0;
  while (start < text.length && (text[start] === '.' || text[start]?.trim() === '')) start += 1;
  return text.slice(start).trimEnd();
}
