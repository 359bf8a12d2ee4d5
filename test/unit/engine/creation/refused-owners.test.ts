import { describe, expect, it } from 'vitest';
import { quotaDeadlock } from '#src/doctor/causes/quota-deadlock/rule.js';
import { safestFirst } from '#src/doctor/findings/diagnose.js';
import { proposePatchStrategy } from '#src/doctor/fixes/kinds/patch-strategy/propose.js';
import { proposeUndoRollout } from '#src/doctor/fixes/kinds/undo-rollout/propose.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import { Event } from '#src/engine/objects/event.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { DeploymentState } from '#src/engine/workloads/rollout-state.js';
import { examined, gpuNode, type RolloutFields, stuckOnGpu } from '../../../support/remediation-builders.js';
import { ago } from '../../../support/rollout-builders.js';
import { mustFind } from '../../doctor/causes/run-rule.js';
import { exceededMessage, type List, quota, refused } from './build.js';

const memory = (amount: string): List => ({ 'requests.memory': amount });
const storage = (amount: string): List => ({ 'requests.ephemeral-storage': amount });
const gpu = 'nvidia.com/gpu';

interface OwnerShape {
  readonly kind?: 'ReplicaSet' | 'StatefulSet' | 'DaemonSet';
  readonly name?: string;
  readonly asks?: List;
  readonly wants?: number;
  readonly has?: number;
  readonly pod?: object;
  readonly message?: string;
  readonly createdSince?: boolean;
}

const messageOf = (asked: List): string => exceededMessage('team', asked, memory('4Gi'), memory('4Gi'));

function eventOf(kind: string, name: string, reason: string, message: string, secondsAgo: number): Event {
  return Event.parse({
    metadata: { name: `${name}.${reason}`, namespace: 'shop' },
    involvedObject: { kind, namespace: 'shop', name, uid: `${name}-uid` },
    type: reason === 'FailedCreate' ? 'Warning' : 'Normal',
    reason,
    message,
    lastTimestamp: ago(secondsAgo),
  });
}

/** An owner in `shop` that is short of pods since the quota refused one. */
function short(shape: OwnerShape = {}): Partial<ClusterObjects> {
  const { kind = 'ReplicaSet', name = 'cache', asks = { memory: '1Gi' }, wants = 1, has = 0 } = shape;
  const refusalMessage = shape.message ?? messageOf(memory(asks.memory ?? '1Gi'));
  const above = [{ kind: 'Deployment', name, uid: `${name}-above-uid`, controller: true }];
  const labels = { app: name };
  const raw = {
    metadata: {
      name: kind === 'ReplicaSet' ? `${name}-1` : name,
      namespace: 'shop',
      uid: `${name}-uid`,
      ownerReferences: kind === 'ReplicaSet' ? above : [],
    },
    spec: {
      ...(kind === 'DaemonSet' ? {} : { replicas: wants }),
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [{ name: 'app', image: 'cache:1', resources: { requests: asks } }],
          ...shape.pod,
        },
      },
    },
    status: {
      replicas: has,
      desiredNumberScheduled: wants,
      currentNumberScheduled: has,
      conditions:
        kind === 'ReplicaSet'
          ? [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: refusalMessage }]
          : [],
    },
  };
  const events = [
    ...(kind === 'ReplicaSet' ? [] : [eventOf(kind, name, 'FailedCreate', refusalMessage, 60)]),
    ...(shape.createdSince ? [eventOf(kind, name, 'SuccessfulCreate', `Created pod: ${name}-x`, 5)] : []),
  ];
  return { [kind]: [schemas[kind].parse(raw)], Event: events };
}

const jobEvent = (asked: List, secondsAgo = 60): Partial<ClusterObjects> => ({
  Event: [eventOf('Job', 'import', 'FailedCreate', messageOf(asked), secondsAgo)],
});

