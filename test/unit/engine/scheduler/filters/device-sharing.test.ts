import { describe, expect, test } from 'vitest';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import { parseServerVersion } from '#src/engine/objects/release-rules.js';
import { createPlacement } from '#src/engine/scheduler/placement.js';
import { holdersOf } from '#src/engine/scheduler/reason.js';
import { names, type PodShape, placementOf, pod } from '../../../../support/placement-builders.js';
import { base, deviceClaim, deviceClass, driver, n1, n2, slice, using, verdict } from './build-devices.js';

const outcome = (objects: Partial<ClusterObjects>, shape?: PodShape) => verdict(objects, shape).outcome;

/** A device of 40Gi and seven slices, and partitions that consume some of both. */
function partitions(parts: Readonly<Record<string, readonly [memory: string, slices: number]>>) {
  const pool = { name: 'n1', generation: 1, resourceSliceCount: 2 };
  const counters = (memory: string, slices: number) => ({
    memory: { value: memory },
    slices: { value: String(slices) },
  });
  const devices = Object.entries(parts).map(([name, [memory, slices]]) => ({
    name,
    attributes: { profile: { string: name.split('-')[0] } },
    consumesCounters: [{ counterSet: 'gpu-0', counters: counters(memory, slices) }],
  }));
  return [
    slice('n1', [], { pool, sharedCounters: [{ name: 'gpu-0', counters: counters('40Gi', 7) }] }),
    schemas.ResourceSlice.parse({ ...slice('n1', devices, { pool }), metadata: { name: 'parts' } }),
  ];
}

const profile = (name: string) => ({
  selectors: [{ cel: { expression: `device.attributes["${driver}"].profile == "${name}"` } }],
});

describe('partitions of one device', () => {
  const migs = partitions({
    'small-0': ['10Gi', 2],
    'small-1': ['10Gi', 2],
    'small-2': ['10Gi', 2],
    'whole-0': ['40Gi', 7],
  });
  const asked = (count: number, of = 'small') => [
    deviceClaim('mine', { exactly: { ...profile(of), count } }),
  ];

  test('are free as long as their counters last', () => {
    expect(outcome({ ResourceClaim: asked(3), ResourceSlice: migs })).toBe('fits');
    expect(outcome({ ResourceClaim: asked(1, 'whole'), ResourceSlice: migs })).toBe('fits');
  });

  test('exclude each other, and the pod that has another partition is named', () => {
    const answer = verdict({
      Pod: [pod('old', { ...using('theirs'), on: 'n1' })],
      ResourceClaim: [...asked(1, 'whole'), deviceClaim('theirs', { devices: ['small-1'], user: 'old' })],
      ResourceSlice: migs,
    });
    const [reason] = answer.reasons;
    expect(reason).toMatchObject({ text: 'cannot allocate all claims', resolvable: true });
    expect(reason === undefined ? [] : names(holdersOf(reason))).toEqual(['old']);
  });

  test('can never be had where they need more than the device has', () => {
    const large = partitions({ 'small-0': ['20Gi', 4], 'small-1': ['20Gi', 4] });
    expect(verdict({ ResourceClaim: asked(2), ResourceSlice: large }).reasons).toMatchObject([
      { resolvable: false },
    ]);
  });

  test('are taken by a pod that comes, one after the other', () => {
    const came = (name: string) => pod(name, { ...using(`of-${name}`), on: 'n1' });
    const others = ['a', 'b', 'c'].map((name) => deviceClaim(`of-${name}`, { exactly: profile('small') }));
    const placement = placementOf({
      ...base,
      ResourceClaim: [...asked(1), ...others],
      ResourceSlice: migs,
    });
    const wanted = pod('new', using('mine'));
    expect(placement.with({ add: [came('a'), came('b')] }).check(wanted, n1).outcome).toBe('fits');
    expect(placement.with({ add: ['a', 'b', 'c'].map(came) }).check(wanted, n1).outcome).toBe('refused');
  });

  test('are refused with the words of the scheduler where a counter does not exist', () => {
    const [counters, parts] = partitions({ 'small-0': ['10Gi', 2] });
    const other = schemas.ResourceSlice.parse({
      ...counters,
      spec: { ...counters?.spec, sharedCounters: [{ name: 'gpu-1', counters: {} }] },
    });
    const ResourceSlice = parts === undefined ? [] : [other, parts];
    expect(verdict({ ResourceClaim: asked(1), ResourceSlice }).reasons).toMatchObject([
      { text: 'invalid resource pools were encountered' },
    ]);
  });
});

