import type { JsonObject } from '../json.js';

/** How one field of a message is read: scalars, nested messages, lists of either, and maps of text. */
export type ProtobufField =
  | { readonly name: string; readonly type: 'text' | 'int' | 'flag'; readonly repeated?: true }
  | { readonly name: string; readonly type: 'map' }
  /** Server-kept: what a client sends is not looked at. */
  | { readonly name: string; readonly type: 'ignored' }
  | {
      readonly name: string;
      readonly type: 'message';
      readonly message: ProtobufMessage;
      readonly repeated?: true;
    };

/** Fields by number, as in the `generated.proto` of `k8s.io/api`. */
export type ProtobufMessage = Readonly<Record<number, ProtobufField>>;

const magic = Buffer.from('k8s\0', 'latin1');
const typeMeta: ProtobufMessage = { 1: text('apiVersion'), 2: text('kind') };
const mapEntry: ProtobufMessage = { 1: text('key'), 2: text('value') };

export function text(name: string): ProtobufField {
  return { name, type: 'text' };
}

export function texts(name: string): ProtobufField {
  return { name, type: 'text', repeated: true };
}

export function message(name: string, fields: ProtobufMessage): ProtobufField {
  return { name, type: 'message', message: fields };
}

export function messages(name: string, fields: ProtobufMessage): ProtobufField {
  return { name, type: 'message', message: fields, repeated: true };
}

/**
 * Unwraps `application/vnd.kubernetes.protobuf`: the magic bytes and a `runtime.Unknown` with the object
 * inside.
 *
 * @throws RangeError for bytes that end too early
 */
export function unwrapProtobuf(
  body: Buffer,
): { readonly apiVersion: string; readonly kind: string; readonly raw: Buffer } | undefined {
  if (!body.subarray(0, magic.length).equals(magic)) return undefined;
  let type: JsonObject = {};
  let raw: Buffer = Buffer.alloc(0);
  for (const { number, bytes } of fieldsOf(body.subarray(magic.length))) {
    if (number === 1 && bytes !== undefined) type = decodeMessage(bytes, typeMeta);
    if (number === 2 && bytes !== undefined) raw = bytes;
  }
  return { apiVersion: String(type.apiVersion ?? ''), kind: String(type.kind ?? ''), raw };
}

/**
 * The JSON form of a message. Empty texts and zeros are left out, as Go leaves them out.
 *
 * @throws RangeError for a field that the table does not have and that is not empty: nothing is dropped in
 *   silence
 */
export function decodeMessage(bytes: Buffer, fields: ProtobufMessage): JsonObject {
  const object: JsonObject = {};
  for (const wire of fieldsOf(bytes)) {
    const field = fields[wire.number];
    if (field === undefined) {
      if ((wire.bytes?.length ?? 0) === 0 && (wire.integer ?? 0n) === 0n) continue;
      throw new RangeError(`field ${wire.number} is not read from protobuf here`);
    }
    const value = valueOfField(field, wire);
    if (value === undefined) continue;
    if (field.type === 'map') {
      object[field.name] = { ...(object[field.name] as JsonObject | undefined), ...(value as JsonObject) };
    } else if (field.type !== 'ignored' && field.repeated) {
      object[field.name] = [...((object[field.name] as unknown[] | undefined) ?? []), value];
    } else {
      object[field.name] = value;
    }
  }
  return object;
}

interface WireField {
  readonly number: number;
  readonly integer: bigint | undefined;
  readonly bytes: Buffer | undefined;
}

function valueOfField(field: ProtobufField, { integer, bytes }: WireField): unknown {
  switch (field.type) {
    case 'ignored':
      return undefined;
    case 'text':
      return bytes === undefined || (bytes.length === 0 && !field.repeated) ? undefined : bytes.toString();
    case 'int':
      return integer === undefined ? undefined : Number(BigInt.asIntN(64, integer));
    case 'flag':
      return integer === undefined || integer === 0n ? undefined : true;
    case 'map': {
      if (bytes === undefined) return undefined;
      const { key, value } = decodeMessage(bytes, mapEntry);
      return { [String(key ?? '')]: value ?? '' };
    }
    case 'message':
      return bytes === undefined ? undefined : decodeMessage(bytes, field.message);
  }
}

/** Wire types 0 (varint), 1 and 5 (fixed), 2 (bytes). */
function* fieldsOf(bytes: Buffer): Generator<WireField> {
  let at = 0;
  const varint = (): bigint => {
    let result = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at);
      at += 1;
      result |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return result;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const number = Number(tag >> 3n);
    const wireType = Number(tag & 7n);
    if (wireType === 0) {
      yield { number, integer: varint(), bytes: undefined };
    } else if (wireType === 2) {
      const length = Number(varint());
      if (at + length > bytes.length) throw new RangeError('a field is longer than the message');
      yield { number, integer: undefined, bytes: bytes.subarray(at, at + length) };
      at += length;
    } else if (wireType === 1 || wireType === 5) {
      at += wireType === 1 ? 8 : 4;
    } else {
      throw new RangeError(`unknown wire type ${wireType}`);
    }
  }
}
