import { conditionOf } from '../objects/metadata.js';
import { isActive, isReady, type Pod } from '../objects/pod.js';
import type { Deployment } from '../objects/workload.js';
import { epochOf } from './creation-order.js';

/** How long pods of a workload took from being scheduled to being ready, in seconds. */
interface StartToReady {
  readonly median: number;
  readonly longest: number;
  /** Pods it was seen on. */
  readonly samples: number;
}

/** The pods of a workload, and the Deployment if it is one. */
type Observed = { readonly pods: readonly Pod[]; readonly deployment?: Deployment };

/**
 * From the conditions PodScheduled and Ready of pods that are ready and never restarted. Ready holds its last
 * change only: after a restart, or after a moment without readiness, that is not the start. A start takes no
 * longer than the Deployment's progress deadline (kubernetes: 600 s by default) or the pod's own probes
 * allow; longer values are left out. `undefined` when no pod shows a start.
 */
export function startToReady({ pods, deployment }: Observed): StartToReady | undefined {
  const deadline = deployment?.spec.progressDeadlineSeconds ?? defaultProgressDeadline;
  const seconds = pods
    .flatMap((pod) => {
      const value = secondsToReady(pod);
      return value === undefined || value > Math.max(deadline, probesAllow(pod)) ? [] : [value];
    })
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
const defaultProgressDeadline = 600;

/**
 * Seconds within which a pod with a node may become ready before it counts as one that does not: a minute, or
 * twice the longest start seen, or what its own startup and readiness probes allow, whichever is most.
 */
export function startAllowance(pod: Pod, observed: StartToReady | undefined): number {
  return Math.max(leastAllowance, 2 * (observed?.longest ?? 0), probesAllow(pod));
}

/**
 * True for a pod with a node that is not ready and has restarted, or had all the time that a start may take.
 */
export function failsToStart(pod: Pod, now: number, observed: StartToReady | undefined): boolean {
  const since = scheduledSince(pod);
  if (!isActive(pod) || isReady(pod) || since === undefined) return false;
  const restarted = pod.status.containerStatuses.some(({ restartCount }) => restartCount > 0);
  return restarted || now - since > startAllowance(pod, observed) * 1000;
}

/**
 * Seconds that the startup probe and the first delay of the readiness probe take at most, of the slowest
 * container.
 */
function probesAllow({ spec }: Pod): number {
  return spec.containers.reduce(
    (longest, { startupProbe, readinessProbe }) =>
      Math.max(longest, patience(startupProbe) + (readinessProbe?.initialDelaySeconds ?? 0)),
    0,
  );
}

function patience(
  probe: { initialDelaySeconds: number; periodSeconds: number; failureThreshold: number } | undefined,
): number {
  if (probe === undefined) return 0;
  return probe.initialDelaySeconds + probe.periodSeconds * probe.failureThreshold;
}
