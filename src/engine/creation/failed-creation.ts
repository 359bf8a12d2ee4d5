import type { ClusterIndex } from '../objects/cluster-index.js';
import type { Event } from '../objects/event.js';
import { revisionKeyOf } from '../objects/leader-worker-set.js';
import { type Condition, conditionOf, controllerOf, type ObjectRef } from '../objects/metadata.js';
import { isActive, type Pod } from '../objects/pod.js';
import type { Container, PodTemplate } from '../objects/pod-spec.js';
import { nowOf, type Snapshot } from '../objects/snapshot.js';
import { isUnread, isUnrecorded } from '../objects/unread.js';
import { type DaemonSet, hasReplicaSets, type ReplicaSet, type StatefulSet } from '../objects/workload.js';
import { podFromTemplate } from '../scheduler/pod-from-template.js';
import { daemonSetHash, statefulSetRevisions } from '../workloads/controller-revisions.js';
import { failureEvent, instantOf } from '../workloads/creation-events.js';
import { syncDaemonSet } from '../workloads/daemon-set-model.js';
import { newestKeyOf } from '../workloads/leader-worker-set/leader-set.js';
import { statefulSetStateOf } from '../workloads/leader-worker-set/model.js';
import { withLimitRangeDefaults } from '../workloads/limit-range-defaults.js';
import { admission } from '../workloads/quota-admission.js';
import { partNameOf } from '../workloads/revisioned/pods.js';
import type { RefusedPods } from '../workloads/revisioned/service-kind.js';
import { podsOfNewRevision, podsOfReplicaSet, revisionsOf } from '../workloads/revisions.js';
import {
  type ArgoRolloutState,
  type DeploymentState,
  type LeaderWorkerSetState,
  type RevisionedState,
  type RolloutState,
  rolloutStateOf,
} from '../workloads/rollout-state.js';
import { syncStatefulSet } from '../workloads/stateful-set-model.js';
import { type Denial, denialOf } from './denial.js';

/**
 * The pod that a controller wants, as it would reach the quota check: API defaults, LimitRange defaults, and
 * the containers that webhooks have put into the workload's other pods.
 *
 * @param template of the ReplicaSet, or of the workload itself
 * @param creator of the pod, and the part of a revision that it belongs to
 * @param name shown to nobody but the engines
 */
export function wantedPod(
  snapshot: Snapshot,
  template: PodTemplate,
  { uid: ownerUid, part }: { uid: string; part?: RefusedPods['part'] },
  name: string,
): Pod {
  const { index, workload } = snapshot;
  const { namespace } = workload.metadata;
  const state = rolloutStateOf(snapshot);
  const { pods } = state;
  const sibling = pods.find(
    (pod) =>
      isActive(pod) &&
      controllerOf(pod)?.uid === ownerUid &&
      (part === undefined || partNameOf(pod) === part.name) &&
      isOfTemplate(state, pod),
  );
  if (sibling !== undefined) return renamed(sibling, name);
  return podOfTemplate(index, withInjected(snapshot, template, pods), ownerUid, { namespace, name });
}

/**
 * A pod of the template as its controller would create it: with API defaults and LimitRange defaults, without
 * a node.
 */
export function podOfTemplate(
  { objects: { LimitRange, PriorityClass } }: ClusterIndex,
  template: PodTemplate,
  ownerUid: string,
  named: { readonly namespace: string; readonly name: string },
): Pod {
  const made = podFromTemplate(template, { ...named, priorityClasses: PriorityClass });
  const metadata = { ...made.metadata, uid: uidOf(named.name), ownerReferences: ownersAs(ownerUid) };
  return withLimitRangeDefaults({ ...made, metadata }, LimitRange);
}

/** Pods of all revisions of a StatefulSet or DaemonSet have the same owner. */
function isOfTemplate(state: RolloutState, pod: Pod): boolean {
  return hasReplicaSets(state) || podsOfNewRevision(state).includes(pod);
}

function renamed(sibling: Pod, name: string): Pod {
  return {
    ...sibling,
    metadata: { ...sibling.metadata, name, uid: uidOf(name) },
    spec: { ...sibling.spec, nodeName: undefined },
    status: { ...sibling.status, phase: 'Pending', conditions: [], containerStatuses: [] },
  };
}

