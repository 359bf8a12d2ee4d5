import type { z } from 'zod';
import * as core from 'zod/v4/core';
import { withParser } from 'zod/v4/core';
import { type ResourceKind, schemas } from '../../engine/objects/cluster-objects.js';

const quick = new Map<ResourceKind, z.ZodType>();

/** The schema of a kind, which parses objects that fit in a fraction of the time. */
export function quickSchema<Kind extends ResourceKind>(kind: Kind): (typeof schemas)[Kind] {
  const schema: z.ZodType =
    quick.get(kind) ?? withParser(schemas[kind] as z.ZodType, parserOf(schemas[kind]) as never);
  quick.set(kind, schema);
  return schema as (typeof schemas)[Kind];
}

/**
 * Entries of all lists of one object. An EndpointSlice of a thousand endpoints has two thousand. To parse a
 * container takes zod 20 µs, and an object of a megabyte has room for a hundred thousand.
 */
const maxEntries = 2_500;

/** Fields of an object with more are those of a map that somebody fills, such as labels. */
const wide = 256;
/** Fields of all such maps of one object. The API server takes annotations of 256 KiB. */
const maxWideFields = 10_000;

/** The object, or a value that no schema takes where its lists and maps have more entries than are parsed. */
export function boundedEntries(object: unknown): unknown {
  return isBounded(object, { entries: maxEntries, wideFields: maxWideFields }) ? object : tooManyEntries;
}

const tooManyEntries = Symbol('too many entries');

/** What is left of the limits is kept in `left`. At most a few more than the limit are counted. */
function isBounded(value: unknown, left: { entries: number; wideFields: number }): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) {
    left.entries -= value.length;
    return left.entries >= 0 && value.every((each) => isBounded(each, left));
  }
  let fields = 0;
  for (const name in value) {
    fields += 1;
    if (fields > wide) left.wideFields -= 1;
    if (left.wideFields < 0) return false;
    // A node may list thousands of images, which no schema reads.
    if (name === 'images') continue;
    if (!isBounded((value as Readonly<Record<string, unknown>>)[name], left)) return false;
  }
  return true;
}

/** Gives what the schema makes of a value, or `core.INVALID` where zod itself has to decide. */
type Parser = (value: unknown) => unknown;

/**
 * A parser for values that fit, of functions that call each other, which `z.withParser` puts before zod's
 * own. It is as fast as what `z.compile` makes of a schema, and costs nothing to make: a process that reads
 * one list of pods is done before the source text of a compiled schema would be.
 *
 * What it does not know by the definition of the schema it leaves to zod, and so it does with each value that
 * does not fit: it reports no errors.
 */
export function parserOf(schema: core.$ZodType): Parser {
  const parse = known.get(schema) ?? withChecks(schema, withoutChecks(schema as core.$ZodTypes));
  known.set(schema, parse);
  return parse;
}

const known = new WeakMap<core.$ZodType, Parser>();

function withoutChecks(schema: core.$ZodTypes): Parser {
  // A format is its own check.
  if (schema instanceof core.$ZodCheck) return asZodDoes(schema);
  const { def } = schema._zod;
  switch (def.type) {
    case 'string':
      return def.coerce === true ? asZodDoes(schema) : ofType('string');
    case 'boolean':
      return def.coerce === true ? asZodDoes(schema) : ofType('boolean');
    case 'unknown':
      return (value) => value;
    case 'nullable':
      return unless(null, parserOf(def.innerType));
    case 'optional':
      return schema instanceof core.$ZodExactOptional || def.innerType._zod.optin === 'defaulted'
        ? asZodDoes(schema)
        : unless(undefined, parserOf(def.innerType));
    case 'union':
      return firstOf(def.options.map(parserOf));
    case 'array':
      return eachOf(parserOf(def.element));
    case 'record':
      return isPlainText(def.keyType) && def.mode === undefined
        ? entriesOf(parserOf(def.valueType))
        : asZodDoes(schema);
    case 'object':
      return def.catchall === undefined ? fieldsOf(def.shape) : asZodDoes(schema);
    case 'transform':
      return def.transform.length > 1 ? asZodDoes(schema) : (value) => transformed(def.transform, value);
    case 'pipe':
      return schema instanceof core.$ZodCodec
        ? asZodDoes(schema)
        : inTurn(parserOf(def.in), parserOf(def.out));
    default:
      return asZodDoes(schema);
  }
}

function asZodDoes(schema: core.$ZodType): Parser {
  return (value) => {
    const parsed = core.safeParse(schema, value);
    return parsed.success ? parsed.data : core.INVALID;
  };
}

