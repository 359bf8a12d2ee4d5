import { type Statement, statementsOf } from '../language/statement.js';
import { karpenterSays, nodePoolOf } from './karpenter.js';
import type { Helpfulness } from './known-reason.js';
import type { Speaker } from './parse-list.js';
import { boundSentence, parseSchedulerSentences, type SchedulerSentence } from './parse-scheduler-message.js';
import type { ReasonKey, Unit } from './reason-clauses-en.js';
import { meaningOf } from './recognise.js';
import type { MessageReason, PreemptionReason, SchedulerMessage } from './scheduler-message.js';
import type { text } from './text.js';

/** The catalogue that tells these statements. */
export const schedulerMessageCatalogueId = 'scheduler-message';

const state = statementsOf<typeof text.en>(schedulerMessageCatalogueId);

/** Reasons told one by one; the rest stays in the sentence itself. */
const MOST_REASONS = 40;

/** What a sentence says, in plain words, and who could help. */
interface Explanation {
  readonly statements: readonly Statement[];
  /** Which nodes other pods' leaving could open, where the sentence tells. */
  readonly help: Help | undefined;
}

/** Statements of one text. */
const MOST_STATEMENTS = 90;

/** Explains the sentences of a condition or of events. Never throws. */
export function explainSchedulerText(text: string): Explanation {
  const sentences = parseSchedulerSentences(text).map(explainSchedulerSentence);
  const [first = { statements: [], help: undefined }] = sentences;
  const statements = [...first.statements];
  for (const [position, sentence] of sentences.entries()) {
    const further = [state('further-sentence', { position: position + 1 }), ...sentence.statements];
    if (position > 0 && statements.length + further.length <= MOST_STATEMENTS) statements.push(...further);
  }
  if (boundSentence(text).trimEnd().endsWith(' ...')) statements.push(state('cut-off'));
  return { statements, help: sentences.length === 1 ? first.help : undefined };
}

function explainSchedulerSentence({ speaker, message, cutShort, origin }: SchedulerSentence): Explanation {
  if (origin !== undefined) return explainGroup(speaker, message, origin);
  const help = speaker === 'scheduler' ? helpOf(message) : undefined;
  return {
    statements: [
      ...opening(speaker, message),
      ...message.reasons
        .slice(0, MOST_REASONS)
        .flatMap((reason) => reasonStatement(speaker, message, reason)),
      ...message.preemption.reasons.slice(0, MOST_REASONS).map(preemptionStatement),
      ...prospects(message, help),
      ...counting(message, help),
      ...(cutShort ? [state('cut-short')] : []),
    ],
    help,
  };
}

/** What holds for the group of pods, then the reason of the one pod that the sentence quotes. */
function explainGroup(
  speaker: Speaker,
  { reasons }: SchedulerMessage,
  origin: SchedulerSentence,
): Explanation {
  const preemption = { reasons: [], text: '' };
  const group = { speaker, message: { reasons: reasons.slice(0, 1), preemption }, cutShort: false };
  const inner = explainSchedulerSentence(origin);
  return { ...inner, statements: [...explainSchedulerSentence(group).statements, ...inner.statements] };
}

function opening(speaker: Speaker, message: SchedulerMessage): readonly Statement[] {
  const { nodes, feasible, reasons } = message;
  const text = reasons[0]?.text ?? '';
  switch (speaker) {
    case 'scale-up-declined':
    case 'karpenter-declined':
      return [state(speaker)];
    case 'scale-up-triggered':
      return [state(speaker, { groups: between(text, '[', ']') })];
    case 'karpenter-nominated':
      return [state(speaker, { where: between(text, ': ', '') })];
    case 'gang':
    case 'queue':
      return [state(speaker, { text })];
    default:
  }
  if (reasons[0]?.reason === 'no-node') return [];
  if (feasible !== undefined && feasible > 0)
    return [state('nodes-feasible', { nodes: nodes ?? 0, feasible })];
  const alone = reasons.length === 0 && message.preemption.reasons.length > 0;
  const refused = nodes !== undefined && nodes > 0 ? [state('nodes-refused', { nodes })] : [];
  if (alone) return [...refused, state('preemption-alone')];
  if (refused.length > 0) return refused;
  if (reasons.length === 0) return [speaker === 'fit-failures' ? state('refused') : state('empty')];
  if (speaker === 'nobody' && reasons.every(isForeign)) return [state('not-a-sentence', { text })];
  return reasons.every((reason) => helpfulnessOf(reason) === 'pod-level') ? [] : [state('refused')];
}

