import { nearestName } from '../../../engine/language/nearest-name.js';
import type { Statement } from '../../../engine/language/statement.js';
import { statementsOf } from '../../../engine/language/statement.js';
import {
  explainSchedulerText,
  schedulerMessageCatalogueId,
} from '../../../engine/messages/explain-scheduler-message.js';
import { parseSchedulerMessage } from '../../../engine/messages/parse-scheduler-message.js';
import { text as schedulerMessageText } from '../../../engine/messages/text.js';
import { type KnownMessage, type KnownMessageId, knownMessages } from './known-messages.js';
import { text } from './text.js';

export const knownMessageCatalogueId = 'known-message';

/** The catalogues that tell these statements. */
export const explanationCatalogues = {
  [schedulerMessageCatalogueId]: schedulerMessageText,
  [knownMessageCatalogueId]: text,
} as const;

const state = statementsOf<typeof text.en>(knownMessageCatalogueId);

/** Lines of one text that are looked at, and statements that are made of it. */
const maxLines = 20_000;
const maxStatements = 90;

/** What a line states; `undefined` where it is none of the sentences that are known. */
export function explainLine(line: string): LineExplanation | undefined {
  const known = knownMessageIn(line);
  if (known?.isOfKubelet !== true && isOfScheduler(line)) {
    return { id: line.trim(), statements: explainSchedulerText(line).statements };
  }
  return known === undefined ? undefined : { id: known.id, statements: [statementOf(known)] };
}

export interface LineExplanation {
  /** Lines that come to the same have the same. */
  readonly id: string;
  readonly statements: readonly Statement[];
}

function statementOf({ id, cause }: { id: KnownMessageId; cause: string }): Statement {
  return state(id, { cause });
}

/** The scheduler or an autoscaler gives reasons, or counts nodes. */
function isOfScheduler(line: string): boolean {
  const { nodes, reasons } = parseSchedulerMessage(line);
  return nodes !== undefined || reasons.some(({ reason }) => reason !== 'unknown');
}

/**
 * Explains what people paste: a sentence, a reason, or the whole description of an object. Of several lines,
 * those that are not known are left out; a single sentence that is not known is said to be so. One misspelt
 * reason is explained as the one that it resembles. Never throws.
 */
export function explainPasted(pasted: string): readonly Statement[] {
  const lines = pasted.split('\n', maxLines).filter((line) => line.trim() !== '');
  const told = new Map<string, LineExplanation>();
  for (const line of lines) {
    const explained = explainLine(line);
    if (explained !== undefined && !told.has(explained.id)) told.set(explained.id, explained);
  }
  if (told.size === 0) {
    const reason = reasonNear(pasted.trim());
    const meant = reason === undefined ? undefined : explainLine(reason);
    if (reason === undefined || meant === undefined) return explainSchedulerText(pasted).statements;
    return [state('read-as', { reason }), ...meant.statements];
  }
  return [...told.values()].flatMap(({ statements }) => statements).slice(0, maxStatements);
}

/** Characters of a line in which anything is looked for. */
const maxLine = 4_096;

/** What a line states, if it is one of these sentences. */
export function knownMessageIn(line: string): (KnownMessage & { readonly id: KnownMessageId }) | undefined {
  const text = line.slice(0, maxLine);
  const tokens = new Set(text.split(/[^A-Za-z0-9-]+/u));
  const columns = text.trim().split(/\s+/u);
  const shown = statusIn(columns);
  const lower = sentenceIn(text).toLowerCase();
  return knownMessages.find(
    ({ reasons = [], words = [], column, status }: KnownMessage) =>
      reasons.some((reason) => tokens.has(reason)) ||
      (column !== undefined && columns.some((each) => column.test(each))) ||
      (shown !== undefined && status?.test(shown) === true) ||
      (words.length > 0 &&
        words.every((spellings) => spellings.some((spelling) => lower.includes(spelling)))),
  );
}

/** The STATUS of a pod: alone, or in the row of a pod of which fewer containers are ready than it has. */
function statusIn(columns: readonly string[]): string | undefined {
  if (columns.length === 1) return columns[0];
  const at = columns.findIndex((each) => /^\d{1,4}\/\d{1,4}$/u.test(each));
  const [ready = 0, wanted = 0] = (columns[at] ?? '').split('/').map(Number);
  return at > 0 && ready < wanted ? columns[at + 1] : undefined;
}

/** The reason that one misspelt word most likely means, as Kubernetes writes it. */
function reasonNear(word: string): string | undefined {
  return /^[A-Za-z]{4,64}$/u.test(word)
    ? nearestName(
        word,
        knownMessages.flatMap(({ reasons = [] }: KnownMessage) => reasons),
      )
    : undefined;
}

/** An image, a digest, a URL, an object (`pod/web-1`), or a name in quotation marks. */
const name = /"[^"\s]{1,300}"|[\w.-]{2,300}[/@:][/\w.:@-]{1,300}\w/gu;
/**
 * A field of a description whose value is one word, and such a word alone: a name, whatever words are in it.
 */
const lone = /^\s*(?:[A-Z][A-Za-z()-]{0,40}(?: [A-Za-z()-]{1,40}){0,3}:\s+)?[\w./:@=,-]+\s*$/u;

/** What a line states, without the names that stand in it. */
function sentenceIn(line: string): string {
  return lone.test(line) ? '' : line.replaceAll(name, ' ');
}
