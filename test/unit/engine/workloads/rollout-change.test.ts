import { describe, expect, it } from 'vitest';
import { PodTemplate } from '#src/engine/objects/pod-spec.js';
import {
  changedDaemonSet,
  changedState,
  changedStatefulSet,
  type DeploymentChange,
} from '#src/engine/workloads/rollout-change.js';
import {
  buildDeployment,
  buildPod,
  buildReplicaSet,
  buildState,
  buildTemplate,
} from '../../../support/rollout-builders.js';
import { buildStateOf as setState } from '../../../support/stateful-set-builders.js';
import { buildStateOf as daemonState } from './daemon-set-builders.js';

const state = buildState(
  buildDeployment({ generation: 4, paused: true }),
  [buildReplicaSet({ revision: 1, replicas: 1 }), buildReplicaSet({ revision: 2, replicas: 3 })],
  [buildPod({ name: 'web-a' }), buildPod({ name: 'web-b', node: undefined })],
);
const restartedAt = 'kubectl.kubernetes.io/restartedAt';

function changedBy(change: DeploymentChange) {
  const changed = changedState(state, change);
  if (changed === undefined) throw new Error('it should be there');
  return changed;
}

describe('a simulated change of a Deployment', () => {
  it.each<readonly [string, DeploymentChange, object]>([
    [
      'its strategy',
      { kind: 'strategy', strategy: { type: 'Recreate', rollingUpdate: undefined } as never },
      { strategy: { type: 'Recreate' } },
    ],
    ['its size', { kind: 'replicas', replicas: 7 }, { replicas: 7 }],
    ['that it continues', { kind: 'resume' }, { paused: false }],
    [
      'its template',
      { kind: 'template', template: PodTemplate.parse(buildTemplate('web:9')) },
      { template: { spec: { containers: [{ image: 'web:9' }] } } },
    ],
    [
      'its template, back to that of an old ReplicaSet',
      { kind: 'undo', replicaSet: 'web-1' },
      { template: { spec: { containers: [{ image: 'web:1' }] } } },
    ],
  ])('writes %s, and no field that its controllers own', (_, change, spec) => {
    const { deployment, replicaSets, pods } = changedBy(change);

    expect(deployment.spec).toMatchObject(spec);
    expect(deployment.metadata.generation).toBe(5);
    expect(deployment.status).toBe(state.deployment.status);
    expect(replicaSets).toBe(state.replicaSets);
    expect(pods).toBe(state.pods);
  });

  it('removes the hash from a restored template, and keeps its other labels', () => {
    expect(changedBy({ kind: 'undo', replicaSet: 'web-1' }).deployment.spec.template.metadata.labels).toEqual(
      { app: 'web' },
    );
  });

  it('restarts by an annotation with the time, and changes nothing else of the pods', () => {
    const { template } = changedBy({ kind: 'restart' }).deployment.spec;

    expect(template.metadata.annotations).toEqual({ [restartedAt]: '2026-11-20T09:30:00Z' });
    expect(template.metadata.labels).toEqual({ app: 'web' });
    expect(template.spec).toEqual(state.deployment.spec.template.spec);
  });

  it('resizes only the ReplicaSet that it names', () => {
    const { replicaSets, deployment } = changedBy({
      kind: 'scale-replica-set',
      replicaSet: 'web-1',
      replicas: 0,
    });

    expect(replicaSets.map(({ spec }) => spec.replicas)).toEqual([0, 3]);
    expect(deployment).toBe(state.deployment);
  });

  it('deletes only the pod that it names: in its grace period, or at once where it has no node', () => {
    const terminating = changedBy({ kind: 'delete-pod', pod: 'web-a' }).pods;

    expect(terminating.map(({ metadata }) => [metadata.name, metadata.deletionTimestamp])).toEqual([
      ['web-a', '2026-11-20T09:30:30Z'],
      ['web-b', undefined],
    ]);
    expect(changedBy({ kind: 'delete-pod', pod: 'web-b' }).pods.map(({ metadata }) => metadata.name)).toEqual(
      ['web-a'],
    );
  });

  it('is empty where nothing is changed', () => {
    expect(changedState(state, { kind: 'none' })).toBe(state);
  });

  it.each<DeploymentChange>([
    { kind: 'undo', replicaSet: 'web-9' },
    { kind: 'scale-replica-set', replicaSet: 'web-9', replicas: 1 },
    { kind: 'delete-pod', pod: 'web-z' },
  ])('is refused for a missing object: $kind', (change) => {
    expect(changedState(state, change)).toBeUndefined();
  });
});

