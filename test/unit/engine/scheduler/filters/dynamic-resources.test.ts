import { describe, expect, test } from 'vitest';
import { type ClusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { holdersOf } from '#src/engine/scheduler/reason.js';
import {
  names,
  type PodShape,
  placementOf,
  pod,
  type SpecWire,
  texts,
} from '../../../../support/placement-builders.js';
import { base, deviceClaim, driver, n1, n2, slice, using, verdict } from './build-devices.js';

describe('the devices that a claim still needs', () => {
  test('are found where a device is free', () => {
    expect(verdict({ ResourceClaim: [deviceClaim('mine')], ResourceSlice: [slice('n1', 1)] }).outcome).toBe(
      'fits',
    );
  });

  test('are refused while they are in use, and the pods that use them are named', () => {
    const answer = verdict({
      Pod: [pod('old', { ...using('theirs'), on: 'n1' })],
      ResourceClaim: [deviceClaim('mine'), deviceClaim('theirs', { devices: ['d0'], user: 'old' })],
      ResourceSlice: [slice('n1', 1)],
    });
    const [reason] = answer.reasons;
    expect(reason).toMatchObject({
      id: 'dra',
      text: 'cannot allocate all claims',
      claim: 'mine',
      resolvable: true,
      preemptible: false,
    });
    expect(reason === undefined ? [] : names(holdersOf(reason))).toEqual(['old']);
  });

  test('are refused without holders where the node has too few', () => {
    const answer = verdict({
      ResourceClaim: [deviceClaim('mine', { exactly: { count: 3 } })],
      ResourceSlice: [slice('n1', 2)],
    });
    expect(answer.reasons).toMatchObject([{ id: 'dra', resolvable: false, holders: [], tainted: [] }]);
  });

  test('exclude devices of another node, and include those of all nodes', () => {
    const claims = [deviceClaim('mine')];
    expect(verdict({ ResourceClaim: claims, ResourceSlice: [slice('n2', 1)] }).outcome).toBe('refused');
    const shared = slice('n2', 1, { nodeName: undefined, allNodes: true });
    expect(verdict({ ResourceClaim: claims, ResourceSlice: [shared] }).outcome).toBe('fits');
    const labelled = slice('n2', 1, {
      nodeName: undefined,
      nodeSelector: {
        nodeSelectorTerms: [
          { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['n1'] }] },
        ],
      },
    });
    expect(verdict({ ResourceClaim: claims, ResourceSlice: [labelled] }).outcome).toBe('fits');
  });

  test('exclude an old generation of a pool, and a pool with a missing slice', () => {
    const stale = slice('n1', 1);
    const fresh = slice('n1', 0, { pool: { name: 'n1', generation: 2, resourceSliceCount: 1 } });
    expect(verdict({ ResourceClaim: [deviceClaim('mine')], ResourceSlice: [stale, fresh] }).outcome).toBe(
      'refused',
    );
    const half = slice('n1', 1, { pool: { name: 'n1', generation: 1, resourceSliceCount: 2 } });
    expect(verdict({ ResourceClaim: [deviceClaim('mine')], ResourceSlice: [half] }).outcome).toBe('refused');
  });

  test('are all devices with All, and refused when one is in use', () => {
    const all = deviceClaim('mine', { exactly: { allocationMode: 'All' } });
    expect(verdict({ ResourceClaim: [all], ResourceSlice: [slice('n1', 2)] }).outcome).toBe('fits');
    const theirs = deviceClaim('theirs', { devices: ['d0'], user: 'old' });
    expect(verdict({ ResourceClaim: [all, theirs], ResourceSlice: [slice('n1', 2)] }).outcome).toBe(
      'refused',
    );
    expect(verdict({ ResourceClaim: [all], ResourceSlice: [slice('n1', 0)] }).outcome).toBe('refused');
  });

  test('stay available under administrative access', () => {
    const admin = deviceClaim('mine', { exactly: { adminAccess: true } });
    const theirs = deviceClaim('theirs', { devices: ['d0'], user: 'old' });
    expect(verdict({ ResourceClaim: [admin, theirs], ResourceSlice: [slice('n1', 1)] }).outcome).toBe('fits');
  });

  test('are matched exactly for competing requests, not greedily', () => {
    const model = (name: string, value: string) => ({ name, attributes: { model: { string: value } } });
    const wants = (value: string) => ({
      selectors: [{ cel: { expression: `device.attributes["${driver}"].model == "${value}"` } }],
    });
    const claims = [deviceClaim('any'), deviceClaim('picky', { exactly: wants('a') })];
    const shape: PodShape = {
      spec: {
        resourceClaims: ['any', 'picky'].map((name) => ({ name, resourceClaimName: name })),
      } as SpecWire,
    };
    const devices = [model('d0', 'a'), model('d1', 'b')];
    expect(verdict({ ResourceClaim: claims, ResourceSlice: [slice('n1', devices)] }, shape).outcome).toBe(
      'fits',
    );
    const wrong = [model('d0', 'b'), model('d1', 'b')];
    expect(verdict({ ResourceClaim: claims, ResourceSlice: [slice('n1', wrong)] }, shape).outcome).toBe(
      'refused',
    );
  });

  test('include those of a claim that is still to be created from a template', () => {
    const template = schemas.ResourceClaimTemplate.parse({
      metadata: { name: 'tmpl', namespace: 'shop' },
      spec: { spec: { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } } },
    });
    const shape: PodShape = {
      spec: { resourceClaims: [{ name: 'dev', resourceClaimTemplateName: 'tmpl' }] } as SpecWire,
    };
    expect(
      verdict({ ResourceClaimTemplate: [template], ResourceSlice: [slice('n1', 0)] }, shape).outcome,
    ).toBe('refused');
    expect(
      verdict({ ResourceClaimTemplate: [template], ResourceSlice: [slice('n1', 1)] }, shape).outcome,
    ).toBe('fits');
  });
});

