import type { Event } from '../../../engine/objects/event.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import type { Node } from '../../../engine/objects/node.js';
import type { ContainerStatus, Pod } from '../../../engine/objects/pod.js';
import { compareQuantities, parseQuantity } from '../../../engine/scheduler/quantity.js';
import { ofCommand } from '../../log-lines/deciding-line.js';
import { endingOf, reporterOf } from '../../log-lines/ending-kinds.js';
import type { ContainerView } from './container-view.js';
import { containersOf, type EndedRun, lastEndedRun, restartsAll } from './container-view.js';
import type { PodCause, PodFailure } from './pod-failure.js';
import { isKillOf, isWithin, type ProbeKillSign, probeKillOf } from './probe-kill-sign.js';
import { causeOfRefusal, isMountRefused } from './runtime-refusal.js';

/** Waiting reasons of a container whose hook failed (kubernetes `pkg/kubelet/kuberuntime`). */
const hookErrors: ReadonlySet<string> = new Set([
  'PreCreateHookError',
  'PreStartHookError',
  'PostStartHookError',
]);

/** The event of a postStart hook that failed during this run (kubernetes `pkg/kubelet/events/event.go`). */
function failedHookIn(run: EndedRun, events: readonly Event[]): Event | undefined {
  return events.findLast((event) => event.reason === 'FailedPostStartHook' && isWithin(run, event));
}

/**
 * What is reported of the hook that failed: the waiting state quotes it. While the container backs off, only
 * the event tells.
 */
export function failedHookOf({ reason, message, run, events }: PodFailure): string | undefined {
  if (hookErrors.has(reason)) return message;
  return run === undefined ? undefined : failedHookIn(run, events)?.message;
}

/**
 * Ends that say nothing of their reason by themselves; others, like a missing key or a hook that failed, name
 * it better than a revision does.
 */
export function endsWithoutReason(failure: PodFailure): boolean {
  const isPlain = failure.cause === 'application-crash' || failure.cause === 'process-exits-zero';
  return isPlain && failedHookOf(failure) === undefined;
}

/** The failure of one container. */
export interface ContainerFault {
  readonly cause: PodCause;
  readonly run: EndedRun | undefined;
  readonly events: readonly Event[];
  readonly reason: string;
  readonly message: string;
  readonly ongoing: boolean;
  readonly killSign?: ProbeKillSign;
}

/** How long a crash counts after the container recovered: the API keeps events for an hour. */
const recentSeconds = 3600;

/**
 * Waiting reasons that name the cause (kubernetes `pkg/kubelet/images/types.go`,
 * `kuberuntime_container.go`, `container/sync_result.go`).
 */
const saidByWaiting: ReadonlyMap<string, PodCause> = new Map([
  ['ErrImagePull', 'image-pull-failure'],
  ['ImagePullBackOff', 'image-pull-failure'],
  ['InvalidImageName', 'image-pull-failure'],
  ['ErrImageNeverPull', 'image-pull-failure'],
  ['ImageInspectError', 'image-pull-failure'],
  ['RegistryUnavailable', 'image-pull-failure'],
  ['SignatureValidationFailed', 'image-pull-failure'],
  ['CreateContainerConfigError', 'config-missing'],
  ['CreateContainerError', 'bad-command'],
  ['RunContainerError', 'bad-command'],
  ['CreatePodSandboxError', 'sandbox-failure'],
  ...[...hookErrors].map((reason) => [reason, 'application-crash'] as const),
]);

/** The failure of one container; `undefined` while it runs, has completed, or is still starting. */
export function faultOf(
  pod: Pod,
  container: ContainerView,
  surroundings: PodSurroundings,
): ContainerFault | undefined {
  const { status } = container;
  if (status === undefined || container.role === 'ephemeral') return undefined;
  const events = eventsOf(container, surroundings.events);
  const { waiting } = status.state;
  const said = waiting === undefined ? undefined : saidByWaiting.get(waiting.reason);
  if (waiting !== undefined && said !== undefined) {
    const { reason } = waiting;
    const run = lastEndedRun(status);
    // Text states no message of a container that waits. That of the attempt before it is the same.
    const message = waiting.message || (run?.message ?? '');
    const cause = refinedBy(said, message, container);
    const telling = cause === said ? events : events.filter(({ type }) => type === 'Warning');
    return { cause, run, events: telling, reason, message, ongoing: true };
  }
  const end = faultOfEnd(pod, container, status, events, surroundings);
  if (end?.ongoing) return end;
  return faultOfRunning(pod, container, events, surroundings) ?? end;
}

