import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLines } from '#src/edges/kubernetes/watch/watch-collection.js';

async function* pieces(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

async function read(texts: readonly string[]): Promise<unknown[]> {
  const values: unknown[] = [];
  for await (const value of jsonLines(pieces(texts))) values.push(value);
  return values;
}

describe('a stream of JSON lines', () => {
  it('parses to the same values wherever the stream is cut', async () => {
    const value = fc.oneof(fc.integer(), fc.string(), fc.dictionary(fc.string(), fc.string()));
    await fc.assert(
      fc.asyncProperty(fc.array(value), fc.array(fc.nat(80)), async (values, cuts) => {
        const text = values.map((each) => `${JSON.stringify(each)}\n`).join('');
        const places = [...cuts.filter((cut) => cut < text.length), text.length].sort((a, b) => a - b);
        const parts = places.map((place, i) => text.slice(places[i - 1] ?? 0, place));
        expect(await read(parts)).toEqual(JSON.parse(JSON.stringify(values)));
      }),
      { numRuns: 100, seed: 8 },
    );
  });

  it('skips empty lines and a last line that was cut off', async () => {
    expect(await read(['{"a":1}\n\n\r\n{"b"', ':2}\n{"c":'])).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it.each<[string, readonly string[]]>([
    ['is no JSON', ['<html>\n']],
    ['never ends', Array.from({ length: 9 }, () => 'x'.repeat(1_000_000))],
  ])('fails at a line that %s', async (_, texts) => {
    await expect(read(texts)).rejects.toThrow(SyntaxError);
  });
});