const namedByOpening: readonly Speaker[] = ['scale-up-triggered', 'karpenter-nominated', 'gang', 'queue'];

function reasonStatement(
  speaker: Speaker,
  { nodes, reasons }: SchedulerMessage,
  reason: MessageReason,
): readonly Statement[] {
  const foreign = speaker === 'nobody' && nodes === undefined && reasons.every(isForeign);
  if (foreign || namedByOpening.includes(speaker)) return [];
  const karpenter = speaker === 'karpenter-declined';
  const unit: Unit = karpenter ? 'node-pool' : speaker === 'scale-up-declined' ? 'node-group' : 'node';
  const pool = karpenter ? nodePoolOf(reason.text) : undefined;
  const says = karpenter ? karpenterSays(reason.text) : meaningOf(reason).says;
  return [
    state(`reason-${says}`, {
      count: reason.count,
      nodes,
      unit,
      pool,
      detail: karpenter && reason.reason !== 'taint' ? undefined : withoutBraces(reason.detail),
      text: reason.text,
    }),
  ];
}

/** No key, value or name contains a brace: one that is left over was typed or cut. */
function withoutBraces(detail: string | undefined): string | undefined {
  return detail?.replace(/[{}]/gu, '');
}

function counting({ nodes, reasons }: SchedulerMessage, help: Help | undefined): readonly Statement[] {
  const sum = reasons.reduce((total, { count }) => total + (count ?? 0), 0);
  if (nodes === undefined || sum === 0) return [];
  const several = sum > nodes ? [state('several-for-one-node', { sum, nodes })] : [];
  return help !== undefined && help.could > 0 ? [...several, state('first-objection-only')] : several;
}

function preemptionStatement({ reason, count, text }: PreemptionReason): Statement {
  switch (reason) {
    case 'no-victims':
      return state('preemption-no-victims', { count, text });
    case 'not-helpful':
      return state('preemption-not-helpful', { count, text });
    case 'not-eligible':
      if (text.includes('preemptionPolicy=Never')) return state('preemption-policy-never');
      return text.includes('terminating pod')
        ? state('preemption-under-way', { text })
        : state('preemption-not-eligible', { text });
    case 'unknown':
      return text.startsWith('found a ')
        ? state('preemption-under-way', { text })
        : state('preemption-unknown', { count, text });
  }
}

function prospects(message: SchedulerMessage, help: Help | undefined): readonly Statement[] {
  if (message.reasons.length > 0 && message.reasons.every((each) => helpfulnessOf(each) === 'pod-level')) {
    return message.nodes === undefined ? [] : [state('pod-level')];
  }
  if (help === undefined) return [];
  const shortage = shortageOf(message);
  const { nodes, could, never, unclear, exact } = help;
  const closed = could === 0 && unclear === 0;
  const told = shortage !== undefined && shortage.count === nodes && !closed;
  return [
    ...(shortage === undefined ? [] : [state('shortage', { ...shortage })]),
    ...(closed ? [state('leaving-cannot-help', { nodes })] : []),
    ...(could === 0 || told ? [] : [state('leaving-could-help', { nodes, could, never, exact })]),
    ...(unclear === 0 ? [] : [state('leaving-unclear', { nodes, unclear })]),
  ];
}

function isForeign(reason: MessageReason): boolean {
  return meaningOf(reason).says === 'unknown';
}

function between(text: string, start: string, end: string): string {
  const from = text.indexOf(start) + start.length;
  const to = end === '' ? text.length : text.lastIndexOf(end);
  return text.slice(from, to > from ? to : text.length).trim();
}

/** Which of the refused nodes other pods' leaving could open. `could` + `never` + `unclear` = `nodes`. */
interface Help {
  readonly nodes: number;
  readonly could: number;
  readonly never: number;
  /**
   * Nodes refused for what the words do not settle: devices, which the scheduler never preempts for, and
   * unknown reasons where there is no preemption part.
   */
  readonly unclear: number;
  /**
   * False when `could` is only an upper bound, because a resource is short and the sentence counts nodes that
   * are too small even when empty like nodes that are full (no preemption part, or a scheduler before 1.34).
   */
  readonly exact: boolean;
}

/** How the nodes short of one resource divide. */
interface Shortage {
  readonly resource: string;
  readonly count: number;
  /** Nodes that have enough of it, in use. */
  readonly inUse: number;
  /** Nodes that have none, or less than the pod requests, even when empty. */
  readonly tooSmall: number;
}

