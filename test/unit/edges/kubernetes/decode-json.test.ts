import { describe, expect, it } from 'vitest';
import { AnswerTooLarge } from '#src/edges/kubernetes/api-call.js';
import { createJsonDecoder, maxObjectBytes } from '#src/edges/kubernetes/decode-json.js';

/** The answer, pushed in pieces of so many bytes. */
function decodeIn(text: string, size: number, max = Number.POSITIVE_INFINITY) {
  const items: unknown[] = [];
  const decoder = createJsonDecoder((item) => {
    if (items.length >= max) return false;
    items.push(item);
    return true;
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) {
    if (!decoder.push(bytes.subarray(at, at + size))) break;
  }
  return { rest: decoder.end(), items };
}

const list = {
  ...{ kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '7', items: ['not this'] } },
  items: [
    { metadata: { name: 'a' }, data: { text: 'a "quoted" ] } , { [ \\ 한글 ✓' } },
    {},
    { nested: { items: [{ a: [1, [2, { items: [] }]] }] }, last: 'ends in \\' },
  ],
  note: 'items',
};

describe('an answer in JSON', () => {
  it.each([1, 2, 3, 7, 64, 100_000])('is decoded like JSON.parse in pieces of %d bytes', (size) => {
    const { items, ...rest } = list;
    for (const text of [JSON.stringify(list), JSON.stringify(list, null, 2)]) {
      expect(decodeIn(text, size)).toEqual({ rest: { ...rest, items: [] }, items });
    }
  });

  it.each([
    ['an object', { kind: 'Pod', spec: { items: [1, { a: 2 }], b: 'items' } }],
    ['an object with a text of that name', { kind: 'items', list: [{ a: 1 }], items: 'none' }],
    ['an object whose items are a map', { items: { a: [1] }, b: [{}] }],
    ['an empty list', { items: [] }],
    ['a list without items', { items: null, kind: 'PodList' }],
    ['an array', [{ items: [1] }]],
    ['a number', 42],
  ])('that is %s stays whole', (_, value) => {
    for (const size of [1, 5, 1_000])
      expect(decodeIn(JSON.stringify(value), size)).toEqual({ rest: value, items: [] });
  });

  it('loses the fields of each writer where it is large, and nothing else', () => {
    const writer = (fields: number) => ({
      manager: 'argocd',
      fieldsV1: Object.fromEntries(Array.from({ length: fields }, (_, at) => [`f:"}\\${at}`, { '.': {} }])),
      subresource: '',
    });
    const object = (fields: number) => ({
      metadata: {
        annotations: { applied: JSON.stringify({ fieldsV1: { 'f:a': {} } }) },
        managedFields: [writer(1), writer(fields)],
      },
      spec: { fieldsV1: 'a text' },
    });
    const [small, large] = [object(2), object(12_000)];
    const left = { ...writer(0), fieldsV1: null };
    const largeLeft = { ...large, metadata: { ...large.metadata, managedFields: [left, left] } };
    for (const size of [999, 100_000]) {
      expect(decodeIn(JSON.stringify({ items: [small, large] }), size).items).toEqual([small, largeLeft]);
      expect(decodeIn(JSON.stringify(large), size).rest).toEqual(largeLeft);
      const cut = JSON.stringify(large).slice(0, -1);
      expect(decodeIn(cut, size).rest).toBe(cut);
    }
  });

  it('is text where it is no JSON', () => {
    for (const text of ['', 'no such host', '<html>gateway</html>', '{"items"', '{"a":1}}']) {
      expect(decodeIn(text, 3).rest).toBe(text);
    }
  });

  it.each([
    '{"items":[{"a":1},',
    '{"items":[{"a":1}',
    '{"items":[{"a":1',
    '{"items":[{"a":}]}',
    '{"items":[1]}',
    '{"items":["x"]}',
    '{"items":[[{}]]}',
    '{"items":[{}}',
  ])('is nothing where it ends too early or an item is no object: %s', (text) => {
    for (const size of [1, 1_000]) {
      const { rest } = decodeIn(text, size);
      // Text is no list either.
      expect(['undefined', 'string']).toContain(typeof rest);
    }
  });

  it('is read no further than is wanted', () => {
    const { rest, items } = decodeIn(JSON.stringify(list), 10, 1);
    expect(items).toEqual(list.items.slice(0, 1));
    expect(rest).toMatchObject({ kind: 'ConfigMapList', items: [] });
  });

  it('is not read beyond a depth, and an object not beyond a size', () => {
    const deep = (levels: number) => `{"items":[{"a":${'['.repeat(levels)}${']'.repeat(levels)}}]}`;
    expect(decodeIn(deep(150), 1_000).items).toHaveLength(1);
    expect(decodeIn(deep(250), 1_000)).toEqual({ rest: undefined, items: [] });
    expect(decodeIn('['.repeat(100_000), 1_000).rest).toBeUndefined();
    const large = JSON.stringify({ items: [{ a: 'x'.repeat(maxObjectBytes) }] });
    expect(() => decodeIn(large, 65_536)).toThrow(AnswerTooLarge);
    expect(() => decodeIn(JSON.stringify({ a: 'x'.repeat(maxObjectBytes) }), 65_536)).toThrow(AnswerTooLarge);
  });
});
