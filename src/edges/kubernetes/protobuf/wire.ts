export const protobufType = 'application/vnd.kubernetes.protobuf';

/**
 * Asks for lists of nodes and pods in half of what JSON takes. A server or proxy that knows only JSON sends
 * that.
 */
export const protobufOrJson = `${protobufType},application/json`;

/** Thrown for bytes that are no such message. */
export class MalformedProtobuf extends Error {}

/** How far the bytes were read. No read goes beyond `end`; each throws MalformedProtobuf where it would. */
export interface Cursor {
  readonly bytes: Buffer;
  at: number;
  /** Fields that may still be read; any number where nothing is counted. */
  left?: number;
}

/**
 * Counts a field, also one that is skipped: two bytes can be an empty message, and a million of them hold up
 * everybody who waits for this process.
 */
export function countField(cursor: Cursor): void {
  if (cursor.left === undefined) return;
  cursor.left -= 1;
  if (cursor.left < 0) throw new MalformedProtobuf('an object of too many fields');
}

/** Where what follows ends: a text, a message, an entry. */
export function lengthEnd(cursor: Cursor, end: number, wire: number): number {
  if (wire !== 2) throw new MalformedProtobuf(`a length was expected, not wire type ${wire}`);
  const length = varint(cursor, end);
  const stop = cursor.at + length;
  if (stop > end) throw new MalformedProtobuf(`${stop - end} bytes are missing`);
  return stop;
}

/** Over a value that nobody reads. */
export function skip(cursor: Cursor, end: number, wire: number): void {
  if (wire === 0) integer(cursor, end);
  else if (wire === 1) cursor.at += 8;
  else if (wire === 5) cursor.at += 4;
  else cursor.at = lengthEnd(cursor, end, wire);
  if (cursor.at > end) throw new MalformedProtobuf('the end is missing');
}

/** Tags and lengths: no more than 32 bits. */
export function varint(cursor: Cursor, end: number): number {
  const first = cursor.bytes[cursor.at];
  if (first !== undefined && first < 0x80 && cursor.at < end) {
    cursor.at += 1;
    return first;
  }
  const value = integer(cursor, end);
  if (value < 0 || value > 0xffff_ffff) throw new MalformedProtobuf(`a length of ${value}`);
  return value;
}

/** Two's complement of 64 bits, as far as a number is exact. */
export function integer(cursor: Cursor, end: number): number {
  let value = 0;
  for (let weight = 1; weight <= largestWeight; weight *= 128) {
    const byte = nextByte(cursor, end);
    value += (byte & 0x7f) * weight;
    if (byte < 0x80) return value;
  }
  return signed(cursor, end, value);
}

/**
 * Seven bytes of seven bits each are exact; an eighth is only used by what is negative, or beyond the API's
 * numbers.
 */
const largestWeight = 2 ** 42;

function signed(cursor: Cursor, end: number, low: number): number {
  let value = BigInt(low);
  for (let shift = 49n; shift < 70n; shift += 7n) {
    const byte = nextByte(cursor, end);
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return Number(BigInt.asIntN(64, value));
  }
  throw new MalformedProtobuf('a number is too long');
}

function nextByte(cursor: Cursor, end: number): number {
  const byte = cursor.at < end ? cursor.bytes[cursor.at] : undefined;
  if (byte === undefined) throw new MalformedProtobuf('a number ends too early');
  cursor.at += 1;
  return byte;
}
