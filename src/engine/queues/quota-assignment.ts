import type { ClusterIndex } from '../objects/cluster-index.js';
import type { ClusterQueue, QueuedWorkload, ResourceFlavor } from '../objects/kueue.js';
import { Node } from '../objects/node.js';
import type { NodeSelector, PodSpec } from '../objects/pod-spec.js';
import { matchesRequiredNodeAffinity } from '../scheduler/node-selector.js';
import { untoleratedTaints } from '../scheduler/toleration.js';
import { type QuotaView, quotaView } from './cohort-quota.js';
import {
  amountOf,
  difference,
  type FlavorAmounts,
  flavorKey,
  type PodSetRequest,
  podSetRequestsOf,
  sumOf,
  usageOf,
} from './flavor-amounts.js';
import { reservingIn } from './queued-workload.js';

/** What a flavor has too little of. */
export interface Shortage {
  readonly flavor: string;
  readonly resource: string;
  readonly requested: bigint;
  /** What is left for the ClusterQueue, its cohort included. */
  readonly available: bigint;
  /** What the ClusterQueue can have at most. */
  readonly atMost: bigint;
}

export type Assignment =
  /** `usage`: what it would use of which flavor. */
  | { readonly kind: 'fits'; readonly usage: FlavorAmounts }
  /** Each flavor that its pods may use has too little. */
  | { readonly kind: 'short'; readonly shortages: readonly [Shortage, ...Shortage[]] }
  /** No flavor has nodes that its pods may use; `flavors` are those of the ClusterQueue. */
  | { readonly kind: 'no-flavor'; readonly flavors: readonly string[] }
  /** The ClusterQueue has no quota of these resources at all. */
  | { readonly kind: 'uncovered'; readonly resources: readonly string[] };

/** What Workloads use of the ClusterQueue: its status counts those that were not read. */
export function usageIn(index: Pick<ClusterIndex, 'objects'>, queue: ClusterQueue): FlavorAmounts {
  const ofIndex = usages.get(index.objects.Workload) ?? new Map<ClusterQueue, FlavorAmounts>();
  usages.set(index.objects.Workload, ofIndex);
  const usage = ofIndex.get(queue) ?? countUsage(index, queue);
  ofIndex.set(queue, usage);
  return usage;
}

/** Each view of the quota has all queues of the cluster. */
const usages = new WeakMap<object, Map<ClusterQueue, FlavorAmounts>>();

function countUsage(index: Pick<ClusterIndex, 'objects'>, queue: ClusterQueue): FlavorAmounts {
  const usage = new Map(sumOf(reservingIn(index, queue).map(usageOf)));
  for (const { name, resources } of queue.status.flavorsReservation) {
    for (const { name: resource, total } of resources) {
      const key = flavorKey(name, resource);
      const counted = amountOf(total);
      if (counted > (usage.get(key) ?? 0n)) usage.set(key, counted);
    }
  }
  return usage;
}

/** @param usage what Workloads use of the ClusterQueue itself */
export function viewWith(
  index: Pick<ClusterIndex, 'objects'>,
  queue: ClusterQueue,
  usage: FlavorAmounts,
  ofOthers: (other: ClusterQueue) => FlavorAmounts = (other) => usageIn(index, other),
): QuotaView {
  return quotaView(index.objects, queue, (each) =>
    each.metadata.name === queue.metadata.name ? usage : ofOthers(each),
  );
}

/** What is used of a ClusterQueue, by its name. */
export interface Charge {
  readonly queue: string;
  readonly usage: FlavorAmounts;
}

/**
 * Workloads give their quota back to the ClusterQueue that admitted them, which may be another one of the
 * cohort.
 */
export function chargesOf(workloads: readonly QueuedWorkload[]): readonly Charge[] {
  return workloads.map((each) => ({
    queue: each.status.admission?.clusterQueue ?? '',
    usage: usageOf(each),
  }));
}

/** The quota once some of what is used was given back, and more of it is used. */
export function viewAfter(
  index: Pick<ClusterIndex, 'objects'>,
  queue: ClusterQueue,
  { released, added = [] }: { released: readonly Charge[]; added?: readonly Charge[] },
): QuotaView {
  const sumIn = (charges: readonly Charge[], { metadata }: ClusterQueue): FlavorAmounts =>
    sumOf(charges.filter((each) => each.queue === metadata.name).map(({ usage }) => usage));
  const touched = new Set([...released, ...added].map((each) => each.queue));
  return quotaView(index.objects, queue, (each) => {
    const usage = usageIn(index, each);
    return touched.has(each.metadata.name)
      ? sumOf([difference(usage, sumIn(released, each)), sumIn(added, each)])
      : usage;
  });
}

/**
 * The first flavors with enough of everything, pod set by pod set (kueue
 * `pkg/scheduler/flavorassigner/flavorassigner.go: findFlavorForPodSets`, `fitsResourceQuota`).
 */
export function assignFlavors(
  index: Pick<ClusterIndex, 'objects'>,
  queue: ClusterQueue,
  view: QuotaView,
  podSets: readonly PodSetRequest[],
): Assignment {
  const uncovered = podSets.flatMap((podSet) => uncoveredBy(index, queue, podSet));
  if (uncovered.length > 0) return { kind: 'uncovered', resources: [...new Set(uncovered)].sort() };
  const usage = new Map<string, bigint>();
  for (const podSet of podSets) {
    for (const group of queue.spec.resourceGroups) {
      const found = assignGroup(index, view, group, podSet, usage);
      if (found.kind !== 'fits') return found;
      for (const [key, nano] of found.usage) usage.set(key, (usage.get(key) ?? 0n) + nano);
    }
  }
  return { kind: 'fits', usage };
}

