import { describe, expect, it } from 'vitest';
import type { Pod } from '#src/engine/objects/pod.js';
import { isFixedPoint, restState, waitsForSurgePods } from '#src/engine/workloads/fixed-point.js';
import type { DeploymentState } from '#src/engine/workloads/rollout-state.js';
import {
  buildDeployment,
  buildPod,
  buildPods,
  buildReplicaSet,
  buildState,
  type DeploymentFields,
} from '../../../support/rollout-builders.js';
import { readScenario, scenarioIds } from './recorded.js';

const isFixed = new Set(['surge-deadlock', 'quota-deadlock', 'volume-attach-deadlock', 'readiness-deadlock']);

describe('recorded incidents', () => {
  it('are available', () => {
    expect(scenarioIds.length).toBeGreaterThan(30);
  });

  it.each(scenarioIds.filter((id) => isFixed.has(readScenario(id).cause ?? '')))(
    '%s is at a fixed point',
    (id) => {
      const { state } = readScenario(id);
      // The status of a DaemonSet does not report that its creations are refused.
      const isRefused = state.kind === 'DaemonSet' && waitsForSurgePods(state);
      expect(isRefused ? 'fixed' : restState(state).kind).toBe('fixed');
    },
  );

  it('a surging DaemonSet is at a fixed point once its new pods are refused, and not while an old pod terminates', () => {
    const { state } = readScenario('daemon-set-surge-quota');
    if (state.kind !== 'DaemonSet') throw new Error('it is a DaemonSet');
    const [first] = state.pods;
    if (first === undefined) throw new Error('it has pods');
    const terminatingPod = {
      ...first,
      metadata: { ...first.metadata, deletionTimestamp: new Date(state.now).toISOString() },
    };

    expect(waitsForSurgePods(state)).toBe(true);
    expect(waitsForSurgePods({ ...state, pods: [terminatingPod, ...state.pods.slice(1)] })).toBe(false);
  });

  it.each(['healthy-mid-rollout', 'min-ready-seconds'])('%s progresses without a change', (id) => {
    const { state } = readScenario(id);
    expect(isFixedPoint(state)).toBe(false);
    expect(restState(state).kind).toBe('settling');
  });
});

function stateWith(pod: Pod, fields: DeploymentFields = {}): DeploymentState {
  const minReadySeconds = fields.minReadySeconds ?? 0;
  const first = buildReplicaSet({ revision: 1, replicas: 1, available: 1, minReadySeconds });
  const second = buildReplicaSet({ revision: 2, replicas: 1, minReadySeconds });
  return buildState(buildDeployment(fields), [first, second], [...buildPods(first, 1), pod]);
}

const newPod = { name: 'web-2-0', owner: { uid: 'web-2-uid' }, labels: { 'pod-template-hash': 'web-2' } };

describe('restState', () => {
  it('is fixed while the new pod waits for a node', () => {
    expect(restState(stateWith(buildPod({ ...newPod, node: undefined })))).toEqual({ kind: 'fixed' });
  });

  it.each<[string, Pod, DeploymentFields, string]>([
    [
      'the scheduler has not tried the pod yet',
      buildPod({ ...newPod, node: undefined, age: 1, status: { phase: 'Pending', conditions: [] } }),
      {},
      'be-scheduled',
    ],
    ['the pod has just been placed', buildPod({ ...newPod, ready: false, age: 20 }), {}, 'become-ready'],
    [
      'the pod is ready, but not for long enough',
      buildPod({ ...newPod, readyFor: 10 }),
      { minReadySeconds: 60 },
      'become-available',
    ],
    [
      'the pod is about to leave',
      buildPod({ ...newPod, terminating: true, owner: { uid: 'web-1-uid' } }),
      {},
      'terminate',
    ],
  ])('is settling while %s', (_sentence, pod, fields, will) => {
    const state = stateWith(pod, fields);
    const second = buildReplicaSet({ revision: 2, replicas: 1 });
    const complete =
      will === 'terminate' ? { ...state, pods: [...state.pods, ...buildPods(second, 0, 1)] } : state;
    expect(restState(complete)).toMatchObject({ kind: 'settling', pods: [{ pod, will }] });
  });

  it('is fixed after the full time that the probes allow a pod', () => {
    const slow = {
      spec: { containers: [{ name: 'app', startupProbe: { periodSeconds: 10, failureThreshold: 30 } }] },
    };
    expect(restState(stateWith(buildPod({ ...newPod, ...slow, ready: false, age: 299 }))).kind).toBe(
      'settling',
    );
    expect(restState(stateWith(buildPod({ ...newPod, ...slow, ready: false, age: 301 }))).kind).toBe('fixed');
  });

  it('is fixed with a pod that cannot terminate', () => {
    const terminatingPod = buildPod({ ...newPod, terminating: true });
    const overdue = {
      ...terminatingPod,
      metadata: { ...terminatingPod.metadata, deletionTimestamp: '2026-11-20T09:20:00Z' },
    };
    const second = buildReplicaSet({ revision: 2, replicas: 1 });
    const state = stateWith(overdue);
    expect(
      restState({
        ...state,
        pods: [
          ...state.pods,
          ...buildPods(second, 0, 1).map((pod) => ({
            ...pod,
            metadata: { ...pod.metadata, name: 'web-2-1', uid: 'other' },
          })),
        ],
      }).kind,
    ).toBe('fixed');
  });

  it('is acting when the strategy allows deleting a pod', () => {
    const state = stateWith(buildPod({ ...newPod, node: undefined }), { maxSurge: 0, maxUnavailable: 1 });
    expect(restState(state)).toEqual({ kind: 'acting' });
  });

  it('is acting while a pod is missing and no creation was refused', () => {
    const state = stateWith(buildPod({ ...newPod, phase: 'Failed' }));
    expect(restState(state)).toEqual({ kind: 'acting' });
  });

  it('is fixed while the API server refuses the missing pod', () => {
    const conditions = [
      { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: 'exceeded quota' },
    ];
    const first = buildReplicaSet({ revision: 1, replicas: 1, available: 1 });
    const second = buildReplicaSet({ revision: 2, replicas: 1, exist: 0, status: { conditions } });
    expect(restState(buildState(buildDeployment(), [first, second], buildPods(first, 1)))).toEqual({
      kind: 'fixed',
    });
  });

  it('follows the pods where the reported counts lag behind them', () => {
    const state = stateWith(buildPod({ ...newPod }));
    expect(restState(state)).toEqual({ kind: 'acting' });
  });

  it('is unknown when the pods could not be read', () => {
    expect(restState({ ...stateWith(buildPod(newPod)), pods: [] })).toEqual({ kind: 'unknown' });
  });
});
