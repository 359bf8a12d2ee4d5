import type { Pod } from '../cluster/pod.js';
import { podKey } from '../cluster/pod-key.js';
import type { ResourceQuota } from '../cluster/quota.js';
import { type Quantities, sumOf } from './pod-limits.js';
import { isInScope } from './quota-scopes.js';
import { podQuotaUsage } from './quota-usage.js';

/** What growing lists of pods cost each quota: a pod that was counted is not counted again. */
export type RunningQuotaUsage = (quota: ResourceQuota, pods: readonly Pod[]) => Quantities;

/** @param now epoch milliseconds */
export function createRunningQuotaUsage(now: number, stored: (pod: Pod) => Pod): RunningQuotaUsage {
  const totals = new WeakMap<ResourceQuota, Total>();
  return (quota, pods) => {
    const known = totals.get(quota);
    const extended = known === undefined ? undefined : extend(known, quota, pods);
    const total = extended ?? extend(nothingCounted(), quota, pods);
    if (total !== undefined) totals.set(quota, total);
    return total?.usage ?? new Map();
  };

  /** `undefined`: pods that were counted are no longer there. */
  function extend(total: Total, quota: ResourceQuota, pods: readonly Pod[]): Total | undefined {
    const { counted } = total;
    let { usage } = total;
    const present = new Set<string>();
    for (const pod of pods) {
      const key = podKey(pod);
      present.add(key);
      if (counted.has(key)) continue;
      counted.add(key);
      const whole = stored(pod);
      if (whole.metadata.namespace !== quota.metadata.namespace || !isInScope(quota, whole)) continue;
      usage = sumOf(usage, podQuotaUsage(whole, now));
    }
    return present.size === counted.size ? { counted, usage } : undefined;
  }
}

interface Total {
  readonly counted: Set<string>;
  readonly usage: Quantities;
}

function nothingCounted(): Total {
  return { counted: new Set(), usage: new Map() };
}
