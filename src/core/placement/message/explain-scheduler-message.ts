import { type Statement, statementsOf } from '../../language/statement.js';
import type { Speaker } from './heading.js';
import { type Help, helpfulnessOf, helpOf, shortageOf } from './help.js';
import { karpenterSays, nodePoolOf } from './karpenter.js';
import { boundSentence, parseSchedulerSentences, type SchedulerSentence } from './parse-scheduler-message.js';
import type { Unit } from './reason-clauses-en.js';
import { meaningOf } from './recognise.js';
import type { MessageReason, PreemptionReason, SchedulerMessage } from './scheduler-message.js';
import type { text } from './text.js';

/** The catalogue that tells these statements. */
export const schedulerMessageCatalogueId = 'scheduler-message';

const state = statementsOf<typeof text.en>(schedulerMessageCatalogueId);

/** Reasons told one by one; the rest stays in the sentence itself. */
const MOST_REASONS = 40;

/** What a sentence says, in plain words, and who could help. */
export interface Explanation {
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
