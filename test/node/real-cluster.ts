import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { V1Node } from '@kubernetes/client-node';
import { ensureKubelet } from '../cluster/harness/binaries.js';
import { holdLock } from '../cluster/harness/build-lock.js';
import { type Cluster, startCluster } from '../cluster/harness/cluster.js';
import { preloadedImages, registryImage } from './machine/images.js';
import { keepMachineSettings, requireContainers } from './machine/machine-settings.js';
import { openNode, type RealNode } from './machine/real-node.js';
import { type Registry, startRegistry } from './machine/registry.js';

/** A real control plane with two real nodes and a registry. */
export interface RealCluster {
  readonly cluster: Cluster;
  readonly nodes: readonly [RealNode, RealNode];
  readonly registry: Registry;
  /** Ends everything, and puts back what it changed. */
  stop(): Promise<void>;
}

/**
 * Throws with one line where this machine cannot run containers. What a failed start began is ended as well.
 */
export async function startRealCluster(): Promise<RealCluster> {
  requireContainers();
  const kubelet = await ensureKubelet();
  // Ports and addresses of the nodes are fixed.
  const release = await holdLock(join(tmpdir(), 'rollout-doctor-nodes.lock'));
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-node-'));
  const restoreSettings = keepMachineSettings();
  const ends: (() => unknown)[] = [
    release,
    () => rmSync(folder, { recursive: true, force: true }),
    restoreSettings,
  ];
  const stop = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    const cluster = await startCluster({ kubelets: 'real' });
    ends.push(() => cluster.stop());
    const registry = await startRegistry(registryImage());
    ends.push(() => registry.stop());
    const images = preloadedImages();
    const start = async (name: string, index: number): Promise<RealNode> => {
      const kubeconfig = cluster.controlPlane.adminKubeconfig;
      const node = openNode({ name, index, folder: join(folder, name), kubelet, kubeconfig, images });
      ends.push(() => node.end());
      await node.start();
      return node;
    };
    const nodes = [await start('node-a', 0), await start('node-b', 1)] as const;
    await cluster.until<V1Node, true>({
      what: 'both nodes to be ready',
      selection: { kind: 'Node' },
      deadlineMilliseconds: 120_000,
      check: (all) => all.filter(isReady).length === nodes.length,
    });
    // The kubelets have set them by now.
    restoreSettings();
    return { cluster, nodes, registry, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function isReady({ status }: V1Node): boolean {
  return status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false;
}
