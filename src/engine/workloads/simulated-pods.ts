import { type Condition, namesOf } from '../objects/metadata.js';
import { hasNode, isActive, isReady, isTerminal, isTerminating, type Pod } from '../objects/pod.js';
import type { PodTemplate } from '../objects/pod-spec.js';
import type { Deployment } from '../objects/workload.js';
import { apiTime, epochOf } from './creation-order.js';
import { newCondition, withCondition } from './deployment-writes.js';
import type { Difference, PodSimulator } from './pod-simulator.js';
import { scheduledSince, startToReady } from './start-to-ready.js';

/** What owns a simulated pod. */
export interface SimulatedOwner {
  readonly kind: 'ReplicaSet' | 'StatefulSet' | 'DaemonSet';
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid: string };
}

/**
 * A pod as its controller would create it now, not yet scheduled. `like`: an existing pod of the same
 * revision, whose spec also holds what admission filled in; without one, the template's spec stands.
 */
export function simulatedPod(
  owner: SimulatedOwner,
  template: PodTemplate,
  name: string,
  now: number,
  like: Pod | undefined,
): Pod {
  const { namespace, uid, name: ownerName } = owner.metadata;
  return {
    kind: 'Pod',
    metadata: {
      ...template.metadata,
      name,
      namespace,
      uid: simulatedUid(name),
      resourceVersion: '',
      creationTimestamp: apiTime(now),
      deletionTimestamp: undefined,
      deletionGracePeriodSeconds: undefined,
      labels: { ...template.metadata.labels, ...like?.metadata.labels },
      annotations: template.metadata.annotations,
      ownerReferences: [{ apiVersion: 'apps/v1', kind: owner.kind, name: ownerName, uid, controller: true }],
    },
    spec: { ...(like?.spec ?? template.spec), nodeName: template.spec.nodeName },
    status: emptyStatus,
  };
}

/**
 * Whether the pod exists in a simulation only, under a name that its controller would not give it. A member
 * of a StatefulSet has the name of its ordinal, and another uid.
 */
export function hasInventedName({ metadata }: Pod): boolean {
  return metadata.uid === simulatedUid(metadata.name);
}

function simulatedUid(name: string): string {
  return `simulated:${name}`;
}

/** The names of those that have one. */
export function knownNames(pods: readonly Pod[]): readonly string[] {
  return namesOf(pods.filter((pod) => !hasInventedName(pod)));
}

const emptyStatus: Pod['status'] = {
  phase: 'Pending',
  conditions: [],
  reason: '',
  message: '',
  nominatedNodeName: undefined,
  startTime: undefined,
  qosClass: undefined,
  podIP: undefined,
  resize: undefined,
  allocatedResources: {},
  resources: undefined,
  containerStatuses: [],
  initContainerStatuses: [],
  ephemeralContainerStatuses: [],
  resourceClaimStatuses: [],
  extendedResourceClaimStatus: undefined,
};

/** The pod with a node, its containers still to start. */
export function placed(pod: Pod, node: string, now: number): Pod {
  return {
    ...pod,
    spec: { ...pod.spec, nodeName: node },
    status: {
      ...pod.status,
      conditions: withTrue(pod.status.conditions, 'PodScheduled', now),
      startTime: apiTime(now),
    },
  };
}

/** The pod running and ready since `now`. */
function readied(pod: Pod, now: number): Pod {
  const conditions = withTrue(pod.status.conditions, 'Ready', now);
  return { ...pod, status: { ...pod.status, phase: 'Running', conditions } };
}

/** The pod with a deletion under way that ends after `seconds`. */
function terminating(pod: Pod, now: number, seconds: number): Pod {
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      deletionTimestamp: apiTime(now + seconds * 1000),
      deletionGracePeriodSeconds: seconds,
    },
  };
}

/** True for a pod that a simulation created. */
export function isSimulated({ metadata }: Pod): boolean {
  return metadata.uid.startsWith('simulated:');
}

function withTrue(conditions: readonly Condition[], type: string, now: number): readonly Condition[] {
  return withCondition(conditions, newCondition(type, 'True', '', '', now));
}

/**
 * A pod without a node and one that has ended are gone at once; others take their grace period
 * (kubernetes `registry/core/pod/strategy.go: CheckGracefulDelete`).
 */
