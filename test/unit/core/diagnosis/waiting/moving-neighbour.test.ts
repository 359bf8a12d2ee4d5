import { describe, expect, it } from 'vitest';
import { isReady, type Pod } from '#src/core/cluster/pod.js';
import { capacityContention } from '#src/core/diagnosis/causes/capacity-contention/rule.js';
import { text } from '#src/core/diagnosis/causes/capacity-contention/text.js';
import { quotaDeadlock } from '#src/core/diagnosis/causes/quota-deadlock/rule.js';
import { quotaExceeded } from '#src/core/diagnosis/causes/quota-exceeded/rule.js';
import { text as quotaText } from '#src/core/diagnosis/causes/quota-exceeded/text.js';
import { surgeDeadlock } from '#src/core/diagnosis/causes/surge-deadlock/rule.js';
import { text as surgeText } from '#src/core/diagnosis/causes/surge-deadlock/text.js';
import { node } from '#support/placement-builders.js';
import {
  ago,
  buildDeployment,
  buildPod,
  buildReplicaSet,
  type PodFields,
} from '#support/rollout-builders.js';
import { exceededMessage, foreignPod, quota, refused } from '../../creation/build.js';
import { foundBy, keysOf, mustFind, renderFinding } from '../causes/run-rule.js';
import { buildExamination, detectedIn, type Fields, ownedPod, renderStatements } from './build.js';

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

const restarted = {
  containerStatuses: [{ name: 'app', ready: false, restartCount: 1, state: { running: {} } }],
};

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

/** `shop/web` waits for one of three GPUs: one is in use by its own old pod, two by these pods of `shop/api`. */
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

const surge = (neighbours: readonly Pod[], others?: Fields) =>
  detectedIn(surgeDeadlock, tight(neighbours, others));

describe('the rollout of another workload in progress', () => {
  it.each<readonly [string, readonly Pod[], Fields]>([
    ['known by its pods alone', [serving, starting], {}],
    ['read whole', [serving, starting], api()],
    [
      'whose new pod became ready a moment ago',
      [serving, neighbour('api-new', 2, { age: 20, readyFor: 3 })],
      {},
    ],
    [
      'whose old pod became ready a moment ago, too',
      [neighbour('api-old', 1, { age: 30, readyFor: 20 }), neighbour('api-new', 2, { age: 20, readyFor: 3 })],
      {},
    ],
    [
      'whose old pod was created again after its new one',
      [neighbour('api-old', 1, { age: 5 }), neighbour('api-new', 2, { ready: false, age: 20 })],
      {},
    ],
    [
      'whose new pod is ready for minutes and not yet available',
      [serving, neighbour('api-new', 2, { age: 200, readyFor: 180 })],
      api({ minReadySeconds: 600 }),
    ],
    [
      'whose new pod is ready for minutes, with a Deployment that was not read',
      [serving, neighbour('api-new', 2, { age: 200, readyFor: 180 })],
      {},
    ],
    [
      'whose new pod restarted once and is starting',
      [serving, neighbour('api-new', 2, { ready: false, age: 20, status: restarted })],
      {},
    ],
  ])('turns a deadlock into a wait: %s', (_, pods, others) => {
    const examination = tight(pods, others);
    const finding = detectedIn(capacityContention, examination);

    expect(detectedIn(surgeDeadlock, examination)).toBeUndefined();
    expect(finding).toMatchObject({
      confidence: 'likely',
      severity: 'warning',
      resource: 'nvidia.com/gpu',
      holders: [{ name: 'api-old' }],
      remediations: [],
      summary: { key: 'summary-neighbour', values: { neighbours: ['shop/api'] } },
    });
    expect(keysOf(finding?.withheld.map(({ because }) => because) ?? [])).toContain('patch-needless');
    expect(finding?.ruledOut.map(({ cause }) => cause)).toContain('surge-deadlock');
    for (const { en, ko } of renderStatements(finding, text)) {
      expect(en).not.toBe('');
      expect(ko).toMatch(/[가-힣]/);
    }
  });
});

