import type { ClusterIndex } from '../objects/cluster-index.js';
import { workloadsIn } from '../objects/cluster-objects.js';
import { conditionOf, controllerOf } from '../objects/metadata.js';
import { hasNode, isActive, isAvailable, isReady, type Pod } from '../objects/pod.js';
import { nowOf, type Snapshot } from '../objects/snapshot.js';
import type { Deployment, ReplicaSet, StatefulSet } from '../objects/workload.js';
import {
  hasDeploymentStrategy,
  hasObservedSpec,
  hasOrdinals,
  hasPodPerNode,
  hasSteps,
  isRevisioned,
} from '../objects/workload.js';
import { rolesOf } from '../workloads/argo-rollout/replica-set-roles.js';
import { epochOf } from '../workloads/creation-order.js';
import { type RestState, restState } from '../workloads/fixed-point.js';
import { replicaSetStateOf, syncReplicaSet } from '../workloads/replica-set-controllers.js';
import { podsThatRetire } from '../workloads/revisioned/pods.js';
import { newReplicaSetOf } from '../workloads/revisions.js';
import {
  type ArgoRolloutState,
  argoRolloutStateIn,
  type DeploymentState,
  deploymentStateIn,
  rolloutStateIn,
  rolloutStateOf,
} from '../workloads/rollout-state.js';
import { scheduledSince, startAllowance, startToReady } from '../workloads/start-to-ready.js';
import { ordinalOf } from '../workloads/stateful-set-model.js';
import {
  byOwner,
  groupPodsOfOthers,
  hasSeveralRevisions,
  isFailing,
  isHeldByPause,
  type OwnedPods,
  type PodOwner,
  placedPodsOfOthers,
  revisionKey,
  workloadOf,
  youngestOf,
} from './owned-pods.js';

/**
 * A rollout of another workload that is in progress, and the pods that its controller stops when it
 * completes.
 */
export interface MovingNeighbour {
  readonly owner: PodOwner;
  /**
   * New pods that have a node and are starting, or became ready a moment ago; none where its controller acts
   * only now.
   */
  readonly starting: readonly Pod[];
  /** Older pods of the same workload, with a node. */
  readonly leaving: readonly Pod[];
  /** Pods that take the places of those that leave, where the controller stops the old pod first. */
  readonly replacements?: readonly Pod[];
  /** New pods without a node: the rollout goes on when another one frees what they need. */
  readonly waiting?: readonly Pod[];
  /**
   * True where the pods that leave are not replaced: they are deleted, or there are more of them than
   * replicas.
   */
  readonly departs?: true;
}

/**
 * A controller stops old pods seconds after new ones are available. Where the Deployment was not read, its
 * `minReadySeconds` is not known.
 */
const justReadyMs = { read: 60_000, unread: 600_000 } as const;
/** The lists of one read and the steps of several controllers lie closer together than this. */
const justActedMs = 10_000;
/** Controllers that stop an old pod once a new one beside it is available, by kind of the pods' owner. */
const surging: ReadonlySet<string> = new Set(['ReplicaSet', 'DaemonSet']);

/**
 * Rollouts of other workloads that are in progress. The controller of a rolling update stops an old pod for
 * each new pod that becomes ready, so what those old pods use becomes free without anybody's help. A rollout
 * whose new pods fail, or had all the time that a start may take, is not in progress. A Deployment whose
 * controller has not seen the last update, or made its last step a moment ago, is: what it does next is not
 * known yet.
 */
export function movingNeighbours(snapshot: Snapshot): readonly MovingNeighbour[] {
  const known = movingOf.get(snapshot);
  if (known !== undefined) return known;
  const { index } = snapshot;
  const now = nowOf(snapshot);
  const own = rolloutStateOf(snapshot).pods;
  const moving = replaceableOfOthers(index, own).flatMap((group) => movesOnce(index, group, now) ?? []);
  movingOf.set(snapshot, moving);
  return moving;
}

