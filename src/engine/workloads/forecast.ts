import type { ObjectRef } from '../objects/metadata.js';
import { hasNode, isActive, isReady, isTerminal, type Pod } from '../objects/pod.js';
import type { PodTemplate } from '../objects/pod-spec.js';
import type { ReplicaSet } from '../objects/workload.js';
import type { UpdateEnd } from './argo-rollout/rollout-change.js';
import { type Downtime, downtimeOf, forecastBesideOthers } from './contested-forecast.js';
import type { CountedPods, CountedTimes, OwnPods } from './counted-pods.js';
import { activeCount, countPods, sumOf } from './counted-pods.js';
import type { CountedRollout } from './counted-rollout.js';
import { playCounted } from './counted-rollout.js';
import { actDeploymentOn, deploymentIsComplete } from './deployment-model.js';
import type { Difference, PodSimulator } from './pod-simulator.js';
import { podsByOwnerOf, podsOfReplicaSet } from './revisions.js';
import { changedState, type DeploymentChange } from './rollout-change.js';
import type { ArgoRolloutState, DeploymentState } from './rollout-state.js';
import { atWholeSecond, type SimulatedOwner, simulatedPod, timetableOf } from './simulated-pods.js';
import type {
  ControllerModel,
  SimulatedStep,
  SimulationBudget,
  SimulationLimit,
  SimulationOptions,
  SimulationResult,
  WorkMeter,
} from './simulation.js';
import { createWorkMeter, defaultSimulationBudget, simulate } from './simulation.js';

/** What would follow from a change. */
export interface Forecast {
  /**
   * `complete`: every wanted pod is of the new revision and available. `stuck`: nothing moves any more, and
   * it is not complete. `contested`: it completes unless `winners` get what becomes free. `too-large`: the
   * budget was used up first, so that the end is not known. `unknown`: pods that exist could not be read, or
   * the change names something that is not there; nothing was simulated.
   */
  readonly ends: 'complete' | 'contested' | 'stuck' | 'too-large' | 'unknown';
  /** The limit that was reached; only where it ends `too-large`. */
  readonly limit: SimulationLimit | undefined;
  /**
   * True: the pods were counted, so that `steps`, `placements` and `waiting` are at most those of the first
   * moments, and `victims` begin with the first ones and are then in no order.
   */
  readonly isCounted?: true;
  readonly steps: readonly SimulatedStep[];
  /** Observed pods that the controllers delete, first ones first. */
  readonly victims: readonly Pod[];
  /** Observed pods they might delete in place of some of those: no rule tells them apart. */
  readonly orElse: readonly Pod[];
  /** Where waiting and new pods go, in order. */
  readonly placements: readonly { readonly pod: Pod; readonly node: string }[];
  /** `undefined` when nothing was simulated. */
  readonly downtime: Downtime | undefined;
  /** Seconds until it ends; `undefined` where a length was never seen. */
  readonly seconds: number | undefined;
  /** Active pods that are not ready at the end. */
  readonly waiting: readonly Pod[];
  /**
   * Waiting pods of other workloads, and workloads whose pods a quota refuses, that could take what becomes
   * free before the workload's own, first ones first; absent where there are none. The downtime is then the
   * one that follows if they do.
   */
  readonly winners?: readonly ObjectRef[];
  /**
   * `unknown` because several rules of the StatefulSet controller may apply, and the rollout completes under
   * some of them.
   */
  readonly dependsOnRule?: true;
  /** Of a Rollout of Argo Rollouts that completes. */
  readonly updateEnd?: UpdateEnd;
}

/**
 * Plays the Deployment's rollout forward under a hypothetical change. `simulator` says where pods are placed
 * and whether they become ready; everything else is the controllers'. A large rollout whose pods are
 * interchangeable is counted (`countedForecast`): its end, impact and times are the same as if each pod had
 * been simulated, `steps` and `placements` are only the first ones.
 */
export function nextSteps(
  state: DeploymentState,
  change: DeploymentChange,
  simulator: PodSimulator,
  options: SimulationOptions = {},
): Forecast {
  const revisions = tooManyRevisions(state.replicaSets, options);
  if (revisions !== undefined) return revisions;
  const start = changedState(state, change);
  if (start === undefined || podsAreUnseen(state)) return unknownForecast;
  return forecastBesideOthers(state.pods, simulator, (each) =>
    deploymentForecast(state, start, each, options),
  );
}

