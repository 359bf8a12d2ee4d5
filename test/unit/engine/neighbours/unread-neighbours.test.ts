import { describe, expect, it } from 'vitest';
import { unreadNeighbours } from '#src/engine/neighbours/stalled-neighbours.js';
import type { ClusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { node } from '../../../support/placement-builders.js';
import { buildDeployment } from '../../../support/rollout-builders.js';
import { buildExamination, foreignPod, ownedPod } from '../../doctor/findings/waiting/build.js';

const training = ownedPod('training-1-x', 1, { on: 'n-a' }, 'training');
const half = ownedPod('training-2-x', 2, { on: 'n-a' }, 'training');
const rollout = ownedPod(
  'canary-1-x',
  1,
  { on: 'n-a', labels: { 'rollouts-pod-template-hash': '1' } },
  'canary',
);

/** Nodes `n-a` and `n-b` exist. */
function snapshotOf(
  objects: Partial<ClusterObjects>,
  read: { readonly podsReadOn?: ReadonlySet<string>; readonly absentWorkloads?: ReadonlySet<string> },
): Snapshot {
  const { snapshot } = buildExamination({ Node: [node('n-a'), node('n-b')], ...objects });
  return { ...snapshot, index: { ...snapshot.index, ...read } };
}

const onlyOneNode = { podsReadOn: new Set(['n-a']) };
const namesIn = (snapshot: Snapshot, reach?: 'all'): readonly string[] =>
  unreadNeighbours(snapshot, reach).map(({ owner }) => `${owner.kind} ${owner.name}`);
const deployment = (status: object, paused = false) => {
  const built = buildDeployment({ replicas: 1, status, paused });
  return { ...built, metadata: { ...built.metadata, name: 'training', uid: 'training-uid' } };
};

describe('a workload of others', () => {
  it('may free its place while pods on other nodes were not read', () => {
    const objects = { Pod: [training, foreignPod('e-1', 'DaemonSet', 'e', { on: 'n-a' })] };

    expect(namesIn(snapshotOf(objects, onlyOneNode))).toEqual(['DaemonSet e', 'Deployment training']);
  });

  it('keeps its place where all pods were read and are of one revision', () => {
    expect(namesIn(snapshotOf({ Pod: [training] }, {}))).toEqual([]);
    expect(namesIn(snapshotOf({ Pod: [training] }, onlyOneNode), 'all')).toEqual([]);
  });

  it('may free its place where its pods are of two revisions, and it was not read', () => {
    expect(namesIn(snapshotOf({ Pod: [training, half] }, {}))).toEqual(['Deployment training']);
  });

  it.each([
    ['CloneSet', ['CloneSet c']],
    ['Job', []],
    ['Node', []],
    ['ReplicationController', []],
  ])('of kind %s may free its place where its pods are of two revisions', (kind, expected) => {
    const of = (revision: string) =>
      foreignPod(`c-${revision}`, kind, 'c', { on: 'n-a', labels: { 'controller-revision-hash': revision } });

    expect(namesIn(snapshotOf({ Pod: [of('1'), of('2')] }, {}))).toEqual(expected);
    expect(namesIn(snapshotOf({ Pod: [of('1')] }, {}))).toEqual([]);
  });

  it('keeps its place where it was looked for and does not exist', () => {
    const absentWorkloads = new Set(['shop/Deployment/training']);

    expect(namesIn(snapshotOf({ Pod: [training] }, { ...onlyOneNode, absentWorkloads }))).toEqual([]);
  });

  it('keeps its place where it was read and rests', () => {
    const Deployment = [deployment({ replicas: 1, updatedReplicas: 1 })];

    expect(namesIn(snapshotOf({ Pod: [training], Deployment }, onlyOneNode))).toEqual([]);
  });

  it('may free its place where it was read, does not rest, and has pods that were not read', () => {
    const Deployment = [deployment({ replicas: 2, updatedReplicas: 1 })];

    expect(namesIn(snapshotOf({ Pod: [training], Deployment }, onlyOneNode))).toEqual([
      'Deployment training',
    ]);
    expect(namesIn(snapshotOf({ Pod: [training, half], Deployment }, onlyOneNode))).toEqual([]);
  });

  it('is the Rollout that a pod belongs to by its hash', () => {
    const { 'pod-template-hash': _, ...labels } = rollout.metadata.labels;
    const Pod = [{ ...rollout, metadata: { ...rollout.metadata, labels } }];

    expect(namesIn(snapshotOf({ Pod }, onlyOneNode))).toEqual(['Rollout canary']);
  });
});
