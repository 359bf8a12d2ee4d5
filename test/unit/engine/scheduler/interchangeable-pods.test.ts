import { describe, expect, it } from 'vitest';
import { withRuntimeOverhead } from '#src/engine/scheduler/pod-requests.js';
import { claim, node, type PodShape, placementOf, pod } from '../../../support/placement-builders.js';

const half: PodShape = { requests: { cpu: '2' } };
const three = [node('a'), node('b'), node('c', { allocatable: { cpu: '1' } })];

interface Cluster {
  readonly nodes?: ReturnType<typeof node>[];
  readonly own?: readonly ReturnType<typeof pod>[];
  readonly others?: readonly ReturnType<typeof pod>[];
}
/** Places by node for pods of this shape. */
function places(
  wanted: PodShape | readonly PodShape[],
  { nodes = three, own = [], others = [] }: Cluster = {},
) {
  const shapes: readonly PodShape[] = Array.isArray(wanted) ? wanted : [wanted];
  const counted = placementOf({ Node: nodes, Pod: [...own, ...others] }).countPlaces(
    own,
    shapes.map((shape, at) => pod(`new-${at}`, shape)),
  );
  return counted && Object.fromEntries(counted);
}

describe('the places for interchangeable pods', () => {
  it.each<[string, PodShape, Cluster, object]>([
    ['by what each node has', half, {}, { a: 2, b: 2 }],
    [
      'by the resource of which least is left',
      { requests: { cpu: '1', memory: '3Gi' } },
      {},
      { a: 2, b: 2, c: 1 },
    ],
    [
      'beside pods of other workloads',
      half,
      {
        others: [
          pod('x', { on: 'a', requests: { cpu: '1' } }),
          pod('y', { on: 'b', requests: { cpu: '3' } }),
        ],
      },
      { a: 1 },
    ],
    [
      'with the own pods gone',
      half,
      { own: [pod('o', { ...half, on: 'a' }), pod('p', { ...half, on: 'a' })] },
      { a: 2, b: 2 },
    ],
    [
      'by the number of pods that a node takes',
      { requests: { cpu: '10m' } },
      { nodes: [node('a', { allocatable: { pods: '3' } })], others: [pod('x', { on: 'a' })] },
      { a: 2 },
    ],
    ['one for each host port', { hostPort: 80 }, {}, { a: 1, b: 1, c: 1 }],
    [
      'none where the host port is in use',
      { hostPort: 80 },
      { others: [pod('x', { on: 'a', hostPort: 80 })] },
      { b: 1, c: 1 },
    ],
    [
      'on the nodes that the pods select',
      { ...half, spec: { nodeSelector: { 'kubernetes.io/hostname': 'b' } } },
      {},
      { b: 2 },
    ],
    ['none', { requests: { cpu: '5' } }, {}, {}],
    ['many', { requests: { cpu: '1m' } }, { nodes: [node('a', { allocatable: { pods: '9' } })] }, { a: 9 }],
  ])('are counted %s', (_, wanted, cluster, expected) => {
    expect(places(wanted, cluster)).toEqual(expected);
  });

  const ownPod = (shape: PodShape): Cluster => ({ own: [pod('o', { on: 'a', ...shape })] });
  it.each<[string, PodShape | readonly PodShape[], Cluster]>([
    ['no pod is wanted', [], {}],
    ['an own pod takes more', half, ownPod({ requests: { cpu: '3' } })],
    ['an own pod has another host port', { hostPort: 80 }, ownPod({ hostPort: 81 })],
    ['an own pod has a claim', half, ownPod({ ...half, claim: 'data' })],
    ['the pods have a claim', { ...half, claim: 'data' }, {}],
    ['the pods request different amounts', [half, { requests: { cpu: '1' } }], {}],
    [
      'the pods fit on different nodes',
      [half, { ...half, spec: { nodeSelector: { 'kubernetes.io/hostname': 'b' } } }],
      {},
    ],
    [
      'more own pods run on a node than it has places',
      half,
      { own: [1, 2, 3].map((at) => pod(`o${at}`, { ...half, on: 'a' })) },
    ],
    ['an own pod runs on a node without a place', half, { own: [pod('o', { ...half, on: 'c' })] }],
    [
      'the pods keep apart',
      {
        ...half,
        labels: { app: 'web' },
        spec: {
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                { labelSelector: { matchLabels: { app: 'web' } }, topologyKey: 'kubernetes.io/hostname' },
              ],
            },
          },
        },
      },
      {},
    ],
    [
      'the pods spread over zones',
      {
        ...half,
        spec: {
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'DoNotSchedule',
              labelSelector: { matchLabels: {} },
            },
          ],
        },
      },
      {},
    ],
    [
      'a pod is nominated for a node',
      half,
      { others: [pod('x', { ...half, status: { nominatedNodeName: 'b' } })] },
    ],
    ['a node is nominated for the pods', { ...half, status: { nominatedNodeName: 'b' } }, {}],
    [
      'there are more than eight kinds of pods',
      Array.from({ length: 9 }, (_, at) => ({ ...half, labels: { at: `${at}` } })),
      {},
    ],
  ])('are not counted where %s', (_, wanted, cluster) => {
    expect(places(wanted, cluster)).toBeUndefined();
  });

  it('are counted once for pods that differ in nothing that matters', () => {
    expect(places(Array.from({ length: 8 }, (_, at) => ({ ...half, labels: { at: `${at}` } })))).toEqual({
      a: 2,
      b: 2,
    });
    expect(places(Array.from({ length: 20 }, () => half))).toEqual({ a: 2, b: 2 });
  });

  it('do not count own pods that are over or have no node', () => {
    const own = [
      pod('o', { requests: { cpu: '1' }, on: 'a', phase: 'Succeeded' }),
      pod('p', { requests: { cpu: '3' } }),
    ];
    expect(places(half, { own })).toEqual({ a: 2, b: 2 });
  });
});

