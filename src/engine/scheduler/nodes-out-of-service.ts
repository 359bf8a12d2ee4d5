import { greatestOf } from '../collections/collections.js';
import type { ClusterIndex } from '../objects/cluster-index.js';
import { conditionOf } from '../objects/metadata.js';
import type { Node } from '../objects/node.js';
import { karpenterTaints } from '../objects/node-autoscalers.js';
import { isActive, type Pod, podKey } from '../objects/pod.js';
import type { NodeClaim } from '../objects/policy.js';
import { lazy } from './cluster-facts.js';
import type { Placement } from './placement.js';
import type { Reason } from './reason.js';
import type { NodeVerdict } from './verdict.js';

/**
 * Why a node that could carry the pod takes no new pods for now: somebody cordoned it, or it reports trouble.
 */
export type OutOfService = 'cordoned' | 'not-ready';

const CORDON = 'node.kubernetes.io/unschedulable';

/**
 * Taints that say what state a node is in, not what it is meant for; they go by themselves when the node
 * recovers (`node_lifecycle_controller.go: taintKeyToNodeConditionMap`,
 * `cloud-provider/api/well_known_taints.go`).
 */
const stateTaints: ReadonlySet<string> = new Set([
  'node.kubernetes.io/not-ready',
  'node.kubernetes.io/unreachable',
  'node.kubernetes.io/memory-pressure',
  'node.kubernetes.io/disk-pressure',
  'node.kubernetes.io/pid-pressure',
  'node.kubernetes.io/network-unavailable',
  'node.kubernetes.io/out-of-service',
  'node.cloudprovider.kubernetes.io/uninitialized',
  'node.cloudprovider.kubernetes.io/shutdown',
  'karpenter.sh/unregistered',
]);

/**
 * An agent takes such a taint from its node once it serves there: Cilium's `node.cilium.io/agent-not-ready`,
 * Istio's `cni.istio.io/not-ready`, `ebs.csi.aws.com/agent-not-ready`.
 */
const ofAgent = /\/(?:[a-z]{1,40}-)?not-ready$/;

const isOfState = (key: string): boolean => stateTaints.has(key) || ofAgent.test(key);

/** `undefined` for a reason that has nothing to do with the state the node is in. */
export function outOfService(reason: Reason): OutOfService | undefined {
  if (reason.id === 'cordoned') return 'cordoned';
  if (reason.id !== 'taint') return undefined;
  if (reason.taint.key === CORDON) return 'cordoned';
  return isOfState(reason.taint.key) ? 'not-ready' : undefined;
}

/** Conditions of a node that are True in trouble. The kubelet sets them; a taint follows within seconds. */
const troubles: ReadonlySet<string> = new Set([
  'MemoryPressure',
  'DiskPressure',
  'PIDPressure',
  'NetworkUnavailable',
]);

/**
 * The node reports trouble, or nothing any more, whatever its taints: somebody who uncordons it gains no
 * place for a pod. A node without conditions is taken for healthy.
 */
export function reportsTrouble({ status }: Node): boolean {
  return status.conditions.some(({ type, status: value }) =>
    type === 'Ready' ? value !== 'True' : troubles.has(type) && value === 'True',
  );
}

/** The node as it would be uncordoned and healthy. */
export function inService(node: Node): Node {
  const taints = node.spec.taints.filter(({ key }) => key !== CORDON && !isOfState(key));
  if (!node.spec.unschedulable && taints.length === node.spec.taints.length) return node;
  return { ...node, spec: { ...node.spec, unschedulable: false, taints } };
}

/** A node that starts is ready, with its devices, in less. */
const joiningMs = 5 * 60_000;

/**
 * Nodes that joined minutes ago and refuse the pod only because they are not ready, or have not reported
 * their devices.
 *
 * @param now epoch milliseconds
 */
export function nodesThatJoin(
  { nodes, objects }: Pick<ClusterIndex, 'nodes' | 'objects'>,
  verdicts: readonly NodeVerdict[],
  now: number,
): readonly string[] {
  const offers = lazy(() => offersByType(objects.Node));
  return verdicts.flatMap((verdict) => {
    const node = nodes.get(verdict.node);
    const isNew = now - Date.parse(node?.metadata.creationTimestamp ?? '') < joiningMs;
    return node !== undefined && isNew && isStillJoining(offers, node, verdict) ? [verdict.node] : [];
  });
}

