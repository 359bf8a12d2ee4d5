import type { ContainerStatus } from '../../../engine/objects/pod.js';
import { lastEndedRun } from './ended-run.js';

/** The back-off of the kubelet before it restarts a container. */
export interface RestartClock {
  /** The current back-off in seconds. */
  readonly backOffSeconds: number;
  /** RFC3339; absent when the end of the last run is not known. */
  readonly nextAt: string | undefined;
}

/**
 * The next restart of a container in back-off. The kubelet names the delay in the waiting message
 * (`back-off 5m0s restarting failed container=…`) and counts it from the end of the last run (kubernetes
 * `kuberuntime_manager.go: doBackOff`). `undefined` for a container that is not in back-off: the first
 * restart is immediate, and nodes may have a shorter cap, so the number of restarts does not determine the
 * delay.
 */
export function restartClockOf(status: ContainerStatus | undefined): RestartClock | undefined {
  const waiting = status?.state.waiting;
  if (waiting?.reason !== 'CrashLoopBackOff') return undefined;
  const backOffSeconds = goDurationIn(waiting.message);
  if (backOffSeconds === undefined) return undefined;
  const end = Date.parse(lastEndedRun(status)?.finishedAt ?? '');
  const nextAt = Number.isNaN(end) ? undefined : new Date(end + backOffSeconds * 1000).toISOString();
  return { backOffSeconds, nextAt };
}

/** `back-off 2m40s restarting` → 160. */
function goDurationIn(message: string): number | undefined {
  const [, hours = '0', minutes = '0', seconds = '0'] =
    message.match(/^back-off (?=\d)(?:(\d{1,4})h)?(?:(\d{1,4})m)?(?:(\d{1,4})s)? restarting /) ?? [];
  const total = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return total > 0 ? total : undefined;
}
