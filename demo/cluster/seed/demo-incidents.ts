import type { LocalCluster } from '../local-cluster.js';
import { apiOnABadNode } from './api-on-a-bad-node.js';
import { type IncidentSeed, seedIncidents } from './incident-seed.js';
import { inferenceGpu } from './inference-gpu.js';
import { checkoutAfterARollout, workerWithoutAnImage } from './shop-incidents.js';

/** What `npm run demo` shows, in the order to try it. */
export const demoIncidents: readonly IncidentSeed[] = [
  inferenceGpu,
  apiOnABadNode,
  checkoutAfterARollout,
  workerWithoutAnImage,
];

export async function seedDemo(cluster: LocalCluster): Promise<void> {
  await seedIncidents(cluster, demoIncidents);
}

/** What to type for an incident. */
export function commandFor({ workload }: IncidentSeed): string {
  return `/rollout-doctor ${workload}`;
}
