import { z } from 'zod';
import * as shapes from '#src/edges/library/shapes.js';
import { section } from './facts-page.js';

/** Every answer in `rollout-doctor/v1`, by the `kind` that it states. */
const answers: ReadonlyMap<string, z.ZodObject> = new Map(
  Object.values(shapes).map((schema) => [String(schema.shape.kind.value), schema]),
);

/** The page of the fields of every answer. */
export function answersPage(): string {
  return [...answers]
    .map(([kind, schema]) => {
      const { apiVersion: _version, kind: _kind, ...fields } = schema.shape;
      const shown = Object.fromEntries(
        Object.entries(fields).map(([key, field]) => [key, withoutAnswer(field)]),
      );
      const [heading = '', ...table] = section(`\`${kind}\``, shown).split('\n');
      return [heading, '', `${schema.description ?? ''}.`, ...table].join('\n');
    })
    .join('\n');
}

/** An answer within another one has its own table. */
function withoutAnswer(field: z.ZodType): z.ZodType {
  const inner = field instanceof z.ZodOptional ? field.unwrap() : field;
  const element = inner instanceof z.ZodArray ? inner.element : inner;
  const [kind] = [...answers].find(([, schema]) => schema === element) ?? [];
  if (kind === undefined) return field;
  const about = `As [\`${kind}\`](#${kind.toLowerCase()})`;
  const empty = inner instanceof z.ZodArray ? z.array(z.object({})) : z.object({});
  return field instanceof z.ZodOptional ? empty.optional().describe(about) : empty.describe(about);
}

/**
 * All answers as one JSON Schema. It allows further fields, because fields are added within
 * `rollout-doctor/v1`.
 */
export function answersSchema(): string {
  const definitions = [...answers].map(([kind, schema]) => {
    const { $schema, ...definition } = z.toJSONSchema(schema, { io: 'input', reused: 'inline' });
    return [kind, definition] as const;
  });
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Answers of Rollout Doctor, rollout-doctor/v1',
    oneOf: definitions.map(([kind]) => ({ $ref: `#/$defs/${kind}` })),
    $defs: Object.fromEntries(definitions),
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}
