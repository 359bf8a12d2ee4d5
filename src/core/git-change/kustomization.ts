import { z } from 'zod';
import { manifestAt } from './parse-manifest.js';
import { type GitRefusal, gitRefusal } from './refusal.js';
import type { TreeEntry, TreeFile } from './tree-file.js';

const names: ReadonlySet<string> = new Set(['kustomization.yaml', 'kustomization.yml', 'Kustomization']);

/** Fields that leave the fields of our fixes as the resource declares them. */
const harmless: ReadonlySet<string> = new Set([
  ...['apiVersion', 'kind', 'metadata', 'resources', 'namespace', 'images', 'replicas', 'labels'],
  ...['commonLabels', 'commonAnnotations', 'configMapGenerator', 'secretGenerator', 'generatorOptions'],
  ...['buildMetadata', 'sortOptions'],
]);

const Kustomization = z.looseObject({
  resources: z.array(z.string()).default([]),
  bases: z.array(z.string()).default([]),
  components: z.array(z.string()).default([]),
  namespace: z.string().optional(),
});

export function isKustomization({ path }: Pick<TreeEntry, 'path'>): boolean {
  return names.has(path.slice(path.lastIndexOf('/') + 1));
}

/**
 * Why the manifest that a Kustomize build reads must not be edited; `undefined` where one kustomization lists the file,
 * leaves its fields as they are, and no other one builds on it.
 *
 * @param about.below the path that is applied: with a kustomization in it, only what a kustomization lists is applied
 * @param kustomizations all of the repository
 */
export function kustomizeRefusal(
  { file, below, namespace }: { readonly file: string; readonly below: string; readonly namespace: string },
  kustomizations: readonly TreeFile[],
): GitRefusal | undefined {
  const parsed = kustomizations.map((each) => ({
    path: each.path,
    folder: folderOf(each.path),
    content: Kustomization.safeParse(manifestAt(each.text, 0)).data,
  }));
  const refused = (reason: GitRefusal['reason'], path: string): GitRefusal => ({
    ...gitRefusal(reason),
    file: path,
  });
  const unread = parsed.find(({ content }) => content === undefined);
  if (unread !== undefined) return refused('kustomize', unread.path);
  const referring = (path: string) =>
    parsed.filter(({ folder, content }) =>
      [...(content?.resources ?? []), ...(content?.bases ?? []), ...(content?.components ?? [])].some(
        (each) => resolved(folder, each) === path,
      ),
    );
  const [lists, second] = referring(file);
  if (lists === undefined) {
    const isBuilt = parsed.some(({ path }) => below === '' || path.startsWith(`${below}/`));
    return isBuilt ? refused('kustomize', file) : undefined;
  }
  if (second !== undefined) return refused('shared-base', second.path);
  const { content, folder, path } = lists;
  const changing = Object.keys(content ?? {}).find((key) => !harmless.has(key) && !isEmpty(content?.[key]));
  if (changing !== undefined) return refused('kustomize', path);
  if (content?.namespace !== undefined && content.namespace !== namespace) return refused('kustomize', path);
  const [above] = referring(folder);
  return above === undefined ? undefined : refused('shared-base', above.path);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

/** A path of the repository from one that is relative to a folder. */
function resolved(folder: string, relative: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${relative}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
