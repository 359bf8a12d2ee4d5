import { isKserveService, type KserveService } from '../../engine/objects/inference-service.js';
import type { Workload } from '../../engine/objects/workload.js';
import { stepsOf } from '../../engine/owners/field-drift.js';

/**
 * The value at a path as `FieldChange` writes it; `undefined` where any step is missing. An item of a list is
 * found by its name.
 */
export function fieldAt(object: unknown, path: string): unknown {
  return stepsOf(path).reduce<unknown>((value, step) => {
    if (Array.isArray(value)) return value.find((item: unknown) => nameOf(item) === step);
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.hasOwn(value, step) ? (value as Readonly<Record<string, unknown>>)[step] : undefined;
  }, object);
}

/**
 * The same for a workload or its owner; the pod template is looked at as the API gave it, with fields that no
 * rule reads.
 */
export function fieldOf(object: Workload | KserveService, path: string): unknown {
  if (isKserveService(object) || !path.startsWith('spec.template.')) return fieldAt(object, path);
  return fieldAt({ spec: { template: object.spec.template.raw } }, path);
}

/** A step below `path`, in brackets where dots would part it. */
export function pathBelow(path: string, key: string): string {
  return /^[\w-]+$/u.test(key) ? `${path}.${key}` : itemBelow(path, key);
}

/** The item of that name in the list at `path`. */
export function itemBelow(path: string, name: string): string {
  return `${path}[${name}]`;
}

function nameOf(item: unknown): unknown {
  return typeof item === 'object' && item !== null && 'name' in item ? item.name : undefined;
}
