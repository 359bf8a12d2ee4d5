import { compareText, leastOf } from '../collections/collections.js';
import { denialOf } from '../creation/denial.js';
import { lastRefusal, longestRetrySeconds, podOfTemplate } from '../creation/failed-creation.js';
import { asAsked, type Exceeded } from '../creation/quota-block.js';
import type { ClusterIndex } from '../objects/cluster-index.js';
import type { Event } from '../objects/event.js';
import { controllerOf, type ObjectRef } from '../objects/metadata.js';
import type { Node } from '../objects/node.js';
import { isActive, type Pod, podKey, refOf } from '../objects/pod.js';
import type { ResourceQuota } from '../objects/policy.js';
import type { DaemonSet, ReplicaSet, StatefulSet, Workload } from '../objects/workload.js';
import { hasPodPerNode } from '../objects/workload.js';
import { isLikePodsOfItsTemplate, type Placement } from '../scheduler/placement.js';
import { priorityOf } from '../scheduler/pod-defaults.js';
import { parseQuantity } from '../scheduler/quantity.js';
import { failureEvent } from '../workloads/creation-events.js';
import { epochOf } from '../workloads/creation-order.js';
import type { Contest, Difference, DifferenceByNode, PodSimulator } from '../workloads/pod-simulator.js';
import {
  createRunningQuotaUsage,
  isInScope,
  podQuotaUsage,
  roomBeside,
  type SupposedPods,
} from '../workloads/quota-admission.js';

