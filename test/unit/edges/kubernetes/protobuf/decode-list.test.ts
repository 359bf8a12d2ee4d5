import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeAnswer } from '#src/edges/kubernetes/protobuf/decode-answer.js';
import { createListDecoder } from '#src/edges/kubernetes/protobuf/decode-list.js';
import { MalformedProtobuf } from '#src/edges/kubernetes/protobuf/wire.js';

function recorded(name: string): Buffer {
  const file = new URL(`recorded/${name}.base64`, import.meta.url);
  return Buffer.from(readFileSync(file, 'utf8'), 'base64');
}

function decodeInPieces(bytes: Buffer, size: number, max = Number.POSITIVE_INFINITY) {
  const items: unknown[] = [];
  const decoder = createListDecoder((item) => items.push(item) < max);
  for (let from = 0; from < bytes.length; from += size) {
    if (!decoder.push(bytes.subarray(from, from + size))) break;
  }
  return { ...decoder.end(), items };
}

describe('a protobuf list that arrives in pieces', () => {
  it.each([
    ['pods', 1],
    ['pods', 7],
    ['pods', 4_096],
    ['nodes', 1],
    ['nodes', 1_000_000],
  ])('decodes to the same %s in pieces of %i bytes as in one', (name, size) => {
    const bytes = recorded(name);
    expect(decodeInPieces(bytes, size)).toEqual(decodeAnswer(bytes));
  });

  it('is read no further than requested', () => {
    expect(decodeInPieces(recorded('pods'), 64, 1).items).toHaveLength(1);
  });

  it('returns the resourceVersion of the list', () => {
    expect(decodeInPieces(recorded('pods'), 64).metadata).toMatchObject({
      resourceVersion: expect.stringMatching(/^\d+$/),
    });
  });

  it.each([4, 5, 40, 200, 1_000])('is refused when it ends after %i bytes', (length) => {
    expect(() => decodeInPieces(recorded('pods').subarray(0, length), 64)).toThrow(MalformedProtobuf);
  });

  it.each([
    ['JSON', Buffer.from('{"kind":"PodList"}')],
    ['a refusal', recorded('refusal')],
    ['a number without an end', Buffer.from([0x6b, 0x38, 0x73, 0x00, ...Array<number>(20).fill(0xff)])],
  ])('is refused when it is %s', (_, bytes) => {
    expect(() => decodeInPieces(bytes, 16)).toThrow(MalformedProtobuf);
  });

  it('throws only MalformedProtobuf for broken bytes', () => {
    const bytes = recorded('nodes');
    for (let at = 4; at < bytes.length; at += 3) {
      const broken = Buffer.from(bytes);
      broken[at] = (broken[at] ?? 0) ^ 0xff;
      try {
        decodeInPieces(broken, 512);
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedProtobuf);
      }
    }
  });
});
