import { compareText, greatestOf } from '../collections/collections.js';
import type { ClusterIndex, PodsOfController } from '../objects/cluster-index.js';
import { controllerOf } from '../objects/metadata.js';
import { byPodName, hasNode, isActive, type Pod, podKey } from '../objects/pod.js';
import { priorityOf } from '../scheduler/pod-defaults.js';
import { areOfSeveralRevisions } from './neighbour-pod.js';
import { byOwner, inOwnerOrder, type OwnedPods, ownerKey, ownerOf, type PodOwner } from './pod-owner.js';

/** Which active pods with a controller are meant. */
interface Meant {
  readonly withNode: boolean;
  readonly ofController: (kind: string) => boolean;
}

/** A workload with its pods that are meant, and what its place among others depends on. */
interface Known {
  readonly key: string;
  readonly size: number;
  readonly group: OwnedPods;
}

/**
 * Gives pods with a controller by workload as `byOwner` does, without those of one workload. The pods of an
 * index are grouped once, and a group of which no pod is left out is the same object each time: a scan asks
 * for every workload.
 *
 * @param meant which of them are grouped; the same for every call
 */
export function groupPodsOfOthers(
  meant: Meant,
): (index: ClusterIndex, own: readonly Pod[]) => readonly OwnedPods[] {
  const known = new WeakMap<ClusterIndex, readonly Known[]>();
  return (index, own) => {
    const all = known.get(index) ?? groupedIn(index, meant);
    known.set(index, all);
    const owners = new Set(own.map((pod) => ownerKey(ownerOf(index, pod))));
    const others = all.filter(({ key }) => !owners.has(key)).map(({ group }) => group);
    if (others.length === all.length) return others;
    const left = new Set(own.map(podKey));
    const parts = all
      .filter(({ key }) => owners.has(key))
      .flatMap(({ group }) => group.pods.filter((pod) => !left.has(podKey(pod))));
    return parts.length === 0 ? others : [...others, ...byOwner(index, parts)].sort(inOwnerOrder);
  };
}

function groupedIn(index: ClusterIndex, meant: Meant): readonly Known[] {
  const byKey = new Map<string, { readonly owner: PodOwner; readonly lists: PodsOfController[] }>();
  for (const list of index.podsOfControllers) {
    for (const part of partsOf(list, meant)) {
      const [first] = part.pods;
      if (first === undefined) continue;
      const known = ownersOfLists.get(part) ?? withKey(ownerOf(index, first));
      ownersOfLists.set(part, known);
      const before = byKey.get(known.key);
      if (before === undefined) byKey.set(known.key, { owner: known.owner, lists: [part] });
      else before.lists.push(part);
    }
  }
  const all = [...byKey].map(([key, { owner, lists }]): Known => {
    const size = lists.reduce((sum, { pods }) => sum + pods.length, 0);
    return { key, size, group: ownedPods(owner, lists) };
  });
  return all.sort(
    (a, b) => b.group.priority - a.group.priority || b.size - a.size || compareText(a.key, b.key),
  );
}

/** Every question about an index asks for the same. */
const ownersOfLists = new WeakMap<PodsOfController, { readonly owner: PodOwner; readonly key: string }>();

function withKey(owner: PodOwner): { readonly owner: PodOwner; readonly key: string } {
  return { owner, key: ownerKey(owner) };
}

/** The pods that are meant, in lists of one controller each. */
function partsOf(list: PodsOfController, { withNode, ofController }: Meant): readonly PodsOfController[] {
  const isMeant = (pod: Pod): boolean => isActive(pod) && (!withNode || hasNode(pod));
  if (!list.areOfOne) {
    return list.pods
      .filter((pod) => isMeant(pod) && ofController(controllerOf(pod)?.kind ?? ''))
      .map((pod) => ({
        ...list,
        pods: [pod],
        kind: controllerOf(pod)?.kind ?? '',
        priority: priorityOf(pod),
      }));
  }
  if (!ofController(list.kind)) return [];
  if (list.areActive && (!withNode || list.havePlaces)) return [list];
  const pods = list.pods.filter(isMeant);
  return [{ ...list, pods, priority: greatestOf(pods.map(priorityOf)) }];
}

/** The pods are put in order when somebody asks for them, which nobody does for most workloads. */
function ownedPods(owner: PodOwner, lists: readonly PodsOfController[]): OwnedPods {
  let sorted: readonly Pod[] | undefined;
  const group: OwnedPods = {
    owner,
    get pods() {
      sorted ??= lists.flatMap(({ pods }) => pods).sort(byPodName);
      return sorted;
    },
    priority: greatestOf(lists.map(({ priority }) => priority)),
  };
  const [only, ...further] = lists;
  if (further.length === 0 && only?.areOfOne && only.kind === 'ReplicaSet') ofOneReplicaSet.add(group);
  return group;
}

const ofOneReplicaSet = new WeakSet<OwnedPods>();

/** Whether a rollout of the workload is in progress, or was left in the middle. */
export function hasSeveralRevisions(group: OwnedPods): boolean {
  return !ofOneReplicaSet.has(group) && areOfSeveralRevisions(group.pods);
}

/** Pods of other workloads that have a node and may run. */
export const placedPodsOfOthers = groupPodsOfOthers({ withNode: true, ofController: () => true });
