import { knownBatchReasons, knownKubeletReasons, knownOtherReasons } from './known-other-reasons.js';
import type { Helpfulness, KnownReason, Recognised } from './known-reason.js';
import {
  knownDeviceReasons,
  knownNodeReasons,
  knownPredicateReasons,
  knownVolumeReasons,
} from './known-scheduler-reasons.js';
import type { ReasonKey } from './reason-clauses-en.js';
import { couldMatch, isDigit, match, type Pattern, pattern, trimmed } from './scanning.js';
import type { MessageReason, MessageReasonId } from './scheduler-message.js';

/** What a longer form of words says around one reason. The last hole is the reason. */
const wrappings = [
  'running "*" filter plugin for pod "*": *',
  'running "*" filter plugin: *',
  'running PreFilter plugin "*": *',
  'error while running "*" filter plugin for pod "*": *',
  'error while running "*" prefilter plugin for pod "*": *',
  'pod "*" rejected while waiting on permit: *',
  'waiting on permit for pod: *',
  'Resources were not found for pod * due to: *',
  'PodSchedulingErrors: *',
  'Error scheduling *: *; retrying',
  'error selecting node for pod: *',
  'plugin * predicates failed *',
  'plugin * pre-predicates failed *',
  'SchedulerPredicates failed due to *, which is unexpected',
  'Pod was rejected: *',
  'Cannot schedule pods: *',
  'Pod Cannot be scheduled: *',
  // FitError, until 1.1.
  'Failed for reason * and possibly others',
].map(pattern);

/**
 * What other schedulers and the kubelet say around the name of a resource that is short. The first hole is
 * the name.
 */
const shortages = [
  'Insufficient * by node',
  'Insufficient * by reservation',
  'Insufficient * devices',
  'Insufficient * VirtualFunctions',
  "node(s) didn't have enough resources: *",
  "Node didn't have enough resources: *, requested: *",
  "Node didn't have enough resources: *, taking all considerations into account",
  "Node didn't have enough resource: *, requested: *",
  "node(s) didn't have enough of mig profile: *",
  "node-group(s) didn't have enough resources: *",
  'Allocate failed due to requested number of devices unavailable for *. Requested: *',
].map(pattern);

/** Names that KAI-Scheduler and schedulers before 1.5 give to resources. */
const otherNames: Readonly<Record<string, string>> = {
  'CPU cores': 'cpu',
  CPU: 'cpu',
  Memory: 'memory',
  PodCount: 'pods',
};

/** Reasons made of a known form and a name or another reason. */
function composedReason(text: string, recogniseInner: (text: string) => Recognised): Recognised | undefined {
  const device = hamiWords(text);
  if (device !== undefined) return { reason: 'plugin', detail: 'HAMi', ...device };
  return shortage(text) ?? wrapped(text, recogniseInner);
}

function shortage(text: string): Recognised | undefined {
  const other = text.startsWith(insufficient) ? text.slice(insufficient.length) : '';
  if (Object.hasOwn(otherNames, other)) return namedShortage(otherNames[other] ?? other);
  for (const form of shortages) {
    const name = match(form, text)?.[0]?.trim();
    if (name === undefined || name === '' || name.length > 300) continue;
    const ours = Object.hasOwn(otherNames, name) ? (otherNames[name] ?? name) : name;
    const isName =
      resourceReason(ours, false) ?? (/^(?:GPUs|GPU memory)$/.test(name) ? 'extended-resource' : undefined);
    if (isName !== undefined) return namedShortage(ours, isName);
  }
  return undefined;
}

function namedShortage(
  name: string,
  reason = resourceReason(name, false) ?? 'extended-resource',
): Recognised {
  return { reason, detail: name, says: reason === 'pods' ? 'pod-slots' : 'resource', help: 'could-free' };
}

function wrapped(text: string, recogniseInner: (text: string) => Recognised): Recognised | undefined {
  if (text.startsWith(insufficient)) return undefined;
  for (const form of wrappings) {
    const inner = match(form, text)?.at(-1);
    if (inner === undefined) continue;
    const found = recogniseInner(trimmed(inner));
    if (found.says !== 'unknown') return found;
  }
  return undefined;
}

type DeviceWords = { readonly says: ReasonKey; readonly help: Helpfulness };

const full: DeviceWords = { says: 'device-full', help: 'could-free' };
const mismatch: DeviceWords = { says: 'device-mismatch', help: 'never' };
const unhealthy: DeviceWords = { says: 'device-unhealthy', help: 'never' };
const unfit: DeviceWords = { says: 'device-unfit', help: 'unknown' };
const unregistered: DeviceWords = { says: 'device-unregistered', help: 'never' };

/**
 * HAMi's words for a node or a card that it refuses (`pkg/device/common/common.go`,
 * `pkg/scheduler/scheduler.go`).
 */
