import { isActive, isReady, type Pod } from '../../objects/pod.js';
import type { Container, PodTemplate } from '../../objects/pod-spec.js';
import { type RevisionPart, revisionNameOf } from '../../objects/revisions.js';
import { forecastBesideOthers } from '../contested-forecast.js';
import { type Forecast, forecastOf, readyCount, unknownForecast } from '../forecast.js';
import type { PodSet } from '../pod-set.js';
import type { PodSimulator } from '../pod-simulator.js';
import { rankVictims } from '../replica-set-victims.js';
import type { RevisionedState } from '../rollout-state.js';
import { deletedPod, simulatedPod } from '../simulated-pods.js';
import type { Acted, SimulationOptions, WorkMeter } from '../simulation.js';
import { defaultSimulationBudget, simulate } from '../simulation.js';
import { type DynamoTarget, dynamoTargets } from './dynamo-targets.js';
import { formerRevisionPods, newRevisionPods, serviceKindOf } from './pods.js';

/** Plays the switch to the next revision forward. */
export function nextRevisionedSteps(
  state: RevisionedState,
  simulator: PodSimulator,
  options: SimulationOptions = {},
): Forecast {
  const { service, pods } = state;
  const wanted = service.spec.replicas;
  if (wanted + pods.length > defaultSimulationBudget.maxPods) {
    return { ...unknownForecast, ends: 'too-large', limit: 'pods' };
  }
  const model = { act: actRevisionedOn, isComplete: revisionedServiceIsComplete, minReadySeconds: 0 };
  return forecastBesideOthers(pods, simulator, (beside) =>
    forecastOf(pods, readyCount(pods), wanted, simulate(state, model, beside, options)),
  );
}

/**
 * Creates the pods of the next revision, and stops those of the former one when all of them are ready. The
 * Dynamo operator does both step by step for each component.
 */
function actRevisionedOn(
  podSet: PodSet,
  start: RevisionedState,
  admits: (pod: Pod) => boolean,
  meter: WorkMeter,
): Acted<RevisionedState> {
  const state = { ...start, pods: podSet.all() };
  const targets = targetsOf(state);
  const created: Pod[] = [];
  const refused: Pod[] = [];
  for (const pod of missingPods(state, targets, podSet)) {
    meter.spend(1);
    if (meter.isExhausted()) break;
    if (!admits(pod)) {
      refused.push(pod);
      continue;
    }
    meter.notePods(1);
    podSet.add(pod);
    created.push(pod);
  }
  const now = { ...state, pods: podSet.all() };
  const deleted = podsToStop(now, targets);
  for (const pod of deleted) {
    const [left] = deletedPod(pod, state.now);
    if (left === undefined) podSet.remove(pod);
    else podSet.replace(pod, left);
  }
  const isAtRest = !meter.isExhausted();
  return {
    state: { ...now, pods: podSet.all() },
    actions: [],
    created,
    deleted,
    orElse: [],
    refused,
    isAtRest,
  };
}

/** The next revision serves, and no pod of the former one is left. */
function revisionedServiceIsComplete(state: RevisionedState): boolean {
  if (state.service.revisions.next === undefined) return true;
  return isReadyWhole(state) && !formerRevisionPods(state).some(isActive);
}

function isReadyWhole(state: RevisionedState): boolean {
  const { next } = state.service.revisions;
  const ready = newRevisionPods(state).filter((pod) => isActive(pod) && isReady(pod));
  return next !== undefined && ready.length >= state.service.spec.replicas;
}

/** `undefined` of a service that starts a whole revision at once. */
function targetsOf(state: RevisionedState): readonly DynamoTarget[] | undefined {
  return 'workers' in state.service ? dynamoTargets(state.service, state) : undefined;
}

function podsToStop(state: RevisionedState, targets: readonly DynamoTarget[] | undefined): readonly Pod[] {
  if (targets === undefined) return isReadyWhole(state) ? formerRevisionPods(state).filter(isActive) : [];
  return targets.flatMap(({ former }) =>
    rankVictims(former.pods, former.pods, state.now).slice(0, former.pods.length - former.wanted),
  );
}

function missingPods(
  state: RevisionedState,
  targets: readonly DynamoTarget[] | undefined,
  podSet: PodSet,
): readonly Pod[] {
  const { service } = state;
  const { next } = service.revisions;
  if (next === undefined) return [];
  const active = newRevisionPods(state).filter(isActive);
  return service.parts.flatMap((part) => {
    const wanted = targets?.find(({ component }) => component === part.name)?.next.wanted ?? part.count;
    const missing = wanted - active.filter((pod) => isOfPart(state, part, pod)).length;
    return Array.from({ length: Math.max(0, missing) }, (_, number) =>
      podOfPart(state, part, podSet.freeName(`${next}-${part.name}-next-${number}-`)),
    );
  });
}

function isOfPart({ service }: RevisionedState, { name }: RevisionPart, { metadata }: Pod): boolean {
  const { partLabel } = serviceKindOf(service);
  return partLabel === undefined || metadata.labels[partLabel] === name;
}

function podOfPart(state: RevisionedState, part: RevisionPart, name: string): Pod {
  const { name: group } = part;
  const { service, now } = state;
  const { revisions, metadata } = service;
  const revision = revisions.next ?? '';
  const owner = {
    kind: 'ReplicaSet',
    metadata: { name: revision, namespace: metadata.namespace, uid: `planned:${revision}` },
  } as const;
  const pod = simulatedPod(owner, withSidecars(state, part), name, now, undefined);
  const added = serviceKindOf(service).podLabels(metadata.name, revision, group);
  return { ...pod, metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, ...added } } };
}

/** The template as the controller completes it, as far as a pod that exists shows it. */
function withSidecars(state: RevisionedState, part: RevisionPart): PodTemplate {
  const { service, pods } = state;
  const { template } = part;
  const known = pods.find(
    (pod) => revisionNameOf(service.revisions, pod) !== service.revisions.next && isOfPart(state, part, pod),
  );
  if (known === undefined) return template;
  const added = ({ name }: Container): boolean => serviceKindOf(service).sidecars.includes(name);
  const { spec } = template;
  return {
    ...template,
    spec: {
      ...spec,
      containers: [...spec.containers, ...known.spec.containers.filter(added)],
      initContainers: [...spec.initContainers, ...known.spec.initContainers.filter(added)],
    },
  };
}
