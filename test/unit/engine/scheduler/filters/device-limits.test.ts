import { describe, expect, test } from 'vitest';
import { type ClusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import { matchesDeviceSelector } from '#src/engine/scheduler/device-allocation.js';
import {
  type PodShape,
  placementOf,
  pod,
  type SpecWire,
  texts,
} from '../../../../support/placement-builders.js';
import {
  base,
  byDriver,
  deviceClaim,
  deviceClass,
  driver,
  n1,
  slice,
  using,
  verdict,
} from './build-devices.js';

describe('the scheduler message about claims', () => {
  const sentence = (objects: Partial<ClusterObjects>) =>
    placementOf({ ...base, ...objects })
      .evaluate(pod('new', using('mine')))
      .message();

  test('continues with preemption after a refusal by the claims themselves', () => {
    expect(sentence({})).toBe(
      '0/1 nodes are available: could not find ResourceClaim "shop/mine". no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    );
  });

  test('reports that an unused claim in the way is deallocated first', () => {
    const elsewhere = deviceClaim('mine', { devices: ['d0'], on: 'n2' });
    expect(sentence({ ResourceClaim: [elsewhere] })).toContain(
      'deallocation of ResourceClaim completed, preemption:',
    );
    const used = deviceClaim('mine', { devices: ['d0'], on: 'n2', user: 'old' });
    expect(sentence({ ResourceClaim: [used] })).toContain('still not schedulable, preemption:');
  });

  test('does not wait for the devices of a preemption victim', () => {
    const low = pod('old', { ...using('theirs'), on: 'n1', priority: 0, requests: { cpu: '4' } });
    const objects = {
      Pod: [low],
      ResourceClaim: [deviceClaim('mine'), deviceClaim('theirs', { devices: ['d0'], user: 'old' })],
      ResourceSlice: [slice('n1', 1)],
    };
    const wanted = pod('new', { ...using('mine'), priority: 5, requests: { cpu: '4' } });
    const placement = placementOf({ ...base, ...objects });
    expect(placement.preemption(wanted)).toMatchObject({
      outcome: 'impossible',
      refusals: [{ reasons: [{ id: 'dra' }] }],
    });
    expect(placement.wouldFitIf(wanted, [low]).best?.remove).toEqual([low]);
  });

  test('leaves preemption unknown where devices cannot be simulated', () => {
    const low = pod('old', { on: 'n1', priority: 0, requests: { cpu: '4' } });
    const placement = placementOf({ ...base, Pod: [low], ResourceClaim: [deviceClaim('mine')] });
    const wanted = pod('new', { ...using('mine'), priority: 5, requests: { cpu: '4' } });
    expect(placement.preemption(wanted)).toEqual({ outcome: 'not-simulated' });
    expect(placement.evaluate(wanted).message()).toBeUndefined();
    expect(placement.wouldFitIf(wanted, [low]).best).toMatchObject({ certain: false });
  });
});

describe('claims and device pools', () => {
  test('free a claim that was created for a pod with that pod, though it is not reserved yet', () => {
    const theirs = schemas.ResourceClaim.parse({
      ...deviceClaim('theirs', { devices: ['d0'] }),
      metadata: {
        name: 'theirs',
        namespace: 'shop',
        uid: 't',
        ownerReferences: [{ kind: 'Pod', name: 'old', uid: 'old', controller: true }],
      },
    });
    const placement = placementOf({
      ...base,
      Pod: [pod('old', { on: 'n1' })],
      ResourceClaim: [deviceClaim('mine'), theirs],
      ResourceSlice: [slice('n1', 1)],
    });
    const wanted = pod('new', using('mine'));
    expect(placement.check(wanted, n1).outcome).toBe('refused');
    expect(placement.check(wanted, n1, new Set(['old'])).outcome).toBe('fits');
  });

  test('have their attributes where the older API stores them', () => {
    const old = slice('n1', [{ name: 'd0', basic: { attributes: { model: { string: 'a' } } } }]);
    const DeviceClass = [deviceClass(`device.attributes["${driver}"].model == "a"`)];
    expect(verdict({ DeviceClass, ResourceClaim: [deviceClaim('mine')], ResourceSlice: [old] }).outcome).toBe(
      'fits',
    );
  });

  test('reach the nodes that each of their devices names', () => {
    const outcome = (device: object) =>
      verdict({
        ResourceClaim: [deviceClaim('mine')],
        ResourceSlice: [
          slice('n1', [{ name: 'd0', ...device }], { nodeName: undefined, perDeviceNodeSelection: true }),
        ],
      }).outcome;
    expect(outcome({ nodeName: 'n1' })).toBe('fits');
    expect(outcome({ allNodes: true })).toBe('fits');
    expect(outcome({ nodeName: 'n2' })).toBe('refused');
    expect(outcome({})).toBe('refused');
  });

  test('reach no node with a slice that names none', () => {
    const lost = slice('n1', 1, { nodeName: undefined });
    expect(
      verdict({ ResourceClaim: [deviceClaim('mine')], ResourceSlice: [lost, slice('n2', 1)] }).outcome,
    ).toBe('refused');
  });
});

describe('unsimulated devices are reported as', () => {
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
      'a request of an unknown kind',
      {
        ResourceClaim: [deviceClaim('mine', { spec: { requests: [{ name: 'r' }] } })],
        ResourceSlice: [slice('n1', 1)],
      },
      'device-features',
    ],
    [
      'attributes that are derived',
      {
        ResourceClaim: [deviceClaim('mine', { exactly: { derivedAttributes: [{}] } })],
        ResourceSlice: [slice('n1', 1)],
      },
      'device-features',
    ],
    [
      'devices that give resources of the node',
      { ResourceSlice: special({ nodeAllocatableResources: { cpu: {} } }) },
      'device-features',
    ],
    [
      'devices of a slice without some operations of the node',
      { ResourceSlice: [slice('n1', 1, { skipNodeOperations: ['NodePrepareResources'] })] },
      'device-features',
    ],
    [
      'counters of devices that agree with some others only',
      {
        ResourceSlice: special({
          consumesCounters: [{ counterSet: 'c', counters: {}, compatibilityGroups: ['g'] }],
        }),
      },
      'device-features',
    ],
    [
      'all devices of a pool that is not complete',
      {
        ResourceClaim: [deviceClaim('mine', { exactly: { allocationMode: 'All' } })],
        ResourceSlice: [slice('n1', 1, { pool: { name: 'n1', generation: 1, resourceSliceCount: 2 } })],
      },
      'device-features',
    ],
    ['no slices at all', {}, 'slices-unseen'],
  ];
  test.each(table)('%s', (_, objects, why) => {
    expect(verdict({ ResourceClaim: mine, ...objects })).toMatchObject({
      outcome: 'not-simulated',
      notSimulated: [{ plugin: 'DynamicResources', why }],
    });
  });

  test.each([
    ['more claims', 2_000, 1],
    ['claims for more devices', 128, 32],
  ])('a pod with %s than are searched', (_, count, devices) => {
    const claims = Array.from({ length: count }, (__, at) => `claim-${at}`);
    const shape: PodShape = {
      spec: { resourceClaims: claims.map((name) => ({ name, resourceClaimName: name })) } as SpecWire,
    };
    const objects = {
      ResourceClaim: claims.map((name) => deviceClaim(name, { exactly: { count: devices } })),
      ResourceSlice: [slice('n1', count * devices)],
    };
    expect(verdict(objects, shape)).toMatchObject({
      outcome: 'not-simulated',
      notSimulated: [{ plugin: 'DynamicResources', why: 'device-features' }],
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

describe('extended resources backed by devices', () => {
  const backed = { DeviceClass: [deviceClass(byDriver, { extendedResourceName: 'example.com/gpu' })] };
  const requesting = (count: string): PodShape => ({ requests: { 'example.com/gpu': count } });

  test('are allocated from devices where the node has none itself', () => {
    expect(verdict({ ...backed, ResourceSlice: [slice('n1', 2)] }, requesting('2')).outcome).toBe('fits');
    expect(texts(verdict({ ...backed, ResourceSlice: [slice('n1', 2)] }, requesting('3')).reasons)).toEqual([
      'cannot allocate all claims',
    ]);
  });

  test('can be requested by the name of the class', () => {
    const shape = { requests: { 'deviceclass.resource.kubernetes.io/gpu': '1' } };
    expect(verdict({ ResourceSlice: [slice('n1', 1)] }, shape).outcome).toBe('fits');
    expect(verdict({ ResourceSlice: [slice('n1', 0)] }, shape).outcome).toBe('refused');
  });
});

describe('the supported part of CEL evaluates', () => {
  const device = {
    driver,
    attributes: {
      model: { string: 'a' },
      cores: { int: 8 },
      ecc: { bool: true },
      'other.example.com/slot': { int: 1 },
      fw: { version: '1.0.0' },
    },
    capacity: { memory: { value: '40Gi' } },
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
    [`!(${byDriver})`, false],
    [`${byDriver} || true`, true],
    [`device.driver != "${driver}" || unknown()`, undefined],
    [`(device.driver == "other" || ${attributes}.cores >= 8) && !${attributes}.ecc`, false],
    [`${attributes}.cores > 8`, false],
    [`${attributes}.cores > 7`, true],
    [`${attributes}.cores >= 7`, true],
    [`${attributes}.cores >= 9`, false],
    [`${attributes}.cores < 9`, true],
    [`${attributes}.cores < 8`, false],
    [`${attributes}.cores <= 9`, true],
    [`${attributes}.cores <= 7`, false],
    [`${attributes}.cores != 7`, true],
    [`${attributes}.model != "b"`, true],
    [`${attributes}.model < "b"`, undefined],
    [`${attributes}.ecc`, true],
    [`${attributes}.model == "(a" || ${attributes}.model == "a"`, true],
    [`device.capacity["${driver}"].memory.compareTo(quantity("40960Mi")) == 0`, true],
    [`device.capacity["${driver}"].memory.compareTo(quantity('80Gi')) >= 0`, false],
    [`device.capacity["${driver}"].cores.compareTo(quantity("1")) >= 0`, undefined],
    ['!'.repeat(20) + byDriver, undefined],
    ['', undefined],
  ])('%s to %s', (expression, answer) => {
    expect(matchesDeviceSelector(expression, device)).toBe(answer);
  });
});
