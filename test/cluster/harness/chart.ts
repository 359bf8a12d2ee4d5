import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { KubernetesObject } from '@kubernetes/client-node';
import { parseAllDocuments } from 'yaml';
import { ensureTool } from './tools.js';

/** The folder of the chart. */
export const chart = fileURLToPath(new URL('../../../deploy/chart', import.meta.url));

/** A real Helm, which is built when `prepare` runs. */
export function helmOf(tool: 'helm-3' | 'helm-4') {
  let file = '';
  const helm = (...args: string[]): SpawnSyncReturns<string> => spawnSync(file, args, { encoding: 'utf8' });
  return {
    helm,
    async prepare(): Promise<void> {
      ({ file } = await ensureTool(tool));
    },
    /**
     * The objects of a release in the namespace `rollout-doctor`.
     *
     * @throws what Helm printed when it refused the values
     */
    render(options: readonly string[], from = chart): KubernetesObject[] {
      const { stdout, stderr, status } = helm('template', 'doctor', from, '-n', 'rollout-doctor', ...options);
      if (status !== 0) throw new Error(stderr);
      return parseAllDocuments(stdout)
        .map((document): KubernetesObject | null => document.toJS())
        .filter((object) => object !== null);
    },
  };
}
