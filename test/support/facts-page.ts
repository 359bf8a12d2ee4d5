import { z } from 'zod';
import { crashFacts } from '#src/doctor/findings/crashes/facts.js';
import { deadlockFacts } from '#src/doctor/findings/deadlock/facts.js';
import { creationFacts } from '#src/doctor/findings/refused-creation.js';
import type { AnyRule } from '#src/doctor/findings/rule.js';
import { waitingFacts } from '#src/doctor/findings/waiting/facts.js';

type Shape = Readonly<Record<string, z.ZodType>>;

/** Fields that all causes of a family have. */
const families: readonly { readonly title: string; readonly shape: Shape }[] = [
  { title: 'Facts about failing pods', shape: crashFacts },
  { title: 'Facts about pods without a node', shape: waitingFacts },
  { title: 'Facts about deadlocks', shape: deadlockFacts },
  { title: 'Facts about refused creations', shape: creationFacts },
];

/** The page of the facts of all causes, from the schemas of their rules. */
export function factsPage(rules: readonly AnyRule[]): string {
  return [
    ...families.map(({ title, shape }) => section(title, shape)),
    ...rules.map(({ id, facts }) => sectionOf(id, facts)),
  ].join('\n');
}

function sectionOf(id: string, schema: z.ZodType): string {
  const shape = (schema as z.ZodObject).shape as Shape;
  const shared = families.filter((family) =>
    Object.entries(family.shape).every(([key, field]) => shape[key] === field),
  );
  const own = Object.fromEntries(
    Object.entries(shape).filter(([key]) => !shared.some((family) => key in family.shape)),
  );
  const links = shared.map(({ title }) => `[${title}](#${title.toLowerCase().replaceAll(' ', '-')})`);
  return section(`\`${id}\``, own, links);
}

/** A heading, links to what it shares with others, and a table of its fields. */
export function section(title: string, shape: Shape, links: readonly string[] = []): string {
  const rows = new Map(rowsOf(shape, '').map((row) => [row[0], row] as const));
  return [
    `## ${title}`,
    '',
    ...(links.length === 0 ? [] : [`${links.join(' and ')}${rows.size === 0 ? '.' : ', and:'}`, '']),
    ...(rows.size === 0 ? [] : ['| field | type | meaning |', '| --- | --- | --- |']),
    ...[...rows.values()].map((row) => `| ${row.join(' | ')} |`),
    ...(rows.size === 0 ? [] : ['']),
  ].join('\n');
}

type Row = readonly [path: string, type: string, about: string];

function rowsOf(shape: Shape, at: string): readonly Row[] {
  return Object.entries(shape).flatMap(([key, schema]) => {
    const path = `${at}${key}`;
    const inner = unwrapped(schema);
    const about = schema.description ?? inner.description ?? '';
    const optional = schema instanceof z.ZodOptional ? '?' : '';
    return [
      [`\`${path}\`${optional}`, typeOf(inner), about.replaceAll('|', '\\|')] as const,
      ...below(inner, path),
    ];
  });
}

function below(schema: z.ZodType, path: string): readonly Row[] {
  if (schema instanceof z.ZodArray) return below(unwrapped(schema.element as z.ZodType), `${path}[]`);
  if (schema instanceof z.ZodObject) return rowsOf(schema.shape as Shape, `${path}.`);
  if (!(schema instanceof z.ZodUnion)) return [];
  const shapes = (schema.options as readonly z.ZodObject[]).map(({ shape }) => shape as Shape);
  return [tagRow(shapes, path), ...shapes.flatMap((shape) => rowsOf(withoutTag(shape), `${path}.`))];
}

/** The field that distinguishes the objects of a union is first in each of them. */
function tagRow(shapes: readonly Shape[], path: string): Row {
  const [tag = ''] = Object.keys(shapes[0] ?? {});
  const values = shapes.flatMap((shape) => {
    const schema = shape[tag];
    return schema instanceof z.ZodLiteral ? [...schema.values] : (schema as z.ZodEnum).options;
  });
  const fields = shapes.flatMap((shape) => Object.keys(withoutTag(shape)));
  const about = fields.length === 0 ? '' : 'Which of the fields below are there depends on it';
  return [`\`${path}.${tag}\``, values.map((value) => `\`${value}\``).join(', '), about];
}

function withoutTag(shape: Shape): Shape {
  return Object.fromEntries(Object.entries(shape).slice(1));
}

function unwrapped(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional ? unwrapped(schema.unwrap() as z.ZodType) : schema;
}

function typeOf(schema: z.ZodType): string {
  if (schema instanceof z.ZodArray)
    return `list of ${plural(typeOf(unwrapped(schema.element as z.ZodType)))}`;
  if (schema instanceof z.ZodEnum) return schema.options.map((value) => `\`${value}\``).join(', ');
  if (schema instanceof z.ZodObject || schema instanceof z.ZodUnion) return 'object';
  if (schema instanceof z.ZodBoolean) return 'boolean';
  return schema instanceof z.ZodNumber ? 'number' : 'string';
}

function plural(type: string): string {
  return type.startsWith('`') ? type : `${type}s`;
}