/** Several rules ask the same of one snapshot. */
const movingOf = new WeakMap<Snapshot, readonly MovingNeighbour[]>();

/** Pods of other workloads with a node, whose controllers replace them one beside the other, by workload. */
const replaceableOfOthers = groupPodsOfOthers({ withNode: true, ofController: (kind) => surging.has(kind) });

/** The workloads of one index ask for the same groups at the same moment. */
const knownMoves = new WeakMap<
  OwnedPods,
  { readonly now: number; readonly moving: MovingNeighbour | undefined }
>();

function movesOnce(index: ClusterIndex, group: OwnedPods, now: number): MovingNeighbour | undefined {
  const before = knownMoves.get(group);
  if (before?.now === now) return before.moving;
  const moving = moves(index, group, now);
  knownMoves.set(group, { now, moving });
  return moving;
}

function moves(index: ClusterIndex, group: OwnedPods, now: number): MovingNeighbour | undefined {
  const { owner } = group;
  const deployment = deploymentOf(index, owner);
  // Most workloads of a cluster: nothing is known of them, and nothing shows an update.
  if (deployment === undefined && !hasSteps(owner) && !hasSeveralRevisions(group)) return undefined;
  if (deployment !== undefined && isHeldByPause(deployment)) return undefined;
  const state = stateOf(index, owner, now);
  if (state === undefined && hasSteps(owner)) return undefined;
  if (state !== undefined && !movesByItself.has(restState(state).kind)) return undefined;
  const current = state && newReplicaSetIn(state)?.metadata.uid;
  const { pods } = group;
  const candidates = pods.filter(
    (pod) => (current === undefined || revisionKey(pod) === current) && isStarting(pod, deployment, now),
  );
  const starting = ofOneRevision(candidates);
  const revisions = new Set(starting.map(revisionKey));
  const areReady = starting.every(isReady);
  const leaving = pods.filter(
    (pod) => !revisions.has(revisionKey(pod)) && isReplacedBy(pod, starting) && !(areReady && isFailing(pod)),
  );
  if (starting.length === 0 || leaving.length === 0) return actsNow(deployment, owner, pods, now);
  const observed = startToReady({
    pods: [...leaving, ...starting],
    ...(deployment === undefined ? {} : { deployment }),
  });
  const inTime = starting.filter(
    (pod) => isReady(pod) || now - (scheduledSince(pod) ?? now) <= startAllowance(pod, observed) * 1000,
  );
  return inTime.length === 0 ? undefined : { owner, starting: inTime, leaving };
}

/** What a controller that waits for nobody may still do. An unread pod may be under way. */
const movesByItself: ReadonlySet<RestState['kind']> = new Set(['acting', 'settling', 'unknown']);

/** Of a Deployment or Rollout that was read with its ReplicaSets. */
function stateOf(
  index: ClusterIndex,
  owner: PodOwner,
  now: number,
): DeploymentState | ArgoRolloutState | undefined {
  const workload = workloadOf(index, owner);
  if (workload === undefined || !index.replicaSetsByOwner.has(workload.metadata.uid)) return undefined;
  if (hasDeploymentStrategy(workload)) return deploymentStateIn(index, workload, now);
  return hasSteps(workload) ? argoRolloutStateIn(index, workload, now) : undefined;
}

function newReplicaSetIn(state: DeploymentState | ArgoRolloutState): ReplicaSet | undefined {
  return hasDeploymentStrategy(state)
    ? newReplicaSetOf(state)
    : rolesOf(state.rollout, state.replicaSets).newReplicaSet;
}

/**
 * No new pod is starting yet, and the controller may stop old pods at any moment. Where new pods fail
 * already, its last step was to create them.
 */
