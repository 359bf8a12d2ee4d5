import type { Pod } from '../objects/pod.js';
import { hasGroups, hasPodPerNode } from '../objects/workload.js';
import { isWorse, unlessPlaced } from './contested-forecast.js';
import { daemonSetHash } from './controller-revisions.js';
import { byCreation } from './creation-order.js';
import { daemonSetBounds } from './daemon-set-model.js';
import { deploymentModel, type Forecast, forecastOf, podsAreUnseen, readyCount } from './forecast.js';
import { createPodSet, type PodSet } from './pod-set.js';
import type { Difference, PodSimulator } from './pod-simulator.js';
import { daemonSetModel, statefulSetModel } from './revision-forecast.js';
import type { DaemonSetChange, DeploymentChange } from './rollout-change.js';
import { changedDaemonSet, changedState } from './rollout-change.js';
import { type RolloutState, workloadIn } from './rollout-state.js';
import {
  isGuess,
  nextEvent,
  noteDeletions,
  noteStart,
  noteStarting,
  type Passed,
  passTime,
  placed,
  timetableOf,
} from './simulated-pods.js';
import type { ControllerModel, SimulatedStep, SimulationResult } from './simulation.js';
import { createWorkMeter, type SimulationBudget, type WorkMeter } from './simulation.js';

/** A change of one workload; the kind of the change belongs to the kind of the workload. */
export type MemberChange =
  | { readonly of: 'Deployment'; readonly change: DeploymentChange }
  | { readonly of: 'DaemonSet'; readonly change: DaemonSetChange };

/** What follows for several workloads whose rollouts share nodes, when one of them is changed. */
export interface JointForecast {
  /**
   * `complete`: every rollout completes. The other values are those of `Forecast`, for at least one of them.
   */
  readonly ends: Forecast['ends'];
  /** One for each workload, in the same order; empty where nothing was simulated. */
  readonly members: readonly Forecast[];
  /**
   * Waiting pods and refused workloads beside these that could take what becomes free, and then the rollouts
   * fare worse.
   */
  readonly winners?: Forecast['winners'];
}

/**
 * Plays all rollouts forward together, with a change to one of them or to none. As for one rollout, the
 * forecast is played a second time against further workloads (`forecastBesideOthers`).
 *
 * @param states the workloads as they are observed
 * @param change left out: nobody does anything
 * @param simulator must not count on pods that had their time to become ready
 */
export function forecastJointly(
  states: readonly RolloutState[],
  simulator: PodSimulator,
  change?: { readonly member: number } & MemberChange,
): JointForecast {
  const started = states.map((state, at) => memberAfter(state, change?.member === at ? change : undefined));
  const members = started.filter((member) => member !== undefined);
  if (members.length < states.length) return { ends: 'unknown', members: [] };
  const alone = runTogether(states, members, simulator);
  if (alone.ends !== 'complete' && alone.ends !== 'stuck') return alone;
  const contest = simulator.contest?.(states.flatMap(({ pods }) => [...pods]));
  if (contest === undefined) return alone;
  const contested = runTogether(states, members, { ...simulator, ...contest.simulator });
  const worse = (one: Forecast, at: number): boolean => {
    const other = alone.members[at];
    return other === undefined || isWorse(one, other);
  };
  if (contested.ends === alone.ends && !contested.members.some(worse)) return alone;
  const winners = contest.winners();
  return {
    ends: alone.ends === 'complete' ? 'contested' : alone.ends,
    members: alone.members.map((each, at) => ({
      ...each,
      downtime: contested.members[at]?.downtime ?? each.downtime,
      seconds: undefined,
    })),
    winners: winners.length > 0 ? winners : contest.competitors,
  };
}

function runTogether(
  states: readonly RolloutState[],
  members: readonly Member[],
  simulator: PodSimulator,
): JointForecast {
  const results = simulateJointly(members, simulator);
  const forecasts = states.flatMap((state, at) => {
    const result = results[at];
    return result === undefined
      ? []
      : [unlessPlaced(forecastOf(state.pods, readyCount(state.pods), wantedOf(state), result), simulator)];
  });
  const isTooLarge = forecasts.some(({ ends }) => ends === 'too-large');
  const isComplete = forecasts.every(({ ends }) => ends === 'complete');
  const isUnknown = forecasts.some(({ ends }) => ends === 'unknown');
  const end = isComplete ? 'complete' : isUnknown ? 'unknown' : 'stuck';
  return { ends: isTooLarge ? 'too-large' : end, members: forecasts };
}

/**
 * The workload right after the change; `undefined` where it was not read whole or the change does not fit it.
 */
