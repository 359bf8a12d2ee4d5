import { parseKarpenter } from './karpenter.js';
import type { Heading, ReasonList, Speaker } from './parse-list.js';
import {
  CUT,
  findHeading,
  findNodesHeading,
  isCutShort,
  noPreemption,
  parseList,
  reasonOf,
} from './parse-list.js';
import { oneLine, recognise, recogniseEnd } from './recognise.js';
import { afterSpace, isDigit, isSpace, match, type Piece, pattern, trimmed } from './scanning.js';
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
type Parsed = { readonly message: SchedulerMessage; readonly list: boolean };

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

/** A sentence about a group of pods, and the reason of one pod in it. */
type GroupSentence = { readonly outer: string; readonly inner: string };

/** What stands between the words about the group and the reason of one of its pods. */
const origins = [
  '. Origin reason is',
  ', first placement status: ',
  'other pod from a pod group: ',
  'Additional pods cannot be scheduled due to: ',
  ' is unschedulable with reason "',
];

/** Divides a sentence about a group from the reason it quotes. */
function splitGroup(text: string): GroupSentence {
  for (const words of origins) {
    const at = text.indexOf(words);
    if (at < 0) continue;
    const from = words.endsWith('is') ? text.indexOf(': ', at) + 1 : at + words.length;
    if (from <= at) continue;
    const end = words.endsWith('"') ? text.lastIndexOf('", alreadyWaitForBound') : text.length;
    return { outer: text.slice(0, at), inner: text.slice(from, end < from ? text.length : end).trim() };
  }
  return { outer: text, inner: '' };
}

const wholeSentences: readonly (readonly [words: string, speaker: Speaker])[] = [
  ['Pod * can possibly be assigned to *', 'gang'],
  // As Volcano spells it.
  ['Pod * can possibly be assgined to *', 'gang'],
  ['queue is overused*', 'queue'],
  ['queue * is overused*', 'queue'],
  ['resource in cluster is overused*', 'queue'],
  ['Pod belongs to the taskGroup *, it will be scheduled as a gang member', 'gang'],
  ['Application * scheduling failed, reason: *', 'gang'],
  ['Application * placeholder has been timed out', 'gang'],
  ['task * on node * fit failed: *', 'fit-failures'],
  ['fit failure on node (*): *', 'fit-failures'],
  ['insufficient quota for * in flavor *', 'queue'],
  ['topology "*" doesn\'t allow to fit*', 'queue'],
  ['no topology domains at level: *', 'queue'],
  ['untolerated taint * in flavor *', 'queue'],
  ['ClusterQueue * is inactive', 'queue'],
  ['ClusterQueue * is stopped', 'queue'],
  ['ClusterQueue * is terminating or missing', 'queue'],
  ["ClusterQueue * doesn't exist", 'queue'],
  ['LocalQueue * is inactive', 'queue'],
  ['LocalQueue * is stopped', 'queue'],
  ['LocalQueue * is terminating or missing', 'queue'],
  ["LocalQueue * doesn't exist", 'queue'],
  ["Can't admit new workloads*", 'queue'],
  ['Workload no longer fits after processing another workload*', 'queue'],
  ['Admission is gated by: *', 'queue'],
  ["Request '*' does not fit in queue '*'*", 'queue'],
  ["Request '*' exceeds the available user quota*", 'queue'],
  ['Task * is skipped from scheduling because the queue quota has been exceed', 'queue'],
  ['Task * is pending for the requested resources become available', 'queue'],
  ['* is queued and waiting for allocation', 'queue'],
  ['* quota has reached the allowable limit of *', 'queue'],
];

const patterns = wholeSentences.map(([words, speaker]) => ({ form: pattern(words), speaker }));

/**
 * Whose a sentence is that no heading tells: Kueue, YuniKorn, KAI-Scheduler or Volcano. Linear in the text's
 * length.
 */
function speakerOf(text: string): Speaker {
  return patterns.find(({ form }) => match(form, text) !== undefined)?.speaker ?? 'nobody';
}

