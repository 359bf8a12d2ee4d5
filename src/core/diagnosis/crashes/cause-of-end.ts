import type { Event } from '../../cluster/event.js';
import type { Node } from '../../cluster/node.js';
import type { Pod } from '../../cluster/pod.js';
import { compareQuantities, parseQuantity } from '../../placement/quantity.js';
import type { PodCause } from './ailment.js';
import type { ContainerView } from './container-view.js';
import type { EndedRun } from './ended-run.js';

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

/** Exit codes that shells and runtimes give for a command that could not be run at all. */
const notRunnable: ReadonlySet<number> = new Set([126, 127, 128]);

/**
 * What ended a run, most telling evidence first: the runtime's own reason, the kubelet's word that it killed the
 * container for a probe, then the exit code. `undefined` for an end that is no fault of the container: the kubelet
 * restarts all containers of the pod by a rule of its own.
 */
export function causeOfEnd({ pod, container, run, events, node }: End): Judged | undefined {
  const { reason, exitCode } = run;
  const told = (cause: PodCause, telling: readonly Event[] = events): Judged => ({ cause, events: telling });
  if (reason === 'RestartingAllContainers') return undefined;
  if (reason === 'OOMKilled')
    return told(isOverItsOwnLimit(pod, container, node) ? 'out-of-memory' : 'node-out-of-memory');
  if (reason === 'ContainerStatusUnknown' || reason === 'Unknown') return told('node-not-ready');
  const kill = probeKill(run, events);
  if (kill !== undefined) return kill;
  if (reason === 'StartError' || notRunnable.has(exitCode)) return told('bad-command');
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

const killedForProbe = /^Container .{1,253} failed (liveness|startup) probe, will be restarted/;

/**
 * The `Killing` event that names a probe, within this very run: an older one of a former run says nothing about this
 * end, but a series that began earlier and reaches into it does.
 */
function probeKill({ startedAt, finishedAt }: EndedRun, events: readonly Event[]): Judged | undefined {
  const start = Date.parse(startedAt ?? '');
  const end = Date.parse(finishedAt ?? '');
  const kill = events.findLast(({ reason, message, firstSeen, lastSeen }) => {
    if (reason !== 'Killing' || !killedForProbe.test(message)) return false;
    const last = Date.parse(lastSeen ?? '');
    const first = Date.parse(firstSeen ?? '');
    return !(last < start - slackMs) && !(first > end + slackMs);
  });
  if (kill === undefined) return undefined;
  const probe = killedForProbe.exec(kill.message)?.[1] === 'startup' ? 'startup' : 'liveness';
  const said = probe === 'startup' ? 'Startup probe' : 'Liveness probe';
  return {
    cause: `${probe}-probe-kill`,
    events: events.filter(
      (event) => event === kill || (event.reason === 'Unhealthy' && event.message.startsWith(said)),
    ),
  };
}