/** As the rollout engine names the pods it makes up. */
function uidOf(name: string): string {
  return `simulated:${name}`;
}

function ownersAs(uid: string): Pod['metadata']['ownerReferences'] {
  return [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: '', uid, controller: true }];
}

/** Containers that an active pod has and its own template lacks: a mesh's proxy, an agent. */
function withInjected(snapshot: Snapshot, template: PodTemplate, pods: readonly Pod[]): PodTemplate {
  const like = pods.find(isActive);
  if (like === undefined) return template;
  const owner = controllerOf(like)?.uid;
  const own = snapshot.index.replicaSets.get(owner ?? '')?.spec.template;
  const known = new Set(
    [own ?? snapshot.workload.spec.template, template].flatMap(({ spec }) => namesOf(spec)),
  );
  const isNew = ({ name }: Container) => !known.has(name);
  const { spec } = template;
  return {
    ...template,
    spec: {
      ...spec,
      containers: [...spec.containers, ...like.spec.containers.filter(isNew)],
      initContainers: [...spec.initContainers, ...like.spec.initContainers.filter(isNew)],
    },
  };
}

function namesOf({ containers, initContainers }: Pod['spec']): readonly string[] {
  return [...containers, ...initContainers].map(({ name }) => name);
}

/** A controller that wants more pods than there are, because the API server refuses to create them. */
export interface FailedCreation {
  /**
   * Who creates: a ReplicaSet, StatefulSet or DaemonSet; the Deployment where a ReplicaSet could not be made.
   */
  readonly owner: ObjectRef;
  readonly uid: string;
  /** Of the workload's current template. */
  readonly isNewest: boolean;
  /** Pods that it wants and that are not there, at least 1. */
  readonly missing: number;
  /** Of a service, the part of the revision that they belong to. */
  readonly part?: RefusedPods['part'];
  /** What it is refused: a pod, or something made for one (a claim, a ReplicaSet). */
  readonly what: 'pod' | 'claim' | 'replica-set';
  /** The refusal as the controller wrote it last. */
  readonly message: string;
  readonly denial: Denial;
  /** RFC3339, where known. */
  readonly since: string | undefined;
  readonly lastSeen: string | undefined;
  /** The field that says so. */
  readonly field: string;
  readonly saidBy: ObjectRef;
}

/**
 * What the workload's controllers cannot create at the moment of the snapshot, that of the current template
 * first.
 *
 * A ReplicaSet keeps the words of the first failure in its ReplicaFailure condition, whatever fails
 * afterwards (kubernetes `replica_set_utils.go: calculateStatus`): a newer event says what fails now.
 * StatefulSets and DaemonSets have events only. An event counts until the same controller has created
 * something since.
 */
export function failedCreationsOf(snapshot: Snapshot): readonly FailedCreation[] {
  const state = rolloutStateOf(snapshot);
  switch (state.kind) {
    case 'Deployment':
      return [...ofReplicaSets(snapshot, state), ...ofDeployment(snapshot, state)];
    case 'Rollout':
      return ofReplicaSets(snapshot, state);
    case 'StatefulSet': {
      const waits = syncStatefulSet(state).actions.filter(({ kind }) => kind === 'create');
      return fromEvents(snapshot, waits.length, statefulSetRevisions(state)?.update !== undefined);
    }
    case 'LeaderWorkerSet':
      return ofGroups(snapshot, state);
    case 'Revisioned':
      return ofRevisions(snapshot, state);
    case 'DaemonSet': {
      const waits = syncDaemonSet(state).actions.filter(({ kind }) => kind === 'create');
      return fromEvents(snapshot, waits.length, daemonSetHash(state) !== undefined);
    }
  }
}

