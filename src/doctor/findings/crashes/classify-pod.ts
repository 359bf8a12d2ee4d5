import { greatestOf } from '../../../engine/collections/collections.js';
import { rolloutHashLabel } from '../../../engine/objects/argo-rollout.js';
import type { Event } from '../../../engine/objects/event.js';
import { groupLabels } from '../../../engine/objects/leader-worker-set.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import { isReady, isTerminating, type Pod } from '../../../engine/objects/pod.js';
import { compareQuantities, parseQuantity } from '../../../engine/scheduler/quantity.js';
import { scheduledSince } from '../../../engine/workloads/start-to-ready.js';
import { eventsOf, faultOf, type PodSurroundings } from './classify-container.js';
import { type ContainerView, containersOf } from './container-view.js';
import type { PodCause, PodFailure } from './pod-failure.js';
import { isLimitTooLow } from './runtime-refusal.js';

/**
 * The failures of a pod: one for a pod that is gone or never started, otherwise one for each failing
 * container. Empty for a pod that is healthy, still starting, waiting for a node, or being deleted.
 */
export function classifyPod(pod: Pod, surroundings: PodSurroundings): readonly PodFailure[] {
  const revision = revisionOfPod(pod);
  const ofPod = (cause: PodCause, reason: string, message: string, events: readonly Event[]): PodFailure => ({
    cause,
    pod,
    revision,
    container: undefined,
    run: undefined,
    events,
    reason,
    message,
    ongoing: true,
  });
  if (pod.status.phase === 'Failed') {
    const cause = takenAwayBy(pod);
    const { reason, message } = pod.status;
    if (cause === undefined || surroundings.now - endedAt(pod) > newsSeconds * 1000) return [];
    return [ofPod(cause, reason, message, surroundings.events)];
  }
  if (isTerminating(pod) || (pod.spec.nodeName ?? '') === '') return [];
  if (pod.status.phase === 'Succeeded') {
    const eviction = surroundings.events.findLast(isEviction);
    if (eviction === undefined || surroundings.now - endedAt(pod) > newsSeconds * 1000) return [];
    return [ofPod('evicted', eviction.reason, eviction.message, surroundings.events.filter(isEviction))];
  }
  const faults = containersOf(pod).flatMap((container) => {
    const fault = faultOf(pod, container, surroundings);
    return fault === undefined ? [] : [{ container, fault }];
  });
  if (faults.length > 0) {
    return faults.map(({ container, fault }): PodFailure => ({ pod, revision, container, ...fault }));
  }
  if (closedGatesOf(pod, surroundings.now).length > 0) {
    const { reason = '', message = '' } = conditionOf(pod.status, 'Ready') ?? {};
    return [ofPod('readiness-failing', reason, message, [])];
  }
  return notStarted(pod, surroundings, ofPod);
}

/**
 * The kubelet's event of an eviction (`pkg/kubelet/eviction`). A pod whose programs end well on SIGTERM
 * becomes Succeeded, and its status loses the reason.
 */
function isEviction({ reason }: Event): boolean {
  return reason === 'Evicted';
}

/**
 * Failed pods stay until they are deleted. A pod that failed earlier than this does not describe the node
 * now.
 */
const newsSeconds = 6 * 3600;

/** The latest known time of a pod that ended, in epoch milliseconds. */
function endedAt({ metadata, status }: Pod): number {
  const times = [
    status.startTime,
    ...status.conditions.map(({ lastTransitionTime }) => lastTransitionTime),
    ...status.containerStatuses.map(({ state: { terminated } }) => terminated?.finishedAt),
  ].flatMap((time) => Date.parse(time ?? '') || []);
  return times.length === 0 ? Date.parse(metadata.creationTimestamp ?? '') : greatestOf(times);
}

/** The revision of a pod, a template or a ReplicaSet, from the label that its controller sets. */
export function revisionOfPod({ metadata }: { readonly metadata: Pick<Pod['metadata'], 'labels'> }): string {
  const { labels } = metadata;
  return (
    labels['pod-template-hash'] ??
    labels[rolloutHashLabel] ??
    labels[groupLabels.revision] ??
    labels['controller-revision-hash'] ??
    ''
  );
}

/**
 * Reasons with which a kubelet rejects a pod at admission (kubernetes `pkg/kubelet/lifecycle/predicate.go`,
 * `pkg/kubelet/types/constants.go`); `OutOf<resource>` is made of the resource's name.
 */
