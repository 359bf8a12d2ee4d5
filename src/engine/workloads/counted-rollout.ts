import { compareText } from '../collections/collections.js';
import { conditionOf } from '../objects/metadata.js';
import type { ReplicaSet } from '../objects/workload.js';
import type { Downtime } from './contested-forecast.js';
import type { Batch, CountedPods, CountedTimes, OwnPods } from './counted-pods.js';
import {
  activeCount,
  availableFrom,
  deletePods,
  joined,
  placedRank,
  readyCount,
  sumOf,
  without,
} from './counted-pods.js';
import { deploymentIsComplete } from './deployment-model.js';
import { syncDeployment } from './deployment-sync.js';
import {
  applied,
  desiredReplicasAnnotation,
  isComplete,
  maxReplicasAnnotation,
  withoutFailures,
  withStatus,
} from './deployment-writes.js';
import { rollingBounds } from './fenceposts.js';
import { replicaSetChange } from './replica-set-controllers.js';
import { isActiveReplicaSet, revisionsOf } from './revisions.js';
import type { DeploymentState } from './rollout-state.js';
import type { WorkMeter } from './simulation.js';

/** Enough for every revision to be resized at one moment; the same as where pods are simulated one by one. */
const maxRounds = 400;

/** How a counted rollout ends. `uncountable`: the counts do not decide what happens next. */
interface CountedEnd {
  readonly ends: 'complete' | 'stuck' | 'too-large' | 'uncountable';
  /** Seconds until the last moment at which something happens. */
  readonly seconds: number;
  readonly impact: ImpactTally;
}

/**
 * Plays a rollout forward with pods counted by ReplicaSet and by what they wait for. The Deployment
 * controller's own arithmetic decides (`syncDeployment`); a moment costs what the ReplicaSets and batches
 * cost, however many pods they hold. Where the same moments come round again and only counts grow and shrink
 * by the same numbers, all further rounds that no bound ends are taken in one step.
 *
 * @param ownerless what is known of pods of a ReplicaSet that the controller creates
 */
export function playCounted(
  rollout: CountedRollout,
  ownerless: Omit<OwnPods, 'prefix'>,
  readyBefore: number,
  meter: WorkMeter,
): CountedEnd {
  const start = rollout.now;
  const impact = createImpactTally(readyBefore, rollout.state.deployment.spec.replicas);
  const cycles = createCycles();
  const answer = (ends: CountedEnd['ends']): CountedEnd => ({
    ends,
    seconds: (rollout.now - start) / 1000,
    impact,
  });
  while (!meter.isExhausted()) {
    meter.noteStep();
    const acted = act(rollout, ownerless, meter);
    if (acted === 'uncountable' || !place(rollout)) return answer('uncountable');
    if (acted === 'endless' || meter.isExhausted()) return answer('too-large');
    impact.note((rollout.now - start) / 1000, readyIn(rollout));
    const next = nextMoment(rollout);
    if (next === undefined) {
      return answer(deploymentIsComplete({ ...rollout.state, now: rollout.now }) ? 'complete' : 'stuck');
    }
    const skipped = cycles.skip(rollout, impact);
    passTime(rollout, next + skipped);
  }
  return answer('too-large');
}

function readyIn({ pods }: CountedRollout): number {
  let ready = 0;
  for (const counted of pods.values()) ready += readyCount(counted);
  return ready;
}

/** The Deployment and ReplicaSet controllers, until they are at rest. */
function act(
  rollout: CountedRollout,
  ownerless: Omit<OwnPods, 'prefix'>,
  meter: WorkMeter,
): 'at-rest' | 'endless' | 'uncountable' {
  rollout.state = withCounts(rollout, { ...rollout.state, now: rollout.now });
  for (let round = 0; round < maxRounds && !meter.isExhausted(); round += 1) {
    meter.spend(1 + rollout.state.replicaSets.length);
    const { state } = rollout;
    const sync = syncDeployment(state);
    const hasJustCompleted =
      isComplete(state.deployment, sync.status) && !isComplete(state.deployment, state.deployment.status);
    const written = withStatus(applied(state, sync.actions), sync);
    const failed = written.replicaSets.filter(({ status }) => conditionOf(status, 'ReplicaFailure'));
    const next = withoutFailures(written, new Set(failed));
    for (const action of sync.actions) {
      if (action.kind === 'scale') rollout.moved += Math.abs(action.to - action.from);
    }
    const resized = resize(rollout, next, ownerless);
    if (resized === 'uncountable') return 'uncountable';
    rollout.state = withCounts(rollout, next);
    if (sync.actions.length === 0 && resized === 'same' && !hasJustCompleted) return 'at-rest';
  }
  return 'endless';
}

