import type { Statement } from '../../../../engine/language/statement.js';
import { namesOf } from '../../../../engine/objects/metadata.js';
import { hasNode, type Pod } from '../../../../engine/objects/pod.js';
import type { DeploymentStrategy, Workload } from '../../../../engine/objects/workload.js';
import { isReplacedByEachChange, namedOwnerOf } from '../../../../engine/parents/parent-resource.js';
import { nextArgoRolloutSteps } from '../../../../engine/workloads/argo-rollout/forecast.js';
import { daemonSetBounds } from '../../../../engine/workloads/daemon-set-model.js';
import { type Forecast, nextSteps } from '../../../../engine/workloads/forecast.js';
import { nextLeaderWorkerSetSteps } from '../../../../engine/workloads/leader-worker-set/forecast.js';
import type { PodSimulator } from '../../../../engine/workloads/pod-simulator.js';
import { nextDaemonSetSteps } from '../../../../engine/workloads/revision-forecast.js';
import type { DaemonSetChange, DeploymentChange } from '../../../../engine/workloads/rollout-change.js';
import type {
  ArgoRolloutState,
  DaemonSetState,
  DeploymentState,
  LeaderWorkerSetState,
} from '../../../../engine/workloads/rollout-state.js';
import type { SimulatedStep } from '../../../../engine/workloads/simulation.js';
import { startToReady } from '../../../../engine/workloads/start-to-ready.js';
import { effect, type FreedPlace, freedPlace, type StepBetween } from '../../effects-text.js';
import { impactOf, longestGrace, predictionOf, withoutFailedStarts } from '../../forecast-change.js';
import { nothingOffered, notRecommended, type Offer, offered } from '../../offered-fields.js';
import { tooLarge } from '../../refusals.js';
import { type PatchStrategy, patchStrategyForms, strategiesFor } from './forms.js';
import { state as say } from './text.js';

interface ProposeInput {
  readonly state: DeploymentState;
  readonly simulator: PodSimulator;
  /** What follows from a change; left out: what the engines see for this workload alone. */
  readonly forecast?: (change: DeploymentChange) => Forecast;
  readonly between?: (forecast: Forecast) => StepBetween | undefined;
}

/**
 * The gentlest strategy under which the engines see the rollout complete: one old pod at a time, else all at
 * once. Nothing is offered that the engines do not see ending well; `too-large` says why they do not see it.
 * Where another waiting pod could take what becomes free, the prediction says so (`contested`).
 */
export function proposePatchStrategy(input: ProposeInput): Offer<PatchStrategy> {
  let isOpen = false;
  const play = input.forecast ?? ((change) => nextSteps(input.state, change, input.simulator));
  for (const strategy of strategiesFor(input.state.deployment)) {
    const forecast = play(strategyChange(strategy));
    if (forecast.ends === 'complete' || forecast.ends === 'contested')
      return offered(proposal(input, strategy, forecast));
    // The harsher strategy is no answer where the gentle one was not tried to its end.
    if (forecast.ends === 'too-large') {
      return notRecommended('patch-strategy', tooLarge(input.state.deployment.metadata, forecast));
    }
    isOpen ||= forecast.ends === 'unknown';
  }
  return isOpen ? notRecommended('patch-strategy', effect('withheld-unknown')) : nothingOffered;
}

/** The change that the remediation makes, as the engines know it. */
export function strategyChange(strategy: PatchStrategy['strategy']): DeploymentChange {
  return { kind: 'strategy', strategy: modelOf(strategy) };
}

function modelOf(strategy: PatchStrategy['strategy']): DeploymentStrategy {
  if (strategy.type === 'Recreate') return { type: 'Recreate', rollingUpdate: undefined };
  const { type, maxSurge, maxUnavailable } = strategy;
  return { type, rollingUpdate: { maxSurge, maxUnavailable } };
}

function proposal(
  { state, between }: ProposeInput,
  strategy: PatchStrategy['strategy'],
  forecast: Forecast,
): PatchStrategy {
  const freed = freedPlace(forecast, between?.(forecast));
  const firstStop = forecast.steps.find(({ deleted }) => deleted.length > 0);
  return {
    kind: 'patch-strategy',
    id: `patch-strategy-${nameOf(strategy)}`,
    title: say(`title-${nameOf(strategy)}`),
    effects: effectsOf(state, strategy, { forecast, firstStop, freed }),
    price: impactOf(forecast, 'strategy'),
    prediction: predictionOf(forecast),
    strategy,
    ...(isReplacedByEachChange(state.deployment) ? { hasNoUndo: true } : {}),
  };
}

