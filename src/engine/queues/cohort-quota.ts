import type { ClusterObjects } from '../objects/cluster-objects.js';
import type { ClusterQueue, Cohort } from '../objects/kueue.js';
import { amountOf, type FlavorAmounts, flavorKey } from './flavor-amounts.js';

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
export interface QuotaView {
  readonly available: (key: string) => bigint;
  readonly atMost: (key: string) => bigint;
}

/**
 * The quota that a ClusterQueue has for itself and through its cohort (kueue
 * `pkg/cache/scheduler/resource_node.go: available`, `potentialAvailable`, `addUsage`). A cohort that is
 * above itself counts as the top.
 *
 * @param usageOf what Workloads use of a ClusterQueue
 */
export function quotaView(
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
  return {
    available: (key) => largest(0n, availableTo(node, key)),
    atMost: (key) => mostFor(node, key),
  };
}

function availableTo(node: QuotaNode, key: string): bigint {
  const quota = subtreeQuota(node, key);
  const used = usageIn(node, key);
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

function usageIn(node: QuotaNode, key: string): bigint {
  return node.children.reduce(
    (sum, child) => sum + largest(0n, usageIn(child, key) - localQuota(child, key)),
    node.usage.get(key) ?? 0n,
  );
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
