import { describe, expect, it } from 'vitest';
import { podSimulatorOf } from '#src/doctor/findings/pod-simulator-of.js';
import { createPlacement } from '#src/engine/scheduler/placement.js';
import { nextSteps } from '#src/engine/workloads/forecast.js';
import { rolloutStateOf } from '#src/engine/workloads/rollout-state.js';
import { queuedRollout } from '../../../support/kueue-builders.js';
import { snapshotOf } from '../causes/run-rule.js';

/** A rollout of GPU pods, the new one of which Kueue admitted, and for which the node has no place. */
function forecast(replicas: number, labels: 'queued' | 'free') {
  const { workload, objects, oldPods, newPod } = queuedRollout({ replicas, nodeGpus: replicas });
  const withoutQueue = <
    One extends { readonly metadata: { readonly labels: Readonly<Record<string, string>> } },
  >(
    one: One,
  ): One => {
    const kept = Object.entries(one.metadata.labels).filter(([key]) => !key.startsWith('kueue.x-k8s.io/'));
    return labels === 'queued'
      ? one
      : { ...one, metadata: { ...one.metadata, labels: Object.fromEntries(kept) } };
  };
  const admitted = { ...newPod, spec: { ...newPod.spec, schedulingGates: [] } };
  const template = withoutQueue(workload.spec.template);
  const snapshot = snapshotOf(
    { ...workload, spec: { ...workload.spec, template } },
    {
      ReplicaSet: (objects.ReplicaSet ?? []).map((set) => ({
        ...set,
        spec: { ...set.spec, template: withoutQueue(set.spec.template) },
      })),
      Pod: [...oldPods, admitted].map(withoutQueue),
      Node: objects.Node ?? [],
    },
  );
  const state = rolloutStateOf(snapshot);
  if (state.kind !== 'Deployment') throw new Error(state.kind);
  const simulator = podSimulatorOf({ snapshot, placement: createPlacement(snapshot.index) });
  const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } as const;
  return nextSteps(state, { kind: 'strategy', strategy }, simulator);
}

describe('a forecast for a Deployment in a queue of Kueue whose quota was not read', () => {
  it('is complete where the only new pod exists and was admitted', () => {
    expect(forecast(1, 'queued').ends).toBe('complete');
  });

  it('names the queue as a competitor where further pods wait for quota', () => {
    expect(forecast(3, 'queued')).toMatchObject({
      ends: 'contested',
      winners: [{ kind: 'LocalQueue', namespace: 'shop', name: 'gpus' }],
    });
  });

  it('is complete where Kueue does not admit the pods', () => {
    expect(forecast(3, 'free').ends).toBe('complete');
  });
});
