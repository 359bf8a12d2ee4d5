import { describe, expect, it } from 'vitest';
import { surgeDeadlock as rule } from '#src/doctor/causes/surge-deadlock/rule.js';
import { groupNeighbours } from '#src/engine/neighbours/replaced-neighbours.js';
import { groupLabels, LeaderWorkerSet } from '#src/engine/objects/leader-worker-set.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { node } from '../../../support/placement-builders.js';
import { buildDeployment, buildPod, buildReplicaSet } from '../../../support/rollout-builders.js';
import { keysOf, mustFind, snapshotOf } from '../../doctor/causes/run-rule.js';

const gpu = 'nvidia.com/gpu';
const spec = { containers: [{ name: 'app', image: 'web:1', resources: { requests: { [gpu]: '1' } } }] };
const gpus = (name: string) => node(name, { allocatable: { [gpu]: '1' } });

const former = buildReplicaSet({ revision: 1, replicas: 1, available: 1 });
const fresh = buildReplicaSet({ revision: 2, replicas: 1, available: 0 });
const memberOf = ({ metadata, spec: { template } }: typeof former, name: string, on: string | undefined) =>
  buildPod({
    name,
    owner: { name: metadata.name, uid: metadata.uid },
    labels: template.metadata.labels,
    node: on,
    spec,
  });

/** The leader of a group, created in the order of the revisions. */
function leader(index: number, revision: number, on: string): Pod {
  const pod = buildPod({ name: `inference-${index}`, node: on, spec, ready: true });
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      creationTimestamp: `2026-11-20T0${revision}:00:00Z`,
      labels: {
        [groupLabels.name]: 'inference',
        [groupLabels.groupIndex]: String(index),
        [groupLabels.workerIndex]: '0',
        [groupLabels.revision]: `revision-${revision}`,
      },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'inference', uid: 'set', controller: true },
      ],
    },
  };
}

const setOf = (partition: number, updatedReplicas: number, replicas = 2) =>
  LeaderWorkerSet.parse({
    metadata: { name: 'inference', namespace: 'shop', uid: 'lws', generation: 1 },
    spec: {
      replicas: 2,
      leaderWorkerTemplate: { workerTemplate: { spec } },
      rolloutStrategy: { rollingUpdateConfiguration: { partition } },
    },
    status: { observedGeneration: 1, replicas, updatedReplicas, readyReplicas: replicas },
  });

/** A Deployment that is deadlocked on node `a`, beside groups on the nodes `b` and `c`. */
const beside = (pods: readonly Pod[], sets: readonly LeaderWorkerSet[] = []) =>
  snapshotOf(buildDeployment({ replicas: 1 }), {
    ReplicaSet: [former, fresh],
    Pod: [memberOf(former, 'old', 'a'), memberOf(fresh, 'new', undefined), ...pods],
    Node: [gpus('a'), gpus('b'), gpus('c')],
    LeaderWorkerSet: sets,
  });

const updating = [leader(0, 1, 'b'), leader(1, 2, 'c')];

describe('a LeaderWorkerSet of others', () => {
  it('that replaces its groups weakens a deadlock', () => {
    const finding = mustFind(rule, beside(updating));
    expect(finding.confidence).toBe('likely');
    expect(keysOf(finding.weakenedBy)).toEqual(['neighbours-replace']);
  });

  it('of one revision does not', () => {
    const finding = mustFind(rule, beside([leader(0, 1, 'b'), leader(1, 1, 'c')]));
    expect(finding).toMatchObject({ confidence: 'proven', weakenedBy: [] });
  });

  it('stops the pods of former revisions', () => {
    expect(groupNeighbours(beside(updating, [setOf(0, 1)]))).toMatchObject([
      {
        owner: { kind: 'LeaderWorkerSet', namespace: 'shop', name: 'inference' },
        leaving: [{ metadata: { name: 'inference-0' } }],
      },
    ]);
  });

  it.each([
    ['all groups from its partition on are updated', setOf(1, 1)],
    ['its partition is above every group', setOf(5, 0)],
  ])('rests where %s', (_, set) => {
    expect(groupNeighbours(beside(updating, [set]))).toEqual([]);
  });

  it('does not rest while a surge group is left', () => {
    expect(groupNeighbours(beside(updating, [setOf(1, 2, 3)]))).toHaveLength(1);
  });
});