/** The message tells a refused command and a missing object from a refused mount. */
function refinedBy(said: PodCause, message: string, { spec }: ContainerView): PodCause {
  if (said === 'bad-command') return causeOfRefusal(message, spec) ?? said;
  return said === 'config-missing' && isMountRefused(message) ? 'mount-failure' : said;
}

function faultOfEnd(
  pod: Pod,
  container: ContainerView,
  status: ContainerStatus,
  events: readonly Event[],
  { events: podEvents, nodeKills = [], node, now, isTimeUnknown, reasonOf }: PodSurroundings,
): ContainerFault | undefined {
  const run = lastEndedRun(status);
  if (run === undefined || hasDoneItsWork(container, run)) return undefined;
  if (run.reason === restartingAll) return faultBehindRule(pod, container, status, events, now);
  const ongoing = isOngoing(status, run, now);
  const finished = Date.parse(run.finishedAt ?? '');
  if (!ongoing && !(now - finished <= recentSeconds * 1000)) return undefined;
  if (isTimeUnknown === true && isUp(status) && !podEvents.some((event) => isAfter(event, finished)))
    return undefined;
  const end = causeOfEnd({ pod, container, run, events, podEvents, nodeKills, node, reasonOf });
  if (end === undefined) return undefined;
  const isOnItsOwn = run.exitCode === 0 && end.killSign === undefined;
  if (!ongoing && isOnItsOwn && status.restartCount < habit) return undefined;
  return {
    cause: end.cause,
    run,
    events: end.events,
    reason: run.reason,
    message: run.message,
    ongoing,
    ...(end.killSign === undefined ? {} : { killSign: end.killSign }),
  };
}

/**
 * A container that is ready may have been so for days. Where the time of the recording is not known, a former
 * run counts only with an event after it: events are kept for an hour.
 */
function isUp({ state, ready }: ContainerStatus): boolean {
  return state.running !== undefined && ready;
}

function isAfter({ lastSeen }: Event, finished: number): boolean {
  return Date.parse(lastSeen ?? '') >= finished;
}

/** What the kubelet reports of each container once a rule has restarted all of them (`kubelet_pods.go`). */
const restartingAll = 'RestartingAllContainers';

/**
 * Of the containers that were restarted together, one ended, and its rule restarted the others. The kubelet
 * keeps no end of it. It reports that it kills the others, and delays no such restart.
 */
function faultBehindRule(
  pod: Pod,
  container: ContainerView,
  { state, ready, restartCount }: ContainerStatus,
  events: readonly Event[],
  now: number,
): ContainerFault | undefined {
  if (!restartsAll(container)) return undefined;
  const rivals = containersOf(pod).filter((each) => restartsAll(each));
  if (rivals.length > 1 && events.some(({ reason }) => reason === 'Killing')) return undefined;
  const forSeconds = (now - Date.parse(state.running?.startedAt ?? '')) / 1000;
  const ofPod = (now - Date.parse(pod.status.startTime ?? pod.metadata.creationTimestamp ?? '')) / 1000;
  const isLooping = restartCount >= habit && forSeconds <= ofPod / restartCount;
  const ongoing = state.running === undefined || !ready || isLooping;
  if (!ongoing && !(forSeconds <= recentSeconds)) return undefined;
  return { cause: 'application-crash', run: undefined, events, reason: restartingAll, message: '', ongoing };
}

/**
 * A program may exit with code 0 to be restarted once. A program that does this repeatedly is not a service.
 */
const habit = 3;

/** An init container that exited with code 0, also one that runs again in a new sandbox. */
function hasDoneItsWork({ role }: ContainerView, { exitCode }: EndedRun): boolean {
  return role === 'init' && exitCode === 0;
}

/**
 * After a run of this length the kubelet resets its back-off, whatever maximum the node has, so an earlier
 * crash is past (`kubelet.go: HasExpiredFunc`).
 */
const survivedSeconds = 600;

/** The container is down, or it runs again but for less time than the previous run. */
function isOngoing({ state, ready, restartCount }: ContainerStatus, run: EndedRun, now: number): boolean {
  if (state.running === undefined) return true;
  const seconds = (now - Date.parse(state.running.startedAt ?? '')) / 1000;
  if (seconds > survivedSeconds) return false;
  return !ready || (restartCount > 1 && run.seconds !== undefined && seconds <= run.seconds);
}

