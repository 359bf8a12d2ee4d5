import { maxObjectBytes } from '../decode-json.js';
import { decodeMessage } from './decode-answer.js';
import { type Message, messageOf } from './messages.js';
import { MalformedProtobuf, varint } from './wire.js';

/** What a list in protobuf begins with, and the field of each envelope that is read. */
const magic = Buffer.from('k8s\0');
const envelope = { typeMeta: 1, raw: 2 } as const;
const listFields = { metadata: 1, items: 2 } as const;

/** A node with a hundred images has some hundred fields, a pod with fifty containers some thousand. */
const maxFields = 60_000;
/** The pods of one node are lists of some 50 kB, and many of them arrive at once. */
const firstBytes = 16_384;
/** A tag and a length have at most five bytes each. */
const longestHeader = 10;

interface ListDecoder {
  /**
   * Takes the next bytes of the answer.
   *
   * @returns false once `onItem` wanted no more
   * @throws MalformedProtobuf
   */
  push(piece: Buffer): boolean;
  /**
   * The list without its items.
   *
   * @throws MalformedProtobuf when the answer ended too early
   */
  end(): { readonly metadata: unknown };
}

interface Part {
  readonly field: number;
  readonly wire: number;
  /** Of the header, and of what follows it. */
  readonly header: number;
  readonly length: number;
}

/**
 * Decodes a list of nodes or pods while it arrives, so that no more than one object's bytes are kept: the
 * watch cache sends a list in one answer, which is 200 MB for 50,000 pods.
 *
 * @param onItem receives each object as JSON would give it; false: no more objects
 */
export function createListDecoder(onItem: (item: unknown) => boolean): ListDecoder {
  let kept = Buffer.allocUnsafe(firstBytes);
  let from = 0;
  let to = 0;
  /** Bytes that must be there before it is worth looking again. */
  let needed = magic.length;
  let state: 'magic' | 'envelope' | 'list' | 'trailer' | 'stopped' = 'magic';
  let list: Message | undefined;
  let item: Message | undefined;
  let left = 0;
  let metadata: unknown;

  return {
    push(piece) {
      append(piece);
      while (state !== 'stopped' && to - from >= needed) {
        if (!step()) break;
      }
      return state !== 'stopped';
    },
    end() {
      if (state !== 'trailer' && state !== 'stopped') throw new MalformedProtobuf('the list ends too early');
      return { metadata };
    },
  };

  function append(piece: Buffer): void {
    if (to + piece.length > kept.length) {
      const size = to - from + piece.length;
      const target = size > kept.length ? Buffer.allocUnsafe(Math.max(size, 2 * kept.length)) : kept;
      kept.copy(target, 0, from, to);
      kept = target;
      to -= from;
      from = 0;
    }
    piece.copy(kept, to);
    to += piece.length;
  }

  /** Reads one part; false when more bytes are needed. */
  function step(): boolean {
    switch (state) {
      case 'magic':
        if (!kept.subarray(from, from + magic.length).equals(magic))
          throw new MalformedProtobuf('it does not begin with k8s');
        advance(magic.length);
        state = 'envelope';
        return true;
      case 'envelope':
        return stepEnvelope();
      case 'list':
        return stepList();
      default:
        // The content type of the object follows, and nothing that is read.
        from = to;
        return false;
    }
  }

  function stepEnvelope(): boolean {
    const part = nextPart();
    if (part === undefined) return false;
    if (part.field === envelope.raw && part.wire === 2) {
      if (item === undefined) throw new MalformedProtobuf('the envelope names no list');
      advance(part.header);
      left = part.length;
      state = left === 0 ? 'trailer' : 'list';
      return true;
    }
    const bytes = whole(part);
    if (bytes === undefined) return false;
    if (part.field === envelope.typeMeta && part.wire === 2) {
      const kind = String(decodeMessage(bytes, messageNamed('TypeMeta')).kind);
      list = messageNamed(kind);
      const { type } = list.fields[listFields.items] ?? {};
      if (typeof type !== 'object') throw new MalformedProtobuf(`a ${kind} is no list`);
      item = type;
    }
    return true;
  }

  function stepList(): boolean {
    const part = nextPart();
    if (part === undefined) return false;
    if (part.header + part.length > left) throw new MalformedProtobuf('an object is longer than its list');
    const bytes = whole(part);
    if (bytes === undefined) return false;
    left -= part.header + part.length;
    if (part.field === listFields.items && part.wire === 2 && item !== undefined) {
      if (!onItem(decodeMessage(bytes, item, maxFields))) state = 'stopped';
    } else if (part.field === listFields.metadata && part.wire === 2) {
      metadata = decodeMessage(bytes, messageNamed('ListMeta'));
    }
    if (left === 0 && state === 'list') state = 'trailer';
    return true;
  }

  /** The header of the next field; `undefined` while it is not there. */
  function nextPart(): Part | undefined {
    const headerEnd = headerEndOf(kept, from, to);
    if (headerEnd === undefined) {
      if (to - from >= longestHeader) throw new MalformedProtobuf('a number is too long');
      needed = to - from + 1;
      return undefined;
    }
    const cursor = { bytes: kept, at: from };
    const tag = varint(cursor, headerEnd);
    const wire = tag & 7;
    const length = wire === 2 ? varint(cursor, headerEnd) : lengthOfWire(wire);
    return { field: tag >>> 3, wire, header: headerEnd - from, length };
  }

  /** The bytes after the header, which are then behind us; `undefined` while some are missing. */
  function whole({ header, length }: Part): Buffer | undefined {
    if (length > maxObjectBytes) throw new MalformedProtobuf(`an object of ${length} bytes`);
    if (to - from < header + length) {
      needed = header + length;
      return undefined;
    }
    const bytes = kept.subarray(from + header, from + header + length);
    advance(header + length);
    return bytes;
  }

  function advance(bytes: number): void {
    from += bytes;
    needed = 1;
  }
}

/** Where tag and length end. A number's value belongs to the header, so that nothing follows it. */
function headerEndOf(bytes: Buffer, from: number, to: number): number | undefined {
  const tagEnd = varintEnd(bytes, from, to);
  if (tagEnd === undefined) return undefined;
  const wire = (bytes[from] ?? 0) & 7;
  return wire === 2 || wire === 0 ? varintEnd(bytes, tagEnd, to) : tagEnd;
}

function varintEnd(bytes: Buffer, from: number, to: number): number | undefined {
  for (let at = from; at < to; at += 1) {
    if ((bytes[at] ?? 0) < 0x80) return at + 1;
  }
  return undefined;
}

function lengthOfWire(wire: number): number {
  if (wire === 0) return 0;
  if (wire === 1) return 8;
  if (wire === 5) return 4;
  throw new MalformedProtobuf(`a field of wire type ${wire}`);
}

function messageNamed(kind: string): Message {
  const message = messageOf(kind);
  if (message === undefined) throw new MalformedProtobuf(`a ${kind} is not read from protobuf`);
  return message;
}
