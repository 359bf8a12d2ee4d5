import * as z from 'zod';
import { type Field, type Message, messageOf, type Scalar } from './messages.js';
import type { Cursor } from './wire.js';
import { countField, integer, lengthEnd, MalformedProtobuf, protobufType, skip, varint } from './wire.js';

export function isProtobuf(contentType: string | string[] | undefined): boolean {
  return typeof contentType === 'string' && contentType.startsWith(protobufType);
}

/** What each answer begins with: `k8s` and a zero. */
const magic = Buffer.from('k8s\0');

const Envelope = z.object({ typeMeta: z.object({ kind: z.string() }), raw: z.instanceof(Buffer) });

/**
 * The object of such an answer as JSON would give it, as far as the model reads it
 * (`apimachinery/pkg/runtime/serializer/protobuf`: four bytes, then `Unknown`, which holds the object).
 *
 * @throws MalformedProtobuf for other bytes, and for a kind that is not read this way
 */
export function decodeAnswer(bytes: Buffer): unknown {
  if (!bytes.subarray(0, magic.length).equals(magic))
    throw new MalformedProtobuf('it does not begin with k8s');
  const envelope = Envelope.safeParse(decoded(bytes.subarray(magic.length), 'Unknown'));
  if (!envelope.success) throw new MalformedProtobuf('the envelope holds no object');
  const { typeMeta, raw } = envelope.data;
  return decoded(raw, typeMeta.kind);
}

function decoded(bytes: Buffer, kind: string): unknown {
  const message = messageOf(kind);
  if (message === undefined) throw new MalformedProtobuf(`a ${kind} is not read from protobuf`);
  return decodeMessage(bytes, message);
}

/** Longer texts are hardly ever the same. */
const longest = 64;
const slots = 4_096;

/**
 * Reads UTF-8, and gives texts that come again and again (label keys, condition types) as the same string: of
 * thousands of objects only what differs takes room.
 */
function createTexts(): (bytes: Buffer, start: number, end: number) => string {
  const known = new Array<string>(slots).fill('');
  return (bytes, start, end) => {
    if (end - start > longest) return bytes.toString('utf8', start, end);
    let hash = end - start;
    for (let at = start; at < end; at += 1) hash = (Math.imul(hash, 31) + (bytes[at] ?? 0)) | 0;
    const slot = hash & (slots - 1);
    const kept = known[slot] ?? '';
    if (isSame(kept, bytes, start, end)) return kept;
    const text = bytes.toString('utf8', start, end);
    known[slot] = text;
    return text;
  };
}

/** Only ever true for ASCII, where bytes and characters are the same. */
function isSame(text: string, bytes: Buffer, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let at = 0; at < text.length; at += 1) {
    const byte = bytes[start + at] ?? 0;
    if (byte >= 0x80 || text.charCodeAt(at) !== byte) return false;
  }
  return true;
}

type Fields = Record<string, unknown>;

const text = createTexts();

/**
 * Reads a message (`protobuf.dev/programming-guides/encoding`) into the object that JSON would give, as far
 * as the table names its fields. Kubernetes writes empty texts and zeros that JSON leaves out: they are left
 * out here as well.
 *
 * @throws MalformedProtobuf
 */
export function decodeMessage(bytes: Buffer, message: Message, maxFields?: number): Fields {
  const found: Fields = {};
  const cursor: Cursor = maxFields === undefined ? { bytes, at: 0 } : { bytes, at: 0, left: maxFields };
  readInto(found, cursor, bytes.length, message);
  return found;
}

function readInto(found: Fields, cursor: Cursor, end: number, message: Message): void {
  while (cursor.at < end) {
    countField(cursor);
    const tag = varint(cursor, end);
    const field = message.fields[tag >>> 3];
    if (field === undefined) skip(cursor, end, tag & 7);
    else readField(found, cursor, end, tag & 7, field);
  }
}

function readField(found: Fields, cursor: Cursor, end: number, wire: number, field: Field): void {
  const { name, many, type } = field;
  if (many === 'map') {
    const entries = (found[name ?? ''] ?? {}) as Fields;
    found[name ?? ''] = entries;
    const stop = lengthEnd(cursor, end, wire);
    if (isWanted(cursor, stop, field.prefix)) readEntry(entries, cursor, stop, type);
    else cursor.at = stop;
    return;
  }
  if (name === undefined) {
    const stop = lengthEnd(cursor, end, wire);
    if (typeof type === 'object') readInto(found, cursor, stop, type);
    return;
  }
  const value = readValue(cursor, end, wire, type);
  if (many === 'list') {
    const items = (found[name] ?? []) as unknown[];
    items.push(value ?? '');
    found[name] = items;
  } else if (value !== undefined) {
    found[name] = value;
  }
}

const keyTag = (1 << 3) | 2;

/** Whether the key of an entry begins with the prefix. Kubernetes writes the key before the value. */
function isWanted({ bytes, at }: Cursor, end: number, prefix: Buffer | undefined): boolean {
  if (prefix === undefined || at === end || bytes[at] !== keyTag) return true;
  const cursor = { bytes, at: at + 1 };
  const stop = lengthEnd(cursor, end, 2);
  const start = cursor.at;
  if (stop - start < prefix.length) return false;
  for (let each = 0; each < prefix.length; each += 1) if (bytes[start + each] !== prefix[each]) return false;
  return true;
}