describe('the nodes that would take pods of one shape', () => {
  const tracked = (shape: PodShape = half, cluster: Cluster = {}) => {
    const { nodes = three, others = [] } = cluster;
    return placementOf({ Node: nodes, Pod: [...others] }).trackFeasible(pod('new', shape));
  };
  const full = (name: string, on: string) => pod(name, { on, requests: { cpu: '4' } });
  const ends = (of: ReturnType<typeof tracked>) => [of?.first(), of?.last(), of?.count()];

  it('follow pods that come and go', () => {
    const old = full('old', 'a');
    const nodes = tracked(half, { others: [old] });
    expect(ends(nodes)).toEqual(['b', 'b', 1]);
    nodes?.update('a', [], [old]);
    expect(ends(nodes)).toEqual(['a', 'b', 2]);
    nodes?.update('b', [full('x', 'b')], []);
    expect(ends(nodes)).toEqual(['a', 'a', 1]);
    nodes?.update('a', [full('y', 'a')], [old]);
    expect(ends(nodes)).toEqual([undefined, undefined, 0]);
    nodes?.update('b', [], []);
    expect(ends(nodes)).toEqual(['b', 'b', 1]);
  });

  it('stay as they are for a node that is not there', () => {
    const nodes = tracked();
    nodes?.update('z', [full('x', 'z')], []);
    expect(ends(nodes)).toEqual(['a', 'b', 2]);
  });

  it('cost as much as there are pods to examine', () => {
    const nodes = tracked(half, { others: [full('x', 'a'), pod('y', { on: 'a' })] });
    expect(nodes?.update('a', [], [])).toBe(3);
    expect(nodes?.update('a', [full('z', 'a')], [full('x', 'a')])).toBe(7);
    expect(nodes?.update('z', [], [])).toBe(1);
  });

  it('are none for a pod that no node may take', () => {
    const gated = tracked({ ...half, spec: { schedulingGates: [{ name: 'wait' }] } });
    expect(ends(gated)).toEqual([undefined, undefined, 0]);
  });

  it.each<[string, PodShape, Cluster]>([
    ['has a claim', { claim: 'data' }, {}],
    ['is nominated for a node', { status: { nominatedNodeName: 'a' } }, {}],
    ['has devices of its own', { spec: { resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] } }, {}],
    [
      'waits beside one that is nominated',
      {},
      { others: [pod('x', { status: { nominatedNodeName: 'a' } })] },
    ],
  ])('are not followed for a pod that %s', (_, shape, cluster) => {
    expect(tracked({ ...half, ...shape }, cluster)).toBeUndefined();
  });

  it('are followed where other pods have claims', () => {
    const claims = [claim('data')];
    expect(
      placementOf({ Node: three, PersistentVolumeClaim: claims }).trackFeasible(pod('new', half)),
    ).toBeDefined();
  });
});

describe('the overhead of a RuntimeClass', () => {
  const overhead = { cpu: '250m' };
  const sandboxed = (own: Record<string, string> = {}) =>
    pod('x', { spec: { runtimeClassName: 'gvisor', overhead: own } }).spec;
  const known = (others: readonly ReturnType<typeof pod>[]) => placementOf({ Pod: [...others] }).index;
  const running = pod('r', { on: 'a', spec: { runtimeClassName: 'gvisor', overhead } });

  it('is that of other pods of the class', () => {
    expect(withRuntimeOverhead(known([pod('plain'), running]), sandboxed()).overhead).toEqual(overhead);
  });

  it('stays as the pod states it, and as nothing where no other pod tells', () => {
    const own = sandboxed({ cpu: '1' });
    expect(withRuntimeOverhead(known([running]), own)).toBe(own);
    const plain = pod('x').spec;
    expect(withRuntimeOverhead(known([running]), plain)).toBe(plain);
    const other = pod('r', { spec: { runtimeClassName: 'kata', overhead } });
    expect(withRuntimeOverhead(known([other]), sandboxed())).toEqual(sandboxed());
    expect(
      withRuntimeOverhead(known([pod('r', { spec: { runtimeClassName: 'gvisor' } })]), sandboxed()),
    ).toEqual(sandboxed());
  });
});