describe('a device that claims share', () => {
  const shared = (requestPolicy?: object, more: object = {}) => [
    slice('n1', [
      {
        name: 'd0',
        allowMultipleAllocations: true,
        capacity: { memory: { value: '40Gi', requestPolicy } },
        ...more,
      },
    ]),
  ];
  const asking = (memory?: string) => [
    deviceClaim('mine', { exactly: memory === undefined ? {} : { capacity: { requests: { memory } } } }),
  ];
  const having = (memory: string) =>
    schemas.ResourceClaim.parse({
      ...deviceClaim('theirs'),
      status: {
        allocation: {
          devices: {
            results: [
              {
                request: 'r',
                driver,
                pool: 'n1',
                device: 'd0',
                shareID: 'one',
                consumedCapacity: { memory },
              },
            ],
          },
        },
        reservedFor: [{ resource: 'pods', name: 'old', uid: 'old' }],
      },
    });
  const beside = (asked: string | undefined, had: string, policy?: object) =>
    verdict({
      Pod: [pod('old', { ...using('theirs'), on: 'n1' })],
      ResourceClaim: [...asking(asked), having(had)],
      ResourceSlice: shared(policy),
    });

  test('is free up to its capacity, and its users are named', () => {
    expect(beside('10Gi', '30Gi').outcome).toBe('fits');
    const [reason] = beside('20Gi', '30Gi').reasons;
    expect(reason).toMatchObject({ text: 'cannot allocate all claims', resolvable: true });
    expect(reason === undefined ? [] : names(holdersOf(reason))).toEqual(['old']);
  });

  test('is consumed as a whole by a claim that asks for nothing, unless the device has a default', () => {
    expect(beside(undefined, '10Gi').outcome).toBe('refused');
    expect(beside(undefined, '10Gi', { default: '10Gi' }).outcome).toBe('fits');
  });

  test.each([
    [
      'in steps of a range',
      '26Gi',
      '10Gi',
      { default: '5Gi', validRange: { min: '5Gi', step: '5Gi' } },
      'fits',
    ],
    [
      'in steps of a range',
      '31Gi',
      '10Gi',
      { default: '5Gi', validRange: { min: '5Gi', step: '5Gi' } },
      'refused',
    ],
    ['to the least of a range', '1Gi', '36Gi', { default: '5Gi', validRange: { min: '5Gi' } }, 'refused'],
    ['to a value of a list', '11Gi', '20Gi', { default: '10Gi', validValues: ['10Gi', '20Gi'] }, 'fits'],
    ['to a value of a list', '11Gi', '21Gi', { default: '10Gi', validValues: ['10Gi', '20Gi'] }, 'refused'],
    [
      'not beyond a range',
      '35Gi',
      '0',
      { default: '5Gi', validRange: { min: '5Gi', max: '30Gi' } },
      'refused',
    ],
    ['not beyond a list', '25Gi', '0', { default: '10Gi', validValues: ['10Gi', '20Gi'] }, 'refused'],
  ])('rounds what a claim asks for %s: %s beside %s', (_, asked, had, policy, expected) => {
    expect(beside(asked, had, policy).outcome).toBe(expected);
  });

  test('has no capacity of that name', () => {
    const ResourceClaim = [deviceClaim('mine', { exactly: { capacity: { requests: { cores: '1' } } } })];
    expect(outcome({ ResourceClaim, ResourceSlice: shared() })).toBe('refused');
  });
});

describe('alternatives of a request', () => {
  const first = (...alternatives: readonly object[]) => [
    deviceClaim('mine', {
      spec: {
        requests: [
          {
            name: 'r',
            firstAvailable: alternatives.map((each, index) => ({
              name: `s${index}`,
              deviceClassName: 'gpu',
              ...each,
            })),
          },
        ],
      },
    }),
  ];

  test('are tried in turn', () => {
    const ResourceSlice = [slice('n1', 1)];
    expect(outcome({ ResourceClaim: first({ count: 2 }, { count: 1 }), ResourceSlice })).toBe('fits');
    expect(outcome({ ResourceClaim: first({ count: 2 }, { count: 3 }), ResourceSlice })).toBe('refused');
  });

  test('name the class that does not exist as the scheduler does', () => {
    const ResourceClaim = first({ deviceClassName: 'gone' });
    expect(
      placementOf({ ...base, ResourceClaim }).evaluate(pod('new', using('mine'))).refusals,
    ).toMatchObject([{ text: 'request r/s0: device class gone does not exist' }]);
  });
});

