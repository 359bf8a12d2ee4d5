import { setImmediate } from 'node:timers/promises';

/** What a text of JSON may hold. */
interface JsonBounds {
  /** Objects and lists. Each one becomes an object in memory, ten times as large as its two brackets. */
  readonly brackets: number;
  /** Different texts, with the names of fields: to find out whether it knows one takes the parser longest. */
  readonly texts: number;
  /** Commas between values: a list of numbers has neither brackets nor texts. */
  readonly commas: number;
  /**
   * Fields of large objects beyond their 256th. The same names in several of them are as much work as
   * different ones.
   */
  readonly wideFields: number;
}

/** A body of the smallest alerts has a third of these brackets; an object that etcd takes has a tenth. */
const usualBounds: JsonBounds = { brackets: 210_000, texts: 40_000, commas: 250_000, wideFields: 80_000 };

const [quote, backslash, list, object, objectEnd] = [0x22, 0x5c, 0x5b, 0x7b, 0x7d];
const [comma, colon] = [0x2c, 0x3a];
/** Objects of people and controllers have fewer fields. */
const wide = 256;
/** Fields are counted for so many objects in each other; deeper ones count together. */
const levels = 256;
/** Places in the table of texts that were seen. Two texts at one place count once. */
const seenBits = 18;
/** A text with fewer bytes can reach no bound. */
const fewestBytes = 32_768;
/** What a value or the space before it begins with. A parser refuses anything else at once. */
const beginning = new Set(Buffer.from('{["-0123456789tfn \t\r\n'));

/**
 * Whether a text of JSON has no more objects and different texts than are read: two megabytes of them hold up
 * everybody who waits for this process while they are parsed.
 */
export function isBoundedJson(bytes: Uint8Array, bounds: Partial<JsonBounds> = {}): boolean {
  const { brackets, texts, commas, wideFields } = { ...usualBounds, ...bounds };
  if (bytes.length < Math.min(fewestBytes, 2 * brackets, 3 * texts)) return true;
  if (!beginning.has(bytes[0] ?? 0)) return true;
  const seen = new Uint8Array(1 << seenBits);
  let [opened, different, separated, inWide, hash, level] = [0, 0, 0, 0, 0, 0];
  const fieldsAt = new Uint32Array(levels);
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isText) {
      hash = (Math.imul(hash, 31) + byte) | 0;
      if (byte === backslash) at += 1;
      else if (byte === quote) {
        isText = false;
        const place = (hash ^ (hash >>> seenBits)) & ((1 << seenBits) - 1);
        if (seen[place] === 0) different += 1;
        seen[place] = 1;
      }
    } else if (byte === quote) {
      isText = true;
      hash = 0;
    } else if (byte === list) opened += 1;
    else if (byte === object) {
      opened += 1;
      level = Math.min(level + 1, levels - 1);
      fieldsAt[level] = 0;
    } else if (byte === objectEnd) level = Math.max(level - 1, 0);
    else if (byte === comma) separated += 1;
    else if (byte === colon) {
      const fields = (fieldsAt[level] ?? 0) + 1;
      fieldsAt[level] = fields;
      if (fields > wide) inWide += 1;
    }
  }
  return opened <= brackets && different <= texts && separated <= commas && inWide <= wideFields;
}

/** A turn of work on foreign input ends after this, in milliseconds. */
const turnMs = 10;
/**
 * Computations take turns one after the other: many short ones at the same time would block the event loop as
 * well.
 */
let turns: Promise<unknown> = Promise.resolve();

/**
 * Does the steps of a long computation, and lets others have their turn in between. Each step is short for
 * any input.
 */
export async function inPieces<Result>(steps: Generator<void, Result>): Promise<Result> {
  for (;;) {
    const turn = turns.then(() => takeTurn(steps));
    turns = turn.then(
      () => setImmediate(),
      () => setImmediate(),
    );
    const { done, value } = await turn;
    if (done === true) return value;
  }
}

function takeTurn<Result>(steps: Generator<void, Result>): IteratorResult<void, Result> {
  const ends = performance.now() + turnMs;
  let step = steps.next();
  while (step.done !== true && performance.now() < ends) step = steps.next();
  return step;
}
