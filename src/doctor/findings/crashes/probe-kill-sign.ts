import type { Event } from '../../../engine/objects/event.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { Probe } from '../../../engine/objects/pod-spec.js';
import type { ContainerView, EndedRun } from './container-view.js';

/** What shows that the kubelet ended a run because of a probe, strongest first. */
export type ProbeKillSign =
  /** The kubelet reported the kill of this run. */
  | 'kill'
  /** It reported kills of earlier runs, and this run ended as a killed one does. */
  | 'earlier-kill'
  /** It reported as many failed checks as a kill takes. */
  | 'failed-checks'
  /** The run ended when a startup probe that never passes ends one. */
  | 'run-length';

export type KillingProbe = 'liveness' | 'startup';

export interface ProbeKillEvidence {
  readonly probe: KillingProbe;
  readonly sign: ProbeKillSign;
  readonly events: readonly Event[];
}

export interface RunInPod {
  readonly pod: Pod;
  readonly container: ContainerView;
  readonly run: EndedRun;
  /** Events of this container, oldest first. */
  readonly events: readonly Event[];
  /** Events of the whole pod: the kubelet limits their number for each pod. */
  readonly podEvents: readonly Event[];
}

/** The probe for which the kubelet ended the run; `undefined` where nothing shows it. */
export function probeKillOf(run: RunInPod): ProbeKillEvidence | undefined {
  return byKill(run) ?? byEarlierKill(run) ?? byFailedChecks(run) ?? byRunLength(run);
}

/** Clocks of the recorder and of the runtime differ by as much without disagreeing. */
const slackSeconds = 5;

/**
 * kubernetes `kuberuntime_manager.go: computePodActions`, which adds `, will be restarted` where the
 * container will be, and `kuberuntime_container.go: computeInitContainerActions` of an init container that
 * keeps running.
 */
const killedForProbe = /^(?:C|Init c)ontainer \S+ failed (liveness|startup) probe(?:, will be restarted)?$/;

/** The `Killing` event of this run, unless the run was too short for the probe to fail. */
function byKill({ container, run, events }: RunInPod): ProbeKillEvidence | undefined {
  const kill = events.findLast((event) => probeIn(event) !== undefined && isKillOf(run, event));
  const probe = kill && probeIn(kill);
  const spec = probe && probeOf(container, probe);
  if (spec === undefined || probe === undefined || !ranAtLeast(run, earliestKill(spec))) return undefined;
  return {
    probe,
    sign: 'kill',
    events: events.filter((each) => each === kill || isFailedCheck(each, probe)),
  };
}

/** A kill within this run. */
export function isKillOf(run: EndedRun, event: Event): boolean {
  return event.reason === 'Killing' && isWithin(run, event);
}

/** A series of events that reaches into this run counts. */
export function isWithin({ startedAt, finishedAt }: EndedRun, { firstSeen, lastSeen }: Event): boolean {
  const last = Date.parse(lastSeen ?? '');
  const first = Date.parse(firstSeen ?? '');
  const slackMs = slackSeconds * 1000;
  return !(last < known(startedAt) - slackMs) && !(first > known(finishedAt) + slackMs);
}

/** NaN also for the zero time, which a runtime reports for an unknown time. */
function known(time: string | undefined): number {
  const at = Date.parse(time ?? '');
  return at > 0 ? at : Number.NaN;
}

/**
 * A kill of an earlier run: the kubelet stops writing events of a pod after 25 of a type, so the kill of this
 * run need not have one. The same probe ends the same program again.
 */
function byEarlierKill(ended: RunInPod): ProbeKillEvidence | undefined {
  const { container, run, events } = ended;
  const kill = events.findLast((event) => event.reason === 'Killing' && probeIn(event) !== undefined);
  const probe = kill && probeIn(kill);
  const spec = probe && probeOf(container, probe);
  if (kill === undefined || probe === undefined || spec === undefined) return undefined;
  const isStopped = stopCodes.has(run.exitCode) || isEachRunKilled(events, kill);
  if (!isStopped || !canHaveEnded(ended, spec)) return undefined;
  const telling = events.filter((each) => each === kill || isFailedCheck(each, probe));
  return { probe, sign: 'earlier-kill', events: telling };
}

/** The kubelet reported a kill for each start, except for the newest one. */
function isEachRunKilled(events: readonly Event[], { count: kills }: Event): boolean {
  const starts = sumOf(events.filter(({ reason }) => reason === 'Started'));
  return starts > 1 && kills >= starts - 1;
}

/**
 * Checks that failed as often as each of the kills takes. A single one may fail while a program closes its
 * port.
 */
function byFailedChecks(ended: RunInPod): ProbeKillEvidence | undefined {
  const { container, run, events, podEvents } = ended;
  if (!stopCodes.has(run.exitCode)) return undefined;
  const kills = isCutOff(podEvents) ? 1 : Math.max(1, container.status?.restartCount ?? 0);
  for (const probe of ['startup', 'liveness'] as const) {
    const spec = probeOf(container, probe);
    if (spec === undefined || !canHaveEnded(ended, spec)) continue;
    const failed = events.filter((event) => isFailedCheck(event, probe));
    if (sumOf(failed) >= spec.failureThreshold * kills)
      return { probe, sign: 'failed-checks', events: failed };
  }
  return undefined;
}

