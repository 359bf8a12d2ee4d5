import type { Node } from '../cluster/node.js';
import type { Pod } from '../cluster/pod.js';
import { podKey } from '../cluster/pod-key.js';
import { isLikePodsOfItsTemplate } from '../placement/feasible-nodes.js';
import type { Placement } from '../placement/placement.js';
import { priorityOf } from '../placement/priority.js';
import type { Contest, Difference, DifferenceByNode, PodOracle } from '../rollout/pod-oracle.js';
import { byQueueOrder, competitorsFor, preempts } from './competitors-for.js';

/**
 * Before a pod of the workload gets a node, competitors take what they could use there. A competitor of lower priority
 * counts only where the workload's pod may not preempt it: otherwise the scheduler removes it again.
 *
 * @param stored the pod as the API server would store it
 */
export function contestOf(
  base: PodOracle,
  placement: Placement,
  stored: (pod: Pod) => Pod,
  own: readonly Pod[],
): Contest | undefined {
  const competitors = competitorsFor(placement, own);
  if (competitors.length === 0) return undefined;
  const left = new Set(competitors);
  const taken: Pod[] = [];
  const combine = createCombining(taken);
  let work = 0;
  let triedAt = -1;

  const after = ({ gone, placed: added }: Difference): Placement => {
    work += gone.length + added.length;
    return placement.with({ add: added.map(stored), remove: new Set(gone.map(podKey)) });
  };
  const take = (competitor: Pod, { metadata }: Node): void => {
    left.delete(competitor);
    taken.push({ ...competitor, spec: { ...competitor.spec, nodeName: metadata.name } });
  };
  const couldTake = (world: Placement, competitor: Pod, node: Node, pod: Pod): boolean => {
    work += 8;
    if (placement.check(competitor, node).outcome !== 'refused') return false;
    if (world.check(competitor, node).outcome !== 'refused') return true;
    if (priorityOf(competitor) <= priorityOf(pod) || !preempts(competitor)) return false;
    const beside = { ...stored(pod), spec: { ...stored(pod).spec, nodeName: node.metadata.name } };
    return (
      !placement.canPreempt(competitor, node) && world.with({ add: [beside] }).canPreempt(competitor, node)
    );
  };
  const precedes = (competitor: Pod, pod: Pod): boolean =>
    priorityOf(competitor) >= priorityOf(pod) || !preempts(pod);

  /** A competitor that could have the node before the pod takes it; `false` when there is none. */
  const loses = (pod: Pod, name: string, difference: Difference): boolean => {
    const node = placement.index.nodes.get(name);
    if (node === undefined) return false;
    const world = after(difference);
    const taker = [...left].find(
      (competitor) => precedes(competitor, pod) && couldTake(world, competitor, node, pod),
    );
    if (taker !== undefined) take(taker, node);
    return taker !== undefined;
  };
  /** The pod still waits, so what is free so far goes to competitors that need less than the pod. */
  const takeRest = (pod: Pod, difference: Difference): void => {
    if (triedAt === difference.gone.length) return;
    triedAt = difference.gone.length;
    const names = [...new Set(difference.gone.flatMap(({ spec }) => spec.nodeName ?? []))];
    const freed = names.flatMap((name) => placement.index.nodes.get(name) ?? []);
    for (const competitor of left) {
      if (!precedes(competitor, pod)) continue;
      const nodes = isLikePodsOfItsTemplate(competitor) ? freed : placement.index.nodes.values();
      const world = after(combine(difference));
      for (const node of nodes) {
        if (!couldTake(world, competitor, node, pod)) continue;
        take(competitor, node);
        break;
      }
    }
  };
  return {
    competitors,
    takers: () => {
      const keys = new Set(taken.map(podKey));
      return competitors.filter((pod) => keys.has(podKey(pod))).toSorted(byQueueOrder);
    },
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
    takeWork() {
      const spent = work + (base.takeWork?.() ?? 0);
      work = 0;
      return spent;
    },
  };
}

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
