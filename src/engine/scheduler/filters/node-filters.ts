import type { Node } from '../../objects/node.js';
import { byPodName, type Pod } from '../../objects/pod.js';
import type { Container } from '../../objects/pod-spec.js';
import { amountText } from '../amounts.js';
import { isDeviceBacked } from '../device-state.js';
import {
  matchesRequiredNodeAffinity,
  namedNodes,
  tolerates,
  unmetRequirements,
  untoleratedTaints,
} from '../node-selector.js';
import { podRequests } from '../pod-requests.js';
import { type NodeAffinityReason, noObjections, type Objection, type ResourceReason } from '../reason.js';
import { type Filter, type HostPort, hostPorts, portsConflict, type Situation } from '../situation.js';
import { podsOn, requestedOn } from '../world.js';

const UNSCHEDULABLE_TAINT = { key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' };

/** A cordoned node takes only pods that tolerate the taint of a cordon (`node_unschedulable.go: Filter`). */
export const nodeUnschedulable: Filter = ({ pod }, node) => {
  if (!node.spec.unschedulable) return noObjections;
  if (pod.spec.tolerations.some((toleration) => tolerates(toleration, UNSCHEDULABLE_TAINT)))
    return noObjections;
  return [
    {
      id: 'cordoned',
      plugin: 'NodeUnschedulable',
      text: 'node(s) were unschedulable',
      resolvable: false,
      preemptible: false,
    },
  ];
};

/** A pod that names its node fits nowhere else (`node_name.go: Filter`). */
export const nodeName: Filter = ({ pod }, node) => {
  const wanted = pod.spec.nodeName;
  if (wanted === undefined || wanted === '' || wanted === node.metadata.name) return noObjections;
  return [
    {
      id: 'node-name',
      plugin: 'NodeName',
      text: "node(s) didn't match the requested node name",
      resolvable: false,
      preemptible: false,
      wanted,
    },
  ];
};

/** Every NoSchedule and NoExecute taint that the pod does not tolerate (`taint_toleration.go: Filter`). */
export const taintToleration: Filter = ({ pod }, node) =>
  untoleratedTaints(node.spec.taints, pod.spec.tolerations).map((taint) => ({
    id: 'taint',
    plugin: 'TaintToleration',
    text: 'node(s) had untolerated taint(s)',
    resolvable: false,
    preemptible: false,
    taint,
  }));

/** The words for a node that PreFilter dropped: they come before those of any filter. */
export const LEFT_OUT = "node(s) didn't satisfy plugin(s) [NodeAffinity]";

/**
 * `nodeSelector` and required node affinity (`node_affinity.go: Filter`). A pod that names its nodes in every
 * term, as a DaemonSet's does, never gets to the other nodes: PreFilter leaves them out, with words of its
 * own.
 */
export const nodeAffinity: Filter = ({ pod }, node) => {
  if (matchesRequiredNodeAffinity(pod.spec, node)) return noObjections;
  return [
    {
      id: 'node-affinity',
      plugin: 'NodeAffinity',
      text: isLeftOut({ pod }, node) ? LEFT_OUT : "node(s) didn't match Pod's node affinity/selector",
      resolvable: false,
      preemptible: false,
      unmet: unmetRequirements(pod.spec, node),
    },
  ];
};

/** True when PreFilter drops the node before any filter sees it. */
function isLeftOut({ pod }: Pick<Situation, 'pod'>, node: Node): boolean {
  const names = namedNodes(pod.spec);
  return names !== undefined && names.size > 0 && !names.has(node.metadata.name);
}

/** Terms that name nodes, but no node in common: refused before any node is looked at. */
export function nodeAffinityConflict({ pod }: Situation): readonly NodeAffinityReason[] {
  if (namedNodes(pod.spec)?.size !== 0) return [];
  return [
    {
      id: 'node-affinity',
      plugin: 'NodeAffinity',
      text: 'pod affinity terms conflict',
      resolvable: false,
      preemptible: false,
      unmet: [],
    },
  ];
}

/** Host ports that another pod on the node has taken (`node_ports.go: Filter`). */
export const nodePorts: Filter = ({ world, ports }, node) => {
  const wanted = ports();
  if (wanted.length === 0) return noObjections;
  const taken = new Map<string, { readonly pod: Pod; readonly port: HostPort }[]>();
  for (const pod of podsOn(world, node.metadata.name)) {
    for (const port of hostPorts(pod)) {
      const key = keyOf(port);
      const users = taken.get(key);
      if (users === undefined) taken.set(key, [{ pod, port }]);
      else users.push({ pod, port });
    }
  }
  return wanted.flatMap((port): readonly Objection[] => {
    const users = taken.get(keyOf(port)) ?? [];
    const holders = users.filter((other) => portsConflict(port, other.port)).map(({ pod }) => pod);
    if (holders.length === 0) return noObjections;
    return [
      {
        id: 'host-port',
        plugin: 'NodePorts',
        text: "node(s) didn't have free ports for the requested pod ports",
        resolvable: true,
        preemptible: true,
        ...port,
        holders: [...new Set(holders)].sort(byPodName),
      },
    ];
  });
};

/** Ports with different keys never conflict: a pod may list tens of thousands of ports. */
function keyOf({ port, protocol }: HostPort): string {
  return `${port}/${protocol}`;
}

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
