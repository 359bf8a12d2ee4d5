import { describe, expect, it } from 'vitest';
import { readHolders } from '#src/edges/kubernetes/read-neighbours.js';
import { type ClusterObjects, clusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Deployment } from '#src/engine/objects/workload.js';
import { node } from '../../../support/placement-builders.js';
import { buildDeployment, buildPod } from '../../../support/rollout-builders.js';

const card = { containers: [{ name: 'app', resources: { requests: { 'nvidia.com/gpu': '1' } } }] };
const nodesWith = (cards: number) => [
  node('n-a', { allocatable: { 'nvidia.com/gpu': String(cards) } }),
  node('n-b'),
];
const own = buildPod({ name: 'web-new', owner: { uid: 'web-2-uid' }, node: undefined, spec: card });
/** The other card of the node. */
const old = buildPod({ name: 'web-old', owner: { uid: 'web-1-uid' }, spec: card });

function holder(name: string, namespace = 'ml', spec: object = card): Pod {
  const pod = buildPod({
    name: `${name}-1-x`,
    owner: { name: `${name}-1`, uid: `${name}-1-uid` },
    labels: { app: name, 'pod-template-hash': '1' },
    spec,
  });
  return { ...pod, metadata: { ...pod.metadata, namespace, uid: `${namespace}-${name}` } };
}

const unfinished: Deployment = (() => {
  const built = buildDeployment({ replicas: 1, status: { replicas: 2, updatedReplicas: 1 } });
  return {
    ...built,
    metadata: { ...built.metadata, name: 'training', namespace: 'ml', uid: 'training-uid' },
  };
})();

/** Requests, one line each, and the workloads that do not exist. */
async function readsFor(
  pods: readonly Pod[],
  answers: Partial<ClusterObjects> = {},
  readOn: readonly string[] = ['n-a'],
  { refusesWholeCluster = false, cards = 2 } = {},
): Promise<{
  readonly reads: readonly string[];
  readonly absent: readonly string[];
  readonly autoscalers: readonly string[];
  readonly missed: readonly string[];
}> {
  const reads: string[] = [];
  const autoscalers: string[] = [];
  const missed: string[] = [];
  const objects: Record<string, unknown[]> = { Pod: [own, old, ...pods], Node: nodesWith(cards) };
  const read = (kind: keyof ClusterObjects, { namespace = '', labelSelector = '', fieldSelector = '' }) => {
    if (kind === 'HorizontalPodAutoscaler') autoscalers.push(namespace);
    else reads.push(`${kind} ${namespace} ${labelSelector}${fieldSelector}`.trim());
    if (refusesWholeCluster && namespace === '') {
      return Promise.resolve({ type: 'unreadable', because: 'forbidden', message: '' } as never);
    }
    const found = (answers[kind] ?? []).filter(
      ({ metadata }) => namespace === '' || metadata.namespace === namespace,
    );
    objects[kind] = [...(objects[kind] ?? []), ...found];
    return Promise.resolve(found as never);
  };
  const absent = await readHolders(
    {
      list: read,
      tryList: read,
      miss: (what, namespace, { because }) => missed.push(`${what} ${namespace} ${because}`),
      unseen: () => [],
      objects: () => clusterObjects(objects as Partial<ClusterObjects>),
    },
    [own, old],
    new Set(readOn),
  );
  return { reads, absent: [...absent], autoscalers, missed };
}

