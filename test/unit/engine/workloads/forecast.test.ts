import { describe, expect, it } from 'vitest';
import type { Pod } from '#src/engine/objects/pod.js';
import type { DeploymentStrategy, ReplicaSet } from '#src/engine/objects/workload.js';
import { type Forecast, nextSteps } from '#src/engine/workloads/forecast.js';
import type { PodSimulator } from '#src/engine/workloads/pod-simulator.js';
import type { DeploymentChange } from '#src/engine/workloads/rollout-change.js';
import type { DeploymentState } from '#src/engine/workloads/rollout-state.js';
import { defaultSimulationBudget } from '#src/engine/workloads/simulation.js';
import {
  buildDeployment,
  buildPod,
  buildPods,
  buildReplicaSet,
  buildState,
  type DeploymentFields,
} from '../../../support/rollout-builders.js';

const inPlace: DeploymentStrategy = {
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge: 0, maxUnavailable: 1 },
};
const recreate: DeploymentStrategy = { type: 'Recreate', rollingUpdate: undefined };

/** A cluster with that many places, all in use by the observed pods with a node. */
function places(
  state: DeploymentState,
  count: number,
  healthy: (pod: Pod) => boolean = () => true,
): PodSimulator {
  const taken = state.pods.filter((pod) => pod.spec.nodeName !== undefined).length;
  return {
    placementOf: (_pod, { gone, placed }) => {
      const left = gone.filter((pod) => pod.spec.nodeName !== undefined).length;
      return taken - left + placed.length < count ? `n-${placed.length}` : undefined;
    },
    becomesReady: healthy,
  };
}

interface Setup {
  readonly replicas: number;
  readonly oldReady: number;
  readonly waiting?: number;
  readonly fields?: DeploymentFields;
}

/** Revision 1 serves, revision 2 waits. */
function deadlock({ replicas, oldReady, waiting = 1, fields = {} }: Setup): DeploymentState {
  const annotations = { 'deployment.kubernetes.io/desired-replicas': String(replicas) };
  const first = buildReplicaSet({ revision: 1, replicas: oldReady, available: oldReady, annotations });
  const second = buildReplicaSet({ revision: 2, replicas: waiting, annotations });
  const pods = [...buildPods(first, oldReady), ...buildPods(second, 0, waiting)];
  return buildState(buildDeployment({ replicas, ...fields }), [first, second], pods);
}

function forecast(state: DeploymentState, change: DeploymentChange, simulator: PodSimulator): Forecast {
  return nextSteps(state, change, simulator, { startSeconds: 12 });
}

const names = (pods: readonly { metadata: { name: string } }[]) => pods.map(({ metadata }) => metadata.name);