function ofReplicaSets(
  snapshot: Snapshot,
  state: DeploymentState | ArgoRolloutState,
): readonly FailedCreation[] {
  const { newReplicaSet, oldReplicaSets } = revisionsOf(state);
  const newestFirst = [
    ...(newReplicaSet === undefined ? [] : [newReplicaSet]),
    ...[...oldReplicaSets].reverse(),
  ];
  return newestFirst.flatMap((replicaSet): readonly FailedCreation[] => {
    if (replicaSet.metadata.deletionTimestamp !== undefined) return [];
    const missing = replicaSet.spec.replicas - existing(snapshot, state, replicaSet);
    if (missing <= 0) return [];
    const { metadata } = replicaSet;
    const owner = { kind: 'ReplicaSet', namespace: metadata.namespace, name: metadata.name };
    const refusal = lastRefusal(snapshot.index, nowOf(snapshot), replicaSet);
    const isNewest = replicaSet === newReplicaSet;
    if (refusal === undefined) return [];
    const failed = { owner, uid: metadata.uid, isNewest, missing, ...refusal };
    return [
      refusal.message === '' ? { ...failed, denial: denialByQuota(snapshot, replicaSet, failed) } : failed,
    ];
  });
}

/**
 * Text states that a pod was refused, and its words only where the event was kept. A quota that is used up
 * tells why.
 */
function denialByQuota(
  snapshot: Snapshot,
  { spec: { template } }: ReplicaSet,
  failed: Pick<FailedCreation, 'uid' | 'denial'>,
): Denial {
  const pod = wantedPod(snapshot, template, failed, 'next');
  const outcome = admission(pod, snapshot.index.objects.ResourceQuota, nowOf(snapshot));
  const [refusal] = outcome.kind === 'refused' ? outcome.refusals : [];
  return refusal === undefined ? failed.denial : { kind: 'quota', refusal };
}

/**
 * What a controller was refused last, by its condition and its events; `undefined`: nothing since it created
 * a pod.
 */
export function lastRefusal(
  index: ClusterIndex,
  now: number,
  { kind, metadata, status }: ReplicaSet | StatefulSet | DaemonSet,
): Refused | undefined {
  const condition = conditionOf(status, 'ReplicaFailure');
  const failing = condition?.status === 'True' && condition.reason === 'FailedCreate' ? condition : undefined;
  const event = failureEvent(index, now, metadata.uid);
  if (failing === undefined && event === undefined) return undefined;
  return saidLast({ kind, namespace: metadata.namespace, name: metadata.name }, failing, event);
}

/** Where the pods could not be read, the ReplicaSet's own count stands. */
function existing(
  snapshot: Snapshot,
  state: DeploymentState | ArgoRolloutState,
  replicaSet: ReplicaSet,
): number {
  const pods = podsOfReplicaSet(state, replicaSet).filter(isActive).length;
  const unread = isUnread(snapshot, 'Pod');
  return unread ? Math.max(pods, replicaSet.status.replicas) : pods;
}

/** The Deployment controller could not even make the ReplicaSet (`sync.go: getNewReplicaSet`). */
function ofDeployment(snapshot: Snapshot, state: DeploymentState): readonly FailedCreation[] {
  const { metadata, spec, status } = state.deployment;
  const progressing = conditionOf(status, 'Progressing');
  if (progressing?.reason !== 'ReplicaSetCreateError' || progressing.status !== 'False') return [];
  if (revisionsOf(state).newReplicaSet !== undefined || spec.replicas === 0) return [];
  const owner = { kind: 'Deployment', namespace: metadata.namespace, name: metadata.name };
  const event = failureEvent(snapshot.index, nowOf(snapshot), metadata.uid);
  const said = saidLast(owner, progressing, event);
  const field = said.saidBy === owner ? 'status.conditions[Progressing]' : said.field;
  return [
    { owner, uid: metadata.uid, isNewest: true, missing: spec.replicas, ...said, field, what: 'replica-set' },
  ];
}

/** Leaders and workers are created by the StatefulSets of the LeaderWorkerSet. */
function ofGroups(snapshot: Snapshot, state: LeaderWorkerSetState): readonly FailedCreation[] {
  if (snapshot.workload.metadata.deletionTimestamp !== undefined) return [];
  const newest = newestKeyOf(state);
  return state.statefulSets.flatMap((statefulSet): readonly FailedCreation[] => {
    const { metadata } = statefulSet;
    if (metadata.deletionTimestamp !== undefined) return [];
    const { actions } = syncStatefulSet(statefulSetStateOf(state, statefulSet));
    const missing = actions.filter(({ kind }) => kind === 'create').length;
    const event = failureEvent(snapshot.index, nowOf(snapshot), metadata.uid);
    if (missing === 0 || event === undefined) return [];
    const owner = { kind: 'StatefulSet', namespace: metadata.namespace, name: metadata.name };
    const isNewest = revisionKeyOf(statefulSet) === newest;
    return [{ owner, uid: metadata.uid, isNewest, missing, ...saidLast(owner, undefined, event) }];
  });
}