export function deletedPod(pod: Pod, now: number): readonly Pod[] {
  if (!hasNode(pod) || isTerminal(pod)) return [];
  return [terminating(pod, now, Math.max(1, pod.spec.terminationGracePeriodSeconds))];
}

/** When pods go or become ready, by uid, in epoch milliseconds; written by one simulation only. */
export interface Timetable {
  readonly goneAt: Map<string, number>;
  readonly readyAt: Map<string, number>;
  readonly startMilliseconds: number;
  /** From the deadline of a deleted pod until it is gone. */
  readonly cleanUpMilliseconds: number;
  /** True: no start was ever seen, so its length is a guess that only orders events. */
  readonly guessed: boolean;
}

/** What the passing of time has done to pods. */
export type Passed = { readonly gone: readonly Pod[]; readonly becameReady: readonly Pod[] };

type Moment = { readonly pods: readonly Pod[]; readonly deployment?: Deployment; readonly now: number };

/**
 * The state at the whole second before: the API server writes times in whole seconds, so a forecast from
 * 09:30:00.9 would otherwise have other lengths than one from 09:30:00.1.
 */
export function atWholeSecond<State extends { readonly now: number }>(state: State): State {
  return { ...state, now: Math.floor(state.now / 1000) * 1000 };
}

const guessedStartSeconds = 10;
/** Conditions have a resolution of one second: a start that looks like none took up to that. */
const leastStartSeconds = 1;
const overdueMilliseconds = 60_000;

/**
 * True for a terminating pod that is still there a minute after its own deadline: it will not go by itself.
 */
export function isOverdue(pod: Pod, now: number): boolean {
  const deadline = epochOf(pod.metadata.deletionTimestamp);
  return deadline !== undefined && now - deadline > overdueMilliseconds;
}

/** Seconds for which the kubelet cleans up, whatever it is asked. */
const leastCleanUpSeconds = 3;
/** A longer set-up had to pull an image. */
const mostCleanUpSeconds = 10;

/**
 * How long the kubelet may take to clean up after the last moment of the containers, before it deletes the
 * pod: it waits until it asks the runtime again (kubernetes `pod_workers.go: podWorkerLoop`, at most 2 s),
 * then for the volumes, in loops of 100 to 300 ms (`volume_manager.go`), and removes the control groups
 * (`kubelet.go: SyncTerminatedPod`). A busy node takes about as long as it took to set a pod up.
 */
function cleanUpMillisecondsOf(pods: readonly Pod[]): number {
  const seconds = pods.flatMap((pod) => setUpSeconds(pod) ?? []).sort((a, b) => a - b);
  const median = seconds[Math.floor((seconds.length - 1) / 2)] ?? leastCleanUpSeconds;
  return Math.min(mostCleanUpSeconds, Math.max(leastCleanUpSeconds, median)) * 1000;
}

/**
 * From the node to the first start of the containers; `undefined` where others ran before, or it is not seen.
 */
