import { hasNode, isActive, isTerminal, type Pod } from '../cluster/pod.js';
import type { PodTemplate } from '../cluster/pod-spec.js';
import type { ReplicaSet } from '../cluster/workload.js';
import {
  activeCount,
  type CountedPods,
  type CountedTimes,
  countPods,
  type OwnPods,
  sumOf,
} from './counted-pods.js';
import { playCounted } from './counted-rollout.js';
import type { CountedRollout } from './counted-state.js';
import type { Downtime } from './downtime.js';
import type { Difference, PodSimulator } from './pod-oracle.js';
import { podsByOwnerOf } from './revisions.js';
import type { DeploymentState } from './rollout-state.js';
import { type SimulatedOwner, simulatedPod } from './simulated-pods.js';
import { atWholeSecond, timetableOf } from './simulated-time.js';
import type { SimulationOptions } from './simulation.js';
import type { SimulationLimit, WorkMeter } from './simulation-budget.js';

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