/** All that the ReplicaSet controllers create and delete at this moment. */
function resize(
  rollout: CountedRollout,
  state: DeploymentState,
  ownerless: Omit<OwnPods, 'prefix'>,
): 'changed' | 'same' | 'uncountable' {
  const { pods, now, times } = rollout;
  const { cleanUpMilliseconds } = times;
  let result: 'changed' | 'same' = 'same';
  for (const replicaSet of state.replicaSets) {
    const { uid, name } = replicaSet.metadata;
    const counted = pods.get(uid) ?? noPods({ ...ownerless, prefix: `${name}-` });
    pods.set(uid, counted);
    const change = replicaSetChange(replicaSet, activeCount(counted), Number.POSITIVE_INFINITY);
    if (change === 0) continue;
    result = 'changed';
    rollout.moved += Math.abs(change);
    if (change > 0) {
      const createdAt = Math.floor(now / 1000) * 1000;
      counted.waiting = joined(counted.waiting, { at: createdAt, count: change });
    } else if (!deletePods(counted, -change, { now, cleanUpMilliseconds })) return 'uncountable';
  }
  return result;
}

function noPods(own: OwnPods): CountedPods {
  return {
    waiting: [],
    starting: [],
    fresh: [],
    available: 0,
    leaving: [],
    deleted: 0,
    hasOddNames: false,
    ...own,
  };
}

/** The ReplicaSets with the counts of their pods. */
function withCounts({ pods }: CountedRollout, state: DeploymentState): DeploymentState {
  const replicaSets = state.replicaSets.map((replicaSet): ReplicaSet => {
    const counted = pods.get(replicaSet.metadata.uid);
    const { metadata, status } = replicaSet;
    return {
      ...replicaSet,
      status: {
        ...status,
        observedGeneration: Math.max(metadata.generation ?? 0, status.observedGeneration),
        replicas: counted === undefined ? 0 : activeCount(counted),
        readyReplicas: counted === undefined ? 0 : readyCount(counted),
        availableReplicas: counted?.available ?? 0,
        terminatingReplicas: counted === undefined ? 0 : sumOf(counted.leaving),
      },
    };
  });
  return { ...state, replicaSets };
}

/**
 * Gives free places to waiting pods, those created first, then by name, as where pods are simulated one by
 * one. False where the names of two ReplicaSets' pods are not in order by the names of the ReplicaSets.
 */
function place(rollout: CountedRollout): boolean {
  const { now, times } = rollout;
  const waiting = [...rollout.pods.values()]
    .flatMap((counted) => counted.waiting.map((batch) => ({ counted, batch })))
    .sort(
      (a, b) => compareNumbers(a.batch.at, b.batch.at) || compareText(a.counted.prefix, b.counted.prefix),
    );
  for (const [position, { counted, batch }] of waiting.entries()) {
    if (rollout.free === 0) break;
    const next = waiting[position + 1];
    if (next !== undefined && batch.count > 0 && next.batch.at === batch.at) {
      const areOdd = counted.hasOddNames || next.counted.hasOddNames;
      if (next.counted !== counted && (areOdd || next.counted.prefix.startsWith(counted.prefix)))
        return false;
    }
    const count = Math.min(rollout.free, batch.count);
    rollout.free -= count;
    rollout.moved += count;
    counted.waiting = without([batch, ...counted.waiting.filter((other) => other !== batch)], count);
    const at = counted.becomesReady ? now + times.startMilliseconds : Number.POSITIVE_INFINITY;
    rollout.hasStarts ||= counted.becomesReady && count > 0;
    counted.starting = joined(counted.starting, { at, rank: placedRank, count });
  }
  return true;
}

function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The earliest moment at which a pod changes by itself; `undefined`: none will. */
function nextMoment({ pods, now }: CountedRollout): number | undefined {
  let next = Number.POSITIVE_INFINITY;
  for (const { starting, fresh, leaving } of pods.values()) {
    for (const batches of [starting, fresh, leaving]) {
      for (const { at } of batches) if (at > now && at < next) next = at;
    }
  }
  return Number.isFinite(next) ? next : undefined;
}

