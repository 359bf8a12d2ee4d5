import type { Pod } from '../cluster/pod.js';
import type { Container } from '../cluster/pod-spec.js';
import { type Amounts, countedText } from './amounts.js';
import { podRequests } from './pod-requests.js';
import { isCounted } from './resource-name.js';

/** What assigned pods request together, each rounded up for itself as the scheduler does (`NodeInfo.update`). */
export function requestedBy(pods: readonly Pod[]): Amounts {
  const total = new Map<string, bigint>();
  for (const pod of pods) {
    if (isPlain(pod)) for (const container of pod.spec.containers) addPlain(total, container);
    else addAmounts(total, podRequests(pod, true), 1n);
  }
  return total;
}

export function addAmounts(total: Map<string, bigint>, amounts: Amounts, sign: 1n | -1n): void {
  for (const [resource, amount] of amounts) {
    total.set(resource, (total.get(resource) ?? 0n) + sign * amount);
  }
}

/** Nothing but containers that run side by side, and no sum that rounding could change: most pods. */
function isPlain({ spec, status }: Pod): boolean {
  return (
    spec.initContainers.length === 0 &&
    spec.resources === undefined &&
    isEmpty(spec.overhead) &&
    status.containerStatuses.every(({ resources }) => resources === undefined) &&
    spec.containers.every(isExact)
  );
}

/** Limits that stand in for requests are left to the full computation. */
function isExact({ resources }: Container): boolean {
  for (const resource in resources.requests) {
    if (!countedText(resource, resources.requests[resource] ?? '').exact) return false;
  }
  for (const resource in resources.limits) {
    if (resources.requests[resource] === undefined) return false;
  }
  return true;
}

function addPlain(total: Map<string, bigint>, { resources }: Container): void {
  for (const resource in resources.requests) {
    if (!isCounted(resource)) continue;
    const { amount } = countedText(resource, resources.requests[resource] ?? '');
    total.set(resource, (total.get(resource) ?? 0n) + amount);
  }
}

function isEmpty(list: Readonly<Record<string, string>>): boolean {
  return Object.keys(list).length === 0;
}
