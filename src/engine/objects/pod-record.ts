import * as z from 'zod';
import type { Immutable } from './wire.js';

/** Whole seconds since 1970, as fine as the API tells times. */
const seconds = z.number().int().min(0);

/** Runs kept of one container, the latest ones. */
export const keptRuns = 8;

/**
 * One ended run of a container. Which one it is says the container's `restartCount` while it was the current
 * one.
 */
export const RunRecord = z.object({
  n: z.number().int().min(0),
  /** Absent where the runtime did not know. */
  startedAt: seconds.optional(),
  finishedAt: seconds.optional(),
  exitCode: z.number().int(),
  signal: z.number().int().optional(),
  /** The runtime's word (`Error`, `OOMKilled`); '' for anything that is not one word or two. */
  reason: z.string(),
  /** It ended because the pod was deleted or taken away: that is no crash. */
  stopped: z.boolean(),
});
export type RunRecord = Immutable<z.output<typeof RunRecord>>;

export const ContainerRecord = z.object({
  name: z.string(),
  role: z.enum(['init', 'sidecar', 'main']),
  /** The highest `restartCount` seen: so many runs ended before the current one. */
  restarts: z.number().int().min(0),
  /** By number, rising; the last `keptRuns` of those seen. */
  runs: z.array(RunRecord),
  /** The earliest bad end that was seen, kept when its run no longer is. */
  firstBad: z.object({ finishedAt: seconds, seconds: seconds.optional() }).optional(),
});
export type ContainerRecord = Immutable<z.output<typeof ContainerRecord>>;

/**
 * What one life of a pod told of its runs. Nothing in it was written by a program inside: no log, no message,
 * no environment, only names, numbers and times.
 */
export const PodRecord = z.object({
  v: z.literal(1),
  uid: z.string(),
  /** '' where nothing bad happened to it: then nobody asks for it by name. */
  name: z.string(),
  node: z.string(),
  /** Pod-template-hash or controller-revision-hash. */
  revision: z.string(),
  startedAt: seconds.optional(),
  /** Absent while it lives, and where nobody saw its end. */
  endedAt: seconds.optional(),
  /** By name; containers that never ended badly and never restarted are left out. */
  containers: z.array(ContainerRecord),
});
export type PodRecord = Immutable<z.output<typeof PodRecord>>;

/** What is remembered of one workload's pods. Times are epoch seconds. */
export interface CrashHistory {
  /** Since when it sees pods come and go; nothing is claimed of the time before. */
  readonly observedSince: number;
  /** Times since then in which nobody watched, up to now. */
  readonly gaps: readonly { readonly from: number; readonly to: number }[];
  /** Pods that ended, and living ones whose containers ended badly or restarted; in no order. */
  readonly pods: readonly PodRecord[];
  /** Pods that were dropped since there were too many: those whose last change was oldest. */
  readonly dropped: number;
}

/** Reasons of ends that are the node's or the kubelet's doing and not the container's. */
const noCrash: ReadonlySet<string> = new Set([
  'RestartingAllContainers',
  'Unknown',
  'ContainerStatusUnknown',
]);

/** An end that counts as a crash: not for the pod's deletion, not the node's outage, not with exit code 0. */
export function isBadEnd({ stopped, exitCode, reason }: Omit<RunRecord, 'n'>): boolean {
  return !stopped && exitCode !== 0 && !noCrash.has(reason);
}

/** Seconds of a run; absent where a time is. */
export function lengthOfRun({ startedAt, finishedAt }: RunRecord): number | undefined {
  return startedAt === undefined || finishedAt === undefined || finishedAt < startedAt
    ? undefined
    : finishedAt - startedAt;
}

/** The earlier of two times, of which either may be unknown. */
export function earlierTime(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}
