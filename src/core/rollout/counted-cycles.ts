import { activeCount, type Batch, readyCount, sumOf, without } from './counted-pods.js';
import type { ImpactMark, ImpactTally } from './counted-price.js';
import type { CountedRollout } from './counted-state.js';
import { desiredReplicasAnnotation, maxReplicasAnnotation } from './deployment-annotations.js';
import { rollingBounds } from './fenceposts.js';
import { isActiveReplicaSet, revisionsOf } from './revisions.js';

/** Finds moments of a counted rollout that come round again, and skips what follows in the same way. */
export interface Cycles {
  /**
   * Milliseconds that were skipped: the rollout, its times and its impact are then those of that later
   * moment.
   */
  readonly skip: (rollout: CountedRollout, impact: ImpactTally) => number;
}

/**
 * Two moments are alike when all that is under way is the same, each at the same distance in time. The
 * controllers are deterministic, so that what follows is the same as well, with counts that differ by the
 * same numbers, as long as no comparison that they make turns out differently. All quantities that they
 * compare are sums of the counts (`comparedQuantities`), so that they change by the same number in each round
 * too. Rounds are skipped only while each of those that change stays further from 0 than all that can move
 * within a round.
 */
export function createCycles(): Cycles {
  const seen = new Map<string, Occurrence>();
  return {
    skip(rollout, impact) {
      const key = likenessOf(rollout);
      const before = seen.get(key);
      const counts = countsOf(rollout);
      const mark = impact.mark();
      const { now, moved } = rollout;
      const change = before === undefined ? undefined : changeSince(before, counts, rollout);
      const quantities = comparedQuantities(rollout, impact);
      seen.set(key, { counts, mark, now, moved, quantities, change });
      if (before?.change === undefined || change === undefined || !isSame(before.change, change)) return 0;
      const times = roundsToSkip(rollout, before.quantities, quantities, change);
      if (times <= 0) return 0;
      const skipped = times * change.period;
      move(rollout, change.counts, times, skipped);
      impact.repeat(before.mark, times);
      seen.clear();
      return skipped;
    },
  };
}

interface Occurrence {
  readonly counts: readonly number[];
  readonly quantities: readonly number[];
  readonly mark: ImpactMark;
  readonly now: number;
  readonly moved: number;
  readonly change: Change | undefined;
}

interface Change {
  readonly counts: readonly number[];
  /** Milliseconds of one round. */
  readonly period: number;
  /** All that moves in one round (`CountedRollout.moved`). */
  readonly moved: number;
}

function changeSince(before: Occurrence, counts: readonly number[], { now, moved }: CountedRollout): Change {
  return {
    counts: differences(before.counts, counts),
    period: now - before.now,
    moved: moved - before.moved,
  };
}

function differences(before: readonly number[], after: readonly number[]): readonly number[] {
  return after.map((count, index) => count - (before[index] ?? 0));
}

function isSame(a: Change, b: Change): boolean {
  return (
    a.period === b.period &&
    a.moved === b.moved &&
    a.counts.every((count, index) => count === b.counts[index])
  );
}

/** All that is under way, relative to now. */
function likenessOf({ state, pods, now }: CountedRollout): string {
  const relative = (batches: readonly Batch[]) =>
    batches
      .map(({ at, count, ...rest }) => [at - now, count, Object.values(rest)])
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  const sets = state.replicaSets.map(({ metadata }) => {
    const { [desiredReplicasAnnotation]: desired, [maxReplicasAnnotation]: most } = metadata.annotations;
    return [metadata.uid, desired, most];
  });
  const moving = [...pods].map(([uid, { starting, fresh, leaving }]) => [
    uid,
    ...[starting, fresh, leaving].map(relative),
  ]);
  return JSON.stringify([sets, moving]);
}

/**
 * What a round adds to: sizes, waiting and available pods of each ReplicaSet, pods deleted, and free places.
 */
function countsOf({ state, pods, free }: CountedRollout): readonly number[] {
  const counts = state.replicaSets.flatMap(({ metadata, spec }) => {
    const counted = pods.get(metadata.uid);
    return [spec.replicas, sumOf(counted?.waiting ?? []), counted?.available ?? 0, counted?.deleted ?? 0];
  });
  return [...counts, free];
}

/**
 * Every difference whose sign decides what the controllers and the scheduler do, with and without what is
 * under way.
 */
