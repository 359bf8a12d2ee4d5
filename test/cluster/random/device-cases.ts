import type { Draw } from './draw.js';
import type { DrawnObject } from './scheduler-under-test.js';
import { nodeLabel } from './vocabulary.js';

const gpu = 'gpu.random.test';
const network = 'net.random.test';
const apiVersion = 'resource.k8s.io/v1';
const attribute = (name: string): string => `device.attributes["${gpu}"].${name}`;

/** An extended resource that the devices of a class stand for. */
export const deviceBackedResource = 'random.test/accelerator';

const classes = ['any-gpu', 'model-a', 'large', 'network', 'accelerator'] as const;

export const deviceClasses: readonly DrawnObject[] = [
  ['any-gpu', `device.driver == "${gpu}"`],
  ['model-a', `device.driver == "${gpu}" && ${attribute('model')} == "a"`],
  ['large', `device.driver == "${gpu}" && device.capacity["${gpu}"].memory.compareTo(quantity("20Gi")) >= 0`],
  ['network', `device.driver == "${network}"`],
  ['accelerator', `device.driver == "${gpu}" && !(device.driver == "${network}")`],
].map(([name = '', expression]) => ({
  kind: 'DeviceClass',
  body: {
    apiVersion,
    kind: 'DeviceClass',
    metadata: { name },
    spec: {
      selectors: [{ cel: { expression } }],
      ...(name === 'accelerator' ? { extendedResourceName: deviceBackedResource } : {}),
    },
  },
}));

/** What drivers offer on some of the nodes, and rules that taint some of it. */
export function randomDevices(
  draw: Draw,
  prefix: string,
  nodes: readonly string[],
  hasRules: boolean,
): readonly DrawnObject[] {
  const slices = nodes.flatMap((node) => (draw.chance(75) ? nodePool(draw, node) : []));
  const everywhere = slices.length === 0 || draw.chance(40) ? [networkPool(draw, prefix, nodes)] : [];
  const rules = hasRules && draw.chance(40) ? [taintRule(draw, prefix, nodes)] : [];
  return [...slices, ...everywhere, ...rules, ...nodes.slice(0, 1).map(plainPool)];
}

/**
 * Without any slice the engine does not know whether slices were read, and an older release may refuse all
 * others.
 */
function plainPool(nodeName: string): DrawnObject {
  const pool = { name: `${nodeName}-plain`, generation: 1, resourceSliceCount: 1 };
  return slice(pool.name, { driver: 'plain.random.test', nodeName, pool, devices: [{ name: 'plain' }] });
}

function slice(name: string, spec: object): DrawnObject {
  return {
    kind: 'ResourceSlice',
    body: { apiVersion, kind: 'ResourceSlice', metadata: { name, labels: nodeLabel }, spec },
  };
}

/** Ordinary devices, partitions of one device, or devices that claims share. */
function nodePool(draw: Draw, node: string): readonly DrawnObject[] {
  const part = (count: number, generation = 1) => ({
    driver: gpu,
    nodeName: node,
    pool: { name: node, generation, resourceSliceCount: count },
  });
  const kind = draw.below(10);
  if (kind < 3) {
    const sharedCounters = [
      { name: 'gpu-0', counters: { memory: { value: '40Gi' }, slices: { value: '7' } } },
    ];
    const devices = draw.some(2, 6, (index) => ({
      ...device(draw, `part-${index}`),
      consumesCounters: [
        {
          counterSet: 'gpu-0',
          counters: {
            memory: { value: draw.pick(['5Gi', '10Gi', '20Gi', '40Gi']) },
            slices: { value: draw.pick(['1', '2', '3', '7']) },
          },
        },
      ],
    }));
    return [
      slice(`${node}-counters`, { ...part(2), sharedCounters }),
      slice(`${node}-parts`, { ...part(2), devices }),
    ];
  }
  const devices = draw.some(1, 4, (index) => ({
    ...device(draw, `gpu-${index}`),
    ...(kind < 6 ? sharedCapacity(draw) : {}),
  }));
  const newest = slice(`${node}-gpus`, { ...part(1, 2), devices });
  const former = slice(`${node}-former`, { ...part(1), devices: [device(draw, 'old')] });
  return draw.chance(10) ? [former, newest] : [newest];
}

function device(draw: Draw, name: string): object {
  return {
    name,
    attributes: {
      model: { string: draw.pick(['a', 'b']) },
      numa: { int: draw.below(2) },
      'random.test/rack': { string: draw.pick(['r1', 'r2']) },
    },
    capacity: { memory: { value: draw.pick(['10Gi', '20Gi', '40Gi']) } },
    ...draw.maybe(15, () => ({ taints: [taint(draw)] })),
  };
}

