import type { LocalCluster } from '../local-cluster.js';
import {
  changeContainers,
  create,
  dayMinutes,
  deploymentObject,
  type IncidentSeed,
  namespaceObject,
  seedIncidents,
} from './incident-seed.js';

const inference = { namespace: 'ml', name: 'inference' } as const;

/**
 * Deployment `ml/inference` with one replica and the default strategy, on a cluster with one GPU. Its image
 * was changed 25 minutes ago; the new pod waits for the GPU that the old one holds, and the old one stays
 * until the new one is ready. It runs for three days already when that happens.
 */
export const inferenceGpu: IncidentSeed = {
  workload: 'deploy/inference -n ml',
  nodes: [
    { name: 'cpu-a', number: 11, cpu: '8', memory: '32Gi' },
    { name: 'cpu-b', number: 12, cpu: '8', memory: '32Gi' },
    {
      name: 'gpu-a',
      number: 21,
      cpu: '16',
      memory: '64Gi',
      extended: { 'nvidia.com/gpu': '1' },
      labels: { 'node.example/pool': 'gpu', 'nvidia.com/gpu.product': 'NVIDIA-A100-SXM4-40GB' },
    },
  ],
  conduct: [],
  steps: [
    {
      minutesAgo: 3 * dayMinutes,
      happens(registry) {
        create(registry, namespaceObject('ml'));
        const container = {
          name: 'server',
          image: 'registry.example/ml/inference:1.4.2',
          ports: [{ name: 'http', containerPort: 8080 }],
          resources: {
            requests: { cpu: '2', memory: '8Gi' },
            limits: { memory: '8Gi', 'nvidia.com/gpu': '1' },
          },
        };
        create(registry, deploymentObject(inference, 1, container));
      },
    },
    {
      minutesAgo: 25,
      happens(registry) {
        changeContainers(registry, inference.namespace, inference.name, (container) => {
          container.image = 'registry.example/ml/inference:1.5.0';
        });
      },
    },
  ],
};

/** The demo's first incident alone. */
export async function seedInference(cluster: LocalCluster): Promise<void> {
  await seedIncidents(cluster, [inferenceGpu]);
}