/** What happens to pods until `moment`. */
function passTime(rollout: CountedRollout, moment: number): void {
  const { minReadySeconds } = rollout.times;
  rollout.now = moment;
  for (const counted of rollout.pods.values()) {
    const gone = dueCount(counted.leaving, moment);
    rollout.free += gone;
    counted.leaving = counted.leaving.filter(({ at }) => at > moment);
    const readied = dueCount(counted.starting, moment);
    counted.starting = counted.starting.filter(({ at }) => at > moment);
    if (readied > 0) {
      const at = availableFrom(moment, minReadySeconds);
      counted.fresh = joined(counted.fresh, { at, count: readied });
    }
    const settled = minReadySeconds === 0 ? sumOf(counted.fresh) : dueCount(counted.fresh, moment);
    counted.available += settled;
    counted.fresh = minReadySeconds === 0 ? [] : counted.fresh.filter(({ at }) => at > moment);
    rollout.moved += gone + readied + settled;
  }
}

function dueCount(batches: readonly Batch[], moment: number): number {
  return sumOf(batches.filter(({ at }) => at <= moment));
}

/** Finds moments of a counted rollout that come round again, and skips what follows in the same way. */
interface Cycles {
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
function createCycles(): Cycles {
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
    return { ...replicaSet, spec: { ...replicaSet.spec, replicas: replicaSet.spec.replicas + added(first) } };
  });
  rollout.state = { ...rollout.state, replicaSets };
  rollout.free += added(replicaSets.length * fields);
  rollout.now += skipped;
}

function resized(batches: readonly Batch[], by: number): readonly Batch[] {
  if (by <= 0) return without(batches, -by);
  return batches.map((batch, index) => (index === 0 ? { ...batch, count: batch.count + by } : batch));
}

/** Sums up what `downtimeOf` asks of all steps, so that the steps need not be kept. */
interface ImpactTally {
  /** Fewer ready pods than so many are a loss. */
  readonly baseline: number;
  /** At so many seconds since the start, so many pods are ready, and stay so until the next note. */
  readonly note: (at: number, ready: number) => void;
  /** The noted span since `before` comes round `times` more, each time unchanged. */
  readonly repeat: (before: ImpactMark, times: number) => void;
  readonly mark: () => ImpactMark;
  readonly downtime: (durationsKnown: boolean) => Downtime;
}

/** The sums at one moment. */
interface ImpactMark {
  readonly at: number;
  /** Seconds without any ready pod, and with fewer than before the change. */
  readonly emptySeconds: number;
  readonly fewerSeconds: number;
}

/** From the ready pods before the change and those wanted: the same as `downtimeOf` over all steps. */
function createImpactTally(readyBefore: number, replicas: number): ImpactTally {
  const baseline = Math.min(readyBefore, replicas);
  let readyMin = readyBefore;
  let emptySeconds = 0;
  let fewerSeconds = 0;
  let last: { readonly at: number; readonly ready: number } | undefined;
  return {
    baseline,
    note(at, ready) {
      if (last !== undefined && last.ready === 0) emptySeconds += at - last.at;
      if (last !== undefined && last.ready < baseline) fewerSeconds += at - last.at;
      readyMin = Math.min(readyMin, ready);
      last = { at, ready };
    },
    mark: () => ({ at: last?.at ?? 0, emptySeconds, fewerSeconds }),
    repeat(before, times) {
      if (last === undefined) return;
      emptySeconds += times * (emptySeconds - before.emptySeconds);
      fewerSeconds += times * (fewerSeconds - before.fewerSeconds);
      last = { at: last.at + times * (last.at - before.at), ready: last.ready };
    },
    downtime(durationsKnown) {
      if (readyMin >= baseline) {
        return { kind: 'none', readyMin, ofReplicas: replicas, seconds: undefined, ends: true };
      }
      const kind = readyMin === 0 ? 'gap' : 'reduced';
      const ready = last?.ready ?? 0;
      const ends = last !== undefined && !(kind === 'gap' ? ready === 0 : ready < baseline);
      const seconds = kind === 'gap' ? emptySeconds : fewerSeconds;
      return {
        kind,
        readyMin,
        ofReplicas: replicas,
        seconds: ends && durationsKnown ? seconds : undefined,
        ends,
      };
    },
  };
}

/** A Deployment's rollout whose pods are only counted. Written by one simulation only. */
export interface CountedRollout {
  /** Its `pods` are empty: they are counted in `pods`. */
  state: DeploymentState;
  now: number;
  /** By the uid of their ReplicaSet. */
  readonly pods: Map<string, CountedPods>;
  /** Places for pods that no pod has. */
  free: number;
  readonly times: Omit<CountedTimes, 'now'>;
  /** Some pod became ready, or will, after its start was waited for. */
  hasStarts: boolean;
  /**
   * Pods that were created, deleted, placed or changed, and replicas by which ReplicaSets were resized, in
   * all.
   */
  moved: number;
}