/** How long an init container may run before it counts as stuck. */
const patienceSeconds = 300;

function faultOfRunning(
  pod: Pod,
  container: ContainerView,
  events: readonly Event[],
  { now }: PodSurroundings,
): ContainerFault | undefined {
  const { running } = container.status?.state ?? {};
  if (running === undefined) return undefined;
  const seconds = (now - Date.parse(running.startedAt ?? '')) / 1000;
  const fault = (cause: PodCause, telling: readonly Event[], reason: string): ContainerFault => ({
    cause,
    run: undefined,
    events: telling,
    reason,
    message: telling.at(-1)?.message ?? '',
    ongoing: true,
  });
  if (container.role === 'init') {
    return seconds > patienceSeconds ? fault('init-container-stuck', events, 'PodInitializing') : undefined;
  }
  const lostFor = (now - readinessLostAt(pod, running.startedAt)) / 1000;
  if (!isUnready(container, seconds, lostFor)) return undefined;
  const telling = events.filter(
    ({ reason, message }) => reason === 'Unhealthy' && message.startsWith('Readiness probe'),
  );
  return fault('readiness-failing', telling, 'Unhealthy');
}

/** Events about this container, without those about the whole pod. */
export function eventsOf({ name, role }: ContainerView, events: readonly Event[]): readonly Event[] {
  const list = role === 'init' || role === 'sidecar' ? 'initContainers' : 'containers';
  return events.filter(({ involvedObject }) => involvedObject.fieldPath === `spec.${list}{${name}}`);
}

interface End {
  readonly pod: Pod;
  readonly container: ContainerView;
  readonly run: EndedRun;
  /** Events of this container, oldest first. */
  readonly events: readonly Event[];
  /** Events of the whole pod. */
  readonly podEvents: readonly Event[];
  /** Events of the node: its kernel killed a process, since the node had no memory left. */
  readonly nodeKills: readonly Event[];
  readonly node: Node | undefined;
  readonly reasonOf?: ((container: string) => string | undefined) | undefined;
}

interface Judged {
  readonly cause: PodCause;
  readonly events: readonly Event[];
  /** What shows that a probe ended the run; absent for other causes. */
  readonly killSign?: ProbeKillSign;
}

/** Exit codes that shells return for a command that cannot run. */
const notRunnable: ReadonlySet<number> = new Set([126, 127]);
/** SIGKILL, with which the kernel ends a process for memory. */
const killed = 137;
/** A script that ran for longer than this did start: only one of its commands was missing. */
const commandSeconds = 60;
/** Reasons that runtimes report for a process that never started. */
const neverStarted: ReadonlySet<string> = new Set(['StartError', 'ContainerCannotRun']);

/**
 * The cause of the end of a run. The strongest evidence decides: the runtime's reason, then a sign that the
 * kubelet killed the container because of a probe, then the exit code. `undefined` for an end that is not a
 * failure of the container: its definition was changed in place.
 *
 * Exit code 128 counts only together with the runtime's reason, because programs (git) exit with it too.
 */
function causeOfEnd(end: End): Judged | undefined {
  const { pod, container, run, events, node } = end;
  const { reason, exitCode } = run;
  const told = (cause: PodCause, telling: readonly Event[] = events): Judged => ({ cause, events: telling });
  if (reason === 'OOMKilled' && (exitCode === killed || !isReportedKill(end)))
    return told(isOverItsOwnLimit(pod, container, node) ? 'out-of-memory' : 'node-out-of-memory');
  if (reason === 'ContainerStatusUnknown' || reason === 'Unknown') return told('node-not-ready');
  if (events.some((event) => changedInPlace.test(event.message) && isKillOf(run, event))) return undefined;
  // The kubelet stops a container whose hook fails. A program that ends well on SIGTERM then exits with 0.
  if (failedHookIn(run, events) !== undefined) return told('application-crash');
  const kill = probeKillOf(end);
  if (kill !== undefined)
    return { cause: `${kill.probe}-probe-kill`, events: kill.events, killSign: kill.sign };
  const nodeKill = nodeKillOf(end);
  if (nodeKill !== undefined) return told('node-out-of-memory', [nodeKill]);
  if (neverStarted.has(reason)) return told(causeOfRefusal(run.message, container.spec) ?? 'bad-command');
  const isAtOnce = run.seconds === undefined || run.seconds < commandSeconds;
  if (notRunnable.has(exitCode) && isAtOnce && !isLoaded(end)) return told('bad-command');
  return told(exitCode === 0 ? 'process-exits-zero' : 'application-crash');
}

