import { describe, expect, it } from 'vitest';
import { ownerNames } from '#src/engine/neighbours/owned-pods.js';
import { isSettled, placeKeepers } from '#src/engine/neighbours/place-keepers.js';
import { type ClusterIndex, indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { createPlacement } from '#src/engine/scheduler/placement.js';
import { node } from '../../../support/placement-builders.js';
import { buildDeployment, buildPod } from '../../../support/rollout-builders.js';

const asking = (requests: object): object => ({ containers: [{ name: 'app', resources: { requests } }] });
const waiting = buildPod({
  name: 'web-new',
  owner: { uid: 'web-2-uid' },
  node: undefined,
  spec: asking({ 'nvidia.com/gpu': '1', cpu: '2' }),
});
const nodes = (cards: number): ClusterObjects['Node'] =>
  ['n-a', 'n-b'].map((name) => node(name, { allocatable: { cpu: '8', 'nvidia.com/gpu': String(cards) } }));

/** A pod that holds a card of a node. */
function holder(name: string, on: string, { requests = { 'nvidia.com/gpu': '1' }, ...rest }: Held = {}): Pod {
  const app = name.split('-')[0] ?? '';
  const pod = buildPod({
    name,
    node: on,
    owner: { name: `${app}-1`, uid: `${app}-1-uid` },
    labels: { app, 'pod-template-hash': '1' },
    spec: asking(requests),
    ...rest,
  });
  return { ...pod, metadata: { ...pod.metadata, uid: `${name}-uid` } };
}

interface Held {
  readonly requests?: Readonly<Record<string, string>>;
  readonly terminating?: boolean;
}

function indexOf(pods: readonly Pod[], cards: number, others: Partial<ClusterObjects> = {}): ClusterIndex {
  const objects = clusterObjects({ Pod: [waiting, ...pods], Node: nodes(cards), ...others });
  return indexObjects(objects, new Set(['n-a', 'n-b']));
}

function keepersOf(pods: readonly Pod[], cards = 1): readonly string[] | undefined {
  const keepers = placeKeepers(createPlacement(indexOf(pods, cards)), [waiting], [waiting]);
  return keepers && ownerNames(keepers);
}

const ofJob = (pod: Pod): Pod => ({
  ...pod,
  metadata: {
    ...pod.metadata,
    ownerReferences: pod.metadata.ownerReferences.map((owner) => ({ ...owner, kind: 'Job' })),
  },
});

describe('the workloads that hold a place whatever all others do', () => {
  it.each<readonly [string, readonly Pod[], number, readonly string[] | undefined]>([
    ['hold a card of each node', [holder('a-1', 'n-a'), holder('b-1', 'n-b')], 1, ['shop/a', 'shop/b']],
    [
      'are one, where its pods hold both nodes',
      [holder('b-1', 'n-a'), holder('a-1', 'n-a'), holder('a-2', 'n-b')],
      1,
      ['shop/a'],
    ],
    [
      'are all, where each of them leaves a card',
      ['a-1', 'b-1', 'c-1'].flatMap((name) => [holder(name, 'n-a'), holder(`${name}-2`, 'n-b')]),
      3,
      ['shop/a', 'shop/b', 'shop/c'],
    ],
    [
      'leave out those that use something else',
      [holder('a-1', 'n-a'), holder('a-2', 'n-b'), holder('c-1', 'n-a', { requests: { cpu: '3' } })],
      1,
      ['shop/a'],
    ],
    ['are unknown where a node has room', [holder('a-1', 'n-a')], 1, undefined],
    [
      'are unknown where a Job holds a node',
      [holder('a-1', 'n-a'), ofJob(holder('b-1', 'n-b'))],
      1,
      undefined,
    ],
    [
      'are unknown where the pod of a node is being stopped',
      [holder('a-1', 'n-a'), holder('b-1', 'n-b', { terminating: true })],
      1,
      undefined,
    ],
  ])('%s', (_, pods, cards, names) => {
    expect(keepersOf(pods, cards)).toEqual(names);
  });
});

describe('a workload that holds a place', () => {
  const pods = [holder('web-1', 'n-a'), holder('web-2', 'n-b')];
  const settledWith = (others: Partial<ClusterObjects>, absent: readonly string[] = []): boolean => {
    const index = indexOf(pods, 1, { ...others, Node: [...nodes(1), node('n-unread')] });
    const [group] = placeKeepers(createPlacement(index), [waiting], [waiting]) ?? [];
    return group !== undefined && isSettled(index, group, new Set(absent));
  };
  const deployment = (status: object) => buildDeployment({ replicas: 2, status });

  it.each<readonly [string, boolean, Partial<ClusterObjects>, readonly string[]]>([
    ['stays where it rests', true, { Deployment: [deployment({ replicas: 2, updatedReplicas: 2 })] }, []],
    ['stays where it does not exist', true, {}, ['shop/Deployment/web']],
    [
      'may leave where it is in progress',
      false,
      { Deployment: [deployment({ replicas: 3, updatedReplicas: 1 })] },
      [],
    ],
    ['may leave where it was not read', false, {}, []],
  ])('%s', (_, isExpected, others, absent) => {
    expect(settledWith(others, absent)).toBe(isExpected);
  });
});
