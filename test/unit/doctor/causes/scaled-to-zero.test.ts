import { describe, expect, it } from 'vitest';
import { scaledToZero } from '#src/doctor/causes/scaled-to-zero.js';
import type { Rollout } from '#src/engine/objects/argo-rollout.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import type { Event } from '#src/engine/objects/event.js';
import { Deployment } from '#src/engine/objects/workload.js';
import { buildDeployment } from '../../../support/rollout-builders.js';
import { mustFind, snapshotOf, told } from './run-rule.js';

/** `shop/web` without replicas, as this client left it. */
function found(
  annotations: Readonly<Record<string, string>>,
  events: readonly Event[] = [],
  rollouts: readonly Rollout[] = [],
) {
  const built = buildDeployment({ replicas: 0 });
  const workload = Deployment.parse({
    ...built,
    metadata: {
      ...built.metadata,
      annotations,
      managedFields: [
        {
          manager: 'kube-downscaler',
          operation: 'Update',
          apiVersion: 'apps/v1',
          time: '2026-11-20T06:30:00Z',
          fieldsV1: { 'f:spec': { 'f:replicas': {} } },
        },
      ],
    },
  });
  return mustFind(scaledToZero, snapshotOf(workload, { Event: [...events], Rollout: [...rollouts] }));
}

describe('a workload that is scaled to 0', () => {
  it.each(['downscaler/original-replicas', 'sleep.example.com/previous-replicas'])(
    'has the replicas that %s keeps, also in the command',
    (key) => {
      const { facts, advice } = found({ [key]: '3' });
      expect(facts).toMatchObject({ replicasBefore: 3, scaledBy: 'kube-downscaler' });
      expect(advice[0]?.snippet).toContain('--replicas=3');
    },
  );

  it.each([
    ['a word', { 'downscaler/original-replicas': 'three' }],
    ['none', { 'downscaler/original-replicas': '0' }],
    ['another annotation', { 'autoscaling/max-replicas': '9' }],
  ])('has one in the command where an annotation holds %s', (_, annotations) => {
    const { facts, advice } = found(annotations);
    expect(facts?.replicasBefore).toBeUndefined();
    expect(advice[0]?.snippet).toContain('--replicas=1');
  });
});

describe('a workload that a ScaledObject has scaled to 0', () => {
  const owned = [
    { apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', name: 'web-so', uid: 'so', controller: true },
  ];
  const scaledBy = (metric: string, minReplicas = 2, ownerReferences: object[] = owned) =>
    told(
      mustFind(
        scaledToZero,
        snapshotOf(Deployment.parse(buildDeployment({ replicas: 0 })), {
          HorizontalPodAutoscaler: [
            schemas.HorizontalPodAutoscaler.parse({
              metadata: { name: 'keda-hpa-web-so', namespace: 'shop', ownerReferences },
              spec: {
                scaleTargetRef: { kind: 'Deployment', name: 'web' },
                minReplicas,
                maxReplicas: 9,
                metrics: [{ type: 'External', external: { metric: { name: metric } } }],
              },
            }),
          ],
        }),
      ),
    );

  it('is answered with the schedule where a trigger is one', () => {
    const { facts, reasoning, advice } = scaledBy('s1-cron-Europe-Oslo-06xxx-020xxx');
    expect(facts).toMatchObject({ scaler: { kind: 'ScaledObject', name: 'web-so', isScheduled: true } });
    expect(reasoning).toContain('scaler-schedule');
    expect(advice).toEqual([]);
  });

  it('is answered without a schedule where a queue has no work, whatever the minimum', () => {
    const { reasoning, advice } = scaledBy('s0-rabbitmq-cron-jobs');
    expect(reasoning).toContain('scaler-may');
    expect(reasoning).not.toContain('scaler-schedule');
    expect(advice).toEqual([]);
  });

  it('is another matter with an autoscaler that starts no first pod', () => {
    const { reasoning, advice } = scaledBy('queue_length', 2, []);
    expect(reasoning).toContain('scaler-stopped');
    expect(advice).toEqual(['advice-title']);
  });
});

describe('a Deployment that a Rollout takes its template from', () => {
  const rollout = (name: string, replicas = 2, namespace = 'shop') =>
    schemas.Rollout.parse({
      metadata: { name: 'web', namespace },
      spec: { replicas, workloadRef: { apiVersion: 'apps/v1', kind: 'Deployment', name } },
      status: { replicas, readyReplicas: replicas },
    });

  it('is answered with the Rollout, and without a command that scales it up', () => {
    const { facts, reasoning, advice } = told(found({}, [], [rollout('web')]));
    expect(facts).toMatchObject({ rollout: 'web' });
    expect(reasoning).toContain('template-of');
    expect(advice).toEqual([]);
  });

  it.each<[string, Rollout]>([
    ['refers to another Deployment', rollout('api')],
    ['is in another namespace', rollout('web', 2, 'ops')],
  ])('is another matter than one beside a Rollout that %s', (_, other) => {
    const { reasoning, advice } = told(found({}, [], [other]));
    expect(reasoning).not.toContain('template-of');
    expect(advice).toEqual(['advice-title']);
  });

  it('keeps its command where the Rollout wants no pod either', () => {
    expect(told(found({}, [], [rollout('web', 0)])).advice).toEqual(['advice-title']);
  });
});