function nameOf(strategy: PatchStrategy['strategy']): 'in-place' | 'all-at-once' | 'recreate' {
  if (strategy.type === 'Recreate') return 'recreate';
  return strategy.maxUnavailable === patchStrategyForms.allAtOnce.maxUnavailable ? 'all-at-once' : 'in-place';
}

interface Following {
  readonly forecast: Forecast;
  readonly firstStop: SimulatedStep | undefined;
  readonly freed: FreedPlace;
}

function effectsOf(
  state: DeploymentState,
  strategy: PatchStrategy['strategy'],
  { forecast, firstStop, freed }: Following,
): readonly Statement[] {
  const firstVictims = firstStop?.deleted ?? [];
  const orElse = firstStop?.orElse ?? [];
  const { victims } = forecast;
  const graceSeconds = longestGrace(firstVictims);
  const owner = namedOwnerOf(state.deployment);
  const statements = [
    ...(owner === undefined
      ? []
      : [say('in-owner', { owner: `${owner.kind} ${owner.namespace}/${owner.name}` })]),
    ...(isReplacedByEachChange(state.deployment) ? [say('replaces-all-nodes')] : []),
    strategy.type === 'Recreate'
      ? effect('stops-all', { pods: victims.length, graceSeconds })
      : say('stops-first', { pods: firstVictims.map(({ metadata }) => metadata.name), graceSeconds }),
    ...(orElse.length === 0 ? [] : [say('or-else', { pods: orElse.map(({ metadata }) => metadata.name) })]),
    ...freed.next,
    ...(nameOf(strategy) === 'in-place' && victims.length > firstVictims.length
      ? [say('then-one-by-one', { replicas: state.deployment.spec.replicas })]
      : []),
    ...readyLastTime(state),
    ...freed.others,
  ];
  if (strategy.type === 'Recreate') return statements;
  return [...statements, staysWith(strategy)];
}

function readyLastTime(state: DeploymentState | DaemonSetState): readonly Statement[] {
  const started = startToReady(state);
  return started === undefined || started.median < 1
    ? []
    : [effect('ready-last-time', { seconds: started.median })];
}

function staysWith({ maxSurge, maxUnavailable }: Bounds): Statement {
  return say('stays', { maxSurge: String(maxSurge), maxUnavailable: String(maxUnavailable) });
}

type Bounds = Pick<
  Extract<PatchStrategy['strategy'], { type: 'RollingUpdate' }>,
  'maxSurge' | 'maxUnavailable'
>;

const { maxSurge, maxUnavailable } = patchStrategyForms.inPlace;
const inPlaceBounds = { maxSurge, maxUnavailable } as const;

/** The pod that is stopped first, of those that run. */
function firstStopped({ steps }: Forecast): readonly Pod[] {
  return steps.flatMap(({ deleted }) => deleted.filter(hasNode)).slice(0, 1);
}

/** One old pod or group before its new one, where the forecast does not end stuck. */
function inPlaceOffer(
  { metadata }: Pick<Workload, 'metadata'>,
  forecast: Forecast,
  freed: FreedPlace,
  effects: () => readonly Statement[],
): Offer<PatchStrategy> {
  if (forecast.ends === 'too-large') return notRecommended('patch-strategy', tooLarge(metadata, forecast));
  if (forecast.ends === 'unknown') return notRecommended('patch-strategy', effect('withheld-unknown'));
  if (forecast.ends === 'stuck') return nothingOffered;
  return offered({
    kind: 'patch-strategy',
    id: 'patch-strategy-in-place',
    title: say('title-in-place'),
    effects: [...effects(), ...freed.others, staysWith(inPlaceBounds)],
    price: impactOf(forecast, 'strategy'),
    prediction: predictionOf(forecast),
    strategy: patchStrategyForms.inPlace,
  });
}

interface CanaryInput {
  readonly state: ArgoRolloutState;
  readonly simulator: PodSimulator;
  readonly between?: (forecast: Forecast) => StepBetween | undefined;
}

