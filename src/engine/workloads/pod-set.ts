import { controllerOf } from '../objects/metadata.js';
import {
  hasNode,
  isActive,
  isAvailable,
  isReady,
  isTerminal,
  isTerminating,
  type Pod,
  podKey,
} from '../objects/pod.js';
import { byCreation } from './creation-order.js';
import type { Difference } from './pod-simulator.js';
import { isSimulated } from './simulated-pods.js';

/** The pods of one owner, counted. */
interface PodSetGroup {
  /** Pods that exist. */
  readonly size: () => number;
  /** Neither terminal nor terminating, by key. */
  readonly active: ReadonlyMap<string, Pod>;
  /** Active pods that are ready. */
  readonly ready: () => number;
  /** Pods that are being deleted and have not ended. */
  readonly terminating: () => number;
  /** The first observed pod that is still there. */
  readonly like: () => Pod | undefined;
  /** Active pods that are ready for at least so many seconds. */
  readonly countAvailable: (minReadySeconds: number, now: number) => number;
}

/**
 * The pods of one simulation, kept by owner and by what they wait for, so that a step costs what changes in
 * it and not what there is. Written by that simulation only. Times are epoch milliseconds.
 */
export interface PodSet {
  /** In the order in which they came. A changed pod keeps its place. */
  readonly all: () => readonly Pod[];
  readonly size: () => number;
  /** Orders pods as `all` does. */
  readonly byPosition: (a: Pod, b: Pod) => number;
  readonly groupOf: (ownerUid: string) => PodSetGroup;
  /** The pods of one owner, in the order of `all`. */
  readonly ownedBy: (ownerUid: string) => readonly Pod[];
  readonly hasName: (name: string) => boolean;
  /** The prefix with the lowest number from 1 on that no pod's name has. */
  readonly freeName: (prefix: string) => string;
  readonly add: (pod: Pod) => void;
  readonly replace: (before: Pod, after: Pod) => void;
  readonly remove: (pod: Pod) => void;
  /** Active pods without a node, in the order of their creation. */
  readonly waiting: () => readonly Pod[];
  /** Active pods that have a node and are not ready. */
  readonly starting: () => readonly Pod[];
  /** Pods that time may change: terminating, starting, or ready and not yet available. */
  readonly moving: (minReadySeconds: number, now: number) => readonly Pod[];
  /** Active pods that are ready. */
  readonly ready: () => number;
  readonly countAvailable: (minReadySeconds: number, now: number) => number;
  /** Active pods by node; '' for those without. */
  readonly ranks: ReadonlyMap<string, number>;
  /** From the pods that it began with. */
  readonly difference: Difference;
}

