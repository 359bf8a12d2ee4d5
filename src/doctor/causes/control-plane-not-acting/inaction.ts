import { groupBy } from '../../../engine/collections/collections.js';
import { gangOf } from '../../../engine/neighbours/pod-gang.js';
import type { ResourceClaim } from '../../../engine/objects/device.js';
import type { Condition, ManagedFieldsEntry, ObjectRef } from '../../../engine/objects/metadata.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import { hasNode, isActive, isReady, type Pod } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import type { PersistentVolumeClaim } from '../../../engine/objects/storage.js';
import type { ReplicaSet, StatefulSet } from '../../../engine/objects/workload.js';
import { hasGroups, hasObservedSpec, hasOrdinals, hasReplicaSets } from '../../../engine/objects/workload.js';
import { selectedNode } from '../../../engine/scheduler/cluster-facts.js';
import type { Placement } from '../../../engine/scheduler/placement.js';
import { claimUses } from '../../../engine/scheduler/volume-state.js';
import { statefulSetStateOf } from '../../../engine/workloads/leader-worker-set/model.js';
import { isHeldUp } from '../../../engine/workloads/revisioned/service-kind.js';
import { podsOfReplicaSet } from '../../../engine/workloads/revisions.js';
import type { RolloutState } from '../../../engine/workloads/rollout-state.js';
import { childrenOf, rolloutStateOf, switchesRevisions } from '../../../engine/workloads/rollout-state.js';
import type { Examination } from '../../findings/rule.js';
import { isUnschedulable, refusedSince } from '../../findings/stuck-rollout.js';

/** A component of the control plane that has not done what the objects ask of it. Times are RFC3339. */
export type Inaction =
  /** A controller has not observed the last change of the spec. */
  | {
      readonly kind: 'not-observed';
      readonly object: ObjectRef;
      readonly generation: number;
      readonly observed: number;
      /** When the spec was changed; absent where the objects do not say it. */
      readonly since: string | undefined;
    }
  /** A controller has not counted pods that have existed, or been ready, since then. */
  | {
      readonly kind: 'not-counted';
      readonly what: 'pods' | 'ready-pods';
      readonly object: ObjectRef;
      readonly counted: number;
      readonly actual: number;
      readonly since: string;
    }
  /** No scheduler has tried these pods. */
  | {
      readonly kind: 'not-scheduled';
      readonly scheduler: string;
      readonly pods: readonly [Pod, ...Pod[]];
      readonly since: string;
      /** Whether a pod that names the same scheduler has a node. */
      readonly hasPlaced: boolean;
      /** The PodGroup of the pods, unless it is complete: a scheduler tries none of them before. */
      readonly podGroup?: string;
      /** Where the group was read: its minimum, and its pods. */
      readonly minCount?: number;
      readonly members?: number;
    }
  /** A scheduler has chosen a node for these pods, and has not bound them. */
  | {
      readonly kind: 'not-bound';
      readonly scheduler: string;
      readonly node: string;
      readonly pods: readonly [Pod, ...Pod[]];
      readonly since: string;
      /** Those of the pods' claims that are not ready, with what their drivers have not reported. */
      readonly devices: readonly UnreadyDevice[];
    };

interface UnreadyDevice {
  readonly driver: string;
  readonly device: string;
  readonly conditions: readonly string[];
}

/**
 * Controllers and schedulers react within seconds, and a controller manager that takes over the lease of
 * another within half a minute (kube-controller-manager `--leader-elect-lease-duration` 15 s, then its caches
 * fill).
 */
const patienceMs = 120_000;

/** To attach a device or to make a volume may take minutes; the scheduler gives up after ten by default. */
const bindingMs = 300_000;

/** Without a time of the change nothing in the namespace may be younger than this. */
const quietMs = 300_000;

/** Inactions that a finding names; more would say nothing new. */
const maxInactions = 10;

/** What was not done for minutes; empty within normal reaction times. */
export function inactionsOf({ snapshot, placement }: Examination): readonly Inaction[] {
  if (snapshot.workload.metadata.deletionTimestamp !== undefined) return [];
  const state = rolloutStateOf(snapshot);
  const found = [
    ...notObserved(snapshot, state),
    ...notCounted(state),
    ...notScheduled(snapshot, state),
    ...notBound(snapshot, placement, state),
  ];
  return found.slice(0, maxInactions);
}

