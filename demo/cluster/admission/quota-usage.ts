import { Pod } from '#src/engine/objects/pod.js';
import { ResourceQuota } from '#src/engine/objects/policy.js';
import { canonicalQuantity } from '#src/engine/scheduler/quantity.js';
import { quotaUsage } from '#src/engine/workloads/quota-admission.js';
import type { ApiObject } from '../api-object.js';
import { copy, setAt, textMapAt } from '../json.js';
import { requireResourceType } from '../resources/resource-types.js';
import type { ObjectStore } from '../store/object-store.js';
import { isPodResource } from './pod-resource.js';

/**
 * The quota with `status.hard` as its spec wants it and `status.used` counted from the pods that are there.
 * Resources that pods do not use up keep what was noted.
 */
export function quotaWithUsage(store: ObjectStore, quota: ApiObject, now: number): ApiObject {
  const pods = store
    .list(requireResourceType('', 'pods').storage)
    .filter(({ metadata }) => metadata.namespace === quota.metadata.namespace)
    .map((pod) => Pod.parse(pod));
  const usage = quotaUsage(ResourceQuota.parse(quota), pods, now);
  const hard = textMapAt(quota, 'spec', 'hard');
  const noted = textMapAt(quota, 'status', 'used');
  const used = Object.fromEntries(
    Object.keys(hard).map((name) => {
      const counted = usage.get(name);
      if (!isPodResource(name)) return [name, noted[name] ?? '0'];
      return [name, counted === undefined ? '0' : canonicalQuantity(counted)];
    }),
  );
  const result = copy(quota);
  setAt(result, ['status', 'hard'], hard);
  setAt(result, ['status', 'used'], used);
  return result;
}
