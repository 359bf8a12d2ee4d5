import { describe, expect, it } from 'vitest';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { clusterObjects } from '#src/engine/objects/cluster-objects.js';
import { Event } from '#src/engine/objects/event.js';
import { KnativeService } from '#src/engine/objects/knative-service.js';
import { Pod } from '#src/engine/objects/pod.js';
import { RayService } from '#src/engine/objects/ray-service.js';
import { ReplicaSet } from '#src/engine/objects/workload.js';
import { refusedPodsOf } from '#src/engine/workloads/revisioned/pods.js';

const now = Date.parse('2026-11-20T09:30:00Z');
const template = { spec: { containers: [] } };
const pending = 'llm-bbbbb';

const service = RayService.parse({
  metadata: { namespace: 'shop', name: 'llm' },
  spec: {
    rayClusterConfig: {
      headGroupSpec: { template },
      workerGroupSpecs: [
        { groupName: 'cpu', replicas: 1, template },
        { groupName: 'gpu', replicas: 2, template },
      ],
    },
  },
  status: {
    activeServiceStatus: { rayClusterName: 'llm-aaaaa' },
    pendingServiceStatus: { rayClusterName: pending },
  },
});

const podOf = (group: string): Pod =>
  Pod.parse({
    metadata: {
      namespace: 'shop',
      name: `${pending}-${group}`,
      labels: { 'ray.io/cluster': pending, 'ray.io/group': group },
      ownerReferences: [
        { apiVersion: 'ray.io/v1', kind: 'RayCluster', name: pending, uid: 'ray', controller: true },
      ],
    },
    spec: { containers: [] },
  });

const event = (reason: string, minute: number, message = ''): Event =>
  Event.parse({
    metadata: { namespace: 'shop', name: `${pending}.${reason}` },
    involvedObject: { kind: 'RayCluster', namespace: 'shop', name: pending, uid: 'ray' },
    type: reason.startsWith('Failed') ? 'Warning' : 'Normal',
    reason,
    message,
    lastTimestamp: `2026-11-20T09:${minute}:00Z`,
  });

const refusedIn = (pods: readonly Pod[], events: readonly Event[]) =>
  refusedPodsOf({ index: indexObjects(clusterObjects({ Event: [...events] })), service, pods, now }).map(
    ({ creator, part, missing }) => [creator.kind, part.name, missing],
  );

describe('the pods that a RayCluster is refused', () => {
  it('are its head before its workers', () => {
    expect(refusedIn([], [event('FailedToCreateHeadPod', 10)])).toEqual([['RayCluster', 'headgroup', 1]]);
  });

  it('are those of the group that the message names', () => {
    const message = `pods "${pending}-gpu-worker-x1" is forbidden: exceeded quota: team`;

    expect(refusedIn([podOf('headgroup')], [event('FailedToCreateWorkerPod', 10, message)])).toEqual([
      ['RayCluster', 'gpu', 2],
    ]);
  });

  it('are none once it has created one since', () => {
    const events = [event('FailedToCreateHeadPod', 10), event('CreatedHeadPod', 11)];

    expect(refusedIn([], events)).toEqual([]);
  });

  it('are none where all exist', () => {
    const pods = ['headgroup', 'cpu', 'gpu'].map(podOf);
    const second = { ...podOf('gpu'), metadata: { ...podOf('gpu').metadata, name: 'second' } };

    expect(refusedIn([...pods, second], [event('FailedToCreateWorkerPod', 10)])).toEqual([]);
  });
});

describe('the pods that a revision of a Knative Service is refused', () => {
  const knative = KnativeService.parse({
    metadata: { namespace: 'shop', name: 'llm' },
    spec: { template },
    status: { latestCreatedRevisionName: 'llm-00002', latestReadyRevisionName: 'llm-00001' },
  });
  const replicaSet = (revision: string, kind = 'Deployment') =>
    ReplicaSet.parse({
      metadata: {
        namespace: 'shop',
        name: `${revision}-x`,
        uid: revision,
        labels: { 'serving.knative.dev/service': 'llm', 'serving.knative.dev/revision': revision },
        ownerReferences: [{ apiVersion: 'apps/v1', kind, name: revision, uid: 'd', controller: true }],
      },
      spec: { replicas: 2, selector: {}, template },
      status: { conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' }] },
    });
  const missingIn = (...sets: readonly ReplicaSet[]) =>
    refusedPodsOf({
      index: indexObjects(clusterObjects({ ReplicaSet: [...sets] })),
      service: knative,
      pods: [],
      now,
    }).map(({ uid, missing }) => [uid, missing]);

  it('are those of the ReplicaSet of the new revision', () => {
    expect(missingIn(replicaSet('llm-00001'), replicaSet('llm-00002'))).toEqual([['llm-00002', 2]]);
  });

  it('are none of a ReplicaSet that has only the labels', () => {
    expect(missingIn(replicaSet('llm-00002', 'Rollout'))).toEqual([]);
  });
});