interface Observed {
  readonly kind: string;
  readonly metadata: Snapshot['workload']['metadata'];
  readonly status: { readonly observedGeneration: number | string };
}

function notObserved(snapshot: Snapshot, state: RolloutState): readonly Inaction[] {
  if (switchesRevisions(state) && isHeldUp(state.refused ?? [])) return [];
  const behind = [snapshot.workload, ...childrenOf(state)].filter(
    (object: Observed) => !hasObservedSpec(object) && object.metadata.deletionTimestamp === undefined,
  );
  if (behind.length === 0) return [];
  const newest = newestTime(snapshot);
  return behind.slice(0, maxInactions).flatMap((object: Observed): readonly Inaction[] => {
    const { generation = 0 } = object.metadata;
    const observed = Number(object.status.observedGeneration);
    const since = changedAt(object);
    const last = Date.parse(since ?? newest ?? '');
    if (!(nowOf(snapshot) - last >= (since === undefined ? quietMs : patienceMs))) return [];
    return [{ kind: 'not-observed', object: refTo(object), generation, observed, since }];
  });
}

/** When the spec was last written, by whomever; a first generation is as old as its object. */
function changedAt({ metadata }: Observed): string | undefined {
  const { generation, creationTimestamp, managedFields } = metadata;
  const times = managedFields.filter(writesSpec).flatMap(({ time }) => time ?? []);
  const [newest] = times.sort((a, b) => Date.parse(b) - Date.parse(a));
  return newest ?? (generation === 1 ? creationTimestamp : undefined);
}

/** The entry of who wrote the spec, or a part of it such as the replicas by `scale`. */
export function writesSpec({ subresource, fieldsV1 }: ManagedFieldsEntry): boolean {
  return subresource !== 'status' && fieldsV1 !== undefined && 'f:spec' in fieldsV1;
}

interface Counting {
  readonly object: ObjectRef;
  readonly pods: readonly Pod[];
  /** `undefined` where the status has no such count. */
  readonly countedPods: number | undefined;
  readonly countedReady: number;
}

/**
 * Pods that are gone are no sign: no object tells when they went. Nor is a status that no controller ever
 * wrote, which is the case of `notObserved`.
 */
function notCounted(state: RolloutState): readonly Inaction[] {
  return countingsOf(state).flatMap(({ object, pods, countedPods, countedReady }): readonly Inaction[] => {
    const active = pods.filter(isActive);
    const ready = active.filter(isReady);
    const created = ageing(active.map(({ metadata }) => metadata.creationTimestamp));
    const turned = ageing(ready.map(({ status }) => conditionOf(status, 'Ready')?.lastTransitionTime));
    const [late, lateReady] = [created[countedPods ?? created.length], turned[countedReady]];
    const isLate = (at: string | undefined): at is string =>
      at !== undefined && state.now - Date.parse(at) >= patienceMs;
    return [
      ...(isLate(late) && countedPods !== undefined
        ? [
            {
              kind: 'not-counted' as const,
              what: 'pods' as const,
              object,
              counted: countedPods,
              actual: created.length,
              since: late,
            },
          ]
        : []),
      ...(isLate(lateReady)
        ? [
            {
              kind: 'not-counted' as const,
              what: 'ready-pods' as const,
              object,
              counted: countedReady,
              actual: turned.length,
              since: lateReady,
            },
          ]
        : []),
    ];
  });
}

/** Oldest first: the one after those that are counted is the first that is not. */
function ageing(times: readonly (string | undefined)[]): readonly string[] {
  return times
    .filter((time) => time !== undefined)
    .filter((time) => !Number.isNaN(Date.parse(time)))
    .sort((a, b) => Date.parse(a) - Date.parse(b));
}

