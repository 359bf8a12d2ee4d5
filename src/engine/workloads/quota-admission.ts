import { compareText } from '../collections/collections.js';
import { textAfter, textBetween } from '../language/text-scanning.js';
import { isTerminal, type Pod, podKey } from '../objects/pod.js';
import type { Container, PodAffinityTerm } from '../objects/pod-spec.js';
import type { ResourceQuota } from '../objects/policy.js';
import { isSidecar, podRequests } from '../scheduler/pod-requests.js';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  NANO,
  NANO_PER_MILLI,
  parseQuantity,
  type Quantity,
  subtractQuantities,
} from '../scheduler/quantity.js';
import {
  implicitDeviceClass,
  isExtendedResourceName,
  isHugePagesResourceName,
  isPodLevelResource,
} from '../scheduler/resource-name.js';
import { epochOf } from './creation-order.js';

/** Pods to think away or to add before the quotas are asked. */
export interface SupposedPods {
  readonly removed?: readonly Pod[];
  readonly added?: readonly Pod[];
  /** Knows what they cost, so that a long list is not counted again at each pod. */
  readonly usage?: { readonly removed: RunningQuotaUsage; readonly added: RunningQuotaUsage };
}

type QuotaAdmission =
  | { readonly kind: 'admitted' }
  | {
      readonly kind: 'refused';
      /** One for each quota that refuses, by quota name. */
      readonly refusals: readonly QuotaRefusal[];
      /** The first one in the API server's words. */
      readonly message: string;
    };

const admitted: QuotaAdmission = { kind: 'admitted' };
const zero: Quantity = { nano: 0n, format: 'DecimalSI' };

/**
 * Whether the API server would create `pod` beside what each quota's status says is used, had
 * `supposed.removed` never been charged and `supposed.added` been created before it. Quotas of other
 * namespaces and scopes do not matter, nor do resources that no pod uses up (`services`, storage). `now` in
 * epoch milliseconds (kubernetes `apiserver/plugin/resourcequota/controller.go: CheckRequest`). Not
 * simulated: admission configuration that limits consumption without a quota, and defaults by LimitRange: see
 * `withLimitRangeDefaults`.
 */
export function admission(
  pod: Pod,
  quotas: readonly ResourceQuota[],
  now: number,
  supposed: SupposedPods = {},
): QuotaAdmission {
  const refusals = quotas
    .filter((quota) => quota.metadata.namespace === pod.metadata.namespace && isInScope(quota, pod))
    .sort((a, b) => compareText(a.metadata.name, b.metadata.name))
    .map((quota) => mustSpecify(pod, quota) ?? exceeded(pod, quota, now, supposed))
    .filter((refusal) => refusal !== undefined);
  const first = refusals[0];
  return first === undefined ? admitted : { kind: 'refused', refusals, message: quotaMessage(first) };
}

/** True when the pod would be created once `removing` are gone, and are no longer charged. */
export function wouldBeAdmittedIf(
  pod: Pod,
  quotas: readonly ResourceQuota[],
  removing: readonly Pod[],
  now: number,
): boolean {
  return admission(pod, quotas, now, { removed: removing }).kind === 'admitted';
}

/** The limits in force: those the quota controller has acknowledged, else those asked for. */
function hardLimits({ spec, status }: ResourceQuota): Quantities {
  const acknowledged = Object.keys(status.hard).length > 0;
  return quantitiesOf(acknowledged ? status.hard : spec.hard);
}

