import { knownDeviceReasons } from './known-device-reasons.js';
import { knownNodeReasons } from './known-node-reasons.js';
import { knownOtherReasons } from './known-other-reasons.js';
import type { Helpfulness, KnownReason, ReasonKey } from './known-reason.js';
import { knownVolumeReasons } from './known-volume-reasons.js';
import { couldMatch, match, type Pattern, pattern } from './pattern.js';
import { insufficient, resourceReason } from './resource-reason.js';
import type { MessageReason, MessageReasonId } from './scheduler-message.js';

/** What a reason's words mean. */
export interface Recognised {
  readonly reason: MessageReasonId;
  readonly detail: string | undefined;
  readonly says: ReasonKey;
  readonly help: Helpfulness;
}

interface Entry {
  readonly known: KnownReason;
  readonly pattern: Pattern;
}

const entries: readonly Entry[] = [
  ...knownNodeReasons,
  ...knownVolumeReasons,
  ...knownDeviceReasons,
  ...knownOtherReasons,
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

/** Fewer letters than this say too little to complete a sentence that was cut off. */
const FEWEST_LETTERS = 8;

/**
 * @param text a reason without count and full stop; runs of white space count as one space
 * @param cut true when the sentence was cut off within or after these words: they are then completed where all
 *   known words that start so mean the same, and nothing is named from a name that may be incomplete
 */
export function recognise(text: string, cut = false): Recognised {
  const words = oneLine(text);
  const plain = plainEntries.get(words);
  if (plain !== undefined) return of(plain, []);
  if (words.startsWith(insufficient)) {
    const name = words.slice(insufficient.length);
    const reason = resourceReason(name, cut);
    if (reason === undefined) return unknown;
    const detail = cut && reason === 'extended-resource' ? undefined : name;
    return { reason, detail, says: reason === 'pods' ? 'pod-slots' : 'resource', help: 'could-free' };
  }
  for (const key of [words.slice(0, KEY_LENGTH), '']) {
    for (const entry of holedEntries.get(key) ?? []) {
      const holes = match(entry.pattern, words);
      if (holes !== undefined) return of(entry.known, cut ? undefined : holes);
    }
  }
  return cut ? completed(words) : unknown;
}

/** What a parsed reason means; the words of one that was cut off are completed as they were when it was parsed. */
export function meaningOf({ reason, text }: MessageReason): Recognised {
  const whole = recognise(text);
  return whole.reason === reason ? whole : recognise(text, true);
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
  const possible = entries.filter(({ pattern }) => couldMatch(pattern, words));
  const first = possible[0]?.known;
  if (first === undefined || possible.some(({ known }) => known.reason !== first.reason)) return unknown;
  return of(first, undefined);
}
