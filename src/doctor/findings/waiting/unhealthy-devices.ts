import type { Statement } from '../../../engine/language/statement.js';
import { isActive, type Pod, type UnhealthyDevice, unhealthyDevicesOf } from '../../../engine/objects/pod.js';
import { refOf } from '../../../engine/objects/pod-key.js';
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
