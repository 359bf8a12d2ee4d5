import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { boundedEntries, quickSchema } from '#src/edges/kubernetes/object-schema.js';
import {
  isResourceKind,
  type ResourceKind,
  resourceKinds,
  schemas,
} from '#src/engine/objects/cluster-objects.js';
import { scenarioFolders, scenariosFolder } from '../../../support/scenarios/scenario-folders.js';

const Items = z.object({ items: z.array(z.looseObject({ kind: z.string() })) });

/** Recorded objects by kind. */
const recorded = new Map<ResourceKind, object[]>();
for (const name of scenarioFolders()) {
  const file = join(scenariosFolder, name, 'objects.json');
  for (const item of Items.parse(JSON.parse(readFileSync(file, 'utf8'))).items) {
    if (isResourceKind(item.kind)) recorded.set(item.kind, [...(recorded.get(item.kind) ?? []), item]);
  }
}

/** What a schema makes of an object, with the order of its fields, or where it finds which fault. */
function outcome(schema: z.ZodType, object: unknown): unknown {
  const parsed = schema.safeParse(object);
  return parsed.success
    ? { data: parsed.data, text: JSON.stringify(parsed.data) }
    : parsed.error.issues.map(({ path, message, code }) => ({ path, message, code }));
}

function expectTheSame(kind: ResourceKind, object: unknown): void {
  expect(outcome(quickSchema(kind), object)).toStrictEqual(outcome(schemas[kind], object));
}

describe('the quick schema of a kind', () => {
  it.each([...recorded.keys()])('makes of every recorded %s what zod makes of it', (kind) => {
    for (const object of recorded.get(kind) ?? []) expectTheSame(kind, object);
  });

  it('is compared for the kinds that are listed in the thousands', () => {
    expect([...recorded.keys()]).toEqual(expect.arrayContaining(['Pod', 'Node', 'ReplicaSet', 'Deployment']));
  });

  it.each(resourceKinds)('makes of any value in place of a %s what zod makes of it', (kind) => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => expectTheSame(kind, value)),
      { numRuns: 50 },
    );
  });

  it.each(['Pod', 'Node', 'Deployment', 'Event', 'ResourceQuota'] as const)(
    'makes of a %s in which any fields are missing or have other values what zod makes of it',
    (kind) => {
      const objects = recorded.get(kind) ?? [];
      const change = fc.record({ at: fc.nat(), to: fc.oneof(fc.constant(undefined), anyValue) });
      let accepted = 0;
      fc.assert(
        fc.property(fc.nat(objects.length - 1), fc.array(change, { maxLength: 3 }), (at, changes) => {
          const changed = structuredClone(objects[at]);
          for (const each of changes) replaceOne(changed, each.at, each.to);
          if (schemas[kind].safeParse(changed).success) accepted += 1;
          expectTheSame(kind, changed);
        }),
        { numRuns: 400 },
      );
      // Neither all nor none of them, or one way was never compared.
      expect(accepted).toBeGreaterThan(40);
      expect(accepted).toBeLessThan(390);
    },
  );
});

const anyValue = fc.oneof(
  fc.constantFrom(null, 0, -1, 2 ** 31, 2 ** 53, 0.5, true, '', [], {}, '4Gi', '-1', '2026-11-20T09:25:00Z'),
  fc.jsonValue({ maxDepth: 1 }),
  fc.constant(JSON.parse('{"__proto__":"1"}')),
  fc.constant('a'.repeat(20_000)),
);

/**
 * Sets or, for `undefined`, removes the field at a place of the object, counted through all of its fields.
 */
function replaceOne(root: unknown, at: number, to: unknown): void {
  const places: { readonly owner: object; readonly key: string }[] = [];
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const key of Object.keys(value)) {
      places.push({ owner: value, key });
      walk(Reflect.get(value, key));
    }
  };
  walk(root);
  const place = places[at % Math.max(1, places.length)];
  if (place === undefined) return;
  if (to === undefined) Reflect.deleteProperty(place.owner, place.key);
  else Reflect.set(place.owner, place.key, JSON.parse(JSON.stringify(to)));
}

describe('an object with many entries of lists', () => {
  const many = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `e${at}`);

  const mapOf = (count: number) => Object.fromEntries(many(count).map((name) => [name, 'x']));

  it('is read up to the size of the largest genuine ones', () => {
    for (const object of [...recorded.values()].flat()) expect(boundedEntries(object)).toBe(object);
    const slice = { endpoints: many(1_000).map((address) => ({ addresses: [address] })), ports: [{}] };
    expect(boundedEntries(slice)).toBe(slice);
    const annotated = {
      metadata: { labels: mapOf(200), annotations: mapOf(10_000) },
      spec: many(2_000).map(() => ({})),
    };
    expect(boundedEntries(annotated)).toBe(annotated);
  });

  it.each([
    ['in one list', { metadata: { finalizers: many(2_501) } }],
    ['in the lists of a list', { spec: many(60).map(() => many(50)) }],
    ['in lists of many fields', Object.fromEntries(many(60).map((name) => [name, many(50)]))],
    ['in one map', { metadata: { labels: mapOf(10_300) } }],
    ['in the same names of several maps', { metadata: { labels: mapOf(6_000), annotations: mapOf(6_000) } }],
  ])('%s fits no schema', (_, object) => {
    for (const kind of resourceKinds) {
      expect(schemas[kind].safeParse(boundedEntries(object)).success).toBe(false);
    }
  });
});
