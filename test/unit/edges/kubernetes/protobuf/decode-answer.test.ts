import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { decodeAnswer } from '#src/edges/kubernetes/protobuf/decode-answer.js';
import { type Message, messageOf } from '#src/edges/kubernetes/protobuf/messages.js';
import { MalformedProtobuf } from '#src/edges/kubernetes/protobuf/wire.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';

/** The responses of a kube-apiserver 1.36.3, for grouped pods 1.37.2, for the same objects in both formats. */
function recorded(name: string): { readonly bytes: Buffer; readonly json: () => unknown } {
  const file = (ending: string): string =>
    readFileSync(new URL(`recorded/${name}.${ending}`, import.meta.url), 'utf8');
  return { bytes: Buffer.from(file('base64'), 'base64'), json: () => JSON.parse(file('json')) };
}

const itemsOf = (name: string): readonly unknown[] => List.parse(recorded(name).json()).items;

const List = z.object({ metadata: z.object({}), items: z.array(z.unknown()) });

describe('a response in protobuf', () => {
  it.each([
    ['pods', 'Pod', 3],
    ['gated-pods', 'Pod', 1],
    ['device-pods', 'Pod', 1],
    ['memory-volume-pods', 'Pod', 1],
    ['volume-source-pods', 'Pod', 1],
    ['grouped-pods', 'Pod', 1],
    ['restart-rule-pods', 'Pod', 1],
    ['nodes', 'Node', 2],
  ] as const)('decodes to the same %s as the response in JSON', (name, kind, count) => {
    const { bytes, json } = recorded(name);
    const read = (body: unknown) => List.parse(body).items.map((item) => schemas[kind].parse(item));
    expect(read(decodeAnswer(bytes))).toEqual(read(json()));
    expect(read(json())).toHaveLength(count);
  });

  it('contains the annotations of a node that the model keeps, and no other', () => {
    const kept = [
      entry('cluster-autoscaler.kubernetes.io/scale-down-disabled', 'true'),
      entry('cluster-autoscaler.kubernetes.io/', ''),
      Buffer.alloc(0),
    ];
    const others = [entry('cluster-autoscaler', 'true'), entry('node.alpha.kubernetes.io/ttl', '0')];
    const annotations = [...others, ...kept].map((each) => part(12, each));
    const node = part(1, Buffer.concat(annotations));
    expect(decodeAnswer(envelope('Node', node))).toEqual({
      metadata: {
        annotations: {
          'cluster-autoscaler.kubernetes.io/scale-down-disabled': 'true',
          'cluster-autoscaler.kubernetes.io/': '',
          '': '',
        },
      },
    });
  });

  it('is refused when the key of an annotation of a node ends too late', () => {
    const longer = Buffer.from([0x0a, 0x7f, 0x63]);
    const node = part(1, part(12, longer));
    expect(() => decodeAnswer(envelope('Node', node))).toThrow(MalformedProtobuf);
  });

  it('contains the continue token of the list', () => {
    expect(decodeAnswer(envelope('PodList', Buffer.from([0x0a, 0x04, 0x1a, 0x02, 0x6d, 0x65])))).toEqual({
      metadata: { continue: 'me' },
    });
  });

  it('contains the Status of a refusal', () => {
    expect(decodeAnswer(recorded('refusal').bytes)).toEqual({
      status: 'Failure',
      reason: 'BadRequest',
      message: 'field label not supported: nonsense',
      code: 400,
    });
  });

  it('is refused for a kind that has no protobuf decoder', () => {
    expect(() => decodeAnswer(envelope('SecretList', Buffer.alloc(0)))).toThrow(
      new MalformedProtobuf('a SecretList is not read from protobuf'),
    );
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['JSON', Buffer.from('{"kind":"PodList"}')],
    ['no object', Buffer.from('k8s\0')],
    ['a number without an end', Buffer.from([0x6b, 0x38, 0x73, 0x00, 0xff, 0xff, 0xff])],
    ['a number without a limit', Buffer.from([0x6b, 0x38, 0x73, 0x00, ...Array<number>(20).fill(0xff)])],
  ])('is refused when it is %s', (_, bytes) => {
    expect(() => decodeAnswer(bytes)).toThrow(MalformedProtobuf);
  });

  it('is refused when it ends at any other byte', () => {
    const { bytes } = recorded('pods');
    // The last four bytes are two empty texts after the object.
    for (let length = 0; length < bytes.length - 4; length += 1) {
      expect(() => decodeAnswer(bytes.subarray(0, length))).toThrow(MalformedProtobuf);
    }
  });

  it('is decoded or refused, whatever bytes are changed', () => {
    const { bytes } = recorded('pods');
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 4 }), (changes) => {
        const changed = Buffer.from(bytes);
        for (const [at, byte] of changes) changed[at] = byte;
        try {
          expect(decodeAnswer(changed)).toBeTypeOf('object');
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedProtobuf);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** Of every `status.conditions`, whatever the kind, the model reads what some kind has. */
const ofOtherKinds =
  /\.conditions\.(lastUpdateTime|lastHeartbeatTime)$|^Node\.status\.conditions\.observedGeneration$/;

const podLists = [
  'pods',
  'gated-pods',
  'device-pods',
  'memory-volume-pods',
  'volume-source-pods',
  'grouped-pods',
  'restart-rule-pods',
];

describe('the table of fields', () => {
  it.each(['Pod', 'Node'] as const)('contains every field that the model reads of a %s', (kind) => {
    const missing = unnamed(kind, messageOf(kind), schemas[kind]);
    expect(missing.filter((path) => !ofOtherKinds.test(path))).toEqual(
      kind === 'Pod' ? ['Pod.metadata.managedFields'] : [],
    );
  });

  it('has no field that the recorded objects lack', () => {
    const seen = new Map<Message, Set<string>>();
    const pods = {
      ...Object(recorded('pods').json()),
      items: podLists.flatMap(itemsOf),
    };
    note(seen, messageOf('PodList'), pods);
    note(seen, messageOf('NodeList'), recorded('nodes').json());
    const lacking = [...seen].flatMap(([message, names]) =>
      message.fields.flatMap((field) =>
        field?.name === undefined || names.has(field.name) ? [] : [field.name],
      ),
    );
    expect(lacking.filter((name) => name !== zeroInRecordings)).toEqual(notOfNodes);
  });

  it('is checked for a field that the recorded pod has', () => {
    expect(unnamed('Pod', messageOf('Node'), schemas.Pod)).toContain('Pod.spec.containers');
  });
});

/** Conditions of a pod have it, and it is zero in the recordings, which JSON leaves out. */
const zeroInRecordings = 'observedGeneration';
/** Nodes have no namespace. */
const notOfNodes = ['namespace'];

/** Which fields of which message some JSON has. */
function note(seen: Map<Message, Set<string>>, message: Message | undefined, json: unknown): void {
  if (message === undefined || typeof json !== 'object' || json === null) return;
  const names = seen.get(message) ?? new Set<string>();
  seen.set(message, names);
  for (const field of message.fields) {
    if (field === undefined) continue;
    const { name, type } = field;
    const value: unknown = name === undefined ? json : Reflect.get(json, name);
    if (value === undefined || value === null) continue;
    if (name !== undefined) names.add(name);
    if (typeof type !== 'object') continue;
    for (const item of Array.isArray(value) ? value : [value]) note(seen, type, item);
  }
}

/** Paths of the schema's fields that the message lacks. */
function unnamed(path: string, message: Message | undefined, schema: z.core.$ZodType): readonly string[] {
  const shape = shapeOf(schema);
  if (shape === undefined || message === undefined) return [];
  const fields = fieldsOf(message);
  return Object.entries(shape)
    .filter(([name]) => name !== 'kind' || fields.has(name))
    .flatMap(([name, inner]) => {
      const type = fields.get(name);
      if (type === undefined) return [`${path}.${name}`];
      return typeof type === 'object' ? unnamed(`${path}.${name}`, type, inner) : [];
    });
}

function fieldsOf(message: Message): ReadonlyMap<string, Message | string> {
  return new Map(
    message.fields.flatMap((field): readonly (readonly [string, Message | string])[] => {
      if (field === undefined) return [];
      if (field.name !== undefined) return [[field.name, field.type]];
      return typeof field.type === 'object' ? [...fieldsOf(field.type)] : [];
    }),
  );
}

function shapeOf(schema: z.core.$ZodType): Readonly<Record<string, z.core.$ZodType>> | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object':
      return def.shape;
    case 'optional':
    case 'nullable':
    case 'default':
      return shapeOf(def.innerType);
    case 'pipe':
      return shapeOf(def.in);
    case 'array':
      return shapeOf(def.element);
    default:
      return undefined;
  }
}

/** `Unknown` around an object, as the API server sends it. */
function envelope(kind: string, raw: Buffer): Buffer {
  return Buffer.concat([Buffer.from('k8s\0'), part(1, part(2, Buffer.from(kind))), part(2, raw)]);
}

/** An entry of a map of texts. */
function entry(key: string, value: string): Buffer {
  return Buffer.concat([part(1, Buffer.from(key)), part(2, Buffer.from(value))]);
}

/** A field of fewer than 16,384 bytes: its number and wire type, its length, its bytes. */
function part(number: number, bytes: Buffer): Buffer {
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7];
  return Buffer.from([(number << 3) | 2, ...length, ...bytes]);
}