describe('another workload whose controller has just acted, or is about to act', () => {
  const progress = (age: number, status = 'True') => [
    { type: 'Progressing', status, lastUpdateTime: ago(age) },
  ];
  const rolling = { replicas: 2, updatedReplicas: 0, readyReplicas: 2, observedGeneration: 1 };

  it.each<readonly [string, Parameters<typeof buildDeployment>[0]]>([
    ['it has not observed the update yet', { generation: 2, status: { ...rolling } }],
    ['it made a step three seconds ago', { generation: 1, status: { ...rolling, conditions: progress(3) } }],
  ])('may stop old pods, so the deadlock is not proven: %s', (_, fields) => {
    const { Deployment } = api({ replicas: 2, ...fields });
    const examination = tight([serving, neighbour('api-old-2', 1)], Deployment && { Deployment });
    const finding = detectedIn(capacityContention, examination);

    expect(detectedIn(surgeDeadlock, examination)).toBeUndefined();
    expect(finding).toMatchObject({ confidence: 'likely', summary: { key: 'summary-neighbour' } });
    expect(keysOf(finding?.reasoning ?? [])).toContain('neighbour-acts');
    for (const { en, ko } of renderStatements(finding, text)) {
      expect(en).not.toBe('');
      expect(ko).toMatch(/[가-힣]/);
    }
  });

  it.each<readonly [string, Parameters<typeof buildDeployment>[0]]>([
    ['its last step is a minute old', { generation: 1, status: { ...rolling, conditions: progress(60) } }],
    ['it is paused', { generation: 2, paused: true, status: { ...rolling } }],
    ['its deadline has passed', { generation: 1, status: { ...rolling, conditions: progress(3, 'False') } }],
    [
      'its rollout is complete',
      {
        generation: 1,
        status: { ...rolling, updatedReplicas: 2, availableReplicas: 2, conditions: progress(3) },
      },
    ],
  ])('does not affect the proven deadlock: %s', (_, fields) => {
    const { Deployment } = api({ replicas: 2, ...fields });
    const pods = [serving, neighbour('api-old-2', 1)];
    expect(surge(pods, Deployment && { Deployment })).toMatchObject({ confidence: 'proven' });
  });
});

describe('a DaemonSet that replaces its pod beside the old one', () => {
  const daemon = (name: string, hash: string, fields: Partial<PodFields> = {}): Pod =>
    neighbour(name, 1, {
      owner: { kind: 'DaemonSet', name: 'api', uid: 'api-uid' },
      labels: { app: 'api', 'controller-revision-hash': hash },
      ...fields,
    });
  const fresh = { ready: false, age: 20 };

  it('turns a deadlock into a wait', () => {
    const pods = [daemon('api-old', 'one'), daemon('api-new', 'two', fresh)];

    expect(surge(pods)).toBeUndefined();
    expect(detectedIn(capacityContention, tight(pods))).toMatchObject({
      confidence: 'likely',
      holders: [{ name: 'api-old' }],
    });
  });

  it('makes the deadlock only likely while it does so on another node, since this node may be next', () => {
    const pods = [daemon('api-a', 'one'), daemon('far-new', 'two', { ...fresh, node: 'n-b' })];

    expect(surge([...pods, neighbour('other', 1)])).toMatchObject({
      confidence: 'likely',
      weakenedBy: [{ key: 'neighbours-unread', values: { neighbours: ['shop/api'] } }],
    });
  });
});

describe('many rollouts in progress', () => {
  const far = Array.from({ length: 200 }, (_, number) =>
    [1, 2].map((revision) =>
      buildPod({
        name: `a${number}-${revision}`,
        node: 'n-b',
        owner: { name: `a${number}-${revision}`, uid: `a${number}-${revision}-uid` },
        labels: { app: `a${number}`, 'pod-template-hash': String(revision) },
        ...(revision === 2 ? { ready: false, age: 20 } : {}),
      }),
    ),
  ).flat();

  it('are all checked before a deadlock is proven', () => {
    expect(surge([...far, serving, starting])).toBeUndefined();
    const resting = neighbour('api-2', 1);
    expect(surge([...far, serving, resting])).toMatchObject({
      cause: 'surge-deadlock',
      confidence: 'proven',
    });
  });
});

const crashing = {
  containerStatuses: [
    { name: 'app', ready: false, restartCount: 4, state: { waiting: { reason: 'CrashLoopBackOff' } } },
  ],
};
const pulling = {
  containerStatuses: [
    { name: 'app', ready: false, restartCount: 0, state: { waiting: { reason: 'ImagePullBackOff' } } },
  ],
};
/** Two revisions, of which no new pod is about to become available. */
const atRest: readonly (readonly [string, readonly Pod[]])[] = [
  ['its new pod crashes', [serving, neighbour('api-new', 2, { ready: false, age: 20, status: crashing })]],
  [
    'its new pod crashes, and its old pod became ready minutes ago',
    [
      neighbour('api-old', 1, { age: 200, readyFor: 180 }),
      neighbour('api-new', 2, { ready: false, age: 20, status: crashing }),
    ],
  ],
  [
    'its new pod has no image',
    [serving, neighbour('api-new', 2, { ready: false, age: 20, status: pulling })],
  ],
  [
    'its new pod had all the time that a start may take',
    [serving, neighbour('api-new', 2, { ready: false, age: 4_000 })],
  ],
  ['its new pod is ready for an hour', [serving, neighbour('api-new', 2, { age: 4_000, readyFor: 3_600 })]],
];

