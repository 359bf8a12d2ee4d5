import type { QueuedWorkload } from '../objects/kueue.js';
import type { Pod } from '../objects/pod.js';
import { podFromTemplate } from '../scheduler/pod-from-template.js';
import { podRequests } from '../scheduler/pod-requests.js';
import { canonicalQuantity, NANO, NANO_PER_MILLI, parseQuantity } from '../scheduler/quantity.js';

/** Exact billionths by flavor and resource, as `flavorKey` makes it. */
export type FlavorAmounts = ReadonlyMap<string, bigint>;

/** The names of flavors have no slash, those of resources may have one. */
export function flavorKey(flavor: string, resource: string): string {
  return `${flavor}/${resource}`;
}

/** Pods of a Workload that need the same, and what all of them request: billionths by resource. */
export interface PodSetRequest {
  readonly requests: ReadonlyMap<string, bigint>;
  readonly count: number;
  /**
   * Whether Kueue itself counted the requests. Its configuration may exclude resources that a pod requests.
   */
  readonly isCounted: boolean;
  /** Where its pods may go. */
  readonly spec: Pod['spec'];
}

/** What a quantity of a quota or a usage is; 0 for one that cannot be read. */
export function amountOf(quantity: string): bigint {
  return parseQuantity(quantity)?.nano ?? 0n;
}

export function asText(resource: string, nano: bigint): string {
  const format = resource === 'memory' || resource.startsWith('hugepages-') ? 'BinarySI' : 'DecimalSI';
  return canonicalQuantity({ nano, format });
}

/** What a pod requests, in billionths. */
export function requestsOfPod(pod: Pod): ReadonlyMap<string, bigint> {
  return new Map(
    [...podRequests(pod, false)].map(([resource, counted]) => [
      resource,
      counted * (resource === 'cpu' ? NANO_PER_MILLI : NANO),
    ]),
  );
}

/**
 * What a Workload waits for. Kueue's own count comes first: it knows of resources that its configuration
 * excludes or transforms (kueue `pkg/workload/workload.go: totalRequestsFromPodSets`,
 * `PropagateResourceRequests`).
 */
export function podSetRequestsOf({ metadata, spec, status }: QueuedWorkload): readonly PodSetRequest[] {
  return spec.podSets.map(({ name, count, template }) => {
    const pod = podFromTemplate(template, { namespace: metadata.namespace, name: metadata.name });
    const left = Math.max(0, count - reclaimable(status, name));
    const counted = status.resourceRequests.find((each) => each.name === name);
    const requests =
      counted === undefined
        ? [...requestsOfPod(pod)].map(([resource, nano]) => [resource, nano * BigInt(left)] as const)
        : Object.entries(counted.resources).map(([resource, text]) => [resource, amountOf(text)] as const);
    return { requests: new Map(requests), count: left, isCounted: counted !== undefined, spec: pod.spec };
  });
}

/**
 * What Kueue counts for another pod like those of this Workload: without the resources that it does not count
 * for these.
 */
export function podSetLike({ metadata, spec, status }: QueuedWorkload, pod: Pod): PodSetRequest {
  const counted = new Set(status.resourceRequests.flatMap(({ resources }) => Object.keys(resources)));
  const requested = spec.podSets.flatMap(({ template }) => [
    ...requestsOfPod(podFromTemplate(template, metadata)).keys(),
  ]);
  const isCounted = status.resourceRequests.length > 0;
  const excluded = new Set(isCounted ? requested.filter((resource) => !counted.has(resource)) : []);
  const requests = [...requestsOfPod(pod)].filter(([resource]) => !excluded.has(resource));
  return { requests: new Map(requests), count: 1, isCounted, spec: pod.spec };
}

/** What a Workload with a reservation uses (kueue `pkg/workload/workload.go: totalRequestsFromAdmission`). */
export function usageOf({ spec, status }: QueuedWorkload): FlavorAmounts {
  const usage = new Map<string, bigint>();
  for (const { name, flavors, resourceUsage, count } of status.admission?.podSetAssignments ?? []) {
    const wanted = spec.podSets.find((each) => each.name === name)?.count ?? count ?? 1;
    const admitted = count ?? wanted;
    const left = Math.max(0, wanted - reclaimable(status, name));
    for (const [resource, text] of Object.entries(resourceUsage)) {
      const flavor = flavors[resource];
      if (flavor === undefined || flavor === '') continue;
      const whole = amountOf(text);
      const used = left < admitted ? (whole / BigInt(admitted)) * BigInt(left) : whole;
      add(usage, flavorKey(flavor, resource), used);
    }
  }
  return usage;
}

function reclaimable({ reclaimablePods }: QueuedWorkload['status'], podSet: string): number {
  return reclaimablePods.find(({ name }) => name === podSet)?.count ?? 0;
}

export function sumOf(parts: readonly FlavorAmounts[]): FlavorAmounts {
  const sum = new Map<string, bigint>();
  for (const part of parts) for (const [key, nano] of part) add(sum, key, nano);
  return sum;
}

export function difference(whole: FlavorAmounts, part: FlavorAmounts): FlavorAmounts {
  const left = new Map(whole);
  for (const [key, nano] of part) add(left, key, -nano);
  return left;
}

function add(sum: Map<string, bigint>, key: string, nano: bigint): void {
  sum.set(key, (sum.get(key) ?? 0n) + nano);
}