function memberAfter(state: RolloutState, change: MemberChange | undefined): Member | undefined {
  switch (state.kind) {
    case 'Deployment': {
      if (podsAreUnseen(state) || (change !== undefined && change.of !== 'Deployment')) return undefined;
      const start = changedState(state, change?.change ?? { kind: 'none' });
      return start && memberOf({ state: start, model: deploymentModel(start) });
    }
    case 'DaemonSet': {
      if (change !== undefined && change.of !== 'DaemonSet') return undefined;
      const start = changedDaemonSet(state, change?.change ?? { kind: 'none' });
      if (start === undefined || daemonSetHash(start) === undefined) return undefined;
      return memberOf({ state: start, model: daemonSetModel(start) });
    }
    case 'Rollout':
    case 'LeaderWorkerSet':
    case 'Revisioned':
      return undefined;
    case 'StatefulSet':
      if (change !== undefined || state.maxUnavailable.instead.length > 0) return undefined;
      return memberOf({ state, model: statefulSetModel(state) });
  }
}

/** Pods that the workload wants in the end. */
export function wantedOf(state: RolloutState): number {
  if (hasPodPerNode(state)) return daemonSetBounds(state).desired;
  if (!hasGroups(state)) return workloadIn(state).spec.replicas;
  const { replicas, leaderWorkerTemplate } = state.leaderWorkerSet.spec;
  return replicas * leaderWorkerTemplate.size;
}

/**
 * Bounds one simulation of several rollouts. A cycle of rollouts is small, and a diagnosis makes a few dozen
 * of these, so each may take only a part of the work that a simulation of one rollout may take. Published in
 * docs/engines.md.
 */
const jointSimulationBudget: SimulationBudget = {
  maxSimulated: 200,
  maxPods: 600,
  maxRevisions: 2_000,
  maxSteps: 1_000,
  maxWork: 400_000,
};

/** One workload of a joint simulation: its state right after the change, and its controllers. */
interface JointStart<State extends RolloutState = RolloutState> {
  readonly state: State;
  readonly model: ControllerModel<State>;
}

type MemberResult = SimulationResult<{ readonly pods: readonly Pod[] }>;

/**
 * Plays several rollouts forward in one cluster: at each moment all controllers act until they rest, then the
 * scheduler places the waiting pods of all workloads, the highest priority first and then the oldest, then
 * the next event comes. Deterministic, and bounded by `jointSimulationBudget`.
 *
 * @param simulator answers for pods of all workloads
 * @returns one result for each member, in the same order; all end `too-large` where the budget was used up
 */
export function simulateJointly(
  starts: readonly Member[],
  simulator: PodSimulator,
  budget: SimulationBudget = jointSimulationBudget,
): readonly MemberResult[] {
  const meter = createWorkMeter(budget, simulator.work);
  const runs = starts.map((start) => start.run(simulator, meter));
  const difference = joined(runs.map(({ podSet }) => podSet));
  const begun = starts[0]?.now ?? 0;
  let now = begun;
  while (!meter.isExhausted()) {
    meter.noteStep();
    const atRest = runs.map((run) => run.act(now, difference)).every(Boolean);
    if (!atRest) break;
    const nodes = placeWaiting(runs, difference, simulator, meter, now);
    for (const run of runs) run.note(now, (now - begun) / 1000, difference, nodes);
    meter.spend(simulator.takeWork?.() ?? 0);
    if (meter.isExhausted()) break;
    const moments = runs.flatMap((run) => run.next(now) ?? []);
    if (moments.length === 0) {
      const isKnown = !runs.some((run) => run.isGuess());
      const seconds = isKnown ? (now - begun) / 1000 : undefined;
      return runs.map((run) => ({ ...run.end(now), limit: undefined, seconds }));
    }
    now = Math.min(...moments);
    for (const run of runs) run.pass(now);
  }
  const limit = meter.reached() ?? 'syncs';
  return runs.map((run) => ({ ...run.end(now), ends: 'too-large', limit, seconds: undefined }));
}

/** A workload that can be run beside others. */
type Member = { readonly now: number; readonly run: (simulator: PodSimulator, meter: WorkMeter) => Run };

interface Run {
  readonly podSet: PodSet;
  /** False: the controllers were stopped before they had nothing left to do. */
  readonly act: (now: number, difference: Difference) => boolean;
  readonly note: (
    now: number,
    at: number,
    difference: Difference,
    nodes: ReadonlyMap<PodSet, SimulatedStep['placed']>,
  ) => void;
  readonly next: (now: number) => number | undefined;
  readonly pass: (until: number) => void;
  readonly isGuess: () => boolean;
  readonly end: (now: number) => Pick<MemberResult, 'steps' | 'end'> & {
    readonly ends: 'complete' | 'stuck';
  };
}

