import { create, deploymentObject, type IncidentSeed, namespaceObject } from './incident-seed.js';
import type { NodeShape } from './nodes.js';

const pool = { 'node.example/pool': 'api' } as const;

function apiNode(
  name: string,
  number: number,
  system: Pick<NodeShape, 'kernelVersion' | 'labels'> = {},
): NodeShape {
  const labels = { ...pool, 'node.example/image': '2026-10-02', ...system.labels };
  return { name, number, cpu: '8', memory: '32Gi', ...system, labels };
}

/**
 * Deployment `ml/api`: nine pods on three nodes, of which one got another node image with a kernel that
 * forbids what the program begins with. Its pods crash there, and run on the other two, which have room for
 * all nine.
 */
export const apiOnABadNode: IncidentSeed = {
  workload: 'deploy/api -n ml',
  nodes: [
    apiNode('api-a', 31),
    apiNode('api-b', 32),
    apiNode('api-c', 33, {
      kernelVersion: '6.12.0-5-amd64',
      labels: { 'node.example/image': '2026-11-18' },
    }),
  ],
  conduct: [
    {
      image: 'registry.example/ml/api:',
      nodes: ['api-c'],
      ready: false,
      log: 'level=info msg="starting" version=3.2.0\n',
      crash: {
        afterMs: 2_000,
        exitCode: 1,
        log: 'level=fatal msg="io_uring_setup: operation not permitted" hint="kernel.io_uring_disabled=2"\n',
      },
    },
    { image: 'registry.example/ml/api:', log: 'level=info msg="serving" version=3.2.0 port=8080\n' },
  ],
  steps: [
    {
      minutesAgo: 70,
      happens(registry) {
        create(registry, namespaceObject('ml'));
        const container = {
          name: 'api',
          image: 'registry.example/ml/api:3.2.0',
          ports: [{ name: 'http', containerPort: 8080 }],
          readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
          resources: { requests: { cpu: '1', memory: '2Gi' }, limits: { memory: '2Gi' } },
        };
        create(
          registry,
          deploymentObject({ namespace: 'ml', name: 'api' }, 9, container, { nodeSelector: pool }),
        );
      },
    },
  ],
};