function deploymentForecast(
  state: DeploymentState,
  start: DeploymentState,
  simulator: PodSimulator,
  options: SimulationOptions,
): Forecast {
  const budget = options.budget ?? defaultSimulationBudget;
  if (Math.max(largestSize(start), start.pods.length) <= budget.maxSimulated) {
    return steppedForecast(state, start, simulator, options);
  }
  const meter = createWorkMeter(budget, simulator.work);
  const counted = countedForecast(start, readyCount(state.pods), simulator, options, meter);
  const exceeds = willExceed(largestSize(start), simulator, options);
  if (counted !== undefined && (counted.ends === 'complete' || exceeds)) {
    const few = { ...options, budget: firstStepsBudget(start, budget) };
    const first = steppedForecast(state, start, simulator, few);
    return first.ends === 'too-large' ? withCounts(first, counted) : first;
  }
  if (exceeds) return tooLargeForecast('pods');
  const stepped = steppedForecast(state, start, simulator, options);
  return stepped.ends === 'too-large' && counted !== undefined ? withCounts(stepped, counted) : stepped;
}

/** Every pod simulated by itself, whatever their number; `start`: `state` right after the change. */
export function steppedForecast(
  state: DeploymentState,
  start: DeploymentState,
  simulator: PodSimulator,
  options: SimulationOptions = {},
): Forecast {
  const result = simulate(start, deploymentModel(start), simulator, options);
  return forecastOf(state.pods, readyCount(state.pods), start.deployment.spec.replicas, result);
}

/** Enough to see whom the controllers stop first, and where the first pod goes. */
function firstStepsBudget({ pods }: DeploymentState, budget: SimulationBudget): SimulationBudget {
  return { ...budget, maxPods: pods.length + budget.maxSimulated, maxSteps: 4 };
}

/** The end and the impact as counted, with what is known of the first steps. */
function withCounts(first: Forecast, counted: CountedForecast): Forecast {
  const { ends, downtime, seconds } = counted;
  const known = new Set(first.victims);
  const others = (counted.victims ?? []).filter((pod) => !known.has(pod));
  return {
    ...first,
    ends,
    limit: counted.limit,
    victims: [...first.victims, ...others],
    orElse: [],
    downtime,
    seconds,
    isCounted: true,
  };
}

/** Pods that the controllers create at once, or are about to. */
function largestSize({ deployment, replicaSets }: DeploymentState): number {
  return replicaSets.reduce(
    (largest, { spec }) => Math.max(largest, spec.replicas),
    deployment.spec.replicas,
  );
}

/** Known without a step: where nothing refuses their creation, so many pods would use the budget up. */
export function willExceed(pods: number, { admits }: PodSimulator, { budget }: SimulationOptions): boolean {
  return admits === undefined && pods > (budget ?? defaultSimulationBudget).maxPods;
}

/** ReplicaSets or ControllerRevisions: each sync of a controller reads all of them. */
export function tooManyRevisions(
  revisions: readonly unknown[],
  { budget }: SimulationOptions,
): Forecast | undefined {
  const { maxRevisions } = budget ?? defaultSimulationBudget;
  return revisions.length > maxRevisions ? tooLargeForecast('revisions') : undefined;
}

/** The Deployment and ReplicaSet controllers, as a simulation drives them. */
export function deploymentModel(state: DeploymentState): ControllerModel<DeploymentState> {
  const { minReadySeconds } = state.deployment.spec;
  return { act: actDeploymentOn, isComplete: deploymentIsComplete, minReadySeconds };
}

/** ReplicaSets could not be read, or one reports pods and none of them is known. */
export function podsAreUnseen(state: DeploymentState | ArgoRolloutState): boolean {
  if (state.unread !== undefined) return true;
  return state.replicaSets.some(
    (replicaSet) => replicaSet.status.replicas > 0 && podsOfReplicaSet(state, replicaSet).length === 0,
  );
}

/** The summary of a simulation; `observed`: the pods before the change. */
export function forecastOf(
  observed: readonly Pod[],
  readyBefore: number,
  replicas: number,
  result: SimulationResult<{ readonly pods: readonly Pod[] }>,
): Forecast {
  const byUid = new Map(observed.map((pod) => [pod.metadata.uid, pod]));
  const known = (pods: readonly Pod[]) =>
    pods.map(({ metadata }) => byUid.get(metadata.uid)).filter((pod) => pod !== undefined);
  const victims = known(result.steps.flatMap(({ deleted }) => deleted));
  const chosen = new Set(victims);
  const orElse = new Set<Pod>();
  for (const step of result.steps) {
    for (const pod of known(step.orElse)) if (!chosen.has(pod)) orElse.add(pod);
  }
  return {
    ends: result.ends,
    limit: result.limit,
    steps: result.steps,
    victims,
    orElse: [...orElse],
    placements: result.steps.flatMap(({ placed }) => placed),
    downtime: downtimeOf(readyBefore, replicas, result.steps, result.seconds !== undefined),
    seconds: result.seconds,
    waiting: result.end.pods.filter((pod) => isActive(pod) && !isReady(pod)),
  };
}

