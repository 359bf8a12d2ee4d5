import type { Pod } from '../cluster/pod.js';
import type { ResourceQuota } from '../cluster/quota.js';
import { roomBeside, type SupposedPods } from './quota-admission.js';
import { isInScope } from './quota-scopes.js';
import { podQuotaUsage } from './quota-usage.js';

/** Amounts in nano units by `resourceKey`, of all quotas at once. */
export type QuotaCharges = ReadonlyMap<string, bigint>;

/** One resource of one quota. */
export function resourceKey(namespace: string, quota: string, resource: string): string {
  return `${namespace}/${quota}/${resource}`;
}

/** What the quotas of its namespace and scope charge a pod. `now` in epoch milliseconds. */
export function chargesOf(pod: Pod, quotas: readonly ResourceQuota[], now: number): QuotaCharges {
  const usage = podQuotaUsage(pod, now);
  const charges = new Map<string, bigint>();
  for (const quota of quotas) {
    const { namespace, name } = quota.metadata;
    if (namespace !== pod.metadata.namespace || !isInScope(quota, pod)) continue;
    for (const [resource, { nano }] of usage) charges.set(resourceKey(namespace, name, resource), nano);
  }
  return charges;
}

/** What all resources of the quotas have left beside `supposed`. */
export function roomOf(quotas: readonly ResourceQuota[], now: number, supposed: SupposedPods): QuotaCharges {
  const room = new Map<string, bigint>();
  for (const quota of quotas) {
    const { namespace, name } = quota.metadata;
    for (const [resource, left] of roomBeside(quota, now, supposed)) {
      room.set(resourceKey(namespace, name, resource), left);
    }
  }
  return room;
}

/** Whether something so charged is admitted; what no quota limits is. */
export function fitsInto(room: QuotaCharges, charges: QuotaCharges): boolean {
  return [...charges].every(([key, asked]) => asked <= 0n || asked <= (room.get(key) ?? asked));
}

/** The room that is left beside `count` times the charges. */
export function roomBesideCharges(room: QuotaCharges, charges: QuotaCharges, count = 1): QuotaCharges {
  const left = new Map(room);
  for (const [key, asked] of charges) {
    const before = left.get(key);
    if (before !== undefined) left.set(key, before - asked * BigInt(count));
  }
  return left;
}