/** Pods stop for 30 s and the kubelet cleans up for 3 s; a start takes 12 s. */
describe('nextSteps of a deadlocked rollout', () => {
  const single = deadlock({ replicas: 1, oldReady: 1 });

  it('does not progress without a change', () => {
    const result = forecast(single, { kind: 'none' }, places(single, 1));
    expect(result).toMatchObject({ ends: 'stuck', seconds: 0, downtime: { kind: 'none', readyMin: 1 } });
    expect(result.victims).toEqual([]);
    expect(names(result.waiting)).toEqual(['web-2-0']);
  });

  it('completes with surge 0: the old pod stops, the new one takes its place, and no pod serves meanwhile', () => {
    const result = forecast(single, { kind: 'strategy', strategy: inPlace }, places(single, 1));
    expect(result.ends).toBe('complete');
    expect(names(result.victims)).toEqual(['web-1-0']);
    expect(result.orElse).toEqual([]);
    expect(result.placements.map(({ pod }) => pod.metadata.name)).toEqual(['web-2-0']);
    expect(result.downtime).toEqual({ kind: 'gap', readyMin: 0, ofReplicas: 1, seconds: 45, ends: true });
    expect(result.steps.map(({ at, ready }) => [at, ready])).toEqual([
      [0, 0],
      [33, 0],
      [45, 1],
    ]);
  });

  it.each([1, 400, 500, 999])('lasts as long from %i ms past a second', (milliseconds) => {
    const later = { ...single, now: single.now + milliseconds };
    for (const strategy of [inPlace, recreate]) {
      const change = { kind: 'strategy', strategy } as const;
      const [whole, past] = [single, later].map((state) => forecast(state, change, places(state, 1)));
      expect([past?.seconds, past?.downtime]).toEqual([whole?.seconds, whole?.downtime]);
    }
  });

  it('completes with Recreate in the same way', () => {
    const result = forecast(single, { kind: 'strategy', strategy: recreate }, places(single, 1));
    expect(result).toMatchObject({ ends: 'complete', downtime: { kind: 'gap', seconds: 45 } });
  });

  it('completes with surge kept and one unavailable pod in the same way', () => {
    const strategy: DeploymentStrategy = {
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 1, maxUnavailable: 1 },
    };
    expect(forecast(single, { kind: 'strategy', strategy }, places(single, 1)).ends).toBe('complete');
  });

  it('with the old ReplicaSet scaled down by one frees one replica for good', () => {
    const change = { kind: 'scale-replica-set', replicaSet: 'web-1', replicas: 0 } as const;
    const result = forecast(single, change, places(single, 1));
    expect(result).toMatchObject({ ends: 'complete', downtime: { kind: 'gap', seconds: 45 } });
    expect(names(result.victims)).toEqual(['web-1-0']);
  });

  it('of three replicas, scaled down by one, blocks at the next surge pod', () => {
    const three = deadlock({ replicas: 3, oldReady: 3 });
    const change = { kind: 'scale-replica-set', replicaSet: 'web-1', replicas: 2 } as const;
    const result = forecast(three, change, places(three, 3));
    expect(result).toMatchObject({ ends: 'stuck', downtime: { kind: 'reduced', readyMin: 2 } });
    expect(result.waiting).toHaveLength(1);
  });

  it('of three replicas with surge 0 replaces one at a time, never with fewer than two', () => {
    const three = deadlock({ replicas: 3, oldReady: 3 });
    const result = forecast(three, { kind: 'strategy', strategy: inPlace }, places(three, 3));
    expect(result.ends).toBe('complete');
    expect(names(result.victims).sort()).toEqual(['web-1-0', 'web-1-1', 'web-1-2']);
    expect(result.downtime).toMatchObject({ kind: 'reduced', readyMin: 2, seconds: 135 });
  });

  it('of three replicas with Recreate has an outage', () => {
    const three = deadlock({ replicas: 3, oldReady: 3 });
    expect(forecast(three, { kind: 'strategy', strategy: recreate }, places(three, 3))).toMatchObject({
      ends: 'complete',
      downtime: { kind: 'gap', readyMin: 0, seconds: 45 },
    });
  });

  it('names the other possible pods when no rule determines the victim', () => {
    const three = deadlock({ replicas: 3, oldReady: 3 });
    const result = nextSteps(
      three,
      { kind: 'strategy', strategy: inPlace },
      { placementOf: () => undefined, becomesReady: () => true },
    );
    expect(names(result.victims)).toEqual(['web-1-0']);
    expect(names(result.orElse)).toEqual(['web-1-1', 'web-1-2']);
    expect(result).toMatchObject({ ends: 'stuck', downtime: { kind: 'reduced', readyMin: 2, ends: false } });
    expect(result.downtime?.seconds).toBeUndefined();
  });

  it('after an undo removes the pending pod without downtime', () => {
    const result = forecast(single, { kind: 'undo', replicaSet: 'web-1' }, places(single, 1));
    expect(result).toMatchObject({ ends: 'complete', downtime: { kind: 'none', readyMin: 1 } });
    expect(names(result.victims)).toEqual(['web-2-0']);
  });

  it('after a restart replaces one stuck pod by another', () => {
    const result = forecast(single, { kind: 'restart' }, places(single, 1));
    expect(result).toMatchObject({ ends: 'stuck', downtime: { kind: 'none' } });
    expect(names(result.victims)).toEqual(['web-2-0']);
    expect(names(result.waiting)).toEqual(['web-revision-3-next-1']);
  });

  it('with the old pod deleted replaces it by one of its own revision, and both wait for the resource', () => {
    const result = forecast(single, { kind: 'delete-pod', pod: 'web-1-0' }, places(single, 1));
    expect(result.steps[0]?.created.map(({ metadata }) => metadata.name)).toEqual(['web-1-next-1']);
    expect(result.ends).toBe('complete');
  });

  it('paused and resumed begins the rollout', () => {
    const first = buildReplicaSet({ revision: 1, replicas: 1, available: 1 });
    const paused = buildState(buildDeployment({ paused: true }), [first], buildPods(first, 1));
    expect(forecast(paused, { kind: 'none' }, places(paused, 2)).steps[0]?.created).toEqual([]);
    const result = forecast(paused, { kind: 'resume' }, places(paused, 2));
    expect(result).toMatchObject({ ends: 'complete', downtime: { kind: 'none' } });
  });

  it('of two replicas with enough for one more completes without help', () => {
    const state = deadlock({ replicas: 2, oldReady: 2 });
    expect(forecast(state, { kind: 'none' }, places(state, 3))).toMatchObject({
      ends: 'complete',
      downtime: { kind: 'none', readyMin: 2 },
    });
  });
});

