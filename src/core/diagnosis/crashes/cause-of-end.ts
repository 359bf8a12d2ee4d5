import type { Event } from '../../cluster/event.js';
import type { Node } from '../../cluster/node.js';
import type { Pod } from '../../cluster/pod.js';
import { compareQuantities, parseQuantity } from '../../placement/quantity.js';
import type { ContainerView } from './container-view.js';
import type { EndedRun } from './ended-run.js';
import type { PodCause } from './pod-failure.js';
import { earliestKill } from './probe-timing.js';
import { causeOfRefusal } from './runtime-refusal.js';

interface End {
  readonly pod: Pod;
  readonly container: ContainerView;
  readonly run: EndedRun;
  /** Events of this container, oldest first. */
  readonly events: readonly Event[];
  readonly node: Node | undefined;
}

interface Judged {
  readonly cause: PodCause;
  readonly events: readonly Event[];
}

/** Exit codes that shells return for a command that cannot run. */
const notRunnable: ReadonlySet<number> = new Set([126, 127]);
/** A script that ran for longer than this did start: only one of its commands was missing. */
const commandSeconds = 60;
/** Reasons that runtimes report for a process that never started. */
const neverStarted: ReadonlySet<string> = new Set(['StartError', 'ContainerCannotRun']);

/**
 * The cause of the end of a run. The strongest evidence decides: the runtime's reason, then an event that the kubelet
 * killed the container because of a probe, then the exit code. `undefined` for an end that is not a failure of the
 * container: a restart rule applies to all containers of the pod, or the container's definition was changed in place.
 *
 * Exit code 128 counts only together with the runtime's reason, because programs (git) exit with it too.
 */
export function causeOfEnd({ pod, container, run, events, node }: End): Judged | undefined {
  const { reason, exitCode } = run;
  const told = (cause: PodCause, telling: readonly Event[] = events): Judged => ({ cause, events: telling });
  if (reason === 'RestartingAllContainers') return undefined;
  if (reason === 'OOMKilled')
    return told(isOverItsOwnLimit(pod, container, node) ? 'out-of-memory' : 'node-out-of-memory');
  if (reason === 'ContainerStatusUnknown' || reason === 'Unknown') return told('node-not-ready');
  if (events.some((event) => changedInPlace.test(event.message) && isKillOf(run, event))) return undefined;
  const kill = probeKill(container, run, events);
  if (kill !== undefined) return kill;
  if (neverStarted.has(reason)) return told(causeOfRefusal(run.message) ?? 'bad-command');
  const isAtOnce = run.seconds === undefined || run.seconds < commandSeconds;
  if (notRunnable.has(exitCode) && isAtOnce) return told('bad-command');
  return told(exitCode === 0 ? 'process-exits-zero' : 'application-crash');
}

/**
 * The kernel killed the container inside its own cgroup: a limit of the container or the pod is below the capacity of
 * the node. Without such a limit the node ran out of memory.
 */
function isOverItsOwnLimit({ spec }: Pod, container: ContainerView, node: Node | undefined): boolean {
  const limits = [container.spec.resources.limits.memory, spec.resources?.limits.memory].flatMap(
    (limit) => parseQuantity(limit ?? '') ?? [],
  );
  const allocatable = parseQuantity(node?.status.allocatable.memory ?? '');
  return limits.some((limit) => allocatable === undefined || compareQuantities(limit, allocatable) < 0);
}

/** Clocks of the recorder and of the runtime differ by as much without disagreeing. */
const slackMs = 5_000;

/**
 * kubernetes `kuberuntime_manager.go: computePodActions`, which adds `, will be restarted` where the container will be, and
 * `kuberuntime_container.go: computeInitContainerActions` of an init container that keeps running.
 */
const killedForProbe = /^(?:C|Init c)ontainer \S+ failed (liveness|startup) probe(?:, will be restarted)?$/;

/** kubernetes `kuberuntime_manager.go: computePodActions`, and a resize whose policy asks for a restart. */
const changedInPlace = /^Container \S+ (?:definition changed, will be restarted|resize requires restart)/;

/** A kill within this run. A kill in an earlier run does not count; a series of events that reaches into this run does. */
function isKillOf({ startedAt, finishedAt }: EndedRun, { reason, firstSeen, lastSeen }: Event): boolean {
  if (reason !== 'Killing') return false;
  const last = Date.parse(lastSeen ?? '');
  const first = Date.parse(firstSeen ?? '');
  return !(last < known(startedAt) - slackMs) && !(first > known(finishedAt) + slackMs);
}

/** NaN also for the zero time, which a runtime reports for an unknown time. */
function known(time: string | undefined): number {
  const at = Date.parse(time ?? '');
  return at > 0 ? at : Number.NaN;
}

/** The `Killing` event that names a probe of the container, unless the run was too short for the probe to fail. */
function probeKill({ spec }: ContainerView, run: EndedRun, events: readonly Event[]): Judged | undefined {
  const kill = events.findLast((event) => killedForProbe.test(event.message) && isKillOf(run, event));
  if (kill === undefined) return undefined;
  const probe = killedForProbe.exec(kill.message)?.[1] === 'startup' ? 'startup' : 'liveness';
  const asked = probe === 'startup' ? spec.startupProbe : spec.livenessProbe;
  if (asked === undefined) return undefined;
  if (run.seconds !== undefined && run.seconds + slackMs / 1000 < earliestKill(asked)) return undefined;
  const said = probe === 'startup' ? 'Startup probe' : 'Liveness probe';
  return {
    cause: `${probe}-probe-kill`,
    events: events.filter(
      (event) => event === kill || (event.reason === 'Unhealthy' && event.message.startsWith(said)),
    ),
  };
}