/**
 * Nothing speaks against it but its state, a taint that agents take off once they run, or a device that nodes
 * of its instance type offer and that its device plugin has not told yet.
 */
function isStillJoining(offers: () => Offers, { metadata }: Node, { reasons }: NodeVerdict): boolean {
  return (
    reasons.length > 0 &&
    reasons.every((reason) => {
      if (reason.id === 'taint') return outOfService(reason) !== undefined || startUp.test(reason.taint.key);
      if (reason.id !== 'extended-resource' || reason.allocatable !== '0') return false;
      const type = metadata.labels[instanceType];
      return type !== undefined && offers().get(type)?.has(reason.resource) === true;
    })
  );
}

/** Resources of which some node of an instance type offers more than 0. */
type Offers = ReadonlyMap<string, ReadonlySet<string>>;

/** In one walk: after a scale-up hundreds of nodes are new at the same time. */
function offersByType(nodes: readonly Node[]): Offers {
  const offers = new Map<string, Set<string>>();
  for (const { metadata, status } of nodes) {
    const type = metadata.labels[instanceType];
    if (type === undefined) continue;
    const resources = offers.get(type) ?? new Set();
    offers.set(type, resources);
    for (const resource in status.allocatable) {
      if (status.allocatable[resource] !== '0') resources.add(resource);
    }
  }
  return offers;
}

const instanceType = 'node.kubernetes.io/instance-type';
/**
 * Cilium's `node.cilium.io/agent-not-ready`, Istio's `cni.istio.io/not-ready`, cloud controllers'
 * `uninitialized`.
 */
const startUp = /not-ready|uninitialized|startup/;

/**
 * A kubelet that was restarted, and a node under pressure for a moment, report a good state again in less.
 */
const recentMs = 5 * 60_000;

/**
 * Conditions with the status that a healthy node reports, by the taint that the node lifecycle controller
 * sets.
 */
const conditionOfTaint: ReadonlyMap<string, { readonly type: string; readonly good: string }> = new Map([
  ['node.kubernetes.io/not-ready', { type: 'Ready', good: 'True' }],
  ['node.kubernetes.io/unreachable', { type: 'Ready', good: 'True' }],
  ['node.kubernetes.io/memory-pressure', { type: 'MemoryPressure', good: 'False' }],
  ['node.kubernetes.io/disk-pressure', { type: 'DiskPressure', good: 'False' }],
  ['node.kubernetes.io/pid-pressure', { type: 'PIDPressure', good: 'False' }],
  ['node.kubernetes.io/network-unavailable', { type: 'NetworkUnavailable', good: 'False' }],
]);

/**
 * Nodes that refuse the pod only because of a state that began minutes ago, or because none of their devices
 * is healthy at present. While a device plugin is being updated, the kubelet reports its devices in the
 * capacity and none as allocatable (kubernetes `devicemanager/manager.go: GetCapacity`). Nobody has to act
 * before such a node takes pods again.
 *
 * @param now epoch milliseconds
 */
export function nodesThatMayReturn(
  { nodes }: Pick<ClusterIndex, 'nodes'>,
  verdicts: readonly NodeVerdict[],
  now: number,
): readonly string[] {
  return verdicts.flatMap((verdict) => {
    const node = nodes.get(verdict.node);
    if (node === undefined) return [];
    const passing = passingTaints(node, now);
    const missing = missingDevices(node);
    // The reasons of thousands of nodes are worked out only where one of them may pass.
    if (passing.size + missing.size === 0) return [];
    const { reasons } = verdict;
    const mayPass = (reason: Reason): boolean =>
      (reason.id === 'taint' && passing.has(reason.taint.key)) ||
      (reason.id === 'extended-resource' && missing.has(reason.resource));
    return reasons.length > 0 && reasons.every(mayPass) ? [verdict.node] : [];
  });
}