/** One simulation that others may disturb. */
interface ContestCase {
  readonly base: PodSimulator;
  readonly placement: Placement;
  /** The pod as the API server would store it. */
  readonly stored: (pod: Pod) => Pod;
  /** The pods of the workloads that are played. */
  readonly own: readonly Pod[];
  readonly workload: Workload;
  readonly quotas: readonly ResourceQuota[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Before a pod of the workload gets a node, competitors take what they could use there. A competitor of lower
 * priority counts only where the workload's pod may not or cannot preempt it: otherwise the scheduler removes
 * it again. Before a pod of the workload is created, owners whose pods a quota refuses create theirs, and
 * these compete for nodes as well.
 */
export function contestOf(input: ContestCase): Contest | undefined {
  const { base, placement, stored, own, quotas, now } = input;
  const waiting = competitorsFor(placement, own);
  const refused = refusedBeside(input);
  if (waiting.length + refused.length === 0) return undefined;
  const quotaContest = createQuotaContest(refused, quotas, stored, now);
  const owners = new Map(refused.flatMap((owner) => owner.pods.map((pod) => [pod, owner] as const)));
  const competitors = [...waiting, ...owners.keys()];
  const left = new Set(competitors);
  const taken: Pod[] = [];
  /** Those that could have been the first: which of them is in its back-off, no object shows. */
  const possible = new Set<Pod>();
  const combine = createCombining(taken);
  let work = 0;
  let triedAt = -1;

  const after = ({ gone, placed: added }: Difference): Placement => {
    work += gone.length + added.length;
    return placement.with({ add: added.map(stored), remove: new Set(gone.map(podKey)) });
  };
  const take = (competitor: Pod, { metadata }: Node): void => {
    left.delete(competitor);
    const owner = owners.get(competitor);
    if (owner !== undefined) quotaContest.placePod(owner);
    taken.push({ ...competitor, spec: { ...competitor.spec, nodeName: metadata.name } });
  };
  /**
   * A waiting pod that fits already waits for nothing; a pod that is yet to be created may take any place.
   */
  const isHeldBack = (competitor: Pod, node: Node, difference: Difference): boolean => {
    const owner = owners.get(competitor);
    if (owner !== undefined) return quotaContest.mayHavePod(owner, difference);
    return placement.check(competitor, node).outcome === 'refused';
  };
  const couldTake = (
    world: Placement,
    competitor: Pod,
    node: Node,
    { pod, difference }: { pod: Pod; difference: Difference },
  ): boolean => {
    work += 8;
    if (!isHeldBack(competitor, node, difference)) return false;
    if (world.check(competitor, node).outcome !== 'refused') return keepsPlace(world, competitor, node, pod);
    if (priorityOf(competitor) <= priorityOf(pod) || !preempts(competitor)) return false;
    const beside = { ...stored(pod), spec: { ...stored(pod).spec, nodeName: node.metadata.name } };
    return (
      !placement.canPreempt(competitor, node) && world.with({ add: [beside] }).canPreempt(competitor, node)
    );
  };
  /**
   * Only where the cluster has devices: of all that a pod may take, kube-scheduler preempts for anything
   * else.
   */
  const hasDevices = placement.index.objects.DeviceClass.length > 0;
  const precedes = (competitor: Pod, pod: Pod): boolean =>
    priorityOf(competitor) >= priorityOf(pod) || !preempts(pod) || hasDevices;
  /** A competitor of lower priority that the pod could not preempt afterwards. */
  const keepsPlace = (world: Placement, competitor: Pod, node: Node, pod: Pod): boolean => {
    if (priorityOf(competitor) >= priorityOf(pod) || !preempts(pod)) return true;
    const taken = { ...competitor, spec: { ...competitor.spec, nodeName: node.metadata.name } };
    const beside = world.with({ add: [taken] });
    return beside.check(stored(pod), node).outcome === 'refused' && !beside.canPreempt(stored(pod), node);
  };

  /** A competitor that could have the node before the pod takes it; `false` when there is none. */
  const loses = (pod: Pod, name: string, difference: Difference): boolean => {
    const node = placement.index.nodes.get(name);
    if (node === undefined) return false;
    const world = after(difference);
    const winners = [...left].filter(
      (competitor) => precedes(competitor, pod) && couldTake(world, competitor, node, { pod, difference }),
    );
    for (const winner of winners) possible.add(winner);
    const [first] = winners;
    if (first !== undefined) take(first, node);
    return first !== undefined;
  };
  /** The pod still waits, so what is free so far goes to competitors that need less than the pod. */
  const takeRest = (pod: Pod, difference: Difference): void => {
    if (triedAt === difference.gone.length) return;
    triedAt = difference.gone.length;
    const names = [...new Set(difference.gone.flatMap(({ spec }) => spec.nodeName ?? []))];
    const freed = names.flatMap((name) => placement.index.nodes.get(name) ?? []);
    const untouched = after(combine(difference));
    for (const competitor of left) {
      if (!precedes(competitor, pod)) continue;
      const nodes = isLikePodsOfItsTemplate(competitor) ? freed : [...placement.index.nodes.values()];
      const placeIn = (world: Placement): Node | undefined =>
        nodes.find((node) => couldTake(world, competitor, node, { pod, difference }));
      if (placeIn(untouched) !== undefined) possible.add(competitor);
      const place = placeIn(after(combine(difference)));
      if (place !== undefined) take(competitor, place);
    }
  };
  return {
    competitors: [...waiting.map(refOf), ...refused.map(({ owner }) => owner)],
    winners: () => {
      const pods = waiting.filter((pod) => possible.has(pod)).toSorted(byQueueOrder);
      return [...pods.map(refOf), ...quotaContest.winners()];
    },
    simulator: {
      placementOf(pod, difference) {
        for (;;) {
          const combined = combine(difference);
          const node = base.placementOf(pod, combined);
          if (node === undefined) {
            takeRest(pod, difference);
            return undefined;
          }
          if (!loses(pod, node, combined)) return node;
        }
      },
      ...(refused.length === 0
        ? {}
        : {
            admits: (pod, difference) =>
              (base.admits?.(pod, difference) ?? true) && quotaContest.leavesRoomFor(pod, difference),
          }),
      takeWork() {
        const spent = work + quotaContest.takeWork() + (base.takeWork?.() ?? 0);
        work = 0;
        return spent;
      },
    },
  };
}

/**
 * Owners of pods that a quota of the same namespaces refuses, but for those of the workloads that are played.
 */
function refusedBeside({
  placement: { index },
  own,
  workload,
  quotas,
  now,
}: ContestCase): readonly RefusedOwner[] {
  const namespaces = new Set([workload, ...own].map(({ metadata }) => metadata.namespace));
  const counted = quotas.filter(({ metadata }) => namespaces.has(metadata.namespace));
  if (counted.length === 0) return [];
  const controllers = own.flatMap((pod) => controllerOf(pod)?.uid ?? []);
  const above = controllers.flatMap((uid) => controllerOf(index.replicaSets.get(uid) ?? noOwner)?.uid ?? []);
  // The workers of a group belong to their leader.
  const members = own.map(({ metadata }) => metadata.uid);
  const uids = new Set([workload.metadata.uid, ...controllers, ...above, ...members]);
  return refusedOwnersOf(index, counted, namespaces, (uid) => uids.has(uid), now);
}

const noOwner = { metadata: { ownerReferences: [] } };

/** The difference with the pods that competitors have placed, as one object for the whole simulation. */
function createCombining(taken: readonly Pod[]): (difference: Difference) => Difference {
  const changed: string[] = [];
  const byNodes = new WeakMap<DifferenceByNode, DifferenceByNode>();
  let read = 0;
  let told = 0;
  return (difference) => {
    const { byNode } = difference;
    const whole = { ...difference, placed: [...difference.placed, ...taken] };
    if (byNode === undefined) return whole;
    for (const node of byNode.changed.slice(read)) changed.push(node);
    read = byNode.changed.length;
    for (const { spec } of taken.slice(told)) changed.push(spec.nodeName ?? '');
    told = taken.length;
    const combined = byNodes.get(byNode) ?? {
      changed,
      goneFrom: byNode.goneFrom,
      placedOn: (node: string) => [
        ...byNode.placedOn(node),
        ...taken.filter(({ spec }) => spec.nodeName === node),
      ],
    };
    byNodes.set(byNode, combined);
    return { ...whole, byNode: combined };
  };
}

/** Waiting pods that one simulation lets compete; the scheduler tries these before any further ones. */
const maxCompetitors = 200;

/**
 * Waiting pods of other workloads that could use what the workload's pods hold, in the order of the
 * scheduling queue: the highest priority first, then the oldest. A gated pod does not compete (kubernetes
 * `scheduling_queue.go`: `runPreEnqueuePlugins`), nor does a pod that is being deleted
 * (`schedule_one.go: skipPodSchedule`), nor one that fits on a node already: the scheduler does not wait for
 * anything to place it.
 *
 * @param own the pods of the workload
 */
function competitorsFor(placement: Placement, own: readonly Pod[]): readonly Pod[] {
  const { index } = placement;
  const ownKeys = new Set(own.map(podKey));
  const waiting = index.unassignedPods.filter(
    (pod) => pod.spec.schedulingGates.length === 0 && !ownKeys.has(podKey(pod)),
  );
  if (waiting.length === 0) return [];
  const names = new Set(own.flatMap(({ spec }) => spec.nodeName ?? []));
  const nodes = [...names].flatMap((name) => index.nodes.get(name) ?? []);
  const emptied = placement.with({ remove: ownKeys });
  const least = leastOf(own.map(priorityOf));
  const couldUse = (pod: Pod): boolean => {
    if (placement.evaluate(pod).outcome === 'fits') return false;
    const opens = (node: Node): boolean =>
      placement.check(pod, node).outcome === 'refused' &&
      (emptied.check(pod, node).outcome !== 'refused' ||
        (priorityOf(pod) > least && preempts(pod) && placement.couldEverFit(pod, node)));
    if (nodes.some(opens)) return true;
    // What other nodes run bears on such a pod, so another node may open for it.
    return !isLikePodsOfItsTemplate(pod) && emptied.evaluate(pod).outcome === 'fits';
  };
  const answers = new Map<string, boolean>();
  const known = (pod: Pod): boolean => {
    const owner = isLikePodsOfItsTemplate(pod) ? controllerOf(pod)?.uid : undefined;
    const key = owner ?? podKey(pod);
    const answer = answers.get(key) ?? couldUse(pod);
    answers.set(key, answer);
    return answer;
  };
  return waiting.toSorted(byQueueOrder).filter(known).slice(0, maxCompetitors);
}

/** True unless the pod only waits for what becomes free (`preemptionPolicy: Never`). */
function preempts({ spec }: Pod): boolean {
  return spec.preemptionPolicy !== 'Never';
}

/**
 * The order in which the scheduler tries pods that are in its queue at once (kubernetes `priority_sort.go`).
 * The age stands in for the time of the last attempt, which no object shows.
 */
function byQueueOrder(a: Pod, b: Pod): number {
  return (
    priorityOf(b) - priorityOf(a) ||
    compareText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') ||
    compareText(a.metadata.name, b.metadata.name)
  );
}

/** Pods of refused owners that one creation is tried against. */
const maxTaken = 200;

/** One simulation in which refused owners may create their pods whenever the quotas have room for them. */
interface QuotaContest {
  /** False where the owners may have used the room up before the pod is created. Then they have. */
  readonly leavesRoomFor: (pod: Pod, difference: Difference) => boolean;
  /** Whether the owner may have one more pod to place by then. */
  readonly mayHavePod: (owner: RefusedOwner, difference: Difference) => boolean;
  /** One of the owner's pods takes a place on a node. */
  readonly placePod: (owner: RefusedOwner) => void;
  /** Owners that took something so far. */
  readonly winners: () => readonly ObjectRef[];
  /** Owners and pods examined since the last call. */
  readonly takeWork: () => number;
}

type Taken = { created: number; placed: number };

/**
 * The pauses between the attempts of a controller are not visible in the objects, so the order of the owners
 * is not known. An owner creates pods at the moment at which they keep out a pod of the workload: an earlier
 * creation would leave the same room.
 *
 * @param stored a pod as the API server would store it
 * @param now epoch milliseconds
 */
function createQuotaContest(
  owners: readonly RefusedOwner[],
  quotas: readonly ResourceQuota[],
  stored: (pod: Pod) => Pod,
  now: number,
): QuotaContest {
  const usage = {
    removed: createRunningQuotaUsage(now, (pod) => pod),
    added: createRunningQuotaUsage(now, stored),
  };
  const taken = new Map(owners.map((owner): [RefusedOwner, Taken] => [owner, { created: 0, placed: 0 }]));
  let work = 0;

  const freeRoom = ({ gone, created }: Difference): QuotaCharges => {
    work += quotas.length;
    return roomOf(quotas, now, { removed: gone, added: created, usage });
  };
  const withoutTaken = (room: QuotaCharges): QuotaCharges =>
    [...taken].reduce((left, [{ charges }, { created }]) => roomBesideCharges(left, charges, created), room);
  const missing = (owner: RefusedOwner): number => owner.missing - (taken.get(owner)?.created ?? 0);

  /**
   * Creations of these owners, in this order, that leave too little for `asked`; `undefined` when none do.
   */
  const keepingOut = (
    order: readonly RefusedOwner[],
    asked: QuotaCharges,
    room: QuotaCharges,
  ): ReadonlyMap<RefusedOwner, number> | undefined => {
    let left = room;
    let count = 0;
    const creations = new Map<RefusedOwner, number>();
    for (const owner of order) {
      for (let pods = 1; pods <= missing(owner) && count < maxTaken; pods += 1) {
        work += 1;
        if (!fitsInto(left, owner.charges)) break;
        left = roomBesideCharges(left, owner.charges);
        creations.set(owner, pods);
        count += 1;
        if (!fitsInto(left, asked)) return creations;
      }
    }
    return undefined;
  };

  return {
    leavesRoomFor(pod, difference) {
      const asked = chargesOf(stored(pod), quotas, now);
      const room = freeRoom(difference);
      // Nobody else is the reason then.
      if (!fitsInto(room, asked)) return true;
      const left = withoutTaken(room);
      if (!fitsInto(left, asked)) return false;
      const rivals = owners.filter(({ charges }) => sharesResource(left, charges, asked));
      for (const first of rivals) {
        const order = [first, ...rivals.filter((owner) => owner !== first)];
        const creations = keepingOut(order, asked, left);
        if (creations === undefined) continue;
        for (const [owner, pods] of creations) {
          const own = taken.get(owner);
          if (own !== undefined) own.created += pods;
        }
        return false;
      }
      return true;
    },
    mayHavePod(owner, difference) {
      const { created = 0, placed = 0 } = taken.get(owner) ?? {};
      if (placed < created) return true;
      return missing(owner) > 0 && fitsInto(withoutTaken(freeRoom(difference)), owner.charges);
    },
    placePod(owner) {
      const own = taken.get(owner);
      if (own === undefined) return;
      own.placed += 1;
      own.created = Math.max(own.created, own.placed);
    },
    winners: () => [...taken].filter(([, { created }]) => created > 0).map(([{ owner }]) => owner),
    takeWork() {
      const spent = work;
      work = 0;
      return spent;
    },
  };
}

function sharesResource(room: QuotaCharges, one: QuotaCharges, other: QuotaCharges): boolean {
  return [...room.keys()].some((key) => (one.get(key) ?? 0n) > 0n && (other.get(key) ?? 0n) > 0n);
}

/** A controller whose pods a quota refuses. It tries again after pauses, so it may take what becomes free. */
interface RefusedOwner {
  /** The workload as people know it: the Deployment rather than its ReplicaSet. */
  readonly owner: ObjectRef;
  /** Pods that it still wants; infinite where only its events are known, as of a Job. */
  readonly missing: number;
  /** What each of them is charged. */
  readonly charges: QuotaCharges;
  /**
   * The pods that the scheduler would see, the first ones; none where the template or the node is not known.
   */
  readonly pods: readonly Pod[];
}

/** Owners that one simulation lets compete, and pods of each that it lets compete for a place on a node. */
const maxOwners = 20;
const maxPods = 20;

/**
 * The owners in these namespaces that are short of pods because a quota refused the last creation, and that
 * have created none since.
 *
 * @param quotas those of these namespaces
 * @param isOwn by uid: controllers whose pods do not compete with themselves
 * @param now epoch milliseconds
 */
function refusedOwnersOf(
  index: ClusterIndex,
  quotas: readonly ResourceQuota[],
  namespaces: ReadonlySet<string>,
  isOwn: (uid: string) => boolean,
  now: number,
): readonly RefusedOwner[] {
  const { ReplicaSet, StatefulSet, DaemonSet } = index.objects;
  const isOther = ({ metadata }: ReplicaSet | StatefulSet | DaemonSet): boolean =>
    namespaces.has(metadata.namespace) &&
    metadata.deletionTimestamp === undefined &&
    !isOwn(metadata.uid) &&
    !isOwn(controllerOf({ metadata })?.uid ?? '');
  const known = [...ReplicaSet, ...StatefulSet, ...DaemonSet]
    .filter(isOther)
    .flatMap((owner) => knownOwner(index, owner, quotas, now) ?? []);
  const others = [...index.eventsByUid].flatMap(([uid, events]) =>
    isOwn(uid) ? [] : (ownerByEvents(index, uid, events, namespaces, now) ?? []),
  );
  return [...known, ...others].slice(0, maxOwners);
}

function knownOwner(
  index: ClusterIndex,
  owner: ReplicaSet | StatefulSet | DaemonSet,
  quotas: readonly ResourceQuota[],
  now: number,
): RefusedOwner | undefined {
  const { kind, metadata, spec } = owner;
  const missing = missingOf(index, owner);
  const refusal = missing > 0 ? lastRefusal(index, now, owner) : undefined;
  const said = refusal?.what === 'pod' ? exceededIn(refusal.message) : undefined;
  if (said === undefined) return undefined;
  const { namespace, name, uid } = metadata;
  const podNamed = (podName: string): Pod =>
    asAsked(podOfTemplate(index, spec.template, uid, { namespace, name: podName }), said, now);
  const above = controllerOf(owner);
  const pods = Array.from({ length: Math.min(missing, maxPods) }, (_, at) =>
    podNamed(`${name}-next-${at + 1}`),
  );
  return {
    owner: { kind: above?.kind ?? kind, namespace, name: above?.name ?? name },
    missing,
    charges: chargesOf(podNamed(`${name}-next`), quotas, now),
    // The controller of a DaemonSet chooses the node of each pod.
    pods: hasPodPerNode({ kind }) ? [] : pods,
  };
}

/** Where its pods were not read, the owner's own count stands. */
function missingOf(index: ClusterIndex, owner: ReplicaSet | StatefulSet | DaemonSet): number {
  if (hasPodPerNode(owner)) {
    const { desiredNumberScheduled, currentNumberScheduled } = owner.status;
    // A surge pod is missing where every node has its pod.
    return Math.max(1, desiredNumberScheduled - currentNumberScheduled);
  }
  const pods = (index.podsByOwner.get(owner.metadata.uid) ?? []).filter(isActive).length;
  return owner.spec.replicas - Math.max(pods, owner.status.replicas);
}

/**
 * Kinds that a snapshot holds where they exist, so that an event about another one is about one that was
 * deleted.
 */
const readKinds: ReadonlySet<string> = new Set(['ReplicaSet', 'StatefulSet', 'DaemonSet', 'Deployment']);

/**
 * A Job, or a controller of another kind: it is known by its last events, which it repeats while it is
 * refused.
 */
function ownerByEvents(
  index: ClusterIndex,
  uid: string,
  events: readonly Event[],
  namespaces: ReadonlySet<string>,
  now: number,
): RefusedOwner | undefined {
  const about = events[0]?.involvedObject;
  if (about === undefined || readKinds.has(about.kind) || !namespaces.has(about.namespace)) return undefined;
  const failed = failureEvent(index, now, uid);
  const said = failed && exceededIn(failed.message);
  if (failed === undefined || said === undefined) return undefined;
  const silentFor = now - (epochOf(failed.lastSeen) ?? Number.NEGATIVE_INFINITY);
  if (silentFor > 2 * longestRetrySeconds * 1000) return undefined;
  const { kind, namespace, name } = about;
  return {
    owner: { kind, namespace, name },
    missing: Number.POSITIVE_INFINITY,
    charges: new Map(
      said.resources.map(({ resource, requested }) => [
        resourceKey(namespace, said.quota, resource),
        parseQuantity(requested)?.nano ?? 0n,
      ]),
    ),
    pods: [],
  };
}

function exceededIn(message: string): Exceeded | undefined {
  const denial = denialOf(message);
  return denial.kind === 'quota' && denial.refusal.kind === 'exceeded' ? denial.refusal : undefined;
}

/** Amounts in nano units by `resourceKey`, of all quotas at once. */
export type QuotaCharges = ReadonlyMap<string, bigint>;

/** One resource of one quota. */
export function resourceKey(namespace: string, quota: string, resource: string): string {
  return `${namespace}/${quota}/${resource}`;
}

/** What the quotas of its namespace and scope charge a pod. `now` in epoch milliseconds. */
export function chargesOf(pod: Pod, quotas: readonly ResourceQuota[], now: number): QuotaCharges {
  const usage = podQuotaUsage(pod, now);
  const charges = new Map<string, bigint>();
  for (const quota of quotas) {
    const { namespace, name } = quota.metadata;
    if (namespace !== pod.metadata.namespace || !isInScope(quota, pod)) continue;
    for (const [resource, { nano }] of usage) charges.set(resourceKey(namespace, name, resource), nano);
  }
  return charges;
}

/** What all resources of the quotas have left beside `supposed`. */
export function roomOf(quotas: readonly ResourceQuota[], now: number, supposed: SupposedPods): QuotaCharges {
  const room = new Map<string, bigint>();
  for (const quota of quotas) {
    const { namespace, name } = quota.metadata;
    for (const [resource, left] of roomBeside(quota, now, supposed)) {
      room.set(resourceKey(namespace, name, resource), left);
    }
  }
  return room;
}

/** Whether something so charged is admitted; what no quota limits is. */
export function fitsInto(room: QuotaCharges, charges: QuotaCharges): boolean {
  return [...charges].every(([key, asked]) => asked <= 0n || asked <= (room.get(key) ?? asked));
}

/** The room that is left beside `count` times the charges. */
export function roomBesideCharges(room: QuotaCharges, charges: QuotaCharges, count = 1): QuotaCharges {
  const left = new Map(room);
  for (const [key, asked] of charges) {
    const before = left.get(key);
    if (before !== undefined) left.set(key, before - asked * BigInt(count));
  }
  return left;
}
