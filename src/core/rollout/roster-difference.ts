import { hasNode, isTerminating, type Pod } from '../cluster/pod.js';
import { podKey } from '../cluster/pod-key.js';
import type { Difference } from './pod-oracle.js';

/** The difference between a pod set and the pods it began with, kept while pods come, change and go. */
export interface PodSetDifference {
  readonly asSeen: Difference;
  readonly onAdd: (pod: Pod) => void;
  readonly onChange: (after: Pod) => void;
  readonly onRemove: (pod: Pod) => void;
}

/** @param byPosition the order of its lists */
export function createPodSetDifference(
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