function actsNow(
  deployment: Deployment | undefined,
  owner: PodOwner,
  pods: readonly Pod[],
  now: number,
): MovingNeighbour | undefined {
  if (deployment === undefined || !isActing(deployment, now)) return undefined;
  if (isObserved(deployment) && pods.some(isFailing)) return undefined;
  const newest = youngestOf(pods);
  const older = pods.filter((pod) => newest !== undefined && revisionKey(pod) !== revisionKey(newest));
  const leaving = isYetToReplace(deployment) ? pods : older;
  return leaving.length === 0 ? undefined : { owner, starting: [], leaving };
}

/**
 * The Deployment controller has not seen the update, or made a step of an unfinished rollout a moment ago
 * (kubernetes deployment/progress.go: syncRolloutStatus writes `lastUpdateTime` at each step).
 */
function isActing(deployment: Deployment, now: number): boolean {
  if (!isObserved(deployment)) return true;
  const { spec, status } = deployment;
  const isComplete = status.updatedReplicas >= spec.replicas && status.replicas === status.updatedReplicas;
  const progressing = conditionOf(status, 'Progressing');
  const steppedAt = epochOf(progressing?.lastUpdateTime);
  return (
    !isComplete && progressing?.status === 'True' && steppedAt !== undefined && now - steppedAt <= justActedMs
  );
}

/** No pod counts as updated yet, so each of them may be stopped. */
function isYetToReplace(deployment: Deployment): boolean {
  return !isObserved(deployment) || deployment.status.updatedReplicas === 0;
}

function isObserved({ metadata, status }: Deployment): boolean {
  return status.observedGeneration >= (metadata.generation ?? 0);
}

/**
 * An old pod that was created anew became ready a moment ago as well. New pods are those that are not ready
 * yet; where all are, those of the youngest pod's revision.
 */
function ofOneRevision(candidates: readonly Pod[]): readonly Pod[] {
  const unready = candidates.filter((pod) => !isReady(pod));
  if (unready.length > 0) return unready;
  const youngest = youngestOf(candidates);
  return youngest === undefined ? [] : candidates.filter((pod) => revisionKey(pod) === revisionKey(youngest));
}

/** A DaemonSet stops the old pod of a node for the new one of that node. */
function isReplacedBy(old: Pod, starting: readonly Pod[]): boolean {
  return (
    !hasPodPerNode(controllerOf(old)) || starting.some(({ spec }) => spec.nodeName === old.spec.nodeName)
  );
}

export function deploymentOf(index: ClusterIndex, owner: PodOwner): Deployment | undefined {
  if (!hasDeploymentStrategy(owner)) return undefined;
  const workload = workloadOf(index, owner);
  return hasDeploymentStrategy(workload) ? workload : undefined;
}

/** Of a pod that is active and has a node. */
function isStarting(pod: Pod, deployment: Deployment | undefined, now: number): boolean {
  if (isReady(pod)) {
    if (deployment !== undefined && !isAvailable(pod, deployment.spec.minReadySeconds, now)) return true;
    const since = epochOf(pod.status.conditions.find(({ type }) => type === 'Ready')?.lastTransitionTime);
    return since !== undefined && now - since <= justReadyMs[deployment === undefined ? 'unread' : 'read'];
  }
  return !isFailing(pod);
}

/**
 * Workloads of others whose pods are stopped without a replacement: their namespace or they themselves are
 * being deleted, or they have more pods than replicas. Nothing has to become ready first, so what these pods
 * use becomes free.
 */
export function departingNeighbours(snapshot: Snapshot): readonly MovingNeighbour[] {
  const known = departingOf.get(snapshot);
  if (known !== undefined) return known;
  const now = nowOf(snapshot);
  const own = rolloutStateOf(snapshot).pods;
  const deleted = namesOfDeleted(snapshot.index);
  const found = placedPodsOfOthers(snapshot.index, own).flatMap((group): readonly MovingNeighbour[] => {
    const leaving = deleted.has(group.owner.namespace)
      ? group.pods
      : departingPods(snapshot.index, group, now);
    return leaving.length === 0 ? [] : [{ owner: group.owner, starting: [], leaving, departs: true }];
  });
  const bare = byOwner(snapshot.index, bareIn(snapshot.index, deleted));
  const all = [
    ...found,
    ...bare.map(
      ({ owner, pods }): MovingNeighbour => ({ owner, starting: [], leaving: pods, departs: true }),
    ),
    ...retiredRevisions(snapshot),
  ];
  departingOf.set(snapshot, all);
  return all;
}

