import { compareText } from '../../../engine/collections/collections.js';
import type { Node } from '../../../engine/objects/node.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import type { NodeAttribute } from '../../../engine/statistics/node-concentration.js';

/**
 * An attribute of all affected nodes and no other node. A lead, not a cause: few nodes often differ by
 * chance.
 */
export interface Lead extends NodeAttribute {
  /** The value on the other nodes, when all of them have the same. */
  readonly elsewhere: string | undefined;
}

/** Attributes that are often the reason come first, the rest by name. */
const weight: readonly RegExp[] = [
  /^condition /,
  /^unhealthy /,
  /^image digest/,
  /^taint |^cordoned/,
  /[Dd]river|cuda|gpu/,
  /^kernel|^containerRuntime|^kubelet|^osImage|^architecture/,
];

/**
 * The attributes that distinguish the affected nodes from healthy nodes with the same pods, likeliest first.
 *
 * @param bad names of the nodes where the workload crashes
 * @param good names of the nodes where it runs without crashes; without any, there is nothing to compare
 */
export function leadsOf(
  snapshot: Snapshot,
  bad: readonly string[],
  good: readonly string[],
  pods: readonly Pod[],
): readonly Lead[] {
  const describe = (name: string): ReadonlyMap<string, string> => {
    const node = snapshot.index.nodes.get(name);
    const own = node === undefined ? [] : attributesOf(node);
    return new Map([...own, ...digestsOn(name, pods)].map((each) => [each.name, each.value]));
  };
  const badOnes = bad.map(describe);
  const goodOnes = good.map(describe);
  const [first] = badOnes;
  if (first === undefined || goodOnes.length === 0) return [];
  return [...first]
    .filter(
      ([name, value]) =>
        badOnes.every((each) => each.get(name) === value) &&
        goodOnes.every((each) => each.get(name) !== value),
    )
    .map(([name, value]) => ({ name, value, elsewhere: shared(goodOnes, name) }))
    .sort((a, b) => rank(a) - rank(b) || compareText(a.name, b.name));
}

function shared(nodes: readonly ReadonlyMap<string, string>[], name: string): string | undefined {
  const values = new Set(nodes.map((each) => each.get(name)));
  return values.size === 1 ? [...values][0] : undefined;
}

function rank({ name }: Lead): number {
  const place = weight.findIndex((pattern) => pattern.test(name));
  return place === -1 ? weight.length : place;
}

/** The digests behind the tags: the same tag may be another image on another node. */
function digestsOn(node: string, pods: readonly Pod[]): readonly NodeAttribute[] {
  return pods
    .filter(({ spec }) => spec.nodeName === node)
    .flatMap(({ status }) => status.containerStatuses)
    .flatMap(({ name, imageID }) => {
      const digest = imageID.split('@').at(-1) ?? '';
      return digest === '' ? [] : [{ name: `image digest of ${name}`, value: digest }];
    });
}

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
