import { describe, expect, it } from 'vitest';
import type { Workload } from '#src/core/cluster/workload.js';
import { nextArgoRolloutSteps } from '#src/core/rollout/argo-rollout/forecast.js';
import { restState } from '#src/core/rollout/fixed-point.js';
import { type Forecast, nextSteps } from '#src/core/rollout/forecast.js';
import { nextLeaderWorkerSetSteps } from '#src/core/rollout/leader-worker-set/forecast.js';
import type { PodOracle } from '#src/core/rollout/pod-oracle.js';
import { nextDaemonSetSteps, nextStatefulSetSteps } from '#src/core/rollout/revision-forecast.js';
import { nextRevisionedSteps } from '#src/core/rollout/revisioned/forecast.js';
import type { RolloutState } from '#src/core/rollout/rollout-state.js';
import { rolloutStatus } from '#src/core/rollout/rollout-status.js';
import { factsText } from '../recorded-facts.js';
import { readScenario, scenarioIds } from './recorded.js';

/** A new pod replaces one that is gone, and works there. */
const replacing: PodOracle = {
  placementOf: (_, { gone, placed }) => gone[placed.length]?.spec.nodeName,
  becomesReady: () => true,
};
/** Every pod fits, but new pods do not work. */
const broken: PodOracle = { placementOf: () => 'anywhere', becomesReady: () => false };

function forecasts(state: RolloutState): Readonly<Record<string, Forecast>> {
  switch (state.kind) {
    case 'Deployment': {
      const inPlace = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
      const more = state.deployment.spec.replicas + 1;
      return {
        'as it is': nextSteps(state, { kind: 'none' }, replacing),
        'in place': nextSteps(state, { kind: 'strategy', strategy: inPlace }, replacing),
        recreated: nextSteps(
          state,
          { kind: 'strategy', strategy: { type: 'Recreate', rollingUpdate: undefined } },
          replacing,
        ),
        'restarted, and broken': nextSteps(state, { kind: 'restart' }, broken),
        'one more': nextSteps(state, { kind: 'replicas', replicas: more }, broken),
      };
    }
    case 'Rollout':
      return {
        'as it is': nextArgoRolloutSteps(state, { kind: 'none' }, replacing),
        'in place': nextArgoRolloutSteps(
          state,
          { kind: 'bounds', maxSurge: 0, maxUnavailable: 1 },
          replacing,
        ),
        aborted: nextArgoRolloutSteps(state, { kind: 'abort' }, replacing),
        'promoted, and broken': nextArgoRolloutSteps(state, { kind: 'promote-full' }, broken),
      };
    case 'LeaderWorkerSet':
      return {
        'as it is': nextLeaderWorkerSetSteps(state, { kind: 'none' }, replacing),
        'in place': nextLeaderWorkerSetSteps(
          state,
          { kind: 'bounds', maxSurge: 0, maxUnavailable: 1 },
          replacing,
        ),
      };
    case 'Revisioned':
      return { 'as it is': nextRevisionedSteps(state, replacing) };
    case 'StatefulSet':
      return {
        'as it is': nextStatefulSetSteps(state, { kind: 'none' }, replacing),
        restarted: nextStatefulSetSteps(state, { kind: 'restart' }, replacing),
        'restarted, and broken': nextStatefulSetSteps(state, { kind: 'restart' }, broken),
      };
    case 'DaemonSet': {
      const surge = { kind: 'rolling-update', maxSurge: 1, maxUnavailable: 0 } as const;
      return {
        'as it is': nextDaemonSetSteps(state, { kind: 'none' }, replacing),
        restarted: nextDaemonSetSteps(state, { kind: 'restart' }, replacing),
        'restarted, and broken': nextDaemonSetSteps(state, { kind: 'restart' }, broken),
        surging: nextDaemonSetSteps(state, surge, replacing),
      };
    }
  }
}

/** Steps as the names of created and deleted pods. */
const summarize = ({ steps, ...forecast }: Forecast) => ({
  ...forecast,
  steps: steps.map((step) => JSON.stringify(step, short)),
});

function workloadOf(state: RolloutState): Workload {
  switch (state.kind) {
    case 'Deployment':
      return state.deployment;
    case 'Rollout':
      return state.rollout;
    case 'LeaderWorkerSet':
      return state.leaderWorkerSet;
    case 'Revisioned':
      return state.service;
    case 'StatefulSet':
      return state.statefulSet;
    case 'DaemonSet':
      return state.daemonSet;
  }
}

function short(_: string, value: unknown): unknown {
  if (Array.isArray(value) && value.length === 0) return undefined;
  if (typeof value === 'object' && value !== null && 'metadata' in value && 'spec' in value) {
    return (value.metadata as { readonly name: string }).name;
  }
  return value;
}

/** The incidents themselves; their variants in subfolders add nothing for the engine. */
const ids = scenarioIds.filter((id) => !id.includes('/'));
/** Folders with the recordings of kinds that have an engine of their own. */
const foldersOfKinds = ['argo-rollouts', 'dynamo', 'knative', 'leader-worker-sets', 'ray-services'];

function factsOf(id: string, show: (forecast: Forecast) => unknown) {
  const { state } = readScenario(id);
  return {
    status: rolloutStatus(workloadOf(state)),
    rest: restState(state),
    forecasts: Object.fromEntries(
      Object.entries(forecasts(state)).map(([change, forecast]) => [change, show(forecast)]),
    ),
  };
}

/** Every workload of a recording is simulated under several changes; `vitest -u` accepts new results. */
describe('the recorded forecast', () => {
  it.each(ids)('of %s is as reviewed', async (id) => {
    await expect(factsText(factsOf(id, summarize))).toMatchFileSnapshot(`recorded-forecasts/${id}.yaml`);
  });

  it.each(foldersOfKinds)('of each recording in %s is as reviewed', async (folder) => {
    const recordings = scenarioIds.filter((id) => id.startsWith(`${folder}/`));
    const facts = recordings.map((id) => [id, factsOf(id, (forecast) => JSON.stringify(forecast, short))]);
    await expect(factsText(Object.fromEntries(facts))).toMatchFileSnapshot(
      `recorded-forecasts/${folder}.yaml`,
    );
  });
});
