import { groupAnnotations, groupLabels, type LeaderWorkerSet } from '../../objects/leader-worker-set.js';
import type { Pod } from '../../objects/pod.js';
import type { IntOrString } from '../../objects/wire.js';
import { forecastBesideOthers, underWhicheverRule } from '../contested-forecast.js';
import { type Forecast, forecastOf, unknownForecast } from '../forecast.js';
import type { PodSimulator } from '../pod-simulator.js';
import { restarted } from '../rollout-change.js';
import type { LeaderWorkerSetState } from '../rollout-state.js';
import { defaultSimulationBudget, type SimulationOptions, simulate } from '../simulation.js';
import { isReadWhole, isTooLarge, readyInGroups } from './leader-set.js';
import { actLeaderWorkerSetOn, leaderWorkerSetIsComplete } from './model.js';

/** A change somebody might make to a LeaderWorkerSet. */
type LeaderWorkerSetChange =
  | { readonly kind: 'none' }
  /** An annotation of the workers' template, which makes a new revision for leaders and workers. */
  | { readonly kind: 'restart' }
  | { readonly kind: 'bounds'; readonly maxSurge: IntOrString; readonly maxUnavailable: IntOrString };

/**
 * Plays a LeaderWorkerSet forward under a hypothetical change. `unknown` with a setting that is not
 * simulated. Where several rules for `maxUnavailable` of the leader StatefulSet may apply,
 * `underWhicheverRule` decides.
 */
export function nextLeaderWorkerSetSteps(
  state: LeaderWorkerSetState,
  change: LeaderWorkerSetChange,
  simulator: PodSimulator,
  options: SimulationOptions = {},
): Forecast {
  const { maxRevisions } = options.budget ?? defaultSimulationBudget;
  if (state.controllerRevisions.length > maxRevisions) {
    return { ...unknownForecast, ends: 'too-large', limit: 'revisions' };
  }
  if (isTooLarge(state)) return { ...unknownForecast, ends: 'too-large', limit: 'pods' };
  const { spec } = state.leaderWorkerSet;
  if (notSimulatedSettings(state.leaderWorkerSet).length > 0 || !isReadWhole(state)) return unknownForecast;
  const start = changed(state, change);
  const { pods, maxUnavailable } = start;
  const wanted = spec.replicas * spec.leaderWorkerTemplate.size;
  const readyAmong = (among: readonly Pod[]): number => readyInGroups(start.leaderWorkerSet, among);
  const model = {
    act: actLeaderWorkerSetOn,
    isComplete: leaderWorkerSetIsComplete,
    readyAmong,
    minReadySeconds: 0,
  };
  const forecasts = [maxUnavailable.rule, ...maxUnavailable.instead].map((rule) =>
    forecastBesideOthers(pods, simulator, (beside) =>
      forecastOf(
        pods,
        readyAmong(pods),
        wanted,
        simulate({ ...start, maxUnavailable: { ...maxUnavailable, rule } }, model, beside, options),
      ),
    ),
  );
  return underWhicheverRule(forecasts) ?? unknownForecast;
}

function changed(state: LeaderWorkerSetState, change: LeaderWorkerSetChange): LeaderWorkerSetState {
  if (change.kind === 'none') return state;
  const { leaderWorkerSet } = state;
  if (change.kind === 'restart') {
    const { leaderWorkerTemplate: former } = leaderWorkerSet.spec;
    const workerTemplate = restarted(former.workerTemplate, state.now);
    const raw = { ...former.raw, workerTemplate: workerTemplate.raw };
    const spec = {
      ...leaderWorkerSet.spec,
      leaderWorkerTemplate: { ...former, workerTemplate, raw },
      template: former.leaderTemplate ?? workerTemplate,
    };
    return { ...state, leaderWorkerSet: { ...leaderWorkerSet, spec } };
  }
  const { rolloutStrategy } = leaderWorkerSet.spec;
  const { partition } = rolloutStrategy.rollingUpdateConfiguration;
  const { maxSurge, maxUnavailable } = change;
  const rollingUpdateConfiguration = { partition, maxSurge, maxUnavailable };
  const spec = {
    ...leaderWorkerSet.spec,
    rolloutStrategy: { ...rolloutStrategy, rollingUpdateConfiguration },
  };
  return { ...state, leaderWorkerSet: { ...leaderWorkerSet, spec } };
}

/** Values of lws 0.10; `Default` is the former name of `None`. */
const knownTypes: ReadonlySet<string> = new Set(['RollingUpdate']);
const knownStartups: ReadonlySet<string> = new Set(['LeaderCreated', 'LeaderReady']);
const knownRestarts: ReadonlySet<string> = new Set([
  'Default',
  'None',
  'RecreateGroupOnPodRestart',
  'RecreateGroupAfterStart',
]);

/** Labels that the webhook computes, and that an affinity or a spread of a template may name. */
const computedLabels = [groupLabels.groupKey, groupLabels.subgroupKey, groupLabels.subgroupIndex];

/**
 * Settings that bear on where the pods of a group may run, or on what the controller does, and that the
 * engine leaves out: an annotation, a label or a field, with its value where another value is simulated. With
 * an exclusive topology, the webhook adds affinities to pods as they are created (lws
 * `pod_webhook.go: SetExclusiveAffinities`). Claims decide on which nodes workers may run that do not exist
 * yet.
 */
export function notSimulatedSettings({ metadata, spec }: LeaderWorkerSet): readonly string[] {
  const { leaderWorkerTemplate, rolloutStrategy, startupPolicy } = spec;
  const { restartPolicy, size, volumeClaimTemplates } = leaderWorkerTemplate;
  const text = JSON.stringify(leaderWorkerTemplate.raw);
  const topologies = [groupAnnotations.exclusiveTopology, groupAnnotations.subgroupExclusiveTopology];
  return [
    ...topologies.filter((name) => metadata.annotations[name] !== undefined),
    ...computedLabels.filter((name) => text.includes(name)),
    ...(size > 1 && volumeClaimTemplates.length > 0
      ? ['spec.leaderWorkerTemplate.volumeClaimTemplates']
      : []),
    ...unless(knownTypes, 'spec.rolloutStrategy.type', rolloutStrategy.type),
    ...unless(knownStartups, 'spec.startupPolicy', startupPolicy),
    ...unless(knownRestarts, 'spec.leaderWorkerTemplate.restartPolicy', restartPolicy),
  ];
}

function unless(known: ReadonlySet<string>, field: string, value: string): readonly string[] {
  return known.has(value) ? [] : [`${field}: ${value}`];
}
