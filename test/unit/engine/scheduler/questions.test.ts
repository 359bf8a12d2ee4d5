import { describe, expect, test } from 'vitest';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { clusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import { createPlacement } from '#src/engine/scheduler/placement.js';
import { resourceOf } from '#src/engine/scheduler/resource-name.js';
import {
  claim,
  node,
  placementOf,
  pod,
  reaches,
  type SpecWire,
  volume,
} from '../../../support/placement-builders.js';

describe('the nodes nearest to running a pod', () => {
  const gpu = { 'nvidia.com/gpu': '1' };
  const nodes = [
    node('far', { labels: { disk: 'hdd' }, taints: [{ key: 'k', effect: 'NoSchedule' }] }),
    node('near', { labels: { disk: 'ssd' } }),
    node('busy', { labels: { disk: 'ssd' }, allocatable: gpu }),
  ];
  const old = pod('old', { on: 'busy', requests: gpu });
  const placement = placementOf({ Node: nodes, Pod: [old] });
  const wanted = pod('new', { requests: gpu, spec: { nodeSelector: { disk: 'ssd' } } });

  test('start with one whose resource is in use, then one that lacks one thing for good, then one that lacks more', () => {
    const ranked = placement.nearestNodes(wanted, 3);
    expect(ranked.map(({ node: name, lacks }) => [name, lacks.map(({ id }) => id)])).toEqual([
      ['busy', ['extended-resource']],
      ['near', ['extended-resource']],
      ['far', ['taint', 'node-affinity', 'extended-resource']],
    ]);
    const [busy, near, far] = ranked.map(({ distance }) => distance);
    expect((busy ?? 0) < (near ?? 0) && (near ?? 0) < (far ?? 0)).toBe(true);
  });

  test('are no more than requested, by name where equal', () => {
    const equal = placementOf({ Node: [node('b'), node('a'), node('c')] });
    expect(equal.nearestNodes(pod('p', { requests: { cpu: '9' } }), 2).map(({ node: name }) => name)).toEqual(
      ['a', 'b'],
    );
  });

  test('are ordered by shortfall', () => {
    const two = placementOf({
      Node: [node('a', { allocatable: { cpu: '1' } }), node('b', { allocatable: { cpu: '8' } })],
    });
    expect(two.nearestNodes(pod('p', { requests: { cpu: '9' } }), 1)[0]?.node).toBe('b');
  });

  test('have no distance where the pod fits', () => {
    expect(placementOf({ Node: [node('a')] }).nearestNodes(pod('p'), 1)).toMatchObject([
      { distance: 0, lacks: [] },
    ]);
  });
});

describe('whether a node could ever run the pod', () => {
  const old = pod('old', { on: 'n1', requests: { cpu: '4' }, hostPort: 80 });
  const n1 = node('n1');
  const placement = placementOf({ Node: [n1, node('n2', { unschedulable: true })], Pod: [old] });

  test('is true when only pods block', () => {
    const wanted = pod('new', { requests: { cpu: '4' }, hostPort: 80 });
    expect(placement.check(wanted, n1).outcome).toBe('refused');
    expect(placement.couldEverFit(wanted, n1)).toBe(true);
    expect(placement.candidateNodes(wanted).map(({ metadata }) => metadata.name)).toEqual(['n1']);
  });

  test('is false when the pod requests more than the node has', () => {
    expect(placement.couldEverFit(pod('new', { requests: { cpu: '5' } }), n1)).toBe(false);
  });

  test('is true when a pod for its affinity may still come, and false without the label', () => {
    const near = (topologyKey: string) =>
      pod('new', {
        spec: {
          affinity: {
            podAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey, labelSelector: {} }],
            },
          },
        } as SpecWire,
      });
    expect(placement.couldEverFit(near('kubernetes.io/hostname'), n1)).toBe(true);
    expect(placement.couldEverFit(near('rack'), n1)).toBe(false);
  });

  test('is determined without exactly the pods of a given list', () => {
    const wanted = pod('new', { requests: { cpu: '4' } });
    expect(placement.couldEverFit(wanted, n1, [])).toBe(false);
    expect(placement.couldEverFit(wanted, n1, [old])).toBe(true);
  });
});

