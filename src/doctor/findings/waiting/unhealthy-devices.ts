import type { Statement } from '../../../engine/language/statement.js';
import type { ClusterIndex } from '../../../engine/objects/cluster-index.js';
import type { Node } from '../../../engine/objects/node.js';
import type { Pod, UnhealthyDevice } from '../../../engine/objects/pod.js';
import { isActive, isTerminal, refOf, unhealthyDevicesOf } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { podRequests } from '../../../engine/scheduler/pod-requests.js';
import { parseQuantity } from '../../../engine/scheduler/quantity.js';
import type { Reason } from '../../../engine/scheduler/reason.js';
import { devicePluginsOn } from '../crashes/node-agents.js';
import type { Advice, Evidence } from '../finding.js';
import { waiting } from './text.js';

/** A device of the resource that pods wait for, unhealthy in the status of the pod that holds it. */
interface HeldDevice extends UnhealthyDevice {
  readonly pod: Pod;
}

/** Devices told one by one. */
const shown = 3;

/**
 * The kubelet subtracts an unhealthy device from what its node offers and leaves it to the pod that holds it.
 * Only the status of this pod names the device.
 */
export function unhealthyDevicesAmong(pods: readonly Pod[], isWanted: (resource: string) => boolean) {
  return pods
    .filter(isActive)
    .flatMap((pod) => unhealthyDevicesOf(pod).map((device): HeldDevice => ({ pod, ...device })))
    .filter(({ resource }) => isWanted(resource))
    .slice(0, shown);
}

/**
 * The number of devices that a node has while it offers none of them: the kubelet keeps the capacity when
 * their plug-in is gone or reports all as unhealthy (kubernetes `cm/devicemanager/manager.go: GetCapacity`).
 * `undefined` for every other shortage.
 */
export function unofferedDevices(node: Node | undefined, reason: Reason): string | undefined {
  if (reason.id !== 'extended-resource' || reason.allocatable !== '0') return undefined;
  const capacity = node?.status.capacity[reason.resource] ?? '0';
  return capacity === '0' ? undefined : capacity;
}

/** A node that offers fewer devices than it had. */
export interface LostDevices {
  readonly node: string;
  readonly resource: string;
  /** How many it has by its capacity, or its pods use. */
  readonly had: number;
  readonly offered: number;
}

/**
 * The kubelet takes unhealthy devices from what a node offers, and devices that the plug-in no longer reports
 * from its capacity as well. Pods keep what they got. `undefined` where the node offers what it has, or
 * nothing at all (`unofferedDevices`).
 */
export function lostDevices(
  { nodes, podsByNode }: ClusterIndex,
  name: string,
  reason: Reason,
): LostDevices | undefined {
  const node = nodes.get(name);
  if (node === undefined || reason.id !== 'extended-resource') return undefined;
  const { resource } = reason;
  const offered = wholeOf(reason.allocatable);
  // What is free also lacks what is kept for a nominated pod, which has no device yet.
  const used = (podsByNode.get(name) ?? [])
    .filter((pod) => !isTerminal(pod))
    .reduce((sum, pod) => sum + (podRequests(pod, true).get(resource) ?? 0n), 0n);
  const had = Math.max(wholeOf(node.status.capacity[resource]), Number(used));
  return offered > 0 && had > offered ? { node: name, resource, had, offered } : undefined;
}

/** Whether the request fits once the node offers its devices again. */
export function wouldFitAgain({ had, offered }: LostDevices, reason: Reason): boolean {
  return (
    reason.id === 'extended-resource' && wholeOf(reason.requested) <= had - offered + wholeOf(reason.free)
  );
}

/** Extended resources are whole numbers. */
function wholeOf(quantity: string | undefined): number {
  return Number((parseQuantity(quantity ?? '0')?.nano ?? 0n) / nanos);
}
const nanos = 1_000_000_000n;

/** Nodes told one by one. */
export function lostDevicesOn(
  index: ClusterIndex,
  refusing: readonly { readonly name: string; readonly reasons: readonly Reason[] }[],
): readonly LostDevices[] {
  return refusing
    .flatMap(({ name, reasons }) => reasons.flatMap((reason) => lostDevices(index, name, reason) ?? []))
    .slice(0, shown);
}

export function lostStatements(lost: readonly LostDevices[]): readonly Statement[] {
  return lost.map((each) => waiting('devices-lost', { ...each }));
}

/** Where a device plug-in runs on the nodes and they offer none of its devices, its log says why. */
export function unofferedAdvice(
  snapshot: Snapshot,
  unoffered: readonly Pick<LostDevices, 'node'>[],
): readonly Advice[] {
  const nodes = unoffered.map(({ node }) => node);
  return devicePluginsOn(snapshot, nodes).length === 0 ? [] : lostAdvice(snapshot, unoffered);
}

/** With the logs of the device plug-ins that run on the nodes. */
export function lostAdvice(
  snapshot: Snapshot,
  lost: readonly Pick<LostDevices, 'node'>[],
): readonly Advice[] {
  const nodes = [...new Set(lost.map(({ node }) => node))].sort();
  if (nodes.length === 0) return [];
  const plugins = devicePluginsOn(snapshot, nodes).slice(0, shown);
  return [
    {
      title: waiting('advice-devices-lost-title', { nodes }),
      text: waiting('advice-devices-lost'),
      snippet:
        plugins.length > 0
          ? plugins.map(({ namespace, name }) => `kubectl -n ${namespace} logs ${name}\n`).join('')
          : nodes.map((node) => `kubectl get pods -A --field-selector spec.nodeName=${node}\n`).join(''),
    },
  ];
}

export function deviceStatements(devices: readonly HeldDevice[]): readonly Statement[] {
  return devices.map(({ pod, resource, device }) =>
    waiting('unhealthy-device', { pod: pod.metadata.name, node: pod.spec.nodeName ?? '', resource, device }),
  );
}

export function deviceEvidence(devices: readonly HeldDevice[]): readonly Evidence[] {
  return devices.map(({ pod, container, resource, device }) => ({
    object: refOf(pod),
    field: `status.containerStatuses[${container}].allocatedResourcesStatus[${resource}]`,
    value: `${device}: Unhealthy`,
    says: waiting('ev-unhealthy-device', { pod: pod.metadata.name, device }),
  }));
}
