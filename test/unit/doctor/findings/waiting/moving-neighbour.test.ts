import { describe, expect } from 'vitest';
import { capacityContention } from '#src/doctor/causes/capacity-contention/rule.js';
import { quotaDeadlock } from '#src/doctor/causes/quota-deadlock/rule.js';
import { quotaExceeded } from '#src/doctor/causes/quota-exceeded/rule.js';
import { surgeDeadlock } from '#src/doctor/causes/surge-deadlock/rule.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { node } from '../../../../support/placement-builders.js';
import {
  ago,
  buildDeployment,
  buildPod,
  buildReplicaSet,
  type PodFields,
} from '../../../../support/rollout-builders.js';
import { exceededMessage, foreignPod, quota, refused } from '../../../engine/creation/build.js';
import { expectFindings, has, type Row } from '../../causes/run-rule.js';
import { buildExamination, type Fields, ownedPod } from './build.js';

const gpu = { requests: { 'nvidia.com/gpu': '1' } };
const spec = { containers: [{ name: 'app', image: 'api:1', resources: gpu }] };

/** A pod of ReplicaSet `api-<revision>`, on the node by default. */
function neighbour(name: string, revision: number, fields: Partial<PodFields> = {}): Pod {
  return buildPod({
    name,
    node: 'gpu-a',
    owner: { name: `api-${revision}`, uid: `api-${revision}-uid` },
    labels: { app: 'api', 'pod-template-hash': String(revision) },
    spec,
    ...fields,
  });
}

const serving = neighbour('api-old', 1);
const starting = neighbour('api-new', 2, { ready: false, age: 20 });

function api(fields: Parameters<typeof buildDeployment>[0] = {}): Fields {
  const deployment = buildDeployment(fields);
  const owned = [1, 2].map((revision) =>
    buildReplicaSet({
      revision,
      replicas: 1,
      available: revision === 1 ? 1 : 0,
      name: `api-${revision}`,
      metadata: { ownerReferences: [{ kind: 'Deployment', name: 'api', uid: 'api-uid', controller: true }] },
    }),
  );
  return {
    Deployment: [{ ...deployment, metadata: { ...deployment.metadata, name: 'api', uid: 'api-uid' } }],
    ReplicaSet: owned,
  };
}

/**
 * `shop/web` waits for one of three GPUs: one is in use by its own old pod, two by these pods of `shop/api`.
 */
function tight(neighbours: readonly Pod[], others: Fields = {}) {
  return buildExamination({
    workload: buildDeployment({ status: { readyReplicas: 1, availableReplicas: 1 } }),
    ...others,
    ReplicaSet: [
      buildReplicaSet({ revision: 1, replicas: 1, available: 1 }),
      buildReplicaSet({ revision: 2, replicas: 1 }),
      ...(others.ReplicaSet ?? []),
    ],
    Node: [node('gpu-a', { allocatable: { 'nvidia.com/gpu': '3' } })],
    Pod: [ownedPod('web-old', 1, { on: 'gpu-a', ...gpu }), ownedPod('web-new', 2, gpu), ...neighbours],
  });
}

interface World {
  readonly pods: readonly Pod[];
  readonly others?: Fields | undefined;
}
const crowded = ({ pods, others }: World) => tight(pods, others).snapshot;

const young = (fields: Partial<PodFields> = {}) =>
  neighbour('api-new', 2, { ready: false, age: 20, ...fields });
const readyOld = (fields: Partial<PodFields> = {}) => neighbour('api-old', 1, fields);
const status = (restartCount: number, state: object) => ({
  status: { containerStatuses: [{ name: 'app', ready: false, restartCount, state }] },
});
const crashing = status(4, { waiting: { reason: 'CrashLoopBackOff' } });
const pulling = status(0, { waiting: { reason: 'ImagePullBackOff' } });
const ofDeployment = (fields: Parameters<typeof buildDeployment>[0] = {}): Fields => ({
  Deployment: api(fields).Deployment ?? [],
});
const two = [serving, neighbour('api-old-2', 1)];
const progress = (age: number, state = 'True') => [
  { type: 'Progressing', status: state, lastUpdateTime: ago(age) },
];
/** The Deployment of two pods whose controller stands so. */
const acting = (fields: Parameters<typeof buildDeployment>[0], more: object = {}): World => {
  const rolling = { replicas: 2, updatedReplicas: 0, readyReplicas: 2, observedGeneration: 1 };
  return { pods: two, others: ofDeployment({ replicas: 2, ...fields, status: { ...rolling, ...more } }) };
};
const daemon = (name: string, hash: string, fields: Partial<PodFields> = {}): Pod =>
  neighbour(name, 1, {
    owner: { kind: 'DaemonSet', name: 'api', uid: 'api-uid' },
    labels: { app: 'api', 'controller-revision-hash': hash },
    ...fields,
  });
