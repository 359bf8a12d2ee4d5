import { isBoundedJson } from '../http/bounded-json.js';
import { AnswerTooLarge } from './api-call.js';

/**
 * etcd keeps no larger object (`--max-request-bytes`, 1.5 MiB unless configured); the same for a list without
 * its items.
 */
export const maxObjectBytes = 2_000_000;
/**
 * Objects of people and controllers are smaller. A larger one is read without `fieldsV1`: its thousands of
 * names are what takes longest, and each one differs from the others.
 */
const maxBytesWithFields = 200_000;
/** Such as labels and annotations: the API server takes annotations of 256 KiB. */
const maxWideFields = 20_000;
/** Objects of people and controllers have some 30. */
const maxDepth = 200;

const items = Buffer.from('items');
const fieldsName = Buffer.from('"fieldsV1":');
const nothing = Buffer.from('null');
const byteOf = (sign: string): number => sign.charCodeAt(0);
const [quote, backslash, comma, colon] = ['"', '\\', ',', ':'].map(byteOf) as [
  number,
  number,
  number,
  number,
];
const opens: ReadonlySet<number> = new Set(['{', '['].map(byteOf));
const closes: ReadonlySet<number> = new Set(['}', ']'].map(byteOf));
const [openBrace, openBracket] = ['{', '['].map(byteOf) as [number, number];
const space = 0x20;
/** Bytes outside of texts that change the depth or begin a text. */
const isStructure = new Uint8Array(256);
for (const byte of [quote, ...opens, ...closes]) isStructure[byte] = 1;

interface JsonDecoder {
  /**
   * Takes the next bytes of the answer.
   *
   * @returns false once `onItem` wanted no more, or when the answer is no JSON that is read
   * @throws AnswerTooLarge for an object beyond `maxObjectBytes`, or of too many values
   */
  push(piece: Buffer): boolean;
  /**
   * The answer without its items, an object beyond `maxBytesWithFields` without `fieldsV1`. Text where it is
   * no JSON; undefined where it is too deep, or an item is no JSON.
   */
  end(): unknown;
}

/**
 * Decodes an answer in JSON while it arrives, and the items of a list one by one: a list of thousands of
 * objects would hold up everybody who waits for this process if it were parsed in one turn.
 *
 * @param onItem receives each item, one beyond `maxBytesWithFields` without `fieldsV1`; false: no more items
 */
