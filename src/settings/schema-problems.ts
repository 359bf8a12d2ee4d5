import type { z } from 'zod';
import { nearestName } from '../engine/language/nearest-name.js';
import { type FieldKind, type SettingProblem, settingProblem } from '../service/inspect/setting-problem.js';

/** Problems of one file that are worth a person's time, and characters of a text that is quoted. */
const maxProblems = 20;
const maxQuoted = 400;

type Issue = z.core.$ZodIssue;
type Schema = z.core.$ZodType;

/**
 * What is wrong in a settings file, field by field.
 *
 * @param variable that names the file
 * @param schema of the file; it gives the fields that are known and examples of what they take
 * @param content of the file
 */
export function schemaProblems(
  variable: string,
  schema: Schema,
  content: unknown,
  { issues }: { issues: readonly Issue[] },
): readonly SettingProblem[] {
  const problems: SettingProblem[] = [];
  // A file may hold a hundred thousand mistakes, and it is read again and again.
  for (const issue of issues) {
    for (const each of withoutUnions(issue)) {
      problems.push(...problemsOf(variable, schemasAt([schema], each.path), content, each));
      if (problems.length >= maxProblems) return problems.slice(0, maxProblems);
    }
  }
  return problems;
}

/** Of a choice between schemas, the problems of the one that fits best: whose problems are the deepest. */
function* withoutUnions(issue: Issue, before: readonly PropertyKey[] = []): Generator<Issue> {
  const path = [...before, ...issue.path];
  const deepest = issue.code === 'invalid_union' ? deepestErrors(issue.errors) : undefined;
  if (deepest === undefined) yield { ...issue, path };
  else for (const error of deepest) yield* withoutUnions(error, path);
}

function deepestErrors(errors: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  return errors
    .filter((each) => each.every((error) => error.path.length > 0))
    .toSorted((a, b) => a.length - b.length)[0];
}

function problemsOf(
  variable: string,
  schemas: readonly Schema[],
  content: unknown,
  issue: Issue,
): readonly SettingProblem[] {
  const where = `${variable} ${pathText(issue.path)}`.trim().slice(0, maxQuoted);
  const found = valueAt(content, issue.path);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = schemas.flatMap(fieldsOf);
      return issue.keys.slice(0, maxProblems).map((key) => {
        const field = key.slice(0, maxQuoted);
        return settingProblem(where, 'unknown-field', { field, nearest: nearestName(field, known), known });
      });
    }
    case 'invalid_type':
    case 'invalid_union': {
      const key = found === undefined ? 'required' : 'wrong-kind';
      return [settingProblem(where, key, { kind: kindOf(schemas), example: exampleOf(schemas) })];
    }
    case 'invalid_value': {
      const choices = issue.values.map(String);
      if (found === undefined) {
        return [settingProblem(where, 'required', { kind: kindOf(schemas), example: choices[0] })];
      }
      const nearest = typeof found === 'string' ? nearestName(found, choices) : undefined;
      return [settingProblem(where, 'not-a-choice', { nearest, choices })];
    }
    case 'too_small':
      if (issue.origin !== 'number') return [settingProblem(where, 'empty', {})];
      return [settingProblem(where, 'too-small', { least: Number(issue.minimum) })];
    case 'too_big':
      return [settingProblem(where, 'too-large', { most: Number(issue.maximum) })];
    default:
      return [settingProblem(where, 'other', { problem: issue.message.slice(0, maxQuoted) })];
  }
}

/** `grants[0].namespaces` */
function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, place) =>
      typeof part === 'number' ? `[${part}]` : `${place === 0 ? '' : '.'}${String(part)}`,
    )
    .join('');
}

function valueAt(content: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, part)
        ? (value as Readonly<Record<PropertyKey, unknown>>)[part]
        : undefined,
    content,
  );
}

/** The schemas at a place; several where the file may hold one of several. */
function schemasAt(schemas: readonly Schema[], path: readonly PropertyKey[]): readonly Schema[] {
  return path.reduce<readonly Schema[]>(
    (level, part) => level.flatMap(unwrapped).flatMap((schema) => memberOf(schema, part)),
    schemas,
  );
}

/** Without what surrounds a schema: defaults, options, and the like. */
function unwrapped(schema: Schema): readonly Schema[] {
  const { def } = schema._zod as unknown as {
    readonly def: { readonly innerType?: Schema; readonly in?: Schema; readonly options?: readonly Schema[] };
  };
  if (def.options !== undefined) return def.options.flatMap(unwrapped);
  const inner = def.innerType ?? def.in;
  return inner === undefined ? [schema] : unwrapped(inner);
}

function memberOf(schema: Schema, part: PropertyKey): readonly Schema[] {
  const { def } = schema._zod as unknown as {
    readonly def: {
      readonly shape?: Readonly<Record<PropertyKey, Schema>>;
      readonly element?: Schema;
      readonly valueType?: Schema;
    };
  };
  const shape = def.shape;
  if (shape !== undefined) {
    const member = Object.hasOwn(shape, part) ? shape[part] : undefined;
    return member === undefined ? [] : [member];
  }
  const member = def.element ?? def.valueType;
  return member === undefined ? [] : [member];
}

function fieldsOf(schema: Schema): readonly string[] {
  return unwrapped(schema).flatMap((each) => {
    const { def } = each._zod as unknown as { readonly def: { readonly shape?: object } };
    return Object.keys(def.shape ?? {});
  });
}

const kinds: Readonly<Record<string, FieldKind>> = {
  array: 'list',
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  object: 'mapping',
  record: 'mapping',
};

function kindOf(schemas: readonly Schema[]): FieldKind {
  const found = schemas.flatMap(unwrapped).map(({ _zod: { def } }) => kinds[def.type]);
  return found.includes('list') ? 'list' : (found.find((kind) => kind !== undefined) ?? 'value');
}

/** An example that the schema carries as metadata, or its first choices. */
function exampleOf(schemas: readonly Schema[]): string | undefined {
  return schemas.map(exampleIn).find((example) => example !== undefined);
}

function exampleIn(schema: Schema): string | undefined {
  const { meta } = schema as { readonly meta?: () => { readonly example?: unknown } | undefined };
  const example = meta?.call(schema)?.example;
  if (typeof example === 'string') return example;
  const { def } = schema._zod as unknown as { readonly def: { readonly innerType?: Schema } };
  return def.innerType === undefined ? undefined : exampleIn(def.innerType);
}
