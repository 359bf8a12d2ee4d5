import { describe, expect, test } from 'vitest';
import { type ClusterObjects, schemas } from '../../../../../src/core/cluster/cluster-objects.js';
import { matchesDeviceSelector } from '../../../../../src/core/placement/device-selector.js';
import { holdersOf } from '../../../../../src/core/placement/reason.js';
import { names, node, type PodShape, placementOf, pod, type SpecWire, texts } from '../build.js';

const n1 = node('n1');
const n2 = node('n2');
const driver = 'gpu.example.com';
const byDriver = `device.driver == "${driver}"`;

const deviceClass = (expression: string | undefined = byDriver, more: object = {}) =>
  schemas.DeviceClass.parse({
    metadata: { name: 'gpu' },
    spec: { selectors: expression === '' ? [] : [{ cel: { expression } }], ...more },
  });

const slice = (on: string, devices: number | readonly object[], more: object = {}) =>
  schemas.ResourceSlice.parse({
    metadata: { name: `slice-${on}` },
    spec: {
      driver,
      nodeName: on,
      pool: { name: on, generation: 1, resourceSliceCount: 1 },
      devices:
        typeof devices === 'number'
          ? Array.from({ length: devices }, (_, i) => ({ name: `d${i}` }))
          : devices,
      ...more,
    },
  });

interface ClaimShape {
  readonly exactly?: object;
  readonly devices?: readonly string[];
  readonly on?: string;
  readonly user?: string;
  readonly spec?: object;
}

/** A claim; with `devices` it has them, on node `on`, reserved for `user`. */
const deviceClaim = (name: string, { exactly, devices, on = 'n1', user, spec }: ClaimShape = {}) =>
  schemas.ResourceClaim.parse({
    metadata: { name, namespace: 'shop', uid: `uid-${name}` },
    spec: {
      devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu', ...exactly } }], ...spec },
    },
    status:
      devices === undefined
        ? {}
        : {
            allocation: {
              devices: { results: devices.map((device) => ({ request: 'r', driver, pool: on, device })) },
              nodeSelector: {
                nodeSelectorTerms: [
                  { matchFields: [{ key: 'metadata.name', operator: 'In', values: [on] }] },
                ],
              },
            },
            reservedFor: user === undefined ? [] : [{ resource: 'pods', name: user, uid: user }],
          },
  });

const using = (resourceClaimName: string): PodShape => ({
  spec: { resourceClaims: [{ name: 'dev', resourceClaimName }] } as SpecWire,
});
const base = { Node: [n1], DeviceClass: [deviceClass()] };

function verdict(objects: Partial<ClusterObjects>, shape: PodShape = using('mine')) {
  return placementOf({ ...base, ...objects }).check(pod('new', shape), n1);
}

