import * as z from 'zod';
import { decodeMessage } from './decode-message.js';
import { messageOf } from './messages.js';
import { MalformedProtobuf } from './wire.js';

const protobufType = 'application/vnd.kubernetes.protobuf';

/**
 * Asks for lists of nodes and pods in half of what JSON takes. A server or proxy that knows only JSON sends
 * that.
 */
export const protobufOrJson = `${protobufType},application/json`;

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