/** Taints of a state that began minutes ago, or that is over already. */
function passingTaints({ spec, status }: Node, now: number): ReadonlySet<string> {
  const keys = spec.taints.flatMap(({ key }) => {
    const condition = conditionOfTaint.get(key);
    if (condition === undefined) return [];
    const since = status.conditions
      .filter(({ type, status: found }) => type === condition.type && found !== condition.good)
      .map(({ lastTransitionTime }) => Date.parse(lastTransitionTime ?? ''));
    return since.length === 0 || now - greatestOf(since) < recentMs ? [key] : [];
  });
  return new Set(keys);
}

function missingDevices({ status: { capacity, allocatable } }: Node): ReadonlySet<string> {
  const isNone = (amount: string | undefined): boolean => amount === undefined || amount === '0';
  return new Set(
    Object.keys(capacity).filter(
      (resource) => resource.includes('/') && !isNone(capacity[resource]) && isNone(allocatable[resource]),
    ),
  );
}

/** A node whose life ends later is no help to people who wait for a rollout. */
const soonMs = 24 * 3_600_000;
/** Nodes that are tried. */
const maxTried = 50;

/**
 * Nodes that Karpenter is about to replace, and on which the pod would fit if it were alone there. The
 * replacement takes pods as soon as it is ready, before the pods of the former node are evicted, so a pod
 * that waits may be the first on it (karpenter `pkg/controllers/disruption/drift.go`,
 * `pkg/controllers/nodeclaim/expiration`). Not counted is consolidation. It deletes a node whose pods fit
 * elsewhere, which leaves less room than before, or replaces one as soon as a cheaper type is found, which
 * the NodeClaim of the order shows.
 *
 * @param now epoch milliseconds
 */
export function nodesThatAreReplaced(placement: Placement, waiting: Pod, now: number): readonly string[] {
  const { objects, nodes, podsByNode } = placement.index;
  if (objects.NodeClaim.length === 0) return [];
  const claims = objects.NodeClaim.flatMap((claim) => {
    const node = nodes.get(claim.status.nodeName ?? '');
    return node === undefined ? [] : [{ claim, node, pods: podsByNode.get(node.metadata.name) ?? [] }];
  });
  return claims
    .filter(({ claim, node, pods }) => isReplaced(claim, node, pods, now))
    .slice(0, maxTried)
    .filter(({ node, pods }) => {
      const empty = new Set(pods.map(podKey));
      return placement.check(waiting, withoutRemoval(node), empty).outcome === 'fits';
    })
    .map(({ node }) => node.metadata.name);
}

function isReplaced(claim: NodeClaim, { spec }: Node, pods: readonly Pod[], now: number): boolean {
  if (claim.metadata.deletionTimestamp !== undefined) return true;
  if (spec.taints.some(({ key }) => karpenterTaints.has(key))) return true;
  if (expiresAt(claim) <= now + soonMs) return true;
  return conditionOf(claim.status, 'Drifted')?.status === 'True' && !isProtected(claim, pods);
}

function withoutRemoval(node: Node): Node {
  const ready = inService(node);
  const taints = ready.spec.taints.filter(({ key }) => !karpenterTaints.has(key));
  return { ...ready, spec: { ...ready.spec, taints } };
}

/** Karpenter leaves such a node alone unless a grace period bounds that. */
function isProtected({ metadata, spec }: NodeClaim, pods: readonly Pod[]): boolean {
  if (metadata.annotations[doNotDisrupt] === 'true') return true;
  return (
    spec.terminationGracePeriod === undefined &&
    pods.some((pod) => isActive(pod) && pod.metadata.annotations[doNotDisrupt] === 'true')
  );
}

const doNotDisrupt = 'karpenter.sh/do-not-disrupt';

function expiresAt({ metadata, spec }: NodeClaim): number {
  const life = durationMs(spec.expireAfter ?? '');
  const created = Date.parse(metadata.creationTimestamp ?? '');
  return life === undefined || Number.isNaN(created) ? Number.POSITIVE_INFINITY : created + life;
}

const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000 };

/** Of a Go duration such as `720h` or `1h30m`; `undefined` for `Never`. */
function durationMs(text: string): number | undefined {
  if (!/^(?:\d{1,9}[hms]){1,3}$/u.test(text)) return undefined;
  return [...text.matchAll(/(\d{1,9})([hms])/gu)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ''] ?? 0),
    0,
  );
}
