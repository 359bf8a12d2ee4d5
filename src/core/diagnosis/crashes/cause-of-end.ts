import type { Event } from '../../cluster/event.js';
import type { Node } from '../../cluster/node.js';
import type { Pod } from '../../cluster/pod.js';
import { type EndingKind, endingOf } from '../../log/ending-kinds.js';
import { compareQuantities, parseQuantity } from '../../placement/quantity.js';
import type { ContainerView } from './container-view.js';
import type { EndedRun } from './ended-run.js';
import type { PodCause } from './pod-failure.js';
import { isKillOf, type ProbeKillSign, probeKillOf } from './probe-kill-sign.js';
import { causeOfRefusal } from './runtime-refusal.js';

interface End {
  readonly pod: Pod;
  readonly container: ContainerView;
  readonly run: EndedRun;
  /** Events of this container, oldest first. */
  readonly events: readonly Event[];
  /** Events of the whole pod. */
  readonly podEvents: readonly Event[];
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
 * failure of the container: a restart rule applies to all containers of the pod, or the container's
 * definition was changed in place.
 *
 * Exit code 128 counts only together with the runtime's reason, because programs (git) exit with it too.
 */
export function causeOfEnd(end: End): Judged | undefined {
  const { pod, container, run, events, node } = end;
  const { reason, exitCode } = run;
  const told = (cause: PodCause, telling: readonly Event[] = events): Judged => ({ cause, events: telling });
  if (reason === 'RestartingAllContainers') return undefined;
  if (reason === 'OOMKilled' && (exitCode === killed || !isReportedKill(end)))
    return told(isOverItsOwnLimit(pod, container, node) ? 'out-of-memory' : 'node-out-of-memory');
  if (reason === 'ContainerStatusUnknown' || reason === 'Unknown') return told('node-not-ready');
  if (events.some((event) => changedInPlace.test(event.message) && isKillOf(run, event))) return undefined;
  const kill = probeKillOf(end);
  if (kill !== undefined)
    return { cause: `${kill.probe}-probe-kill`, events: kill.events, killSign: kill.sign };
  if (neverStarted.has(reason))
    return told(causeOfRefusal(run.message, container.spec.workingDir) ?? 'bad-command');
  const isAtOnce = run.seconds === undefined || run.seconds < commandSeconds;
  if (notRunnable.has(exitCode) && isAtOnce && !isLoaded(end)) return told('bad-command');
  return told(exitCode === 0 ? 'process-exits-zero' : 'application-crash');
}

/**
 * Kinds of ending that only a program reports that was found and loaded: by its loader, or by its own start.
 */
const loaded: ReadonlySet<EndingKind | undefined> = new Set(['library-mismatch', 'illegal-instruction']);

/**
 * The loader of a program exits with the same code as a shell that does not find it, and names what it lacks.
 */
function isLoaded({ container, reasonOf }: End): boolean {
  const line = reasonOf?.(container.name) ?? '';
  return !/\bexec(?:ute)?\b/i.test(line) && loaded.has(endingOf(line));
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