export function createJsonDecoder(onItem: (item: unknown) => boolean): JsonDecoder {
  const outside = collectBytes();
  const item = collectBytes();
  let state: 'outside' | 'between' | 'item' | 'stopped' | 'malformed' = 'outside';
  let depth = 0;
  let isInString = false;
  let isEscaped = false;
  /** Bytes of the current name at the top that agree with `items`; -1 once one differs. */
  let agreed = -1;
  let isItems = false;

  return {
    push(piece) {
      let from = 0;
      let nextQuote = -1;
      let nextEscape = -1;
      for (let at = 0; at < piece.length; at += 1) {
        if (isInString && agreed < 0 && !isEscaped) {
          if (nextQuote < at) nextQuote = endless(piece.indexOf(quote, at));
          if (nextEscape < at) nextEscape = endless(piece.indexOf(backslash, at));
          at = Math.min(nextQuote, nextEscape);
          if (at >= piece.length) break;
        }
        const byte = piece[at] ?? 0;
        // What lies deeper than the names at the top, between texts and brackets, changes nothing.
        if (!isInString && depth > 1 && state !== 'between' && isStructure[byte] === 0) continue;
        const before = state;
        step(byte);
        if (state === before) continue;
        // The bracket that ends the items belongs to what is outside, as the one that opens them does.
        const to = before === 'between' ? at : at + 1;
        if (before === 'outside') outside.add(piece.subarray(from, to));
        if (before === 'item') item.add(piece.subarray(from, to));
        from = to;
        if (before === 'item') takeItem();
        if (state === 'stopped' || state === 'malformed') return false;
      }
      if (state === 'outside') outside.add(piece.subarray(from));
      if (state === 'item') item.add(piece.subarray(from));
      return true;
    },
    end() {
      const answer = outside.take();
      const text = boundedText(answer);
      if (state === 'outside') return parsed(text) ?? answer.toString('utf8');
      // Nobody wanted more items, and nothing behind them was read.
      return state === 'stopped' ? parsed(`${text}]}`) : undefined;
    },
  };

  function takeItem(): void {
    const value = parsed(boundedText(item.take()));
    if (value === undefined) state = 'malformed';
    else if (!onItem(value)) state = 'stopped';
  }

  function step(byte: number): void {
    if (isInString) stepInString(byte);
    else if (byte === quote) {
      if (state === 'between') state = 'malformed';
      isInString = true;
      agreed = depth === 1 ? 0 : -1;
      if (depth === 1) isItems = false;
    } else if (opens.has(byte)) open(byte);
    else if (closes.has(byte)) close();
    else if (state === 'between') {
      if (byte !== comma && byte > space) state = 'malformed';
    } else if (depth === 1 && byte !== colon && byte > space) isItems = false;
  }

  function stepInString(byte: number): void {
    if (isEscaped) isEscaped = false;
    else if (byte === backslash) {
      isEscaped = true;
      agreed = -1;
    } else if (byte === quote) {
      isInString = false;
      isItems = agreed === items.length;
    } else if (agreed >= 0) agreed = items[agreed] === byte ? agreed + 1 : -1;
  }

  function open(byte: number): void {
    depth += 1;
    if (state === 'outside') {
      if (depth === 2 && isItems && byte === openBracket) state = 'between';
      else if (depth > maxDepth) state = 'malformed';
    } else if (state === 'between') state = byte === openBrace ? 'item' : 'malformed';
    else if (depth > maxDepth) state = 'malformed';
    isItems = false;
  }

  function close(): void {
    depth -= 1;
    if (state === 'item' && depth === 2) state = 'between';
    else if (state === 'between') state = 'outside';
  }
}

const endless = (at: number): number => (at < 0 ? Number.POSITIVE_INFINITY : at);

function collectBytes() {
  let parts: Buffer[] = [];
  let bytes = 0;
  return {
    add(part: Buffer): void {
      bytes += part.length;
      if (bytes > maxObjectBytes) throw new AnswerTooLarge(`an object of more than ${maxObjectBytes} bytes`);
      parts.push(part);
    },
    take(): Buffer {
      const whole = Buffer.concat(parts, bytes);
      parts = [];
      bytes = 0;
      return whole;
    },
  };
}

/** The same object; in one beyond `maxBytesWithFields`, null stands for each `fieldsV1`. */
function withoutFields(object: Buffer): Buffer {
  if (object.length <= maxBytesWithFields) return object;
  const kept: Buffer[] = [];
  let from = 0;
  for (;;) {
    const at = object.indexOf(fieldsName, from);
    if (at < 0) return Buffer.concat([...kept, object.subarray(from)]);
    const value = at + fieldsName.length;
    kept.push(object.subarray(from, value));
    from = value;
    // Behind a backslash, the quote belongs to a text that holds an object.
    if (object[value] !== openBrace || object[at - 1] === backslash) continue;
    const end = endOfObject(object, value);
    if (end === undefined) return object;
    kept.push(nothing);
    from = end;
  }
}

/** Where the object that begins at `from` ends; undefined in an answer that was cut. */
function endOfObject(bytes: Buffer, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === quote) {
      do at = endless(bytes.indexOf(quote, at + 1));
      while (isEscapedAt(bytes, at));
    } else if (opens.has(byte)) depth += 1;
    else if (closes.has(byte)) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function isEscapedAt(bytes: Buffer, at: number): boolean {
  let backslashes = 0;
  while (bytes[at - 1 - backslashes] === backslash) backslashes += 1;
  return backslashes % 2 === 1;
}

/**
 * The text of an object, one beyond `maxBytesWithFields` without `fieldsV1`.
 *
 * @throws AnswerTooLarge
 */
export function boundedText(object: Buffer | string): string {
  const bytes = withoutFields(typeof object === 'string' ? Buffer.from(object) : object);
  if (!isBoundedJson(bytes, { wideFields: maxWideFields }))
    throw new AnswerTooLarge('an object of too many values');
  return bytes.toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