/** A quota on cpu or memory demands that every container names it, unless the pod as a whole does. */
function mustSpecify(pod: Pod, quota: ResourceQuota): QuotaRefusal | undefined {
  if (pod.spec.resources !== undefined) return undefined;
  const tracked = [...hardLimits(quota).keys()];
  const containers = [...pod.spec.containers, ...pod.spec.initContainers];
  const lacking = containers.map((container) => ({
    name: container.name,
    names: unspecified(container, tracked),
  }));
  const resources = [...new Set(lacking.flatMap(({ names }) => names))].sort(compareText);
  if (resources.length === 0) return undefined;
  const missing = resources.map((resource) => ({
    resource,
    containers: lacking
      .filter(({ names }) => names.includes(resource))
      .map(({ name }) => name)
      .sort(compareText),
  }));
  return { kind: 'must-specify', quota: quota.metadata.name, missing };
}

function exceeded(
  pod: Pod,
  quota: ResourceQuota,
  now: number,
  supposed: SupposedPods,
): QuotaRefusal | undefined {
  const limits = hardLimits(quota);
  if (limits.size === 0) return undefined;
  const requested = podQuotaUsage(pod, now);
  const used = usedBy(quota, now, supposed);
  const resources = [...limits].flatMap(([resource, hard]) => {
    const asked = requested.get(resource);
    if (asked === undefined || asked.nano === 0n) return [];
    const before = used.get(resource) ?? zero;
    if (before.nano + asked.nano <= hard.nano) return [];
    const text = { requested: asked, used: before, limited: hard };
    return [{ resource, ...mapped(text) }];
  });
  if (resources.length === 0) return undefined;
  resources.sort((a, b) => compareText(a.resource, b.resource));
  return { kind: 'exceeded', quota: quota.metadata.name, resources };
}

function mapped({ requested, used, limited }: Record<'requested' | 'used' | 'limited', Quantity>) {
  return {
    requested: canonicalQuantity(requested),
    used: canonicalQuantity(used),
    limited: canonicalQuantity(limited),
  };
}

function usedBy(
  quota: ResourceQuota,
  now: number,
  { removed = [], added = [], usage }: SupposedPods,
): Quantities {
  const costs = (pods: readonly Pod[]) =>
    pods
      .filter((pod) => pod.metadata.namespace === quota.metadata.namespace && isInScope(quota, pod))
      .map((pod) => podQuotaUsage(pod, now))
      .reduce(sumOf, new Map());
  const used = new Map(sumOf(quantitiesOf(quota.status.used), usage?.added(quota, added) ?? costs(added)));
  for (const [resource, freed] of usage?.removed(quota, removed) ?? costs(removed)) {
    const before = used.get(resource);
    if (before === undefined) continue;
    used.set(resource, compareQuantities(before, freed) <= 0 ? zero : subtractQuantities(before, freed));
  }
  return used;
}

/**
 * What each resource of a quota has left beside `supposed`, in nano units; negative when it is overdrawn.
 * `now` in epoch milliseconds.
 */
export function roomBeside(
  quota: ResourceQuota,
  now: number,
  supposed: SupposedPods,
): ReadonlyMap<string, bigint> {
  const used = usedBy(quota, now, supposed);
  const left = ([resource, hard]: readonly [string, Quantity]) =>
    [resource, hard.nano - (used.get(resource) ?? zero).nano] as const;
  return new Map([...hardLimits(quota)].map(left));
}

/** What growing lists of pods cost each quota: a pod that was counted is not counted again. */
type RunningQuotaUsage = (quota: ResourceQuota, pods: readonly Pod[]) => Quantities;

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

type Total = { readonly counted: Set<string>; readonly usage: Quantities };

function nothingCounted(): Total {
  return { counted: new Set(), usage: new Map() };
}

/** One resource that a quota has too little of; quantities as text. */
interface ExceededResource {
  readonly resource: string;
  readonly requested: string;
  readonly used: string;
  readonly limited: string;
}

/** Why quota admission refused an object. */
export type QuotaRefusal =
  | { readonly kind: 'exceeded'; readonly quota: string; readonly resources: readonly ExceededResource[] }
  /** The quota counts something that these containers do not specify. */
  | {
      readonly kind: 'must-specify';
      readonly quota: string;
      readonly missing: readonly { readonly resource: string; readonly containers: readonly string[] }[];
    };