function sharedCapacity(draw: Draw): object {
  const policies = [
    {},
    { requestPolicy: { default: '5Gi', validRange: { min: '5Gi', step: '5Gi', max: '30Gi' } } },
    { requestPolicy: { default: '10Gi', validValues: ['10Gi', '20Gi'] } },
  ] as const;
  return {
    allowMultipleAllocations: true,
    capacity: { memory: { value: draw.pick(['20Gi', '40Gi']), ...draw.pick(policies) } },
  };
}

const taint = (draw: Draw): object => ({
  key: draw.pick(['broken', 'reserved']),
  value: draw.pick(['x', 'y']),
  effect: draw.pick(['NoSchedule', 'NoExecute', 'NoSchedule', 'None']),
});

/** Devices that all nodes reach, those of a zone, or each on nodes of its own. */
function networkPool(draw: Draw, prefix: string, nodes: readonly string[]): DrawnObject {
  const places: readonly [object, ...object[]] = [
    { allNodes: true },
    { perDeviceNodeSelection: true },
    {
      nodeSelector: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'rack', operator: 'In', values: ['r1'] }] }],
      },
    },
  ];
  const place = draw.pick(places);
  const devices = draw.some(1, 4, (index) => ({
    name: `port-${index}`,
    attributes: { 'random.test/rack': { string: draw.pick(['r1', 'r2']) } },
    ...('perDeviceNodeSelection' in place
      ? draw.chance(50)
        ? { nodeName: nodes[draw.below(nodes.length)] }
        : { allNodes: true }
      : {}),
  }));
  const pool = { name: `${prefix}-fabric`, generation: 1, resourceSliceCount: 1 };
  return slice(`${prefix}-fabric`, { driver: network, pool, ...place, devices });
}

function taintRule(draw: Draw, prefix: string, nodes: readonly string[]): DrawnObject {
  const deviceSelector = {
    ...draw.maybe(60, () => ({ driver: draw.pick([gpu, network]) })),
    pool: nodes[draw.below(nodes.length)],
    ...draw.maybe(40, () => ({ device: draw.pick(['gpu-0', 'part-0']) })),
  };
  return {
    kind: 'DeviceTaintRule',
    body: {
      apiVersion,
      kind: 'DeviceTaintRule',
      metadata: { name: `${prefix}-rule`, labels: nodeLabel },
      spec: { deviceSelector, taint: taint(draw) },
    },
  };
}

/** A claim; the API server rejects some of them. */
export function randomDeviceClaim(draw: Draw, namespace: string, name: string): DrawnObject {
  const isConstrained = draw.chance(25);
  // The scheduler aborts where a constraint keeps "all" devices from a claim.
  const requests = draw.some(1, 2, (index) => request(draw, `r${index}`, !isConstrained));
  const constraints = draw.some(1, 1, () => ({
    [draw.pick(['matchAttribute', 'distinctAttribute'])]: draw.pick([`${gpu}/numa`, 'random.test/rack']),
    ...draw.maybe(30, () => ({ requests: ['r0'] })),
  }));
  const devices = { requests, ...(isConstrained ? { constraints } : {}) };
  return {
    kind: 'ResourceClaim',
    body: { apiVersion, kind: 'ResourceClaim', metadata: { namespace, name }, spec: { devices } },
  };
}

function request(draw: Draw, name: string, mayBeAll: boolean): object {
  if (!draw.chance(25)) return { name, exactly: asked(draw, mayBeAll) };
  return {
    name,
    firstAvailable: draw.some(1, 3, (index) => ({ name: `s${index}`, ...asked(draw, mayBeAll) })),
  };
}

function asked(draw: Draw, mayBeAll: boolean): object {
  const deviceClassName = draw.chance(3) ? 'missing' : draw.pick(classes);
  return {
    deviceClassName,
    ...draw.maybe(mayBeAll ? 10 : 0, () => ({ allocationMode: 'All' })),
    ...draw.maybe(20, () => ({ allocationMode: 'ExactCount', count: 2 })),
    ...(deviceClassName === 'network'
      ? {}
      : draw.maybe(20, () => ({ selectors: [{ cel: { expression: `${attribute('numa')} == 0` } }] }))),
    ...draw.maybe(25, () => ({ tolerations: [toleration(draw)] })),
    ...draw.maybe(25, () => ({
      capacity: { requests: { memory: draw.pick(['1Gi', '7Gi', '10Gi', '15Gi', '40Gi']) } },
    })),
  };
}

function toleration(draw: Draw): object {
  if (draw.chance(30)) return { operator: 'Exists' };
  const key = draw.pick(['broken', 'reserved']);
  return draw.chance(50)
    ? { key, operator: 'Exists', effect: draw.pick(['NoSchedule', 'NoExecute']) }
    : { key, operator: 'Equal', value: draw.pick(['x', 'y']) };
}
