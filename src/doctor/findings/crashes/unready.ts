import { conditionOf } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { ContainerView } from './container-view.js';

/** The time that a program without a startup probe may take to start before its readiness counts. */
const startSeconds = 300;
/** A probe that fails briefly and passes again is not a failure. */
const lossSeconds = 60;

/**
 * A container that runs, has had the time that its readiness probe needs to fail, and is not ready. A
 * container whose startup probe has not passed is still starting, without a readiness check (kubernetes
 * `prober/worker.go: doProbe`).
 *
 * @param seconds since the current run began
 * @param lostSeconds since it stopped being ready; NaN when it was never ready in this run
 */
export function isUnready({ spec, status }: ContainerView, seconds: number, lostSeconds: number): boolean {
  const probe = spec.readinessProbe;
  if (probe === undefined || status === undefined || status.ready) return false;
  if (spec.startupProbe !== undefined && status.started !== true) return false;
  if (!Number.isNaN(lostSeconds)) return lostSeconds > lossSeconds;
  const { initialDelaySeconds, periodSeconds, failureThreshold } = probe;
  return seconds > Math.max(startSeconds, initialDelaySeconds + periodSeconds * failureThreshold);
}

/** When the pod stopped being ready in this run, in epoch milliseconds; NaN when it was never ready. */
export function readinessLostAt({ status }: Pod, startedAt: string | undefined): number {
  const ready = conditionOf(status, 'Ready');
  const changed = Date.parse(ready?.status === 'False' ? (ready.lastTransitionTime ?? '') : '');
  return changed > Date.parse(startedAt ?? '') ? changed : Number.NaN;
}
