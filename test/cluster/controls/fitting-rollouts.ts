import type { V1PodSpec } from '@kubernetes/client-node';
import type { NodeOptions } from '../harness/node-manifest.js';
import type { DeploymentOptions } from '../incidents/deployment-manifest.js';
import type { Control } from './control.js';
import { fitting } from './fitting.js';

const label = { matchLabels: { app: 'web' } };
const hostname = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';
const named = (...names: readonly string[]): readonly NodeOptions[] => names.map((name) => ({ name }));
const zoned = (...zones: readonly string[]): readonly NodeOptions[] =>
  zones.map((one) => ({ name: `zone-${one}-1`, labels: { [zone]: one } }));
const shun = { labelSelector: label, topologyKey: hostname };
const apart: Partial<V1PodSpec> = {
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [shun] } },
};
const rather: Partial<V1PodSpec> = {
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: shun }],
    },
  },
};
const spread = (topologyKey: string, whenUnsatisfiable: string, maxSkew = 1): Partial<V1PodSpec> => ({
  topologySpreadConstraints: [{ maxSkew, topologyKey, whenUnsatisfiable, labelSelector: label }],
});
const port: Partial<DeploymentOptions> = { container: { ports: [{ containerPort: 8443, hostPort: 443 }] } };
const gpu: Partial<DeploymentOptions> = { requests: { 'nvidia.com/gpu': '1' } };
const gpuNode = (name: string, count = '1', rest: Partial<NodeOptions> = {}): NodeOptions => ({
  name,
  allocatable: { 'nvidia.com/gpu': count },
  ...rest,
});
const small = (allocatable: Readonly<Record<string, string>>): readonly NodeOptions[] => [
  { name: 'n-a', allocatable },
];
const batch = { key: 'dedicated', value: 'batch', effect: 'NoSchedule' };

