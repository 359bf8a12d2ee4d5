import { describe, expect, it } from 'vitest';
import { blocksOf } from '#src/core/diagnosis/waiting/block.js';
import type { Holding } from '#src/core/diagnosis/waiting/holding.js';
import { names, node } from '#support/placement-builders.js';
import {
  buildDeployment,
  buildExamination,
  buildReplicaSet,
  type Fields,
  foreignPod,
  type OwnedShape,
  ownedPod,
} from './build.js';

const gpu = { requests: { 'nvidia.com/gpu': '1' } };
const cpu = (count: string) => ({ requests: { cpu: count } });
const gpus = (name: string, count: number) =>
  node(name, { allocatable: { 'nvidia.com/gpu': String(count) } });

/** What holds the place of the first pod of revision 2. */
function findHolding(shape: OwnedShape, fields: Fields): Holding {
  const [block] = blocksOf(
    buildExamination({
      ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
      ...fields,
      Pod: [ownedPod('web-new', 2, shape), ...(fields.Pod ?? [])],
    }),
  );
  if (block?.why.kind !== 'held' || block.why.holding === undefined) throw new Error('it should be held');
  return block.why.holding;
}

function culpritNames({ culprits }: Holding): readonly string[] {
  return culprits.map(({ owner }) => owner.name);
}

const set = (name: string, shape: Parameters<typeof foreignPod>[3]) =>
  foreignPod(`${name}-0`, 'StatefulSet', name, shape);

describe('the holder of a scarce resource', () => {
  it('is every workload of which one pod alone would be enough, on whichever node', () => {
    const found = findHolding(gpu, {
      Node: [gpus('n-a', 1), gpus('n-b', 1)],
      Pod: [set('a', { on: 'n-a', ...gpu }), set('b', { on: 'n-b', ...gpu })],
    });

    expect(found).toMatchObject({ resource: 'nvidia.com/gpu', node: 'n-a', byOwnRevision: false });
    expect(culpritNames(found)).toEqual(['a', 'b']);
    expect(names(found.remove)).toEqual(['a-0']);
  });

  it('is not sought on a node on which more pods would have to stop', () => {
    const found = findHolding(
      { requests: { 'nvidia.com/gpu': '2' } },
      {
        Node: [gpus('n-a', 2), gpus('n-b', 2)],
        Pod: [
          set('a', { on: 'n-a', ...gpu }),
          set('b', { on: 'n-a', ...gpu }),
          set('big', { on: 'n-b', requests: { 'nvidia.com/gpu': '2' } }),
        ],
      },
    );

    expect(found.node).toBe('n-b');
    expect(culpritNames(found)).toEqual(['big']);
  });

  it('is no other workload where only own pods of the revision use it', () => {
    const found = findHolding(gpu, {
      workload: buildDeployment({ replicas: 2 }),
      ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 2, available: 1 })],
      Node: [gpus('n-a', 1)],
      Pod: [ownedPod('web-first', 2, { on: 'n-a', ...gpu })],
    });

    expect(found.byOwnRevision).toBe(true);
    expect(found.culprits).toEqual([]);
    expect(found.largest).toEqual([]);
    expect(names(found.remove)).toEqual(['web-first']);
  });

  it('is reported before holders of cpu, where a node lacks both', () => {
    const found = findHolding(
      { requests: { cpu: '3', 'nvidia.com/gpu': '1' } },
      {
        Node: [gpus('n-a', 1)],
        Pod: [set('a', { on: 'n-a', requests: { cpu: '3', 'nvidia.com/gpu': '1' } })],
      },
    );

    expect(found.resource).toBe('nvidia.com/gpu');
  });

  it('may be a DaemonSet', () => {
    const found = findHolding(gpu, {
      Node: [gpus('n-a', 1)],
      Pod: [foreignPod('plugin-a', 'DaemonSet', 'plugin', { on: 'n-a', ...gpu })],
    });

    expect(culpritNames(found)).toEqual(['plugin']);
  });

  it('does not exist where the node lacks the resource, and no set of pods would help', () => {
    const found = findHolding(
      { requests: { cpu: '3', 'nvidia.com/gpu': '1' } },
      {
        Node: [node('n-bare', { allocatable: { 'nvidia.com/gpu': '0' } }), gpus('n-a', 1)],
        Pod: [set('a', { on: 'n-a', ...gpu })],
      },
    );

    expect(found.node).toBe('n-a');
    expect(culpritNames(found)).toEqual(['a']);
  });
});

