import { type Candidates, maxFileBytes } from './find-declaration.js';
import type { GitPlace, TreeEntry, TreeFile } from './git-target.js';
import type { KustomizationFile, KustomizeGraph, PatchEntry } from './kustomize/kustomization-file.js';
import {
  folderOf,
  graphOf,
  isRemote,
  readKustomization,
  resolvedPath,
  rootsBelow,
} from './kustomize/kustomization-file.js';
import { type GitRefusal, gitRefusal } from './refusal.js';

/** What must be read of a tree to find the declaration of a workload. */
export interface TreeReads {
  readonly type: 'reads';
  readonly graph: KustomizeGraph;
  /** Kustomizations that the owner builds, as far as the repository says. */
  readonly roots: readonly KustomizationFile[];
  /** Why Kustomize does not build a root, by its path. */
  readonly problems: ReadonlyMap<string, GitRefusal>;
  /** Files that a build reads. */
  readonly built: readonly TreeEntry[];
  /** Manifests that are applied as they are. */
  readonly plain: readonly TreeEntry[];
  /** Manifests beside a kustomization that does not list them: nothing applies them. */
  readonly unlisted: readonly TreeEntry[];
}

/** Files that one build may read, each as often as a kustomization lists it. */
const maxReads = 1_000;

/**
 * Which files of a tree may declare the workload: those that the builds of the place read, in whatever folder
 * they are, and those that no kustomization is responsible for.
 *
 * @param kustomizations all of the repository, with their texts
 */
export function treeReads(
  tree: readonly TreeEntry[],
  { path, readsOutside = false }: Pick<GitPlace, 'path' | 'readsOutside'>,
  candidates: Candidates,
  kustomizations: readonly TreeFile[],
): TreeReads | GitRefusal {
  const read = kustomizations.map((file) => ({ file, kustomization: readKustomization(file) }));
  const broken = read.find(({ kustomization }) => kustomization === undefined);
  if (broken !== undefined) return { ...gitRefusal('kustomize'), file: broken.file.path };
  const graph = graphOf(read.flatMap(({ kustomization }) => kustomization ?? []));
  const roots = new Set(rootsBelow(graph, path));
  // A file of the place may be listed by a kustomization outside it.
  for (const entry of candidates.entries) {
    const users = graph.usersOf(entry.path);
    const outermost = users.filter((user) =>
      graph.usersOf(user.path).every(({ path: at }) => at === user.path),
    );
    const isBuilt = users.some((user) => roots.has(user));
    if (!isBuilt) for (const user of outermost) roots.add(user);
  }
  const cyclic = graph.all.find((each) =>
    graph.resourcesOf(each).below.some((below) => graph.readBy(below).has(each.path)),
  );
  if (cyclic !== undefined) return { ...gitRefusal('kustomize'), file: cyclic.path };
  const repeated = [...roots].find((root) => graph.readsOf(root) > maxReads);
  if (repeated !== undefined) return { ...gitRefusal('too-many-files'), file: repeated.path };
  const paths = new Set([...roots].flatMap((root) => [...graph.readBy(root)]));
  // With the folders above: one of them may be a symbolic link or a submodule.
  const passed = new Set([...paths].flatMap((each) => [each, ...foldersAbove(each, '')]));
  const built: TreeEntry[] = [];
  for (const entry of tree) {
    if (!passed.has(entry.path)) continue;
    if (entry.mode === '120000') return { ...gitRefusal('symlink'), file: entry.path };
    if (entry.mode === '160000') return { ...gitRefusal('submodule'), file: entry.path };
    if (entry.mode === '040000') continue;
    if ((entry.size ?? 0) > maxFileBytes) return { ...gitRefusal('too-large'), file: entry.path };
    built.push(entry);
  }
  const files = new Set(tree.filter(({ mode }) => mode.startsWith('100')).map((entry) => entry.path));
  const folders = new Set(graph.all.map(({ folder }) => folder));
  const others = candidates.entries.filter((entry) => !paths.has(entry.path));
  const isResponsible = (entry: TreeEntry): boolean =>
    foldersAbove(entry.path, path).some((folder) => folders.has(folder));
  return {
    type: 'reads',
    graph,
    roots: [...roots],
    problems: new Map(
      [...roots].flatMap((root) => {
        const problem = treeProblem({ graph, paths: files, readsOutside }, root);
        return problem === undefined ? [] : [[root.path, problem] as const];
      }),
    ),
    built,
    plain: others.filter((entry) => !isResponsible(entry)),
    unlisted: others.filter(isResponsible),
  };
}

/** The folder of a file and those above it, as far as the place goes. */
function foldersAbove(file: string, place: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = folderOf(file); ; folder = folderOf(folder)) {
    folders.push(folder);
    if (folder === place || folder === '' || !folder.startsWith(place)) return folders;
  }
}

/** A tree as Kustomize finds it. */
interface BuildTree {
  readonly graph: KustomizeGraph;
  /** Of all files. */
  readonly paths: ReadonlySet<string>;
  /** Whether a kustomization may read files outside its folder, as Flux allows it. */
  readonly readsOutside: boolean;
}

/**
 * Why Kustomize refuses the files of a build, whatever is in them: what it lists does not exist or is outside
 * its folder, a base holds the folder that builds on it, or a patch has no text or two of them (kustomize
 * `fileloader.go`, `loadrestrictions.go`, `kusttarget.go`). For a graph without cycles.
 */
function treeProblem(
  tree: BuildTree,
  kustomization: KustomizationFile,
  passed: readonly string[] = [],
): GitRefusal | undefined {
  const { graph, paths, readsOutside } = tree;
  const { folder, path, content, patches } = kustomization;
  const refused = (detail: string): GitRefusal => ({
    ...gitRefusal('not-built'),
    file: path,
    detail: detail.slice(0, maxDetail),
  });
  const beside = graph.all.find((each) => each.folder === folder && each.path !== path);
  if (beside !== undefined) return refused(beside.path);
  if (content.kind !== undefined && content.kind !== 'Kustomization') return refused('kind');
  const { apiVersion } = content;
  if (apiVersion !== undefined && apiVersion !== 'kustomize.config.k8s.io/v1beta1')
    return refused('apiVersion');
  const isReadable = (file: string): boolean => paths.has(file) && (readsOutside || isWithin(folder, file));
  const open = [...passed, folder];
  const folders = new Map(graph.all.map((each) => [each.folder, each]));
  for (const entry of [...content.resources, ...content.bases]) {
    if (isRemote(entry)) continue;
    const resolved = resolvedPath(folder, entry);
    const base = folders.get(resolved);
    if (base === undefined ? !isReadable(resolved) : open.some((each) => isWithin(resolved, each))) {
      return refused(entry);
    }
    const below = base === undefined ? undefined : treeProblem(tree, base, open);
    if (below !== undefined) return below;
  }
  const patch = patches.find(
    (each) => !hasOneText(each) || (each.file !== undefined && !isReadable(each.file)),
  );
  if (patch !== undefined) return refused(patch.file ?? patch.list);
  const generated = [...content.configMapGenerator, ...content.secretGenerator].flatMap(
    ({ files, envs, env }) => [
      ...files.map((file) => file.slice(file.indexOf('=') + 1)),
      ...envs,
      ...(env ?? []),
    ],
  );
  const unread = generated.find((file) => !isReadable(resolvedPath(folder, file)));
  return unread === undefined ? undefined : refused(unread);
}

const maxDetail = 200;

function hasOneText({ file, inline }: PatchEntry): boolean {
  return (file === undefined) !== (inline === '');
}

function isWithin(folder: string, path: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}