function countingsOf(state: RolloutState): readonly Counting[] {
  if (hasReplicaSets(state)) {
    return state.replicaSets
      .filter(isCounted)
      .map((replicaSet) => countingOf(replicaSet, podsOfReplicaSet(state, replicaSet)));
  }
  if (hasGroups(state)) {
    return state.statefulSets
      .filter(isCounted)
      .map((statefulSet) => countingOf(statefulSet, statefulSetStateOf(state, statefulSet).pods));
  }
  // The status of a service counts no pods. That of a DaemonSet counts nodes: with a surge one has two pods.
  if (!hasOrdinals(state) || state.statefulSet.status.observedGeneration === 0) return [];
  return [countingOf(state.statefulSet, state.pods)];
}

function isCounted({ metadata, status }: ReplicaSet | StatefulSet): boolean {
  return metadata.deletionTimestamp === undefined && status.observedGeneration > 0;
}

function countingOf(object: ReplicaSet | StatefulSet, pods: readonly Pod[]): Counting {
  const { replicas, readyReplicas } = object.status;
  return { object: refTo(object), pods, countedPods: replicas, countedReady: readyReplicas };
}

function notScheduled(snapshot: Snapshot, state: RolloutState): readonly Inaction[] {
  const untried = state.pods.filter((pod) => isUntried(snapshot, pod));
  const groups = groupBy(untried, ({ spec }) => `${spec.schedulerName} ${podGroupOf(spec)}`);
  return [...groups.values()].map((pods) => ({
    kind: 'not-scheduled',
    scheduler: pods[0].spec.schedulerName,
    pods,
    ...heldByGroup(snapshot, pods[0]),
    since: ageing(pods.map(({ metadata }) => metadata.creationTimestamp))[0] ?? snapshot.takenAt,
    hasPlaced: snapshot.index.objects.Pod.some(
      (pod) => pod.spec.schedulerName === pods[0].spec.schedulerName && hasNode(pod),
    ),
  }));
}

/** A group that was read and is complete holds back none of its pods. */
function heldByGroup({ index }: Snapshot, pod: Pod) {
  const podGroup = podGroupOf(pod.spec);
  if (podGroup === '') return {};
  const gang = gangOf(index, pod);
  if (gang !== undefined) {
    const { minMember: minCount, members } = gang;
    return members.length < minCount ? { podGroup, minCount, members: members.length } : {};
  }
  const isRead = index.objects.PodGroup.some(
    ({ metadata, spec }) =>
      metadata.name === podGroup &&
      metadata.namespace === pod.metadata.namespace &&
      spec.schedulingPolicy !== undefined,
  );
  return isRead ? {} : { podGroup };
}

function podGroupOf({ schedulingGroup }: Pod['spec']): string {
  return schedulingGroup?.podGroupName ?? '';
}

/** A scheduler sets the condition at its first attempt, and says in an event what it did. */
function isUntried(snapshot: Snapshot, pod: Pod): boolean {
  const { metadata, spec, status } = pod;
  if (!isActive(pod) || hasNode(pod) || spec.schedulingGates.length > 0) return false;
  if (conditionOf(status, 'PodScheduled') !== undefined || (status.nominatedNodeName ?? '') !== '') {
    return false;
  }
  if (waitsForClaim(snapshot, pod, (claim) => selectedNode(claim) !== undefined)) return false;
  if (!(nowOf(snapshot) - Date.parse(metadata.creationTimestamp ?? '') >= patienceMs)) return false;
  return !(snapshot.index.eventsByUid.get(metadata.uid) ?? []).some(
    ({ reason, component }) => reason === 'FailedScheduling' || component === spec.schedulerName,
  );
}

/** A claim of the pod has no volume yet. */
function waitsForClaim(
  { index }: Snapshot,
  pod: Pod,
  isMeant: (claim: PersistentVolumeClaim) => boolean = () => true,
): boolean {
  const named = new Set(claimUses(pod).map(({ name }) => name));
  return index.objects.PersistentVolumeClaim.some(
    (claim) =>
      claim.metadata.namespace === pod.metadata.namespace &&
      named.has(claim.metadata.name) &&
      claim.status.phase !== 'Bound' &&
      isMeant(claim),
  );
}

/**
 * Since 1.35 a scheduler names the node before it waits for what must be ready there (kubernetes
 * `schedule_one.go: bindingCycle`). It names a node for a preemption too, but then the pod does not fit there
 * yet. A claim without a volume is what `volume-unbound` explains.
 */
