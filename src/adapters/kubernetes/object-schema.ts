import type { z } from 'zod';
import { withParser } from 'zod/v4/core';
import { type ResourceKind, schemas } from '../../core/cluster/cluster-objects.js';
import { parserOf } from './schema-parser.js';

const quick = new Map<ResourceKind, z.ZodType>();

/** The schema of a kind, which parses objects that fit in a fraction of the time. */
export function quickSchema<Kind extends ResourceKind>(kind: Kind): (typeof schemas)[Kind] {
  const schema: z.ZodType =
    quick.get(kind) ?? withParser(schemas[kind] as z.ZodType, parserOf(schemas[kind]) as never);
  quick.set(kind, schema);
  return schema as (typeof schemas)[Kind];
}
