import { beginsResource, composedReason, insufficient, resourceReason } from './composed-reason.js';
import { knownBatchReasons } from './known-batch-reasons.js';
import { knownDeviceReasons } from './known-device-reasons.js';
import { knownKubeletReasons } from './known-kubelet-reasons.js';
import { knownNodeReasons } from './known-node-reasons.js';
import { knownOtherReasons } from './known-other-reasons.js';
import { knownPredicateReasons } from './known-predicate-reasons.js';
import type { KnownReason, Recognised } from './known-reason.js';
import { knownVolumeReasons } from './known-volume-reasons.js';
import { couldMatch, match, type Pattern, pattern } from './scanning.js';
import type { MessageReason, MessageReasonId } from './scheduler-message.js';

interface Entry {
  readonly known: KnownReason;
  readonly pattern: Pattern;
}

const entries: readonly Entry[] = [
  ...knownNodeReasons,
  ...knownVolumeReasons,
  ...knownDeviceReasons,
  ...knownOtherReasons,
  ...knownPredicateReasons,
  ...knownBatchReasons,
  ...knownKubeletReasons,
].map((known) => ({ known, pattern: pattern(known.words) }));

const plainEntries = new Map(
  entries
    .filter((entry) => entry.pattern.literals.length === 1)
    .map((entry) => [entry.known.words, entry.known] as const),
);
/** Letters by which words with holes are found; no first literal is shorter. */
const KEY_LENGTH = 3;
const holedEntries = new Map<string, Entry[]>();
for (const entry of entries.filter(({ pattern }) => pattern.literals.length > 1)) {
  const key = entry.known.words.startsWith('*') ? '' : entry.known.words.slice(0, KEY_LENGTH);
  const bucket = holedEntries.get(key);
  if (bucket === undefined) holedEntries.set(key, [entry]);
  else bucket.push(entry);
}

const unknown: Recognised = { reason: 'unknown', detail: undefined, says: 'unknown', help: 'unknown' };

/** Forms within forms that are read: a plugin's error around a reason, in an event about an error. */
const MOST_WRAPPINGS = 2;

/** Fewer letters than this do not show that a reason starts. */
const FEWEST_BEGINNING = 4;

/** Fewer letters than this say too little to complete a sentence that was cut off. */
const FEWEST_LETTERS = 8;

/**
 * @param text a reason without count and full stop; runs of white space count as one space
 * @param cut true when the sentence was cut off within or after these words: they are then completed where
 *   all known words that start so mean the same, and nothing is named from a name that may be incomplete
 */
export function recognise(text: string, cut = false): Recognised {
  return recogniseWords(oneLine(text), cut, MOST_WRAPPINGS);
}

function recogniseWords(words: string, cut: boolean, wrappings: number): Recognised {
  const plain = plainEntries.get(words);
  if (plain !== undefined) return of(plain, []);
  const resource = words.startsWith(insufficient)
    ? shortOf(words.slice(insufficient.length), cut)
    : undefined;
  if (resource !== undefined) return resource;
  const composed =
    wrappings === 0
      ? undefined
      : composedReason(words, (inner) => recogniseWords(inner, false, wrappings - 1));
  if (composed !== undefined) return composed;
  for (const key of [words.slice(0, KEY_LENGTH), '']) {
    for (const entry of holedEntries.get(key) ?? []) {
      const holes = match(entry.pattern, words);
      if (holes !== undefined) return of(entry.known, cut ? undefined : holes);
    }
  }
  return cut ? completed(words) : unknown;
}

function shortOf(name: string, cut: boolean): Recognised | undefined {
  const found = resourceReason(name, cut);
  if (found === undefined) return undefined;
  const detail = cut ? resourceDetail(found, name) : name;
  return { reason: found, detail, says: found === 'pods' ? 'pod-slots' : 'resource', help: 'could-free' };
}

/**
 * Nothing is named from a name that may be incomplete; the scheduler's own resources are known by their
 * beginning.
 */
function resourceDetail(reason: MessageReasonId, name: string): string | undefined {
  if (reason === 'extended-resource') return undefined;
  return reason === 'max-volumes' ? name : reason;
}

/**
 * Whether words that are not marked as cut off end within a known form all the same: `Insufficient cp`,
 * `node(s) didn't match Pod's node aff`, `node(s) had untolerated taint {dedi`.
 */
export function isBeginning(text: string): boolean {
  const words = oneLine(text);
  if (words.startsWith(insufficient)) return beginsResource(words.slice(insufficient.length));
  if (words.length < FEWEST_BEGINNING || recognise(words).says !== 'unknown') return false;
  return insufficient.startsWith(words) || entries.some(({ pattern }) => endsWithin(pattern, words));
}