/** Pods of a revision are created by the ReplicaSets of its Deployments, or by its RayCluster. */
function ofRevisions(snapshot: Snapshot, { refused = [] }: RevisionedState): readonly FailedCreation[] {
  if (snapshot.workload.metadata.deletionTimestamp !== undefined) return [];
  return refused.flatMap(({ creator, uid, part, missing, replicaSet, event }): readonly FailedCreation[] => {
    const said =
      replicaSet === undefined
        ? saidLast(creator, undefined, event)
        : lastRefusal(snapshot.index, nowOf(snapshot), replicaSet);
    return said === undefined || missing === 0
      ? []
      : [{ owner: creator, uid, isNewest: true, missing, part, ...said }];
  });
}

function fromEvents(snapshot: Snapshot, missing: number, isNewest: boolean): readonly FailedCreation[] {
  const { kind, metadata } = snapshot.workload;
  if (missing === 0 || metadata.deletionTimestamp !== undefined) return [];
  const event = failureEvent(snapshot.index, nowOf(snapshot), metadata.uid);
  if (event === undefined) return [];
  const owner = { kind, namespace: metadata.namespace, name: metadata.name };
  return [{ owner, uid: metadata.uid, isNewest, missing, ...saidLast(owner, undefined, event) }];
}

type Refused = Pick<
  FailedCreation,
  'what' | 'message' | 'denial' | 'since' | 'lastSeen' | 'field' | 'saidBy'
>;

function saidLast(owner: ObjectRef, condition: Condition | undefined, event: Event | undefined): Refused {
  const since = condition?.lastTransitionTime ?? event?.firstSeen;
  const isNewer =
    event !== undefined &&
    (condition === undefined || instantOf(event.lastSeen) >= instantOf(condition.lastTransitionTime));
  const message = isNewer ? event.message : (condition?.message ?? '');
  const saidBy = isNewer
    ? { kind: 'Event', namespace: event.metadata.namespace, name: event.metadata.name }
    : owner;
  return {
    what: /persistentvolumeclaims? "/.test(message) ? 'claim' : 'pod',
    message,
    denial: denialOf(message),
    since,
    lastSeen: event?.lastSeen ?? condition?.lastTransitionTime,
    field: isNewer ? 'message' : 'status.conditions[ReplicaFailure]',
    saidBy,
  };
}

/** Seconds since the first refusal; `undefined` where nobody says when that was. */
export function failingForSeconds(snapshot: Snapshot, { since }: FailedCreation): number | undefined {
  return since === undefined ? undefined : Math.max(0, (nowOf(snapshot) - Date.parse(since)) / 1000);
}

/**
 * Selectors of scopes that were not recorded, where they may decide which pods a quota counts, and pods were
 * refused: a selector by priority class counts some of them only.
 */
export function undecidedScopes(snapshot: Snapshot): readonly string[] {
  const { workload, index } = snapshot;
  if (failedCreationsOf(snapshot).length === 0) return [];
  const { namespace } = workload.metadata;
  const arePodsPrioritised = index.objects.Pod.some(
    ({ metadata, spec }) => metadata.namespace === namespace && (spec.priorityClassName ?? '') !== '',
  );
  const isPrioritised = (workload.spec.template.spec.priorityClassName ?? '') !== '';
  return (arePodsPrioritised || isPrioritised) &&
    isUnrecorded(snapshot, 'ResourceQuota', 'spec.scopeSelector')
    ? ['ResourceQuota spec.scopeSelector']
    : [];
}

/**
 * The longest pause, in seconds, between two attempts of a controller to create what is refused: it doubles
 * from 5 ms (client-go `workqueue.DefaultTypedControllerRateLimiter`). Controllers do not watch quotas or
 * policies; a change of the owner or of its pods makes them try at once.
 */
export const longestRetrySeconds = 1000;
