import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
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
  /** Name of the folder in `recipe`, and of the one in the cache, where version and content follow. */
  readonly name: string;
  readonly version: string;
  readonly packages: readonly string[];
  readonly linkerFlags: string;
  /** Build tags of Go, separated by commas. */
  readonly tags?: string;
  /** Writes go.mod and go.sum of a release that has no committed recipe. */
  readonly layModule?: (go: string, folder: string) => Promise<void>;
  /**
   * A module whose go.mod replaces others: that counts only in its own folder, so it is built there, from
   * exactly what its go.sum names.
   */
  readonly ownModule?: string;
  /**
   * Folders of modules that are kept beside the binaries, such as their CustomResourceDefinitions: the first
   * as `manifests`, each further one under the last word of its module.
   */
  readonly manifests?: readonly { readonly modulePath: string; readonly folder: string }[];
}

/**
 * Folders in the cache: what this process built, with the seconds that each took, and what it found there.
 */
export const programs = { built: new Map<string, number>(), reused: new Set<string>() };

/**
 * The folder with `bin`, built where the cache lacks it. Builds into a folder of its own and moves it into
 * place whole, so that a broken build is never used later. Its name contains what the recipe says, so a
 * changed recipe builds anew.
 */
export async function ensureBuilt(target: Target): Promise<string> {
  const flags = flagsOf(target);
  const name = `${target.name}-${target.version}-${await recipeDigest(target, flags)}`;
  const place = join(cacheFolder(), name);
  if (existsSync(place)) return found(name, place);
  return underLock(`${place}.lock`, async () => {
    if (existsSync(place)) return found(name, place);
    const started = performance.now();
    const go = requireGo();
    const work = `${place}.${process.pid}`;
    await rm(work, { recursive: true, force: true });
    await mkdir(join(work, 'bin'), { recursive: true });
    try {
      if (target.layModule !== undefined) await target.layModule(go, work);
      else await layRecipe(target.name, work);
      const source = target.ownModule === undefined ? work : await folderOf(go, work, target);
      await runGo(go, source, ['build', ...flags, '-o', `${join(work, 'bin')}/`, ...target.packages]);
      await keepManifests(go, { source, work }, target);
      await rename(work, place);
    } finally {
      await rm(work, { recursive: true, force: true });
    }
    programs.built.set(name, (performance.now() - started) / 1000);
    return place;
  });
}

function found(name: string, place: string): string {
  if (!programs.built.has(name)) programs.reused.add(name);
  return place;
}

const flagsOf = ({ tags, linkerFlags }: Target): readonly string[] => [
  '-mod=readonly',
  '-trimpath',
  // Nobody debugs these programs: without debug information the compiler needs 15 % less processor time.
  '-gcflags=all=-dwarf=false',
  ...(tags === undefined ? [] : [`-tags=${tags}`]),
  `-ldflags=${linkerFlags}`,
];

/**
 * The same for the same program: its modules, its source where the recipe has one, packages, flags and
 * manifests.
 */
async function recipeDigest(target: Target, flags: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(
    JSON.stringify([
      ...[flags, target.packages, target.manifests?.map(({ folder }) => folder).join(' ')],
      ...[process.arch, process.platform],
    ]),
  );
  if (target.layModule === undefined) {
    for (const file of await filesOfRecipe(target.name)) hash.update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 12);
}

const filesOfRecipe = async (recipe: string): Promise<readonly string[]> =>
  (await readdir(join(recipes, recipe))).sort().map((file) => join(recipes, recipe, file));

async function layRecipe(recipe: string, folder: string): Promise<void> {
  for (const file of await filesOfRecipe(recipe)) await cp(file, join(folder, basename(file)));
}

/** Go verifies what it downloads with the go.sum of the recipe. */
async function folderOf(go: string, work: string, { ownModule, version }: Target): Promise<string> {
  const answer = await askGo(go, work, ['mod', 'download', '-json', `${ownModule}@v${version}`]);
  return String((JSON.parse(answer) as { readonly Dir?: string }).Dir);
}

async function keepManifests(
  go: string,
  { source, work }: { readonly source: string; readonly work: string },
  { manifests = [] }: Target,
): Promise<void> {
  for (const [at, { modulePath, folder }] of manifests.entries()) {
    const module = await askGo(go, source, ['list', '-m', '-f', '{{.Dir}}', modulePath]);
    const place = join(work, at === 0 ? 'manifests' : basename(modulePath));
    await cp(join(module.trim(), folder), place, { recursive: true });
  }
}
