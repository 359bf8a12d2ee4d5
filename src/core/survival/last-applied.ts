import type { JsonObject } from '../cluster/wire.js';
import { isObject } from '../cluster/wire.js';
import type { Workload } from '../cluster/workload.js';
import { stepsOf } from './field-path.js';

export const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';

/** What `kubectl apply` or Argo CD sent last, client-side; `undefined` where it is absent or not readable. */
export function lastAppliedOf({ metadata }: Pick<Workload, 'metadata'>): JsonObject | undefined {
  const text = metadata.annotations[lastAppliedAnnotation];
  if (text === undefined) return undefined;
  try {
    const manifest: unknown = JSON.parse(text);
    return isObject(manifest) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** A declared field; without a value where an apply puts back the default of the API server. */
export interface Declared {
  readonly value?: unknown;
}

/**
 * Whether the next client-side apply of this manifest writes the field. `spec.strategy` of a Deployment has
 * `patchStrategy: retainKeys`: a manifest that declares any key of it clears all others, which the API server
 * then sets to their defaults (k8s.io/api `apps/v1/types.go`). Below a declared key, the rest stays. No other
 * update strategy has it.
 */
export function declaredIn(manifest: JsonObject, path: string, kind: string): Declared | undefined {
  const steps = stepsOf(path);
  let value: unknown = manifest;
  for (const step of steps) {
    const next = childOf(value, step);
    if (next === undefined) return clearsRest(manifest, steps, kind) ? {} : undefined;
    value = next.value;
  }
  return { value };
}

function clearsRest(manifest: JsonObject, [first, second, key]: readonly string[], kind: string): boolean {
  if (kind !== 'Deployment' || first !== 'spec' || second !== 'strategy') return false;
  const strategy = childOf(manifest.spec, 'strategy')?.value;
  if (!isObject(strategy) || Object.keys(strategy).length === 0) return false;
  return key === undefined || !Object.hasOwn(strategy, key);
}

function childOf(value: unknown, step: string): { readonly value: unknown } | undefined {
  if (Array.isArray(value)) {
    const item: unknown = value.find((each) => isObject(each) && each.name === step);
    return item === undefined ? undefined : { value: item };
  }
  return isObject(value) && Object.hasOwn(value, step) ? { value: value[step] } : undefined;
}