/** Several rules ask the same of one snapshot. */
const departingOf = new WeakMap<Snapshot, readonly MovingNeighbour[]>();

/** Pods of revisions of other services that no longer serve, which their controllers stop after a while. */
function retiredRevisions({ index, workload }: Snapshot): readonly MovingNeighbour[] {
  const others = workloadsIn(index.objects)
    .filter(isRevisioned)
    .filter(({ metadata }) => metadata.uid !== workload.metadata.uid);
  return others.flatMap((service): readonly MovingNeighbour[] => {
    const { namespace, name } = service.metadata;
    const leaving = podsThatRetire(index, service).filter((pod) => isActive(pod) && hasNode(pod));
    const owner = { kind: service.kind, namespace, name };
    return leaving.length === 0 ? [] : [{ owner, starting: [], leaving, departs: true }];
  });
}

function departingPods(index: ClusterIndex, group: OwnedPods, now: number): readonly Pod[] {
  const { owner } = group;
  const workload = workloadOf(index, owner);
  if (workload === undefined) return [];
  // Without this finalizer the pods stay: the collector deletes them only after the workload is gone.
  const { deletionTimestamp, finalizers } = workload.metadata;
  if (deletionTimestamp !== undefined) return finalizers.includes('foregroundDeletion') ? group.pods : [];
  if (hasOrdinals(workload)) return condemnedPods(index, workload, group.pods, now);
  return surplusPods(index, owner, now).filter(hasNode);
}

function namesOfDeleted({ objects }: ClusterIndex): ReadonlySet<string> {
  const deleted = objects.Namespace.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
  return new Set(deleted.map(({ metadata }) => metadata.name));
}

/** Pods without a controller in these namespaces. */
function bareIn({ objects }: ClusterIndex, namespaces: ReadonlySet<string>): readonly Pod[] {
  if (namespaces.size === 0) return [];
  return objects.Pod.filter(
    (pod) =>
      namespaces.has(pod.metadata.namespace) &&
      controllerOf(pod) === undefined &&
      isActive(pod) &&
      hasNode(pod),
  );
}

/** Pods beyond the last ordinal. An ordered StatefulSet stops them only while no lower one is broken. */
function condemnedPods(
  index: ClusterIndex,
  statefulSet: StatefulSet,
  pods: readonly Pod[],
  now: number,
): readonly Pod[] {
  const start = statefulSet.spec.ordinals?.start ?? 0;
  const condemned = pods.filter((pod) => {
    const ordinal = ordinalOf(pod);
    return ordinal < start || ordinal >= start + statefulSet.spec.replicas;
  });
  if (condemned.length === 0) return [];
  const moves =
    !hasObservedSpec(statefulSet) || restState(rolloutStateIn(index, statefulSet, now)).kind !== 'fixed';
  return moves ? condemned : [];
}

/** Pods that the controllers of its ReplicaSets delete next. */
function surplusPods(index: ClusterIndex, owner: PodOwner, now: number): readonly Pod[] {
  const deployment = deploymentOf(index, owner);
  if (deployment === undefined || !index.replicaSetsByOwner.has(deployment.metadata.uid)) return [];
  const state = deploymentStateIn(index, deployment, now);
  return state.replicaSets.flatMap((replicaSet) => {
    const action = syncReplicaSet(replicaSetStateOf(state, replicaSet));
    return action.kind === 'delete' ? [...action.victims.pods, ...action.victims.orElse] : [];
  });
}
