import type { Node } from '../objects/node.js';
import type { Reason } from './reason.js';

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
