import { describe, expect, it } from 'vitest';
import { underWay } from '#src/doctor/findings/diagnose.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { clusterObjects } from '#src/engine/objects/cluster-objects.js';
import { DaemonSet, StatefulSet, type Workload } from '#src/engine/objects/workload.js';
import { buildDeployment, buildTemplate, now } from '../../../support/rollout-builders.js';

const of = (workload: Workload) =>
  underWay({
    takenAt: new Date(now).toISOString(),
    cluster: 'prod',
    workload,
    index: indexObjects(clusterObjects({})),
    logs: [],
    unseen: [],
  });

const metadata = { name: 'db', namespace: 'shop', uid: 'u', generation: 2 };
const half = {
  observedGeneration: 2,
  replicas: 3,
  updatedReplicas: 1,
  readyReplicas: 3,
  availableReplicas: 3,
};
const whole = { ...half, updatedReplicas: 3 };
const expired = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' };

describe('the progress of a rollout', () => {
  it.each([
    ['a Deployment with new pods to come', { status: half }, { updated: 1, wanted: 3 }],
    [
      'a Deployment whose controller has not observed the change',
      { generation: 3, status: whole },
      { updated: 3, wanted: 3 },
    ],
    ['a completed Deployment', { status: whole }, undefined],
    ['a paused Deployment, which does not progress', { paused: true, status: half }, undefined],
    ['a Deployment past its progress deadline', { status: { ...half, conditions: [expired] } }, undefined],
  ])('%s', (_, fields, expected) => {
    expect(of(buildDeployment({ replicas: 3, ...fields }))).toEqual(expected);
  });

  it('of a StatefulSet and a DaemonSet is counted by their own status', () => {
    const template = buildTemplate('db:2');
    const statefulSet = StatefulSet.parse({
      metadata,
      spec: { replicas: 3, selector: {}, template, updateStrategy: { type: 'RollingUpdate' } },
      status: { ...half, readyReplicas: 2, updateRevision: 'b', currentRevision: 'a' },
    });
    const daemonSet = DaemonSet.parse({
      metadata,
      spec: { selector: {}, template, updateStrategy: { type: 'RollingUpdate' } },
      status: { observedGeneration: 2, desiredNumberScheduled: 5, updatedNumberScheduled: 2, numberReady: 5 },
    });

    expect(of(statefulSet)).toEqual({ updated: 1, wanted: 3 });
    expect(of(daemonSet)).toEqual({ updated: 2, wanted: 5 });
  });
});