describe('claims with allocated devices', () => {
  test('are reported only where the others can be allocated, as kube-scheduler asks for those first', () => {
    const elsewhere = deviceClaim('mine', { devices: ['d0'], on: 'n2', user: 'old' });
    const shape: PodShape = {
      spec: {
        resourceClaims: ['mine', 'more'].map((name) => ({ name, resourceClaimName: name })),
      } as SpecWire,
    };
    const first = (count: number) =>
      verdict(
        {
          Node: [n1, n2],
          ResourceClaim: [elsewhere, deviceClaim('more')],
          ResourceSlice: [slice('n1', count)],
        },
        shape,
      ).reasons[0];
    expect(first(0)).toMatchObject({ text: 'cannot allocate all claims' });
    expect(first(1)).toMatchObject({ text: 'resourceclaim not available on the node' });
  });

  test('bind the pod to their node', () => {
    const elsewhere = deviceClaim('mine', { devices: ['d0'], on: 'n2', user: 'old' });
    expect(verdict({ Node: [n1, n2], ResourceClaim: [elsewhere] }).reasons).toMatchObject([
      { id: 'dra', text: 'resourceclaim not available on the node', resolvable: false },
    ]);
    expect(verdict({ ResourceClaim: [deviceClaim('mine', { devices: ['d0'], user: 'old' })] }).outcome).toBe(
      'fits',
    );
  });

  test('are full at 256 consumers', () => {
    const crowded = schemas.ResourceClaim.parse({
      ...deviceClaim('mine', { devices: ['d0'] }),
      status: {
        ...deviceClaim('mine', { devices: ['d0'] }).status,
        reservedFor: Array.from({ length: 256 }, (_, i) => ({
          resource: 'pods',
          name: `p${i}`,
          uid: `p${i}`,
        })),
      },
    });
    const placement = placementOf({ ...base, ResourceClaim: [crowded] });
    expect(placement.evaluate(pod('new', using('mine'))).refusals).toMatchObject([
      { text: 'resourceclaim in use', resolvable: true },
    ]);
    expect(placement.evaluate(pod('p7', using('mine'))).refusals).toEqual([]);
  });

  test('release them after their last consumer', () => {
    const old = pod('old', { ...using('theirs'), on: 'n1' });
    const other = pod('other', { ...using('shared'), on: 'n1' });
    const placement = placementOf({
      ...base,
      Pod: [old, other, pod('third', { ...using('shared'), on: 'n1' })],
      ResourceClaim: [
        deviceClaim('mine'),
        deviceClaim('theirs', { devices: ['d0'], user: 'old' }),
        schemas.ResourceClaim.parse({
          ...deviceClaim('shared', { devices: ['d1'], user: 'other' }),
          status: {
            ...deviceClaim('shared', { devices: ['d1'] }).status,
            reservedFor: ['other', 'third'].map((name) => ({ resource: 'pods', name, uid: name })),
          },
        }),
      ],
      ResourceSlice: [slice('n1', 2)],
    });
    const wanted = pod('new', using('mine'));
    expect(placement.check(wanted, n1, new Set(['old'])).outcome).toBe('fits');
    expect(placement.check(wanted, n1, new Set(['other'])).outcome).toBe('refused');
    expect(placement.check(wanted, n1, new Set(['other', 'third'])).outcome).toBe('fits');
    const best = placement.wouldFitIf(wanted, [old, other]).best;
    expect(best === undefined ? [] : names(best.remove)).toEqual(['old']);
  });
});