/**
 * The old pod first, then the new one, offered where the engine sees the update complete or reach the next
 * step that a person ends. At a low weight of a single replica the controller removes the waiting canary
 * instead, takes the step as done, and replaces the old pod at a later step.
 */
export function proposePatchCanary({ state, simulator, between }: CanaryInput): Offer<PatchStrategy> {
  const { rollout } = state;
  const { canary } = rollout.spec.strategy;
  if (canary === undefined || canary.trafficRouting !== undefined) return nothingOffered;
  const forecast = nextArgoRolloutSteps(state, { kind: 'bounds', ...inPlaceBounds }, simulator);
  const placed = forecast.victims.filter(hasNode);
  // A forecast that replaces no old pod would only put the deadlock off.
  if (forecast.ends !== 'too-large' && forecast.ends !== 'unknown' && placed.length === 0)
    return nothingOffered;
  const freed = freedPlace(forecast, between?.(forecast));
  return inPlaceOffer(rollout, forecast, freed, () => {
    const first = firstStopped(forecast);
    return [
      say('stops-first', { pods: namesOf(first), graceSeconds: longestGrace(first) }),
      ...freed.next,
      ...(placed.length > first.length ? [say('then-one-by-one', { replicas: rollout.spec.replicas })] : []),
    ];
  });
}

interface GroupsInput {
  readonly state: LeaderWorkerSetState;
  readonly simulator: PodSimulator;
  readonly between?: (forecast: Forecast) => StepBetween | undefined;
}

/**
 * The old group first, then the new one, offered where the engine sees every group updated. The surge groups
 * are removed first, so the update begins anew with the group of the highest number.
 */
export function proposePatchGroups({ state, simulator, between }: GroupsInput): Offer<PatchStrategy> {
  const { leaderWorkerSet } = state;
  const change = { kind: 'bounds', ...inPlaceBounds } as const;
  const forecast = nextLeaderWorkerSetSteps(state, change, withoutFailedStarts(state, simulator));
  // A group is placed as a whole: no single pod is named.
  const freed = freedPlace({ ...forecast, placements: [] }, between?.(forecast));
  return inPlaceOffer(leaderWorkerSet, forecast, freed, () => {
    const pending = forecast.victims.filter((pod) => !hasNode(pod));
    const first = firstStopped(forecast);
    const { replicas } = leaderWorkerSet.spec;
    return [
      ...(pending.length === 0 ? [] : [say('removes-surge-group', { pods: namesOf(pending) })]),
      say('stops-group-first', { pods: namesOf(first), graceSeconds: longestGrace(first) }),
      ...freed.next,
      ...(replicas > 1 ? [say('then-group-by-group', { replicas })] : []),
    ];
  });
}

interface DaemonSetInput {
  readonly state: DaemonSetState;
  readonly simulator: PodSimulator;
  /** What follows from a change; left out: what the engines see for this workload alone. */
  readonly forecast?: (change: DaemonSetChange) => Forecast;
  readonly between?: (forecast: Forecast) => StepBetween | undefined;
}

/** The change that the remediation makes, as the engines know it. */
export const inPlaceUpdate: DaemonSetChange = { kind: 'rolling-update', ...inPlaceBounds };

/**
 * The old pod of a node first, then the new one, one node at a time; offered where the engines see the update
 * complete. The controller also deletes the new pods that wait: with maxSurge 0 a node has one pod
 * (kubernetes `daemon_controller.go: podsShouldBeOnNode`), and makes them again.
 */
export function proposePatchDaemonSet(input: DaemonSetInput): Offer<PatchStrategy> {
  const { state, simulator, between } = input;
  const play = input.forecast ?? ((change) => nextDaemonSetSteps(state, change, simulator));
  const forecast = play(inPlaceUpdate);
  const freed = freedPlace(forecast, between?.(forecast));
  return inPlaceOffer(state.daemonSet, forecast, freed, () => {
    const first = firstStopped(forecast);
    const others = namesOf(forecast.orElse.filter(hasNode));
    return [
      say('stops-first', { pods: namesOf(first), graceSeconds: longestGrace(first) }),
      ...(others.length === 0 ? [] : [say('or-else', { pods: others })]),
      ...freed.next,
      ...(forecast.victims.filter(hasNode).length > first.length
        ? [say('then-node-by-node', { nodes: daemonSetBounds(state).desired })]
        : []),
      ...readyLastTime(state),
    ];
  });
}