describe('devices that a claim still needs', () => {
  test('a free device is enough', () => {
    expect(verdict({ ResourceClaim: [deviceClaim('mine')], ResourceSlice: [slice('n1', 1)] }).outcome).toBe(
      'fits',
    );
  });

  test('devices in use refuse, and the pods that use them are named', () => {
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

  test('more devices than the node has is nobody’s fault', () => {
    const answer = verdict({
      ResourceClaim: [deviceClaim('mine', { exactly: { count: 3 } })],
      ResourceSlice: [slice('n1', 2)],
    });
    expect(answer.reasons).toMatchObject([{ id: 'dra', resolvable: false }]);
  });

  test('devices of another node do not count, those of all nodes do', () => {
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

  test('an old generation of a pool, and a pool with a slice missing, offer nothing', () => {
    const stale = slice('n1', 1);
    const fresh = slice('n1', 0, { pool: { name: 'n1', generation: 2, resourceSliceCount: 1 } });
    expect(verdict({ ResourceClaim: [deviceClaim('mine')], ResourceSlice: [stale, fresh] }).outcome).toBe(
      'refused',
    );
    const half = slice('n1', 1, { pool: { name: 'n1', generation: 1, resourceSliceCount: 2 } });
    expect(verdict({ ResourceClaim: [deviceClaim('mine')], ResourceSlice: [half] }).outcome).toBe('refused');
  });

  test('All takes every device, and refuses when one is in use', () => {
    const all = deviceClaim('mine', { exactly: { allocationMode: 'All' } });
    expect(verdict({ ResourceClaim: [all], ResourceSlice: [slice('n1', 2)] }).outcome).toBe('fits');
    const theirs = deviceClaim('theirs', { devices: ['d0'], user: 'old' });
    expect(verdict({ ResourceClaim: [all, theirs], ResourceSlice: [slice('n1', 2)] }).outcome).toBe(
      'refused',
    );
    expect(verdict({ ResourceClaim: [all], ResourceSlice: [slice('n1', 0)] }).outcome).toBe('refused');
  });

  test('administrative access takes no device away', () => {
    const admin = deviceClaim('mine', { exactly: { adminAccess: true } });
    const theirs = deviceClaim('theirs', { devices: ['d0'], user: 'old' });
    expect(verdict({ ResourceClaim: [admin, theirs], ResourceSlice: [slice('n1', 1)] }).outcome).toBe('fits');
  });

  test('requests that compete are matched exactly, not greedily', () => {
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

  test('a claim that is still to be made from a template needs devices too', () => {
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

describe('claims that have their devices', () => {
  test('bind the pod to their node', () => {
    const elsewhere = deviceClaim('mine', { devices: ['d0'], on: 'n2', user: 'old' });
    expect(verdict({ Node: [n1, n2], ResourceClaim: [elsewhere] }).reasons).toMatchObject([
      { id: 'dra', text: 'resourceclaim not available on the node', resolvable: false },
    ]);
    expect(verdict({ ResourceClaim: [deviceClaim('mine', { devices: ['d0'], user: 'old' })] }).outcome).toBe(
      'fits',
    );
  });

  test('are full at 256 users', () => {
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

  test('give them back when their last user is gone', () => {
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

describe('claims that refuse the pod as such', () => {
  const refusals = (objects: Partial<ClusterObjects>, shape: PodShape = using('mine')) =>
    texts(placementOf({ ...base, ...objects }).evaluate(pod('new', shape)).refusals);

  test('a claim that does not exist', () => {
    expect(refusals({})).toEqual(['could not find ResourceClaim "shop/mine"']);
  });

  test('a claim that is being deleted', () => {
    const leaving = schemas.ResourceClaim.parse({
      ...deviceClaim('mine'),
      metadata: { name: 'mine', namespace: 'shop', deletionTimestamp: '2026-11-20T09:00:00Z' },
    });
    expect(refusals({ ResourceClaim: [leaving] })).toEqual(['resourceclaim "mine" is being deleted']);
  });

  test('a class that does not exist', () => {
    expect(refusals({ DeviceClass: [], ResourceClaim: [deviceClaim('mine')] })).toEqual([
      'request r: device class gpu does not exist',
    ]);
  });

  test('a claim that the pod turned out not to need is passed over', () => {
    const shape: PodShape = {
      spec: { resourceClaims: [{ name: 'dev', resourceClaimTemplateName: 'tmpl' }] } as SpecWire,
      status: { resourceClaimStatuses: [{ name: 'dev' }] },
    };
    expect(verdict({}, shape).outcome).toBe('fits');
  });
});

describe('what is not simulated is said, not guessed', () => {
  const mine = [deviceClaim('mine')];
  const special = (more: object) => [slice('n1', [{ name: 'd0', ...more }])];
  const table: readonly (readonly [string, Partial<ClusterObjects>, string])[] = [
    [
      'a selector beyond literals',
      {
        DeviceClass: [deviceClass('device.capacity["x"].mem > quantity("1Gi")')],
        ResourceSlice: [slice('n1', 1)],
      },
      'device-selector',
    ],
    [
      'an attribute the device lacks',
      {
        DeviceClass: [deviceClass(`device.attributes["${driver}"].model == "a"`)],
        ResourceSlice: [slice('n1', 1)],
      },
      'device-selector',
    ],
    [
      'constraints across devices',
      {
        ResourceClaim: [deviceClaim('mine', { spec: { constraints: [{ matchAttribute: 'x/y' }] } })],
        ResourceSlice: [slice('n1', 1)],
      },
      'device-features',
    ],
    [
      'alternatives',
      {
        ResourceClaim: [
          deviceClaim('mine', { spec: { requests: [{ name: 'r', firstAvailable: [{ name: 'a' }] }] } }),
        ],
        ResourceSlice: [slice('n1', 1)],
      },
      'device-features',
    ],
    [
      'shared counters',
      { ResourceSlice: special({ consumesCounters: [{ counterSet: 'c' }] }) },
      'device-features',
    ],
    [
      'device taints',
      { ResourceSlice: special({ taints: [{ key: 'k', effect: 'NoSchedule' }] }) },
      'device-features',
    ],
    ['shares of a device', { ResourceSlice: special({ allowMultipleAllocations: true }) }, 'device-features'],
    ['no slices at all', {}, 'slices-unseen'],
  ];
  test.each(table)('%s', (_, objects, why) => {
    expect(verdict({ ResourceClaim: mine, ...objects })).toMatchObject({
      outcome: 'not-simulated',
      notSimulated: [{ plugin: 'DynamicResources', why }],
    });
  });

  test('a template that was not read', () => {
    const shape: PodShape = {
      spec: { resourceClaims: [{ name: 'dev', resourceClaimTemplateName: 'gone' }] } as SpecWire,
    };
    expect(placementOf(base).evaluate(pod('new', shape))).toMatchObject({
      outcome: 'not-simulated',
      notSimulated: [{ why: 'claim-unseen' }],
    });
  });

  test('a node refused for a reason that comes before is still refused, and the sentence is known', () => {
    const wanted = pod('new', { ...using('mine'), requests: { cpu: '99' } });
    const answer = placementOf({ ...base, ResourceClaim: mine }).evaluate(wanted);
    expect(answer.outcome).toBe('refused');
    expect(answer.message()).toContain('1 Insufficient cpu. still not schedulable, preemption:');
  });
});

describe('extended resources that devices stand for', () => {
  const backed = { DeviceClass: [deviceClass(byDriver, { extendedResourceName: 'example.com/gpu' })] };
  const asks = (count: string): PodShape => ({ requests: { 'example.com/gpu': count } });

  test('are allocated from devices where the node has none itself', () => {
    expect(verdict({ ...backed, ResourceSlice: [slice('n1', 2)] }, asks('2')).outcome).toBe('fits');
    expect(texts(verdict({ ...backed, ResourceSlice: [slice('n1', 2)] }, asks('3')).reasons)).toEqual([
      'cannot allocate all claims',
    ]);
  });

  test('can be asked for by the class’s name', () => {
    const shape = { requests: { 'deviceclass.resource.kubernetes.io/gpu': '1' } };
    expect(verdict({ ResourceSlice: [slice('n1', 1)] }, shape).outcome).toBe('fits');
    expect(verdict({ ResourceSlice: [slice('n1', 0)] }, shape).outcome).toBe('refused');
  });
});

describe('the part of CEL that is read', () => {
  const device = {
    driver,
    attributes: {
      model: { string: 'a' },
      cores: { int: 8 },
      ecc: { bool: true },
      'other.example.com/slot': { int: 1 },
      fw: { version: '1.0.0' },
    },
  };
  const attributes = `device.attributes["${driver}"]`;
  test.each([
    [byDriver, true],
    [`device.driver == '${driver}'`, true],
    ['device.driver == "other"', false],
    [`${attributes}.model == "a"`, true],
    [`${attributes}.model == 'b'`, false],
    [`${attributes}.cores == 8`, true],
    [`${attributes}.cores == -8`, false],
    [`${attributes}.ecc == true`, true],
    [`${attributes}.ecc == false`, false],
    ['device.attributes["other.example.com"].slot == 1', true],
    [`${byDriver} && ${attributes}.cores == 8`, true],
    [`${attributes}.unknown == 1 && device.driver == "other"`, false],
    [`${byDriver} && ${attributes}.unknown == 1`, undefined],
    [`${attributes}.model == 8`, undefined],
    [`${attributes}.fw == "1.0.0"`, undefined],
    [`!(${byDriver})`, undefined],
    [`${byDriver} || true`, undefined],
    ['', undefined],
  ])('%s is %s', (expression, answer) => {
    expect(matchesDeviceSelector(expression, device)).toBe(answer);
  });
});