function withOthers(snapshot: Snapshot, ...others: readonly Partial<ClusterObjects>[]): Snapshot {
  const all = [snapshot.index.objects, ...others];
  const merged = {
    ...snapshot.index.objects,
    ReplicaSet: all.flatMap((each) => each.ReplicaSet ?? []),
    StatefulSet: all.flatMap((each) => each.StatefulSet ?? []),
    DaemonSet: all.flatMap((each) => each.DaemonSet ?? []),
    Event: all.flatMap((each) => each.Event ?? []),
  };
  return { ...snapshot, index: indexObjects(clusterObjects(merged)) };
}

/** The fix that stops old pods first; `shop/web` is deadlocked on the quota. */
function patchOf(snapshot: Snapshot) {
  const offered = mustFind(quotaDeadlock, snapshot).remediations;
  const patch = offered.find(({ kind }) => kind === 'patch-strategy');
  if (patch === undefined) throw new Error(`not offered: ${JSON.stringify(offered)}`);
  return patch;
}

const cache = { kind: 'Deployment', namespace: 'shop', name: 'cache' };

describe('a fix that frees quota which another owner needs', () => {
  it.each<readonly [string, readonly Partial<ClusterObjects>[], object]>([
    ['a Deployment', [short()], cache],
    ['a StatefulSet', [short({ kind: 'StatefulSet' })], { ...cache, kind: 'StatefulSet' }],
    ['a DaemonSet', [short({ kind: 'DaemonSet' })], { ...cache, kind: 'DaemonSet' }],
    ['a Job, by its events', [jobEvent(memory('1Gi'))], { ...cache, kind: 'Job', name: 'import' }],
    [
      'an owner that needs half of it for each of two pods',
      [short({ asks: { memory: '512Mi' }, wants: 2 })],
      cache,
    ],
  ])('is contested by %s, which it names', (_, others, competitor) => {
    const { prediction, price } = patchOf(withOthers(refused(), ...others));

    expect(prediction).toMatchObject({ ends: 'contested', competitors: [competitor] });
    expect(price.downtime).toMatchObject({ readyAtLeast: 2 });
    expect(price.downtime.seconds).toBeUndefined();
  });

  const batch = quota({ name: 'batch', hard: memory('1Gi'), used: memory('1Gi'), scopes: ['Terminating'] });
  const team = quota({ hard: memory('4Gi'), used: memory('4Gi'), scopes: ['NotTerminating'] });

  it.each<readonly [string, Partial<ClusterObjects>, object]>([
    ['needs more than is free at any time', short({ asks: { memory: '2Gi' } }), {}],
    [
      'is charged by a quota of another scope',
      short({ pod: { activeDeadlineSeconds: 60 } }),
      { quotas: [team, batch] },
    ],
    [
      'is refused for want of another resource',
      short({
        asks: { memory: '1Gi', 'ephemeral-storage': '2Gi' },
        message: exceededMessage('team', storage('2Gi'), storage('0'), storage('1Gi')),
      }),
      {
        quotas: [
          quota({
            hard: { ...memory('4Gi'), ...storage('1Gi') },
            used: { ...memory('4Gi'), ...storage('0') },
          }),
        ],
      },
    ],
    [
      'leaves enough of the freed quota',
      short(),
      { oldAsks: { memory: '2Gi' }, quotas: [quota({ hard: memory('7Gi'), used: memory('7Gi') })] },
    ],
    ['has all its pods by now', short({ has: 1 }), {}],
    ['has created a pod since', short({ kind: 'StatefulSet', createdSince: true }), {}],
    [
      'is refused by another rule',
      short({ message: 'pods "cache-1-x" is forbidden: violates PodSecurity "restricted:latest": host' }),
      {},
    ],
    ['was refused long ago and is silent since', jobEvent(memory('1Gi'), 3000), {}],
    ['has too little left even for itself', jobEvent(memory('5Gi')), {}],
  ])('completes where the other owner %s', (_, other, fields) => {
    const { prediction } = patchOf(withOthers(refused(fields), other));

    expect(prediction).toMatchObject({ ends: 'complete', competitors: [] });
  });

  it('names all owners that only together leave too little', () => {
    const roomy = {
      oldAsks: { memory: '2Gi' },
      quotas: [quota({ hard: memory('7Gi'), used: memory('7Gi') })],
    };
    const both = [short(), short({ name: 'search' })];

    expect(patchOf(withOthers(refused(roomy), ...both)).prediction).toMatchObject({
      ends: 'contested',
      competitors: [{ name: 'cache' }, { name: 'search' }],
    });
  });

  it('accounts for a large pod that takes everything although a smaller one of another owner would leave enough', () => {
    const roomy = {
      oldAsks: { memory: '2Gi' },
      quotas: [quota({ hard: memory('7Gi'), used: memory('7Gi') })],
    };
    const both = [
      short({ name: 'a-small', asks: { memory: '512Mi' } }),
      short({ name: 'large', asks: { memory: '2Gi' } }),
    ];

    expect(patchOf(withOthers(refused(roomy), ...both)).prediction).toMatchObject({
      ends: 'contested',
      competitors: [{ name: 'large' }],
    });
  });

  it('ranks the fix first that frees no quota for other owners', () => {
    const { remediations } = mustFind(quotaDeadlock, withOthers(refused(), short()));

    expect(safestFirst(remediations).map(({ kind, prediction }) => [kind, prediction.ends])).toEqual([
      ['undo-rollout', 'complete'],
      ['patch-strategy', 'contested'],
    ]);
  });
});