/** Hides the kind of the workload, so that members of different kinds can be run together. */
export function memberOf<State extends RolloutState>({ state: start, model }: JointStart<State>): Member {
  return {
    now: start.now,
    run(simulator, meter) {
      const podSet = createPodSet(start.pods);
      const timetable = timetableOf(start, undefined);
      const { minReadySeconds } = model;
      const steps: SimulatedStep[] = [];
      let state = start;
      let acted: ReturnType<typeof model.act> | undefined;
      let passed: Passed = { gone: [], becameReady: [] };
      meter.notePods(start.pods.length);
      return {
        podSet,
        act(now, difference) {
          const admits = (pod: Pod): boolean => simulator.admits?.(pod, difference) ?? true;
          acted = model.act(podSet, { ...state, now }, admits, meter);
          state = acted.state;
          meter.spend(simulator.takeWork?.() ?? 0);
          return acted.isAtRest;
        },
        note(now, at, difference, nodes) {
          const { actions = [], deleted = [], orElse = [], created = [], refused = [] } = acted ?? {};
          noteDeletions(timetable, podSet.moving(minReadySeconds, now));
          if (steps.length === 0) noteStarting(timetable, start, simulator, difference);
          for (const pod of podSet.starting()) {
            if (timetable.readyAt.has(pod.metadata.uid)) continue;
            meter.spend(1);
            if (simulator.becomesReady(pod, pod.spec.nodeName ?? '', difference))
              noteStart(timetable, pod, now);
          }
          steps.push({
            at,
            ...passed,
            actions,
            deleted,
            orElse,
            created,
            refused,
            placed: nodes.get(podSet) ?? [],
            ready: podSet.ready(),
            available: podSet.countAvailable(minReadySeconds, now),
          });
        },
        next(now) {
          const moving = podSet.moving(minReadySeconds, now);
          meter.spend(moving.length);
          return nextEvent(timetable, moving, minReadySeconds, now);
        },
        pass(until) {
          const moving = podSet.moving(minReadySeconds, state.now);
          const { passed: events, readied } = passTime(timetable, moving, until);
          for (const [before, after] of readied) podSet.replace(before, after);
          const gone = [...events.gone].sort(podSet.byPosition);
          for (const pod of gone) podSet.remove(pod);
          passed = { gone, becameReady: [...events.becameReady].sort(podSet.byPosition) };
        },
        isGuess: () => isGuess(timetable),
        end(now) {
          const pods = podSet.all();
          const isComplete = model.isComplete({ ...state, pods, now });
          return { steps, end: { pods }, ends: isComplete ? 'complete' : 'stuck' };
        },
      };
    },
  };
}

/** Each pod sees those placed before it. */
function placeWaiting(
  runs: readonly Run[],
  difference: Difference,
  simulator: PodSimulator,
  meter: WorkMeter,
  now: number,
): ReadonlyMap<PodSet, SimulatedStep['placed']> {
  const done = new Map<PodSet, { pod: Pod; node: string }[]>();
  const waiting = runs
    .flatMap(({ podSet }) => podSet.waiting().map((pod) => ({ pod, podSet })))
    .sort((a, b) => (b.pod.spec.priority ?? 0) - (a.pod.spec.priority ?? 0) || byCreation(a.pod, b.pod));
  for (const { pod, podSet } of waiting) {
    if (meter.isExhausted()) break;
    meter.spend(1);
    const node = simulator.placementOf(pod, difference);
    meter.spend(simulator.takeWork?.() ?? 0);
    if (node === undefined) continue;
    const settled = placed(pod, node, now);
    podSet.replace(pod, settled);
    done.set(podSet, [...(done.get(podSet) ?? []), { pod: settled, node }]);
  }
  return done;
}

/** The difference of all pod sets together, as one object that goes on changing with them. */
function joined(podSets: readonly PodSet[]): Difference {
  const changed: string[] = [];
  const read = podSets.map(() => 0);
  const differences = podSets.map(({ difference }) => difference);
  const nodes = differences.flatMap(({ byNode }) => byNode ?? []);
  const readChanges = (): readonly string[] => {
    for (const [at, { changed: own }] of nodes.entries()) {
      for (const node of own.slice(read[at])) changed.push(node);
      read[at] = own.length;
    }
    return changed;
  };
  return {
    get gone() {
      return differences.flatMap(({ gone }) => [...gone]);
    },
    get leaving() {
      return differences.flatMap(({ leaving = [] }) => [...leaving]);
    },
    get placed() {
      return differences.flatMap(({ placed: pods }) => [...pods]);
    },
    get created() {
      return differences.flatMap(({ created }) => [...created]);
    },
    byNode: {
      get changed() {
        return readChanges();
      },
      goneFrom: (node) => nodes.flatMap(({ goneFrom }) => [...goneFrom(node)]),
      placedOn: (node) => nodes.flatMap(({ placedOn }) => [...placedOn(node)]),
    },
  };
}
