import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalCluster, type LocalCluster } from '../../demo/cluster/local-cluster.js';
import { seedInference } from '../../demo/cluster/seed/inference-gpu.js';

/** The seeded incident in a local cluster, and a kubeconfig file for it. */
export interface LocalIncident {
  readonly cluster: LocalCluster;
  readonly kubeconfig: string;
  readonly folder: string;
  close(): Promise<void>;
}

export async function startLocalIncident(): Promise<LocalIncident> {
  const cluster = await createLocalCluster();
  await seedInference(cluster);
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-cli-'));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, cluster.kubeconfig());
  return {
    cluster,
    kubeconfig,
    folder,
    async close() {
      await cluster.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