describe('a cluster with simulated changes', () => {
  const n1 = node('n1');
  const old = pod('old', { on: 'n1', requests: { cpu: '3' } });
  const placement = placementOf({ Node: [n1], Pod: [old] });
  const wanted = pod('new', { requests: { cpu: '2' } });

  test('has added and removed pods, and the original cluster is unchanged', () => {
    const without = placement.with({ remove: new Set(['old']) });
    expect(without.check(wanted, n1).outcome).toBe('fits');
    const replaced = without.with({ add: [pod('other', { on: 'n1', requests: { cpu: '3' } })] });
    expect(replaced.check(wanted, n1).outcome).toBe('refused');
    expect(replaced.with({ remove: new Set(['other']) }).check(wanted, n1).outcome).toBe('fits');
    expect(placement.check(wanted, n1).outcome).toBe('refused');
  });

  test('replaces a pod by an added one of the same name', () => {
    const smaller = pod('old', { on: 'n1', requests: { cpu: '1' } });
    expect(placement.with({ add: [smaller] }).check(wanted, n1).outcome).toBe('fits');
  });

  test('applies the affinity, spread and claims of added pods', () => {
    const key = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } };
    const web = pod('web', { on: 'n1', labels: { app: 'web' } });
    const affinity = (kind: string) =>
      ({ affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: [key] } } }) as SpecWire;
    const empty = placementOf({ Node: [n1, node('n2')] });
    const filled = empty.with({ add: [web] });
    expect(filled.evaluate(pod('p', { spec: affinity('podAntiAffinity') })).feasible).toEqual(['n2']);
    expect(filled.evaluate(pod('p', { spec: affinity('podAffinity') })).feasible).toEqual(['n1']);
    const guard = pod('guard', { on: 'n1', spec: affinity('podAntiAffinity') });
    expect(empty.with({ add: [guard] }).evaluate(pod('p', { labels: { app: 'web' } })).feasible).toEqual([
      'n2',
    ]);
    const spread = { topologySpreadConstraints: [{ ...key, maxSkew: 1 }] } as SpecWire;
    expect(filled.evaluate(pod('p', { labels: { app: 'web' }, spec: spread })).feasible).toEqual(['n2']);
    const storage = {
      PersistentVolumeClaim: [claim('data', { volumeName: 'pv', accessModes: ['ReadWriteOncePod'] })],
      PersistentVolume: [volume('pv')],
    };
    const user = pod('user', { on: 'n1', claim: 'data' });
    expect(
      placementOf({ Node: [n1], ...storage })
        .with({ add: [user] })
        .evaluate(pod('p', { claim: 'data' })).outcome,
    ).toBe('refused');
  });

  test('does not let a running pod block itself', () => {
    expect(placement.check(old, n1).outcome).toBe('fits');
    expect(
      placement.with({ add: [pod('mine', { on: 'n1', requests: { cpu: '1' } })] }).check(old, n1).outcome,
    ).toBe('fits');
  });

  test('identifies pods without a uid by name', () => {
    const anonymous = (name: string) => ({
      ...pod(name, { on: 'n1', requests: { cpu: '2' } }),
      metadata: { ...pod(name).metadata, uid: '' },
    });
    const two = placementOf({ Node: [n1], Pod: [anonymous('a'), anonymous('b')] });
    expect(two.check(wanted, n1, new Set(['shop/a'])).outcome).toBe('fits');
    expect(two.wouldFitIf(wanted, [anonymous('a'), anonymous('b')]).best?.remove).toHaveLength(1);
  });
});

