import { conditionOf } from '../../cluster/metadata.js';
import type { Pod } from '../../cluster/pod.js';
import type { ContainerView } from './container-view.js';

/** A program without a startup probe may take so long to start before its readiness is anybody's concern. */
const startSeconds = 300;
/** A probe that fails for a moment and passes again is no trouble. */
const lossSeconds = 60;

/**
 * A container that runs, was given the time its readiness probe needs to fail, and is not ready. One whose startup
 * probe has not passed yet is still starting: its readiness is not asked (kubernetes `prober/worker.go: doProbe`).
 *
 * @param seconds since the present run began
 * @param lostSeconds since it stopped being ready; NaN where it never was in this run
 */
export function isUnready({ spec, status }: ContainerView, seconds: number, lostSeconds: number): boolean {
  const probe = spec.readinessProbe;
  if (probe === undefined || status === undefined || status.ready) return false;
  if (spec.startupProbe !== undefined && status.started !== true) return false;
  if (!Number.isNaN(lostSeconds)) return lostSeconds > lossSeconds;
  const { initialDelaySeconds, periodSeconds, failureThreshold } = probe;
  return seconds > Math.max(startSeconds, initialDelaySeconds + periodSeconds * failureThreshold);
}

/** When the pod stopped being ready after it was so in this run, in epoch milliseconds; NaN where it never was. */
export function readinessLostAt({ status }: Pod, startedAt: string | undefined): number {
  const ready = conditionOf(status, 'Ready');
  const changed = Date.parse(ready?.status === 'False' ? (ready.lastTransitionTime ?? '') : '');
  return changed > Date.parse(startedAt ?? '') ? changed : Number.NaN;
}
