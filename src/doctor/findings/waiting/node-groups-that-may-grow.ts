import type { AutoscalerStatus, NodeGroup } from '../../../engine/objects/autoscaler-status.js';
import { autoscalerStatusMap } from '../../../engine/objects/autoscaler-status.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { NodeSelectorRequirement } from '../../../engine/objects/pod-spec.js';
import type { NodeClaim, NodePool } from '../../../engine/objects/policy.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnread } from '../../../engine/objects/unread.js';
import { amountText, countedAmount } from '../../../engine/scheduler/amounts.js';
import { untoleratedTaints } from '../../../engine/scheduler/node-selector.js';
import { podRequests } from '../../../engine/scheduler/pod-requests.js';
import { parseQuantity } from '../../../engine/scheduler/quantity.js';

/** Whether Karpenter may add a node of this pool for a pod. */
export type NodePoolAdmission = { readonly pool: string } & (
  | { readonly state: 'shut'; readonly because: Shut }
  /**
   * Nothing that can be read keeps it from doing so. Which instance types there are is known to the cloud
   * alone.
   */
  | { readonly state: 'open' }
  | { readonly state: 'changing'; readonly because: Change }
);

/**
 * Why a pool that adds no node for a pod may still get one. `leaving`: a node that its limit counts is being
 * deleted. `launched`: the cloud has given a node that has not joined yet. `below-replicas`: a static pool
 * has fewer nodes than it keeps.
 */
type Change = 'leaving' | 'launched' | 'below-replicas';

type Shut =
  /**
   * Less of a limited resource is left than any node for this pod would have. `needed` is the lowest limit
   * that a node for the pod could keep. Quantities are in Kubernetes notation.
   */
  | {
      readonly kind: 'limit';
      readonly resource: string;
      readonly limit: string;
      readonly left: string;
      readonly needed: string;
    }
  | { readonly kind: 'not-ready'; readonly reason: string }
  | { readonly kind: 'static' }
  | { readonly kind: 'being-deleted' };

/**
 * The NodePools that may admit the pod; a pool that certainly does not is left out. Sources: karpenter
 * `scheduling/scheduler.go: add` (pools that are not ready are skipped),
 * `apis/v1/nodepool.go: Limits.ExceededBy`, `controllers/static/provisioning/controller.go: Reconcile` (1.9).
 */
export function nodePoolAdmissions(
  snapshot: Pick<Snapshot, 'index' | 'unseen' | 'workload'>,
  pod: Pod,
): readonly NodePoolAdmission[] {
  const { NodePool, NodeClaim } = snapshot.index.objects;
  const areClaimsRead = !isUnread(snapshot, 'NodeClaim');
  return NodePool.filter((pool) => mayAdmit(pool, pod)).map((pool): NodePoolAdmission => {
    const { name } = pool.metadata;
    const claims = NodeClaim.filter(({ metadata }) => metadata.labels['karpenter.sh/nodepool'] === name);
    const kept = claims.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    const isBelow = areClaimsRead && kept.length < (pool.spec.replicas ?? 0);
    const because = shutBy(pool, pod, isBelow);
    if (because === undefined) {
      return isBelow
        ? { pool: name, state: 'changing', because: 'below-replicas' }
        : { pool: name, state: 'open' };
    }
    if (kept.some(isJoining)) return { pool: name, state: 'changing', because: 'launched' };
    return because.kind === 'limit' && kept.length < claims.length
      ? { pool: name, state: 'changing', because: 'leaving' }
      : { pool: name, state: 'shut', because };
  });
}

/**
 * Karpenter deletes a NodeClaim that has not registered after 15 minutes (`nodeclaim/lifecycle/liveness.go`).
 */
function isJoining({ status }: NodeClaim): boolean {
  return (
    conditionOf(status, 'Launched')?.status === 'True' && conditionOf(status, 'Registered')?.status !== 'True'
  );
}

/**
 * True where NodePools were read and none of them can add a node for any of these pods, as far as objects
 * show.
 */
export function isEveryPoolShut(
  snapshot: Pick<Snapshot, 'index' | 'unseen' | 'workload'>,
  pods: readonly Pod[],
): boolean {
  if (snapshot.index.objects.NodePool.length === 0) return false;
  if (isUnread(snapshot, 'NodePool', 'NodeClaim')) return false;
  return pods.every((pod) => nodePoolAdmissions(snapshot, pod).every(({ state }) => state === 'shut'));
}

/** `isBelow`: a static pool has fewer nodes than its `replicas`, so Karpenter adds some within its limit. */
function shutBy({ metadata, spec, status }: NodePool, pod: Pod, isBelow: boolean): Shut | undefined {
  if (metadata.deletionTimestamp !== undefined) return { kind: 'being-deleted' };
  if (spec.replicas !== undefined && !isBelow) return { kind: 'static' };
  const ready = conditionOf(status, 'Ready');
  if (ready?.status === 'False') return { kind: 'not-ready', reason: ready.reason };
  const requests = podRequests(pod, false);
  for (const [resource, text] of Object.entries(spec.limits)) {
    const limit = amountOf(resource, text);
    const used = amountOf(resource, status.resources[resource] ?? '0');
    if (limit === undefined || used === undefined) continue;
    const left = limit - used;
    const least = leastOf(resource, requests.get(resource) ?? 0n);
    if (left < least) {
      return {
        kind: 'limit',
        resource,
        limit: text,
        left: amountText(resource, left < 0n ? 0n : left),
        needed: amountText(resource, used + least),
      };
    }
  }
  return undefined;
}