describe('another rollout that frees nothing does not affect the proven deadlock', () => {
  it.each<readonly [string, readonly Pod[], Fields]>([
    ['its pods are all of one revision', [serving, neighbour('api-2', 1)], {}],
    [
      'its new pod is ready for an hour',
      [serving, neighbour('api-new', 2, { age: 4_000, readyFor: 3_600 })],
      { Deployment: api().Deployment ?? [] },
    ],
    ['its rollout is paused', [serving, starting], api({ paused: true })],
    [
      'its rollout is paused and its ReplicaSets were not read',
      [serving, starting],
      { Deployment: api({ paused: true }).Deployment ?? [] },
    ],
    [
      'its new pod is available and of a Deployment that was read',
      [serving, neighbour('api-new', 2, { age: 900, readyFor: 880 })],
      { Deployment: api({ minReadySeconds: 600 }).Deployment ?? [] },
    ],
    [
      'the resource that it frees is on a node that the pod may not use',
      [
        neighbour('api-a', 1),
        neighbour('api-b', 1),
        neighbour('far-old', 1, { node: 'n-b' }),
        neighbour('far-new', 2, { node: 'n-b', ready: false, age: 20 }),
      ].map((pod, position) =>
        position < 2 ? { ...pod, metadata: { ...pod.metadata, ownerReferences: [] } } : pod,
      ),
      {},
    ],
  ])('%s', (_, pods, others) => {
    expect(surge(pods, others)).toMatchObject({ cause: 'surge-deadlock', confidence: 'proven' });
  });
});

describe('another rollout that is stuck at a new pod', () => {
  it.each(atRest.filter(([, pods]) => pods.some((pod) => !isReady(pod))))(
    'makes the deadlock only likely: %s',
    (_, pods) => {
      const finding = surge(pods, { Deployment: api().Deployment ?? [] });

      expect(finding).toMatchObject({ cause: 'surge-deadlock', confidence: 'likely' });
      expect(finding?.weakenedBy).toEqual([
        expect.objectContaining({ key: 'neighbours-stalled', values: { neighbours: ['shop/api'] } }),
      ]);
    },
  );
});

describe('a workload with pods of two revisions whose Deployment was not read', () => {
  it.each(atRest)('makes the deadlock only likely: %s', (_, pods) => {
    const finding = surge(pods);

    expect(finding).toMatchObject({
      cause: 'surge-deadlock',
      confidence: 'likely',
      standing: { key: 'standing-but-for-neighbours' },
    });
    expect(finding?.weakenedBy).toEqual([
      expect.objectContaining({ key: 'neighbours-unread', values: { neighbours: ['shop/api'] } }),
    ]);
    for (const { en, ko } of renderStatements(finding, surgeText)) {
      expect(en).not.toBe('');
      expect(ko).toMatch(/[가-힣]/);
    }
  });

  it('makes the deadlock only likely where a DaemonSet has two pods on the node', () => {
    const daemon = (name: string, hash: string): Pod =>
      neighbour(name, 1, {
        owner: { kind: 'DaemonSet', name: 'api', uid: 'api-uid' },
        labels: { app: 'api', 'controller-revision-hash': hash },
        age: 4_000,
      });

    expect(surge([daemon('api-old', 'one'), daemon('api-new', 'two')])).toMatchObject({
      cause: 'surge-deadlock',
      confidence: 'likely',
    });
  });
});

describe('a quota that the rollout of another workload frees', () => {
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
  const tightQuota = (others: readonly Pod[]) =>
    refused({
      replicas: 1,
      old: 1,
      others,
      message: exceededMessage('team', memory('1Gi'), memory('3Gi'), memory('3Gi')),
      quotas: [quota({ hard: memory('3Gi'), used: memory('3Gi') })],
    });

  it('causes a wait while the rollout is in progress', () => {
    const moving = tightQuota([cache('cache-old', 1), cache('cache-new', 2, { ready: false, age: 20 })]);
    const finding = mustFind(quotaExceeded, moving);

    expect(foundBy(quotaDeadlock, moving)).toBeUndefined();
    expect(finding.confidence).toBe('likely');
    expect(keysOf(finding.weakenedBy)).toEqual(['neighbour-may-free']);
    expect(finding.ruledOut[0]).toMatchObject({ because: { key: 'because-neighbour-frees' } });
    expect(renderFinding(finding, quotaText).en.join(' ')).toContain(
      'The rollout of shop/cache is in progress',
    );
  });

  it('causes a deadlock while the other workload is stuck', () => {
    const resting = tightQuota([cache('cache-old', 1), cache('cache-new', 1)]);

    expect(foundBy(quotaDeadlock, resting)).toMatchObject({ confidence: 'proven' });
  });

  it('causes a likely deadlock while the other workload has two revisions and was not read', () => {
    const failing = cache('cache-new', 2, { ready: false, age: 20, status: crashing });

    expect(foundBy(quotaDeadlock, tightQuota([cache('cache-old', 1), failing]))).toMatchObject({
      confidence: 'likely',
      weakenedBy: [{ key: 'neighbours-unread' }],
    });
  });
});

const memory = (amount: string) => ({ 'requests.memory': amount });
