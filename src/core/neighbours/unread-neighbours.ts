import { controllerOf } from '../cluster/metadata.js';
import { hasNode, isActive, type Pod } from '../cluster/pod.js';
import { podKey } from '../cluster/pod-key.js';
import type { Snapshot } from '../cluster/snapshot.js';
import type { Placement } from '../placement/placement.js';
import { rolloutStateOf } from '../rollout/rollout-state.js';
import { revisionKey } from './neighbour-pod.js';
import { type OwnedPods, ownerKey } from './pod-owner.js';
import { groupPodsOfOthers } from './pods-of-others.js';

/** Controllers that stop pods of an old revision during an update, by kind of the pods' owner. */
const replacing: ReadonlySet<string> = new Set(['ReplicaSet', 'DaemonSet', 'StatefulSet']);

const replaceableOfOthers = groupPodsOfOthers(
  (pod) => isActive(pod) && replacing.has(controllerOf(pod)?.kind ?? ''),
);

/**
 * Workloads that have pods of several revisions, and that were not read themselves: those of another namespace, as a
 * rule. Whether such a workload is paused, which revision is the new one and how long a ready pod must stay ready is not
 * known, so each of these pods may still be stopped. What it holds is never proven to stay held. A new pod that waits for
 * a node, perhaps for what a third rollout frees, is of another revision too.
 */
export function unreadNeighbours(snapshot: Snapshot): readonly OwnedPods[] {
  const { index } = snapshot;
  const { Deployment, DaemonSet, StatefulSet } = index.objects;
  const read = new Set(
    [...Deployment, ...DaemonSet, ...StatefulSet].map(({ kind, metadata }) =>
      ownerKey({ kind, ...metadata }),
    ),
  );
  const theirs = replaceableOfOthers(index, rolloutStateOf(snapshot).pods);
  return theirs.flatMap(({ owner, pods: members, priority }) => {
    if (read.has(ownerKey(owner))) return [];
    const mixed = members.filter(isReplacedAmong(members)).filter(hasNode);
    return mixed.length === 0 ? [] : [{ owner, pods: mixed, priority }];
  });
}

/** The unread neighbours whose pods' leaving lets the scheduler place the pod; empty if it would not. */
export function unreadNeighboursOf(
  { snapshot, placement }: { readonly snapshot: Snapshot; readonly placement: Placement },
  pod: Pod,
): readonly string[] {
  const unread = unreadNeighbours(snapshot);
  const without = new Set(unread.flatMap(({ pods }) => pods.map(podKey)));
  return without.size > 0 && placement.evaluate(pod, { without }).outcome === 'fits'
    ? unread.map(({ owner }) => `${owner.namespace}/${owner.name}`)
    : [];
}

/** True for pods beside which one of another revision exists: anywhere, or of a DaemonSet on the same node. */
function isReplacedAmong(pods: readonly Pod[]): (pod: Pod) => boolean {
  const revisions = new Map<string, Set<string>>();
  for (const pod of pods) {
    const there = revisions.get(placeOf(pod)) ?? new Set();
    revisions.set(placeOf(pod), there.add(revisionKey(pod)));
  }
  return (pod) => (revisions.get(placeOf(pod))?.size ?? 0) > 1;
}

function placeOf(pod: Pod): string {
  return controllerOf(pod)?.kind === 'DaemonSet' ? (pod.spec.nodeName ?? '') : '';
}