/**
 * In the API server's words, without the part that names the object
 * (`resourcequota/controller.go: CheckRequest`).
 */
export function quotaMessage(refusal: QuotaRefusal): string {
  if (refusal.kind === 'must-specify') {
    const missing = refusal.missing.map(
      ({ resource, containers }) => `${resource} for: ${containers.join(',')}`,
    );
    return `failed quota: ${refusal.quota}: must specify ${missing.join('; ')}`;
  }
  const resources = [...refusal.resources].sort((a, b) => compareText(a.resource, b.resource));
  const list = (field: 'requested' | 'used' | 'limited') =>
    resources.map((one) => `${one.resource}=${one[field]}`).join(',');
  const amounts = `requested: ${list('requested')}, used: ${list('used')}, limited: ${list('limited')}`;
  return `exceeded quota: ${refusal.quota}, ${amounts}`;
}

/**
 * Reads such a message out of an event or a condition, whatever stands before it. `undefined` for any other
 * text. Takes time in proportion to the text's length.
 */
export function parseQuotaMessage(text: string): QuotaRefusal | undefined {
  return parseExceeded(text) ?? parseMustSpecify(text);
}

function parseExceeded(text: string): QuotaRefusal | undefined {
  const quota = textBetween(text, 'exceeded quota: ', ', requested: ');
  const requested = textBetween(text, ', requested: ', ', used: ');
  const used = textBetween(text, ', used: ', ', limited: ');
  const limited = textAfter(text, ', limited: ');
  if (quota === undefined || requested === undefined || used === undefined || limited === undefined) {
    return undefined;
  }
  const usedBy = amounts(used);
  const limits = amounts(limited);
  const resources = [...amounts(requested)].map(([resource, amount]) => ({
    resource,
    requested: amount,
    used: usedBy.get(resource) ?? '',
    limited: limits.get(resource) ?? '',
  }));
  return { kind: 'exceeded', quota, resources };
}

function parseMustSpecify(text: string): QuotaRefusal | undefined {
  const quota = textBetween(text, 'failed quota: ', ': must specify ');
  const list = textAfter(text, ': must specify ');
  if (quota === undefined || list === undefined) return undefined;
  const missing = list.split('; ').flatMap((part) => {
    const [resource, containers] = part.split(' for: ');
    if (resource === undefined || containers === undefined) return [];
    return [{ resource: resource.trim(), containers: containers.trim().split(',') }];
  });
  return { kind: 'must-specify', quota, missing };
}

/** `name=amount` pairs; the last one ends where the text goes on with something else. */
function amounts(list: string): ReadonlyMap<string, string> {
  const pairs = list.split(',').flatMap((part) => {
    const [name, amount] = part.trim().split('=');
    const quantity = amount?.split(/\s/)[0];
    return name === undefined || quantity === undefined ? [] : [[name, quantity] as const];
  });
  return new Map(pairs);
}

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
function unspecified({ resources }: Container, tracked: readonly string[]): readonly string[] {
  const requests = { ...resources.limits, ...resources.requests };
  return tracked.filter((name) => {
    const [, kind, resource] = /^(?:(requests|limits)\.)?(cpu|memory)$/.exec(name) ?? [];
    if (resource === undefined) return false;
    return (kind === 'limits' ? resources.limits : requests)[resource] === undefined;
  });
}

type Quantities = ReadonlyMap<string, Quantity>;
type ResourceList = Readonly<Record<string, string>>;

/** The readable quantities of a list, exact and as written. */
export function quantitiesOf(list: ResourceList): Quantities {
  const entries = Object.entries(list).map(([resource, text]) => [resource, parseQuantity(text)] as const);
  return new Map(
    entries.flatMap(([resource, quantity]) => (quantity ? [[resource, quantity] as const] : [])),
  );
}

function sumOf(a: Quantities, b: Quantities): Quantities {
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