const fresh = { ready: false, age: 20 };
const many = Array.from({ length: 200 }, (_, number) =>
  [1, 2].map((revision) =>
    buildPod({
      name: `a${number}-${revision}`,
      node: 'n-b',
      owner: { name: `a${number}-${revision}`, uid: `a${number}-${revision}-uid` },
      labels: { app: `a${number}`, 'pod-template-hash': String(revision) },
      ...(revision === 2 ? fresh : {}),
    }),
  ),
).flat();

const moving: readonly (readonly [string, World, object?])[] = [
  ['is known by its pods alone', { pods: [serving, starting] }],
  ['was read whole', { pods: [serving, starting], others: api() }],
  ['has a new pod that became ready a moment ago', { pods: [serving, young({ ready: true, readyFor: 3 })] }],
  [
    'has an old pod that became ready a moment ago, too',
    { pods: [readyOld({ age: 30, readyFor: 20 }), young({ ready: true, readyFor: 3 })] },
  ],
  ['has an old pod that was created again after its new one', { pods: [readyOld({ age: 5 }), young()] }],
  [
    'has a new pod that is ready for minutes and not yet available',
    {
      pods: [serving, neighbour('api-new', 2, { age: 200, readyFor: 180 })],
      others: api({ minReadySeconds: 600 }),
    },
  ],
  [
    'has a new pod that is ready for minutes, with a Deployment that was not read',
    { pods: [serving, neighbour('api-new', 2, { age: 200, readyFor: 180 })] },
  ],
  [
    'has a new pod that restarted once and is starting',
    { pods: [serving, young(status(1, { running: {} }))] },
  ],
  [
    'is a DaemonSet that replaces its pod beside the old one',
    { pods: [daemon('api-old', 'one'), daemon('api-new', 'two', fresh)] },
  ],
  ['is one of many', { pods: [...many, serving, starting] }, {}],
  [
    'has a controller that has not observed the update yet',
    acting({ generation: 2 }),
    { reasoning: has('neighbour-acts') },
  ],
  [
    'has a controller that made a step three seconds ago',
    acting({ generation: 1 }, { conditions: progress(3) }),
    { reasoning: has('neighbour-acts') },
  ],
];

describe('the rollout of another workload turns a deadlock into a wait where it', () => {
  expectFindings(
    surgeDeadlock,
    crowded,
    moving.map(([what, world]): Row<World> => [`${what}: no deadlock`, world]),
  );
  expectFindings(
    capacityContention,
    crowded,
    moving.map(
      ([what, world, more = { holders: ['api-old'] }]): Row<World> => [
        what,
        world,
        {
          confidence: 'likely',
          severity: 'warning',
          resource: 'nvidia.com/gpu',
          fixes: ['undo-rollout'],
          summary: 'summary-neighbour',
          becauseOf: has('patch-needless'),
          ruledOut: has('surge-deadlock'),
          ...more,
        },
      ],
    ),
  );
});

const elsewhere = [
  ...['api-a', 'api-b'].map((name) => {
    const pod = neighbour(name, 1);
    return { ...pod, metadata: { ...pod.metadata, ownerReferences: [] } };
  }),
  neighbour('far-old', 1, { node: 'n-b' }),
  neighbour('far-new', 2, { node: 'n-b', ...fresh }),
];
const longReady = neighbour('api-new', 2, { age: 4_000, readyFor: 3_600 });

