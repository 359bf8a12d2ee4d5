import { conditionOf } from '../cluster/metadata.js';
import type { ReplicaSet } from '../cluster/workload.js';
import { compareText } from '../collections/collections.js';
import { createCycles } from './counted-cycles.js';
import {
  activeCount,
  availableFrom,
  type Batch,
  type CountedPods,
  deletePods,
  joined,
  type OwnPods,
  placedRank,
  readyCount,
  sumOf,
  without,
} from './counted-pods.js';
import { createImpactTally, type ImpactTally } from './counted-price.js';
import type { CountedRollout } from './counted-state.js';
import { isComplete } from './deployment-conditions.js';
import { deploymentIsComplete } from './deployment-model.js';
import { syncDeployment } from './deployment-sync.js';
import { applied, withoutFailures, withStatus } from './deployment-writes.js';
import { replicaSetChange } from './replica-set-sync.js';
import type { DeploymentState } from './rollout-state.js';
import type { WorkMeter } from './simulation-budget.js';

/** Enough for every revision to be resized at one moment; the same as where pods are simulated one by one. */
const maxRounds = 400;

/** How a counted rollout ends. `uncountable`: the counts do not decide what happens next. */
export interface CountedEnd {
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

/** The Deployment and ReplicaSet controllers, until none of them has anything to do. */
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
  const { pods, now } = rollout;
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
    } else if (!deletePods(counted, -change, now)) return 'uncountable';
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
