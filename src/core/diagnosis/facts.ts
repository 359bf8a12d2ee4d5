import { z } from 'zod';
import type { Immutable } from '../cluster/wire.js';

/** The schema of the facts of one cause: a strict object, so that no field is stored that it does not describe. */
export type FactSchema = z.ZodType<Record<string, unknown>>;

export type FactsOf<Schema extends z.ZodType> = Immutable<z.output<Schema>>;

/**
 * Fields of facts. Each has a description, from which `docs/facts.md` is generated; the functions add the unit to it.
 * Numbers carry the unit in their names as well: `waitingSeconds`.
 */
export const fact = {
  text: (about: string) => z.string().describe(about),
  names: (about: string) => z.array(z.string()).describe(about),
  count: (about: string) => z.int().nonnegative().describe(about),
  number: (about: string) => z.number().describe(about),
  flag: (about: string) => z.boolean().describe(about),
  seconds: (about: string) => z.number().describe(`${about}, in seconds`),
  time: (about: string) => z.string().describe(`${about} (RFC3339)`),
  quantity: (about: string) => z.string().describe(`${about} (Kubernetes quantity)`),
  oneOf: <const Values extends readonly [string, ...string[]]>(values: Values, about: string) =>
    z.enum(values).describe(about),
  list: <Item extends z.ZodType>(item: Item, about: string) => z.array(item).describe(about),
} as const;
