import type { ClusterIndex } from '../../cluster/cluster-index.js';
import { conditionOf, controllerOf } from '../../cluster/metadata.js';
import { isActive, isReady, type Pod } from '../../cluster/pod.js';
import { podKey } from '../../cluster/pod-key.js';
import { nowOf, type Snapshot } from '../../cluster/snapshot.js';
import type { Deployment } from '../../cluster/workload.js';
import { epochOf } from '../../rollout/creation-order.js';
import { restState } from '../../rollout/fixed-point.js';
import { rolloutStateIn, rolloutStateOf } from '../../rollout/rollout-state.js';
import { scheduledSince, startAllowance, startToReady } from '../../rollout/start-to-ready.js';
import { greatestOf } from '../../statistics/extremes.js';
import type { Examination } from '../rule.js';
import { hasNode } from '../stuck-rollout.js';
import { byOwner, type PodOwner } from './pod-owner.js';

/** A rollout of another workload that is in progress, and the pods that its controller stops when it completes. */
export interface MovingNeighbour {
  readonly owner: PodOwner;
  /** New pods that have a node and are starting, or became ready a moment ago; none where its controller acts only now. */
  readonly starting: readonly Pod[];
  /** Older pods of the same workload, with a node. */
  readonly leaving: readonly Pod[];
}

/** Neighbours that are tried alone, to name the one that is enough. The proof itself looks at all of them. */
const maxTriedAlone = 50;
/** A controller stops old pods seconds after new ones are ready. */
const justReadyMs = 60_000;
/** The lists of one look and the steps of several controllers lie closer together than this. */
const justActedMs = 10_000;

/**
 * Rollouts of other workloads that are in progress. The controller of a rolling update stops an old pod for each new
 * pod that becomes ready, so what those old pods use becomes free without anybody's help. A rollout whose new pods
 * fail, or had all the time that a start may take, is not in progress. A Deployment whose controller has not seen the
 * last update, or made its last step a moment ago, is: what it does next is not known yet.
 */
export function movingNeighbours(snapshot: Snapshot): readonly MovingNeighbour[] {
  const known = computed.get(snapshot);
  if (known !== undefined) return known;
  const { index } = snapshot;
  const now = nowOf(snapshot);
  const own = new Set(rolloutStateOf(snapshot).pods.map(podKey));
  const ofReplicaSets = index.objects.Pod.filter(
    (pod) =>
      isActive(pod) && hasNode(pod) && controllerOf(pod)?.kind === 'ReplicaSet' && !own.has(podKey(pod)),
  );
  const moving = byOwner(index, ofReplicaSets).flatMap(
    ({ owner, pods }) => moves(index, owner, pods, now) ?? [],
  );
  computed.set(snapshot, moving);
  return moving;
}

/** Several rules ask the same of one snapshot. */
const computed = new WeakMap<Snapshot, readonly MovingNeighbour[]>();

/** The neighbours whose old pods' leaving lets the scheduler place the pod; empty if it would not. */
export function neighboursThatFree(
  { snapshot, placement }: Examination,
  pod: Pod,
): readonly MovingNeighbour[] {
  const moving = movingNeighbours(snapshot);
  const fitsWithout = (neighbours: readonly MovingNeighbour[]): boolean => {
    const without = new Set(neighbours.flatMap(({ leaving }) => leaving.map(podKey)));
    return placement.evaluate(pod, { without }).outcome === 'fits';
  };
  if (moving.length === 0 || !fitsWithout(moving)) return [];
  const alone = moving.slice(0, maxTriedAlone).filter((neighbour) => fitsWithout([neighbour]));
  return alone.length > 0 ? alone : moving;
}