describe('a simulated change of a StatefulSet', () => {
  const set = setState({ partition: 2, maxUnavailable: 2 }, [[1], [1], [2]]);

  it('sets the partition and keeps maxUnavailable', () => {
    const changed = changedStatefulSet(set, { kind: 'partition', partition: 0 });

    expect(changed?.statefulSet.spec.updateStrategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { partition: 0, maxUnavailable: 2 },
    });
    expect(changed?.controllerRevisions).toBe(set.controllerRevisions);
  });

  it('to an old revision makes that one the newest, under a higher number', () => {
    const changed = changedStatefulSet(set, { kind: 'undo', controllerRevision: 'db-1' });

    expect(changed?.statefulSet.spec.template.spec.containers[0]?.image).toBe('db:1');
    expect(changed?.controllerRevisions.map(({ metadata, revision }) => [metadata.name, revision])).toEqual([
      ['db-1', 3],
      ['db-2', 2],
    ]);
  });

  it('to its current template creates no revision', () => {
    expect(changedStatefulSet(set, { kind: 'none' })?.controllerRevisions).toEqual(set.controllerRevisions);
  });

  it('to another template creates the next revision', () => {
    const template = PodTemplate.parse(buildTemplate('db:3'));
    const changed = changedStatefulSet(set, { kind: 'template', template });

    expect(changed?.controllerRevisions.map(({ revision }) => revision)).toEqual([1, 2, 3]);
    expect(changed?.controllerRevisions.at(-1)?.metadata).toMatchObject({
      name: 'db-revision-3',
      uid: 'simulated:db-revision-3',
      creationTimestamp: '2026-11-20T09:30:00Z',
      labels: { 'controller-revision-hash': 'db-revision-3' },
    });
  });

  it('is refused where it restores or deletes a missing object', () => {
    expect(changedStatefulSet(set, { kind: 'undo', controllerRevision: 'db-9' })).toBeUndefined();
    expect(changedStatefulSet(set, { kind: 'delete-pod', pod: 'db-9' })).toBeUndefined();
    expect(changedStatefulSet(set, { kind: 'delete-pod', pod: 'db-1' })?.pods).toHaveLength(3);
  });
});

describe('a simulated change of a DaemonSet', () => {
  const daemons = daemonState({ maxSurge: 1 }, [
    ['n-0', 1],
    ['n-1', 2],
  ]);

  it('replaces both bounds of its update', () => {
    const changed = changedDaemonSet(daemons, { kind: 'rolling-update', maxSurge: 0, maxUnavailable: '50%' });

    expect(changed?.daemonSet.spec.updateStrategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 0, maxUnavailable: '50%' },
    });
    expect(changed?.daemonSet.spec.template).toBe(daemons.daemonSet.spec.template);
  });

  it('restarts under a new revision', () => {
    const changed = changedDaemonSet(daemons, { kind: 'restart' });

    expect(changed?.daemonSet.spec.template.metadata.annotations[restartedAt]).toBe('2026-11-20T09:30:00Z');
    expect(changed?.controllerRevisions.map(({ revision }) => revision)).toEqual([1, 2, 3]);
  });

  it('deletes only the pod that it names', () => {
    expect(
      changedDaemonSet(daemons, { kind: 'delete-pod', pod: 'n-0-v1' })?.pods.map(
        ({ metadata }) => metadata.deletionTimestamp !== undefined,
      ),
    ).toEqual([true, false]);
    expect(changedDaemonSet(daemons, { kind: 'delete-pod', pod: 'n-9-v1' })).toBeUndefined();
    expect(changedDaemonSet(daemons, { kind: 'undo', controllerRevision: 'agent-9' })).toBeUndefined();
  });
});