describe('workloads of others that hold the place', () => {
  it('are read by name, since pods of them may be on nodes that were not read', async () => {
    expect(await readsFor([holder('training')])).toMatchObject({
      reads: ['Deployment ml metadata.name=training'],
      absent: ['ml/Deployment/training'],
    });
  });

  it('are read with all their pods while their rollout is in progress', async () => {
    expect(await readsFor([holder('training')], { Deployment: [unfinished] })).toMatchObject({
      reads: ['Deployment ml metadata.name=training', 'Pod ml app=web', 'ReplicaSet ml app=web'],
      absent: [],
    });
  });

  it('are read with their namespace where there are many, within a bound', async () => {
    const many = ['a', 'b', 'c'].map((name) => holder(name));
    const everywhere = Array.from({ length: 20 }, (_, at) => holder('training', `team-${at}`));

    expect((await readsFor(many, {}, ['n-a'], { cards: 4 })).reads).toEqual(['Deployment ml']);
    expect((await readsFor(everywhere, {}, ['n-a'], { cards: 21 })).reads).toHaveLength(12);
  });

  const cores = { containers: [{ name: 'app', resources: { requests: { cpu: '1' } } }] };
  const beside = [holder('web', 'shop-1', cores), holder('api', 'shop-2', cores), holder('training')];

  it('are read alone where they hold the place whatever all others do', async () => {
    expect(await readsFor(beside)).toMatchObject({
      reads: ['Deployment ml metadata.name=training'],
      autoscalers: ['ml'],
    });
  });

  it.each<readonly [string, Partial<ClusterObjects>]>([
    ['is in progress', { Deployment: [unfinished] }],
    [
      'may lose replicas to its autoscaler',
      {
        HorizontalPodAutoscaler: [
          schemas.HorizontalPodAutoscaler.parse({
            metadata: { namespace: 'ml', name: 'training', uid: 'autoscaler' },
            spec: { scaleTargetRef: { kind: 'Deployment', name: 'training' }, minReplicas: 1 },
          }),
        ],
      },
    ],
  ])('are all read where the one that holds the place %s', async (_, answers) => {
    const second = holder('second', 'research');
    const { reads } = await readsFor([...beside, second], answers);

    expect(reads).toContain('Deployment ml metadata.name=training');
    expect(reads).toContain('Deployment research metadata.name=second');
  });

  it.each<readonly [string, readonly Pod[], readonly string[]]>([
    ['of another namespace', [holder('training')], ['ml']],
    ['also where the pods of every node were read', [holder('training'), holder('api')], ['ml']],
    ['not of the own namespace, where they are read already', [holder('training', 'shop')], []],
    ['not where the holders do not hold the place', [holder('training', 'ml', { containers: [] })], []],
    [
      'of a kind that is not read',
      [
        {
          ...holder('training'),
          metadata: {
            ...holder('training').metadata,
            ownerReferences: [
              {
                apiVersion: 'apps.kruise.io/v1alpha1',
                kind: 'CloneSet',
                name: 'training',
                uid: 'c',
                controller: true,
              },
            ],
          },
        } as Pod,
      ],
      ['ml'],
    ],
  ])('have their autoscalers read: %s', async (_, pods, namespaces) => {
    expect((await readsFor(pods, {}, ['n-a', 'n-b'])).autoscalers).toEqual(namespaces);
  });

  const everywhere = Array.from({ length: 14 }, (_, at) => holder('training', `team-${10 + at}`));

  it('have their autoscalers read by one list where they are in many namespaces', async () => {
    expect(await readsFor(everywhere, {}, ['n-a'], { cards: 15 })).toMatchObject({
      autoscalers: [''],
      missed: [],
    });
  });

  it('have their autoscalers read within a bound where that list is refused, and the rest is reported', async () => {
    const { autoscalers, missed } = await readsFor(everywhere, {}, ['n-a'], {
      refusesWholeCluster: true,
      cards: 15,
    });

    expect(autoscalers).toHaveLength(13);
    expect(missed).toEqual([
      'HorizontalPodAutoscaler team-22 too-many',
      'HorizontalPodAutoscaler team-23 too-many',
    ]);
  });

  it.each<readonly [string, readonly Pod[], readonly string[]]>([
    ['where the pods of every node were read', [holder('training')], ['n-a', 'n-b']],
    [
      'where their leaving makes no place',
      [holder('training', 'ml', { containers: [{ name: 'app' }] })],
      ['n-a'],
    ],
  ])('are not read %s', async (_, pods, readOn) => {
    expect((await readsFor(pods, {}, readOn)).reads).toEqual([]);
  });
});
