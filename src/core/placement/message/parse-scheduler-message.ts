import { sentencesIn } from './envelope.js';
import { speakerOf, splitGroup } from './group-sentence.js';
import { findHeading, findNodesHeading, type Heading, type Speaker } from './heading.js';
import { parseKarpenter } from './karpenter.js';
import {
  parseFitFailures,
  parseKai,
  parseOldestFitFailures,
  parsePredicateErrors,
  parsePredicates,
  parseYunikorn,
} from './older-sentence.js';
import { CUT, isCutShort, noPreemption, parseList, type ReasonList, reasonOf } from './parse-list.js';
import { oneLine, recognise, recogniseEnd } from './recognise.js';
import { isDigit, trimmed } from './scanning.js';
import type { MessageReason, SchedulerMessage } from './scheduler-message.js';

/** A sentence and whose it is. */
export interface SchedulerSentence {
  readonly speaker: Speaker;
  readonly message: SchedulerMessage;
  /** The text stops within known words, without the mark of kube-scheduler for that. */
  readonly cutShort: boolean;
  /** The reason of one pod, where the sentence is about a group of pods. Its reasons are in `message` too. */
  readonly origin?: SchedulerSentence;
}

/** Characters of a sentence that are read; a longer one is cut as kube-scheduler cuts it. */
export const maxSentence = 16_384;

/** The sentence as far as it is read. */
export function boundSentence(text: string): string {
  return text.length <= maxSentence ? text : `${text.slice(0, maxSentence - CUT.length)}${CUT}`;
}

/**
 * Takes apart what a scheduler says of a pod it cannot place: the message of the condition PodScheduled or of
 * a FailedScheduling event, of Kubernetes 1.18 to 1.37; and what autoscalers and other schedulers say in its
 * place.
 *
 * Never throws and never drops a reason: what is not known is `unknown`, with its words. A text that is no
 * such sentence is one reason, without `nodes` and `feasible`. Of several events in one text, the first is
 * taken apart, and the rest stays in the text of its preemption part. Linear in the text's length.
 */
export function parseSchedulerMessage(text: string): SchedulerMessage {
  const bounded = boundSentence(text).trim();
  const [first, second] = sentencesIn(bounded);
  const { message } = parseSentence(first?.text ?? '');
  if (second === undefined) return message;
  const after = (first?.at ?? 0) + (first?.text.length ?? 0);
  const from = message.preemption.text === '' ? after : bounded.lastIndexOf(message.preemption.text, after);
  return { ...message, preemption: { ...message.preemption, text: bounded.slice(Math.max(0, from)).trim() } };
}

/** As `parseSchedulerMessage`, for every event in the text, and whose each sentence is. */
export function parseSchedulerSentences(text: string): readonly SchedulerSentence[] {
  return sentencesIn(boundSentence(text).trim()).map((sentence) => parseSentence(sentence.text));
}

/** Reasons that quote reasons; more are one reason. */
const MOST_ORIGINS = 2;

function parseSentence(text: string, origins = MOST_ORIGINS): SchedulerSentence {
  const heading = findHeading(text);
  if (heading.speaker === 'gang' || heading.speaker === 'gang-member' || heading.speaker === 'queue') {
    return parseGroup(heading.speaker, text, origins);
  }
  const bare = heading.speaker === 'nobody' ? speakerOf(oneLine(trimmed(text))) : 'nobody';
  if (bare === 'gang' || bare === 'queue') return parseGroup(bare, text, 0);
  const speaker = bare === 'nobody' ? heading.speaker : bare;
  const { message, list } = parseAs({ ...heading, speaker }, text);
  return { speaker, message, cutShort: list && isCutShort(text, message) };
}

/** What a sentence is about, and whether it is a list as kube-scheduler writes it. */
interface Parsed {
  readonly message: SchedulerMessage;
  readonly list: boolean;
}

function parseAs(heading: Heading, text: string): Parsed {
  const body = text.slice(heading.to);
  switch (heading.speaker) {
    case 'scheduler':
      return { list: true, message: withNodes(heading, parseList(body)) };
    case 'scale-up-declined':
      return { list: true, message: parseScaleUpDeclined(heading, text) };
    case 'karpenter-declined':
      return told(parseKarpenter(body));
    case 'predicates':
      return told(parsePredicates(body));
    case 'fit-failures':
      return told(parseFitFailures(body));
    case 'oldest-fit-failures':
      return told(parseOldestFitFailures(body));
    case 'predicate-errors':
      return told(parsePredicateErrors(text.slice(heading.from)));
    case 'kai':
      return told(parseKai(body));
    case 'yunikorn':
      return told(parseYunikorn(body));
    case 'scale-up-triggered':
    case 'karpenter-nominated':
    case 'gang':
    case 'gang-member':
    case 'queue':
      return told([{ reason: 'unknown', text }]);
    case 'nobody':
      return parseBare(text);
  }
}

