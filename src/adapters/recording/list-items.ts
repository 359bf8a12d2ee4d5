/** Why a list could not be read to its end. */
export type ListFault = 'cut-off' | 'not-json' | 'too-deep' | 'too-large';

export class ListError extends Error {
  readonly fault: ListFault;
  /** Items read before; the fault is in the one after, or behind the last. */
  readonly items: number;

  constructor(fault: ListFault, items: number) {
    super(fault);
    this.fault = fault;
    this.items = items;
  }
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The array that holds the items: `{ "items": [ … ] }`. */
const itemsDepth = 2;
/** Levels of objects and arrays in a file. The API server's own objects have about 20. */
const maxDepth = 100;
/** Bytes of one item. etcd takes about 1.5 MiB. */
const maxItemBytes = 32 * 1024 * 1024;
/** Bytes of a key that are compared with `items`. */
const maxKeyBytes = 16;

/**
 * Finds the items of a Kubernetes List in its JSON text, as bytes that come in pieces, and parses each by
 * itself: no more than one item is held, and an item keeps no part of the text alive. Parsing the whole text
 * token by token in JavaScript takes many times as long.
 *
 * @throws ListError when the text ends early or an item is no JSON
 */
export async function* listItems(chunks: AsyncIterable<Buffer>): AsyncGenerator<unknown> {
  let depth = 0;
  let inString = false;
  let escaped = false;
  let inItems = false;
  let awaitsValue = false;
  let seen = 0;
  /** Bytes of the key or string at depth 1 that is being read or was read last. */
  let key = '';
  let parts: Buffer[] = [];
  let partBytes = 0;
  let isItem = false;

  for await (const chunk of chunks) {
    let from = 0;
    let stringFrom = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) {
          inString = false;
          if (depth === 1) key += keyBytes(chunk, stringFrom, at);
        }
        continue;
      }
      switch (byte) {
        case quote:
          inString = true;
          stringFrom = at + 1;
          if (depth === 1) key = '';
          break;
        case colon:
          if (depth === 1) awaitsValue = true;
          break;
        case comma:
          if (depth === 1) awaitsValue = false;
          break;
        case openBrace:
        case openBracket:
          if (depth === 1 && byte === openBracket && awaitsValue && key === 'items') inItems = true;
          else if (inItems && depth === itemsDepth) {
            isItem = true;
            from = at;
          }
          depth += 1;
          if (depth > maxDepth) throw new ListError('too-deep', seen);
          break;
        case closeBrace:
        case closeBracket:
          depth -= 1;
          if (depth < 0) throw new ListError('not-json', seen);
          if (isItem && depth === itemsDepth) {
            parts.push(chunk.subarray(from, at + 1));
            yield parsed(parts, seen);
            parts = [];
            partBytes = 0;
            isItem = false;
            seen += 1;
          } else if (inItems && depth === 1) inItems = false;
          break;
      }
    }
    if (isItem) {
      parts.push(chunk.subarray(from));
      partBytes += chunk.length - from;
      if (partBytes > maxItemBytes) throw new ListError('too-large', seen);
    }
    if (inString && depth === 1)
      key = (key + keyBytes(chunk, stringFrom, chunk.length)).slice(0, maxKeyBytes);
  }
  if (depth !== 0 || inString) throw new ListError('cut-off', seen);
}

function keyBytes(chunk: Buffer, from: number, to: number): string {
  return chunk.toString('latin1', from, Math.min(to, from + maxKeyBytes));
}

/** True for JSON text whose objects and arrays go deeper than any walk over the parsed value should. */
export function isNestedTooDeeply(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString) {
      if (code === backslash) at += 1;
      else if (code === quote) inString = false;
    } else if (code === quote) inString = true;
    else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if (code === closeBrace || code === closeBracket) depth -= 1;
  }
  return false;
}

function parsed(parts: readonly Buffer[], seen: number): unknown {
  try {
    return JSON.parse((parts.length === 1 ? parts[0] : Buffer.concat(parts))?.toString('utf8') ?? '');
  } catch {
    throw new ListError('not-json', seen);
  }
}