export function helpfulnessOf(reason: MessageReason): Helpfulness {
  return meaningOf(reason).help;
}

/**
 * Derived from the reasons' classes and, where the scheduler tried preemption, from what it found: a node
 * counted as `Preemption is not helpful` is closed whoever leaves, one with `No preemption victims` or
 * another reason is not (`preemption.go: findCandidates` looks only at nodes with status Unschedulable; since
 * 1.34 `fit.go: Unresolvable` marks nodes whose allocatable is below the request).
 *
 * @returns undefined where the sentence counts no nodes, refuses the pod before nodes are looked at, or its
 *   counts do not tell how the nodes divide
 */
export function helpOf(message: SchedulerMessage): Help | undefined {
  const { nodes } = message;
  if (nodes === undefined || nodes === 0) return undefined;
  const sums = sumByHelp(message);
  if (sums === undefined || sums['pod-level'] > 0) return undefined;
  const closed = closedToPreemption(message);
  if (closed !== undefined) {
    const unclear = Math.min(countSaying(message, 'devices'), closed);
    const never = Math.min(nodes, closed - unclear + countSaying(message, 'driver-missing'));
    return {
      nodes,
      could: nodes - never - unclear,
      never,
      unclear,
      exact: isExact(message, never, sums.never),
    };
  }
  const sum = sums['could-free'] + sums.never + sums.unknown;
  const could = nodes - sums.never - sums.unknown;
  if (sum < nodes || could < 0 || (sum > nodes && could < mostCouldFree(message))) return undefined;
  return {
    nodes,
    could,
    never: sums.never,
    unclear: sums.unknown,
    exact: could === 0 || countSaying(message, 'resource') === 0,
  };
}

/**
 * A node without any GPU and a node whose GPUs are taken both count as `Insufficient nvidia.com/gpu`. Where
 * this is the only reason that pods could lift, and every node has one reason, the preemption part tells them
 * apart.
 */
export function shortageOf(message: SchedulerMessage): Shortage | undefined {
  const help = helpOf(message);
  const sums = sumByHelp(message);
  const liftable = message.reasons.filter((reason) => helpfulnessOf(reason) === 'could-free');
  const [only] = liftable;
  if (help === undefined || sums === undefined || only?.count === undefined || liftable.length > 1)
    return undefined;
  const resource = only.detail;
  const divides = sums['could-free'] + sums.never === help.nodes && sums.unknown === 0;
  if (resource === undefined || !divides || !help.exact || closedToPreemption(message) === undefined)
    return undefined;
  return { resource, count: only.count, inUse: help.could, tooSmall: only.count - help.could };
}

type Sums = Record<Helpfulness, number>;

function sumByHelp({ reasons }: SchedulerMessage): Sums | undefined {
  const sums: Sums = { 'could-free': 0, never: 0, 'pod-level': 0, unknown: 0 };
  if (reasons.length === 0) return undefined;
  for (const reason of reasons) {
    const help = helpfulnessOf(reason);
    if (reason.count === undefined && help !== 'pod-level') return undefined;
    sums[help] += reason.count ?? 1;
  }
  return sums;
}

function countSaying({ reasons }: SchedulerMessage, key: ReasonKey): number {
  return reasons.reduce(
    (sum, reason) => (meaningOf(reason).says === key ? sum + (reason.count ?? 0) : sum),
    0,
  );
}

/** Nodes on which preemption does not help, or undefined when its part does not count every node. */
function closedToPreemption({ nodes, preemption }: SchedulerMessage): number | undefined {
  const sum = preemption.reasons.reduce((total, { count }) => total + (count ?? 0), 0);
  if (preemption.reasons.length === 0 || sum !== nodes) return undefined;
  return preemption.reasons.reduce(
    (total, { reason, count }) => total + (reason === 'not-helpful' ? (count ?? 0) : 0),
    0,
  );
}

function isExact(message: SchedulerMessage, never: number, neverByReason: number): boolean {
  const sizeMatters = countSaying(message, 'resource') > 0;
  return !sizeMatters || never > neverByReason || never === message.nodes || tellsSize(message);
}

/** Words that only schedulers have that set nodes apart which are too small (since 1.34). */
function tellsSize({ reasons }: SchedulerMessage): boolean {
  return reasons.some(({ text }) => text === 'node(s) had untolerated taint(s)');
}

function mostCouldFree({ reasons }: SchedulerMessage): number {
  return reasons.reduce(
    (most, reason) => (helpfulnessOf(reason) === 'could-free' ? Math.max(most, reason.count ?? 0) : most),
    0,
  );
}
