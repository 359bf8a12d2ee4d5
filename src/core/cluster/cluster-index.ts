import type { ClusterObjects } from './cluster-objects.js';
import type { Event } from './event.js';
import { controllerOf } from './metadata.js';
import type { Node } from './node.js';
import type { Pod } from './pod.js';
import type { ControllerRevision, ReplicaSet } from './workload.js';

/** `ClusterObjects` with the look-ups that rules and engines need; built once for all workloads. */
export interface ClusterIndex {
  readonly objects: ClusterObjects;
  readonly nodes: ReadonlyMap<string, Node>;
  /** Pods by `spec.nodeName`, terminal ones included. */
  readonly podsByNode: ReadonlyMap<string, readonly Pod[]>;
  /** Pods by the uid of their controller. */
  readonly podsByOwner: ReadonlyMap<string, readonly Pod[]>;
  readonly replicaSetsByOwner: ReadonlyMap<string, readonly ReplicaSet[]>;
  readonly controllerRevisionsByOwner: ReadonlyMap<string, readonly ControllerRevision[]>;
  /** Events by the uid of the object they are about, oldest first. */
  readonly eventsByUid: ReadonlyMap<string, readonly Event[]>;
  /** Names of the nodes whose pods were read; absent: all. What runs on another node is not known. */
  readonly podsReadOn?: ReadonlySet<string>;
}

/** @param podsReadOn names of the nodes whose pods were read; all when left out */
export function indexObjects(objects: ClusterObjects, podsReadOn?: ReadonlySet<string>): ClusterIndex {
  return {
    ...(podsReadOn === undefined ? {} : { podsReadOn }),
    objects,
    nodes: new Map(objects.Node.map((node) => [node.metadata.name, node])),
    podsByNode: group(objects.Pod, (pod) => pod.spec.nodeName),
    podsByOwner: group(objects.Pod, (pod) => controllerOf(pod)?.uid),
    replicaSetsByOwner: group(objects.ReplicaSet, (replicaSet) => controllerOf(replicaSet)?.uid),
    controllerRevisionsByOwner: group(objects.ControllerRevision, (revision) => controllerOf(revision)?.uid),
    eventsByUid: group(
      [...objects.Event].sort((a, b) => seenAt(a) - seenAt(b)),
      (event) => event.involvedObject.uid,
    ),
  };
}

function seenAt(event: Event): number {
  return event.lastSeen === undefined ? 0 : Date.parse(event.lastSeen);
}

function group<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | undefined,
): ReadonlyMap<string, readonly Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    if (key === undefined) continue;
    const members = groups.get(key);
    if (members === undefined) groups.set(key, [item]);
    else members.push(item);
  }
  return groups;
}
