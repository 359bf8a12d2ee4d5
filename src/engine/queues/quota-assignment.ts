import type { ClusterIndex } from '../objects/cluster-index.js';
import type { ClusterObjects } from '../objects/cluster-objects.js';
import type { ClusterQueue, Cohort, QueuedWorkload, ResourceFlavor } from '../objects/kueue.js';
import { Node } from '../objects/node.js';
import type { Pod } from '../objects/pod.js';
import type { NodeSelector, PodSpec } from '../objects/pod-spec.js';
import { matchesRequiredNodeAffinity, untoleratedTaints } from '../scheduler/node-selector.js';
import { podFromTemplate } from '../scheduler/pod-from-template.js';
import { podRequests } from '../scheduler/pod-requests.js';
import { canonicalQuantity, NANO, NANO_PER_MILLI, parseQuantity } from '../scheduler/quantity.js';
import { reservingIn } from './queued-workload.js';

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
function amountOf(quantity: string): bigint {
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

type Groups = ClusterQueue['spec']['resourceGroups'];

interface QuotaOfKey {
  readonly nominal: bigint;
  readonly borrowingLimit: bigint | undefined;
  readonly lendingLimit: bigint | undefined;
}

/** A ClusterQueue or a cohort, with the cohort above it. */
interface QuotaNode {
  readonly quotas: ReadonlyMap<string, QuotaOfKey>;
  readonly parent: QuotaNode | undefined;
  readonly children: QuotaNode[];
  /** Of a ClusterQueue only. */
  readonly usage: FlavorAmounts;
  /** What `subtreeQuota` found. */
  readonly found: Map<string, bigint>;
}

/** What is left for a ClusterQueue, and what it could have at most. */
type QuotaView = { readonly available: (key: string) => bigint; readonly atMost: (key: string) => bigint };

/**
 * The quota that a ClusterQueue has for itself and through its cohort (kueue
 * `pkg/cache/scheduler/resource_node.go: available`, `potentialAvailable`, `addUsage`). A cohort that is
 * above itself counts as the top.
 *
 * @param usageOf what Workloads use of a ClusterQueue
 */
function quotaView(
  { ClusterQueue: queues, Cohort: cohorts }: Pick<ClusterObjects, 'ClusterQueue' | 'Cohort'>,
  queue: ClusterQueue,
  usageOf: (queue: ClusterQueue) => FlavorAmounts,
): QuotaView {
  const top = queue.spec.cohort;
  if (top === undefined) {
    const node = nodeOf(queue.spec.resourceGroups, undefined, usageOf(queue));
    return viewOf(node);
  }
  const known = new Map(cohorts.map((cohort) => [cohort.metadata.name, cohort]));
  const made = new Map<string, QuotaNode>();
  const cohortNode = (name: string, below: ReadonlySet<string>): QuotaNode => {
    const found = made.get(name);
    if (found !== undefined) return found;
    const cohort = known.get(name);
    const above = parentOf(cohort, below);
    const parent = above === undefined ? undefined : cohortNode(above, new Set([...below, name]));
    const node = nodeOf(cohort?.spec.resourceGroups ?? [], parent, new Map());
    made.set(name, node);
    parent?.children.push(node);
    return node;
  };
  for (const name of known.keys()) cohortNode(name, new Set([name]));
  let own: QuotaNode | undefined;
  for (const each of queues) {
    const parent = each.spec.cohort === undefined ? undefined : cohortNode(each.spec.cohort, new Set());
    const node = nodeOf(each.spec.resourceGroups, parent, usageOf(each));
    parent?.children.push(node);
    if (each.metadata.name === queue.metadata.name) own = node;
  }
  return viewOf(own ?? nodeOf(queue.spec.resourceGroups, cohortNode(top, new Set()), usageOf(queue)));
}

/** The other ClusterQueues that share quota with this one, through whatever cohorts. */
export function queuesOfCohort(
  { ClusterQueue: queues, Cohort: cohorts }: Pick<ClusterObjects, 'ClusterQueue' | 'Cohort'>,
  queue: ClusterQueue,
): readonly ClusterQueue[] {
  const known = new Map(cohorts.map((cohort) => [cohort.metadata.name, cohort]));
  const topOf = ({ spec }: ClusterQueue): string | undefined => {
    const below = new Set<string>();
    let name = spec.cohort;
    while (name !== undefined) {
      below.add(name);
      const above = parentOf(known.get(name), below);
      if (above === undefined) return name;
      name = above;
    }
    return undefined;
  };
  const top = topOf(queue);
  if (top === undefined) return [];
  return queues.filter((each) => each.metadata.name !== queue.metadata.name && topOf(each) === top);
}

/** Cohorts above a queue at most; what is further above counts as not there. */
const maxCohorts = 100;

/** `undefined` at the top, and where the cohorts form a cycle. */
function parentOf(cohort: Cohort | undefined, below: ReadonlySet<string>): string | undefined {
  const name = cohort?.spec.parentName;
  const isTop = name === undefined || name === '' || below.has(name) || below.size > maxCohorts;
  return isTop ? undefined : name;
}

function nodeOf(groups: Groups, parent: QuotaNode | undefined, usage: FlavorAmounts): QuotaNode {
  return { quotas: quotasOf(groups), parent, children: [], usage, found: new Map() };
}

function quotasOf(groups: Groups): ReadonlyMap<string, QuotaOfKey> {
  return new Map(
    groups.flatMap(({ flavors }) =>
      flavors.flatMap(({ name, resources }) =>
        resources.map(({ name: resource, nominalQuota, borrowingLimit, lendingLimit }) => [
          flavorKey(name, resource),
          {
            nominal: amountOf(nominalQuota),
            borrowingLimit: borrowingLimit === undefined ? undefined : amountOf(borrowingLimit),
            lendingLimit: lendingLimit === undefined ? undefined : amountOf(lendingLimit),
          },
        ]),
      ),
    ),
  );
}

function viewOf(node: QuotaNode): QuotaView {
  return { available: (key) => largest(0n, availableTo(node, key)), atMost: (key) => mostFor(node, key) };
}

function availableTo(node: QuotaNode, key: string): bigint {
  const quota = subtreeQuota(node, key);
  const used = usageOfTree(node, key);
  if (node.parent === undefined) return quota - used;
  const local = localQuota(node, key);
  const above = availableTo(node.parent, key);
  const limit = node.quotas.get(key)?.borrowingLimit;
  const borrowed =
    limit === undefined ? above : least(above, quota - local - largest(0n, used - local) + limit);
  return largest(0n, local - used) + borrowed;
}

function mostFor(node: QuotaNode, key: string): bigint {
  const quota = subtreeQuota(node, key);
  if (node.parent === undefined) return quota;
  const most = localQuota(node, key) + mostFor(node.parent, key);
  const limit = node.quotas.get(key)?.borrowingLimit;
  return limit === undefined ? most : least(most, quota + limit);
}

/** Its own quota and what the nodes below lend it. */
function subtreeQuota(node: QuotaNode, key: string): bigint {
  const found = node.found.get(key);
  if (found !== undefined) return found;
  const sum = node.children.reduce(
    (quota, child) => quota + subtreeQuota(child, key) - localQuota(child, key),
    node.quotas.get(key)?.nominal ?? 0n,
  );
  node.found.set(key, sum);
  return sum;
}

/** What it never lends. */
function localQuota(node: QuotaNode, key: string): bigint {
  const lending = node.quotas.get(key)?.lendingLimit;
  return lending === undefined ? 0n : largest(0n, subtreeQuota(node, key) - lending);
}

function usageOfTree(node: QuotaNode, key: string): bigint {
  return node.children.reduce(
    (sum, child) => sum + largest(0n, usageOfTree(child, key) - localQuota(child, key)),
    node.usage.get(key) ?? 0n,
  );
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

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
export type Charge = { readonly queue: string; readonly usage: FlavorAmounts };

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