describe('a fix of a rollout that waits for a GPU, in a namespace with a quota of GPUs', () => {
  const cards = (count: number): List => ({ [`requests.${gpu}`]: String(count) });

  /** `shop/web` waits for a card; `shop/cache` wants one that the quota refuses. */
  function stuck(fields: RolloutFields, pod: object, used: number, wants = 1): Snapshot {
    const refusalMessage = exceededMessage('team', cards(1), cards(used), cards(used));
    const other = short({
      wants,
      asks: {},
      message: refusalMessage,
      pod: { containers: [{ name: 'app', image: 'cache:1', resources: { limits: { [gpu]: '1' } } }], ...pod },
    });
    const snapshot = stuckOnGpu(fields);
    const { objects } = snapshot.index;
    const counted = { ...objects, ResourceQuota: [quota({ hard: cards(used), used: cards(used) })] };
    return withOthers({ ...snapshot, index: indexObjects(clusterObjects(counted)) }, other);
  }
  const elsewhere = { nodeSelector: { 'kubernetes.io/hostname': 'cpu-a' } };
  const patch = (snapshot: Snapshot) =>
    proposePatchStrategy(examined<DeploymentState>(snapshot)).remediations[0]?.prediction;

  it('is contested where the pod that the quota then admits could use the GPU', () => {
    expect(patch(stuck({}, {}, 2))).toMatchObject({ ends: 'contested', competitors: [cache] });
  });

  it('completes where that pod may not use the node: the pending pod is charged already', () => {
    expect(patch(stuck({}, elsewhere, 2))).toMatchObject({ ends: 'complete', competitors: [] });
  });

  it('is contested where that pod may not use the node and the rollout has to create further pods', () => {
    const nodes = ['gpu-a', 'gpu-b'].map((name) => gpuNode(name, 1));
    const two = { replicas: 2, old: ['gpu-a', 'gpu-b'], nodes };

    expect(patch(stuck(two, elsewhere, 3, 2))).toMatchObject({ ends: 'contested', competitors: [cache] });
    expect(patch(stuck(two, elsewhere, 3, 1))).toMatchObject({ ends: 'complete', competitors: [] });
  });

  it('is not contested where the pending pod is abandoned', () => {
    const examination = examined<DeploymentState>(stuck({}, {}, 2));
    const [undo] = proposeUndoRollout(examination).remediations;

    expect(undo?.prediction).toMatchObject({ ends: 'complete', competitors: [] });
  });
});
