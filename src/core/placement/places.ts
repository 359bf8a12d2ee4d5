import type { Node } from '../cluster/node.js';
import { isTerminal, type Pod } from '../cluster/pod.js';
import { podKey } from '../cluster/pod-key.js';
import type { Volume } from '../cluster/pod-spec.js';
import { podObjections } from './evaluation.js';
import { dependsOnNodeAlone } from './feasible-nodes.js';
import { hostPorts } from './host-ports.js';
import { podRequests } from './pod-requests.js';
import { isReason } from './reason.js';
import { type Situation, situationOf } from './situation.js';
import { fitsForSure } from './verdict.js';
import { podsOn, requestedOn, type World, without, withPods } from './world.js';

/**
 * How many of a workload's pods fit on each node while none of `own` is there, where all pods are
 * interchangeable: each takes exactly one place of its node, whichever pod it is, and no pod changes the
 * places of another node. Nodes without a place are left out.
 *
 * `undefined` where pods are not interchangeable or that is not certain: they request different amounts, a
 * rule looks at other nodes or at a pod's own volumes and claims, or a pod runs on a node that has fewer
 * places than pods.
 *
 * @param own all pods of the workload, in the cluster as it was read
 * @param wanted pods that are placed or created, as the API server would store them
 */
export function countPlaces(
  world: World,
  own: readonly Pod[],
  wanted: readonly Pod[],
): ReadonlyMap<string, number> | undefined {
  const running = own.filter((pod) => (pod.spec.nodeName ?? '') !== '' && !isTerminal(pod));
  const distinct = [...new Map(wanted.map((pod) => [askedOf(pod), pod])).values()];
  const [first] = distinct;
  if (first === undefined || distinct.length > maxDistinct) return undefined;
  const taken = takenBy(first);
  const isAlike = (pod: Pod): boolean => pod.spec.volumes.every(isLocal) && takenBy(pod) === taken;
  if (!running.every(isAlike) || !distinct.every((pod) => isAlike(pod) && accountsWhatItAsks(pod))) {
    return undefined;
  }
  const emptied = without(world, new Set(own.map(podKey)));
  const [places, ...others] = distinct.map((pod) => placesFor(situationOf(emptied, pod)));
  if (places === undefined || others.some((other) => other === undefined || !isSame(places, other))) {
    return undefined;
  }
  return hasPlaceForAll(places, running) ? places : undefined;
}

const maxDistinct = 8;

/** What the pod takes of its node. */
function takenBy(pod: Pod): string {
  const ports = hostPorts(pod).map(({ port, protocol, hostIP }) => `${protocol}/${hostIP}:${port}`);
  return `${amountsText(pod, true)} ${ports.sort().join()}`;
}

function amountsText(pod: Pod, isAccounted: boolean): string {
  return [...podRequests(pod, isAccounted)]
    .filter(([, amount]) => amount !== 0n)
    .map(([resource, amount]) => `${resource}=${amount}`)
    .sort()
    .join();
}

function accountsWhatItAsks(pod: Pod): boolean {
  return amountsText(pod, false) === amountsText(pod, true);
}

/** Equal text for pods that every filter answers alike. */
function askedOf({ metadata, spec, status }: Pod): string {
  const { nodeSelector, affinity, tolerations, topologySpreadConstraints, resourceClaims } = spec;
  const { schedulerName, schedulingGates, priority } = spec;
  return JSON.stringify([
    metadata.namespace,
    metadata.labels,
    [nodeSelector, affinity, tolerations, topologySpreadConstraints, resourceClaims],
    [schedulerName, schedulingGates, priority, status.nominatedNodeName],
    spec.containers.map(({ resources, ports }) => [resources, ports]),
    spec.initContainers.map(({ resources, ports, restartPolicy }) => [resources, ports, restartPolicy]),
    [spec.resources, spec.overhead],
  ]);
}

/** Nothing outside its node is used for it. */
function isLocal(volume: Volume): boolean {
  return (
    volume.persistentVolumeClaim === undefined &&
    volume.ephemeral === undefined &&
    volume.gcePersistentDisk === undefined &&
    volume.awsElasticBlockStore === undefined &&
    volume.iscsi === undefined &&
    volume.rbd === undefined
  );
}

function placesFor(situation: Situation): ReadonlyMap<string, number> | undefined {
  const nodes = situation.world.facts.nodes();
  if (!dependsOnNodeAlone(situation)) return undefined;
  const places = new Map<string, number>();
  if (podObjections(situation, nodes).some(isReason)) return places;
  for (const node of nodes) {
    if (!fitsForSure(situation, node)) continue;
    const count = placesOn(situation, node);
    if (!isConfirmed(situation, node, count)) return undefined;
    places.set(node.metadata.name, count);
  }
  return places;
}

/** By arithmetic alone, for a node that takes at least one. */
function placesOn(situation: Situation, node: Node): number {
  const { world, requests } = situation;
  const { name } = node.metadata;
  if (situation.ports().length > 0) return 1;
  const allocatable = world.facts.allocatable(node);
  const used = requestedOn(world, name);
  let least = (allocatable.get('pods') ?? 0n) - BigInt(podsOn(world, name).length);
  for (const [resource, requested] of requests()) {
    if (requested <= 0n) continue;
    const fits = ((allocatable.get(resource) ?? 0n) - (used.get(resource) ?? 0n)) / requested;
    if (fits < least) least = fits;
  }
  return Number(least);
}

/**
 * The filters themselves say so, for the first places; what follows is the same subtraction again and again.
 */
const maxConfirmed = 2;

function isConfirmed(situation: Situation, node: Node, count: number): boolean {
  if (count < 1 || !Number.isSafeInteger(count)) return false;
  const beside = (copies: number): boolean => {
    const { world, pod } = situation;
    const added = Array.from({ length: copies }, (_, position) => copyOn(pod, node, position));
    return fitsForSure(situationOf(withPods(world, added), pod), node);
  };
  return count <= maxConfirmed ? !beside(count) && (count < 2 || beside(count - 1)) : beside(maxConfirmed);
}

function copyOn(pod: Pod, node: Node, position: number): Pod {
  const name = `${pod.metadata.name}:place-${position}`;
  const metadata = { ...pod.metadata, name, uid: `place:${name}` };
  return { ...pod, metadata, spec: { ...pod.spec, nodeName: node.metadata.name } };
}

function isSame(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  return a.size === b.size && [...a].every(([node, count]) => b.get(node) === count);
}

function hasPlaceForAll(places: ReadonlyMap<string, number>, running: readonly Pod[]): boolean {
  const used = new Map<string, number>();
  for (const { spec } of running) used.set(spec.nodeName ?? '', (used.get(spec.nodeName ?? '') ?? 0) + 1);
  return [...used].every(([node, count]) => (places.get(node) ?? 0) >= count);
}