const rejections: ReadonlySet<string> = new Set([
  'NodeAffinity',
  'NodeName',
  'NodePorts',
  'TaintToleration',
  'UnexpectedAdmissionError',
  'TopologyAffinityError',
  'SMTAlignmentError',
  'InvalidNodeInfo',
  'InitContainerRestartPolicyForbidden',
  'SupplementalGroupsPolicyNotSupported',
  'PodOSNotSupported',
  'PodOSSelectorNodeLabelDoesNotMatch',
  'AppArmor',
  'SysctlForbidden',
  'PodFeatureUnsupported',
  'PodLevelResourcesNotSupported',
  'VolumeAttachmentLimitExceeded',
  'Forbidden',
]);

function takenAwayBy({ status }: Pod): PodCause | undefined {
  const { reason, message } = status;
  if (reason === 'Evicted') return 'evicted';
  if (reason === 'Preempting') return 'preempted';
  if (reason === 'NodeShutdown' || reason === 'Terminated' || reason === 'NodeLost') return 'node-not-ready';
  if (rejections.has(reason) || reason.startsWith('OutOf') || /^Pod was rejected: /.test(message)) {
    return 'kubelet-rejected';
  }
  const target = conditionOf(status, 'DisruptionTarget');
  if (target?.status !== 'True') return undefined;
  switch (target.reason) {
    case 'PreemptionByScheduler':
      return 'preempted';
    case 'TerminationByKubelet':
      return 'evicted';
    case 'DeletionByTaintManager':
    case 'DeletionByPodGC':
      return 'node-not-ready';
    default:
      return undefined;
  }
}

/** Event reasons of a scheduled pod that cannot start, with the cause that they show. */
const hindrances: ReadonlyMap<string, PodCause> = new Map([
  ['FailedMount', 'mount-failure'],
  ['FailedMapVolume', 'mount-failure'],
  ['FailedAttachVolume', 'mount-failure'],
  ['FailedCreatePodSandBox', 'sandbox-failure'],
  ['NetworkNotReady', 'sandbox-failure'],
  ['FailedPrepareDynamicResources', 'sandbox-failure'],
]);

/** Event reasons of steps that require the sandbox and the volumes. */
const furtherOn: ReadonlySet<string> = new Set(['Pulling', 'Pulled', 'Created', 'Started']);

/** A node prepares volumes and pulls images of usual size within this time. */
const startPatienceSeconds = 600;

/**
 * No event tells anything about a pod that has had its node for long. A node that is not ready starts
 * nothing.
 */
function isStalled(pod: Pod, node: PodSurroundings['node'], now: number): boolean {
  const since = scheduledSince(pod);
  const ready = node && conditionOf(node.status, 'Ready');
  if (since === undefined || (ready !== undefined && ready.status !== 'True')) return false;
  return now - since >= startPatienceSeconds * 1000;
}

/**
 * A pod whose containers all wait for the node. Only events show the reason, and the latest event decides: a
 * volume that has been mounted reports no more errors, and a pod that pulls its images or has started is past
 * these steps.
 */
function notStarted(
  pod: Pod,
  { events, node, now }: PodSurroundings,
  ofPod: (cause: PodCause, reason: string, message: string, events: readonly Event[]) => PodFailure,
): readonly PodFailure[] {
  const { status } = pod;
  const waiting = [...status.initContainerStatuses, ...status.containerStatuses];
  const pull = status.phase === 'Pending' ? hangingPull(pod, events, now) : undefined;
  if (pull !== undefined) return [pull];
  if (status.phase !== 'Pending' || waiting.some(({ state }) => state.running !== undefined)) return [];
  if (events.every(({ reason }) => reason === 'Scheduled')) {
    return isStalled(pod, node, now) ? [ofPod('pod-start-stalled', 'ContainerCreating', '', [])] : [];
  }
  if (waiting.some(({ state }) => state.terminated !== undefined)) return [];
  const overcome = events.findLastIndex(({ reason }) => furtherOn.has(reason));
  const telling = events.filter(({ reason }) => hindrances.has(reason));
  const latest = inDetail(
    pod,
    events.slice(overcome + 1).filter(({ reason }) => hindrances.has(reason)),
  );
  const cause = latest && hindrances.get(latest.reason);
  if (latest === undefined || cause === undefined) return [];
  const alike = telling.filter(({ reason }) => hindrances.get(reason) === cause);
  const failure = ofPod(cause, latest.reason, latest.message, alike);
  const narrowest = narrowestOf(pod);
  const limited = isLimitTooLow(latest.message, narrowest?.spec.resources.limits.memory)
    ? narrowest
    : undefined;
  return [limited === undefined ? failure : { ...failure, cause: 'out-of-memory', container: limited }];
}

/**
 * The last event, or where the kubelet only sums up that it waited for volumes, what it reported of one of
 * them. It tries a mount again within about two minutes (kubernetes `pkg/util/goroutinemap`).
 */
