import { isObject } from '../../../engine/objects/wire.js';
import { parseQuantity, value } from '../../../engine/scheduler/quantity.js';
import { isOfKind, type TextObject } from './described-kind.js';

/**
 * Descriptions leave the scope selector of a quota out. A quota that counts nothing of what pods without a
 * priority class request selects other pods: it is read as one of pods with a class. Pods of a quota that
 * counts them in part may have been created since.
 */
export function withUnprintedScopes(objects: readonly TextObject[]): readonly TextObject[] {
  return objects.map((object) => {
    const { spec, status, metadata } = object;
    if (!isOfKind(object, 'ResourceQuota') || !isObject(spec) || !isObject(status)) return object;
    const { used } = status;
    if (!isObject(used) || (Array.isArray(spec.scopes) && spec.scopes.length > 0)) return object;
    const pods = objects.filter((each) => isCountedWithoutClass(each, metadata.namespace));
    const isPassedBy = Object.keys(used).some(
      (resource) => isZero(used[resource]) && pods.some((pod) => isRequested(pod, resource)),
    );
    if (!isPassedBy) return object;
    const scopeSelector = { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists' }] };
    return { ...object, spec: { ...spec, scopeSelector } };
  });
}

/** A pod that runs has been counted. One that only a node names states neither class nor requests. */
function isCountedWithoutClass(object: TextObject, namespace: string): boolean {
  const { metadata, spec, status, onlyNamed } = object;
  return (
    isOfKind(object, 'Pod') &&
    onlyNamed !== true &&
    metadata.namespace === namespace &&
    metadata.deletionTimestamp === undefined &&
    isObject(spec) &&
    typeof spec.nodeName === 'string' &&
    spec.priorityClassName === undefined &&
    isObject(status) &&
    status.phase === 'Running'
  );
}

/** Amounts of pods as quotas name them: `requests.cpu`, `limits.memory`, or `cpu` for its requests. */
function isRequested({ spec }: TextObject, resource: string): boolean {
  if (resource === 'pods' || resource === 'count/pods') return true;
  const [, list = 'requests', name = ''] = /^(?:(requests|limits)\.)?([^.].{0,300})$/u.exec(resource) ?? [];
  const containers: readonly unknown[] =
    isObject(spec) && Array.isArray(spec.containers) ? spec.containers : [];
  return containers.some((container) => {
    const resources = isObject(container) && isObject(container.resources) ? container.resources : {};
    const amounts = resources[list];
    const amount = isObject(amounts) ? amounts[name] : undefined;
    return amount !== undefined && !isZero(amount);
  });
}

function isZero(amount: unknown): boolean {
  const quantity = typeof amount === 'string' ? parseQuantity(amount) : undefined;
  return quantity !== undefined && value(quantity) === 0n;
}
