import type { Pod } from '../cluster/pod.js';
import type { Container } from '../cluster/pod-spec.js';
import { type Amounts, countedText } from './amounts.js';
import { podRequests } from './pod-requests.js';
import { isCounted } from './resource-name.js';

/** What assigned pods request together, each rounded up for itself as the scheduler does (`NodeInfo.update`). */
export function requestedBy(pods: readonly Pod[]): Amounts {
  const total = new Map<string, bigint>();
  for (const pod of pods) {
    const plain = plainRequests(pod);
    if (plain === undefined) addAmounts(total, podRequests(pod, true), 1n);
    else for (const [resource, amount] of plain) total.set(resource, (total.get(resource) ?? 0n) + amount);
  }
  return total;
}

export function addAmounts(total: Map<string, bigint>, amounts: Amounts, sign: 1n | -1n): void {
  for (const [resource, amount] of amounts) {
    total.set(resource, (total.get(resource) ?? 0n) + sign * amount);
  }
}

type Request = readonly [resource: string, amount: bigint];

/**
 * The requests one by one, for most pods: nothing but containers that run side by side, and no amount that rounding
 * could change. `undefined` where the full computation is needed.
 */
function plainRequests({ spec, status }: Pod): readonly Request[] | undefined {
  if (
    spec.initContainers.length > 0 ||
    spec.resources !== undefined ||
    Object.keys(spec.overhead).length > 0
  ) {
    return undefined;
  }
  if (status.containerStatuses.some(({ resources }) => resources !== undefined)) return undefined;
  const requests: Request[] = [];
  for (const container of spec.containers) {
    if (!collect(requests, container)) return undefined;
  }
  return requests;
}

/** False when an amount is rounded, or a limit stands in for a request. */
function collect(into: Request[], { resources: { requests, limits } }: Container): boolean {
  for (const resource in requests) {
    if (!isCounted(resource)) continue;
    const { amount, exact } = countedText(resource, requests[resource] ?? '');
    if (!exact) return false;
    into.push([resource, amount]);
  }
  for (const resource in limits) {
    if (requests[resource] === undefined) return false;
  }
  return true;
}