function inDetail({ spec }: Pod, events: readonly Event[]): Event | undefined {
  const latest = events.at(-1);
  const unmounted = waitedFor.exec(latest?.message.slice(0, searched) ?? '')?.[1]?.split(/[ ,]+/);
  if (latest === undefined || unmounted === undefined) return latest;
  const since = Date.parse(latest.lastSeen ?? '') - summedUpMs;
  const detail = events.findLast(({ reason, message, lastSeen }) => {
    const volume = ofVolume.exec(message.slice(0, searched))?.[1];
    // A PersistentVolume has a name of its own, which no volume of the pod has.
    const isMounted = spec.volumes.some(({ name }) => name === volume && !unmounted.includes(name));
    return (
      reason === latest.reason && volume !== undefined && !isMounted && Date.parse(lastSeen ?? '') >= since
    );
  });
  return detail ?? latest;
}

/** `pkg/kubelet/volumemanager/volume_manager.go: WaitForAttachAndMount`, and before 1.19. */
const waitedFor =
  /^Unable to (?:attach or )?mount volumes\b.{0,2000}\bunmounted volumes=\[([^\][]{1,1000})\].{0,2000}\b(?:timed out waiting for the condition|context deadline exceeded)\W{0,2}$/;
const ofVolume = /^MountVolume\.\w{1,40} failed for volume "([^"]{1,253})" : \S/;
const searched = 4096;
const summedUpMs = 300_000;

/** A pull that the kubelet began long ago and of which it has reported no end, neither good nor bad. */
function hangingPull(pod: Pod, events: readonly Event[], now: number): PodFailure | undefined {
  for (const container of containersOf(pod)) {
    const own = eventsOf(container, events);
    const latest = own.findLast(({ reason }) => reason === pulling || pullEnds.has(reason));
    const since = Date.parse(latest?.lastSeen ?? '');
    if (latest?.reason !== pulling || !(now - since >= startPatienceSeconds * 1000)) continue;
    if (container.status?.state.waiting === undefined) continue;
    return {
      cause: 'image-pull-failure',
      pod,
      revision: revisionOfPod(pod),
      container,
      run: undefined,
      events: [latest],
      reason: pulling,
      message: '',
      ongoing: true,
    };
  }
  return undefined;
}

/** kubernetes `pkg/kubelet/events/event.go`. */
const pulling = 'Pulling';
const pullEnds: ReadonlySet<string> = new Set(['Pulled', 'Failed', 'BackOff', 'Created', 'Started']);

/** The container with the lowest memory limit: the event of a sandbox names none. */
function narrowestOf(pod: Pod): ContainerView | undefined {
  const limited = containersOf(pod).flatMap((view) => {
    const limit = parseQuantity(view.spec.resources.limits.memory ?? '');
    return limit === undefined ? [] : [{ view, limit }];
  });
  return limited.sort((a, b) => compareQuantities(a.limit, b.limit))[0]?.view;
}

/** A readiness gate whose condition is not True. */
export interface ClosedGate {
  /** Type of the condition, as the pod template names it. */
  readonly type: string;
  /** Status of the condition; absent when no controller has set it. */
  readonly status: string | undefined;
}

/** A load balancer may take some minutes to register a pod. */
const patienceSeconds = 300;

/**
 * The gates that keep a pod unready although all its containers are (kubernetes
 * `pkg/kubelet/status/generate.go: GeneratePodReadyCondition`). None while containers are not ready, or
 * within five minutes of the last change.
 *
 * @param now epoch milliseconds
 */
export function closedGatesOf(pod: Pod, now: number): readonly ClosedGate[] {
  const { spec, status } = pod;
  if (spec.readinessGates.length === 0 || isReady(pod)) return [];
  const containers = conditionOf(status, 'ContainersReady');
  if (containers?.status !== 'True') return [];
  const changes = [containers, conditionOf(status, 'Ready')].map((condition) =>
    Date.parse(condition?.lastTransitionTime ?? ''),
  );
  // A description has no times of conditions. Containers become ready some time after they start.
  const starts = status.containerStatuses.map(
    ({ state }) => Date.parse(state.running?.startedAt ?? '') + patienceSeconds * 1000,
  );
  const known = changes.filter((time) => !Number.isNaN(time));
  const waited = Math.min(...(known.length > 0 ? known : starts).map((time) => now - time));
  if (!Number.isFinite(waited) || waited <= patienceSeconds * 1000) return [];
  return spec.readinessGates
    .map(({ conditionType: type }) => ({ type, status: conditionOf(status, type)?.status }))
    .filter((gate) => gate.status !== 'True');
}
