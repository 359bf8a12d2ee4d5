import { describe, expect, it } from 'vitest';
import { isUnschedulable, refusedSince, stuckRolloutOf } from '#src/doctor/findings/stuck-rollout.js';
import { hasNode } from '#src/engine/objects/pod.js';
import { names, pod } from '../../../support/placement-builders.js';
import { buildPod, type DeploymentFields } from '../../../support/rollout-builders.js';
import {
  ago,
  buildDeployment,
  buildExamination,
  buildReplicaSet,
  type Fields,
  ownedPod,
} from './waiting/build.js';

const [first, second] = [
  buildReplicaSet({ revision: 1, replicas: 1, available: 1 }),
  buildReplicaSet({ revision: 2, replicas: 1 }),
];
const [old, fresh] = [ownedPod('web-old', 1, { on: 'n-a' }), ownedPod('web-new', 2)];
const owner = { name: 'web-2', uid: 'web-2-uid' };

/** One old pod is ready, one new pod finds no node, and the controller may take neither. */
const stuckHalfWay = (deployment: DeploymentFields = {}, fields: Partial<Fields> = {}) =>
  buildExamination({
    workload: buildDeployment({ maxSurge: 1, maxUnavailable: 0, replicas: 1, ...deployment }),
    ReplicaSet: [first, second],
    Pod: [old, fresh],
    ...fields,
  }).snapshot;

describe('a rollout that is stuck half-way', () => {
  it.each<readonly [string, DeploymentFields, Partial<Fields>]>([
    ['with the pods that hold the resource and those that are blocked', {}, {}],
    [
      'without ReplicaSets of the history that want no pods',
      {},
      { ReplicaSet: [buildReplicaSet({ revision: 0, replicas: 0 }), first, second] },
    ],
    [
      'without a ready new pod',
      { replicas: 2 },
      {
        ReplicaSet: [first, buildReplicaSet({ revision: 2, replicas: 2, available: 1 })],
        Pod: [old, fresh, ownedPod('web-ready', 2, { on: 'n-b' })],
      },
    ],
    ['for a later generation', { generation: 9 }, {}],
    [
      'for a later generation that the controller has observed',
      { generation: 9, status: { observedGeneration: 10 } },
      {},
    ],
  ])('is recognized %s', (_, deployment, fields) => {
    const found = stuckRolloutOf(stuckHalfWay(deployment, fields));

    expect(names(found?.holding ?? [])).toEqual(['web-old']);
    expect(names(found?.blocked ?? [])).toEqual(['web-new']);
    expect(found?.newReplicaSet.metadata.name).toBe('web-2');
    expect(found?.oldReplicaSets.map(({ metadata }) => metadata.name)).toEqual(['web-1']);
  });

  it.each<readonly [string, DeploymentFields, Partial<Fields>]>([
    ['that is paused', { paused: true }, {}],
    ['of a Deployment that is being deleted', { deleted: true }, {}],
    [
      'whose latest change the controller has not observed yet',
      { generation: 3, status: { observedGeneration: 2 } },
      {},
    ],
    ['that recreates', { recreate: true }, {}],
    ['whose controller may still stop the old pod', { maxUnavailable: 1 }, {}],
    ['that has no ReplicaSet of its own yet', {}, { ReplicaSet: [first], Pod: [old] }],
    ['whose old pod has no node either', {}, { Pod: [ownedPod('web-old', 1), fresh] }],
    ['whose old pod has ended', {}, { Pod: [ownedPod('web-old', 1, { on: 'n-a', phase: 'Failed' }), fresh] }],
    [
      'whose new pod the scheduler has not tried yet',
      {},
      { Pod: [old, { ...fresh, status: { ...fresh.status, conditions: [] } }] },
    ],
  ])('is not recognized %s', (_, deployment, fields) => {
    expect(stuckRolloutOf(stuckHalfWay(deployment, fields))).toBeUndefined();
  });

  it('is stuck with a young pod on a node only where the pod is known not to start', () => {
    const young = buildPod({
      name: 'web-new',
      owner,
      labels: { 'pod-template-hash': '2' },
      ready: false,
      age: 5,
      node: 'n-b',
    });
    const snapshot = stuckHalfWay({}, { Pod: [old, young] });
    const stuckWith = (name: string) => stuckRolloutOf(snapshot, ({ metadata }) => metadata.name === name);

    expect([stuckRolloutOf(snapshot), stuckWith('web-other')]).toEqual([undefined, undefined]);
    expect(stuckWith('web-new')).toBeDefined();
  });

  it('is not stuck while a pod terminates, whatever is known of it', () => {
    const gone = buildPod({ name: 'web-gone', owner, terminating: true });
    const leaving = { ...gone, metadata: { ...gone.metadata, deletionTimestamp: ago(-20) } };

    expect(stuckRolloutOf(stuckHalfWay({}, { Pod: [old, fresh, leaving] }), () => true)).toBeUndefined();
  });
});

describe('a pod that the scheduler has refused', () => {
  const scheduled = (status: string, reason: string, fields: object = {}) =>
    pod('p', { status: { conditions: [{ type: 'PodScheduled', status, reason, ...fields }] } });

  it.each([
    ['is a pod with a failed scheduling attempt', scheduled('False', 'Unschedulable'), true],
    ['is not a pod with a scheduling gate', scheduled('False', 'SchedulingGated'), false],
    ['is not a pod without a scheduling attempt', pod('p'), false],
    [
      'is not a pod that was placed since',
      pod('p', {
        on: 'n-a',
        status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] },
      }),
      false,
    ],
    ['is not a pod without conditions', scheduled('Unknown', 'Unschedulable'), false],
  ])('%s', (_, each, expected) => {
    expect(isUnschedulable(each)).toBe(expected);
  });

  it('has no node where its node name is empty', () => {
    expect(hasNode(pod('p', { on: '' }))).toBe(false);
    expect(hasNode(pod('p'))).toBe(false);
    expect(hasNode(pod('p', { on: 'n-a' }))).toBe(true);
  });

  it('is refused since the condition changed, or since its creation', () => {
    const since = scheduled('False', 'Unschedulable', { lastTransitionTime: ago(60) });
    const made = { ...pod('p'), metadata: { ...pod('p').metadata, creationTimestamp: ago(90) } };

    expect(refusedSince(since)).toBe(ago(60));
    expect(refusedSince(made)).toBe(ago(90));
  });
});
