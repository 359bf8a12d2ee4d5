import * as z from 'zod';
import type { Prose } from './prose.js';

/** Values of a statement survive JSON: a finding is stored and told later, in any language. */
export type StatementValue =
  | string
  | number
  | boolean
  | undefined
  | readonly StatementValue[]
  | { readonly [key: string]: StatementValue };

/** The values of a sentence that needs none. */
export type NoValues = Readonly<Record<never, never>>;

/**
 * What a statement is beside a step of a reasoning or a doubt. `conclusion`: what would be without the
 * holder, or that nothing else will help. `readiness`: how many pods serve meanwhile. A card shows both below
 * the steps. `escape`: a doubt that names what is under way and may end a wait.
 */
const StatementRole = z.enum(['conclusion', 'readiness', 'escape']);
type StatementRole = z.output<typeof StatementRole>;

/**
 * Something a rule or an engine states: which catalogue tells it, which sentence, and the values. Rules hold
 * no sentences; the card, the command line, the audit and the tests all speak of these facts.
 */
export const Statement = z.object({
  catalogue: z.string(),
  key: z.string(),
  values: z.record(z.string(), z.unknown()),
  /** Its values repeat what a program inside a container wrote: log lines, or its termination message. */
  quotesLogs: z.literal(true).optional(),
  role: StatementRole.optional(),
  /** Times that go on until now are lower bounds in it. */
  atLeast: z.literal(true).optional(),
});
export interface Statement {
  readonly catalogue: string;
  readonly key: string;
  readonly values: { readonly [value: string]: unknown };
  readonly quotesLogs?: true | undefined;
  readonly role?: StatementRole | undefined;
  readonly atLeast?: true | undefined;
  /** Names of objects that its reader may not see, set where it is about to be shown; they are never told. */
  readonly hiddenNames?: readonly string[] | undefined;
}

/** The same statement, marked as one that repeats log lines. */
export function quotingLogs(statement: Statement): Statement {
  return { ...statement, quotesLogs: true };
}

/** The same statement in another role than a step of the reasoning or a plain doubt. */
export function inRole(role: StatementRole, statement: Statement): Statement {
  return { ...statement, role };
}

/** The same with every statement in it marked: nobody knows when now is. */
export function withTimesAsBounds<Value>(value: Value): Value {
  return bounded(value) as Value;
}

function bounded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bounded);
  if (typeof value !== 'object' || value === null) return value;
  if ('catalogue' in value && 'key' in value && 'values' in value) return { ...value, atLeast: true };
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, bounded(field)]));
}

/** A code of the statement for the audit log and for JSON. No decision may depend on it. */
export function codeOf({ key }: Statement): string {
  return key;
}

/** The same statement with each text of its values replaced. */
export function withChangedValues(
  statement: Statement,
  change: (values: Statement['values']) => unknown,
): Statement {
  return { ...statement, values: change(statement.values) as Statement['values'] };
}

/** The sentences of one language by key, as functions of the values that their statements carry. */
type Sentences = { readonly [key: string]: (...values: never[]) => Prose };

/** For each key of these sentences, the values that its sentence needs. */
export type ValuesOf<English extends Sentences> = {
  readonly [Key in keyof English]: Parameters<English[Key]> extends [infer Values] ? Values : NoValues;
};

/** Makes statements of one catalogue; the compiler checks key and values against its English sentences. */
export type State<English extends Sentences> = <Key extends keyof English & string>(
  key: Key,
  ...values: Parameters<English[Key]>
) => Statement;

/**
 * @typeParam English the type of the English sentences
 * @param catalogue the id under which the catalogue is registered, e.g. a cause id
 */
export function statementsOf<English extends Sentences>(catalogue: string): State<English> {
  return (key, ...[values]) => ({ catalogue, key, values: values ?? {} });
}