function notBound(snapshot: Snapshot, placement: Placement, state: RolloutState): readonly Inaction[] {
  const found = state.pods.flatMap((pod) => {
    const { nominatedNodeName: node = '' } = pod.status;
    if (node === '' || !isActive(pod) || hasNode(pod) || waitsForClaim(snapshot, pod)) return [];
    const claims = snapshot.index.objects.ResourceClaim.filter(
      ({ metadata, status }) =>
        metadata.namespace === pod.metadata.namespace &&
        status.reservedFor.some(({ uid }) => uid === pod.metadata.uid) &&
        unreadyDevices({ status }).length > 0,
    );
    const since =
      claims.length > 0
        ? ageing([...claims.map(allocatedAt), ...waitsForDevices(snapshot, pod)])[0]
        : isUnschedulable(pod)
          ? undefined
          : refusedSince(pod);
    if (since === undefined || !(nowOf(snapshot) - Date.parse(since) >= bindingMs)) return [];
    const place = placement.evaluate(pod).nodes.find((each) => each.node === node);
    if (place === undefined || place.outcome === 'refused') return [];
    return [{ pod, node, since, devices: claims.flatMap(unreadyDevices) }];
  });
  return [...groupBy(found, ({ node, pod }) => `${node} ${pod.spec.schedulerName}`).values()].map(
    (group) => ({
      kind: 'not-bound',
      scheduler: group[0].pod.spec.schedulerName,
      node: group[0].node,
      pods: [group[0].pod, ...group.slice(1).map(({ pod }) => pod)],
      since: ageing(group.map(({ since }) => since))[0] ?? snapshot.takenAt,
      devices: group.flatMap(({ devices }) => devices),
    }),
  );
}

function allocatedAt({ status }: ResourceClaim): string | undefined {
  return status.allocation?.allocationTimestamp;
}

/** Each attempt allocates the devices again, so the claim shows the last one only. */
function waitsForDevices({ index }: Snapshot, { metadata }: Pod): readonly (string | undefined)[] {
  return (index.eventsByUid.get(metadata.uid) ?? []).flatMap(({ reason, firstSeen }) =>
    reason === 'BindingConditionsPending' ? [firstSeen] : [],
  );
}

/** Kubernetes `dynamicresources.go: listBindingConditionsStatus`. */
function unreadyDevices({ status }: Pick<ResourceClaim, 'status'>): readonly UnreadyDevice[] {
  return (status.allocation?.devices?.results ?? []).flatMap((result) => {
    const reported = status.devices.find(
      ({ driver, pool, device }) =>
        driver === result.driver && pool === result.pool && device === result.device,
    );
    const conditions = result.bindingConditions.filter(
      (type) => conditionOf(reported ?? { conditions: [] }, type)?.status !== 'True',
    );
    return conditions.length === 0 ? [] : [{ driver: result.driver, device: result.device, conditions }];
  });
}

function refTo({ kind, metadata }: Pick<Observed, 'kind' | 'metadata'>): ObjectRef {
  return { kind, namespace: metadata.namespace, name: metadata.name };
}

/**
 * The newest time in the workload's objects and in the events of its namespace, RFC3339; none after the
 * snapshot.
 */
export function newestTime(snapshot: Snapshot): string | undefined {
  const { workload, index } = snapshot;
  const state = rolloutStateOf(snapshot);
  const events = index.objects.Event.filter(
    ({ metadata }) => metadata.namespace === workload.metadata.namespace,
  );
  const times = [
    ...[workload, ...childrenOf(state), ...state.pods].flatMap(({ metadata, status }) => [
      metadata.creationTimestamp,
      metadata.deletionTimestamp,
      ...status.conditions.flatMap(timesOf),
    ]),
    ...events.map(({ lastSeen }) => lastSeen),
  ];
  const [newest] = times
    .filter((time) => time !== undefined)
    .filter((time) => Date.parse(time) <= nowOf(snapshot))
    .sort((a, b) => Date.parse(b) - Date.parse(a));
  return newest;
}

function timesOf({ lastTransitionTime, lastUpdateTime }: Condition): readonly (string | undefined)[] {
  return [lastTransitionTime, lastUpdateTime];
}