/** `predicates:: Insufficient cpu (9), MatchNodeSelector (18).` of schedulers before 1.8. */
function parsePredicates(body: string): readonly MessageReason[] {
  return parseCountedAfter(afterColons(body), ', ', /^\d{1,15}$/);
}

/** Schedulers before 1.8 wrote two colons. */
function afterColons(body: string): string {
  const list = body.slice(body.indexOf(':') + 1);
  return list.startsWith(':') ? list.slice(1) : list;
}

/** `Insufficient cpu (12x); node(s) were unschedulable (2x); ` of YuniKorn, after the request's name. */
function parseYunikorn(body: string): readonly MessageReason[] {
  const start = body.indexOf("': ");
  return parseCountedAfter(start < 0 ? body : body.slice(start + 2), '; ', /^\d{1,15}x$/);
}

function parseCountedAfter(list: string, between: string, count: RegExp): readonly MessageReason[] {
  return list
    .split(between)
    .map((part) => trimmed(part.endsWith(';') ? part.slice(0, -1) : part))
    .filter((part) => part !== '')
    .map((part) => {
      const open = part.lastIndexOf(' (');
      const written = open > 0 && part.endsWith(')') ? part.slice(open + 2, -1) : '';
      return reasonOf(count.test(written) ? `${Number.parseInt(written, 10)} ${part.slice(0, open)}` : part);
    });
}

const FIT_FAILURE = 'fit failure on node (';
const TASK = 'task ';
const OLDEST_NODE = 'Node ';
const SUMMARY = 'fit failure summary on nodes : ';

/**
 * `failed to find fit for pod: web-1Node n1: PodExceedsFreeCPU,MatchNodeSelectorNode n2: …` of 1.0, without a
 * space or a line break between the nodes; names of predicates have neither.
 */
function parseOldestFitFailures(body: string): readonly MessageReason[] {
  const nodes = reasonLists(body, OLDEST_NODE, ': ').map((list) => list.replaceAll(',', ', '));
  return countedByNode(nodes);
}

/**
 * `pod (web-1) failed to fit in any node`, then in 1.5
 * `fit failure summary on nodes : Insufficient pods (2)`, and before
 * `fit failure on node (n1): Insufficient cpu` for every node; in Volcano's log
 * `task shop/web-1 on node n1 fit failed: Insufficient cpu`. Each reason is counted once for a node.
 */
function parseFitFailures(body: string): readonly MessageReason[] {
  const summary = body.indexOf(SUMMARY);
  if (summary >= 0) return parsePredicates(`:${body.slice(summary + SUMMARY.length)}`);
  return countedByNode([
    ...reasonLists(body, FIT_FAILURE, '): '),
    ...reasonLists(body, TASK, ' fit failed: '),
  ]);
}

/** Each reason once for a node. */
function countedByNode(nodes: readonly string[]): readonly MessageReason[] {
  const counts = new Map<string, number>();
  for (const node of nodes) {
    for (const words of new Set(reasonsOfNode(trimmed(node))))
      counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts].map(([words, count]) => ({ ...reasonOf(words), count }));
}

/** What follows `end` in every stretch that starts with `start`. */
function reasonLists(text: string, start: string, end: string): readonly string[] {
  return text
    .split(start)
    .slice(1)
    .flatMap((stretch) => {
      const at = stretch.indexOf(end);
      return at < 0 ? [] : [stretch.slice(at + end.length)];
    });
}

/** Only what is known is split at its commas: errors have commas within. */
function reasonsOfNode(text: string): readonly string[] {
  const parts = text.split(', ').map(trimmed);
  const known = parts.every((part) => recognise(part).says !== 'unknown');
  return known ? parts.filter((part) => part !== '') : [text];
}

const ERROR = 'SchedulerPredicates failed due to ';
const ERROR_END = ', which is unexpected.';

