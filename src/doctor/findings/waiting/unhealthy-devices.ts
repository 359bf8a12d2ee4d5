import type { Statement } from '../../../engine/language/statement.js';
import type { Node } from '../../../engine/objects/node.js';
import {
  isActive,
  type Pod,
  refOf,
  type UnhealthyDevice,
  unhealthyDevicesOf,
} from '../../../engine/objects/pod.js';
import type { Reason } from '../../../engine/scheduler/reason.js';
import type { Evidence } from '../finding.js';
import { waiting } from './text.js';

/** A device of the resource that pods wait for, unhealthy in the status of the pod that holds it. */
export interface HeldDevice extends UnhealthyDevice {
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

export function deviceStatements(devices: readonly HeldDevice[]): readonly Statement[] {
  return devices.map(({ pod, resource, device }) =>
    waiting('unhealthy-device', {
      pod: pod.metadata.name,
      node: pod.spec.nodeName ?? '',
      resource,
      device,
    }),
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
