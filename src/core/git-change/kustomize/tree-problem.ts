import { type GitRefusal, gitRefusal } from '../refusal.js';
import { type KustomizationFile, type PatchEntry, resolvedPath } from './kustomization-file.js';
import { isRemote, type KustomizeGraph } from './kustomize-graph.js';

/** A tree as Kustomize finds it. */
export interface BuildTree {
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
export function treeProblem(
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
