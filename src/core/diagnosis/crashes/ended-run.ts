import type { ContainerStatus } from '../../cluster/pod.js';

/** How one run of a container ended, as the runtime reported it. */
export interface EndedRun {
  readonly exitCode: number;
  readonly signal: number | undefined;
  /** `Completed`, `Error`, `OOMKilled`, `StartError`, `ContainerStatusUnknown`, `Unknown`, … */
  readonly reason: string;
  readonly message: string;
  /** RFC3339. */
  readonly startedAt: string | undefined;
  readonly finishedAt: string | undefined;
  /** Whole run in seconds; absent where a time is missing or the runtime reported none. */
  readonly seconds: number | undefined;
}

/**
 * The latest run that ended: the current state when the container is down, the former one while it runs again or
 * waits. Kubernetes keeps no more than these two.
 */
export function lastEndedRun(status: ContainerStatus | undefined): EndedRun | undefined {
  const ended = status?.state.terminated ?? status?.lastState.terminated;
  if (ended === undefined) return undefined;
  const { exitCode, signal, reason, message, startedAt, finishedAt } = ended;
  return {
    exitCode,
    signal,
    reason,
    message,
    startedAt,
    finishedAt,
    seconds: lengthOf(startedAt, finishedAt),
  };
}

/** A runtime that lost the container reports the zero time for one end or both. */
function lengthOf(startedAt: string | undefined, finishedAt: string | undefined): number | undefined {
  const start = Date.parse(startedAt ?? '');
  const end = Date.parse(finishedAt ?? '');
  if (Number.isNaN(start) || Number.isNaN(end) || start <= 0 || end < start) return undefined;
  return (end - start) / 1000;
}
