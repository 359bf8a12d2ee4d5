import { isActive, isAvailable, isReady, type Pod } from '../cluster/pod.js';
import { byCreation } from './creation-order.js';
import type { DeploymentAction } from './deployment-action.js';
import type { Difference, PodOracle } from './pod-oracle.js';
import { hasNode, placed } from './simulated-pods.js';
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
}

/** A workload's controllers, as the simulation drives them. */
export interface ControllerModel<State extends Simulated> {
  act(state: State, admits: Admission): Acted<State>;
  isComplete(state: State): boolean;
  readonly minReadySeconds: number;
}

interface Simulated {
  readonly pods: readonly Pod[];
  readonly now: number;
}

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
  /** Active pods that are ready, and available, afterwards. */
  readonly ready: number;
  readonly available: number;
}

export interface SimulationOptions {
  /** Seconds from placement to readiness; left out: the median seen on the workload's pods. */
  readonly startSeconds?: number;
  /** Moments to simulate at most; left out: 500. */
  readonly maxSteps?: number;
}

export interface SimulationResult<State> {
  readonly steps: readonly SimulatedStep[];
  readonly end: State;
  readonly ends: 'complete' | 'stuck' | 'unfinished';
  /** Seconds until the last step; `undefined` when a pod's start was waited for whose length nobody has seen. */
  readonly seconds: number | undefined;
}

/**
 * Plays a rollout forward: the controllers act until they rest, pods are placed as the oracle says, then the next
 * event that time brings (a deleted pod goes, a placed one becomes ready, a ready one available), until nothing is
 * under way. Deterministic; bounded by `maxSteps`.
 */
export function simulate<State extends Simulated>(
  start: State,
  model: ControllerModel<State>,
  oracle: PodOracle,
  options: SimulationOptions = {},
): SimulationResult<State> {
  const difference = differenceFrom(start.pods);
  const timetable = timetableOf(start, options.startSeconds);
  const steps: SimulatedStep[] = [];
  let state = start;
  let passed: Passed = { gone: [], becameReady: [] };
  for (let count = 0; count < (options.maxSteps ?? 500); count += 1) {
    const acted = model.act(state, (pod, pods) => oracle.admits?.(pod, difference(pods)) ?? true);
    const placement = placeWaiting(acted.state.pods, state.now, oracle, difference(acted.state.pods));
    state = { ...acted.state, pods: placement.pods };
    noteDeletions(timetable, state.pods);
    const differs = difference(state.pods);
    if (count === 0) noteStarting(timetable, start, oracle, differs);
    for (const pod of state.pods.filter(isStarting)) {
      if (timetable.readyAt.has(pod.metadata.uid)) continue;
      if (oracle.becomesReady(pod, pod.spec.nodeName ?? '', differs)) noteStart(timetable, pod, state.now);
    }
    const { created, deleted, orElse, refused, actions } = acted;
    const { placed } = placement;
    const at = (state.now - start.now) / 1000;
    const counts = serving(state.pods, model.minReadySeconds, state.now);
    steps.push({ at, ...passed, actions, deleted, orElse, created, refused, placed, ...counts });
    const next = nextEvent(timetable, state.pods, model.minReadySeconds, state.now);
    if (next === undefined) {
      const ends = model.isComplete(state) ? 'complete' : 'stuck';
      return { steps, end: state, ends, seconds: isGuess(timetable) ? undefined : at };
    }
    const after = passTime(timetable, state.pods, next);
    passed = after.passed;
    state = { ...state, pods: after.pods, now: next };
  }
  return { steps, end: state, ends: 'unfinished', seconds: undefined };
}

/** Has a node and is not ready: what keeps it from that may go later, so it is asked about again. */
function isStarting(pod: Pod): boolean {
  return isActive(pod) && hasNode(pod) && !isReady(pod);
}

/** Waiting pods in the order of their creation; each sees those placed before it. */
function placeWaiting(
  pods: readonly Pod[],
  now: number,
  oracle: PodOracle,
  { placed: before, ...rest }: Difference,
): { readonly pods: readonly Pod[]; readonly placed: SimulatedStep['placed'] } {
  const settledPods = new Map<Pod, Pod>();
  const done: { pod: Pod; node: string }[] = [];
  const waiting = pods.filter((pod) => isActive(pod) && !hasNode(pod)).sort(byCreation);
  for (const pod of waiting) {
    const node = oracle.placementOf(pod, { ...rest, placed: [...before, ...settledPods.values()] });
    if (node === undefined) continue;
    const settled = placed(pod, node, now);
    settledPods.set(pod, settled);
    done.push({ pod: settled, node });
  }
  return { pods: pods.map((pod) => settledPods.get(pod) ?? pod), placed: done };
}

function differenceFrom(observed: readonly Pod[]): (pods: readonly Pod[]) => Difference {
  const observedByUid = new Map(observed.map((pod) => [pod.metadata.uid, pod]));
  return (pods) => {
    const present = new Set(pods.map(({ metadata }) => metadata.uid));
    return {
      gone: observed.filter(({ metadata }) => !present.has(metadata.uid)),
      placed: pods.filter((pod) => {
        const before = observedByUid.get(pod.metadata.uid);
        return hasNode(pod) && (before === undefined || !hasNode(before));
      }),
      created: pods.filter(({ metadata }) => !observedByUid.has(metadata.uid)),
    };
  };
}

function serving(pods: readonly Pod[], minReadySeconds: number, now: number) {
  const ready = pods.filter((pod) => isActive(pod) && isReady(pod));
  const available = ready.filter((pod) => isAvailable(pod, minReadySeconds, now));
  return { ready: ready.length, available: available.length };
}
