import * as z from 'zod';
import { boundText } from '../language/text-scanning.js';

/** Makes every level of a parsed object read-only in the type; nothing is frozen at run time. */
export type Immutable<T> = T extends (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends readonly (infer Item)[]
    ? readonly Immutable<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]: Immutable<T[Key]> }
      : T;

/** A JSON object whose fields the model does not interpret; kept for diffs and semantic comparison. */
export type JsonObject = { readonly [key: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What `make` gives for a schema and a fallback, made once: to make a schema takes its time, and most of the
 * model's thousands of fields are the same few.
 */
function once<Made extends z.ZodType>(schema: z.ZodType, key: unknown, make: () => Made): Made {
  const { type, ...more } = schema.def;
  const of = plain.has(type) && Object.keys(more).length === 0 ? type : schema;
  const known = made.get(of) ?? new Map<unknown, z.ZodType>();
  const found = (known.get(key) as Made | undefined) ?? make();
  made.set(of, known.set(key, found));
  return found;
}

/** By schema. A text, number or flag of which nothing more is asked is as good as another. */
const made = new Map<unknown, Map<unknown, z.ZodType>>();
const plain: ReadonlySet<string> = new Set(['string', 'number', 'boolean']);
const [asMaybe, asList] = [Symbol('maybe'), Symbol('list')];

/** The API omits empty fields or sends null for them: both become `undefined`. */
export function maybe<Schema extends z.ZodType>(schema: Schema) {
  return once(schema, asMaybe, () =>
    schema.nullish().transform((value): z.output<Schema> | undefined => value ?? undefined),
  );
}

/**
 * Most lists and maps of most objects are empty: they share one. Frozen, since nobody may write into parsed
 * objects.
 */
const noItems: readonly never[] = Object.freeze([]);
const noEntries: Readonly<Record<string, string>> = Object.freeze({});

/** A list that the API omits when empty. */
export function list<Schema extends z.ZodType>(schema: Schema) {
  return once(schema, asList, () =>
    z
      .array(schema)
      .nullish()
      .transform((value): z.output<Schema>[] =>
        value === undefined || value === null || value.length === 0 ? (noItems as never[]) : value,
      ),
  );
}

/** A field with the default that the API server would have stored. */
export function defaulted<Schema extends z.ZodType, Default extends z.output<Schema>>(
  schema: Schema,
  fallback: Default,
) {
  return once(schema, fallback, () =>
    schema.nullish().transform((value): z.output<Schema> => value ?? fallback),
  );
}

/**
 * Labels, annotations, selectors. Manifests written by hand may hold numbers or booleans: they are read as
 * text.
 */
export const stringMap = z
  .record(
    z.string(),
    z
      .union([z.string(), z.number(), z.boolean()])
      .nullish()
      .transform((value) => String(value ?? '')),
  )
  .nullish()
  .transform((value): Record<string, string> => value ?? noEntries);

/** Every notation of apimachinery `resource.Quantity`: sign, whole, fraction, suffix, exponent. */
export const quantityPattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d{1,3}))?$/;
/** Longer text is refused: no real amount needs it, and bigint arithmetic on it would take for ever. */
export const maxQuantityLength = 128;

/**
 * A quantity in any notation; YAML manifests may hold a bare number. The API server stores no other text, and
 * no amount below 0 (`validation.go: ValidateResourceQuantityValue`): an amount that is none would be taken
 * for 0.
 */
export const quantity = z
  .union([z.string(), z.number()])
  .transform((value) => String(value))
  .refine(isAmount, 'Invalid input: expected a quantity');

function isAmount(text: string): boolean {
  return (
    text.length <= maxQuantityLength && !text.startsWith('-') && /\d/.test(text) && quantityPattern.test(text)
  );
}

/** Resource name to quantity. */
export const resourceList = z
  .record(z.string(), quantity)
  .nullish()
  .transform((value): Record<string, string> => value ?? noEntries);

/**
 * RFC3339 text. YAML readers may have made a Date of it already. Ages of any other text would be no numbers.
 */
export const time = z.union([
  z.string().refine(isTime, 'Invalid input: expected a time'),
  z.date().transform((value) => value.toISOString()),
]);

/** V8 reads a date into almost any text (`-5`), so the form is asked for as well. */
function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text));
}

/** A count or a duration that the API server keeps as an int32 and refuses below 0. */
export const count32 = z.int32().min(0);

/**
 * The same as an int64. Beyond 2^53 a number of JSON is no longer exact, and no count of anything real is so
 * large.
 */
export const count64 = z.int().min(0);

/** apimachinery `IntOrString`: an int32 or a text. */
export const intOrString = z.union([z.int32(), z.string()]);

/**
 * An `IntOrString` that the API server refuses below 0. A text that is no percentage is left to the engines.
 */
export const countOrPercent = z.union([count32, z.string().regex(/^(?!-)/)]);
export type IntOrString = z.output<typeof intOrString>;

/**
 * Characters that are kept of a message that a controller, kubelet, runtime or webhook wrote, in events,
 * conditions and statuses. Events hold 1,024 bytes and termination messages 4,096; admission webhooks may
 * answer with any length.
 */
export const maxMessage = 16_384;

/** Such a message, bounded before any rule matches anything in it; one that is longer ends with `…`. */
export const message = z.string().transform((text) => boundText(text, maxMessage));

/** A JSON object kept as it came. */
export const rawObject = z.record(z.string(), z.unknown()).transform((value): JsonObject => value);
