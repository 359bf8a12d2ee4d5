import { greatestOf } from '../collections/collections.js';
import type { ClusterIndex } from '../objects/cluster-index.js';
import type { Node } from '../objects/node.js';
import type { Reason } from './reason.js';
import type { NodeVerdict } from './verdict.js';

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
