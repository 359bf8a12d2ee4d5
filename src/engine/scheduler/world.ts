import type { Pod } from '../objects/pod.js';
import { podKey } from '../objects/pod.js';
import type { WorkBudget } from '../objects/work-budget.js';
import type { Amounts } from './amounts.js';
import type { ClusterFacts } from './cluster-facts.js';
import { addAmounts } from './cluster-facts.js';
import { podRequests } from './pod-requests.js';

/** The cluster with some pods gone and others assigned: what a question is asked of. */
export interface World {
  readonly facts: ClusterFacts;
  /** Keys (`podKey`) of pods that are gone. */
  readonly removed: ReadonlySet<string>;
  /** Pods that are there in addition, each with `spec.nodeName`. */
  readonly added: readonly Pod[];
  /** Their keys. */
  readonly addedKeys: ReadonlySet<string>;
  /** The same pods by node. */
  readonly addedOn: ReadonlyMap<string, readonly Pod[]>;
  /**
   * Pods that only the scheduler's preemption takes away, to see whether the asking pod would fit.
   * `undefined`: what follows from pods' leaving has followed (volumes are detached, device claims given
   * back). Preemption does not look that far.
   */
  readonly preempted: readonly Pod[] | undefined;
  /** What the diagnosis that asks has left to spend; left out: nothing bounds the questions together. */
  readonly work?: WorkBudget | undefined;
}

/** The cluster as it was read. */
export function worldOf(facts: ClusterFacts, work?: WorkBudget): World {
  return { facts, removed: new Set(), ...assigned([]), preempted: undefined, work };
}

export function without(world: World, keys: ReadonlySet<string>): World {
  if (keys.size === 0) return world;
  return {
    ...world,
    removed: world.removed.size === 0 ? keys : new Set([...world.removed, ...keys]),
    ...assigned(world.added.filter((pod) => !keys.has(podKey(pod)))),
  };
}

function assigned(added: readonly Pod[]): Pick<World, 'added' | 'addedKeys' | 'addedOn'> {
  const addedOn = new Map<string, Pod[]>();
  for (const pod of added) {
    const node = pod.spec.nodeName ?? '';
    const there = addedOn.get(node);
    if (there === undefined) addedOn.set(node, [pod]);
    else there.push(pod);
  }
  return { added, addedKeys: new Set(added.map(podKey)), addedOn };
}

export function withPods(world: World, pods: readonly Pod[]): World {
  if (pods.length === 0) return world;
  const keys = new Set(pods.map(podKey));
  return { ...world, ...assigned([...world.added.filter((pod) => !keys.has(podKey(pod))), ...pods]) };
}

/** True for a pod of the cluster as read that is still there. An added pod replaces one of the same key. */
export function isPresent(world: World, pod: Pod): boolean {
  if (world.removed.size === 0 && world.added.length === 0) return true;
  const key = podKey(pod);
  return !world.removed.has(key) && !world.addedKeys.has(key);
}

export function podsOn(world: World, node: string): readonly Pod[] {
  const pods = world.facts.podsOn(node);
  if (isAsRead(world, node)) return pods;
  return [...pods.filter((pod) => isPresent(world, pod)), ...(world.addedOn.get(node) ?? [])];
}

/**
 * Most questions change a pod or two: all other nodes are as they were read, and what is known of them holds.
 */
function isAsRead(world: World, node: string): boolean {
  if (world.removed.size === 0 && world.added.length === 0) return true;
  return !world.addedOn.has(node) && world.facts.podsOn(node).every((pod) => isPresent(world, pod));
}

export function requestedOn(world: World, node: string): Amounts {
  const requested = world.facts.requestedOn(node);
  if (isAsRead(world, node)) return requested;
  const gone = world.facts.podsOn(node).filter((pod) => !isPresent(world, pod));
  const come = world.addedOn.get(node) ?? [];
  const total = new Map(requested);
  for (const pod of gone) addAmounts(total, podRequests(pod, true), -1n);
  for (const pod of come) addAmounts(total, podRequests(pod, true), 1n);
  return total;
}

/** Assigned pods out of a fixed list that are still there, and the added ones that `wants` accepts. */
export function presentOf(world: World, pods: readonly Pod[], wants: (pod: Pod) => boolean): readonly Pod[] {
  if (world.removed.size === 0 && world.added.length === 0) return pods;
  return [...pods.filter((pod) => isPresent(world, pod)), ...world.added.filter(wants)];
}