export function createPodSet(observed: readonly Pod[]): PodSet {
  const pods = new Map<string, Pod>();
  const positions = new Map<string, number>();
  const names = createNames();
  const groups = new Map<string, Group>();
  const keysByOwner = new Map<string, Set<string>>();
  const waiting = createWaitingPods();
  const starting = new Map<string, Pod>();
  const leaving = new Map<string, Pod>();
  const ready = createReadyPods();
  const ranks = new Map<string, number>();
  const byPosition = (a: Pod, b: Pod): number =>
    (positions.get(podKey(a)) ?? 0) - (positions.get(podKey(b)) ?? 0);
  const difference = createPodSetDifference(observed, byPosition);
  let list: readonly Pod[] | undefined;
  let nextPosition = 0;

  const groupOf = (uid: string): Group => {
    const group = groups.get(uid) ?? createGroup();
    groups.set(uid, group);
    return group;
  };
  const keysOf = (pod: Pod): Set<string> => {
    const uid = controllerOf(pod)?.uid ?? '';
    const keys = keysByOwner.get(uid) ?? new Set();
    keysByOwner.set(uid, keys);
    return keys;
  };
  const ownGroup = (pod: Pod): Group => groupOf(controllerOf(pod)?.uid ?? '');
  const enter = (pod: Pod): void => {
    const key = podKey(pod);
    pods.set(key, pod);
    list = undefined;
    ownGroup(pod).enter(key, pod);
    if (isTerminating(pod)) leaving.set(key, pod);
    if (!isActive(pod)) return;
    const node = pod.spec.nodeName ?? '';
    ranks.set(node, (ranks.get(node) ?? 0) + 1);
    if (isReady(pod)) ready.enter(key, pod);
    if (!hasNode(pod)) waiting.enter(key, pod);
    else if (!isReady(pod)) starting.set(key, pod);
  };
  const leave = (pod: Pod): void => {
    const key = podKey(pod);
    ownGroup(pod).leave(key, pod);
    leaving.delete(key);
    if (!isActive(pod)) return;
    const node = pod.spec.nodeName ?? '';
    ranks.set(node, (ranks.get(node) ?? 0) - 1);
    ready.leave(key);
    waiting.leave(key);
    starting.delete(key);
  };
  const join = (pod: Pod): void => {
    positions.set(podKey(pod), nextPosition);
    keysOf(pod).add(podKey(pod));
    nextPosition += 1;
    names.take(pod.metadata.name);
    enter(pod);
  };
  for (const pod of observed) if (!pods.has(podKey(pod))) join(pod);
  return {
    all: () => {
      list ??= [...pods.values()];
      return list;
    },
    size: () => pods.size,
    byPosition,
    groupOf,
    ownedBy: (uid) => [...(keysByOwner.get(uid) ?? [])].flatMap((key) => pods.get(key) ?? []),
    hasName: names.has,
    freeName: names.free,
    add(pod) {
      join(pod);
      difference.onAdd(pod);
    },
    replace(before, after) {
      leave(before);
      enter(after);
      difference.onChange(after);
    },
    remove(pod) {
      leave(pod);
      pods.delete(podKey(pod));
      keysOf(pod).delete(podKey(pod));
      ownGroup(pod).forget(podKey(pod));
      list = undefined;
      names.giveBack(pod.metadata.name);
      difference.onRemove(pod);
    },
    waiting: waiting.inOrder,
    starting: () => [...starting.values()],
    moving: (minReadySeconds, now) => [
      ...leaving.values(),
      ...starting.values(),
      ...ready.fresh(minReadySeconds, now),
    ],
    ready: ready.size,
    countAvailable: (minReadySeconds, now) => ready.size() - ready.fresh(minReadySeconds, now).length,
    ranks,
    difference: difference.asSeen,
  };
}

interface Group extends PodSetGroup {
  readonly enter: (key: string, pod: Pod) => void;
  readonly leave: (key: string, pod: Pod) => void;
  readonly forget: (key: string) => void;
}

function createGroup(): Group {
  const active = new Map<string, Pod>();
  const ready = createReadyPods();
  const observed = new Map<string, Pod>();
  let size = 0;
  let terminating = 0;
  const countTerminating = (pod: Pod, by: number): void => {
    if (isTerminating(pod) && !isTerminal(pod)) terminating += by;
  };
  return {
    size: () => size,
    active,
    ready: ready.size,
    terminating: () => terminating,
    like: () => observed.values().next().value,
    countAvailable: (minReadySeconds, now) => ready.size() - ready.fresh(minReadySeconds, now).length,
    enter(key, pod) {
      size += 1;
      countTerminating(pod, 1);
      if (!isSimulated(pod)) observed.set(key, pod);
      if (!isActive(pod)) return;
      active.set(key, pod);
      if (isReady(pod)) ready.enter(key, pod);
    },
    leave(key, pod) {
      size -= 1;
      countTerminating(pod, -1);
      active.delete(key);
      ready.leave(key);
    },
    forget(key) {
      observed.delete(key);
    },
  };
}

/** Those that were found to be available are not examined again: time only goes forward. */
function createReadyPods() {
  const pods = new Map<string, Pod>();
  let unsettled = new Map<string, Pod>();
  let askedFor = 0;
  return {
    size: () => pods.size,
    enter(key: string, pod: Pod) {
      pods.set(key, pod);
      unsettled.set(key, pod);
    },
    leave(key: string) {
      pods.delete(key);
      unsettled.delete(key);
    },
    fresh(minReadySeconds: number, now: number): readonly Pod[] {
      if (minReadySeconds === 0) return [];
      if (askedFor !== minReadySeconds) unsettled = new Map(pods);
      askedFor = minReadySeconds;
      for (const [key, pod] of unsettled) {
        if (isAvailable(pod, minReadySeconds, now)) unsettled.delete(key);
      }
      return [...unsettled.values()];
    },
  };
}

function createWaitingPods() {
  const pods = new Map<string, Pod>();
  let ordered: readonly Pod[] = [];
  let isSorted = true;
  return {
    enter(key: string, pod: Pod) {
      pods.set(key, pod);
      isSorted = false;
    },
    leave(key: string) {
      pods.delete(key);
    },
    inOrder(): readonly Pod[] {
      if (!isSorted) ordered = [...pods.values()].sort(byCreation);
      else if (ordered.length !== pods.size) ordered = ordered.filter((pod) => pods.get(podKey(pod)) === pod);
      isSorted = true;
      return ordered;
    },
  };
}

