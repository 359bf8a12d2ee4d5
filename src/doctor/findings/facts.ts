import * as z from 'zod';
import type { Immutable } from '../../engine/objects/wire.js';

/**
 * The schema of the facts of one cause: a strict object, so that no field is stored that it does not
 * describe.
 */
export type FactSchema = z.ZodType<Record<string, unknown>>;

export type FactsOf<Schema extends z.ZodType> = Immutable<z.output<Schema>>;

/**
 * Fields of facts. Each has a description, from which `docs/facts.md` is generated; the functions add the
 * unit to it. Numbers carry the unit in their names as well: `waitingSeconds`.
 */
export const fact = {
  text: (about: string) => described(z.string(), about),
  names: (about: string) => described(z.array(z.string()), about),
  count: (about: string) => described(z.int().nonnegative(), about),
  number: (about: string) => described(z.number(), about),
  flag: (about: string) => described(z.boolean(), about),
  seconds: (about: string) => described(z.number(), `${about}, in seconds`),
  time: (about: string) => described(z.string(), `${about} (RFC3339)`),
  quantity: (about: string) => described(z.string(), `${about} (Kubernetes quantity)`),
  oneOf: <const Values extends readonly [string, ...string[]]>(values: Values, about: string) =>
    described(z.enum(values), about),
  list: <Item extends z.ZodType>(item: Item, about: string) => described(z.array(item), about),
} as const;

/**
 * As `describe` does it, but without a second schema for each field: every process begins with hundreds of
 * them.
 */
function described<Schema extends z.ZodType>(schema: Schema, description: string): Schema {
  z.globalRegistry.add(schema, { description });
  return schema;
}