export const unknownForecast: Forecast = {
  ends: 'unknown',
  limit: undefined,
  steps: [],
  victims: [],
  orElse: [],
  placements: [],
  downtime: undefined,
  seconds: undefined,
  waiting: [],
};

/** Nothing was simulated, since so much is known to be beyond a limit. */
export function tooLargeForecast(limit: SimulationLimit): Forecast {
  return { ...unknownForecast, ends: 'too-large', limit };
}

/** Active pods that are ready. */
export function readyCount(pods: readonly Pod[]): number {
  return pods.filter((pod) => isActive(pod) && isReady(pod)).length;
}

/** What a rollout comes to, without the names of its pods. */
export interface CountedForecast {
  readonly ends: 'complete' | 'stuck' | 'too-large';
  /** The limit that was reached; only where it ends `too-large`. */
  readonly limit: SimulationLimit | undefined;
  /** `undefined` where a length was never seen. */
  readonly seconds: number | undefined;
  readonly downtime: Downtime;
  /**
   * Observed pods that the controllers delete, in no order; `undefined`: some pods of a ReplicaSet, not all.
   */
  readonly victims: readonly Pod[] | undefined;
  /** Pods without a node at the end. */
  readonly waiting: number;
}

const nothingChanged: Difference = { gone: [], placed: [], created: [] };

/**
 * The end and the impact of a Deployment's rollout, with pods counted and not simulated one by one.
 * `undefined` where the counts do not decide: pods are not interchangeable (`PodSimulator.countPlaces`), a
 * quota may refuse them, or they differ in what the controllers and time do to them.
 *
 * @param from right after the change
 * @param readyBefore ready pods before the change
 */
export function countedForecast(
  from: DeploymentState,
  readyBefore: number,
  simulator: PodSimulator,
  { startSeconds }: SimulationOptions,
  meter: WorkMeter,
): CountedForecast | undefined {
  const start = atWholeSecond(from);
  const { deployment, replicaSets, now } = start;
  if (simulator.admits !== undefined || simulator.countPlaces === undefined) return undefined;
  if ((deployment.spec.template.spec.nodeName ?? '') !== '') return undefined;
  meter.spend(start.pods.length + replicaSets.length);
  const byOwner = podsByOwnerOf(start);
  const counted = replicaSets.reduce(
    (sum, { metadata }) => sum + (byOwner.get(metadata.uid)?.length ?? 0),
    0,
  );
  if (counted !== start.pods.length) return undefined;
  const unborn = unbornOwner(start);
  const samples = new Map(
    [...replicaSets, unborn].map((owner) => [
      owner.metadata.uid,
      samplesOf(owner, byOwner.get(owner.metadata.uid) ?? [], start),
    ]),
  );
  const waiting = start.pods.filter((pod) => isActive(pod) && !hasNode(pod));
  const wanted = [...waiting, ...[...samples.values()].flat()];
  const places = simulator.countPlaces(start.pods, wanted);
  meter.spend(simulator.takeWork?.() ?? 0);
  if (places === undefined) return undefined;
  const [firstPlace] = places.keys();
  const becomesReady = readinessAmong([...places.keys()], simulator, meter);
  const timetable = timetableOf({ pods: start.pods, now }, startSeconds);
  const times: CountedTimes = {
    now,
    startMilliseconds: timetable.startMilliseconds,
    cleanUpMilliseconds: timetable.cleanUpMilliseconds,
    minReadySeconds: deployment.spec.minReadySeconds,
  };
  const pods = new Map<string, CountedPods>();
  let ownerless: Omit<OwnPods, 'prefix'> | undefined;
  for (const owner of [unborn, ...replicaSets]) {
    const own = ownOf(samples.get(owner.metadata.uid) ?? [], becomesReady);
    if (own === undefined) return undefined;
    if (owner === unborn) {
      ownerless = own;
      continue;
    }
    const observed = byOwner.get(owner.metadata.uid) ?? [];
    const startsReady = (pod: Pod): boolean => {
      const node = hasNode(pod) ? pod.spec.nodeName : firstPlace;
      return node === undefined ? own.becomesReady : simulator.becomesReady(pod, node, nothingChanged);
    };
    const of = countPods(observed, times, { ...own, prefix: `${owner.metadata.name}-` }, startsReady);
    if (of === undefined) return undefined;
    pods.set(owner.metadata.uid, of);
  }
  if (ownerless === undefined) return undefined;
  const onNodes = start.pods.filter((pod) => hasNode(pod) && !isTerminal(pod)).length;
  const rollout: CountedRollout = {
    state: { ...start, pods: [] },
    now,
    pods,
    free: [...places.values()].reduce((sum, count) => sum + count, 0) - onNodes,
    times,
    moved: 0,
    hasStarts: [...pods.values()].some(({ starting }) => starting.some(({ at }) => Number.isFinite(at))),
  };
  if (!Number.isSafeInteger(rollout.free)) return undefined;
  const { ends, seconds, impact } = playCounted(rollout, ownerless, readyBefore, meter);
  if (ends === 'uncountable') return undefined;
  const isKnown = !(timetable.guessed && rollout.hasStarts);
  return {
    ends,
    limit: ends === 'too-large' ? (meter.reached() ?? 'syncs') : undefined,
    seconds: isKnown && ends !== 'too-large' ? seconds : undefined,
    downtime: impact.downtime(isKnown && ends !== 'too-large'),
    victims: victimsOf(start, rollout.pods),
    waiting: [...rollout.pods.values()].reduce((sum, each) => sum + sumOf(each.waiting), 0),
  };
}