/**
 * `[SchedulerPredicates failed due to …, which is unexpected., SchedulerPredicates failed due to …]`, each
 * once.
 */
function parsePredicateErrors(text: string): readonly MessageReason[] {
  const errors = text
    .split(ERROR)
    .slice(1)
    .map((error) => {
      const end = error.indexOf(ERROR_END);
      return trimmed(end < 0 ? error : error.slice(0, end));
    });
  return [...new Set(errors)].filter((error) => error !== '').map((error) => reasonOf(error));
}

/** `: 1 node(s) didn't have enough resources: GPUs. \n2 node(s) were unschedulable.` of KAI-Scheduler. */
function parseKai(body: string): readonly MessageReason[] {
  return body
    .slice(body.indexOf(':') + 1)
    .split(/\.[ \n]{1,3}(?=\d)/)
    .map((piece) => reasonOf(piece))
    .filter(({ text }) => text !== '');
}

/** Sentences of one text that are read; further ones stay in the text. */
const MOST_SENTENCES = 5;

/** Columns before the type of an event: two ages, a count, the source, the object. */
const MOST_COLUMNS = 8;

const COMBINED = '(combined from similar events):';

/**
 * The sentences in a text, each without what kubectl and the event recorder put around it: the columns of
 * `kubectl describe` and `kubectl get events`, `(combined from similar events):` and `(x12 over 5m)`.
 *
 * A further sentence starts at a line that has the columns of an event, and at a further
 * `0/3 nodes are available` or an autoscaler's sentence behind a full stop, a semicolon or a line break.
 * Linear in the text's length.
 */
function sentencesIn(text: string): readonly Piece[] {
  const starts = [0, ...eventLines(text), ...furtherHeadings(text)]
    .sort((one, other) => one - other)
    .slice(0, MOST_SENTENCES);
  if (starts.length > 1 && isTableHead(text.slice(0, starts[1]))) starts.shift();
  return starts
    .map((start, position) => unwrapped(text, start, starts[position + 1] ?? text.length))
    .filter(({ text: said }, position) => said !== '' || position === 0);
}

function eventLines(text: string): readonly number[] {
  const starts: number[] = [];
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', end + 1)) {
    if (starts.length === MOST_SENTENCES) break;
    if (messageAfterColumns(text, end + 1) !== undefined) starts.push(end + 1);
  }
  return starts;
}

const HEADING = / nodes are (?:un)?available/y;

/** What may stand between two sentences of one text. */
const BETWEEN = /(?:[.;|] |;?\r?\n)\s{0,9}/g;

/** First words of autoscalers' events, which people and tools write behind the scheduler's. */
const OF_AUTOSCALERS = [
  "pod didn't trigger scale-up",
  "Pod didn't trigger scale-up",
  'pod triggered scale-up: [',
  'Pod triggered scale-up: [',
  'Failed to schedule pod, ',
  'Pod should schedule on: ',
];

/** Where `0/3 nodes are available`, or what an autoscaler says, stands right behind another sentence. */
function furtherHeadings(text: string): readonly number[] {
  const starts: number[] = [];
  for (const found of text.matchAll(BETWEEN)) {
    if (starts.length === MOST_SENTENCES) break;
    const start = found.index + found[0].length;
    const ratio = wordAt(text, start);
    HEADING.lastIndex = start + ratio.length;
    const isHeading = /^\d{1,15}\/\d{1,15}$/.test(ratio) && HEADING.test(text);
    if (isHeading || OF_AUTOSCALERS.some((words) => text.startsWith(words, start))) starts.push(start);
  }
  return starts;
}

const headWords = new Set(
  'events: namespace first last seen firstseen lastseen count name kind subobject subobjectpath source type reason age from object message'.split(
    ' ',
  ),
);

/** Whether a text is the head of a table that kubectl prints, and of such a length. */
function isTableHead(text: string): boolean {
  if (text.length > 1000) return false;
  return text.split(/\s/).every((word) => /^-*$/.test(word) || headWords.has(word.toLowerCase()));
}

