import { greatestOf } from '../../engine/collections/collections.js';
import type { ContainerState, ContainerStatus, Pod } from '../../engine/objects/pod.js';
import type { ContainerRecord, PodRecord, RunRecord } from '../../engine/objects/pod-record.js';
import { isBadEnd, lengthOfRun } from '../../engine/objects/pod-record.js';

/** A pod record and the controller it is kept under: uid of the ReplicaSet, StatefulSet or DaemonSet. */
export type Observation = { readonly owner: string; readonly record: PodRecord };

/** Whose pods are diagnosed. Jobs come and go by the thousand, and nobody asks for them here. */
const controllers: ReadonlySet<string> = new Set(['ReplicaSet', 'StatefulSet', 'DaemonSet']);

/** Containers kept of one pod; of more, those that come first by name. */
const keptContainers = 16;

/** Clocks of the API server and of the node differ by as much without disagreeing. */
const slackSeconds = 5;

type End = NonNullable<ContainerState['terminated']>;

/**
 * What one state of a pod object tells of its runs. `undefined` for a pod of no controller that is diagnosed,
 * or without a node. What a program wrote (messages), what it was given (environment, arguments) and
 * annotations are no part of it.
 *
 * @param gone the object was deleted, and this is its last state
 * @param now epoch seconds; used only where a deleted object does not say itself when it ended
 */
export function observePod(pod: Pod, gone: boolean, now: number): Observation | undefined {
  const { metadata, spec, status } = pod;
  const owner =
    metadata.ownerReferences.find(({ controller, kind }) => controller && controllers.has(kind))?.uid ?? '';
  const node = spec.nodeName ?? '';
  if (owner === '' || node === '' || metadata.uid === '') return undefined;
  const stopsAt = stopOf(pod);
  const taken = isTakenAway(pod);
  const roles = new Map(
    spec.initContainers.map(
      ({ name, restartPolicy }) => [name, restartPolicy === 'Always' ? 'sidecar' : 'init'] as const,
    ),
  );
  const statuses = [...status.initContainerStatuses, ...status.containerStatuses];
  const containers = statuses
    .flatMap((one) => containerOf(one, roles.get(one.name) ?? 'main', stopsAt, taken) ?? [])
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, keptContainers);
  const startedAt = timeOf(status.startTime) ?? timeOf(metadata.creationTimestamp);
  const ran = statuses.some(
    ({ restartCount, state }) => restartCount > 0 || state.running || state.terminated,
  );
  return {
    owner,
    record: {
      v: 1,
      uid: metadata.uid,
      name: containers.length > 0 ? metadata.name : '',
      node,
      revision: metadata.labels['pod-template-hash'] ?? metadata.labels['controller-revision-hash'] ?? '',
      ...(startedAt === undefined || !ran ? {} : { startedAt }),
      ...(gone ? { endedAt: endOf(pod, statuses, now) } : {}),
      containers,
    },
  };
}

/**
 * Whether the record holds more than that the pod runs: an end or a restart, of which Kubernetes keeps only
 * the last.
 */
export function isWorthKeeping({ endedAt, containers }: PodRecord): boolean {
  return endedAt !== undefined || containers.length > 0;
}

function containerOf(
  { name, restartCount, state, lastState }: ContainerStatus,
  role: ContainerRecord['role'],
  stopsAt: number,
  taken: boolean,
): ContainerRecord | undefined {
  const runs: RunRecord[] = [];
  // A container that waits for its next run still counts the run that ended; one that runs counts the new
  // one.
  const former =
    state.running !== undefined || state.terminated !== undefined ? restartCount - 1 : restartCount;
  if (lastState.terminated !== undefined && former >= 0) {
    runs.push(runOf(former, lastState.terminated, stopsAt, false));
  }
  if (state.terminated !== undefined) runs.push(runOf(restartCount, state.terminated, stopsAt, taken));
  const bad = runs.filter(isBadEnd);
  if (restartCount === 0 && bad.length === 0) return undefined;
  const [first] = bad
    .filter(({ finishedAt }) => finishedAt !== undefined)
    .sort((a, b) => (a.finishedAt ?? 0) - (b.finishedAt ?? 0));
  const took = first && lengthOfRun(first);
  return {
    name,
    role,
    restarts: restartCount,
    runs,
    ...(first?.finishedAt === undefined
      ? {}
      : { firstBad: { finishedAt: first.finishedAt, ...(took === undefined ? {} : { seconds: took }) } }),
  };
}

function runOf(n: number, end: End, stopsAt: number, taken: boolean): RunRecord {
  const startedAt = timeOf(end.startedAt);
  const finishedAt = timeOf(end.finishedAt);
  return {
    n,
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(finishedAt === undefined ? {} : { finishedAt }),
    exitCode: end.exitCode,
    ...(end.signal === undefined || end.signal === 0 ? {} : { signal: end.signal }),
    reason: token(end.reason),
    stopped: taken || (finishedAt ?? Number.NEGATIVE_INFINITY) >= stopsAt,
  };
}

/**
 * From when on ends are the deletion's doing, in epoch seconds; Infinity while the pod is not being deleted.
 */
function stopOf({ metadata: { deletionTimestamp, deletionGracePeriodSeconds = 0 } }: Pod): number {
  const at = timeOf(deletionTimestamp);
  return at === undefined ? Number.POSITIVE_INFINITY : at - deletionGracePeriodSeconds - slackSeconds;
}

/** A pod that failed as a whole: evicted, preempted, or its node shut down. Its last ends are no crashes. */
function isTakenAway({ status }: Pod): boolean {
  if (status.phase !== 'Failed') return false;
  const disrupted = status.conditions.some(
    ({ type, status: is }) => type === 'DisruptionTarget' && is === 'True',
  );
  return disrupted || status.reason !== '';
}

/**
 * The end of its last container, else of its grace; of a pod that says neither, the moment it was seen to be
 * gone.
 */
function endOf({ metadata }: Pod, statuses: readonly ContainerStatus[], now: number): number {
  const ends = statuses.flatMap(({ state }) => timeOf(state.terminated?.finishedAt) ?? []);
  const known = ends.length > 0 ? greatestOf(ends) : timeOf(metadata.deletionTimestamp);
  return Math.min(known ?? now, now);
}

/** RFC3339 as whole seconds; undefined for the zero time, with which a runtime says that it does not know. */
function timeOf(text: string | undefined): number | undefined {
  const at = Math.floor(Date.parse(text ?? '') / 1000);
  return at > 0 ? at : undefined;
}

/**
 * Reasons are words of a runtime or kubelet (`OOMKilled`, CRI-O's `seccomp killed`); free text is not kept.
 */
function token(reason: string): string {
  return /^[A-Za-z]{1,40}(?: [a-z]{1,20})?$/.test(reason) ? reason : '';
}
