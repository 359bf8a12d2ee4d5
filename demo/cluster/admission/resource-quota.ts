import { Pod } from '#src/engine/objects/pod.js';
import { ResourceQuota } from '#src/engine/objects/policy.js';
import { admission } from '#src/engine/workloads/quota-admission.js';
import { forbidden } from '../api/status-error.js';
import type { ClusterClock } from '../clock.js';
import type { AdmissionPlugin } from '../registry/registry.js';
import { requireResourceType } from '../resources/resource-types.js';
import type { ObjectStore } from '../store/object-store.js';
import { quotaWithUsage } from './quota-usage.js';

/**
 * ResourceQuota: pods that would exceed one are refused, in the words of the product's own quota engine. What
 * is used is counted afresh, so that two pods created at once cannot both take the last place.
 */
export function resourceQuota(store: ObjectStore, clock: ClusterClock): AdmissionPlugin {
  const quotas = requireResourceType('', 'resourcequotas');
  return (object, { operation, type, namespace, name }) => {
    if (operation !== 'create' || type.kind !== 'Pod') return;
    const inNamespace = store.list(quotas.storage).filter(({ metadata }) => metadata.namespace === namespace);
    if (inNamespace.length === 0) return;
    const current = inNamespace.map((quota) =>
      ResourceQuota.parse(quotaWithUsage(store, quota, clock.now())),
    );
    const outcome = admission(Pod.parse(object), current, clock.now());
    if (outcome.kind === 'refused') throw forbidden(type, name, outcome.message);
  };
}
