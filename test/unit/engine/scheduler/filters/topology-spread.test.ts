import { describe, expect, test } from 'vitest';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import type { Node } from '#src/engine/objects/node.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { holdersOf, type Reason } from '#src/engine/scheduler/reason.js';
import {
  names,
  node,
  type PodShape,
  placementOf,
  pod,
  type SpecWire,
  texts,
} from '../../../../support/placement-builders.js';

const ZONE = 'topology.kubernetes.io/zone';
const TEXT = "node(s) didn't match pod topology spread constraints";
const zoned = (name: string, zone: string, more: Parameters<typeof node>[1] = {}) =>
  node(name, { ...more, labels: { [ZONE]: zone, ...more.labels } });
const nodes = [zoned('a1', 'a'), zoned('a2', 'a'), zoned('b1', 'b')];
const web = (name: string, on: string, shape: PodShape = {}) =>
  pod(name, { on, labels: { app: 'web' }, ...shape });

function spread(constraint: object = {}, shape: PodShape = {}): Pod {
  const topologySpreadConstraints = [
    { maxSkew: 1, topologyKey: ZONE, labelSelector: { matchLabels: { app: 'web' } }, ...constraint },
  ];
  const spec = { ...shape.spec, topologySpreadConstraints } as SpecWire;
  return pod('new', { labels: { app: 'web' }, ...shape, spec });
}

function on(
  name: string,
  wanted: Pod,
  pods: readonly Pod[],
  all: readonly Node[] = nodes,
): readonly Reason[] {
  const found = all.find(({ metadata }) => metadata.name === name);
  if (found === undefined) throw new Error(name);
  return placementOf({ Node: all, Pod: pods }).check(wanted, found).reasons;
}

describe('topology spread', () => {
  test('refuses the fuller zone and accepts the emptier one', () => {
    const pods = [web('w1', 'a1'), web('w2', 'a2'), web('w3', 'b1')];
    expect(texts(on('a1', spread(), pods))).toEqual([TEXT]);
    expect(on('b1', spread(), pods)).toEqual([]);
  });

  test('accepts a skew of exactly maxSkew', () => {
    expect(on('a1', spread(), [web('w1', 'b1')])).toEqual([]);
    expect(on('a1', spread(), [web('w1', 'a1'), web('w2', 'b1')])).toEqual([]);
    expect(on('a1', spread({ maxSkew: 2 }), [web('w1', 'a1')])).toEqual([]);
    expect(texts(on('a1', spread({ maxSkew: 2 }), [web('w1', 'a1'), web('w2', 'a2')]))).toEqual([TEXT]);
  });

  test('does not count a pod that does not match its own selector', () => {
    const pods = [web('w1', 'a1')];
    expect(texts(on('a1', spread(), pods))).toEqual([TEXT]);
    expect(on('a1', spread({}, { labels: { app: 'other' } }), pods)).toEqual([]);
  });

  test('reports the counts, the emptiest domain and the pods in this one', () => {
    const [reason] = on('a1', spread(), [web('w2', 'a2'), web('w1', 'a1')]);
    expect(reason).toMatchObject({
      id: 'topology-spread',
      topologyKey: ZONE,
      domain: 'a',
      matching: 2,
      self: 1,
      minimum: 0,
      maxSkew: 1,
      minimumDomains: ['b'],
      resolvable: true,
      preemptible: true,
    });
    expect(reason === undefined ? [] : names(holdersOf(reason))).toEqual(['w1', 'w2']);
  });

  test.each([
    ['a terminating pod', { terminating: true }],
    ['a terminated pod', { phase: 'Succeeded' }],
    ['a pod of another namespace', { namespace: 'bank' }],
    ['a pod with other labels', { labels: { app: 'db' } }],
  ] as const)('does not count %s', (_, shape) => {
    expect(on('a1', spread(), [web('w1', 'a1', shape)])).toEqual([]);
  });

  test('refuses no node with ScheduleAnyway', () => {
    expect(on('a1', spread({ whenUnsatisfiable: 'ScheduleAnyway' }), [web('w1', 'a1')])).toEqual([]);
  });

  test('refuses a node without the label, whatever pods are removed', () => {
    const bare = node('bare');
    const [reason] = on('bare', spread(), [], [...nodes, bare]);
    expect(reason).toMatchObject({
      text: `${TEXT} (missing required label)`,
      domain: undefined,
      resolvable: false,
      preemptible: false,
    });
  });

  test('excludes a node that lacks one of two labels from the domains of both constraints', () => {
    const both = spread();
    const wanted = {
      ...both,
      spec: {
        ...both.spec,
        topologySpreadConstraints: [
          ...both.spec.topologySpreadConstraints,
          ...spread({ topologyKey: 'rack' }).spec.topologySpreadConstraints,
        ],
      },
    };
    const racked = [zoned('a1', 'a', { labels: { rack: 'r1' } }), zoned('b1', 'b')];
    expect(on('a1', wanted, [web('w1', 'a1')], racked)).toEqual([]);
  });

  test('with an empty selector counts no pod, though the pod itself matches it', () => {
    expect(on('a1', spread({ labelSelector: {} }), [web('w1', 'a1'), web('w2', 'a1')])).toEqual([]);
  });

  test('without a selector counts no pod, not even the pod itself', () => {
    expect(on('a1', spread({ labelSelector: undefined, minDomains: 9 }), [web('w1', 'a1')])).toEqual([]);
  });
});

