import { controllerOf } from '../cluster/metadata.js';
import type { Node } from '../cluster/node.js';
import type { Pod } from '../cluster/pod.js';
import { podKey } from '../cluster/pod-key.js';
import type { ResourceQuota } from '../cluster/quota.js';
import type { Workload } from '../cluster/workload.js';
import { createQuotaContest } from '../creation/quota-contest.js';
import { type RefusedOwner, refusedOwnersOf } from '../creation/refused-owners.js';
import { isLikePodsOfItsTemplate } from '../placement/feasible-nodes.js';
import type { Placement } from '../placement/placement.js';
import { priorityOf } from '../placement/priority.js';
import { refOf } from '../remediation/price-of.js';
import type { Contest, Difference, DifferenceByNode, PodSimulator } from '../rollout/pod-oracle.js';
import { byQueueOrder, competitorsFor, preempts } from './competitors-for.js';

/** One simulation that others may disturb. */
export interface ContestCase {
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
    { pod, difference }: { readonly pod: Pod; readonly difference: Difference },
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