describe('another workload does not affect the proven deadlock where', () => {
  const proven = { cause: 'surge-deadlock', confidence: 'proven' };
  const resting: readonly (readonly [string, World])[] = [
    ['its last step is a minute old', acting({ generation: 1 }, { conditions: progress(60) })],
    ['it is paused', acting({ generation: 2, paused: true })],
    ['its deadline has passed', acting({ generation: 1 }, { conditions: progress(3, 'False') })],
    [
      'its rollout is complete',
      acting({ generation: 1 }, { updatedReplicas: 2, availableReplicas: 2, conditions: progress(3) }),
    ],
    ['many others are in progress elsewhere', { pods: [...many, serving, neighbour('api-2', 1)] }],
    ['its pods are all of one revision', { pods: [serving, neighbour('api-2', 1)] }],
    ['its new pod is ready for an hour', { pods: [serving, longReady], others: ofDeployment() }],
    ['its rollout is paused', { pods: [serving, starting], others: api({ paused: true }) }],
    [
      'its rollout is paused and its ReplicaSets were not read',
      { pods: [serving, starting], others: ofDeployment({ paused: true }) },
    ],
    [
      'its new pod is available and of a Deployment that was read',
      {
        pods: [serving, neighbour('api-new', 2, { age: 900, readyFor: 880 })],
        others: ofDeployment({ minReadySeconds: 600 }),
      },
    ],
    ['the resource that it frees is on a node that the pod may not use', { pods: elsewhere }],
  ];
  expectFindings(
    surgeDeadlock,
    crowded,
    resting.map(([what, world]): Row<World> => [what, world, proven]),
  );
});

/** Two revisions, of which no new pod is about to become available. */
const atRest: readonly (readonly [string, readonly Pod[]])[] = [
  ['its new pod crashes', [serving, young(crashing)]],
  [
    'its new pod crashes, and its old pod became ready minutes ago',
    [readyOld({ age: 200, readyFor: 180 }), young(crashing)],
  ],
  ['its new pod has no image', [serving, young(pulling)]],
  ['its new pod had all the time that a start may take', [serving, young({ age: 4_000 })]],
  ['its new pod is ready for an hour', [serving, longReady]],
];

describe('the deadlock is only likely where', () => {
  const likely = (key: string) => ({
    cause: 'surge-deadlock',
    confidence: 'likely',
    weakenedBy: [{ key, values: { neighbours: ['shop/api'] } }],
  });
  const unread = { ...likely('neighbours-unread'), standing: { key: 'standing-but-for-neighbours' } };
  expectFindings<World>(surgeDeadlock, crowded, [
    ...atRest
      .slice(0, -1)
      .map(
        ([what, pods]): Row<World> => [what, { pods, others: ofDeployment() }, likely('neighbours-stalled')],
      ),
    ...atRest.map(
      ([what, pods]): Row<World> => [`${what}, and its Deployment was not read`, { pods }, unread],
    ),
    [
      'a DaemonSet has two pods on the node',
      { pods: [daemon('api-old', 'one', { age: 4_000 }), daemon('api-new', 'two', { age: 4_000 })] },
      { cause: 'surge-deadlock', confidence: 'likely' },
    ],
    [
      'a DaemonSet replaces its pod on another node, since this node may be next',
      {
        pods: [
          daemon('api-a', 'one'),
          daemon('far-new', 'two', { ...fresh, node: 'n-b' }),
          neighbour('other', 1),
        ],
      },
      likely('neighbours-unread'),
    ],
  ]);
});

const memory = (amount: string) => ({ 'requests.memory': amount });
const cache = (name: string, revision: number, fields: Partial<PodFields> = {}) =>
  foreignPod(
    name,
    { memory: '1Gi' },
    {
      owner: { name: `cache-${revision}`, uid: `cache-${revision}-uid` },
      labels: { app: 'cache', 'pod-template-hash': String(revision) },
      ...fields,
    },
  );
/** The quota that the new pod lacks is used by its own old pod, an old pod of `cache` and this one. */
const tightQuota = (other: Pod) =>
  refused({
    replicas: 1,
    old: 1,
    others: [cache('cache-old', 1), other],
    message: exceededMessage('team', memory('1Gi'), memory('3Gi'), memory('3Gi')),
    quotas: [quota({ hard: memory('3Gi'), used: memory('3Gi') })],
  });

describe('a quota that the rollout of another workload frees', () => {
  const inProgress = cache('cache-new', 2, fresh);
  expectFindings<Pod>(quotaExceeded, tightQuota, [
    [
      'causes a wait while the rollout is in progress',
      inProgress,
      {
        confidence: 'likely',
        doubts: ['neighbour-may-free'],
        notBecause: has(expect.objectContaining({ key: 'because-neighbour-frees' })),
      },
    ],
  ]);
  expectFindings<Pod>(quotaDeadlock, tightQuota, [
    ['causes no deadlock while the rollout is in progress', inProgress],
    ['causes a deadlock while the other workload is stuck', cache('cache-new', 1), { confidence: 'proven' }],
    [
      'causes a likely deadlock while the other workload has two revisions and was not read',
      cache('cache-new', 2, { ...fresh, ...crashing }),
      { confidence: 'likely', doubts: ['neighbours-unread'] },
    ],
  ]);
});
