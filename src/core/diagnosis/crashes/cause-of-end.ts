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
  /** Of this container, oldest first. */
  readonly events: readonly Event[];
  readonly node: Node | undefined;
}

interface Judged {
  readonly cause: PodCause;
  readonly events: readonly Event[];
}

/** Exit codes that shells give for a command that could not be run at all. */
const notRunnable: ReadonlySet<number> = new Set([126, 127]);
/** A script that has worked for longer than this did run; what it missed later is one line of it. */
const commandSeconds = 60;
/** Reasons with which runtimes say that the process was never started. */
const neverStarted: ReadonlySet<string> = new Set(['StartError', 'ContainerCannotRun']);

/**
 * What ended a run, most telling evidence first: the runtime's own reason, the kubelet's word that it killed the
 * container for a probe, then the exit code. `undefined` for an end that is no fault of the container: the kubelet
 * restarts all containers of the pod by a rule of its own, or this one since its definition was changed in place.
 *
 * 128 alone is the runtime's word only together with its reason: programs (git) exit with it as well.
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
 * The kernel killed it inside its own cgroup: some limit of the container or the pod is below what the node has. With
 * no such limit it was the node that ran out.
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

const killedForProbe = /^Container \S+ failed (liveness|startup) probe, will be restarted/;

/** kubernetes `kuberuntime_manager.go: computePodActions`, and a resize whose policy asks for a restart. */
const changedInPlace = /^Container \S+ (?:definition changed, will be restarted|resize requires restart)/;

/** A kill within this very run: one of a former run says nothing about this end, a series that reaches into it does. */
function isKillOf({ startedAt, finishedAt }: EndedRun, { reason, firstSeen, lastSeen }: Event): boolean {
  if (reason !== 'Killing') return false;
  const last = Date.parse(lastSeen ?? '');
  const first = Date.parse(firstSeen ?? '');
  return !(last < known(startedAt) - slackMs) && !(first > known(finishedAt) + slackMs);
}

/** NaN for the zero time too, with which a runtime says that it does not know. */
function known(time: string | undefined): number {
  const at = Date.parse(time ?? '');
  return at > 0 ? at : Number.NaN;
}

/** The `Killing` event that names a probe of the container, unless the run was too short for it to have given up. */
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
