import { describe, expect, it } from 'vitest';
import { DynamoGraphDeployment, dynamoGraphOf } from '#src/engine/objects/dynamo-graph-deployment.js';
import { selectorQuery } from '#src/engine/objects/label-selector.js';
import { ObjectMeta } from '#src/engine/objects/metadata.js';

interface Status {
  readonly phase?: string;
  readonly names?: readonly string[];
  readonly kind?: string;
}

function graphWith(
  current: object,
  { phase, names = [], kind = 'Deployment' }: Status,
  components?: object[],
) {
  return DynamoGraphDeployment.parse({
    metadata: { namespace: 'shop', name: 'llm', annotations: current },
    spec: {
      components: components ?? [
        { name: 'Frontend', type: 'frontend' },
        { name: 'Worker', type: 'worker' },
      ],
    },
    status: {
      components: {
        Frontend: { componentKind: 'Deployment', componentNames: ['llm-frontend'] },
        Worker: { componentKind: kind, componentNames: names },
      },
      ...(phase === undefined ? {} : { rollingUpdate: { phase } }),
    },
  });
}

const v2 = { 'nvidia.com/current-worker-hash-v2': 'aaaa1111' };
const both = { 'nvidia.com/current-worker-hash': 'cccc3333', ...v2 };
const old = 'llm-worker-aaaa1111';
const fresh = 'llm-worker-bbbb2222';

describe('the generations of a DynamoGraphDeployment', () => {
  it.each<[string, object, Status, object]>([
    ['serves alone', v2, { names: [old] }, { next: undefined, former: [], kept: ['aaaa1111'] }],
    [
      'is being replaced',
      v2,
      { phase: 'InProgress', names: [old, fresh] },
      { next: 'bbbb2222', former: ['aaaa1111'], kept: [] },
    ],
    [
      'is about to be replaced',
      v2,
      { phase: 'Pending', names: [old, fresh] },
      { next: 'bbbb2222', former: ['aaaa1111'], kept: [] },
    ],
    [
      'has two hashes, as after an upgrade of the operator',
      both,
      { phase: 'InProgress', names: [old, 'llm-worker-cccc3333', fresh] },
      { next: 'bbbb2222', former: ['cccc3333', 'aaaa1111'], kept: [] },
    ],
    [
      'has two others beside it, of which either may be the newest',
      v2,
      { phase: 'InProgress', names: [old, fresh, 'llm-worker-dddd4444'] },
      { next: undefined, former: [], kept: ['aaaa1111', 'bbbb2222', 'dddd4444'] },
    ],
    [
      'has replaced another one',
      v2,
      { phase: 'Completed', names: [old] },
      { next: undefined, former: [], kept: ['aaaa1111'] },
    ],
    [
      'stands beside a name of another graph',
      v2,
      { phase: 'InProgress', names: [old, 'llm2-worker-bbbb2222', 'llm-worker-a-b'] },
      { next: undefined, former: [], kept: ['aaaa1111'] },
    ],
  ])('where one %s', (_, current, status, expected) => {
    const { next, former, kept } = graphWith(current, status).revisions;

    expect({ next, former, kept }).toEqual(expected);
  });

  it('have the workers of all components, with the annotations of their templates before those of the graph', () => {
    const surge = 'nvidia.com/deployment-rolling-update-max-surge';
    const { workers, parts, spec } = DynamoGraphDeployment.parse({
      metadata: { namespace: 'shop', name: 'llm' },
      spec: {
        annotations: { [surge]: '2', team: 'ml' },
        components: [
          { name: 'Frontend', type: 'frontend', replicas: 3 },
          {
            name: 'Prefill',
            type: 'prefill',
            replicas: 2,
            podTemplate: { metadata: { annotations: { [surge]: '0' } } },
          },
          { name: 'Decode', type: 'decode', scalingAdapter: {} },
          { name: 'Off', type: 'worker', scalingAdapter: { enabled: false } },
        ],
      },
    });

    expect(workers).toEqual([
      { name: 'Prefill', replicas: 2, annotations: { [surge]: '0', team: 'ml' }, isScaled: false },
      { name: 'Decode', replicas: 1, annotations: { [surge]: '2', team: 'ml' }, isScaled: true },
      { name: 'Off', replicas: 1, annotations: { [surge]: '2', team: 'ml' }, isScaled: false },
    ]);
    expect(parts.map(({ name, count }) => [name, count])).toEqual([
      ['Prefill', 2],
      ['Decode', 1],
      ['Off', 1],
    ]);
    expect(spec.replicas).toBe(4);
    expect(selectorQuery(spec.selector)).toBe(
      'nvidia.com/dynamo-graph-deployment-name=llm,nvidia.com/dynamo-worker-hash',
    );
  });

  it.each([
    ['a LeaderWorkerSet makes are a workload of their own', 'LeaderWorkerSet', []],
    ['Grove makes are counted by node', 'PodCliqueScalingGroup', [['Worker', 6]]],
  ])('leave out workers of several nodes, which %s', (_, kind, expected) => {
    const component = { name: 'Worker', type: 'worker', replicas: 2, multinode: { nodeCount: 3 } };
    const { parts } = graphWith(v2, { kind }, [component]);

    expect(parts.map(({ name, count }) => [name, count])).toEqual(expected);
  });
});

describe('the DynamoGraphDeployment of a member', () => {
  const worker = {
    'nvidia.com/dynamo-graph-deployment-name': 'llm',
    'nvidia.com/dynamo-worker-hash': 'aaaa1111',
  };
  const { 'nvidia.com/dynamo-worker-hash': _, ...frontend } = worker;
  it.each<[string, object, string, string | undefined]>([
    ['a pod of a ReplicaSet', worker, 'ReplicaSet', 'llm'],
    ['a Deployment', worker, 'DynamoComponentDeployment', 'llm'],
    ['a pod of Grove', worker, 'PodClique', 'llm'],
    ['a pod of a LeaderWorkerSet', worker, 'StatefulSet', undefined],
    ['a pod of a frontend', frontend, 'ReplicaSet', undefined],
    ['a pod with these labels and no such controller', worker, 'Job', undefined],
  ])('is known of %s', (_name, labels, kind, expected) => {
    const ownerReferences = [{ apiVersion: 'v1', kind, name: 'x', uid: 'x', controller: true }];
    const metadata = ObjectMeta.parse({ name: 'x', namespace: 'shop', labels, ownerReferences });

    expect(dynamoGraphOf({ metadata })).toBe(expected);
  });
});