describe('nextSteps of a new revision that fails', () => {
  it('stops when new pods never become ready, and keeps minAvailable pods', () => {
    const state = deadlock({ replicas: 4, oldReady: 4 });
    const result = forecast(
      state,
      { kind: 'none' },
      places(state, 9, () => false),
    );
    expect(result).toMatchObject({ ends: 'stuck', downtime: { kind: 'reduced', readyMin: 3, ends: false } });
  });

  it('waits for minReadySeconds before it continues', () => {
    const state = deadlock({ replicas: 1, oldReady: 1, fields: { minReadySeconds: 60 } });
    const result = forecast(state, { kind: 'none' }, places(state, 2));
    expect(result.steps.map(({ at, ready, available }) => [at, ready, available])).toEqual([
      [0, 1, 1],
      [12, 2, 1],
      [72, 1, 1],
      [105, 1, 1],
    ]);
    expect(result.ends).toBe('complete');
  });

  it('retries pods that the API server refused after others have stopped', () => {
    const state = deadlock({ replicas: 1, oldReady: 1, waiting: 0 });
    const simulator: PodSimulator = { ...places(state, 9), admits: (_pod, { gone }) => gone.length > 0 };
    const refused = forecast(state, { kind: 'none' }, simulator);
    expect(refused).toMatchObject({ ends: 'stuck', downtime: { kind: 'none' } });
    expect(refused.steps[0]?.refused).toHaveLength(1);
    expect(forecast(state, { kind: 'strategy', strategy: inPlace }, simulator).ends).toBe('complete');
  });

  it('gives starting pods the rest of their time', () => {
    const replicaSet = buildReplicaSet({ revision: 2, replicas: 1 });
    const starting = buildPod({
      name: 'web-2-0',
      owner: { uid: 'web-2-uid' },
      labels: { 'pod-template-hash': 'web-2' },
      ready: false,
      age: 5,
      phase: 'Pending',
    });
    const state = buildState(buildDeployment(), [replicaSet], [starting]);
    expect(forecast(state, { kind: 'none' }, places(state, 1))).toMatchObject({
      ends: 'complete',
      seconds: 7,
    });
  });

  it('lets a late pod become ready at once', () => {
    const replicaSet = buildReplicaSet({ revision: 2, replicas: 1 });
    const late = buildPod({ name: 'web-2-0', owner: { uid: 'web-2-uid' }, ready: false, age: 500 });
    const state = buildState(buildDeployment(), [replicaSet], [late]);
    expect(forecast(state, { kind: 'none' }, places(state, 1))).toMatchObject({
      ends: 'complete',
      seconds: 1,
    });
  });

  it('gives no duration that depends on an unobserved start', () => {
    const state = deadlock({ replicas: 1, oldReady: 0 });
    const result = nextSteps(state, { kind: 'none' }, places(state, 1));
    expect(result.ends).toBe('complete');
    expect(result.seconds).toBeUndefined();
  });

  it('does not wait for a pod that cannot terminate', () => {
    const replicaSet = buildReplicaSet({ revision: 2, replicas: 1 });
    const first = buildReplicaSet({ revision: 1, replicas: 0 });
    const stuck = buildPod({ name: 'web-1-0', terminating: true });
    const overdue = { ...stuck, metadata: { ...stuck.metadata, deletionTimestamp: '2026-11-20T09:00:00Z' } };
    const state = buildState(
      buildDeployment(),
      [first, replicaSet],
      [overdue, ...buildPods(replicaSet, 0, 1)],
    );
    expect(forecast(state, { kind: 'none' }, places(state, 1))).toMatchObject({ ends: 'stuck', seconds: 0 });
  });
});