describe('the resource name of a reason', () => {
  const of = (objects: Parameters<typeof placementOf>[0], wanted: ReturnType<typeof pod>) => {
    const [first] = objects.Node ?? [];
    return first === undefined ? [] : placementOf(objects).check(wanted, first).reasons.map(resourceOf);
  };
  const n1 = node('n1', {
    allocatable: { cpu: '1', pods: '1', 'nvidia.com/gpu': '1' },
    labels: { zone: 'a' },
  });
  const key = { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'web' } } };
  const web = pod('web', {
    on: 'n1',
    labels: { app: 'web' },
    requests: { cpu: '1', 'nvidia.com/gpu': '1' },
    hostPort: 80,
    claim: 'data',
  });
  const storage = {
    PersistentVolumeClaim: [claim('data', { volumeName: 'pv', accessModes: ['ReadWriteOncePod'] })],
    PersistentVolume: [volume('pv')],
  };

  test('differs for each class of resource', () => {
    const spec = {
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [key] } },
      topologySpreadConstraints: [{ ...key, maxSkew: 1, minDomains: 2 }],
    } as SpecWire;
    const wanted = pod('new', {
      labels: { app: 'web' },
      requests: { cpu: '1', 'nvidia.com/gpu': '1' },
      hostPort: 80,
      claim: 'data',
      spec,
    });
    expect(
      of(
        { Node: [n1], Pod: [web], ...storage },
        { ...wanted, spec: { ...wanted.spec, volumes: web.spec.volumes } },
      ),
    ).toEqual([
      'hostPort',
      'pods',
      'cpu',
      'nvidia.com/gpu',
      'ReadWriteOncePod',
      'topologySpread',
      'podAntiAffinity',
    ]);
  });

  test('exists for volume limits and devices too', () => {
    const limited = {
      Node: [node('n1')],
      CSINode: [
        schemas.CSINode.parse({
          metadata: { name: 'n1' },
          spec: { drivers: [{ name: 'd', allocatable: { count: 0 } }] },
        }),
      ],
      PersistentVolumeClaim: [claim('data', { volumeName: 'pv' })],
      PersistentVolume: [volume('pv', { csi: { driver: 'd', volumeHandle: 'h' } })],
    };
    expect(of(limited, pod('new', { claim: 'data' }))).toEqual(['csiVolumeLimit']);
    const devices = {
      Node: [node('n1')],
      DeviceClass: [schemas.DeviceClass.parse({ metadata: { name: 'gpu' } })],
      ResourceClaim: [
        schemas.ResourceClaim.parse({
          metadata: { name: 'dev', namespace: 'shop' },
          spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } },
        }),
      ],
      ResourceSlice: [
        schemas.ResourceSlice.parse({
          metadata: { name: 's' },
          spec: { driver: 'd', nodeName: 'n2', pool: { name: 'p' }, devices: [{ name: 'd0' }] },
        }),
      ],
    };
    const spec = { resourceClaims: [{ name: 'dev', resourceClaimName: 'dev' }] } as SpecWire;
    expect(of(devices, pod('new', { spec }))).toEqual(['deviceClaim']);
  });

  test('is absent where pods do not hold the resource', () => {
    const closed = node('n1', { unschedulable: true, taints: [{ key: 'k', effect: 'NoSchedule' }] });
    const near = {
      nodeSelector: { x: 'y' },
      affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [key] } },
    } as SpecWire;
    const objects = {
      Node: [closed],
      PersistentVolumeClaim: [claim('data', { volumeName: 'pv' })],
      PersistentVolume: [volume('pv', reaches('zone', 'b'))],
    };
    expect(of(objects, pod('new', { spec: { ...near, volumes: web.spec.volumes } as SpecWire }))).toEqual(
      Array(5).fill(undefined),
    );
  });
});

describe('a node whose pods were not read', () => {
  const objects = clusterObjects({
    Node: [node('read'), node('unread'), node('small', { allocatable: { cpu: '1' } })],
  });
  const placement = createPlacement(indexObjects(objects, new Set(['read'])));
  const wanted = pod('new', { requests: { cpu: '2' } });

  test('neither fits nor refuses, unless it lacks something for good', () => {
    const { outcome, nodes, feasible } = placement.evaluate(wanted);

    expect(outcome).toBe('fits');
    expect(feasible).toEqual(['read']);
    expect(nodes.map(({ node: name, outcome: said }) => [name, said])).toEqual([
      ['read', 'fits'],
      ['small', 'refused'],
      ['unread', 'not-simulated'],
    ]);
  });

  test('could run the pod if it were empty', () => {
    expect(placement.candidateNodes(wanted).map(({ metadata }) => metadata.name)).toEqual(['read', 'unread']);
  });
});