/**
 * Whether the words stop before the first hole, in a bracket or quotation that the form opens, or in later
 * words.
 */
function endsWithin({ literals }: Pattern, words: string): boolean {
  const [first = '', ...others] = literals;
  if (first.startsWith(words)) return true;
  if (first.length < FEWEST_LETTERS || !words.startsWith(first)) return false;
  const close = closing[first.at(-1) ?? ''];
  if (close !== undefined && !words.includes(close, first.length)) return true;
  let position = first.length;
  for (const literal of others) {
    const found = words.indexOf(literal, position);
    if (found < 0) return endsWithBeginning(words.slice(position), literal);
    position = found + literal.length;
  }
  return false;
}

/** Whether a text ends with at least the first letters of known words, and not with all of them. */
function endsWithBeginning(text: string, literal: string): boolean {
  for (let length = FEWEST_BEGINNING; length < literal.length; length += 1) {
    if (text.endsWith(literal.slice(0, length))) return true;
  }
  return false;
}

/** Fewer letters than this at the end of known words may be the end of others. */
const FEWEST_AT_END = 8;

/** Of `Insufficient` before a resource's name. */
const FEWEST_OF_INSUFFICIENT = 4;

/** Characters of words that have lost their start; a longer text has not. */
const MOST_AT_END = 400;

/**
 * What words mean that have lost their start: `ufficient cpu`, `match Pod's node affinity/selector`.
 * `undefined` where forms of different reasons end so. The start of a form is never more than its words
 * before the first hole.
 */
export function recogniseEnd(text: string): Recognised | undefined {
  const words = oneLine(text);
  const space = words.indexOf(' ');
  if (space >= FEWEST_OF_INSUFFICIENT && insufficient.endsWith(words.slice(0, space + 1)))
    return shortOf(words.slice(space + 1), false);
  if (words.length < FEWEST_AT_END || words.length > MOST_AT_END) return undefined;
  const found = entries.flatMap(({ known, pattern }) => {
    const holes = matchEnd(pattern, words);
    return holes === undefined ? [] : [of(known, holes)];
  });
  const [first] = found;
  return found.every(({ reason, says }) => reason === first?.reason && says === first.says)
    ? first
    : undefined;
}

function matchEnd(
  { literals: [first = '', ...others] }: Pattern,
  words: string,
): readonly string[] | undefined {
  for (let start = 1; start <= first.length - FEWEST_AT_END; start += 1) {
    const rest = first.slice(start);
    if (!words.startsWith(rest)) continue;
    const holes = match({ literals: [rest, ...others] }, words);
    if (holes !== undefined) return holes;
  }
  return undefined;
}

const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']', '"': '"' };

/**
 * What a parsed reason means; words that were cut at either end are completed as they were when they were
 * parsed.
 */
export function meaningOf({ reason, text }: MessageReason): Recognised {
  const whole = recognise(text);
  if (whole.reason === reason) return whole;
  const completed = recognise(text, true);
  return completed.reason === reason ? completed : (recogniseEnd(text) ?? completed);
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function of(known: KnownReason, holes: readonly string[] | undefined): Recognised {
  return {
    reason: known.reason,
    says: known.says,
    help: known.help,
    detail:
      typeof known.detail === 'string'
        ? known.detail
        : named((known.detail ?? [0]).flatMap((at) => holes?.[at] ?? [])),
  };
}

/** `a b` of a Go list becomes `a, b`; a taint without a value, `key: `, becomes its key. */
function named(holes: readonly string[]): string | undefined {
  const text = holes.join(' ').trim();
  if (text === '') return undefined;
  if (text.endsWith(':')) return text.slice(0, -1);
  return text.includes(': ') || text.includes(',') ? text : text.replaceAll(' ', ', ');
}

function completed(words: string): Recognised {
  if (words.length < FEWEST_LETTERS) return unknown;
  const possible = entries.filter(({ pattern }) => couldMatch(pattern, words) && saysEnough(pattern, words));
  const first = possible[0]?.known;
  if (first === undefined || possible.some(({ known }) => known.reason !== first.reason)) return unknown;
  return of(first, undefined);
}

/** A form whose first words are few, such as `Pod *`, is not known by them. */
function saysEnough({ literals }: Pattern, words: string): boolean {
  const first = literals[0] ?? '';
  return first.startsWith(words) || first.length >= FEWEST_LETTERS;
}
