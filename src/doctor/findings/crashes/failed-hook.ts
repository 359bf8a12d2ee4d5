import type { Event } from '../../../engine/objects/event.js';
import type { EndedRun } from './ended-run.js';
import type { PodFailure } from './pod-failure.js';
import { isWithin } from './probe-kill-sign.js';

/** Waiting reasons of a container whose hook failed (kubernetes `pkg/kubelet/kuberuntime`). */
export const hookErrors: ReadonlySet<string> = new Set([
  'PreCreateHookError',
  'PreStartHookError',
  'PostStartHookError',
]);

/** The event of a postStart hook that failed during this run (kubernetes `pkg/kubelet/events/event.go`). */
export function failedHookIn(run: EndedRun, events: readonly Event[]): Event | undefined {
  return events.findLast((event) => event.reason === 'FailedPostStartHook' && isWithin(run, event));
}

/**
 * What is reported of the hook that failed: the waiting state quotes it. While the container backs off, only
 * the event tells.
 */
export function failedHookOf({ reason, message, run, events }: PodFailure): string | undefined {
  if (hookErrors.has(reason)) return message;
  return run === undefined ? undefined : failedHookIn(run, events)?.message;
}