describe('constraints across the devices of a claim', () => {
  const devices = [
    { name: 'd0', attributes: { numa: { int: 0 } } },
    { name: 'd1', attributes: { numa: { int: 1 } } },
    { name: 'd2', attributes: { numa: { int: 1 } } },
    { name: 'd3' },
  ];
  const constrained = (constraint: object, count = 2) => [
    deviceClaim('mine', { exactly: { count }, spec: { constraints: [constraint] } }),
  ];
  const answer = (constraint: object, count?: number) =>
    outcome({ ResourceClaim: constrained(constraint, count), ResourceSlice: [slice('n1', devices)] });

  test('demand an equal attribute, and the search goes back for it', () => {
    const matchAttribute = `${driver}/numa`;
    expect(answer({ matchAttribute })).toBe('fits');
    expect(answer({ matchAttribute }, 3)).toBe('refused');
    expect(answer({ matchAttribute, requests: ['other'] }, 3)).toBe('fits');
  });

  test('demand attributes that differ', () => {
    const distinctAttribute = `${driver}/numa`;
    expect(answer({ distinctAttribute })).toBe('fits');
    expect(answer({ distinctAttribute }, 3)).toBe('refused');
  });

  test('leave a request for all devices unanswered that they refuse, as the scheduler aborts on it', () => {
    const all = deviceClaim('mine', {
      exactly: { allocationMode: 'All' },
      spec: { constraints: [{ matchAttribute: `${driver}/numa` }] },
    });
    expect(outcome({ ResourceClaim: [all], ResourceSlice: [slice('n1', devices)] })).toBe('not-simulated');
  });
});

test('an allocation whose device cannot be prepared is not available', () => {
  const bound = (status: string) =>
    schemas.ResourceClaim.parse({
      ...deviceClaim('mine'),
      status: {
        allocation: {
          devices: {
            results: [
              {
                request: 'r',
                driver,
                pool: 'n1',
                device: 'd0',
                bindingConditions: ['Attached'],
                bindingFailureConditions: ['Broken'],
              },
            ],
          },
        },
        devices: [{ driver, pool: 'n1', device: 'd0', conditions: [{ type: 'Broken', status }] }],
      },
    });
  expect(outcome({ ResourceClaim: [bound('False')] })).toBe('fits');
  expect(verdict({ ResourceClaim: [bound('True')] }).reasons).toMatchObject([
    { text: 'resourceclaim not available on the node' },
  ]);
});

test('a newer generation that reaches only another node does not hide a whole former one', () => {
  const next = slice('n2', 1, { pool: { name: 'n1', generation: 2, resourceSliceCount: 1 } });
  const objects = { Node: [n1, n2], ResourceClaim: [deviceClaim('mine')], DeviceClass: [deviceClass()] };
  expect(outcome({ ...objects, ResourceSlice: [slice('n1', 1), next] })).toBe('fits');
});

test.each([
  ['v1.37.2', 'not-simulated'],
  ['v1.36.3', 'fits'],
])('a free device of %s is in doubt where rules that taint devices were not read', (version, expected) => {
  const objects = { ...base, ResourceClaim: [deviceClaim('mine')], ResourceSlice: [slice('n1', 1)] };
  const index = indexObjects(clusterObjects(objects), undefined, parseServerVersion(version));
  const placement = createPlacement(index, { unseen: ['DeviceTaintRule'] });
  expect(placement.check(pod('new', using('mine')), n1).outcome).toBe(expected);
});

test('a search that is too long stays unanswered', () => {
  const devices = Array.from({ length: 40 }, (_, index) => ({
    name: `d${index}`,
    attributes: { index: { int: index % 20 } },
  }));
  const ResourceClaim = [
    deviceClaim('mine', {
      exactly: { count: 21 },
      spec: { constraints: [{ distinctAttribute: `${driver}/index` }] },
    }),
  ];
  expect(outcome({ ResourceClaim, ResourceSlice: [slice('n1', devices)] })).toBe('not-simulated');
});