/** A map's entry: key 1, value 2; an absent one is empty. */
function readEntry(entries: Fields, cursor: Cursor, end: number, type: Field['type']): void {
  let key = '';
  let value: unknown;
  while (cursor.at < end) {
    countField(cursor);
    const tag = varint(cursor, end);
    if (tag >>> 3 === 1) key = String(readValue(cursor, end, tag & 7, 'string') ?? '');
    else if (tag >>> 3 === 2) value = readValue(cursor, end, tag & 7, type);
    else skip(cursor, end, tag & 7);
  }
  // No name in the API is spelt so; as a key of an object it would be something else.
  if (key !== '__proto__') entries[key] = value ?? '';
}

function readValue(cursor: Cursor, end: number, wire: number, type: Scalar | Message): unknown {
  if (type === 'int' || type === 'some' || type === 'bool') {
    if (wire !== 0) throw new MalformedProtobuf(`a number of wire type ${wire}`);
    const number = integer(cursor, end);
    if (type === 'bool') return number !== 0;
    return number === 0 && type === 'some' ? undefined : number;
  }
  const stop = lengthEnd(cursor, end, wire);
  const start = cursor.at;
  if (typeof type === 'object') {
    const found: Fields = {};
    readInto(found, cursor, stop, type);
    return found;
  }
  cursor.at = stop;
  switch (type) {
    case 'string':
      return start === stop ? undefined : text(cursor.bytes, start, stop);
    case 'Quantity':
      return onlyText({ bytes: cursor.bytes, at: start }, stop) ?? '0';
    case 'Time':
      return time({ bytes: cursor.bytes, at: start }, stop);
    case 'IntOrString':
      return intOrString({ bytes: cursor.bytes, at: start }, stop);
    case 'bytes':
      return cursor.bytes.subarray(start, stop);
    case 'cordon':
      return cordon(cursor.bytes, start, stop);
  }
}

/** A message whose first field is all there is to it. */
function onlyText(cursor: Cursor, end: number): string | undefined {
  let found: string | undefined;
  while (cursor.at < end) {
    const tag = varint(cursor, end);
    if (tag >>> 3 === 1) found = readValue(cursor, end, tag & 7, 'string') as string | undefined;
    else skip(cursor, end, tag & 7);
  }
  return found;
}

/** `Time`: seconds 1, nanos 2, which JSON does not show. Empty: none. */
function time(cursor: Cursor, end: number): string | undefined {
  if (cursor.at === end) return undefined;
  let seconds = 0;
  while (cursor.at < end) {
    const tag = varint(cursor, end);
    if (tag === secondsTag) seconds = integer(cursor, end);
    else skip(cursor, end, tag & 7);
  }
  return knownTimes.get(seconds) ?? rememberedTime(seconds);
}

const secondsTag = 1 << 3;
/** Thousands of conditions were last heard of in the same few minutes. */
const knownTimes = new Map<number, string>();
const timesKept = 4_096;

function rememberedTime(seconds: number): string {
  const whole = new Date(seconds * 1000);
  if (Number.isNaN(whole.getTime())) throw new MalformedProtobuf(`a time of ${seconds} seconds`);
  const text = `${whole.toISOString().slice(0, -5)}Z`;
  if (knownTimes.size >= timesKept) knownTimes.clear();
  knownTimes.set(seconds, text);
  return text;
}

/** `IntOrString`: type 1 (0: number), intVal 2, strVal 3. */
function intOrString(cursor: Cursor, end: number): number | string {
  const given = numbers({ ...cursor }, end);
  if ((given.get(1) ?? 0) === 0) return given.get(2) ?? 0;
  let found = '';
  while (cursor.at < end) {
    const tag = varint(cursor, end);
    if (tag >>> 3 === 3) found = String(readValue(cursor, end, tag & 7, 'string') ?? '');
    else skip(cursor, end, tag & 7);
  }
  return found;
}

function numbers(cursor: Cursor, end: number): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  while (cursor.at < end) {
    const tag = varint(cursor, end);
    if ((tag & 7) === 0) found.set(tag >>> 3, integer(cursor, end));
    else skip(cursor, end, tag & 7);
  }
  return found;
}

const unschedulable = Buffer.from('"f:unschedulable"');

/**
 * `FieldsV1`: who wrote which fields, as JSON in field 1. Read only where it tells of a cordon: of a node
 * nothing else of it is asked (`engine/objects/node.ts`), and it is most of what a node's object is made of.
 */
function cordon(bytes: Buffer, start: number, end: number): unknown {
  const whole = bytes.subarray(start, end);
  if (!whole.includes(unschedulable)) return undefined;
  const json = onlyText({ bytes: whole, at: 0 }, whole.length) ?? '';
  try {
    return JSON.parse(json);
  } catch {
    throw new MalformedProtobuf('fieldsV1 is no JSON');
  }
}
