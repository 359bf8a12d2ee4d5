import { conditionOf } from '../cluster/metadata.js';
import type { Pod } from '../cluster/pod.js';
import { epochOf } from './creation-order.js';

/** How long pods of a workload took from being scheduled to being ready, in seconds. */
export interface StartToReady {
  readonly median: number;
  readonly longest: number;
  /** Pods it was seen on. */
  readonly samples: number;
}

/**
 * From the conditions PodScheduled and Ready of pods that are ready and never restarted: after a restart, Ready
 * speaks of a later start. `undefined` when no pod shows it.
 */
export function startToReady(pods: readonly Pod[]): StartToReady | undefined {
  const seconds = pods
    .map(secondsToReady)
    .filter((value) => value !== undefined)
    .sort((a, b) => a - b);
  const median = seconds[Math.floor((seconds.length - 1) / 2)];
  const longest = seconds.at(-1);
  if (median === undefined || longest === undefined) return undefined;
  return { median, longest, samples: seconds.length };
}

function secondsToReady(pod: Pod): number | undefined {
  if (pod.status.containerStatuses.some(({ restartCount }) => restartCount > 0)) return undefined;
  const ready = conditionOf(pod.status, 'Ready');
  if (ready?.status !== 'True') return undefined;
  const readyAt = epochOf(ready.lastTransitionTime);
  const scheduledAt = scheduledSince(pod);
  if (readyAt === undefined || scheduledAt === undefined || readyAt < scheduledAt) return undefined;
  return (readyAt - scheduledAt) / 1000;
}

/** Epoch milliseconds since when the pod has a node; `undefined` without one. */
export function scheduledSince(pod: Pod): number | undefined {
  if (pod.spec.nodeName === undefined || pod.spec.nodeName === '') return undefined;
  const scheduled = conditionOf(pod.status, 'PodScheduled');
  const since = scheduled?.status === 'True' ? epochOf(scheduled.lastTransitionTime) : undefined;
  return since ?? epochOf(pod.status.startTime) ?? epochOf(pod.metadata.creationTimestamp);
}

const leastAllowance = 60;

/**
 * Seconds within which a pod with a node may become ready before it counts as one that does not: a minute, or twice
 * the longest start seen, or what its own startup and readiness probes allow, whichever is most.
 */
export function startAllowance(pod: Pod, observed: StartToReady | undefined): number {
  return pod.spec.containers.reduce(
    (longest, { startupProbe, readinessProbe }) =>
      Math.max(longest, patience(startupProbe) + (readinessProbe?.initialDelaySeconds ?? 0)),
    Math.max(leastAllowance, 2 * (observed?.longest ?? 0)),
  );
}

function patience(
  probe: { initialDelaySeconds: number; periodSeconds: number; failureThreshold: number } | undefined,
): number {
  if (probe === undefined) return 0;
  return probe.initialDelaySeconds + probe.periodSeconds * probe.failureThreshold;
}