describe('a pod that comes to a node', () => {
  const came = (name: string, claim: string, on = 'n1') => pod(name, { ...using(claim), on });
  const checked = (objects: Partial<ClusterObjects>, add: readonly Pod[], on = n1) =>
    placementOf({ ...base, Node: [n1, n2], ...objects })
      .with({ add })
      .check(pod('new', using('mine')), on);

  test('takes devices, and is named as their user', () => {
    const objects = {
      ResourceClaim: ['mine', 'one', 'two'].map((name) => deviceClaim(name)),
      ResourceSlice: [slice('n1', 2)],
    };
    expect(checked(objects, [came('a', 'one')]).outcome).toBe('fits');
    const [reason] = checked(objects, [came('a', 'one'), came('b', 'two')]).reasons;
    expect(reason === undefined ? [] : names(holdersOf(reason))).toEqual(['a', 'b']);
  });

  test('takes none under administrative access', () => {
    const admin = deviceClaim('one', { exactly: { adminAccess: true } });
    const objects = { ResourceClaim: [deviceClaim('mine'), admin], ResourceSlice: [slice('n1', 1)] };
    expect(checked(objects, [came('a', 'one')]).outcome).toBe('fits');
  });

  test('binds a shared claim to its node', () => {
    const objects = { ResourceClaim: [deviceClaim('mine')], ResourceSlice: [slice('n1', 1), slice('n2', 1)] };
    expect(checked(objects, [came('a', 'mine')]).outcome).toBe('fits');
    expect(checked(objects, [came('a', 'mine')], n2).reasons).toMatchObject([
      { text: 'resourceclaim not available on the node' },
    ]);
  });

  test('takes devices that former users have given back', () => {
    const objects = {
      ResourceClaim: [deviceClaim('mine'), deviceClaim('one', { devices: ['d0'], user: 'old' })],
      ResourceSlice: [slice('n1', 1)],
    };
    const left = placementOf({ ...base, ...objects }).with({ remove: new Set(['old']) });
    const wanted = pod('new', using('mine'));
    expect(left.check(wanted, n1).outcome).toBe('fits');
    expect(left.with({ add: [came('a', 'one')] }).check(wanted, n1).outcome).toBe('refused');
  });

  test('leaves unanswered what its node has left where its devices are not known', () => {
    const odd = deviceClaim('one', { exactly: { derivedAttributes: [{}] } });
    const objects = {
      ResourceClaim: [deviceClaim('mine'), odd],
      ResourceSlice: [slice('n1', 2), slice('n2', 2)],
    };
    expect(checked(objects, [came('a', 'one')])).toMatchObject({
      outcome: 'not-simulated',
      notSimulated: [{ why: 'device-features' }],
    });
    expect(checked(objects, [came('a', 'one')], n2).outcome).toBe('fits');
  });
});

