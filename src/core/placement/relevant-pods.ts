import type { Node } from '../cluster/node.js';
import type { Pod } from '../cluster/pod.js';
import { byPodName, podKey } from '../cluster/pod-key.js';
import { wantsItself } from './affinity-state.js';
import { countedAmount } from './amounts.js';
import { podRequests } from './pod-requests.js';
import { parseQuantity } from './quantity.js';
import { holdersOf, type Reason, type ResourceReason } from './reason.js';
import type { Situation } from './situation.js';

/** A pod whose removal could help, with what it would free of each scarce resource. */
export interface OptionalPod {
  readonly pod: Pod;
  readonly frees: readonly bigint[];
}

/** What a search for the smallest set works on. */
export interface RelevantPods {
  /** Each of these alone keeps the pod away: every set contains them. */
  readonly required: readonly Pod[];
  /** The most useful first, then by name. */
  readonly optional: readonly OptionalPod[];
  /** What the optional pods must free of each scarce resource, after the required ones are gone. */
  readonly short: readonly bigint[];
  /** So many optional pods must go at least, by the spread rules alone. */
  readonly atLeast: number;
}

/**
 * Splits the removable pods by what the node's reasons say of them. `undefined` when no set can help: a
 * reason that nobody's leaving removes, or a holder that must go and is not removable. Pods left out can only
 * make matters worse by leaving, so that a smallest set never needs them.
 */
export function relevantPods(
  situation: Situation,
  node: Node,
  reasons: readonly Reason[],
  removable: ReadonlyMap<string, Pod>,
): RelevantPods | undefined {
  if (removable.size === 0) return undefined;
  const startsSeries = wantsItself(situation.world.facts, situation.pod);
  if (reasons.some((reason) => !reason.resolvable && !(startsSeries && isLonely(reason)))) return undefined;
  const required = new Map<string, Pod>();
  for (const reason of reasons.filter(isHeldByAll)) {
    for (const holder of holdersOf(reason)) {
      const pod = removable.get(podKey(holder));
      if (pod === undefined) return undefined;
      required.set(podKey(pod), pod);
    }
  }
  const scarce = reasons.filter(isResource);
  const freed = (pod: Pod): readonly bigint[] => scarce.map(({ resource }) => freedAmount(pod, resource));
  const gone = [...required.values()].filter(({ spec }) => spec.nodeName === node.metadata.name).map(freed);
  const short = scarce.map(({ resource, short: text }, index) =>
    gone.reduce((left, frees) => left - (frees[index] ?? 0n), shortAmount(resource, text)),
  );
  const atLeast = reasons.reduce((most, reason) => Math.max(most, excess(reason)), 0) - required.size;
  const optional = candidates(situation, node, reasons, startsSeries)
    .map((pod) => removable.get(podKey(pod)))
    .filter((pod): pod is Pod => pod !== undefined && !required.has(podKey(pod)))
    .map((pod) => ({
      pod,
      frees: pod.spec.nodeName === node.metadata.name ? freed(pod) : scarce.map(() => 0n),
    }));
  return {
    required: [...required.values()].sort(byPodName),
    optional: mostUseful(optional, short),
    short,
    atLeast,
  };
}

function candidates(
  situation: Situation,
  node: Node,
  reasons: readonly Reason[],
  startsSeries: boolean,
): readonly Pod[] {
  const pods = new Map<string, Pod>();
  const note = (pod: Pod): void => {
    pods.set(podKey(pod), pod);
  };
  for (const reason of reasons) holdersOf(reason).forEach(note);
  for (const count of situation.spread()) {
    const domain = node.metadata.labels[count.constraint.topologyKey];
    if (domain !== undefined) count.podsIn(domain).forEach(note);
  }
  if (startsSeries) {
    for (const domains of situation.affinity().wanted.values()) [...domains.values()].flat().forEach(note);
  }
  if (situation.pod.spec.resourceClaims.length > 0) {
    situation.world.facts
      .assigned()
      .filter(({ spec }) => spec.resourceClaims.length > 0)
      .forEach(note);
  }
  return [...pods.values()];
}

/**
 * The affinity reason that goes away when nobody matches any more and the pod may start the series itself.
 */
function isLonely(reason: Reason): boolean {
  return reason.id === 'pod-affinity' && reason.rule === 'affinity' && reason.domain !== undefined;
}

/** Pods that must leave the domain until its skew is allowed; other domains' pods can only make that more. */
function excess(reason: Reason): number {
  if (reason.id !== 'topology-spread' || reason.domain === undefined) return 0;
  return reason.matching + reason.self - reason.minimum - reason.maxSkew;
}

function isHeldByAll(reason: Reason): boolean {
  return (
    reason.id === 'host-port' ||
    reason.id === 'rwop' ||
    reason.id === 'disk-conflict' ||
    (reason.id === 'pod-affinity' && reason.rule !== 'affinity')
  );
}

function isResource(reason: Reason): reason is ResourceReason {
  return 'short' in reason;
}

function freedAmount(pod: Pod, resource: string): bigint {
  return resource === 'pods' ? 1n : (podRequests(pod, true).get(resource) ?? 0n);
}

function shortAmount(resource: string, text: string): bigint {
  return countedAmount(resource, parseQuantity(text) ?? { nano: 0n, format: 'DecimalSI' });
}

function mostUseful(pods: readonly OptionalPod[], short: readonly bigint[]): readonly OptionalPod[] {
  const use = ({ frees }: OptionalPod): number =>
    frees.reduce((sum, amount, index) => {
      const needed = short[index] ?? 0n;
      return needed <= 0n ? sum : sum + Math.min(1, Number(amount) / Number(needed));
    }, 0);
  return pods
    .map((item) => ({ item, use: use(item) }))
    .sort((a, b) => b.use - a.use || byPodName(a.item.pod, b.item.pod))
    .map(({ item }) => item);
}