type Owner = SimulatedOwner & { readonly spec: { readonly template: PodTemplate } };

/** The ReplicaSet that the controller creates for a template that none has. */
function unbornOwner({ deployment }: DeploymentState): Owner {
  const { name, namespace } = deployment.metadata;
  const metadata = { name, namespace, uid: `simulated:${name}` };
  return { kind: 'ReplicaSet', metadata, spec: { template: deployment.spec.template } };
}

/** Pods as the ReplicaSet creates them: by its template alone, and like any of its observed pods. */
function samplesOf(
  owner: Owner | ReplicaSet,
  observed: readonly Pod[],
  { now }: DeploymentState,
): readonly Pod[] {
  const name = `${owner.metadata.name}-next-1`;
  return [undefined, ...observed].map((like) => simulatedPod(owner, owner.spec.template, name, now, like));
}

/** Whether a pod becomes ready wherever it is placed; `undefined`: on some nodes only. */
function readinessAmong(
  nodes: readonly string[],
  simulator: PodSimulator,
  meter: WorkMeter,
): (pod: Pod) => boolean | undefined {
  return (pod) => {
    meter.spend(nodes.length);
    const [first, ...others] = nodes;
    // Without a place anywhere it is never asked.
    if (first === undefined) return true;
    const answer = simulator.becomesReady(pod, first, nothingChanged);
    return others.every((node) => simulator.becomesReady(pod, node, nothingChanged) === answer)
      ? answer
      : undefined;
  };
}

/** What holds for all pods of one owner; `undefined` where they differ. */
function ownOf(
  samples: readonly Pod[],
  becomesReady: (pod: Pod) => boolean | undefined,
): Omit<OwnPods, 'prefix'> | undefined {
  const [first, ...others] = samples.slice(0, 2).map((pod) => ({
    graceSeconds: Math.max(1, pod.spec.terminationGracePeriodSeconds),
    becomesReady: becomesReady(pod),
    hasNode: hasNode(pod),
  }));
  if (first === undefined || first.becomesReady === undefined || first.hasNode) return undefined;
  const { graceSeconds } = first;
  // The grace periods of all observed pods are compared where they are counted.
  const isAlike = others.every(
    (other) => other.graceSeconds === graceSeconds && other.becomesReady === first.becomesReady,
  );
  return isAlike ? { graceSeconds, becomesReady: first.becomesReady } : undefined;
}

/** Known where a ReplicaSet has lost none of its pods, or all. */
function victimsOf(
  start: DeploymentState,
  pods: ReadonlyMap<string, CountedPods>,
): readonly Pod[] | undefined {
  const victims: Pod[] = [];
  for (const [uid, counted] of pods) {
    if (counted.deleted === 0) continue;
    if (activeCount(counted) > 0) return undefined;
    for (const pod of podsByOwnerOf(start).get(uid) ?? []) if (isActive(pod)) victims.push(pod);
  }
  return victims;
}
