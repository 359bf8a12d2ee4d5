import type { Pod } from '../cluster/pod.js';
import { byCreation } from './creation-order.js';
import type { Difference, PodOracle } from './pod-oracle.js';
import type { RolloutState } from './rollout-state.js';
import { createRoster, type Roster } from './roster.js';
import { placed } from './simulated-pods.js';
import {
  isGuess,
  nextEvent,
  noteDeletions,
  noteStart,
  noteStarting,
  type Passed,
  passTime,
  timetableOf,
} from './simulated-time.js';
import type { ControllerModel, SimulatedStep, SimulationResult } from './simulation.js';
import { createWorkMeter, type SimulationBudget, type WorkMeter } from './simulation-budget.js';

/**
 * Bounds one simulation of several rollouts. A cycle of rollouts is small, and a diagnosis makes a few dozen of these,
 * so each may take only a part of the work that a simulation of one rollout may take. Published in docs/engines.md.
 */
const jointSimulationBudget: SimulationBudget = {
  maxSimulated: 200,
  maxPods: 600,
  maxRevisions: 2_000,
  maxSteps: 1_000,
  maxWork: 400_000,
};

/** One workload of a joint simulation: its state right after the change, and its controllers. */
export interface JointStart<State extends RolloutState = RolloutState> {
  readonly state: State;
  readonly model: ControllerModel<State>;
}

type MemberResult = SimulationResult<{ readonly pods: readonly Pod[] }>;

/**
 * Plays several rollouts forward in one cluster: at each moment all controllers act until they rest, then the scheduler
 * places the waiting pods of all workloads, the highest priority first and then the oldest, then the next event comes.
 * Deterministic, and bounded by `jointSimulationBudget`.
 *
 * @param oracle answers for pods of all workloads
 * @returns one result for each member, in the same order; all end `too-large` where the budget was used up
 */
export function simulateJointly(
  starts: readonly Member[],
  oracle: PodOracle,
  budget: SimulationBudget = jointSimulationBudget,
): readonly MemberResult[] {
  const meter = createWorkMeter(budget, oracle.work);
  const runs = starts.map((start) => start.run(oracle, meter));
  const difference = joined(runs.map(({ roster }) => roster));
  const begun = starts[0]?.now ?? 0;
  let now = begun;
  while (!meter.isExhausted()) {
    meter.noteStep();
    const atRest = runs.map((run) => run.act(now, difference)).every(Boolean);
    if (!atRest) break;
    const nodes = placeWaiting(runs, difference, oracle, meter, now);
    for (const run of runs) run.note(now, (now - begun) / 1000, difference, nodes);
    meter.spend(oracle.takeWork?.() ?? 0);
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
export interface Member {
  readonly now: number;
  readonly run: (oracle: PodOracle, meter: WorkMeter) => Run;
}

interface Run {
  readonly roster: Roster;
  /** False: the controllers were stopped before they had nothing left to do. */
  readonly act: (now: number, difference: Difference) => boolean;
  readonly note: (
    now: number,
    at: number,
    difference: Difference,
    nodes: ReadonlyMap<Roster, SimulatedStep['placed']>,
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
    run(oracle, meter) {
      const roster = createRoster(start.pods);
      const timetable = timetableOf(start, undefined);
      const { minReadySeconds } = model;
      const steps: SimulatedStep[] = [];
      let state = start;
      let acted: ReturnType<typeof model.act> | undefined;
      let passed: Passed = { gone: [], becameReady: [] };
      meter.notePods(start.pods.length);
      return {
        roster,
        act(now, difference) {
          const admits = (pod: Pod): boolean => oracle.admits?.(pod, difference) ?? true;
          acted = model.act(roster, { ...state, now }, admits, meter);
          state = acted.state;
          meter.spend(oracle.takeWork?.() ?? 0);
          return acted.isAtRest;
        },
        note(now, at, difference, nodes) {
          const { actions = [], deleted = [], orElse = [], created = [], refused = [] } = acted ?? {};
          noteDeletions(timetable, roster.moving(minReadySeconds, now));
          if (steps.length === 0) noteStarting(timetable, start, oracle, difference);
          for (const pod of roster.starting()) {
            if (timetable.readyAt.has(pod.metadata.uid)) continue;
            meter.spend(1);
            if (oracle.becomesReady(pod, pod.spec.nodeName ?? '', difference)) noteStart(timetable, pod, now);
          }
          steps.push({
            at,
            ...passed,
            actions,
            deleted,
            orElse,
            created,
            refused,
            placed: nodes.get(roster) ?? [],
            ready: roster.ready(),
            available: roster.countAvailable(minReadySeconds, now),
          });
        },
        next(now) {
          const moving = roster.moving(minReadySeconds, now);
          meter.spend(moving.length);
          return nextEvent(timetable, moving, minReadySeconds, now);
        },
        pass(until) {
          const moving = roster.moving(minReadySeconds, state.now);
          const { passed: events, readied } = passTime(timetable, moving, until);
          for (const [before, after] of readied) roster.replace(before, after);
          const gone = [...events.gone].sort(roster.byPosition);
          for (const pod of gone) roster.remove(pod);
          passed = { gone, becameReady: [...events.becameReady].sort(roster.byPosition) };
        },
        isGuess: () => isGuess(timetable),
        end(now) {
          const pods = roster.all();
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
  oracle: PodOracle,
  meter: WorkMeter,
  now: number,
): ReadonlyMap<Roster, SimulatedStep['placed']> {
  const done = new Map<Roster, { pod: Pod; node: string }[]>();
  const waiting = runs
    .flatMap(({ roster }) => roster.waiting().map((pod) => ({ pod, roster })))
    .sort((a, b) => (b.pod.spec.priority ?? 0) - (a.pod.spec.priority ?? 0) || byCreation(a.pod, b.pod));
  for (const { pod, roster } of waiting) {
    if (meter.isExhausted()) break;
    meter.spend(1);
    const node = oracle.placementOf(pod, difference);
    meter.spend(oracle.takeWork?.() ?? 0);
    if (node === undefined) continue;
    const settled = placed(pod, node, now);
    roster.replace(pod, settled);
    done.set(roster, [...(done.get(roster) ?? []), { pod: settled, node }]);
  }
  return done;
}

/** The difference of all rosters together, as one object that goes on changing with them. */
function joined(rosters: readonly Roster[]): Difference {
  const changed: string[] = [];
  const read = rosters.map(() => 0);
  const differences = rosters.map(({ difference }) => difference);
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