function setUpSeconds(pod: Pod): number | undefined {
  const { containerStatuses, initContainerStatuses } = pod.status;
  if (initContainerStatuses.length > 0 || containerStatuses.some(({ restartCount }) => restartCount > 0))
    return;
  const scheduled = scheduledSince(pod);
  const started = containerStatuses.map(({ state }) => epochOf(state.running?.startedAt) ?? Number.NaN);
  const seconds = (Math.max(...started) - (scheduled ?? Number.NaN)) / 1000;
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** When a pod that is being deleted is gone; `undefined`: it is not. */
export function goneAfter(
  pod: Pod,
  { cleanUpMilliseconds }: Pick<Timetable, 'cleanUpMilliseconds'>,
): number | undefined {
  const deadline = epochOf(pod.metadata.deletionTimestamp);
  return deadline === undefined ? undefined : deadline + cleanUpMilliseconds;
}

/** `startSeconds`: from placement to readiness; `undefined`: the median seen on `start.pods`. */
export function timetableOf(start: Moment, startSeconds: number | undefined): Timetable {
  const known = startSeconds ?? startToReady(start)?.median;
  const cleanUpMilliseconds = cleanUpMillisecondsOf(start.pods);
  const goneAt = start.pods
    .filter(isTerminating)
    .map(
      (pod) =>
        [
          pod.metadata.uid,
          isOverdue(pod, start.now)
            ? Number.POSITIVE_INFINITY
            : Math.max(start.now + 1000, goneAfter(pod, { cleanUpMilliseconds }) ?? start.now),
        ] as const,
    );
  return {
    goneAt: new Map(goneAt),
    readyAt: new Map(),
    cleanUpMilliseconds,
    startMilliseconds: Math.max(leastStartSeconds, known ?? guessedStartSeconds) * 1000,
    guessed: known === undefined,
  };
}

/** Deletions that began since. */
export function noteDeletions(timetable: Timetable, pods: readonly Pod[]): void {
  for (const pod of pods.filter(isTerminating)) {
    if (timetable.goneAt.has(pod.metadata.uid)) continue;
    timetable.goneAt.set(pod.metadata.uid, goneAfter(pod, timetable) ?? Number.POSITIVE_INFINITY);
  }
}

/** True when a duration rests on a start whose length nobody has seen. */
export function isGuess({ guessed, readyAt }: Timetable): boolean {
  return guessed && readyAt.size > 0;
}

/** The pod has got its node at `now` and will become ready. */
export function noteStart(timetable: Timetable, pod: Pod, now: number): void {
  timetable.readyAt.set(pod.metadata.uid, now + timetable.startMilliseconds);
}

/** Pods that had a node before the simulation began and were not ready yet. */
export function noteStarting(
  timetable: Timetable,
  start: Moment,
  simulator: PodSimulator,
  difference: Difference,
): void {
  for (const pod of start.pods.filter((one) => isActive(one) && hasNode(one) && !isReady(one))) {
    if (!simulator.becomesReady(pod, pod.spec.nodeName ?? '', difference)) continue;
    const since = scheduledSince(pod) ?? start.now;
    const readyAt = Math.max(start.now + 1000, since + timetable.startMilliseconds);
    timetable.readyAt.set(pod.metadata.uid, readyAt);
  }
}

/** The earliest moment after `now` at which a pod changes by itself; `undefined`: none will. */
export function nextEvent(
  timetable: Timetable,
  pods: readonly Pod[],
  minReadySeconds: number,
  now: number,
): number | undefined {
  const moments = pods.map((pod) => nextChange(timetable, pod, minReadySeconds)).filter((at) => at > now);
  const next = moments.reduce((earliest, at) => Math.min(earliest, at), Number.POSITIVE_INFINITY);
  return Number.isFinite(next) ? next : undefined;
}

function nextChange(timetable: Timetable, pod: Pod, minReadySeconds: number): number {
  const never = Number.POSITIVE_INFINITY;
  if (isTerminating(pod)) return timetable.goneAt.get(pod.metadata.uid) ?? never;
  if (!isActive(pod)) return never;
  if (!isReady(pod)) return timetable.readyAt.get(pod.metadata.uid) ?? never;
  if (minReadySeconds === 0) return never;
  return availableAt(pod, minReadySeconds) ?? never;
}

/** When a ready pod becomes, or became, available; epoch milliseconds. */
function availableAt(pod: Pod, minReadySeconds: number): number | undefined {
  const ready = pod.status.conditions.find(({ type, status }) => type === 'Ready' && status === 'True');
  const since = epochOf(ready?.lastTransitionTime);
  return since === undefined ? undefined : since + minReadySeconds * 1000;
}

/** What the passing of time does to pods until `moment`: `readied` has each pod before and after. */
export function passTime(
  timetable: Timetable,
  pods: readonly Pod[],
  moment: number,
): { readonly passed: Passed; readonly readied: readonly (readonly [before: Pod, after: Pod])[] } {
  const never = Number.POSITIVE_INFINITY;
  const gone = pods.filter(
    (pod) => isTerminating(pod) && (timetable.goneAt.get(pod.metadata.uid) ?? never) <= moment,
  );
  const becameReady = pods.filter(
    (pod) => isActive(pod) && !isReady(pod) && (timetable.readyAt.get(pod.metadata.uid) ?? never) <= moment,
  );
  return {
    passed: { gone, becameReady },
    readied: becameReady.map((pod) => [pod, readied(pod, moment)] as const),
  };
}
