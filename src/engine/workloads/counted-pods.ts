import { hasNode, isActive, isReady, isTerminal, isTerminating, type Pod } from '../objects/pod.js';
import { epochOf } from './creation-order.js';
import { goneAfter, isOverdue, type Timetable } from './simulated-pods.js';
import { scheduledSince } from './start-to-ready.js';

/** So many pods to which the same happens at `at`, in epoch milliseconds; `Infinity`: never. */
export type Batch = { readonly at: number; readonly count: number };

/** Pods with a node that are not ready. `rank` is the place of their phase in the order of deletion. */
interface StartingBatch extends Batch {
  readonly rank: number;
}

/** The pods of one ReplicaSet, counted by what they wait for. Written by one simulation only. */
export interface CountedPods {
  /** Without a node, by creation: `at` is when they were created. */
  waiting: readonly Batch[];
  /** `at`: when they become ready. */
  starting: readonly StartingBatch[];
  /** Ready; `at`: when they become available. */
  fresh: readonly Batch[];
  available: number;
  /** Being deleted; `at`: when they are gone. Each still has its place on a node. */
  leaving: readonly Batch[];
  /** Observed active pods that the controller has deleted, with or without a node. */
  deleted: number;
  /** Names of the pods that it creates begin so. */
  readonly prefix: string;
  /** A pod that waits has another name. */
  readonly hasOddNames: boolean;
  readonly graceSeconds: number;
  /** Whether pods that it creates become ready once they have a node. */
  readonly becomesReady: boolean;
}

/** What holds for all pods of one ReplicaSet, those that it will create included. */
export type OwnPods = Pick<CountedPods, 'prefix' | 'graceSeconds' | 'becomesReady'>;

export function sumOf(batches: readonly Batch[]): number {
  return batches.reduce((sum, { count }) => sum + count, 0);
}

export function activeCount({ waiting, starting, fresh, available }: CountedPods): number {
  return sumOf(waiting) + sumOf(starting) + sumOf(fresh) + available;
}

export function readyCount({ fresh, available }: CountedPods): number {
  return sumOf(fresh) + available;
}

/** The batches with so many more pods for which something happens at `at`. */
export function joined<Item extends Batch>(batches: readonly Item[], more: Item): readonly Item[] {
  if (more.count === 0) return batches;
  const position = batches.findIndex((batch) => isLike(batch, more));
  if (position < 0) return [...batches, more];
  return batches.map((batch, index) =>
    index === position ? { ...batch, count: batch.count + more.count } : batch,
  );
}

function isLike(a: Batch, b: Batch): boolean {
  return a.at === b.at && ('rank' in a ? a.rank : 0) === ('rank' in b ? b.rank : 0);
}

/** What is known of the times of one rollout. */
export interface CountedTimes extends Pick<Timetable, 'startMilliseconds' | 'cleanUpMilliseconds'> {
  readonly now: number;
  readonly minReadySeconds: number;
}

/** When a pod that became ready at `ready` is available. Conditions have whole seconds. */
export function availableFrom(ready: number, minReadySeconds: number): number {
  return Math.floor(ready / 1000) * 1000 + minReadySeconds * 1000;
}

const phaseRanks: Readonly<Record<string, number>> = { Pending: 0, Unknown: 1, Running: 2 };
/** The rank of pods that a simulation has placed: their phase is still Pending. */
export const placedRank = 0;

/**
 * Counts a ReplicaSet's pods; `undefined` where two of them may matter differently: their grace periods
 * differ, or one is in a state in which the order of deletion is not that of the counts.
 *
 * @param startsReady whether a pod becomes ready on the node that it has or gets
 */
export function countPods(
  pods: readonly Pod[],
  times: CountedTimes,
  own: OwnPods,
  startsReady: (pod: Pod) => boolean,
): CountedPods | undefined {
  const tally = {
    waiting: createTally(),
    starting: createTally(),
    fresh: createTally(),
    leaving: createTally(),
  };
  let available = 0;
  let hasOddNames = false;
  for (const pod of pods) {
    if (Math.max(1, pod.spec.terminationGracePeriodSeconds) !== own.graceSeconds) return undefined;
    const stage = stageOf(pod, times, startsReady);
    if (stage === undefined) return undefined;
    if (stage.kind === 'waiting') {
      if (startsReady(pod) !== own.becomesReady) return undefined;
      hasOddNames ||= !pod.metadata.name.startsWith(own.prefix);
    }
    if ('at' in stage) tally[stage.kind].note(stage.at, stage.rank);
    else if (stage.kind === 'available') available += 1;
  }
  return {
    waiting: tally.waiting.batches(),
    starting: tally.starting.batches(),
    fresh: tally.fresh.batches(),
    available,
    leaving: tally.leaving.batches(),
    deleted: 0,
    hasOddNames,
    ...own,
  };
}