describe('a claim of a pod that ended', () => {
  test.each(['Succeeded', 'Failed'])('is given back (%s)', (phase) => {
    const claims = [deviceClaim('mine'), deviceClaim('theirs', { devices: ['d0'], user: 'job' })];
    const at = (now: string) =>
      verdict({
        Pod: [pod('job', { ...using('theirs'), on: 'n1', phase: now })],
        ResourceClaim: claims,
        ResourceSlice: [slice('n1', 1)],
      }).outcome;
    expect(at(phase)).toBe('fits');
    expect(at('Running')).toBe('refused');
  });
});

describe('a claim of v1beta1', () => {
  const flat = (fields: object) =>
    schemas.ResourceClaim.parse({
      metadata: { name: 'mine', namespace: 'shop' },
      spec: { devices: { requests: [{ name: 'r', deviceClassName: 'gpu', ...fields }] } },
    });
  const theirs = deviceClaim('theirs', { devices: ['d0'], user: 'old' });

  test.each<readonly [string, object, string]>([
    ['one device', {}, 'refused'],
    ['administrative access', { adminAccess: true }, 'fits'],
    ['a selector', { selectors: [{ cel: { expression: 'device.driver == "other"' } }] }, 'refused'],
    ['a selector that is not understood', { selectors: [{ cel: { expression: 'false' } }] }, 'not-simulated'],
  ])('asks for %s', (_, fields, outcome) => {
    expect(verdict({ ResourceClaim: [flat(fields), theirs], ResourceSlice: [slice('n1', 1)] }).outcome).toBe(
      outcome,
    );
  });
});

describe('the pod is refused for its claims because of', () => {
  const refusals = (objects: Partial<ClusterObjects>, shape: PodShape = using('mine')) =>
    texts(placementOf({ ...base, ...objects }).evaluate(pod('new', shape)).refusals);

  test('a claim that does not exist', () => {
    expect(refusals({})).toEqual(['could not find ResourceClaim "shop/mine"']);
  });

  test('a claim that is being deleted', () => {
    const terminating = schemas.ResourceClaim.parse({
      ...deviceClaim('mine'),
      metadata: { name: 'mine', namespace: 'shop', deletionTimestamp: '2026-11-20T09:00:00Z' },
    });
    expect(refusals({ ResourceClaim: [terminating] })).toEqual(['resourceclaim "mine" is being deleted']);
  });

  test('a class that does not exist', () => {
    expect(refusals({ DeviceClass: [], ResourceClaim: [deviceClaim('mine')] })).toEqual([
      'request r: device class gpu does not exist',
    ]);
  });

  test('a claim that the pod turned out not to need is ignored', () => {
    const shape: PodShape = {
      spec: { resourceClaims: [{ name: 'dev', resourceClaimTemplateName: 'tmpl' }] } as SpecWire,
      status: { resourceClaimStatuses: [{ name: 'dev' }] },
    };
    expect(verdict({}, shape).outcome).toBe('fits');
  });
});

