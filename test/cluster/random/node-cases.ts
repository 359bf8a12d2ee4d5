import type { V1Node } from '@kubernetes/client-node';
import type { Draw } from './draw.js';
import { effects, nodeLabel, taintKeys, zones } from './vocabulary.js';

/** Between one and six nodes, each with a name that no other case uses. */
export function randomNodes(draw: Draw, prefix: string): V1Node[] {
  return draw.some(1, 6, (index) => randomNode(draw, `${prefix}-n${index}`));
}

function randomNode(draw: Draw, name: string): V1Node {
  const allocatable = {
    cpu: draw.pick(['2', '4', '3500m', '8', '4e0']),
    memory: draw.pick(['2Gi', '4Gi', '3e9', '8Gi', '4194304Ki']),
    'ephemeral-storage': draw.pick(['1Gi', '10Gi', '5G']),
    pods: draw.pick(['110', '110', '5', '4', '3']),
    ...draw.maybe(50, () => ({ 'nvidia.com/gpu': draw.pick(['0', '1', '2', '4']) })),
    ...draw.maybe(30, () => ({ 'example.com/dongle': '3' })),
    ...draw.maybe(30, () => ({ 'hugepages-2Mi': '8Mi' })),
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: {
        ...nodeLabel,
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        ...draw.maybe(85, () => ({ 'topology.kubernetes.io/zone': draw.pick(zones) })),
        ...draw.maybe(60, () => ({ rack: draw.pick(['r1', 'r2']) })),
        ...draw.maybe(60, () => ({ disk: draw.pick(['ssd', 'hdd']) })),
        ...draw.maybe(50, () => ({ cores: draw.pick(['4', '8', '16', 'many', '007']) })),
      },
    },
    spec: {
      ...draw.maybe(25, () => ({
        taints: [{ key: draw.pick(taintKeys), value: draw.pick(['a', 'b']), effect: draw.pick(effects) }],
      })),
      ...draw.maybe(10, () => ({ unschedulable: true })),
    },
    status: { allocatable, capacity: allocatable, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}
