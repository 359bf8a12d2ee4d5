import * as z from 'zod';
import { type ResourceKind, schemas } from '../../core/cluster/cluster-objects.js';
import { lazy } from '../../core/placement/lazy.js';

const compiled = {
  Node: lazy(() => z.compile(schemas.Node)),
  Pod: lazy(() => z.compile(schemas.Pod)),
};

/**
 * To compile a schema takes as long as to parse about so many objects with it as it is. An object then takes a fifth of
 * the time. The schema is compiled after as many objects, so that a process which reads few never pays for it.
 */
const compiledAfter = { Node: 150, Pod: 1_000 };
const parsed = { Node: 0, Pod: 0 };

/** The schema for the next object of a kind that this process reads. */
export function schemaForNext<Kind extends ResourceKind>(kind: Kind): (typeof schemas)[Kind] {
  const schema: unknown = kind === 'Node' || kind === 'Pod' ? compiledLater(kind) : schemas[kind];
  return schema as (typeof schemas)[Kind];
}

function compiledLater(kind: 'Node' | 'Pod'): unknown {
  parsed[kind] += 1;
  return parsed[kind] > compiledAfter[kind] ? compiled[kind]() : schemas[kind];
}
