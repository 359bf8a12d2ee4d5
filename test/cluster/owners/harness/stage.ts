import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { V1Deployment } from '@kubernetes/client-node';
import { stringify } from 'yaml';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import type { Cluster } from '../../harness/cluster.js';
import type { Tool } from '../../harness/tools.js';
import { ensureTool, type ToolName } from '../../harness/tools.js';
import { deployment } from '../../incidents/incident.js';
import { mustRun, runTool, type ToolRun } from './run-tool.js';

/** One case in a namespace of its own: what the owner declares, and the programs to declare it with. */
export interface Stage {
  readonly cluster: Cluster;
  readonly workload: WorkloadRef;
  /** A folder of this case alone. */
  readonly folder: string;
  /** What the owner declares now. */
  manifest(): V1Deployment;
  declare(manifest: V1Deployment): void;
  /** Runs a tool as an administrator of the cluster. */
  run(tool: ToolName, args: readonly string[]): Promise<ToolRun>;
  /** The same for a command that must succeed; returns its output. */
  mustRun(tool: ToolName, args: readonly string[]): Promise<string>;
  /** Writes the manifest as YAML and returns the path. */
  writeManifest(name?: string): Promise<string>;
  read(): Promise<V1Deployment>;
  /** Removes the workload, so that its pods leave the nodes. */
  end(): Promise<void>;
}

/** Opens a stage whose owner declares `manifestIn(namespace)`. */
export async function openStage(
  cluster: Cluster,
  manifestIn: (namespace: string) => V1Deployment,
): Promise<Stage> {
  const namespace = await cluster.createNamespace('owned');
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-owner-'));
  let manifest = manifestIn(namespace);
  const workload = deployment(namespace, manifest.metadata?.name ?? '');
  const env = {
    KUBECONFIG: cluster.controlPlane.adminKubeconfig,
    HELM_CACHE_HOME: join(folder, 'helm-cache'),
    HELM_CONFIG_HOME: join(folder, 'helm-config'),
    HELM_DATA_HOME: join(folder, 'helm-data'),
    KUBECACHEDIR: join(folder, 'kubectl-cache'),
  };
  const fileOf = async (name: ToolName): Promise<Tool['file']> => (await ensureTool(name)).file;
  return {
    cluster,
    workload,
    folder,
    manifest: () => manifest,
    declare: (next) => {
      manifest = next;
    },
    run: async (tool, args) => runTool(await fileOf(tool), args, env),
    mustRun: async (tool, args) => mustRun(await fileOf(tool), args, env),
    async writeManifest(name = 'manifest.yaml') {
      const file = join(folder, name);
      await writeFile(file, stringify(manifest));
      return file;
    },
    read: () => cluster.read<V1Deployment>({ kind: 'Deployment', namespace, name: workload.name }),
    async end() {
      await cluster.remove({ kind: 'Deployment', namespace, name: workload.name });
      await rm(folder, { recursive: true, force: true });
    },
  };
}
