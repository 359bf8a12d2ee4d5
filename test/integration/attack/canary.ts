import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalCluster } from '../../../demo/cluster/local-cluster.js';
import { scenarios } from '../../support/faults-rig.js';

/** Names that only the vault may show. Nothing else in a test has names like them. */
export const canary = {
  namespace: 'qvault-space',
  workload: 'qvault-work',
  log: 'qvaultlogline',
} as const;

/** Loads a crashing workload with logs under these names into the cluster. */
export async function loadCanary(cluster: LocalCluster): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'canary-'));
  const renamed = (text: string) =>
    text
      .replaceAll('"shop"', `"${canary.namespace}"`)
      .replaceAll('shop_', `${canary.namespace}_`)
      .replaceAll('billing', canary.workload);
  try {
    await cp(join(scenarios, 'app-crash-with-log'), folder, { recursive: true });
    const objects = join(folder, 'objects.json');
    await writeFile(objects, renamed(await readFile(objects, 'utf8')));
    const logs = join(folder, 'logs');
    for (const file of await readdir(logs)) {
      const lines = (await readFile(join(logs, file), 'utf8')).trimEnd().split('\n');
      await writeFile(join(logs, file), lines.map((line) => `${line} ${canary.log}\n`).join(''));
      await rename(join(logs, file), join(logs, renamed(file)));
    }
    await cluster.loadRecording(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
