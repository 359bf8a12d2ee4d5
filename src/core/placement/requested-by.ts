import type { Pod } from '../cluster/pod.js';
import { type Amounts, plainAmount } from './amounts.js';
import { podRequests } from './pod-requests.js';
import { isCounted } from './resource-name.js';

/**
 * What assigned pods request together, each rounded up for itself as the scheduler does (`NodeInfo.update`).
 */
export function requestedBy(pods: readonly Pod[]): Amounts {
  const total = new Map<string, bigint>();
  const plain = new Map<string, number>();
  for (const pod of pods) {
    if (isPlain(pod)) addPlain(plain, total, pod);
    else addAmounts(total, podRequests(pod, true), 1n);
  }
  for (const [resource, amount] of plain) total.set(resource, (total.get(resource) ?? 0n) + BigInt(amount));
  return total;
}

export function addAmounts(total: Map<string, bigint>, amounts: Amounts, sign: 1n | -1n): void {
  for (const [resource, amount] of amounts) {
    total.set(resource, (total.get(resource) ?? 0n) + sign * amount);
  }
}

/** Sums of numbers are carried over from here on, long before they would no longer be exact. */
const CARRY = 2 ** 50;

/**
 * True for most pods: nothing but containers that run side by side, no amount that rounding could change or
 * that is too large, and no limit that stands in for a request. What such a pod requests is the sum of its
 * texts.
 */
function isPlain({ spec, status }: Pod): boolean {
  if (spec.initContainers.length > 0 || spec.resources !== undefined || !isEmpty(spec.overhead)) return false;
  for (const { resources } of status.containerStatuses) {
    if (resources !== undefined) return false;
  }
  for (const { resources } of spec.containers) {
    const { requests, limits } = resources;
    for (const resource in requests) {
      if (Number.isNaN(plainAmount(resource, requests[resource] ?? ''))) return false;
    }
    for (const resource in limits) {
      if (requests[resource] === undefined) return false;
    }
  }
  return true;
}

function addPlain(plain: Map<string, number>, total: Map<string, bigint>, { spec }: Pod): void {
  for (const { resources } of spec.containers) {
    const { requests } = resources;
    for (const resource in requests) {
      if (!isCounted(resource)) continue;
      const sum = (plain.get(resource) ?? 0) + plainAmount(resource, requests[resource] ?? '');
      if (Math.abs(sum) < CARRY) {
        plain.set(resource, sum);
        continue;
      }
      total.set(resource, (total.get(resource) ?? 0n) + BigInt(sum));
      plain.set(resource, 0);
    }
  }
}

function isEmpty(list: Readonly<Record<string, string>>): boolean {
  for (const _ in list) return false;
  return true;
}
