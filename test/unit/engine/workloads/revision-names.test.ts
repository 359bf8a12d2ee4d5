import { describe, expect, it } from 'vitest';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { clusterObjects } from '#src/engine/objects/cluster-objects.js';
import { ControllerRevision, type Workload } from '#src/engine/objects/workload.js';
import { formerRevisions } from '#src/engine/workloads/controller-revisions.js';
import { newReplicaSetAnnotations } from '#src/engine/workloads/deployment-writes.js';
import { revisionOf } from '#src/engine/workloads/revisions.js';
import { rolloutStateOf } from '#src/engine/workloads/rollout-state.js';
import { buildDeployment, buildPod, buildReplicaSet } from '../../../support/rollout-builders.js';
import { buildSet, buildStateOf as setState } from '../../../support/stateful-set-builders.js';
import { buildDaemonSet, buildStateOf as daemonState } from './daemon-set-builders.js';

const replicaSets = [
  buildReplicaSet({ revision: 1, replicas: 1 }),
  buildReplicaSet({ revision: 4, replicas: 0 }),
];

function snapshotOf(workload: Workload, revisions: readonly ControllerRevision[] = []) {
  const owned = revisions.map((revision) => ({
    ...revision,
    metadata: {
      ...revision.metadata,
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: workload.kind,
          name: '',
          uid: workload.metadata.uid,
          controller: true,
        },
      ],
    },
  }));
  const pods = [
    buildPod({ name: 'web-1-a' }),
    buildPod({ name: 'own', owner: { kind: workload.kind, uid: workload.metadata.uid } }),
    buildPod({ name: 'foreign', owner: { uid: 'foreign-uid' } }),
  ];
  const objects = clusterObjects({ ReplicaSet: replicaSets, ControllerRevision: owned, Pod: pods });
  return {
    takenAt: '2026-11-20T09:30:00Z',
    cluster: '',
    workload,
    index: indexObjects(objects),
    logs: [],
    unseen: [],
  };
}

describe('revisionOf', () => {
  it('is the number of the new ReplicaSet, or its next number', () => {
    expect(revisionOf(snapshotOf(buildDeployment({ image: 'web:4' })))).toBe('4');
    expect(revisionOf(snapshotOf(buildDeployment({ image: 'web:9' })))).toBe('5');
  });

  it.each(['shop', 'other'])(
    'is not the former number because a ReplicaSet of another workload in %s could not be read',
    (namespace) => {
      const annotations = { 'deployment.kubernetes.io/revision': '4' };
      const snapshot = snapshotOf(buildDeployment({ image: 'web:9', annotations }));
      const unseen = [{ what: 'ReplicaSet', namespace, because: 'forbidden', message: '' }] as const;

      expect(revisionOf({ ...snapshot, unseen })).toBe('5');
    },
  );

  it('is the update revision of a StatefulSet and the hash of a DaemonSet', () => {
    expect(revisionOf(snapshotOf(buildSet(), setState({}, []).controllerRevisions))).toBe('db-2');
    expect(revisionOf(snapshotOf(buildDaemonSet(), daemonState({}, []).controllerRevisions))).toBe('hash-2');
    expect(revisionOf(snapshotOf(buildDaemonSet()))).toBe('');
  });
});

describe('rolloutStateOf', () => {
  const names = (workload: Workload) =>
    rolloutStateOf(snapshotOf(workload)).pods.map(({ metadata }) => metadata.name);

  it('contains the pods of the workload only', () => {
    expect(names(buildDeployment())).toEqual(['web-1-a']);
    expect(names(buildSet())).toEqual(['own']);
    expect(names(buildDaemonSet())).toEqual(['own']);
  });

  it('has no observed state for a manifest that was never applied', () => {
    const deployment = buildDeployment();
    const manifest = { ...deployment, metadata: { ...deployment.metadata, uid: '' } };
    expect(rolloutStateOf(snapshotOf(manifest))).toMatchObject({ replicaSets: [], pods: [] });
  });
});

describe('formerRevisions', () => {
  it('are all but the current one, newest first', () => {
    const { statefulSet, controllerRevisions } = setState({}, []);
    const older = ControllerRevision.parse({ metadata: { name: 'db-0' }, revision: 0 });
    const former = formerRevisions(statefulSet, [older, ...controllerRevisions]);
    expect(former.map(({ metadata }) => metadata.name)).toEqual(['db-1', 'db-0']);
  });

  it('are none where the only revision of a StatefulSet is the observed one, though its template reads otherwise', () => {
    const { statefulSet } = setState({}, []);
    const name = statefulSet.status.updateRevision;
    const only = ControllerRevision.parse({ metadata: { name }, revision: 1 });
    expect(name).not.toBe('');
    expect(formerRevisions(statefulSet, [only])).toEqual([]);
  });
});

describe('newReplicaSetAnnotations', () => {
  const deployment = buildDeployment({
    replicas: 3,
    annotations: { team: 'shop', 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
  });
  const history = 'deployment.kubernetes.io/revision-history';
  const revision = 'deployment.kubernetes.io/revision';

  it('are those of the Deployment and the sizes for a ReplicaSet that is created', () => {
    expect(newReplicaSetAnnotations(deployment, undefined, 2)).toEqual({
      team: 'shop',
      [revision]: '2',
      'deployment.kubernetes.io/desired-replicas': '3',
      'deployment.kubernetes.io/max-replicas': '4',
    });
  });

  it('keep a revision that is higher than needed', () => {
    expect(newReplicaSetAnnotations(deployment, { [revision]: '7' }, 2)).toEqual({
      team: 'shop',
      [revision]: '7',
    });
  });

  it('append the previous revision to the history', () => {
    expect(newReplicaSetAnnotations(deployment, { [revision]: '3', [history]: '1' }, 5)[history]).toBe('1,3');
  });

  it('drop the oldest entries of a history that grows too long', () => {
    const long = Array.from({ length: 500 }, (_, index) => String(1000 + index)).join();
    const kept = newReplicaSetAnnotations(deployment, { [revision]: '2000', [history]: long }, 2001)[history];
    expect(kept?.length).toBeLessThanOrEqual(2000);
    expect(kept?.endsWith(',1499,2000')).toBe(true);
    expect(kept?.startsWith('1000')).toBe(false);
  });

  it('keep a revision that is not a number', () => {
    expect(newReplicaSetAnnotations(deployment, { [revision]: 'first' }, 2)).toEqual({
      team: 'shop',
      [revision]: 'first',
    });
  });
});
