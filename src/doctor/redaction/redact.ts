import { accountWords } from './account-words.js';
import { assigning, assignments } from './assignments.js';
import { besideWords } from './beside-words.js';
import { commands } from './commands.js';
import { escaped } from './escapes.js';
import { nearNames, readingNear } from './evidence.js';
import { isHarmlessValue } from './harmless-values.js';
import { encoded, headers } from './headers.js';
import { koreanSentences, koreanSteps } from './korean-sentences.js';
import { namedValues } from './named-values.js';
import { namelessShapes } from './nameless-shapes.js';
import { privateKeys } from './private-keys.js';
import { secretManifests } from './secret-manifests.js';
import { secretKindOf } from './secret-names.js';
import { type Detector, finished, marker, replaceSpans, type Span, veilMarkers } from './span.js';
import { tables } from './tables.js';
import { tokenShapes } from './token-shapes.js';
import { urlCredentials } from './url-credentials.js';
import { showing, shownValues } from './values-in-text.js';
import { visibleText } from './visible-text.js';

const withoutEncoding: readonly Detector[] = [
  privateKeys,
  tokenShapes,
  urlCredentials,
  headers,
  assignments,
  namedValues,
  shownValues,
  secretManifests,
  commands,
  accountWords,
  besideWords,
  koreanSentences,
  tables,
  namelessShapes,
];

const detectors: readonly Detector[] = [...withoutEncoding, (text) => encoded(text, withoutEncoding)];

/**
 * The text with its secrets replaced by `[redacted password]`, `[redacted token]` and so on. What people need
 * for a diagnosis stays: names, hosts, users, digests, uids, quantities, and sentences about secrets.
 *
 * Promises: as many lines out as in (line breaks become `\n`), in the same order; applied to its own result
 * it changes nothing; work grows in proportion to the text, whatever the text. Terminal escapes and
 * characters that draw nothing go too, since a secret may hide between them (`visibleText`).
 *
 * It recognises what is documented in the detectors. A password that stands alone, without name, scheme or
 * shape, is a word like any other and stays.
 */
export function redact(text: string): string {
  return finished(redacting(text));
}

/** The same in steps, for a text that is long enough to hold up others. */
export function* redacting(text: string): Generator<void, string> {
  if (harmless.has(text)) return text;
  let result = visibleText(text);
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const before = result;
    result = yield* redactingOnce(before);
    if (result === before) break;
  }
  if (result === text) noteHarmless(text);
  return result;
}

/**
 * Texts in which nothing was found. The same few names and messages are quoted by many findings, and shown in
 * each answer about a rollout. No text that holds a secret is kept.
 */
const harmless = new Set<string>();
const maxHarmless = 4_096;
/** Longer texts are seldom equal to others. */
const longestHarmless = 512;

function noteHarmless(text: string): void {
  if (text.length > longestHarmless) return;
  if (harmless.size >= maxHarmless) harmless.clear();
  harmless.add(text);
}

/**
 * A marker can join what stood apart (the end of a value was an `=` that is gone), so passes follow until one
 * changes nothing. Every pass but the last leaves fewer characters in the open.
 */
const mostPasses = 8;

function* redactingOnce(text: string): Generator<void, string> {
  const veiled = veilMarkers(text);
  const spans: Span[] = [];
  for (const detector of [...detectors, ofEscapes]) {
    const inSteps = long.get(detector);
    spans.push(...(inSteps === undefined ? detector(veiled) : yield* inSteps(veiled)));
    yield;
  }
  // What a format or a sentence tells exactly goes first.
  const result = replaceSpans(text, veiled, spans);
  if (result !== text) return result;
  const near = yield* readingNear(veiled);
  return replaceSpans(text, veiled, [...near, ...escaped(veiled, [nearNames])]);
}

/** Detectors that look at every few characters. */
const long: ReadonlyMap<Detector, (text: string) => Generator<void, readonly Span[]>> = new Map([
  [assignments, assigning],
  [koreanSentences, koreanSteps],
  [shownValues, showing],
]);

const ofEscapes: Detector = (text) => escaped(text, detectors);

/**
 * Lines of one text, redacted together: a value may stand on the line below its name. As many come back, in
 * their order.
 */
export function redactLines(lines: readonly string[]): readonly string[] {
  const together = redact(lines.join('\n')).split('\n');
  return together.length === lines.length ? together : lines.map(redact);
}

/**
 * The value of a variable or field of this name: a marker where the name tells a secret (`DB_PASSWORD`,
 * `clientSecret`) and the value is one, otherwise the value, redacted as text.
 */
export function redactValue(name: string, value: string): string {
  return redact(unlessNamed(name, value));
}

/** A marker where the name tells a secret; otherwise the value, which may still hold one. */
export function unlessNamed(name: string, value: string): string {
  const kind = secretKindOf(name);
  return kind === undefined || isHarmlessValue(value) ? value : marker(kind);
}
