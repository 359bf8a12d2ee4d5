import type { ContainerView } from './container-view.js';

/**
 * A container that runs, was given the time its readiness probe needs to fail, and is not ready. One whose startup
 * probe has not passed yet is still starting: its readiness is not asked (kubernetes `prober/worker.go: doProbe`).
 *
 * @param seconds since the present run began
 */
export function isUnready({ spec, status }: ContainerView, seconds: number): boolean {
  const probe = spec.readinessProbe;
  if (probe === undefined || status === undefined || status.ready) return false;
  if (spec.startupProbe !== undefined && status.started !== true) return false;
  const { initialDelaySeconds, periodSeconds, failureThreshold } = probe;
  return seconds > initialDelaySeconds + periodSeconds * failureThreshold;
}