/**
 * A startup probe that never passes ends each run after the same time. A run of this length is a sign where
 * no event of the run is left to contradict it, and the program did not pass the probe in its next run.
 */
function byRunLength(ended: RunInPod): ProbeKillEvidence | undefined {
  const { pod, container, run, podEvents } = ended;
  const spec = container.spec.startupProbe;
  if (spec === undefined || run.seconds === undefined || !stopCodes.has(run.exitCode)) return undefined;
  const { state, started } = container.status ?? {};
  if ((state?.running !== undefined && started === true) || isWrittenAbout(run, podEvents)) return undefined;
  const latest = earliestKill(spec) + spec.periodSeconds + spec.timeoutSeconds + roundedSeconds;
  const grace = run.exitCode === afterGrace ? graceOf(pod, spec) : 0;
  if (!canHaveEnded(ended, spec) || run.seconds > latest + grace) return undefined;
  return { probe: 'startup', sign: 'run-length', events: [] };
}

/**
 * How programs end that the kubelet stops: in good order, by SIGTERM, or by SIGKILL after the grace period.
 */
const stopCodes: ReadonlySet<number> = new Set([0, 143, 137]);
const afterGrace = 137;

/** The run lasted long enough for the probe to fail, and for the grace period where SIGKILL ended it. */
export function canHaveEnded({ pod, run }: Pick<RunInPod, 'pod' | 'run'>, probe: Probe): boolean {
  return ranAtLeast(run, earliestKill(probe) + (run.exitCode === afterGrace ? graceOf(pod, probe) : 0));
}

function graceOf({ spec }: Pod, probe: Probe): number {
  return probe.terminationGracePeriodSeconds ?? spec.terminationGracePeriodSeconds;
}

/** Times of runs are whole seconds. */
const roundedSeconds = 2;

function ranAtLeast({ seconds }: EndedRun, atLeast: number): boolean {
  return seconds === undefined || seconds + roundedSeconds >= atLeast;
}

/**
 * The events that the kubelet writes of a pod before it holds further ones back, for each type
 * (client-go `tools/record/events_cache.go: defaultSpamBurst`; one more every five minutes).
 */
const eventsOfType = 25;

function isCutOff(podEvents: readonly Event[]): boolean {
  return ['Normal', 'Warning'].some(
    (type) => sumOf(podEvents.filter((event) => event.type === type)) >= eventsOfType,
  );
}

/**
 * The kubelet wrote events during or after the run and held none back, so a kill of the run would have one.
 */
export function isWrittenAbout({ startedAt }: EndedRun, podEvents: readonly Event[]): boolean {
  const since = known(startedAt) - slackSeconds * 1000;
  return podEvents.some(({ lastSeen }) => Date.parse(lastSeen ?? '') >= since) && !isCutOff(podEvents);
}

function sumOf(events: readonly Event[]): number {
  return events.reduce((sum, { count }) => sum + count, 0);
}

export function probeIn({ message }: Pick<Event, 'message'>): KillingProbe | undefined {
  const probe = killedForProbe.exec(message)?.[1];
  return probe === 'startup' || probe === 'liveness' ? probe : undefined;
}

/**
 * A check that failed. The kubelet also reports checks without a result, `Liveness probe errored …`, when the
 * program ends during the check, and does not count them (`prober/worker.go: doProbe`).
 */
function isFailedCheck({ reason, message }: Event, probe: KillingProbe): boolean {
  return (
    reason === 'Unhealthy' &&
    message.startsWith(probe === 'startup' ? 'Startup probe failed' : 'Liveness probe failed')
  );
}

function probeOf({ spec }: ContainerView, probe: KillingProbe): Probe | undefined {
  return probe === 'startup' ? spec.startupProbe : spec.livenessProbe;
}

export interface ProbeTarget {
  /** `httpGet`, `tcpSocket`, `exec`, `grpc`. */
  readonly by: string;
  /** `GET :8080/healthz`, `:5432`, a command line. */
  readonly what: string;
  /** The port of the probe, by number or name; absent for commands. */
  readonly port: string | undefined;
}

export function targetOf(probe: Probe): ProbeTarget {
  const { httpGet, tcpSocket, exec, grpc } = probe;
  if (httpGet !== undefined) {
    const port = String(httpGet.port);
    return {
      by: 'httpGet',
      what: `${httpGet.scheme === 'HTTPS' ? 'HTTPS ' : ''}GET :${port}${httpGet.path}`,
      port,
    };
  }
  if (tcpSocket !== undefined)
    return { by: 'tcpSocket', what: `:${tcpSocket.port}`, port: String(tcpSocket.port) };
  if (grpc !== undefined) return { by: 'grpc', what: `:${grpc.port}`, port: String(grpc.port) };
  return { by: 'exec', what: (exec?.command ?? []).join(' '), port: undefined };
}

/**
 * The earliest time at which the probe can end a run, in seconds since the container started: the first check
 * follows the delay, the deciding failure `failureThreshold - 1` periods later (kubernetes
 * `prober/worker.go`).
 */
export function earliestKill({ initialDelaySeconds, periodSeconds, failureThreshold }: Probe): number {
  return initialDelaySeconds + periodSeconds * (failureThreshold - 1);
}

/** The time that the startup probe allows for a start, in seconds. */
export function startupAllowance({ initialDelaySeconds, periodSeconds, failureThreshold }: Probe): number {
  return initialDelaySeconds + periodSeconds * failureThreshold;
}
