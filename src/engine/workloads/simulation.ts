import type { Pod } from '../objects/pod.js';
import type { WorkBudget } from '../objects/work-budget.js';
import type { DeploymentAction } from './deployment-writes.js';
import { createPodSet, type PodSet } from './pod-set.js';
import type { PodSimulator } from './pod-simulator.js';
import {
  atWholeSecond,
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

/** Whether the API server would create the pod beside `pods`. */
export type Admission = (pod: Pod, pods: readonly Pod[]) => boolean;

/** What the controllers have done before they came to rest. */
export interface Acted<State> {
  readonly state: State;
  readonly actions: readonly DeploymentAction[];
  readonly created: readonly Pod[];
  /** Victims in the order chosen, as they were before. */
  readonly deleted: readonly Pod[];
  /** Pods the controller may have taken in place of some victims. */
  readonly orElse: readonly Pod[];
  /** Wanted now, but not admitted. */
  readonly refused: readonly Pod[];
  /** False: they were stopped before they had nothing left to do. */
  readonly isAtRest: boolean;
}

/** A workload's controllers, as the simulation drives them. */
export interface ControllerModel<State extends Simulated> {
  /** Acts on the pod set, which holds the pods in place of `state.pods`. */
  act(podSet: PodSet, state: State, admits: (pod: Pod) => boolean, meter: WorkMeter): Acted<State>;
  isComplete(state: State): boolean;
  /**
   * The state once the controllers' own next delay is over, asked for when no pod changes any longer; left
   * out: none.
   */
  afterDelay?(state: State): State | undefined;
  /** Those that serve, where not every ready pod does by itself. */
  readyAmong?(pods: readonly Pod[]): number;
  readonly minReadySeconds: number;
}

type Simulated = { readonly pods: readonly Pod[]; readonly now: number };

/** What happened at one moment. */
export interface SimulatedStep {
  /** Seconds since the start. */
  readonly at: number;
  /** Pods that left the API server, became ready, or available, by the passing of time. */
  readonly gone: readonly Pod[];
  readonly becameReady: readonly Pod[];
  readonly actions: readonly DeploymentAction[];
  readonly deleted: readonly Pod[];
  readonly orElse: readonly Pod[];
  readonly created: readonly Pod[];
  readonly refused: readonly Pod[];
  readonly placed: readonly { readonly pod: Pod; readonly node: string }[];
  /** Active pods that are ready, and available, afterwards; of a kind with groups, those of whole ones. */
  readonly ready: number;
  readonly available: number;
}

export interface SimulationOptions {
  /** Seconds from placement to readiness; left out: the median seen on the workload's pods. */
  readonly startSeconds?: number;
  /** Left out: `defaultSimulationBudget`. */
  readonly budget?: SimulationBudget;
}

export interface SimulationResult<State> {
  readonly steps: readonly SimulatedStep[];
  readonly end: State;
  /** `too-large`: the budget was used up before nothing was under way any more. */
  readonly ends: 'complete' | 'stuck' | 'too-large';
  /** The limit that was reached; only where it ends `too-large`. */
  readonly limit: SimulationLimit | undefined;
  /**
   * Seconds until the last step; `undefined` when a pod's start was waited for whose length nobody has seen.
   */
  readonly seconds: number | undefined;
}

/**
 * Plays a rollout forward: the controllers act until they rest, pods are placed as the simulator says, then
 * the next event that time brings (a deleted pod goes, a placed one becomes ready, a ready one available),
 * until nothing is under way. Deterministic, and bounded by the budget.
 */
export function simulate<State extends Simulated>(
  from: State,
  model: ControllerModel<State>,
  simulator: PodSimulator,
  options: SimulationOptions = {},
): SimulationResult<State> {
  const start = atWholeSecond(from);
  const meter = createWorkMeter(options.budget ?? defaultSimulationBudget, simulator.work);
  meter.notePods(start.pods.length);
  const tooLarge = (state: State, steps: readonly SimulatedStep[]): SimulationResult<State> => ({
    steps,
    end: state,
    ends: 'too-large',
    limit: meter.reached() ?? 'syncs',
    seconds: undefined,
  });
  if (meter.isExhausted()) return tooLarge(start, []);
  const podSet = createPodSet(start.pods);
  const { difference } = podSet;
  const timetable = timetableOf(start, options.startSeconds);
  const placeWaiting = createPlacing(podSet, simulator, meter);
  const { minReadySeconds } = model;
  const steps: SimulatedStep[] = [];
  let state = start;
  let passed: Passed = { gone: [], becameReady: [] };
  const admits = (pod: Pod): boolean => {
    const isAdmitted = simulator.admits?.(pod, difference) ?? true;
    meter.spend(simulator.takeWork?.() ?? 0);
    return isAdmitted;
  };
  while (!meter.isExhausted()) {
    const { now } = state;
    meter.noteStep();
    const acted = model.act(podSet, state, admits, meter);
    state = acted.state;
    if (!acted.isAtRest) break;
    const placements = placeWaiting(now);
    noteDeletions(timetable, acted.deleted.length === 0 ? [] : podSet.moving(minReadySeconds, now));
    if (steps.length === 0) noteStarting(timetable, start, simulator, difference);
    for (const pod of podSet.starting()) {
      if (timetable.readyAt.has(pod.metadata.uid)) continue;
      meter.spend(1);
      if (simulator.becomesReady(pod, pod.spec.nodeName ?? '', difference)) noteStart(timetable, pod, now);
    }
    meter.spend(simulator.takeWork?.() ?? 0);
    if (meter.isExhausted()) break;
    const at = (now - start.now) / 1000;
    const { created, deleted, orElse, refused, actions } = acted;
    const ready = model.readyAmong?.(podSet.all()) ?? podSet.ready();
    const counts = { ready, available: podSet.countAvailable(minReadySeconds, now) };
    steps.push({ at, ...passed, actions, deleted, orElse, created, refused, placed: placements, ...counts });
    const moving = podSet.moving(minReadySeconds, now);
    meter.spend(moving.length);
    const next = nextEvent(timetable, moving, minReadySeconds, now);
    const later = next === undefined ? model.afterDelay?.({ ...state, pods: podSet.all() }) : undefined;
    if (later !== undefined) {
      passed = { gone: [], becameReady: [] };
      state = later;
      continue;
    }
    if (next === undefined) {
      const ends = model.isComplete({ ...state, pods: podSet.all() }) ? 'complete' : 'stuck';
      const seconds = isGuess(timetable) ? undefined : at;
      return { steps, end: { ...state, pods: podSet.all() }, ends, limit: undefined, seconds };
    }
    passed = letTimePass(podSet, passTime(timetable, moving, next));
    state = { ...state, now: next };
  }
  return tooLarge({ ...state, pods: podSet.all() }, steps);
}

function letTimePass(podSet: PodSet, { passed, readied }: ReturnType<typeof passTime>): Passed {
  for (const [before, after] of readied) podSet.replace(before, after);
  const gone = [...passed.gone].sort(podSet.byPosition);
  const becameReady = [...passed.becameReady].sort(podSet.byPosition);
  for (const pod of gone) podSet.remove(pod);
  return { gone, becameReady };
}

/**
 * Places waiting pods in the order of their creation; each sees those placed before it. Of pods that are
 * alike, the first that finds no node answers for the others until a pod comes to a node or leaves one.
 */
function createPlacing(
  podSet: PodSet,
  simulator: PodSimulator,
  meter: WorkMeter,
): (now: number) => SimulatedStep['placed'] {
  const { difference } = podSet;
  /** When it was refused: the number of changes of nodes until then. */
  const refusedAt = new Map<string, number>();
  const likenesses = new WeakMap<Pod, string | undefined>();
  const likenessOf = (pod: Pod): string | undefined => {
    if (simulator.likenessOf === undefined) return undefined;
    if (!likenesses.has(pod)) likenesses.set(pod, simulator.likenessOf(pod));
    return likenesses.get(pod);
  };
  return (now) => {
    const done: { pod: Pod; node: string }[] = [];
    for (const pod of podSet.waiting()) {
      if (meter.isExhausted()) break;
      meter.spend(1);
      const likeness = likenessOf(pod);
      const changes = difference.byNode?.changed.length ?? 0;
      if (likeness !== undefined && refusedAt.get(likeness) === changes) continue;
      const node = simulator.placementOf(pod, difference);
      meter.spend(simulator.takeWork?.() ?? 0);
      if (node === undefined) {
        if (likeness !== undefined) refusedAt.set(likeness, changes);
        continue;
      }
      const settled = placed(pod, node, now);
      podSet.replace(pod, settled);
      done.push({ pod: settled, node });
    }
    return done;
  };
}

/**
 * How much one simulation may take. The limits are published in docs/engines.md. Each is far above what a
 * rollout in a cluster of 5,000 nodes needs, and low enough that one object cannot keep a worker busy.
 */
export interface SimulationBudget {
  /**
   * Replicas up to which each pod is simulated by itself; those of a larger Deployment are counted where
   * possible.
   */
  readonly maxSimulated: number;
  /** Pods that exist and are created, in all. */
  readonly maxPods: number;
  /** ReplicaSets, or ControllerRevisions, of the workload. */
  readonly maxRevisions: number;
  /** Moments at which something happens. */
  readonly maxSteps: number;
  /** Pods, ReplicaSets and nodes that are examined, each as often as it is examined. */
  readonly maxWork: number;
}

export const defaultSimulationBudget: SimulationBudget = {
  maxSimulated: 200,
  maxPods: 6_000,
  maxRevisions: 2_000,
  maxSteps: 10_000,
  maxWork: 10_000_000,
};

/**
 * The limit that a simulation reached. `syncs`: the controllers were not at rest after so many syncs of one
 * moment. `claims`: the volume claims of a StatefulSet that a check makes up. `diagnosis`: the work of the
 * whole diagnosis was spent (`WorkBudget`).
 */
const simulationLimits = ['pods', 'revisions', 'steps', 'work', 'syncs', 'claims', 'diagnosis'] as const;
export type SimulationLimit = (typeof simulationLimits)[number];

/** Counts what a simulation takes. Written by that simulation only. */
export interface WorkMeter {
  /** Records work: pods, ReplicaSets and nodes examined. */
  readonly spend: (units: number) => void;
  readonly notePods: (count: number) => void;
  readonly noteStep: () => void;
  /** True once a limit is reached. It never becomes false again. */
  readonly isExhausted: () => boolean;
  /** The limit that was reached first. */
  readonly reached: () => SimulationLimit | undefined;
}

/** @param shared the budget of the diagnosis that the simulation belongs to, if any */
export function createWorkMeter(budget: SimulationBudget, shared?: WorkBudget): WorkMeter {
  let work = 0;
  let pods = 0;
  let steps = 0;
  let reached: SimulationLimit | undefined;
  const limitOf = (): SimulationLimit | undefined => {
    if (pods > budget.maxPods) return 'pods';
    if (steps > budget.maxSteps) return 'steps';
    if (work > budget.maxWork) return 'work';
    return shared?.isSpent() ? 'diagnosis' : undefined;
  };
  return {
    spend: (units) => {
      work += units;
      shared?.spend(units);
    },
    notePods: (count) => {
      pods += count;
    },
    noteStep: () => {
      steps += 1;
    },
    isExhausted: () => {
      reached ??= limitOf();
      return reached !== undefined;
    },
    reached: () => reached,
  };
}

/** For one act of a controller, which ends by itself. */
export const neverExhausted: WorkMeter = {
  spend: () => undefined,
  notePods: () => undefined,
  noteStep: () => undefined,
  isExhausted: () => false,
  reached: () => undefined,
};