function comparedQuantities(
  { state, pods, free }: CountedRollout,
  { baseline }: ImpactTally,
): readonly number[] {
  const { replicas } = state.deployment.spec;
  const { maxSurge, minAvailable } = rollingBounds(state.deployment);
  const { newReplicaSet, oldReplicaSets } = revisionsOf(state);
  const newSize = newReplicaSet?.spec.replicas ?? 0;
  const total = state.replicaSets.reduce((sum, { spec }) => sum + spec.replicas, 0);
  const availableOf = (uid: string | undefined): number => pods.get(uid ?? '')?.available ?? 0;
  const active = [...pods.values()].reduce((sum, counted) => sum + activeCount(counted), 0);
  const available = [...pods.values()].reduce((sum, counted) => sum + counted.available, 0);
  const ready = [...pods.values()].reduce((sum, counted) => sum + readyCount(counted), 0);
  const waiting = [...pods.values()].reduce((sum, counted) => sum + sumOf(counted.waiting), 0);
  const room = replicas + maxSurge - total;
  let budget = total - newSize + availableOf(newReplicaSet?.metadata.uid) - minAvailable;
  let spare = available - minAvailable;
  const quantities = [room, replicas - newSize, room - (replicas - newSize), budget, spare];
  for (const { metadata, spec } of oldReplicaSets.filter(isActiveReplicaSet)) {
    budget -= spec.replicas - availableOf(metadata.uid);
    spare -= spec.replicas;
    quantities.push(budget, spare);
  }
  for (const { metadata, spec } of state.replicaSets) {
    const counted = pods.get(metadata.uid);
    const own = availableOf(metadata.uid);
    quantities.push(spec.replicas, own, spec.replicas - own, sumOf(counted?.waiting ?? []));
    quantities.push(counted === undefined ? 0 : activeCount(counted) - replicas);
  }
  return [
    ...quantities,
    ...[active - replicas, available - replicas, ready, ready - baseline, free, free - waiting],
  ];
}

function roundsToSkip(
  rollout: CountedRollout,
  before: readonly number[],
  now: readonly number[],
  change: Change,
): number {
  // Who waits longest matters between ReplicaSets only.
  if ([...rollout.pods.values()].filter(({ waiting }) => waiting.length > 0).length > 1) return 0;
  if (change.period <= 0 || change.counts.every((count) => count === 0)) return 0;
  // Within a round no quantity goes further than all that moves in it.
  const margin = 2 * change.moved + 2;
  const latest = Math.floor((Number.MAX_SAFE_INTEGER / 2 - rollout.now) / change.period);
  return differences(before, now).reduce((least, step, index) => {
    const value = now[index] ?? 0;
    if (step === 0) return least;
    if (Math.abs(value) <= margin) return 0;
    const approaches = Math.sign(value) !== Math.sign(step);
    return approaches ? Math.min(least, Math.floor((Math.abs(value) - margin) / Math.abs(step))) : least;
  }, latest);
}

/** The rollout after so many more rounds. */
function move(rollout: CountedRollout, change: readonly number[], times: number, skipped: number): void {
  const later = <Item extends Batch>(batches: readonly Item[]): readonly Item[] =>
    batches.map((batch) => ({ ...batch, at: batch.at + skipped }));
  const added = (index: number): number => times * (change[index] ?? 0);
  for (const counted of rollout.pods.values()) {
    counted.waiting = later(counted.waiting);
    counted.starting = later(counted.starting);
    counted.fresh = later(counted.fresh);
    counted.leaving = later(counted.leaving);
  }
  const fields = 4;
  const replicaSets = rollout.state.replicaSets.map((replicaSet, position) => {
    const counted = rollout.pods.get(replicaSet.metadata.uid);
    const first = position * fields;
    if (counted !== undefined) {
      counted.waiting = resized(counted.waiting, added(first + 1));
      counted.available += added(first + 2);
      counted.deleted += added(first + 3);
    }
    return {
      ...replicaSet,
      spec: { ...replicaSet.spec, replicas: replicaSet.spec.replicas + added(first) },
    };
  });
  rollout.state = { ...rollout.state, replicaSets };
  rollout.free += added(replicaSets.length * fields);
  rollout.now += skipped;
}

function resized(batches: readonly Batch[], by: number): readonly Batch[] {
  if (by <= 0) return without(batches, -by);
  return batches.map((batch, index) => (index === 0 ? { ...batch, count: batch.count + by } : batch));
}