function createNames() {
  const taken = new Map<string, number>();
  /** All numbers below it are taken. */
  const lowest = new Map<string, number>();
  return {
    take(name: string) {
      taken.set(name, (taken.get(name) ?? 0) + 1);
    },
    has: (name: string): boolean => taken.has(name),
    giveBack(name: string) {
      const left = (taken.get(name) ?? 1) - 1;
      if (left > 0) taken.set(name, left);
      else taken.delete(name);
      for (const [prefix, number] of lowest) {
        const freed = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN;
        if (freed < number) lowest.set(prefix, freed);
      }
    },
    free(prefix: string): string {
      let number = lowest.get(prefix) ?? 1;
      while (taken.has(`${prefix}${number}`)) number += 1;
      lowest.set(prefix, number);
      return `${prefix}${number}`;
    },
  };
}

/** The difference between a pod set and the pods it began with, kept while pods come, change and go. */
interface PodSetDifference {
  readonly asSeen: Difference;
  readonly onAdd: (pod: Pod) => void;
  readonly onChange: (after: Pod) => void;
  readonly onRemove: (pod: Pod) => void;
}

/** @param byPosition the order of its lists */
function createPodSetDifference(
  observed: readonly Pod[],
  byPosition: (a: Pod, b: Pod) => number,
): PodSetDifference {
  const observedByKey = new Map(observed.map((pod) => [podKey(pod), pod]));
  const gone: Pod[] = [];
  const leaving = new Map<string, Pod>();
  const placed = new Map<string, Pod>();
  const created = new Map<string, Pod>();
  const changed: string[] = [];
  const goneFrom = new Map<string, Pod[]>();
  const placedOn = new Map<string, Map<string, Pod>>();
  let lists: {
    gone?: readonly Pod[];
    leaving?: readonly Pod[];
    placed?: readonly Pod[];
    created?: readonly Pod[];
  } = {};

  const noteChange = (node: string): void => {
    changed.push(node);
  };
  const notePlaced = (key: string, pod: Pod): void => {
    const node = pod.spec.nodeName ?? '';
    const there = placedOn.get(node) ?? new Map<string, Pod>();
    placedOn.set(node, there);
    if (!there.has(key)) noteChange(node);
    there.set(key, pod);
    placed.set(key, pod);
  };
  const wasObservedWithNode = (key: string): boolean => {
    const before = observedByKey.get(key);
    return before !== undefined && hasNode(before);
  };
  const onChange = (pod: Pod): void => {
    const key = podKey(pod);
    lists = {};
    if (created.has(key)) created.set(key, pod);
    const before = observedByKey.get(key);
    if (before !== undefined && isTerminating(pod) && !isTerminating(before)) leaving.set(key, before);
    if (hasNode(pod) && !wasObservedWithNode(key)) notePlaced(key, pod);
  };
  return {
    onChange,
    onAdd(pod) {
      created.set(podKey(pod), pod);
      onChange(pod);
    },
    onRemove(pod) {
      const key = podKey(pod);
      const node = pod.spec.nodeName ?? '';
      const before = observedByKey.get(key);
      lists = {};
      if (before !== undefined) gone.push(before);
      leaving.delete(key);
      created.delete(key);
      placed.delete(key);
      placedOn.get(node)?.delete(key);
      if (wasObservedWithNode(key) && before !== undefined) {
        const left = goneFrom.get(node) ?? [];
        left.push(before);
        goneFrom.set(node, left);
      }
      if (node !== '') noteChange(node);
    },
    asSeen: {
      get gone() {
        lists.gone ??= [...gone].sort(byPosition);
        return lists.gone;
      },
      get leaving() {
        lists.leaving ??= [...leaving.values()].sort(byPosition);
        return lists.leaving;
      },
      get placed() {
        lists.placed ??= [...placed.values()].sort(byPosition);
        return lists.placed;
      },
      get created() {
        lists.created ??= [...created.values()];
        return lists.created;
      },
      byNode: {
        changed,
        goneFrom: (node) => goneFrom.get(node) ?? [],
        placedOn: (node) => [...(placedOn.get(node)?.values() ?? [])],
      },
    },
  };
}