/**
 * The kubelet reports what the kernel killed for the memory of the node (`pkg/kubelet/oom: SystemOOM`). With
 * cgroup v1, the runtime does not count such a kill as one of the container.
 */
function nodeKillOf({ pod, container, run, nodeKills, node }: End): Event | undefined {
  if (run.exitCode !== killed || isOverItsOwnLimit(pod, container, node)) return undefined;
  const finished = Date.parse(run.finishedAt ?? '');
  return nodeKills.findLast(
    ({ lastSeen }) => Math.abs(Date.parse(lastSeen ?? '') - finished) <= nodeKillSeconds * 1000,
  );
}

/** Between a kill and the end of the container that the kubelet records. */
const nodeKillSeconds = 15;

/**
 * The loader of a program exits with the same code as a shell that does not find it, and names what it lacks.
 */
function isLoaded({ container, reasonOf }: End): boolean {
  const line = reasonOf?.(container.name) ?? '';
  const kind = endingOf(line);
  const reporter = kind && reporterOf(kind);
  if (reporter === 'running') return !ofCommand.test(line);
  return reporter === 'loader' && !/\bexec(?:ute)?\b/i.test(line);
}

/**
 * The kernel killed a process at an earlier time, and the kubelet reported that it ended the container for a
 * probe.
 */
function isReportedKill(end: End): boolean {
  const kill = probeKillOf(end);
  return kill !== undefined && kill.sign !== 'run-length';
}

/**
 * The kernel killed the container inside its own cgroup: a limit of the container or the pod is below the
 * capacity of the node. Without such a limit the node ran out of memory.
 */
function isOverItsOwnLimit({ spec }: Pod, container: ContainerView, node: Node | undefined): boolean {
  const limits = [container.spec.resources.limits.memory, spec.resources?.limits.memory].flatMap(
    (limit) => parseQuantity(limit ?? '') ?? [],
  );
  const allocatable = parseQuantity(node?.status.allocatable.memory ?? '');
  return limits.some((limit) => allocatable === undefined || compareQuantities(limit, allocatable) < 0);
}

/** kubernetes `kuberuntime_manager.go: computePodActions`, and a resize whose policy asks for a restart. */
const changedInPlace = /^Container \S+ (?:definition changed, will be restarted|resize requires restart)/;

/** The context of one pod that its failures depend on. */
export interface PodSurroundings {
  /** Events of the pod, oldest first. */
  readonly events: readonly Event[];
  /** Events of the node about processes that its kernel killed. */
  readonly nodeKills?: readonly Event[];
  readonly node: Node | undefined;
  /**
   * The line in which the log of a container names the reason for its end; `undefined` where none was read.
   */
  readonly reasonOf?: (container: string) => string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
  /** `now` is only the newest time of a recording. */
  readonly isTimeUnknown?: boolean;
}

/** The time that a program without a startup probe may take to start before its readiness counts. */
const startSeconds = 300;
/** A probe that fails briefly and passes again is not a failure. */
const lossSeconds = 60;

/**
 * A container that runs, has had the time that its readiness probe needs to fail, and is not ready. A
 * container whose startup probe has not passed is still starting, without a readiness check (kubernetes
 * `prober/worker.go: doProbe`).
 *
 * @param seconds since the current run began
 * @param lostSeconds since it stopped being ready; NaN when it was never ready in this run
 */
export function isUnready({ spec, status }: ContainerView, seconds: number, lostSeconds: number): boolean {
  const probe = spec.readinessProbe;
  if (probe === undefined || status === undefined || status.ready) return false;
  if (spec.startupProbe !== undefined && status.started !== true) return false;
  if (!Number.isNaN(lostSeconds)) return lostSeconds > lossSeconds;
  const { initialDelaySeconds, periodSeconds, failureThreshold } = probe;
  return seconds > Math.max(startSeconds, initialDelaySeconds + periodSeconds * failureThreshold);
}

/** When the pod stopped being ready in this run, in epoch milliseconds; NaN when it was never ready. */
export function readinessLostAt({ status }: Pod, startedAt: string | undefined): number {
  const ready = conditionOf(status, 'Ready');
  const changed = Date.parse(ready?.status === 'False' ? (ready.lastTransitionTime ?? '') : '');
  return changed > Date.parse(startedAt ?? '') ? changed : Number.NaN;
}