function moves(
  index: ClusterIndex,
  owner: PodOwner,
  pods: readonly Pod[],
  now: number,
): MovingNeighbour | undefined {
  const deployment = deploymentOf(index, owner);
  if (deployment?.spec.paused) return undefined;
  const newest = pods.reduce((latest, pod) => (createdAt(pod) > createdAt(latest) ? pod : latest));
  const isOfNewest = (pod: Pod): boolean => controllerOf(pod)?.uid === controllerOf(newest)?.uid;
  const starting = pods.filter((pod) => isOfNewest(pod) && isStarting(pod, now));
  const older = pods.filter((pod) => !isOfNewest(pod));
  if (starting.length === 0) {
    if (deployment === undefined || !isActing(deployment, now)) return undefined;
    const leaving = isYetToReplace(deployment) ? pods : older;
    return leaving.length === 0 ? undefined : { owner, starting, leaving };
  }
  if (deployment !== undefined && restsForCertain(index, deployment, now)) return undefined;
  const latest = greatestOf(starting.map(createdAt));
  const leaving = older.filter((pod) => createdAt(pod) < latest);
  if (leaving.length === 0) return undefined;
  const isWhole = deployment !== undefined && isReadWhole(index, deployment);
  const observed = startToReady({
    pods: [...leaving, ...starting],
    ...(isWhole ? { deployment } : {}),
  });
  const inTime = starting.filter(
    (pod) => isReady(pod) || now - (scheduledSince(pod) ?? now) <= startAllowance(pod, observed) * 1000,
  );
  return inTime.length === 0 ? undefined : { owner, starting: inTime, leaving };
}

/**
 * The Deployment controller has not seen the update, or made a step of an unfinished rollout a moment ago (kubernetes
 * deployment/progress.go: syncRolloutStatus writes `lastUpdateTime` at each step).
 */
function isActing({ metadata, spec, status }: Deployment, now: number): boolean {
  if (status.observedGeneration < (metadata.generation ?? 0)) return true;
  const isComplete = status.updatedReplicas >= spec.replicas && status.replicas === status.updatedReplicas;
  const progressing = conditionOf(status, 'Progressing');
  const steppedAt = epochOf(progressing?.lastUpdateTime);
  return (
    !isComplete && progressing?.status === 'True' && steppedAt !== undefined && now - steppedAt <= justActedMs
  );
}

/** No pod counts as updated yet, so each of them may be stopped. */
function isYetToReplace({ metadata, status }: Deployment): boolean {
  return status.observedGeneration < (metadata.generation ?? 0) || status.updatedReplicas === 0;
}

function deploymentOf(index: ClusterIndex, { kind, namespace, name }: PodOwner): Deployment | undefined {
  if (kind !== 'Deployment') return undefined;
  return index.objects.Deployment.find(
    ({ metadata }) => metadata.namespace === namespace && metadata.name === name,
  );
}

function isReadWhole(index: ClusterIndex, { metadata }: Deployment): boolean {
  return index.replicaSetsByOwner.has(metadata.uid);
}

function restsForCertain(index: ClusterIndex, deployment: Deployment, now: number): boolean {
  return isReadWhole(index, deployment) && restState(rolloutStateIn(index, deployment, now)).kind === 'fixed';
}

/** Of a pod that is active and has a node. */
function isStarting(pod: Pod, now: number): boolean {
  const { containerStatuses, initContainerStatuses, conditions } = pod.status;
  if (isReady(pod)) {
    const since = epochOf(conditions.find(({ type }) => type === 'Ready')?.lastTransitionTime);
    return since !== undefined && now - since <= justReadyMs;
  }
  return ![...containerStatuses, ...initContainerStatuses].some(
    ({ restartCount, state }) => restartCount > 0 || failures.has(state.waiting?.reason ?? ''),
  );
}

/** Reasons of a waiting container that do not pass by themselves (kubernetes pkg/kubelet/images, kuberuntime). */
const failures: ReadonlySet<string> = new Set([
  'CrashLoopBackOff',
  'CreateContainerConfigError',
  'CreateContainerError',
  'ErrImageNeverPull',
  'ErrImagePull',
  'ImageInspectError',
  'ImagePullBackOff',
  'InvalidImageName',
  'RunContainerError',
]);

function createdAt({ metadata }: Pod): number {
  return epochOf(metadata.creationTimestamp) ?? 0;
}
