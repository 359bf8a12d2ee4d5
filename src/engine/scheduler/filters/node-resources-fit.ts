import type { Node } from '../../objects/node.js';
import type { Pod } from '../../objects/pod.js';
import { byPodName } from '../../objects/pod.js';
import type { Container } from '../../objects/pod-spec.js';
import { amountText } from '../amounts.js';
import { isDeviceBacked } from '../device-state.js';
import { podRequests } from '../pod-requests.js';
import type { Objection, ResourceReason } from '../reason.js';
import { noObjections } from '../reason.js';
import type { Filter, Situation } from '../situation.js';
import { podsOn, requestedOn } from '../world.js';

/**
 * Pod slots and every requested resource (`noderesources/fit.go: fitsRequest`). More than the node could ever
 * give is not resolvable. A resource that the node offers through a DeviceClass is left to the device filter.
 */
export const nodeResourcesFit: Filter = (situation, node) => {
  const { world, requests } = situation;
  const name = node.metadata.name;
  const allocatable = world.facts.allocatable(node);
  const slots = allocatable.get('pods') ?? 0n;
  const present = podsOn(world, name).length;
  let objections: Objection[] | undefined;
  if (BigInt(present) + 1n > slots) {
    objections = [
      shortage(situation, node, { resource: 'pods', requested: 1n, used: BigInt(present), capacity: slots }),
    ];
  }
  if (requests().size === 0) return objections ?? noObjections;
  const used = requestedOn(world, name);
  for (const resource of ordered(requests().keys())) {
    const requested = requests().get(resource) ?? 0n;
    if (requested === 0n || isDeviceBacked(world.facts, allocatable, resource)) continue;
    const capacity = allocatable.get(resource) ?? 0n;
    const taken = used.get(resource) ?? 0n;
    if (requested <= capacity - taken) continue;
    objections ??= [];
    objections.push(shortage(situation, node, { resource, requested, used: taken, capacity }));
  }
  return objections ?? noObjections;
};

/**
 * True when the pod wants more of a resource than the node could ever give: found without looking at its
 * pods.
 */
export function exceedsNode({ world, requests, indispensable }: Situation, node: Node): boolean {
  const { facts } = world;
  // Most nodes lack the device that is wanted: what else they offer is then not read.
  for (const resource of indispensable()) {
    if (!Object.hasOwn(node.status.allocatable, resource)) return true;
  }
  const amounts = facts.allocatable(node);
  for (const [resource, requested] of requests()) {
    if (requested > (amounts.get(resource) ?? 0n) && !isDeviceBacked(facts, amounts, resource)) return true;
  }
  return false;
}

const FIRST = ['cpu', 'memory', 'ephemeral-storage'];

/** The scheduler's order: cpu, memory, ephemeral storage, then the rest, here by name. */
function ordered(resources: Iterable<string>): readonly string[] {
  const all = [...resources];
  return all.length < 2
    ? all
    : [...FIRST.filter((name) => all.includes(name)), ...all.filter((name) => !FIRST.includes(name)).sort()];
}

interface Shortage {
  readonly resource: string;
  readonly requested: bigint;
  readonly used: bigint;
  readonly capacity: bigint;
}

function shortage(
  { world }: Situation,
  node: Node,
  { resource, requested, used, capacity }: Shortage,
): ResourceReason {
  const resolvable = requested <= capacity;
  return {
    id: idOf(resource),
    plugin: 'NodeResourcesFit',
    text: resource === 'pods' ? 'Too many pods' : `Insufficient ${resource}`,
    resolvable,
    preemptible: resource === 'pods' || resolvable,
    resource,
    get requested() {
      return amountText(resource, requested);
    },
    get free() {
      return amountText(resource, capacity - used);
    },
    get allocatable() {
      return amountText(resource, capacity);
    },
    get short() {
      return amountText(resource, requested - capacity + used);
    },
    get holders() {
      return consumers(podsOn(world, node.metadata.name), resource);
    },
  };
}

function idOf(resource: string): ResourceReason['id'] {
  switch (resource) {
    case 'cpu':
    case 'memory':
    case 'ephemeral-storage':
    case 'pods':
      return resource;
    default:
      return 'extended-resource';
  }
}

/** False for most pods and an extended resource, at the cost of a read: nothing of the pod names it. */
function mayRequest({ spec, status, resizeRule }: Pod, resource: string): boolean {
  const names = ({ resources: { requests, limits } }: Container): boolean =>
    requests[resource] !== undefined || limits[resource] !== undefined;
  return (
    spec.containers.some(names) ||
    spec.initContainers.some(names) ||
    spec.resources !== undefined ||
    resource in spec.overhead ||
    resizeRule !== undefined ||
    status.resources !== undefined ||
    status.containerStatuses.some(({ resources }) => resources !== undefined) ||
    status.initContainerStatuses.some(({ resources }) => resources !== undefined)
  );
}

function consumers(pods: readonly Pod[], resource: string): readonly Pod[] {
  if (resource === 'pods') return [...pods].sort(byPodName);
  return pods
    .filter((pod) => mayRequest(pod, resource))
    .map((pod) => ({ pod, amount: podRequests(pod, true).get(resource) ?? 0n }))
    .filter(({ amount }) => amount > 0n)
    .sort((a, b) => (a.amount === b.amount ? byPodName(a.pod, b.pod) : a.amount > b.amount ? -1 : 1))
    .map(({ pod }) => pod);
}