function unwrapped(text: string, start: number, end: number): Piece {
  let from = afterSpace(text, messageAfterColumns(text, start) ?? start);
  if (text.startsWith(COMBINED, from)) from = afterSpace(text, from + COMBINED.length);
  const said = withoutMark(text.slice(from, Math.max(from, end)).trimEnd());
  return { text: said.slice(0, beforeRepetition(said)).trimEnd(), at: from };
}

/** Without the mark between this sentence and a further one. */
function withoutMark(text: string): string {
  return text.endsWith(';') || text.endsWith('|') ? text.slice(0, -1).trimEnd() : text;
}

/** Where ` (x12 over 5m)` at the end starts. */
function beforeRepetition(text: string): number {
  const open = text.lastIndexOf(' (x');
  if (open < 0 || !text.endsWith(')') || !isDigit(text[open + 3])) return text.length;
  return text.slice(open, open + 40).includes(' over ') && text.indexOf(')', open) === text.length - 1
    ? open
    : text.length;
}

/** Where the message starts in a line that has the columns of an event, or undefined. */
function messageAfterColumns(text: string, start: number): number | undefined {
  let position = afterBlanks(text, start);
  for (let column = 0; column < MOST_COLUMNS; column += 1) {
    const word = wordAt(text, position);
    if (word === 'Warning' || word === 'Normal') return afterType(text, position + word.length);
    // `{scheduler }` of kubectl before 1.4, which printed no type before the reason.
    if (/^[Ff]ailedScheduling$/.test(word) && column > 0) return afterBlanks(text, position + word.length);
    const length = word.startsWith('{') && !word.endsWith('}') ? sourceLength(text, position) : word.length;
    if (word === '' || length === undefined || !(length > word.length || isColumn(word))) return undefined;
    position = afterBlanks(text, position + length);
  }
  return undefined;
}

/** `FailedScheduling  36s (x3 over 22m)  default-scheduler  …` or `FailedScheduling  pod/web-0  …` */
function afterType(text: string, from: number): number | undefined {
  let position = afterBlanks(text, from);
  const reason = wordAt(text, position);
  if (!/^[A-Z][A-Za-z]{2,60}$/.test(reason)) return undefined;
  position = afterBlanks(text, position + reason.length);
  const next = wordAt(text, position);
  if (isAge(next)) {
    position = afterBlanks(text, position + next.length);
    if (text.startsWith('(x', position)) {
      const close = text.indexOf(')', position);
      if (close > 0 && close - position < 40) position = afterBlanks(text, close + 1);
    }
    return afterBlanks(text, position + wordAt(text, position).length);
  }
  return /^(?:pod|pods|Pod|workload|podgroup|job)\/[^/]+$/.test(next)
    ? afterBlanks(text, position + next.length)
    : position;
}

/** Characters of `{scheduler }` or `{default-scheduler n1}`, a source with the host that reports. */
function sourceLength(text: string, from: number): number | undefined {
  const close = text.slice(from, from + 300).indexOf('}');
  return close < 0 || text.slice(from, from + close).includes('\n') ? undefined : close + 1;
}

function isColumn(word: string): boolean {
  return isAge(word) || /^(?:\d{1,9}|\{?[a-z][a-z0-9.-]{0,60}\}?|(?:pod|Pod)\/[^/]{1,253})$/.test(word);
}

function isAge(word: string): boolean {
  return word === '<unknown>' || word === '<invalid>' || /^\d[\ddhmsy]{0,12}[dhmsy]$/.test(word);
}

/** The word at a position, as far as a column may be long. */
function wordAt(text: string, from: number): string {
  let end = from;
  while (end < text.length && end - from < 300 && !isSpace(text[end])) end += 1;
  return text.slice(from, end);
}

/** The first position from `from` that holds no blank; a line break ends the columns. */
function afterBlanks(text: string, from: number): number {
  let position = from;
  while (text[position] === ' ' || text[position] === '\t') position += 1;
  return position;
}
