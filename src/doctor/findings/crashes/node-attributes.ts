import type { Node } from '../../../engine/objects/node.js';
import type { NodeAttribute } from '../../../engine/statistics/candidate.js';

/** Labels that are equal on every node or name the node itself, so they group no nodes. */
const ownNames: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'beta.kubernetes.io/os',
]);

/**
 * Attributes that may distinguish a node from the others: system, labels, taints and unhealthy conditions.
 * The boot id, the name and the addresses are unique to each node and explain nothing.
 */
export function attributesOf({ metadata, spec, status }: Node): readonly NodeAttribute[] {
  const { nodeInfo } = status;
  const system = {
    kernelVersion: nodeInfo.kernelVersion,
    osImage: nodeInfo.osImage,
    containerRuntimeVersion: nodeInfo.containerRuntimeVersion,
    kubeletVersion: nodeInfo.kubeletVersion,
    architecture: nodeInfo.architecture,
  };
  return [
    ...status.conditions.flatMap(({ type, status: state, reason }) =>
      isTrouble(type, state)
        ? [{ name: `condition ${type}`, value: reason === '' ? state : `${state} (${reason})` }]
        : [],
    ),
    ...spec.taints.map(({ key, value, effect }) => ({ name: `taint ${key}`, value: `${value}:${effect}` })),
    ...(spec.unschedulable ? [{ name: 'cordoned', value: 'true' }] : []),
    ...shortage(status),
    ...Object.entries(system).flatMap(([name, value]) => (value === '' ? [] : [{ name, value }])),
    ...Object.entries(metadata.labels)
      .filter(([name]) => !ownNames.has(name))
      .map(([name, value]) => ({ name: `label ${name}`, value })),
  ];
}

/** Ready must be True. Every other condition, also of the node problem detector, is a problem when True. */
function isTrouble(type: string, state: string): boolean {
  return type === 'Ready' ? state !== 'True' : state === 'True';
}

/** Devices in the capacity but not allocatable, because the device plugin reports them as unhealthy. */
function shortage({ capacity, allocatable }: Node['status']): readonly NodeAttribute[] {
  return Object.entries(capacity).flatMap(([resource, all]) => {
    const offered = allocatable[resource];
    const isDevice = resource.includes('/') && !resource.startsWith('hugepages-');
    return isDevice && offered !== undefined && offered !== all
      ? [{ name: `unhealthy ${resource}`, value: `${offered} of ${all} allocatable` }]
      : [];
  });
}