describe('device taints', () => {
  const taint = (effect: string, value = '') => ({ key: 'broken', value, effect });
  const rule = (deviceSelector: object | undefined, effect = 'NoSchedule') =>
    schemas.DeviceTaintRule.parse({
      metadata: { name: 'bad-gpu' },
      spec: { deviceSelector, taint: taint(effect) },
    });
  const mine = (tolerations: readonly object[] = [], more: object = {}) => ({
    ResourceClaim: [deviceClaim('mine', { exactly: { tolerations, ...more } })],
  });
  const tainted = (effect: string) => [slice('n1', [{ name: 'd0', taints: [taint(effect)] }])];

  test.each([
    ['a taint of the driver', { ResourceSlice: tainted('NoSchedule') }, undefined],
    ['a taint that also evicts', { ResourceSlice: tainted('NoExecute') }, undefined],
    [
      'a rule for the device',
      { ResourceSlice: [slice('n1', 1)], DeviceTaintRule: [rule({ driver, pool: 'n1', device: 'd0' })] },
      'bad-gpu',
    ],
    ['a rule for all devices', { ResourceSlice: [slice('n1', 1)], DeviceTaintRule: [rule({})] }, 'bad-gpu'],
  ])('keep a claim off the free device, and are named: %s', (_, objects, name) => {
    expect(verdict({ ...mine(), ...objects })).toMatchObject({
      outcome: 'refused',
      reasons: [
        {
          text: 'cannot allocate all claims',
          resolvable: false,
          tainted: [{ device: `${driver}/n1/d0`, key: 'broken', rule: name }],
        },
      ],
    });
  });

  test.each<readonly [string, Partial<ClusterObjects>]>([
    ['a taint without an effect', { ...mine(), ResourceSlice: tainted('None') }],
    [
      'a rule without a selector',
      { ...mine(), ResourceSlice: [slice('n1', 1)], DeviceTaintRule: [rule(undefined)] },
    ],
    [
      'a rule for another pool',
      { ...mine(), ResourceSlice: [slice('n1', 1)], DeviceTaintRule: [rule({ driver, pool: 'n2' })] },
    ],
    [
      'another device of the node',
      {
        ...mine(),
        ResourceSlice: [slice('n1', [{ name: 'd0', taints: [taint('NoSchedule')] }, { name: 'd1' }])],
      },
    ],
    [
      'a request that tolerates the key',
      { ...mine([{ key: 'broken', operator: 'Exists' }]), ResourceSlice: tainted('NoSchedule') },
    ],
    [
      'a request that tolerates everything',
      { ...mine([{ operator: 'Exists' }]), ResourceSlice: tainted('NoExecute') },
    ],
    [
      'a request that tolerates the value',
      { ...mine([{ key: 'broken' }]), ResourceSlice: tainted('NoSchedule') },
    ],
  ])('leave the claim its device: %s', (_, objects) => {
    expect(verdict(objects).outcome).toBe('fits');
  });

  test.each<readonly [string, Partial<ClusterObjects>]>([
    [
      'a toleration of another effect',
      {
        ...mine([{ key: 'broken', operator: 'Exists', effect: 'NoExecute' }]),
        ResourceSlice: tainted('NoSchedule'),
      },
    ],
    [
      'a request for all devices',
      {
        ...mine([], { allocationMode: 'All' }),
        ResourceSlice: [slice('n1', [{ name: 'd0', taints: [taint('NoSchedule')] }, { name: 'd1' }])],
      },
    ],
    ['administrative access', { ...mine([], { adminAccess: true }), ResourceSlice: tainted('NoSchedule') }],
  ])('are not overcome by %s', (_, objects) => {
    expect(verdict(objects).outcome).toBe('refused');
  });

  test('leave out the pods that use a tainted device: their leaving would free nothing', () => {
    const [reason] = verdict({
      Pod: [pod('old', { ...using('theirs'), on: 'n1' })],
      ResourceClaim: [deviceClaim('mine'), deviceClaim('theirs', { devices: ['d0'], user: 'old' })],
      ResourceSlice: tainted('NoSchedule'),
    }).reasons;
    expect(reason).toMatchObject({ resolvable: false });
    expect(reason === undefined ? [] : holdersOf(reason)).toEqual([]);
  });
});
