import { compareText } from '../collections/collections.js';
import { textAfter, textBetween } from '../language/text-scanning.js';
import type { Pod } from '../objects/pod.js';
import { podKey } from '../objects/pod-key.js';
import type { ResourceQuota } from '../objects/quota.js';
import { compareQuantities, type Quantity, subtractQuantities } from '../scheduler/quantity.js';
import { canonicalQuantity } from '../scheduler/quantity-format.js';
import {
  isInScope,
  podQuotaUsage,
  type Quantities,
  quantitiesOf,
  sumOf,
  unspecified,
} from './quota-usage.js';

/** Pods to think away or to add before the quotas are asked. */
export interface SupposedPods {
  readonly removed?: readonly Pod[];
  readonly added?: readonly Pod[];
  /** Knows what they cost, so that a long list is not counted again at each pod. */
  readonly usage?: { readonly removed: RunningQuotaUsage; readonly added: RunningQuotaUsage };
}

export type QuotaAdmission =
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

interface Total {
  readonly counted: Set<string>;
  readonly usage: Quantities;
}

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