/**
 * The least that a node which can run the pod adds to the pool's usage. Every node has some cpu and memory.
 */
function leastOf(resource: string, requested: bigint): bigint {
  if (requested > 0n) return requested;
  return everyNodeHas.has(resource) ? 1n : 0n;
}

const everyNodeHas: ReadonlySet<string> = new Set(['nodes', 'cpu', 'memory', 'pods']);

function amountOf(resource: string, text: string): bigint | undefined {
  const quantity = parseQuantity(text);
  return quantity && countedAmount(resource, quantity);
}

/** False only where no node of the pool could run the pod: by its labels, its requirements or its taints. */
function mayAdmit({ metadata, spec: { template } }: NodePool, { spec }: Pod): boolean {
  const labels: Readonly<Record<string, string>> = {
    ...template.metadata.labels,
    'karpenter.sh/nodepool': metadata.name,
  };
  const conflicts = (wanted: NodeSelectorRequirement) =>
    isRefused(wanted, labels[wanted.key], template.spec.requirements);
  if (untoleratedTaints(template.spec.taints, spec.tolerations).length > 0) return false;
  const selected = Object.entries(spec.nodeSelector).map(
    ([key, value]): NodeSelectorRequirement => ({ key, operator: 'In', values: [value] }),
  );
  if (selected.some(conflicts)) return false;
  const terms =
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return terms === undefined || terms.some(({ matchExpressions }) => !matchExpressions.some(conflicts));
}

/** True where every node of the pool has a value for the label that the pod's requirement refuses. */
function isRefused(
  { key, operator, values }: NodeSelectorRequirement,
  label: string | undefined,
  ofPool: readonly NodeSelectorRequirement[],
): boolean {
  const possible =
    label !== undefined ? [label] : ofPool.find((each) => each.key === key && each.operator === 'In')?.values;
  if (possible === undefined) return false;
  switch (operator) {
    case 'In':
      return !possible.some((value) => values.includes(value));
    case 'NotIn':
      return possible.every((value) => values.includes(value));
    case 'DoesNotExist':
      return true;
    default:
      return false;
  }
}

/** Whether cluster-autoscaler may add a node to a group. */
export interface NodeGroupAdmission {
  readonly group: NodeGroup;
  /** `full`: at its maximum. `backoff`: not tried for some time after a failed scale-up. */
  readonly state: 'full' | 'backoff' | 'open';
}

/** The autoscaler writes its status in every loop, each 10 seconds by default. */
const freshMs = 5 * 60_000;

/**
 * The status that cluster-autoscaler wrote last; `undefined` where it was not read, or is so old that it may
 * not run.
 */
export function freshAutoscalerStatus(snapshot: Snapshot): AutoscalerStatus | undefined {
  const { namespace, name } = autoscalerStatusMap;
  const map = snapshot.index.objects.ConfigMap.find(
    ({ metadata }) => metadata.namespace === namespace && metadata.name === name,
  );
  const status = map !== undefined && 'autoscaler' in map ? map.autoscaler : undefined;
  if (status === undefined) return undefined;
  const age = nowOf(snapshot) - Date.parse(status.at);
  return age < freshMs && age > -freshMs ? status : undefined;
}

/**
 * Its node groups, those that can grow first. Which pods fit on the nodes of a group is known to the cloud
 * provider alone, so a group that can grow may be no help.
 */
export function nodeGroupAdmissions(snapshot: Snapshot): readonly NodeGroupAdmission[] {
  const groups = freshAutoscalerStatus(snapshot)?.groups ?? [];
  return groups
    .map((group): NodeGroupAdmission => ({ group, state: stateOf(group) }))
    .sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
}

const order: readonly NodeGroupAdmission['state'][] = ['open', 'backoff', 'full'];

function stateOf({ target, max, scaleUp }: NodeGroup): NodeGroupAdmission['state'] {
  if (max > 0 && target >= max) return 'full';
  return scaleUp === 'Backoff' ? 'backoff' : 'open';
}

/**
 * True where its status was read and none of its node groups can grow now. Node auto-provisioning makes
 * groups that are not listed, so its nodes leave that open.
 */
export function isEveryGroupShut(snapshot: Snapshot): boolean {
  const admissions = nodeGroupAdmissions(snapshot);
  return (
    admissions.length > 0 &&
    admissions.every(({ state }) => state !== 'open') &&
    !hasProvisionedGroups(snapshot)
  );
}

function hasProvisionedGroups({ index }: Snapshot): boolean {
  return index.objects.Node.some(({ metadata }) =>
    metadata.labels['cloud.google.com/gke-nodepool']?.startsWith('nap-'),
  );
}

/** The node groups that an order names. */
export function groupsOfOrder(message: string): readonly string[] {
  return [...message.matchAll(orderedGroup)].flatMap(([, name]) => name ?? []);
}

const orderedGroup = /\{([^\s{}]{1,512}) \d{1,9}->\d{1,9} \(max: \d{1,9}\)\}/gu;

/**
 * True where every node group that an order names is in backoff: the order failed (cluster-autoscaler
 * `processors/status/eventing_scale_up_processor.go`, `nodegroupset.ScaleUpInfo`).
 */
export function isOrderInBackoff(snapshot: Snapshot, message: string): boolean {
  const names = groupsOfOrder(message);
  const groups = freshAutoscalerStatus(snapshot)?.groups ?? [];
  return (
    names.length > 0 &&
    names.every((name) => groups.some((group) => group.name === name && group.scaleUp === 'Backoff'))
  );
}
