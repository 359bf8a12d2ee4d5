import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { parserOf } from '#src/edges/kubernetes/object-schema.js';

const text = z.string();

/** One schema for each way in which the parser reads a schema or leaves it to zod. */
const schemas: Readonly<Record<string, z.ZodType>> = {
  text,
  'a text with a length': text.min(2),
  'a text with a pattern': text.regex(/^a/),
  'a text with a format': z.uuid(),
  'a text made of anything': z.coerce.string(),
  'a flag': z.boolean(),
  'a flag made of anything': z.coerce.boolean(),
  'a whole number': z.int32().min(0),
  anything: z.unknown(),
  'one text': z.literal('a'),
  'a list': z.array(text).max(1),
  'a text, null or nothing': text.nullish(),
  'a text or nothing, with another in place of nothing': text.default('b').optional(),
  'a text with another in place of nothing': text.default('b'),
  'a number or a text': z.union([z.number(), text]),
  'a text with its opposite': z.codec(text, text, {
    decode: (value) => `${value}!`,
    encode: (value) => value,
  }),
  'a transformation with problems': text.transform((value, context) => {
    if (value === 'a') context.addIssue({ code: 'custom', message: 'a' });
    return value.length;
  }),
  'a refined text': text.refine((value) => value !== 'a'),
  'a map': z.record(z.string(), z.unknown()),
  'a map with few names': z.partialRecord(z.enum(['a', 'b']), text),
  'an object': z.object({
    a: text.optional(),
    b: text.nullish().transform((value) => value ?? undefined),
    c: text.nullish().transform((value) => value ?? 'c'),
  }),
  'an object with a field that must be there': z.object({ a: z.undefined() }),
  'an object with a field that is absent or a text': z.object({ a: z.exactOptional(text) }),
  'an object with a default': z.object({ a: text.default('a'), b: text.default('b').optional() }),
  'an object with nothing as the default': z.object({ a: text.optional().default(undefined as never) }),
  'an object with a field that is made of nothing': z.object({
    a: text
      .optional()
      .transform(() => 'a')
      .pipe(text.optional() as never),
  }),
  'an object with other fields': z.looseObject({ a: text.optional() }),
};

const values: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  0.5,
  2 ** 40,
  Number.NaN,
  '',
  'a',
  'ab',
  '7',
  'd9428888-122b-11e1-b85c-61cd3cbb3210',
  [],
  ['a'],
  ['a', 7],
  [undefined],
  {},
  { a: undefined },
  { a: 'a', b: null, c: null },
  { a: 7 },
  { b: 'b', d: 'd' },
  JSON.parse('{"a":"a","__proto__":{"b":"b"}}'),
  new Date(0),
  new Map([['a', 'a']]),
];

describe.each(Object.entries(schemas))('a parser of %s', (_, schema) => {
  it.each(values.map((value, at) => [at, value]))(
    'makes of value %i what zod makes of it, or leaves it to zod',
    (_at, value) => {
      const parsed = schema.safeParse(value);
      const quick = z.core.withParser(schema, parserOf(schema) as never).safeParse(value);

      expect(quick.success).toBe(parsed.success);
      expect(quick.data).toStrictEqual(parsed.data);
      expect(Object.getPrototypeOf(Object(quick.data))).toBe(Object.getPrototypeOf(Object(parsed.data)));
      expect(Object.keys(Object(quick.data))).toEqual(Object.keys(Object(parsed.data)));
      expect(quick.error?.issues.map(({ path, message }) => [path, message])).toEqual(
        parsed.error?.issues.map(({ path, message }) => [path, message]),
      );
    },
  );
});

describe('a parser of an object', () => {
  it('reads it without zod when it fits', () => {
    const schema = z.object({
      a: text,
      b: z.array(z.boolean()).nullish(),
      c: z.record(text, text.nullable()),
    });
    const object = { a: 'a', b: [true], c: { d: null } };

    expect(parserOf(schema)({ ...object, unknown: 7 })).toStrictEqual(object);
  });
});

describe('a parser of a checked text', () => {
  it('asks the check once about a text that passes, and each time about one that does not', () => {
    const asked: string[] = [];
    const schema = text.refine((value) => {
      asked.push(value);
      return value !== 'bad';
    });
    const parse = parserOf(z.array(schema));

    expect(parse(['good', 'bad'])).toBe(z.core.INVALID);
    expect(parse(['good', 'good'])).toEqual(['good', 'good']);
    expect(parse(['bad'])).toBe(z.core.INVALID);
    expect(asked).toEqual(['good', 'bad', 'bad']);
  });
});

describe('a parser of a list or map', () => {
  it('leaves what it was given unchanged where something in it changes', () => {
    const size = text.transform((value) => value.length);
    const given = { list: ['a', 'ab'], map: { a: 'a', b: 'ab' } };

    expect(parserOf(z.object({ list: z.array(size), map: z.record(text, size) }))(given)).toEqual({
      list: [1, 2],
      map: { a: 1, b: 2 },
    });
    expect(given).toEqual({ list: ['a', 'ab'], map: { a: 'a', b: 'ab' } });
  });
});