/**
 * Resources that no group of the ClusterQueue covers. Kueue refuses them, unless it is configured to ignore
 * them, as it is where it admitted another Workload with such a request (kueue
 * `flavorassigner.go: IgnoreUndeclaredResources`). Of requests that Kueue did not count, it may be configured
 * to exclude some.
 */
function uncoveredBy(
  index: Pick<ClusterIndex, 'objects'>,
  queue: ClusterQueue,
  { requests, isCounted }: PodSetRequest,
): readonly string[] {
  if (!isCounted) return [];
  const covered = new Set(queue.spec.resourceGroups.flatMap(({ coveredResources }) => coveredResources));
  const uncovered = [...requests].filter(([resource, nano]) => nano > 0n && !covered.has(resource));
  if (uncovered.length === 0) return [];
  const accepted = new Set(
    reservingIn(index, queue)
      .flatMap(podSetRequestsOf)
      .flatMap((each) => [...each.requests.keys()]),
  );
  return uncovered.map(([resource]) => resource).filter((resource) => !accepted.has(resource));
}

type Group = ClusterQueue['spec']['resourceGroups'][number];

function assignGroup(
  index: Pick<ClusterIndex, 'objects'>,
  view: QuotaView,
  { coveredResources, flavors }: Group,
  { requests, count, spec }: PodSetRequest,
  assumed: FlavorAmounts,
): Assignment {
  const wanted = coveredResources
    .map((resource) => ({
      resource,
      nano: resource === 'pods' ? BigInt(count) * 1_000_000_000n : (requests.get(resource) ?? 0n),
    }))
    .filter(({ nano }) => nano > 0n);
  if (wanted.length === 0) return { kind: 'fits', usage: new Map() };
  const usable = flavors.filter(({ name }) => suits(flavorOf(index, name), spec));
  const shortages: Shortage[] = [];
  for (const { name: flavor } of usable) {
    const short = wanted.flatMap(({ resource, nano }): readonly Shortage[] => {
      const key = flavorKey(flavor, resource);
      const before = assumed.get(key) ?? 0n;
      const available = view.available(key) - before;
      return nano > available
        ? [
            {
              flavor,
              resource,
              requested: nano,
              available: available > 0n ? available : 0n,
              atMost: view.atMost(key),
            },
          ]
        : [];
    });
    if (short.length === 0) {
      return {
        kind: 'fits',
        usage: new Map(wanted.map(({ resource, nano }) => [flavorKey(flavor, resource), nano])),
      };
    }
    shortages.push(...short);
  }
  const [first, ...more] = shortages;
  return first === undefined
    ? { kind: 'no-flavor', flavors: flavors.map(({ name }) => name) }
    : { kind: 'short', shortages: [first, ...more] };
}

function flavorOf({ objects }: Pick<ClusterIndex, 'objects'>, name: string): ResourceFlavor | undefined {
  return objects.ResourceFlavor.find(({ metadata }) => metadata.name === name);
}

/**
 * Whether pods of this spec may use nodes of the flavor (kueue `flavorassigner.go: checkFlavorForPodSets`,
 * `flavorSelector`): only labels that the flavor itself names are compared, where versions until 0.18 compare
 * those of every flavor of the group. A flavor that was not read counts as suitable.
 */
function suits(flavor: ResourceFlavor | undefined, spec: PodSpec): boolean {
  if (flavor === undefined) return true;
  const { nodeLabels, nodeTaints, tolerations } = flavor.spec;
  if (untoleratedTaints(nodeTaints, [...spec.tolerations, ...tolerations]).length > 0) return false;
  const node = nodeWith(flavor);
  return matchesRequiredNodeAffinity(onlyKeys(spec, new Set(Object.keys(nodeLabels))), node);
}

const nodes = new WeakMap<ResourceFlavor, Node>();

function nodeWith(flavor: ResourceFlavor): Node {
  const { name } = flavor.metadata;
  const node = nodes.get(flavor) ?? Node.parse({ metadata: { name, labels: flavor.spec.nodeLabels } });
  nodes.set(flavor, node);
  return node;
}

/** A term without any of these labels lets the pods go anywhere, as the terms are alternatives. */
function onlyKeys(spec: PodSpec, keys: ReadonlySet<string>): PodSpec {
  const nodeSelector = Object.fromEntries(Object.entries(spec.nodeSelector).filter(([key]) => keys.has(key)));
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = (required?.nodeSelectorTerms ?? []).map(({ matchExpressions }) => ({
    matchExpressions: matchExpressions.filter(({ key }) => keys.has(key)),
    matchFields: [],
  }));
  const isOpen = terms.some(({ matchExpressions }) => matchExpressions.length === 0);
  const selector: NodeSelector | undefined =
    terms.length === 0 || isOpen ? undefined : { nodeSelectorTerms: terms };
  return {
    ...spec,
    nodeSelector,
    affinity: {
      podAffinity: undefined,
      podAntiAffinity: undefined,
      nodeAffinity:
        selector === undefined ? undefined : { requiredDuringSchedulingIgnoredDuringExecution: selector },
    },
  };
}
