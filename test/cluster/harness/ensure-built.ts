import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { underLock } from './build-lock.js';
import { askGo, findGo, runGo } from './go-tool.js';
import { requiredVersion } from './recipe.js';

const recipes = fileURLToPath(new URL('../recipe/', import.meta.url));

/** Built binaries are kept outside the repository, so that a fresh clone builds nothing again. */
function cacheFolder(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'rollout-doctor', 'control-plane');
}

/** The version of a module that a committed recipe builds, without the `v`. */
export async function recipeVersion(recipe: string, modulePath: string): Promise<string> {
  const version = requiredVersion(await readFile(join(recipes, recipe, 'go.mod'), 'utf8'), modulePath);
  if (version === undefined)
    throw new Error(`test/cluster/recipe/${recipe}/go.mod does not require ${modulePath}`);
  return version;
}

export function requireGo(): string {
  const go = findGo();
  if (go === undefined)
    throw new Error('the programs of the cluster tests have to be built once, and no Go was found on PATH');
  return go;
}

interface Target {
  /** Name of the folder in the cache; holds the version. */
  readonly name: string;
  readonly packages: readonly string[];
  readonly linkerFlags: string;
  /** Build tags of Go, separated by commas. */
  readonly tags?: string;
  /** Copies go.mod and go.sum into the build folder, and main.go where the recipe has one. */
  readonly layModule: (go: string, folder: string) => Promise<void>;
  /** A folder of a module that is kept as `manifests` beside the binaries, such as its CustomResourceDefinitions. */
  readonly manifests?: { readonly modulePath: string; readonly folder: string };
}

/**
 * The folder with `bin`, built where the cache lacks it. Builds into a folder of its own and moves it into place whole,
 * so that a broken build is never used later.
 */
export async function ensureBuilt(target: Target): Promise<string> {
  const place = join(cacheFolder(), target.name);
  if (existsSync(place)) return place;
  return underLock(`${place}.lock`, async () => {
    if (existsSync(place)) return place;
    const go = requireGo();
    const work = `${place}.${process.pid}`;
    await rm(work, { recursive: true, force: true });
    await mkdir(join(work, 'bin'), { recursive: true });
    try {
      await target.layModule(go, work);
      const tags = target.tags === undefined ? [] : [`-tags=${target.tags}`];
      const flags = ['-mod=readonly', '-trimpath', ...tags, `-ldflags=${target.linkerFlags}`];
      await runGo(go, work, ['build', ...flags, '-o', `${join(work, 'bin')}/`, ...target.packages]);
      await keepManifests(go, work, target);
      await rename(work, place);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
    return place;
  });
}

async function keepManifests(go: string, work: string, { manifests }: Target): Promise<void> {
  if (manifests === undefined) return;
  const folder = await askGo(go, work, ['list', '-m', '-f', '{{.Dir}}', manifests.modulePath]);
  await cp(join(folder.trim(), manifests.folder), join(work, 'manifests'), { recursive: true });
}

export const layRecipe =
  (recipe: string) =>
  async (_go: string, folder: string): Promise<void> => {
    for (const file of ['go.mod', 'go.sum']) await cp(join(recipes, recipe, file), join(folder, file));
    const main = join(recipes, recipe, 'main.go');
    if (existsSync(main)) await cp(main, join(folder, 'main.go'));
  };
