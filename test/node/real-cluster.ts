import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { V1Node } from '@kubernetes/client-node';
import { ensureKubelet } from '../cluster/harness/binaries.js';
import { type Cluster, startCluster } from '../cluster/harness/cluster.js';
import { preloadedImages, registryImage } from './machine/images.js';
import { keepMachineSettings, requireContainers } from './machine/machine-settings.js';
import { type RealNode, startNode } from './machine/real-node.js';
import { type Registry, startRegistry } from './machine/registry.js';

/** A real control plane with two real nodes and a registry. */
export interface RealCluster {
  readonly cluster: Cluster;
  readonly nodes: readonly [RealNode, RealNode];
  readonly registry: Registry;
  /** Ends everything, and puts back what it changed. */
  stop(): Promise<void>;
}

/** Throws with one line where this machine cannot run containers. */
export async function startRealCluster(): Promise<RealCluster> {
  requireContainers();
  const restoreSettings = keepMachineSettings();
  const kubelet = await ensureKubelet();
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-node-'));
  const cluster = await startCluster({ kubelets: 'real' });
  const registry = await startRegistry(registryImage());
  const images = preloadedImages();
  const start = (name: string, index: number): Promise<RealNode> =>
    startNode({
      name,
      index,
      folder: join(folder, name),
      kubelet,
      kubeconfig: cluster.controlPlane.adminKubeconfig,
      images,
    });
  const nodes = [await start('node-a', 0), await start('node-b', 1)] as const;
  const stop = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.end()));
    await registry.stop();
    await cluster.stop();
    restoreSettings();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await cluster.until<V1Node, true>({
      what: 'both nodes to be ready',
      selection: { kind: 'Node' },
      deadlineMilliseconds: 120_000,
      check: (all) => all.filter(isReady).length === nodes.length,
    });
  } catch (error) {
    const logs = nodes.map((node) => node.logs()).join('\n');
    await stop();
    throw new Error(`${String(error)}\n${logs}`);
  }
  // The kubelets have set them by now.
  restoreSettings();
  return { cluster, nodes, registry, stop };
}

function isReady({ status }: V1Node): boolean {
  return status?.conditions?.some((each) => each.type === 'Ready' && each.status === 'True') ?? false;
}
