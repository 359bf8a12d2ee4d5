import type { Pod } from '../cluster/pod.js';
import type { Container } from '../cluster/pod-spec.js';
import { type Amounts, countedText } from './amounts.js';
import { podRequests } from './pod-requests.js';
import { isCounted } from './resource-name.js';

/** What assigned pods request together, each rounded up for itself as the scheduler does (`NodeInfo.update`). */
export function requestedBy(pods: readonly Pod[]): Amounts {
  const total = new Map<string, bigint>();
  const plain = new Map<string, number>();
  for (const pod of pods) {
    if (!addPlain(plain, pod)) addAmounts(total, podRequests(pod, true), 1n);
  }
  for (const [resource, amount] of plain) total.set(resource, (total.get(resource) ?? 0n) + BigInt(amount));
  return total;
}

export function addAmounts(total: Map<string, bigint>, amounts: Amounts, sign: 1n | -1n): void {
  for (const [resource, amount] of amounts) {
    total.set(resource, (total.get(resource) ?? 0n) + sign * amount);
  }
}

/** Sums stay exact as numbers up to here. */
const MOST = 2 ** 52;

/**
 * Adds the requests of most pods, as plain numbers: nothing but containers that run side by side, and no amount that
 * rounding could change or that is too large. False, and nothing added, where the full computation is needed.
 */
function addPlain(total: Map<string, number>, { spec, status }: Pod): boolean {
  if (
    spec.initContainers.length > 0 ||
    spec.resources !== undefined ||
    !isEmpty(spec.overhead) ||
    status.containerStatuses.some(({ resources }) => resources !== undefined) ||
    !spec.containers.every((container) => isPlain(total, container, spec.containers.length))
  ) {
    return false;
  }
  for (const { resources } of spec.containers) {
    for (const resource in resources.requests) {
      if (!isCounted(resource)) continue;
      const { amount } = countedText(resource, resources.requests[resource] ?? '');
      total.set(resource, (total.get(resource) ?? 0) + Number(amount));
    }
  }
  return true;
}

/** False when an amount is rounded or too large, or a limit stands in for a request. */
function isPlain(
  total: ReadonlyMap<string, number>,
  { resources: { requests, limits } }: Container,
  containers: number,
): boolean {
  for (const resource in requests) {
    if (!isCounted(resource)) continue;
    const { amount, exact } = countedText(resource, requests[resource] ?? '');
    if (!exact || (total.get(resource) ?? 0) + Number(amount) * containers > MOST) return false;
  }
  for (const resource in limits) {
    if (requests[resource] === undefined) return false;
  }
  return true;
}

function isEmpty(list: Readonly<Record<string, string>>): boolean {
  for (const _ in list) return false;
  return true;
}
