import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListError, listItems } from '#src/edges/recordings/list-items.js';

async function* inPieces(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function itemsOf(text: string, size = 7): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  for await (const item of listItems(inPieces(text, size))) items.push(item);
  return items;
}

async function faultOf(text: string): Promise<ListError> {
  const error = await itemsOf(text).catch((caught: unknown) => caught);
  if (!(error instanceof ListError)) throw new Error('it was read to its end');
  return error;
}

describe('the items of a list that arrives in pieces', () => {
  it('equal the items of the whole list, wherever the pieces end', async () => {
    const list = fc.record({
      before: fc.jsonValue(),
      items: fc.array(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue())),
      after: fc.jsonValue(),
    });
    const indent = fc.constantFrom(undefined, 4);
    await fc.assert(
      fc.asyncProperty(list, indent, fc.integer({ min: 1, max: 400 }), async (object, spaces, size) => {
        const text = JSON.stringify(object, undefined, spaces);
        expect(await itemsOf(text, size)).toEqual(JSON.parse(text).items);
      }),
      { numRuns: 200 },
    );
  });

  it.each([
    { text: '{"items":[{"a":"]}\\"{["},{"b":[{}]}]}', items: [{ a: ']}"{[' }, { b: [{}] }] },
    { text: '{"spec":{"items":[{"no":1}]},"items":[{"yes":1}]}', items: [{ yes: 1 }] },
    { text: '{"note":"items","other":[{"no":1}],"items":[{"yes":1}]}', items: [{ yes: 1 }] },
    { text: '{"items":[]}', items: [] },
    { text: '{"items":null}', items: [] },
    { text: '{"kind":"Pod"}', items: [] },
  ])('are found as $items in $text', async ({ text, items }) => {
    expect(await itemsOf(text)).toEqual(items);
  });

  it('are found where an item holds what stands between the items', async () => {
    const items = [{ a: 1 }, { a: 2 }, { a: [{ b: 1 }, { b: 2 }] }, { a: 3 }, { a: 4 }];
    const between = '\n  },\n  {';
    const texts = items.map((item) => JSON.stringify(item).replace('},{', between).slice(1, -1));
    const text = `{"items":[\n  {${texts.join(between)}\n  }\n]}`;
    for (const size of [7, 50, 1_000]) expect(await itemsOf(text, size)).toEqual(items);
  });

  it.each([7, 100_000])(
    'nested too deeply are refused wherever they stand, in pieces of %d',
    async (size) => {
      const deep = `${'['.repeat(120)}${']'.repeat(120)}`;
      const text = `{"items":[\n  {"a":1\n  },\n  {"a":2\n  },\n  {"a":${deep}\n  },\n  {"a":4\n  }\n]}`;
      const error = await itemsOf(text, size).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ fault: 'too-deep', items: 2 });
    },
  );

  it.each([
    { text: '{"items":[{"a":1},{"b":', fault: 'cut-off', items: 1 },
    { text: '{"items":[{"a":1},{"b":"', fault: 'cut-off', items: 1 },
    { text: '{"items":[{"a":1}', fault: 'cut-off', items: 1 },
    { text: '{"items":[{"a":1},{"b":nope}]}', fault: 'not-json', items: 1 },
    { text: '{"items":[{"a":1}]}}', fault: 'not-json', items: 1 },
  ])('of $text are reported as $fault after $items items', async ({ text, fault, items }) => {
    expect(await faultOf(text)).toMatchObject({ fault, items });
  });
});
