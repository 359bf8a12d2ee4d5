import { greatestOf } from '../../../engine/collections/collections.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { CrashHistory, PodRecord, RunRecord } from '../../../engine/objects/pod-record.js';
import { earlierTime, isBadEnd, lengthOfRun } from '../../../engine/objects/pod-record.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import type { Incarnation, Life } from '../../../engine/statistics/incarnation.js';
import { containersOf, lastEndedRun } from './container-view.js';
import { isOutage, windowSeconds } from './incarnations-of.js';

/** The pods of a workload together with its crash history. */
export interface Remembered {
  /** The living pods with their history, and the deleted ones. */
  readonly incarnations: readonly Incarnation[];
  /** Records of deleted pods that count. */
  readonly deleted: readonly PodRecord[];
  /** Uids of living pods whose crash is only in the history. */
  readonly recalled: ReadonlySet<string>;
  /** The latest crash of each crashed pod, in epoch seconds, by uid. */
  readonly lastCrash: ReadonlyMap<string, number>;
}

type Ends = { readonly first: number; readonly last: number; readonly seconds: number | undefined };

/**
 * The workload's incarnations with its history. A deleted pod counts when its end was recorded, it ran, its
 * revision still has living pods, and its node still exists and is not younger than the pod. Whether it
 * crashed plays no part. A pod without a recorded end does not count.
 *
 * @param living as `incarnationsOf` gives them for the workload's own pods
 */
export function remember(
  snapshot: Snapshot,
  history: CrashHistory,
  living: readonly Incarnation[],
  pods: readonly Pod[],
): Remembered {
  const now = Math.floor(nowOf(snapshot) / 1000);
  // Living pods show the last day on their own, with or without a watch.
  const from = Math.min(history.observedSince, now - windowSeconds);
  const records = new Map(history.pods.map((record) => [record.uid, record]));
  const alive = new Map(pods.map((pod) => [pod.metadata.uid, pod]));
  const lastCrash = new Map<string, number>();
  const recalled = new Set<string>();
  const ended = (record: PodRecord | undefined): Ends | undefined => {
    const ends = record === undefined ? undefined : endsOf(snapshot, record, from);
    if (record !== undefined && ends !== undefined) lastCrash.set(record.uid, ends.last);
    return ends;
  };

  const still = living.map((one): Incarnation => {
    const pod = alive.get(one.uid);
    if (pod === undefined) return one;
    const shown = one.crashed ? (shownEnd(pod) ?? now) : undefined;
    const ends = ended(records.get(one.uid));
    if (ends !== undefined && !one.crashed) recalled.add(one.uid);
    if (shown !== undefined) lastCrash.set(one.uid, Math.max(shown, ends?.last ?? 0));
    const crashedAt = earlierTime(ends?.first, shown);
    const seconds = one.secondsToCrash ?? ends?.seconds;
    const bornAt = bornOf(pod, now);
    return {
      ...one,
      crashed: one.crashed || ends !== undefined,
      ...(seconds === undefined ? {} : { secondsToCrash: seconds }),
      life: lifeOf(bornAt, from, now, crashedAt),
    };
  });

  const revisions = new Set(living.map(({ revision }) => revision));
  const deleted = history.pods.filter(
    (record) =>
      !alive.has(record.uid) && revisions.has(record.revision) && isComparable(snapshot, record, from),
  );
  const gone = deleted.map((record): Incarnation => {
    const { uid, node, revision, startedAt: bornAt = 0, endedAt: until = now } = record;
    const ends = ended(record);
    return {
      uid,
      node,
      workload: living[0]?.workload ?? '',
      revision,
      crashed: ends !== undefined,
      observedSeconds: Math.max(0, until - bornAt),
      ...(ends?.seconds === undefined ? {} : { secondsToCrash: ends.seconds }),
      life: lifeOf(bornAt, from, until, ends?.first),
    };
  });
  return { incarnations: [...still, ...gone], deleted, recalled, lastCrash };
}

/** Crashes before the observed time do not count, and a crash lies within the life of its pod. */
function lifeOf(bornAt: number, from: number, until: number, crashedAt: number | undefined): Life {
  const begins = Math.min(Math.max(bornAt, from), until);
  return {
    bornAt,
    from: begins,
    until,
    ...(crashedAt === undefined ? {} : { crashedAt: Math.min(Math.max(crashedAt, begins), until) }),
  };
}

function isComparable({ index }: Snapshot, { node, startedAt, endedAt }: PodRecord, from: number): boolean {
  if (startedAt === undefined || endedAt === undefined || endedAt < from) return false;
  if (index.nodes.size === 0) return true;
  const known = index.nodes.get(node);
  if (known === undefined) return false;
  const made = Date.parse(known.metadata.creationTimestamp ?? '') / 1000;
  return !(startedAt < made);
}

/**
 * A program may exit with code 0 to be restarted once. A program that does this repeatedly is not a service.
 */
const habit = 3;

/** First and last crash of the record in the observed time; `undefined` without one. */
function endsOf(snapshot: Snapshot, { node, containers }: PodRecord, from: number): Ends | undefined {
  const counts = (at: number | undefined, reason: string): at is number =>
    at !== undefined &&
    at >= from &&
    !isOutage(snapshot, node, { reason, finishedAt: new Date(at * 1000).toISOString() });
  const ends = containers.flatMap(({ role, restarts, runs, firstBad }) => {
    const bad = runs.filter(isBadEnd);
    const well = runs.filter((run) => !run.stopped && run.exitCode === 0);
    const telling: readonly RunRecord[] =
      bad.length === 0 && role === 'main' && restarts >= habit && well.length >= habit ? well : bad;
    return [
      ...(firstBad !== undefined && counts(firstBad.finishedAt, '')
        ? [{ at: firstBad.finishedAt, seconds: firstBad.seconds }]
        : []),
      ...telling.flatMap((run) =>
        counts(run.finishedAt, run.reason) ? [{ at: run.finishedAt, seconds: lengthOfRun(run) }] : [],
      ),
    ];
  });
  const [first, ...others] = ends.sort((a, b) => a.at - b.at);
  if (first === undefined) return undefined;
  return { first: first.at, last: others.at(-1)?.at ?? first.at, seconds: first.seconds };
}

/** The end that the pod's own status still shows, in epoch seconds. */
function shownEnd(pod: Pod): number | undefined {
  const ends = containersOf(pod).flatMap(({ role, status }) => {
    const run = lastEndedRun(status);
    const at = Date.parse(run?.finishedAt ?? '') / 1000;
    return at > 0 && !(role === 'init' && run?.exitCode === 0) ? [Math.floor(at)] : [];
  });
  return ends.length === 0 ? undefined : greatestOf(ends);
}

function bornOf({ status, metadata }: Pod, now: number): number {
  const at = Date.parse(status.startTime ?? metadata.creationTimestamp ?? '') / 1000;
  return Number.isNaN(at) ? now : Math.floor(at);
}