describe('the domains that set the minimum', () => {
  test('give a minimum of zero when there are fewer than minDomains', () => {
    const pods = [web('w1', 'a1'), web('w2', 'b1')];
    expect(on('a1', spread({ minDomains: 2 }), pods)).toEqual([]);
    expect(on('a1', spread({ minDomains: 3 }), pods)).toMatchObject([{ minimum: 0, matching: 1 }]);
  });

  const tainted = [...nodes, zoned('c1', 'c', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] })];
  const evenly = [web('w1', 'a1'), web('w2', 'b1')];

  test('include the empty zone of a tainted node by default', () => {
    expect(texts(on('a1', spread(), evenly, tainted))).toEqual([TEXT]);
  });

  test('exclude it with nodeTaintsPolicy Honor, unless the pod tolerates the taint', () => {
    const honor = { nodeTaintsPolicy: 'Honor' };
    expect(on('a1', spread(honor), evenly, tainted)).toEqual([]);
    const tolerant = { spec: { tolerations: [{ key: 'gpu', operator: 'Exists' }] } } as PodShape;
    expect(texts(on('a1', spread(honor, tolerant), evenly, tainted))).toEqual([TEXT]);
  });

  test('include the empty zone of a cordoned node', () => {
    const cordoned = [...nodes, zoned('c1', 'c', { unschedulable: true })];
    expect(texts(on('a1', spread(), evenly, cordoned))).toEqual([TEXT]);
  });

  test('exclude a zone that the pod cannot select, unless nodeAffinityPolicy is Ignore', () => {
    const labelled = [
      zoned('a1', 'a', { labels: { disk: 'ssd' } }),
      zoned('b1', 'b', { labels: { disk: 'ssd' } }),
      zoned('c1', 'c'),
    ];
    const selecting = { spec: { nodeSelector: { disk: 'ssd' } } };
    expect(on('a1', spread({}, selecting), evenly, labelled)).toEqual([]);
    expect(texts(on('a1', spread({ nodeAffinityPolicy: 'Ignore' }, selecting), evenly, labelled))).toEqual([
      TEXT,
    ]);
  });
});

describe('matchLabelKeys', () => {
  const old = (name: string, where: string) =>
    web(name, where, { labels: { app: 'web', 'pod-template-hash': 'old' } });
  const fresh = { labels: { app: 'web', 'pod-template-hash': 'new' } };

  test('let the old revision block the new one when they are absent', () => {
    expect(texts(on('a1', spread({}, fresh), [old('w1', 'a1')]))).toEqual([TEXT]);
  });

  test('spread each revision separately with the template hash', () => {
    const keys = { matchLabelKeys: ['pod-template-hash'] };
    expect(on('a1', spread(keys, fresh), [old('w1', 'a1')])).toEqual([]);
  });

  test('are ignored where the pod does not have the key', () => {
    expect(texts(on('a1', spread({ matchLabelKeys: ['track'] }, fresh), [old('w1', 'a1')]))).toEqual([TEXT]);
  });
});

test('pods on nodes that no longer exist do not count', () => {
  const ghost = schemas.Pod.parse({ ...web('w1', 'gone'), spec: { ...web('w1', 'gone').spec } });
  expect(on('a1', spread(), [ghost])).toEqual([]);
});