describe('the holder of a resource that every pod uses', () => {
  const on = 'n-a';

  it('is the workload whose pods on one node together are enough', () => {
    const found = findHolding(cpu('3'), {
      Node: [node('n-a')],
      Pod: [
        foreignPod('big-0', 'StatefulSet', 'big', { on, ...cpu('1500m') }),
        foreignPod('big-1', 'StatefulSet', 'big', { on, ...cpu('1500m') }),
        set('small', { on, ...cpu('1') }),
      ],
    });

    expect(culpritNames(found)).toEqual(['big']);
    expect(found.culprits[0]?.pods.map(({ metadata }) => metadata.name)).toEqual(['big-0', 'big-1']);
  });

  it.each([
    ['each of three, where each would be enough', 3, ['s0', 's1', 's2']],
    ['undefined, where each of four would be enough', 4, []],
  ])('is %s', (_, count, expected) => {
    const found = findHolding(cpu('1'), {
      Node: [node('n-a')],
      Pod: Array.from({ length: count }, (_each, i) =>
        set(`s${i}`, { on, requests: { cpu: count === 3 ? '1300m' : '1' } }),
      ),
    });

    expect(culpritNames(found)).toEqual(expected);
    expect(found.largest.map(({ owner }) => owner.name)).toHaveLength(count);
  });

  it('is no DaemonSet, which every node has, though all its pods are listed as the largest', () => {
    const found = findHolding(cpu('3500m'), {
      Node: [node('n-a')],
      Pod: [foreignPod('agent-a', 'DaemonSet', 'agent', { on, ...cpu('1') })],
    });

    expect(found.culprits).toEqual([]);
    expect(found.largest.map(({ owner }) => owner.name)).toEqual(['agent']);
  });

  it('is no static pod, which is part of its node', () => {
    const found = findHolding(cpu('3500m'), {
      Node: [node('n-a')],
      Pod: [foreignPod('proxy-n-a', 'Node', 'n-a', { on, ...cpu('1') })],
    });

    expect(found.culprits).toEqual([]);
  });

  it('is a pair, where no workload alone is enough and no other pair would be', () => {
    const found = findHolding(cpu('3500m'), {
      Node: [node('n-a')],
      Pod: [set('a', { on, ...cpu('2') }), set('b', { on, ...cpu('2') })],
    });

    expect(culpritNames(found)).toEqual(['a', 'b']);
  });

  it('is never a group of three', () => {
    const found = findHolding(cpu('4'), {
      Node: [node('n-a')],
      Pod: [set('a', { on, ...cpu('1') }), set('b', { on, ...cpu('1') }), set('c', { on, ...cpu('1') })],
    });

    expect(found.culprits).toEqual([]);
    expect(names(found.remove)).toEqual(['a-0', 'b-0', 'c-0']);
  });

  it('is no pair where another pair would be enough too', () => {
    const found = findHolding(cpu('2'), {
      Node: [node('n-a')],
      Pod: ['a', 'b', 'c', 'd'].map((name) => set(name, { on, ...cpu('1') })),
    });

    expect(found.culprits).toEqual([]);
    expect(found.remove).toHaveLength(2);
  });

  it('does not exist where own pods of the revision would have to stop too', () => {
    const found = findHolding(cpu('4'), {
      workload: buildDeployment({ replicas: 2 }),
      ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 2, available: 1 })],
      Node: [node('n-a')],
      Pod: [ownedPod('web-first', 2, { on, ...cpu('2') }), set('a', { on, ...cpu('1') })],
    });

    expect(found.culprits).toEqual([]);
    expect(names(found.remove).toSorted()).toEqual(['a-0', 'web-first']);
    expect(found.largest.map(({ owner }) => owner.name)).toEqual(['a']);
  });

  it('is reported with five of the largest pods, the most important first', () => {
    const found = findHolding(cpu('1'), {
      Node: [node('n-a')],
      Pod: Array.from({ length: 8 }, (_each, i) =>
        set(`s${i}`, { on, requests: { cpu: '500m' }, priority: i }),
      ),
    });

    expect(found.largest.map(({ owner }) => owner.name)).toEqual(['s7', 's6', 's5', 's4', 's3']);
  });
});
