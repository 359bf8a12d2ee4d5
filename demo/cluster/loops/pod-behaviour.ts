import type { ApiObject } from '../api-object.js';

/** How the containers of one pod behave on their node. Times in milliseconds. */
export interface PodBehaviour {
  /** From the kubelet's taking the pod to its containers' running. */
  readonly startMs: number;
  /** From running to ready; `undefined`: never. */
  readonly readyMs: number | undefined;
  /** From the deletion to the pod's being gone; never longer than its grace period. */
  readonly terminationMs: number;
  /** Every run ends like this; absent: it runs on. */
  readonly crash?: Crash;
  /** Lines that each run writes when it starts. */
  readonly log?: string;
  /** What the runtime says of the image in place of pulling it; absent: it is there. */
  readonly pullError?: string;
}

export interface Crash {
  /** From the start of a run to its end. */
  readonly afterMs: number;
  readonly exitCode: number;
  /** `Error`, or `OOMKilled`. */
  readonly reason: string;
  /** The last lines of the run. */
  readonly log?: string;
  /** What the program wrote to its termination message file. */
  readonly message?: string;
  /** The kubelet ended the run, since this probe failed with these words. */
  readonly probe?: { readonly kind: 'Liveness' | 'Startup'; readonly says: string };
}

/** Overrides for some pods: by image, label, node, or whatever they show. The first that answers counts. */
export type BehaviourOf = (pod: ApiObject, node: ApiObject | undefined) => Partial<PodBehaviour> | undefined;

export const usualBehaviour: PodBehaviour = { startMs: 1_500, readyMs: 500, terminationMs: 1_000 };

const firstBackOffMs = 10_000;
const longestBackOffMs = 300_000;
/** A run that lasted longer makes the next pause short again (`kubelet.go: newCrashLoopBackOff`). */
export const forgivenAfterMs = 600_000;

/**
 * The pause after a run ended that had been restarted so often already (`kuberuntime_manager.go: doBackOff`):
 * none before the first restart, then 10 s, doubled each time, 5 min at most.
 */
export function backOffMs(restarts: number): number {
  return restarts <= 0 ? 0 : Math.min(longestBackOffMs, firstBackOffMs * 2 ** (restarts - 1));
}

/** As Go prints a duration of whole seconds, such as `2m40s`. */
export function goDuration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds >= 60 ? `${Math.floor(seconds / 60)}m${seconds % 60}s` : `${seconds}s`;
}