function withChecks(schema: core.$ZodType, parse: Parser): Parser {
  const { checks = [] } = schema._zod.def;
  if (checks.length === 0 || schema instanceof core.$ZodCheck) return parse;
  if (checks.some(({ _zod }) => _zod.def.when !== undefined)) return asZodDoes(schema);
  const passed = new Set<unknown>();
  return (given) => {
    const value = parse(given);
    if (value === core.INVALID || passed.has(value)) return value;
    const payload: core.ParsePayload = { value, issues: [] };
    for (const { _zod } of checks) void _zod.check(payload as core.ParsePayload<never>);
    if (payload.issues.length > 0) return core.INVALID;
    const isKept = typeof value === 'string' && value.length <= maxKept && passed.size < textsKept;
    if (isKept && payload.value === value) passed.add(value);
    return payload.value;
  };
}

/** Thousands of nodes have the same few quantities and times: texts that passed the checks of a schema. */
const textsKept = 4_096;
const maxKept = 64;

function isPlainText({ _zod: { def } }: core.$ZodType): boolean {
  return def.type === 'string' && (def.checks ?? []).length === 0;
}

function ofType(type: 'string' | 'boolean'): Parser {
  return (value) => (typeof value === type ? value : core.INVALID);
}

function unless(empty: null | undefined, parse: Parser): Parser {
  return (value) => (value === empty ? value : parse(value));
}

function firstOf(parsers: readonly Parser[]): Parser {
  return (value) => {
    for (const parse of parsers) {
      const parsed = parse(value);
      if (parsed !== core.INVALID) return parsed;
    }
    return core.INVALID;
  };
}

/** A list of which nothing changes stays the same: what is parsed was made for it. */
function eachOf(parse: Parser): Parser {
  return (value) => {
    if (!Array.isArray(value)) return core.INVALID;
    let changed: unknown[] | undefined;
    for (let at = 0; at < value.length; at += 1) {
      const parsed = parse(value[at]);
      if (parsed === core.INVALID) return core.INVALID;
      if (parsed !== value[at]) changed ??= [...value];
      if (changed !== undefined) changed[at] = parsed;
    }
    return changed ?? value;
  };
}

function entriesOf(parse: Parser): Parser {
  return (value) => {
    if (!isPlain(value)) return core.INVALID;
    let changed: Record<string, unknown> | undefined;
    for (const key in value) {
      const parsed = key === '__proto__' ? core.INVALID : parse(value[key]);
      if (parsed === core.INVALID) return core.INVALID;
      if (parsed !== value[key]) changed ??= { ...value };
      if (changed !== undefined) changed[key] = parsed;
    }
    return changed ?? value;
  };
}

/** As zod has it: a field that is absent stays absent where the schema gives nothing for it. */
function fieldsOf(shape: Readonly<Record<string, core.$ZodType>>): Parser {
  const fields = Object.entries(shape).map(([name, schema]) => {
    const { optin, optout } = schema._zod;
    return {
      name,
      parse: parserOf(schema),
      isRequired: optin === undefined,
      isLeftOut: optin === 'optional' && optout === 'optional',
      isDefaulted: optin === 'defaulted',
    };
  });
  const Alike = makerOfAlike();
  return (value) => {
    if (!isPlain(value)) return core.INVALID;
    const object = new Alike();
    for (const { name, parse, isRequired, isLeftOut, isDefaulted } of fields) {
      const given = value[name];
      const isAbsent = given === undefined && !(name in value);
      if (isAbsent && isRequired) return core.INVALID;
      if (isAbsent && isLeftOut) continue;
      const parsed = parse(given);
      if (parsed === core.INVALID) return core.INVALID;
      if (parsed !== undefined || !isAbsent) object[name] = parsed;
      else if (isDefaulted) return core.INVALID;
    }
    return object;
  };
}

/**
 * Makes empty objects that are about to get the same fields. V8 learns from the first how much place the
 * fields of the others need, and puts them into the object itself; those of `{}` beyond the fourth lie in an
 * array apart.
 */
function makerOfAlike(): new () => Record<string, unknown> {
  // biome-ignore lint/complexity/useArrowFunction: it is called with `new`.
  const Alike = function (): void {};
  Alike.prototype = Object.prototype;
  return Alike as unknown as new () => Record<string, unknown>;
}

function inTurn(first: Parser, second: Parser): Parser {
  return (value) => {
    const between = first(value);
    return between === core.INVALID ? core.INVALID : second(between);
  };
}

function transformed(transform: core.$ZodTransformDef['transform'], value: unknown): unknown {
  const payload: core.ParsePayload = { value, issues: [] };
  const result = transform(value, payload);
  return payload.issues.length === 0 ? result : core.INVALID;
}

/** Of JSON, and of what the reader of protobuf makes. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