const wordsOfHami: ReadonlyMap<string, DeviceWords> = new Map([
  ['CardTypeMismatch', mismatch],
  ['CardUuidMismatch', mismatch],
  ['CardTimeSlicingExhausted', full],
  ['CardComputeUnitsExhausted', full],
  ['CardInsufficientMemory', full],
  ['CardInsufficientCore', full],
  ['CardNotHealth', unhealthy],
  ['CardCordoned', unhealthy],
  ['NumaNotFit', mismatch],
  ['ExclusiveDeviceAllocateConflict', full],
  ['CardNotFoundCustomFilterRule', mismatch],
  ['CardMigTopologyInfeasible', mismatch],
  ['NodeInsufficientDevice', { says: 'device-full', help: 'never' }],
  ['AllocatedCardsInsufficientRequest', { says: 'device-full', help: 'unknown' }],
  ['NodeUnfitPod', unfit],
  ['ModeNotFit', mismatch],
  ['ResourceQuotaNotFit', { says: 'queue-closed', help: 'pod-level' }],
  ['calcScore:node not fit pod', unfit],
  ['node unregistered', unregistered],
  ['node unregisterd', unregistered],
  ['node usage unavailable', unregistered],
  ['no available node, all node scores do not meet', unfit],
]);

const REASON = ' reason="';

/** Cards' reasons in one node's list; more is no list of HAMi's. */
const MOST_WORDS = 30;

/**
 * `CardTypeMismatch`, `2/8 CardInsufficientMemory, 6/8 CardTypeMismatch`,
 * `nodes CardInsufficientMemory(gpu-a,gpu-b)`, `nodes failed: CardTypeMismatch (gpu-a)`.
 *
 * @returns undefined for what HAMi does not say; of several reasons, the first
 */
function hamiWords(text: string): DeviceWords | undefined {
  const whole = wordsOfHami.get(text) ?? logged(text);
  if (whole !== undefined) return whole;
  if (text.startsWith('no available node, ') && text.endsWith(' nodes do not meet')) return unfit;
  if (text.startsWith('nodes ') && text.endsWith(')'))
    return wordsOfHami.get(
      text
        .slice(6, text.indexOf('('))
        .replace(/^failed: /, '')
        .trimEnd(),
    );
  if (!isDigit(text[0]) || !text.includes('/')) return undefined;
  const parts = text.split(', ', MOST_WORDS).map((part) => wordsOfHami.get(withoutRatio(part)));
  return parts.every((part) => part !== undefined) ? parts[0] : undefined;
}

/**
 * A line of HAMi's log: `"calcScore:node not fit pod" pod="shop/web-1" node="gpu-a"`, whose
 * `reason="3/8 CardNotHealth"` decides where it has one.
 */
function logged(text: string): DeviceWords | undefined {
  const at = text.indexOf(' pod="');
  if (at < 0) return undefined;
  const message = text.slice(text.lastIndexOf('] ', at) < 0 ? 0 : text.lastIndexOf('] ', at) + 2, at);
  const words = wordsOfHami.get(message.startsWith('"') ? message.slice(1, -1) : message);
  if (words === undefined) return undefined;
  const from = text.indexOf(REASON, at);
  if (from < 0) return words;
  const reason = text.slice(from + REASON.length, text.indexOf('"', from + REASON.length));
  return hamiWords(reason) ?? words;
}

/** `2/8 CardTypeMismatch` without its share of the node's cards. */
function withoutRatio(text: string): string {
  const space = text.indexOf(' ');
  return /^\d{1,4}\/\d{1,4}$/.test(text.slice(0, Math.max(0, space))) ? text.slice(space + 1) : '';
}

/** What NodeResourcesFit says before a resource's name (`fit.go: fitsRequest`). */
const insufficient = 'Insufficient ';

const own: Readonly<Record<string, MessageReasonId>> = {
  cpu: 'cpu',
  memory: 'memory',
  'ephemeral-storage': 'ephemeral-storage',
  pods: 'pods',
};

/** Letters that tell the beginning of a name of the scheduler's own from another name. */
const FEWEST_OF_NAME = 2;

/** Devices' resources whose beginning cannot be a name of its own. */
const devices = ['nvidia.com/gpu', 'amd.com/gpu', 'hugepages-2Mi', 'hugepages-1Gi'];

/**
 * @param name what follows `Insufficient`; `cut` when the sentence may end within it
 * @returns undefined for what is no resource name (other schedulers say `Insufficient reservations left`)
 */
function resourceReason(name: string, cut: boolean): MessageReasonId | undefined {
  if (Object.hasOwn(own, name)) return own[name];
  if (name.length > 400 || !/^[a-z0-9][A-Za-z0-9._/-]*$/.test(name)) return undefined;
  if (name.startsWith('attachable-volumes-')) return 'max-volumes';
  if (!cut) return 'extended-resource';
  const begun = ownBegunBy(name);
  if (begun !== undefined) return begun;
  return /[/.]/.test(name) || name.startsWith('hugepages-') ? 'extended-resource' : undefined;
}

/** Whether what follows `Insufficient` can only be the beginning of a name. */
function beginsResource(name: string): boolean {
  if (name === '' || Object.hasOwn(own, name)) return name === '';
  if (ownBegunBy(name) !== undefined || /^[a-z0-9-]{1,63}\.[a-z0-9.-]{0,253}$/.test(name)) return true;
  return /^[a-z0-9.-]{1,253}\/$/.test(name) || devices.some((each) => each !== name && begins(each, name));
}

function ownBegunBy(name: string): MessageReasonId | undefined {
  if (name.length < FEWEST_OF_NAME) return undefined;
  const found = Object.keys(own).find((each) => each.startsWith(name));
  return found === undefined ? undefined : own[found];
}

function begins(whole: string, name: string): boolean {
  return name.length > FEWEST_OF_NAME && whole.startsWith(name);
}

type Entry = { readonly known: KnownReason; readonly pattern: Pattern };

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
