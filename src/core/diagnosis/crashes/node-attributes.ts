import type { Node } from '../../cluster/node.js';
import type { NodeAttribute } from '../../statistics/candidate.js';

/** Labels that say the same of every node or name the node itself: they group nothing. */
const ownNames: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'beta.kubernetes.io/os',
]);

/**
 * What may tell a node from the others: system, labels, taints and conditions that are not as they should be. The
 * boot id, the name and addresses are its own and explain nothing.
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

/** Ready should be True; every other condition, the node problem detector's too, is trouble when True. */
function isTrouble(type: string, state: string): boolean {
  return type === 'Ready' ? state !== 'True' : state === 'True';
}

/** Devices that the node has and does not offer: the device plugin found them unhealthy. */
function shortage({ capacity, allocatable }: Node['status']): readonly NodeAttribute[] {
  return Object.entries(capacity).flatMap(([resource, all]) => {
    const offered = allocatable[resource];
    const isDevice = resource.includes('/') && !resource.startsWith('hugepages-');
    return isDevice && offered !== undefined && offered !== all
      ? [{ name: `unhealthy ${resource}`, value: `${offered} of ${all} allocatable` }]
      : [];
  });
}
