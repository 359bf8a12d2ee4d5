import { type KustomizationFile, resolvedPath } from './kustomization-file.js';

/** The kustomizations of a repository, and which ones build on which. */
export interface KustomizeGraph {
  readonly all: readonly KustomizationFile[];
  /** Folders of other kustomizations that one builds on, and files that it lists. */
  readonly resourcesOf: (kustomization: KustomizationFile) => {
    readonly below: readonly KustomizationFile[];
    readonly files: readonly string[];
  };
  /** Paths of all kustomizations, resources and patches that a build of this one reads. */
  readonly readBy: (kustomization: KustomizationFile) => ReadonlySet<string>;
  /**
   * How many files a build of this one reads, each as often as it is listed: kustomizations that list others
   * twice double it at each level. Only for a graph without cycles.
   */
  readonly readsOf: (kustomization: KustomizationFile) => number;
  /** Kustomizations whose build reads a file. */
  readonly usersOf: (path: string) => readonly KustomizationFile[];
}

export function graphOf(all: readonly KustomizationFile[]): KustomizeGraph {
  const byFolder = new Map(all.map((each) => [each.folder, each]));
  const known = new Map<string, ReadonlySet<string>>();
  const counts = new Map<string, number>();
  const resources = new Map<string, ReturnType<KustomizeGraph['resourcesOf']>>();

  function resourcesOf(kustomization: KustomizationFile) {
    const found = resources.get(kustomization.path) ?? resourcesIn(kustomization);
    resources.set(kustomization.path, found);
    return found;
  }

  function resourcesIn({ folder, content }: KustomizationFile) {
    const paths = [...content.resources, ...content.bases, ...content.components]
      .filter((entry) => !isRemote(entry))
      .map((entry) => resolvedPath(folder, entry));
    return {
      below: paths.flatMap((path) => byFolder.get(path) ?? []),
      files: paths.filter((path) => !byFolder.has(path)),
    };
  }

  function readBy(kustomization: KustomizationFile): ReadonlySet<string> {
    const cached = known.get(kustomization.path);
    if (cached !== undefined) return cached;
    const read = new Set<string>();
    const open = [kustomization];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (read.has(next.path)) continue;
      read.add(next.path);
      const { below, files } = resourcesOf(next);
      for (const path of files) read.add(path);
      for (const { file } of next.patches) if (file !== undefined) read.add(file);
      open.push(...below);
    }
    known.set(kustomization.path, read);
    return read;
  }

  function readsOf(kustomization: KustomizationFile): number {
    const counted = counts.get(kustomization.path);
    if (counted !== undefined) return counted;
    const { below, files } = resourcesOf(kustomization);
    const count = below.reduce((sum, each) => sum + readsOf(each), 1 + files.length);
    counts.set(kustomization.path, count);
    return count;
  }

  return {
    all,
    resourcesOf,
    readBy,
    readsOf,
    usersOf: (path) => all.filter((each) => readBy(each).has(path)),
  };
}

/** A resource in another repository, which is read-only here. */
export function isRemote(entry: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/|^git@|[?&]ref=|^github\.com\//u.test(entry);
}

/**
 * The kustomizations that an owner of this path builds: the one in the path itself, else those below it that
 * no other one below it builds on.
 */
export function rootsBelow({ all, resourcesOf }: KustomizeGraph, path: string): readonly KustomizationFile[] {
  const own = all.find(({ folder, path: file }) => folder === path || file === path);
  if (own !== undefined) return [own];
  const below = all.filter(({ folder }) => path === '' || folder.startsWith(`${path}/`));
  const used = new Set(below.flatMap((each) => resourcesOf(each).below.map(({ path: file }) => file)));
  return below.filter(({ path: file }) => !used.has(file));
}
