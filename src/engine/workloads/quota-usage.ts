import { isTerminal, type Pod } from '../objects/pod.js';
import type { Container, PodAffinityTerm } from '../objects/pod-spec.js';
import type { ResourceQuota } from '../objects/quota.js';
import { isSidecar, podRequests } from '../scheduler/pod-requests.js';
import {
  addQuantities,
  compareQuantities,
  NANO,
  NANO_PER_MILLI,
  parseQuantity,
  type Quantity,
} from '../scheduler/quantity.js';
import {
  implicitDeviceClass,
  isExtendedResourceName,
  isHugePagesResourceName,
  isPodLevelResource,
} from '../scheduler/resource-name.js';
import { epochOf } from './creation-order.js';

const one: Quantity = { nano: NANO, format: 'DecimalSI' };

/**
 * What a pod costs in a ResourceQuota's own names: `pods`, `count/pods`, `requests.cpu` and `cpu`,
 * `limits.memory`, `requests.nvidia.com/gpu`, … A terminal pod, and one past its grace period, costs
 * `count/pods` only. `now` in epoch milliseconds (kubernetes
 * `pkg/quota/v1/evaluator/core/pods.go: PodUsageFunc`).
 */
export function podQuotaUsage(pod: Pod, now: number): Quantities {
  const usage = new Map<string, Quantity>([['count/pods', one]]);
  if (!isCharged(pod, now)) return usage;
  usage.set('pods', one);
  for (const [resource, quantity] of requestsOf(pod)) {
    for (const name of requestNames(resource)) usage.set(name, quantity);
  }
  for (const [resource, quantity] of podLimits(pod)) {
    if (isCompute(resource)) usage.set(`limits.${resource}`, quantity);
  }
  return usage;
}

/** Neither terminal nor past its grace period (`QuotaV1Pod`). */
function isCharged(pod: Pod, now: number): boolean {
  if (isTerminal(pod)) return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = pod.metadata;
  const deletedAt = epochOf(deletionTimestamp);
  if (deletedAt === undefined || deletionGracePeriodSeconds === undefined) return true;
  return now <= deletedAt + deletionGracePeriodSeconds * 1000;
}

/** What all pods of the quota's namespace and scopes cost together. */
export function quotaUsage(quota: ResourceQuota, pods: readonly Pod[], now: number): Quantities {
  return pods
    .filter((pod) => pod.metadata.namespace === quota.metadata.namespace && isInScope(quota, pod))
    .map((pod) => podQuotaUsage(pod, now))
    .reduce(sumOf, new Map());
}

function isCompute(resource: string): boolean {
  return resource === 'cpu' || resource === 'memory' || resource === 'ephemeral-storage';
}

function requestNames(resource: string): readonly string[] {
  if (isCompute(resource) || isHugePagesResourceName(resource)) return [resource, `requests.${resource}`];
  const countsAsDevice = isExtendedResourceName(resource) || implicitDeviceClass(resource) !== undefined;
  return countsAsDevice ? [`requests.${resource}`] : [];
}

function requestsOf(pod: Pod): Quantities {
  const assigned = pod.spec.nodeName !== undefined && pod.spec.nodeName !== '';
  const amounts = [...podRequests(pod, assigned)];
  return new Map(
    amounts.map(([resource, amount]) => {
      const nano = amount * (resource === 'cpu' ? NANO_PER_MILLI : NANO);
      return [resource, { nano, format: writtenFormat(pod, resource) }] as const;
    }),
  );
}

/** As the first container writes it, so that sums read as the API server's do. */
function writtenFormat({ spec }: Pod, resource: string): Quantity['format'] {
  const written = [...spec.containers, ...spec.initContainers].map(({ resources }) => resources);
  const text = [spec.resources, ...written]
    .map((resources) => resources?.requests[resource] ?? resources?.limits[resource])
    .find((value) => value !== undefined);
  return (text === undefined ? undefined : parseQuantity(text)?.format) ?? 'DecimalSI';
}

/** Compute resources that a quota tracks and the container does not specify (`podEvaluator.Constraints`). */
export function unspecified({ resources }: Container, tracked: readonly string[]): readonly string[] {
  const requests = { ...resources.limits, ...resources.requests };
  return tracked.filter((name) => {
    const [, kind, resource] = /^(?:(requests|limits)\.)?(cpu|memory)$/.exec(name) ?? [];
    if (resource === undefined) return false;
    return (kind === 'limits' ? resources.limits : requests)[resource] === undefined;
  });
}

export type Quantities = ReadonlyMap<string, Quantity>;
type ResourceList = Readonly<Record<string, string>>;

/** The readable quantities of a list, exact and as written. */
export function quantitiesOf(list: ResourceList): Quantities {
  const entries = Object.entries(list).map(([resource, text]) => [resource, parseQuantity(text)] as const);
  return new Map(
    entries.flatMap(([resource, quantity]) => (quantity ? [[resource, quantity] as const] : [])),
  );
}