/** Rollouts whose surge pods find a node, for every reason to find none. */
export const fittingRollouts: readonly Control[] = [
  fitting({
    id: 'port-free-on-a-third-node',
    title: 'two replicas bind a host port, and the surge pod found the third node',
    resembles: 'surge-deadlock',
    nodes: named('edge-a', 'edge-b', 'edge-c'),
    options: { replicas: 2, ...port },
    at: 'complete',
  }),
  fitting({
    id: 'port-on-the-last-node-starting',
    title: 'the surge pod took the host port of the last free node and is starting',
    resembles: 'surge-deadlock',
    nodes: named('edge-a', 'edge-b'),
    options: port,
    at: 1,
  }),
  fitting({
    id: 'same-port-on-two-addresses',
    title: 'the port is bound on one address of the only node, and the pods of the workload go in turn',
    resembles: 'surge-deadlock',
    nodes: named('edge-a'),
    options: {
      container: { ports: [{ containerPort: 8443, hostPort: 443, hostIP: '10.0.0.1' }] },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
    },
    at: 'complete',
  }),
  fitting({
    id: 'anti-affinity-with-a-spare-node',
    title: 'three replicas with anti-affinity to each other, on four nodes: the fourth runs the surge pod',
    resembles: 'surge-deadlock',
    nodes: named('n-a', 'n-b', 'n-c', 'n-d'),
    options: { replicas: 3, pod: apart },
    at: 1,
  }),
  fitting({
    id: 'anti-affinity-only-preferred',
    title: 'three replicas with preferred anti-affinity share two nodes',
    resembles: 'surge-deadlock',
    nodes: named('n-a', 'n-b'),
    options: { replicas: 3, pod: rather },
    at: 'complete',
  }),
  fitting({
    id: 'spread-within-its-skew',
    title: 'three replicas in two zones, one zone ahead by the one pod that maxSkew allows',
    resembles: 'surge-deadlock',
    nodes: zoned('a', 'b'),
    options: { replicas: 3, pod: spread(zone, 'DoNotSchedule') },
    at: 'complete',
  }),
  fitting({
    id: 'spread-violated-on-purpose',
    title: 'a spread that is only preferred (ScheduleAnyway), violated while the other zone is tainted',
    resembles: 'surge-deadlock',
    nodes: [
      { name: 'zone-a-1', labels: { [zone]: 'a' } },
      { name: 'zone-b-1', labels: { [zone]: 'b' }, taints: [batch] },
    ],
    options: { replicas: 3, pod: spread(zone, 'ScheduleAnyway') },
    at: 'complete',
  }),
  fitting({
    id: 'spread-counts-its-revision-only',
    title: 'matchLabelKeys lets each revision spread for itself: old and new share both nodes',
    resembles: 'surge-deadlock',
    nodes: named('n-a', 'n-b'),
    options: {
      replicas: 2,
      pod: {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: hostname,
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: label,
            matchLabelKeys: ['pod-template-hash'],
          },
        ],
      },
    },
    at: 1,
  }),
  fitting({
    id: 'gpu-to-spare',
    title: 'a second GPU on another node takes the surge pod, which is starting',
    resembles: 'surge-deadlock',
    nodes: [gpuNode('gpu-a'), gpuNode('gpu-b'), { name: 'cpu-a' }],
    options: gpu,
    at: 1,
  }),
  fitting({
    id: 'both-gpus-of-one-node',
    title: 'the node has two GPUs, and the rollout completed on it',
    resembles: 'surge-deadlock',
    nodes: [gpuNode('gpu-a', '2'), { name: 'cpu-a' }],
    options: gpu,
    at: 'complete',
  }),
  fitting({
    id: 'tolerates-the-gpu-taint',
    title: 'every GPU node is tainted, and the template tolerates it',
    resembles: 'unsatisfiable-placement',
    nodes: [gpuNode('gpu-a', '2', { taints: [batch] }), { name: 'cpu-a' }],
    options: { ...gpu, pod: { tolerations: [{ key: 'dedicated', operator: 'Exists' }] } },
    at: 'complete',
  }),
  fitting({
    id: 'one-node-is-closed',
    title: 'one of three nodes is cordoned and one tainted; the third runs all pods',
    resembles: 'node-cordoned',
    nodes: [{ name: 'n-a', unschedulable: true }, { name: 'n-b', taints: [batch] }, { name: 'n-c' }],
    options: { replicas: 3 },
    at: 'complete',
  }),
  fitting({
    id: 'cpu-full-to-the-last-core',
    title: 'old and surge pod together request all four cores of the node',
    resembles: 'surge-deadlock',
    nodes: small({ cpu: '4' }),
    options: { requests: { cpu: '2' } },
    at: 1,
  }),
  fitting({
    id: 'memory-full-to-the-last-byte',
    title: 'old and surge pods together request the whole memory of the node',
    resembles: 'insufficient-capacity',
    nodes: small({ memory: '6Gi' }),
    options: { replicas: 2, requests: { memory: '2Gi' } },
    at: 1,
  }),
  fitting({
    id: 'scratch-space-to-spare',
    title: 'two pods of 40Gi scratch space fit on the disk of 100Gi',
    resembles: 'surge-deadlock',
    nodes: named('n-a'),
    options: { requests: { 'ephemeral-storage': '40Gi' } },
    at: 'complete',
  }),
  fitting({
    id: 'last-pod-slot',
    title: 'the surge pod has taken the last pod slot of the node and is starting',
    resembles: 'surge-deadlock',
    nodes: small({ pods: '3' }),
    options: { replicas: 2 },
    at: 1,
  }),
  fitting({
    id: 'selector-moves-within-the-pool',
    title: 'the workload may use one pool of two, and its pool has room',
    resembles: 'unsatisfiable-placement',
    nodes: [{ name: 'pool-a', labels: { pool: 'data' } }, { name: 'other-a' }],
    options: { replicas: 2, pod: { nodeSelector: { pool: 'data' } } },
    at: 1,
  }),
];
