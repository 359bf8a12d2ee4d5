import type { ClusterIndex } from '../cluster/cluster-index.js';
import type { Event } from '../cluster/event.js';
import { controllerOf, type ObjectRef } from '../cluster/metadata.js';
import { isActive, type Pod } from '../cluster/pod.js';
import type { ResourceQuota } from '../cluster/quota.js';
import type { DaemonSet, ReplicaSet, StatefulSet } from '../cluster/workload.js';
import { parseQuantity } from '../placement/quantity.js';
import { failureEvent } from '../rollout/creation-events.js';
import { epochOf } from '../rollout/creation-order.js';
import { chargesOf, type QuotaCharges, resourceKey } from '../rollout/quota-charges.js';
import { denialOf } from './denial.js';
import { lastRefusal } from './failed-creation.js';
import { asAsked, type Exceeded } from './quota-block.js';
import { longestRetrySeconds } from './retry.js';
import { podOfTemplate } from './wanted-pod.js';

/** A controller whose pods a quota refuses. It tries again after pauses, so it may take what becomes free. */
export interface RefusedOwner {
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
export function refusedOwnersOf(
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
    pods: kind === 'DaemonSet' ? [] : pods,
  };
}

/** Where its pods were not read, the owner's own count stands. */
function missingOf(index: ClusterIndex, owner: ReplicaSet | StatefulSet | DaemonSet): number {
  if (owner.kind === 'DaemonSet') {
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