export function sumOf(a: Quantities, b: Quantities): Quantities {
  const sum = new Map(a);
  for (const [resource, quantity] of b) {
    const present = sum.get(resource);
    sum.set(resource, present === undefined ? quantity : addQuantities(present, quantity));
  }
  return sum;
}

/**
 * Limits of the whole pod: containers and sidecars together, or the largest init step if that is more;
 * pod-level limits in their place; overhead on top of limits that exist
 * (`component-helpers resource/helpers.go: PodLimits`). Not simulated: what an in-place resize has actuated.
 */
function podLimits({ spec }: Pod): Quantities {
  const running = [...spec.containers, ...spec.initContainers.filter(isSidecar)]
    .map(limitsOf)
    .reduce(sumOf, new Map());
  const total = new Map(maximum(running, initLimits(spec.initContainers)));
  for (const [resource, quantity] of quantitiesOf(spec.resources?.limits ?? {})) {
    if (isPodLevelResource(resource)) total.set(resource, quantity);
  }
  for (const [resource, quantity] of quantitiesOf(spec.overhead)) {
    const present = total.get(resource);
    if (present !== undefined && present.nano !== 0n) total.set(resource, addQuantities(present, quantity));
  }
  return total;
}

function initLimits(containers: readonly Container[]): Quantities {
  let sidecars: Quantities = new Map();
  let largest: Quantities = new Map();
  for (const container of containers) {
    if (isSidecar(container)) sidecars = sumOf(sidecars, limitsOf(container));
    largest = maximum(largest, isSidecar(container) ? sidecars : sumOf(sidecars, limitsOf(container)));
  }
  return largest;
}

function limitsOf({ resources }: Container): Quantities {
  return quantitiesOf(resources.limits);
}

function maximum(a: Quantities, b: Quantities): Quantities {
  const result = new Map(a);
  for (const [resource, quantity] of b) {
    const present = result.get(resource);
    if (present === undefined || compareQuantities(present, quantity) < 0) result.set(resource, quantity);
  }
  return result;
}

interface ScopeRequirement {
  readonly scopeName: string;
  readonly operator: string;
  readonly values: readonly string[];
}

/**
 * True when the pod is of every scope the quota names; no scope covers all pods
 * (kubernetes `pkg/quota/v1/evaluator/core/pods.go: podMatchesScopeFunc`).
 */
export function isInScope({ spec }: ResourceQuota, pod: Pod): boolean {
  const plain = spec.scopes.map((scopeName) => ({ scopeName, operator: 'Exists', values: [] }));
  return [...plain, ...(spec.scopeSelector?.matchExpressions ?? [])].every((scope) => matches(scope, pod));
}

function matches(scope: ScopeRequirement, pod: Pod): boolean {
  switch (scope.scopeName) {
    case 'Terminating':
      return hasDeadline(pod);
    case 'NotTerminating':
      return !hasDeadline(pod);
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass':
      return matchesPriorityClass(scope, pod.spec.priorityClassName ?? '');
    case 'CrossNamespacePodAffinity':
      return usesOtherNamespaces(pod);
    default:
      return false;
  }
}

/** The scope is named after pods that end by their deadline, not after deleted ones. */
function hasDeadline({ spec }: Pod): boolean {
  return spec.activeDeadlineSeconds !== undefined && spec.activeDeadlineSeconds >= 0;
}

/** Asks for no cpu and no memory anywhere (`qos.go: ComputePodQOS`). */
function isBestEffort({ spec, status }: Pod): boolean {
  if (status.qosClass !== undefined && status.qosClass !== '') return status.qosClass === 'BestEffort';
  const all =
    spec.resources === undefined
      ? [...spec.containers, ...spec.initContainers].map(({ resources }) => resources)
      : [spec.resources];
  const texts = all.flatMap(({ requests, limits }) => [
    requests.cpu,
    requests.memory,
    limits.cpu,
    limits.memory,
  ]);
  return texts.every((text) => text === undefined || (parseQuantity(text)?.nano ?? 0n) <= 0n);
}

function matchesPriorityClass({ operator, values }: ScopeRequirement, name: string): boolean {
  switch (operator) {
    case 'Exists':
      return name !== '';
    case 'DoesNotExist':
      return name === '';
    case 'In':
      return name !== '' && values.includes(name);
    case 'NotIn':
      return name === '' || !values.includes(name);
    default:
      return false;
  }
}

/** Required terms only: preferred ones are not part of the model. */
function usesOtherNamespaces({ spec }: Pod): boolean {
  const names = (term: PodAffinityTerm) => term.namespaces.length > 0 || term.namespaceSelector !== undefined;
  return [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity].some((affinity) =>
    affinity?.requiredDuringSchedulingIgnoredDuringExecution.some(names),
  );
}
