import type { Event } from '../../cluster/event.js';
import type { ContainerStatus, Pod } from '../../cluster/pod.js';
import { causeOfEnd } from './cause-of-end.js';
import type { ContainerView } from './container-view.js';
import { type EndedRun, lastEndedRun } from './ended-run.js';
import type { PodCause } from './pod-failure.js';
import type { PodSurroundings } from './pod-surroundings.js';
import { causeOfRefusal } from './runtime-refusal.js';
import { isUnready, readinessLostAt } from './unready.js';

/** Why one container does not do its work. */
export interface ContainerFault {
  readonly cause: PodCause;
  readonly run: EndedRun | undefined;
  readonly events: readonly Event[];
  readonly reason: string;
  readonly message: string;
  readonly ongoing: boolean;
}

/** A crash of a container that runs again counts for so long: the API keeps events for an hour. */
const recentSeconds = 3600;

/**
 * Waiting reasons that say by themselves what is wrong (kubernetes `pkg/kubelet/images/types.go`,
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
  ['PreCreateHookError', 'application-crash'],
  ['PreStartHookError', 'application-crash'],
  ['PostStartHookError', 'application-crash'],
]);

/** The fault of one container, or `undefined` while it works, has done its work, or is still starting. */
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
    const { reason, message } = waiting;
    const cause = said === 'bad-command' ? (causeOfRefusal(message) ?? said) : said;
    const telling = cause === said ? events : events.filter(({ type }) => type === 'Warning');
    return { cause, run: lastEndedRun(status), events: telling, reason, message, ongoing: true };
  }
  const end = faultOfEnd(pod, container, status, events, surroundings);
  if (end?.ongoing) return end;
  return faultOfRunning(pod, container, events, surroundings) ?? end;
}

function faultOfEnd(
  pod: Pod,
  container: ContainerView,
  status: ContainerStatus,
  events: readonly Event[],
  { node, now }: PodSurroundings,
): ContainerFault | undefined {
  const run = lastEndedRun(status);
  if (run === undefined || hasDoneItsWork(container, run)) return undefined;
  const ongoing = isOngoing(status, run, now);
  const finished = Date.parse(run.finishedAt ?? '');
  if (!ongoing && !(now - finished <= recentSeconds * 1000)) return undefined;
  if (!ongoing && run.exitCode === 0 && status.restartCount < habit) return undefined;
  const end = causeOfEnd({ pod, container, run, events, node });
  if (end === undefined) return undefined;
  return {
    cause: end.cause,
    run,
    events: end.events,
    reason: run.reason,
    message: run.message,
    ongoing,
  };
}

/** A program may end itself well to be started anew; one that does so again and again is not made to stay. */
const habit = 3;

/** An init container that ended well, also one that does its work once more in a new sandbox. */
function hasDoneItsWork({ role }: ContainerView, { exitCode }: EndedRun): boolean {
  return role === 'init' && exitCode === 0;
}

/** After so long a run the kubelet forgets its back-off: the crash before it is over (`kubelet.go`, twice the cap). */
const survivedSeconds = 600;

/** Down, or up again and not yet past what the former run reached. */
function isOngoing({ state, ready, restartCount }: ContainerStatus, run: EndedRun, now: number): boolean {
  if (state.running === undefined) return true;
  const seconds = (now - Date.parse(state.running.startedAt ?? '')) / 1000;
  if (seconds > survivedSeconds) return false;
  return !ready || (restartCount > 1 && run.seconds !== undefined && seconds <= run.seconds);
}

/** An init container may wait for something outside for so long before it is called stuck. */
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

/** Events about this very container; those of the whole pod are not its own. */
function eventsOf({ name, role }: ContainerView, events: readonly Event[]): readonly Event[] {
  const list = role === 'init' || role === 'sidecar' ? 'initContainers' : 'containers';
  return events.filter(({ involvedObject }) => involvedObject.fieldPath === `spec.${list}{${name}}`);
}
