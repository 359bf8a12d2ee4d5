import { rolloutHashLabel } from '../../engine/objects/argo-rollout.js';
import type { JsonObject } from '../../engine/objects/wire.js';
import { isObject } from '../../engine/objects/wire.js';
import { podTemplateHashLabel, unstatedDifference } from '../../engine/workloads/template-equality.js';
import { itemBelow, pathBelow } from './field-at.js';
import { nameAt, shownValue } from './holds.js';
import { canonicalJson, type FieldChange } from './plan.js';

/**
 * What differs between two pod templates, field by field, in the order of the fields. Items of lists are
 * compared by name where all have one. Secrets are redacted; where that leaves both sides equal, the former
 * is marked as such.
 */
export function templateChanges(before: JsonObject, after: JsonObject): readonly FieldChange[] {
  if (isUnstated(before) || isUnstated(after)) return [];
  return changesAt('spec.template', withoutHash(before), withoutHash(after)).filter(
    ({ path }) => !path.endsWith(`.${unstatedDifference}`),
  );
}

/** Every template has a container: of one without, text states no more than that it is another one. */
function isUnstated({ spec }: JsonObject): boolean {
  return (
    isObject(spec) &&
    unstatedDifference in spec &&
    Array.isArray(spec.containers) &&
    spec.containers.length === 0
  );
}

/**
 * A template as a workload holds it: without the label that the controller of a Deployment or Rollout adds.
 */
export function withoutHash(template: JsonObject): JsonObject {
  const { metadata } = template;
  if (!isObject(metadata)) return template;
  const { creationTimestamp: _created, labels, ...rest } = metadata;
  if (!isObject(labels)) return { ...template, metadata: rest };
  const { [podTemplateHashLabel]: _hash, [rolloutHashLabel]: _rolloutHash, ...kept } = labels;
  return { ...template, metadata: { ...rest, labels: kept } };
}

function changesAt(path: string, before: unknown, after: unknown): readonly FieldChange[] {
  if (canonicalJson(before) === canonicalJson(after)) return [];
  if (isObject(before) && isObject(after)) {
    return keysOf(before, after).flatMap((key) => changesAt(pathBelow(path, key), before[key], after[key]));
  }
  const [former, latter] = [byName(before), byName(after)];
  if (former !== undefined && latter !== undefined) {
    const inside = [...new Set([...former.keys(), ...latter.keys()])].flatMap((name) =>
      changesAt(itemBelow(path, name), former.get(name), latter.get(name)),
    );
    if (inside.length > 0) return inside;
  }
  return [leaf(path, before, after)];
}

function leaf(path: string, before: unknown, after: unknown): FieldChange {
  const name = nameAt(path);
  const [was, becomes] = [shownValue(name, before), shownValue(name, after)];
  const alike = typeof was === 'string' && was === becomes;
  return { path, before: alike ? `${was} (former)` : was, after: becomes };
}

function keysOf(a: JsonObject, b: JsonObject): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
}

/** The items by name; `undefined` unless every item has a name of its own. */
function byName(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (!Array.isArray(value)) return undefined;
  const named = new Map<string, unknown>();
  for (const item of value as readonly unknown[]) {
    if (!isObject(item) || typeof item.name !== 'string' || /[[\]]/u.test(item.name)) return undefined;
    named.set(item.name, item);
  }
  return named.size === value.length ? named : undefined;
}