describe('nextSteps of unknown states', () => {
  it('are unknown when the pods could not be read', () => {
    const state = { ...deadlock({ replicas: 1, oldReady: 1 }), pods: [] };
    expect(forecast(state, { kind: 'none' }, places(state, 1))).toMatchObject({
      ends: 'unknown',
      steps: [],
      downtime: undefined,
    });
  });

  it.each<[string, DeploymentChange]>([
    ['a missing ReplicaSet', { kind: 'undo', replicaSet: 'web-9' }],
    ['a missing ReplicaSet to scale', { kind: 'scale-replica-set', replicaSet: 'web-9', replicas: 0 }],
    ['a missing pod', { kind: 'delete-pod', pod: 'web-9' }],
  ])('are unknown for %s', (_sentence, change) => {
    const state = deadlock({ replicas: 1, oldReady: 1 });
    expect(forecast(state, change, places(state, 1)).ends).toBe('unknown');
  });

  it('stop at the given limit', () => {
    const state = deadlock({ replicas: 9, oldReady: 9 });
    const result = nextSteps(state, { kind: 'strategy', strategy: inPlace }, places(state, 9), {
      budget: { ...defaultSimulationBudget, maxSteps: 3 },
      startSeconds: 1,
    });
    expect(result).toMatchObject({ ends: 'too-large', seconds: undefined });
    expect(result.steps).toHaveLength(3);
  });
});

describe('nextSteps and old ReplicaSets', () => {
  it.each([
    [2, 'complete'],
    [3, 'too-large'],
  ])('answer for %i of 2 that one simulation may read: %s', (count, ends) => {
    const state = deadlock({ replicas: 1, oldReady: 1 });
    const [old] = state.replicaSets;
    const more = Array.from({ length: count - state.replicaSets.length }, (_, position) => ({
      ...old,
      metadata: { ...old?.metadata, name: `web-more-${position}`, uid: `web-more-${position}` },
      spec: { ...old?.spec, replicas: 0 },
      status: { ...old?.status, replicas: 0, readyReplicas: 0, availableReplicas: 0 },
    }));
    const many = { ...state, replicaSets: [...state.replicaSets, ...more] } as typeof state;
    const result = nextSteps(many, { kind: 'strategy', strategy: inPlace }, places(many, 9), {
      budget: { ...defaultSimulationBudget, maxRevisions: 2 },
      startSeconds: 1,
    });
    expect(result.ends).toBe(ends);
  });
});

describe('nextSteps and the freed node', () => {
  it('complete or not depending on which pod is the victim', () => {
    const state = deadlock({ replicas: 2, oldReady: 2 });
    const needs = (node: string): PodSimulator => ({
      placementOf: (_pod, { gone, placed }) =>
        placed.length === 0 && gone.some(({ spec }) => spec.nodeName === node) ? node : undefined,
      becomesReady: () => true,
    });
    const change: DeploymentChange = { kind: 'strategy', strategy: inPlace };
    expect(forecast(state, change, needs('n-0')).placements).toHaveLength(1);
    expect(forecast(state, change, needs('n-1'))).toMatchObject({ ends: 'stuck', placements: [] });
  });
});

describe('nextSteps of objects in any order', () => {
  it('are the same', () => {
    const state = deadlock({ replicas: 3, oldReady: 3 });
    const reversed: DeploymentState = {
      ...state,
      pods: [...state.pods].reverse(),
      replicaSets: [...state.replicaSets].reverse() as readonly ReplicaSet[],
    };
    const change: DeploymentChange = { kind: 'strategy', strategy: inPlace };
    const first = forecast(state, change, places(state, 3));
    const second = forecast(reversed, change, places(reversed, 3));
    expect(names(second.victims)).toEqual(names(first.victims));
    expect(second.downtime).toEqual(first.downtime);
    expect(second.steps.map(({ at, ready }) => [at, ready])).toEqual(
      first.steps.map(({ at, ready }) => [at, ready]),
    );
  });
});