type Stage =
  | { readonly kind: 'available' | 'ended' }
  | {
      readonly kind: 'waiting' | 'starting' | 'fresh' | 'leaving';
      readonly at: number;
      readonly rank: number;
    };

function stageOf(pod: Pod, times: CountedTimes, startsReady: (pod: Pod) => boolean): Stage | undefined {
  const { now, startMilliseconds, minReadySeconds } = times;
  const never = Number.POSITIVE_INFINITY;
  const rank = phaseRanks[pod.status.phase] ?? 0;
  if (isTerminating(pod)) {
    if (isTerminal(pod) || !hasNode(pod)) return undefined;
    const gone = Math.max(now + 1000, goneAfter(pod, times) ?? now);
    return { kind: 'leaving', at: isOverdue(pod, now) ? never : gone, rank };
  }
  if (!isActive(pod)) return { kind: 'ended' };
  if (!hasNode(pod)) {
    const at = epochOf(pod.metadata.creationTimestamp) ?? Number.NEGATIVE_INFINITY;
    return isReady(pod) ? undefined : { kind: 'waiting', at, rank };
  }
  if (!isReady(pod)) {
    const ready = Math.max(now + 1000, (scheduledSince(pod) ?? now) + startMilliseconds);
    return { kind: 'starting', at: startsReady(pod) ? ready : never, rank };
  }
  if (pod.status.phase !== 'Running') return undefined;
  const ready = pod.status.conditions.find(({ type, status }) => type === 'Ready' && status === 'True');
  const since = epochOf(ready?.lastTransitionTime);
  const at = since === undefined ? never : since + minReadySeconds * 1000;
  return minReadySeconds === 0 || at <= now ? { kind: 'available' } : { kind: 'fresh', at, rank };
}

function createTally() {
  const found = new Map<string, { at: number; rank: number; count: number }>();
  return {
    note(at: number, rank: number): void {
      const batch = found.get(`${rank} ${at}`);
      if (batch === undefined) found.set(`${rank} ${at}`, { at, rank, count: 1 });
      else batch.count += 1;
    },
    batches: (): readonly StartingBatch[] => [...found.values()],
  };
}

/**
 * Deletes so many of the counted pods in the controller's order: without a node first, then by phase, then
 * not ready ones. False where the order among unlike pods decides and is not counted; then the counts are of
 * no use any more.
 */
export function deletePods(
  counted: CountedPods,
  count: number,
  { now, cleanUpMilliseconds }: Pick<CountedTimes, 'now' | 'cleanUpMilliseconds'>,
): boolean {
  let left = count;
  let stopped = 0;
  const waiting = sumOf(counted.waiting);
  if (left < waiting && counted.waiting.length > 1) return false;
  const fromWaiting = Math.min(left, waiting);
  counted.waiting = without(counted.waiting, fromWaiting);
  left -= fromWaiting;
  for (const rank of [0, 1, 2]) {
    const ofRank = counted.starting.filter((batch) => batch.rank === rank);
    const some = sumOf(ofRank);
    if (left < some && left > 0 && ofRank.length > 1) return false;
    const taken = Math.min(left, some);
    counted.starting = [
      ...counted.starting.filter((batch) => batch.rank !== rank),
      ...without(ofRank, taken),
    ];
    left -= taken;
    stopped += taken;
  }
  const ready = readyCount(counted);
  const classes = counted.fresh.length + (counted.available > 0 ? 1 : 0);
  if (left > 0 && left < ready && classes > 1) return false;
  const fromFresh = Math.min(left, sumOf(counted.fresh));
  counted.fresh = without(counted.fresh, fromFresh);
  const fromAvailable = Math.min(left - fromFresh, counted.available);
  counted.available -= fromAvailable;
  stopped += fromFresh + fromAvailable;
  counted.deleted += count;
  const deadline = Math.floor((now + counted.graceSeconds * 1000) / 1000) * 1000;
  const at = deadline + cleanUpMilliseconds;
  counted.leaving = joined(counted.leaving, { at, count: stopped });
  return true;
}

/** The batches with so many pods fewer, the first ones first. */
export function without<Item extends Batch>(batches: readonly Item[], count: number): readonly Item[] {
  let left = count;
  return batches.flatMap((batch) => {
    const taken = Math.min(left, batch.count);
    left -= taken;
    if (taken === 0) return [batch];
    return taken === batch.count ? [] : [{ ...batch, count: batch.count - taken }];
  });
}
