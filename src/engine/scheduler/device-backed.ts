import type { DeviceClass } from '../objects/device.js';
import type { Amounts } from './amounts.js';
import type { ClusterFacts } from './cluster-facts.js';
import { implicitDeviceClass } from './resource-name.js';

/**
 * True when devices must give what the node's device plugin does not: the node has none of the resource and a
 * DeviceClass stands for it (`noderesources/fit.go: shouldDelegateResourceToDRA`, on by default since 1.36).
 */
export function isDeviceBacked(facts: ClusterFacts, allocatable: Amounts, resource: string): boolean {
  if (!resource.includes('/') || (allocatable.get(resource) ?? 0n) > 0n) return false;
  return backingClass(facts, resource) !== undefined;
}

/**
 * The class whose devices stand for an extended resource, by its `extendedResourceName` or the implicit name.
 */
export function backingClass(facts: ClusterFacts, resource: string): DeviceClass | undefined {
  const implicit = implicitDeviceClass(resource);
  return implicit === undefined ? facts.deviceClassOfExtendedResource(resource) : facts.deviceClass(implicit);
}