function told(reasons: readonly MessageReason[]): Parsed {
  return { list: false, message: { reasons, preemption: noPreemption } };
}

function withNodes(
  { nodes, feasible }: Pick<Heading, 'nodes' | 'feasible'>,
  list: ReasonList,
): SchedulerMessage {
  return {
    ...(nodes === undefined ? {} : { nodes }),
    ...(feasible === undefined ? {} : { feasible }),
    ...list,
  };
}

/** `2/2 tasks in gang unschedulable: … Origin reason is web-1: 0/3 nodes are unavailable: …` */
function parseGroup(speaker: Speaker, text: string, origins: number): SchedulerSentence {
  const { outer, inner } = origins === 0 ? { outer: text, inner: '' } : splitGroup(text);
  const group = speaker === 'gang-member' ? reasonOf(outer) : quoted(speaker, outer);
  const message: SchedulerMessage = { reasons: [group], preemption: noPreemption };
  const whose = speaker === 'gang-member' ? 'nobody' : speaker;
  if (inner === '') return { speaker: whose, message, cutShort: false };
  const origin = parseSentence(inner, origins - 1);
  return {
    speaker: whose,
    message: { ...origin.message, reasons: [group, ...origin.message.reasons] },
    cutShort: false,
    origin,
  };
}

const SHORT_OF = 'insufficient ';

/**
 * The words of a group or queue, with the resources that its quota lacks:
 * `…: insufficient cpu, insufficient memory`.
 */
function quoted(speaker: Speaker, text: string): MessageReason {
  const [, ...parts] = speaker === 'queue' ? text.split(': ') : [];
  const names = parts.join(': ').split(', ').map(trimmed);
  const short = names.every((name) => name.startsWith(SHORT_OF) && !name.includes(' ', SHORT_OF.length));
  const detail = names.map((name) => name.slice(SHORT_OF.length)).join(', ');
  return { reason: 'unknown', text: trimmed(text), ...(short ? { detail } : {}) };
}

/**
 * `pod didn't trigger scale-up (it wouldn't fit if a new node is added): 2 Insufficient cpu, 1 max node group
 * …`
 */
function parseScaleUpDeclined(heading: Heading, text: string): SchedulerMessage {
  const colon = text.indexOf(':', heading.to);
  if (colon < 0) return { reasons: [{ reason: 'unknown', text }], preemption: noPreemption };
  return parseList(text.slice(colon + 1).trimStart());
}

/**
 * A text without a heading: a list that lost its own, the preemption part alone, one reason, or nothing we
 * know.
 */
function parseBare(text: string): Parsed {
  const whole = oneLine(trimmed(text));
  if (whole === '') return told([]);
  const { reason, detail, says } = recognise(whole);
  if (reason === 'no-node') {
    const { message } = told([{ reason, text: whole }]);
    return { message: { nodes: 0, feasible: 0, ...message }, list: false };
  }
  if (says === 'unknown') {
    const list = withFirstCompleted(parseList(withoutDots(text)));
    const counts = isDigit(withoutDots(text)[0]);
    if (list.reasons.some((each) => each.reason !== 'unknown' || recognise(each.text).says !== 'unknown'))
      return { message: list, list: counts };
    if (list.reasons.length === 0) return { message: withNodes(nestedNodes(text), list), list: true };
    return told([{ reason: 'unknown', text }]);
  }
  const named = detail === undefined ? {} : { detail };
  return told([{ reason, text: trimmed(text), ...named }]);
}

/** Without the dots that stand for a start which was cut off. */
function withoutDots(text: string): string {
  return text.replace(/^(?:\.{3}|…)\s{0,9}/, '');
}

/**
 * The first reason of a list without a heading may have lost its start. Further ones follow a comma and a
 * count.
 */
function withFirstCompleted(list: ReasonList): ReasonList {
  const [first, ...others] = list.reasons;
  if (first === undefined || first.reason !== 'unknown' || first.count !== undefined) return list;
  const found = recogniseEnd(first.text);
  if (found === undefined) return list;
  const { reason, detail } = found;
  const completed = { reason, text: first.text, ...(detail === undefined ? {} : { detail }) };
  return { ...list, reasons: [completed, ...others] };
}

/** The nodes that a preemption part counts, where nothing else counts them. */
function nestedNodes(text: string): Pick<Heading, 'nodes' | 'feasible'> {
  return findNodesHeading(text, true) ?? {};
}
