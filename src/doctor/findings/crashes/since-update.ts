import { hasNode, isActive } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { presentRevisionMadeAt } from '../../../engine/workloads/revisions.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { scheduledSince } from '../../../engine/workloads/start-to-ready.js';
import { revisionToGoBackTo } from '../../fixes/template-changes.js';
import { revisionOfPod } from './classify-pod.js';
import type { FailureGroup } from './failure-group.js';
import { currentRevision, podsOf } from './failure-group.js';
import type { PodFailure } from './pod-failure.js';

/** Crashes that began with the present revision, where no pod of a former one is left to compare with. */
export interface SinceUpdate {
  /** Seconds from the making of the revision to the first crash, as far as the restarts show it. */
  readonly afterSeconds: number;
}

/** A failure this long after the update, or after its rollout completed, did not come with the revision. */
export const trialSeconds = 3600;

/**
 * Whether every pod of the workload is of the present revision and one of them crashed within the trial.
 * `undefined` too where nothing shows when the revision came, such as one that came back.
 */
export function crashesSinceUpdate(
  snapshot: Snapshot,
  { podFailures, revision }: FailureGroup,
): SinceUpdate | undefined {
  if (revision !== currentRevision(snapshot)) return undefined;
  const placed = podsOf(snapshot).filter((pod) => isActive(pod) && hasNode(pod));
  if (placed.some((pod) => revisionOfPod(pod) !== revision)) return undefined;
  const state = rolloutStateOf(snapshot);
  // A revision that never worked either shows nothing of the change between the two.
  if (revisionToGoBackTo(state)?.neverAvailable) return undefined;
  const madeAt = presentRevisionMadeAt(state);
  const firstAt = firstCrashAt(podFailures);
  if (madeAt === undefined || firstAt === undefined) return undefined;
  const afterSeconds = Math.max(0, (firstAt - madeAt) / 1000);
  return afterSeconds > trialSeconds ? undefined : { afterSeconds };
}

/** Epoch milliseconds of the earliest first crash of these pods, as far as their restarts show it. */
export function firstCrashAt(podFailures: readonly PodFailure[]): number | undefined {
  const times = podFailures.flatMap((failure) => firstEndOf(failure) ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}

/**
 * Between the end of its first run and that of its last one a container had its other runs, each as long as
 * the last, and the back-off of the kubelet between them. A node with a shorter back-off makes the result too
 * early, so the time at which the pod got its node bounds it.
 */
function firstEndOf({ pod, container, run }: PodFailure): number | undefined {
  const lastEnd = Date.parse(run?.finishedAt ?? '');
  const restarts = container?.status?.restartCount ?? 0;
  if (run === undefined || Number.isNaN(lastEnd)) return undefined;
  const between = container?.status?.state.running === undefined ? restarts : restarts - 1;
  const seconds = backOffSeconds(between) + between * (run.seconds ?? 0);
  return Math.max(lastEnd - seconds * 1000, scheduledSince(pod) ?? 0);
}

/**
 * All that the kubelet waits before so many restarts: none before the first, then 10 s, doubled each time, at
 * most 300 s (kubernetes `pkg/kubelet/kubelet.go: initialCrashLoopBackOff`).
 */
function backOffSeconds(restarts: number): number {
  const waits = Math.max(0, restarts - 1);
  const doubling = Math.min(waits, 5);
  return 10 * (2 ** doubling - 1) + 300 * (waits - doubling);
}
