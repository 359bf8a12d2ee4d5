import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureBinaries, ensureEtcd, layKubernetesModule } from './harness/binaries.js';
import { programs } from './harness/ensure-built.js';
import { findGo } from './harness/go-tool.js';
import { ensureTool, toolNames } from './harness/tools.js';

/**
 * `tsx test/cluster/build.ts [VERSION]` builds the programs of the cluster tier into the cache, with
 * `--nightly` those of the nightly tests, too, and prints what it built and what it reused.
 * `--write-recipe VERSION` writes the committed Go module for that release instead.
 */
async function writeRecipe(version: string): Promise<void> {
  const go = findGo();
  if (go === undefined) throw new Error('no Go was found on PATH');
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-recipe-'));
  try {
    await layKubernetesModule(go, folder, version);
    const recipe = fileURLToPath(new URL('./recipe/kubernetes/', import.meta.url));
    for (const file of ['go.mod', 'go.sum']) await cp(join(folder, file), join(recipe, file));
    const modules = (await readFile(join(recipe, 'go.sum'), 'utf8')).split('\n').length;
    console.log(`test/cluster/recipe/kubernetes now builds ${version} (${modules} checksums)`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'write-recipe': { type: 'string' }, nightly: { type: 'boolean' } },
});
if (values['write-recipe'] !== undefined) {
  await writeRecipe(values['write-recipe']);
} else {
  const binaries = await ensureBinaries(positionals[0] ?? process.env.KUBERNETES_VERSION);
  if (values.nightly) {
    await ensureEtcd('old');
    for (const name of toolNames) await ensureTool(name);
  }
  const built = [...programs.built].map(([name, seconds]) => `${name} (${Math.round(seconds)} s)`);
  console.log(`Built: ${built.join(', ') || 'nothing'}`);
  console.log(`Reused: ${[...programs.reused].join(', ') || 'nothing'}`);
  console.log(`Kubernetes ${binaries.kubernetesVersion} is ready: ${binaries.kubeApiserver}`);
}
