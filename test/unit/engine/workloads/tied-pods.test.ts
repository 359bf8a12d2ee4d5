import { describe, expect, it } from 'vitest';
import { Rollout } from '#src/engine/objects/argo-rollout.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { clusterObjects } from '#src/engine/objects/cluster-objects.js';
import { Pod } from '#src/engine/objects/pod.js';
import type { Snapshot, Unseen } from '#src/engine/objects/snapshot.js';
import type { Workload } from '#src/engine/objects/workload.js';
import { restState } from '#src/engine/workloads/fixed-point.js';
import { newPods, oldPods } from '#src/engine/workloads/revisions.js';
import { rolloutStateOf } from '#src/engine/workloads/rollout-state.js';
import { buildDeployment, buildReplicaSet, now } from '../../../support/rollout-builders.js';

interface PodFields {
  readonly replicaSet: string;
  readonly hash?: string;
  readonly label?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly namespace?: string;
  readonly kind?: string;
}

function podOf(fields: PodFields): Pod {
  const { replicaSet, hash = '6f4d', label = 'pod-template-hash', namespace = 'shop' } = fields;
  return Pod.parse({
    metadata: {
      name: `${replicaSet}-x`,
      namespace,
      uid: `${namespace}-${replicaSet}-x`,
      labels: { app: 'web', [label]: hash, ...fields.labels },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: fields.kind ?? 'ReplicaSet',
          name: replicaSet,
          uid: `uid-${replicaSet}`,
          controller: true,
        },
      ],
    },
    spec: { containers: [{ name: 'app' }] },
  });
}

const unreadSets: Unseen = { what: 'ReplicaSet', namespace: '', because: 'not-recorded', message: '' };

function stateOf(workload: Workload, pods: readonly Pod[], unseen: readonly Unseen[] = [unreadSets]) {
  const objects = clusterObjects({ Pod: pods, ReplicaSet: [] });
  const snapshot: Snapshot = {
    takenAt: new Date(now).toISOString(),
    cluster: 'test',
    workload,
    index: indexObjects(objects),
    logs: [],
    unseen,
  };
  const state = rolloutStateOf(snapshot);
  if (state.kind !== 'Deployment' && state.kind !== 'Rollout') throw new Error(state.kind);
  return state;
}

const names = (pods: readonly Pod[]) => pods.map(({ metadata }) => metadata.name);

describe('pods of a Deployment whose ReplicaSets were not read', () => {
  it.each<[string, PodFields, boolean]>([
    ['a ReplicaSet with its name and the hash', { replicaSet: 'web-6f4d' }, true],
    ['the ReplicaSet of a Deployment whose name begins alike', { replicaSet: 'web-canary-6f4d' }, false],
    ['a ReplicaSet that people made', { replicaSet: 'web-6f4d', hash: '' }, false],
    ['a ReplicaSet of another namespace', { replicaSet: 'web-6f4d', namespace: 'other' }, false],
    ['a Rollout of the same name', { replicaSet: 'web-6f4d', label: 'rollouts-pod-template-hash' }, false],
    ['a Job of such a name', { replicaSet: 'web-6f4d', kind: 'Job' }, false],
    ['labels outside the selector', { replicaSet: 'web-6f4d', labels: { app: 'api' } }, false],
  ])('are told by their owner: %s', (_name, fields, isOwn) => {
    expect(stateOf(buildDeployment(), [podOf(fields)]).pods).toHaveLength(isOwn ? 1 : 0);
  });

  it.each<[string, Unseen[]]>([
    ['were read', []],
    ['of another namespace alone were not read', [{ ...unreadSets, namespace: 'other' }]],
    ['are not served', [{ ...unreadSets, because: 'not-served' }]],
  ])('are not tied by name where ReplicaSets %s', (_name, unseen) => {
    expect(stateOf(buildDeployment(), [podOf({ replicaSet: 'web-6f4d' })], unseen).pods).toEqual([]);
  });

  const both = [podOf({ replicaSet: 'web-6f4d' }), podOf({ replicaSet: 'web-77', hash: '77' })];
  const progressing = (message: string, status = 'True') => ({
    status: { updatedReplicas: 1, conditions: [{ type: 'Progressing', status, message }] },
  });

  it('are of the newest revision where the Progressing condition names their ReplicaSet', () => {
    const state = stateOf(buildDeployment(progressing('ReplicaSet "web-77" is progressing.')), both);

    expect(names(newPods(state))).toEqual(['web-77-x']);
    expect(names(oldPods(state))).toEqual(['web-6f4d-x']);
  });

  it('are of no known revision where nothing names one of two', () => {
    const state = stateOf(buildDeployment(progressing('')), both);

    expect([newPods(state), oldPods(state)]).toEqual([[], []]);
  });

  it.each([
    ['some pods are updated', 1, ['web-6f4d-x'], []],
    ['no pod is updated', 0, [], []],
  ])('tell the only revision when %s', (_name, updatedReplicas, newest, old) => {
    const state = stateOf(buildDeployment({ status: { updatedReplicas } }), both.slice(0, 1));

    expect([names(newPods(state)), names(oldPods(state))]).toEqual([newest, old]);
  });

  it('prove no rest of the rollout', () => {
    expect(restState(stateOf(buildDeployment(), both)).kind).toBe('unknown');
  });

  it('belong to the ReplicaSet that was read all the same', () => {
    const replicaSet = buildReplicaSet({ revision: 1, replicas: 1 });
    const own = podOf({ replicaSet: replicaSet.metadata.name });
    const index = indexObjects(clusterObjects({ ReplicaSet: [replicaSet], Pod: [own] }));
    const state = rolloutStateOf({
      takenAt: new Date(now).toISOString(),
      cluster: 'test',
      workload: buildDeployment(),
      index,
      logs: [],
      unseen: [{ ...unreadSets, because: 'too-many' }],
    });

    expect(state.kind === 'Deployment' && state.replicaSets).toHaveLength(1);
  });
});

describe('pods of a Rollout whose ReplicaSets were not read', () => {
  const rollout = Rollout.parse({
    metadata: { name: 'web', namespace: 'shop', uid: 'rollout-uid', generation: 3 },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app' }] } },
      strategy: { canary: {} },
    },
    status: { observedGeneration: '3', currentPodHash: '77', stableRS: '6f4d' },
  });
  const label = 'rollouts-pod-template-hash';

  it('are told apart by the hash that its status names', () => {
    const state = stateOf(rollout, [
      podOf({ replicaSet: 'web-6f4d', label }),
      podOf({ replicaSet: 'web-77', hash: '77', label }),
    ]);

    expect(names(newPods(state))).toEqual(['web-77-x']);
    expect(names(oldPods(state))).toEqual(['web-6f4d-x']);
  });

  it('are not those of a Deployment of the same name', () => {
    expect(stateOf(rollout, [podOf({ replicaSet: 'web-6f4d' })]).pods).toEqual([]);
  });
});
