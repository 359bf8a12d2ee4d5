import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalCluster } from '../../../demo/cluster/local-cluster.js';
import { type Cluster, openCluster } from './cluster.js';
import type { ControlPlane } from './control-plane.js';

/**
 * The demo's cluster with the interface of the real one, so that the same incidents can be reproduced in it.
 */
export async function openDemoCluster(): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-demo-'));
  const local = await createLocalCluster();
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, local.kubeconfig(), { mode: 0o600 });
  const notHere = (what: string): never => {
    throw new Error(`the demo's cluster has no ${what}`);
  };
  const controlPlane: ControlPlane = {
    version: '1.36.3',
    url: local.url,
    certificateAuthority: '',
    adminKubeconfig: kubeconfig,
    kubeconfigForToken: () => notHere('service account tokens'),
    crashLoops: () => [],
    setCrashLoops: () => notHere('crash loops by node'),
    stopComponent: () => notHere('crash loops by node'),
    audit: () => [],
    kubeletPort: 0,
    writePodLogs: () => notHere('pod logs of a kubelet'),
    pids: () => [],
    logs: () => '',
    stop: async () => {
      await local.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return openCluster(controlPlane, false);
}
