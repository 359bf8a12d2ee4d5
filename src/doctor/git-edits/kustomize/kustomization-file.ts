import { isMap, isScalar } from 'yaml';
import * as z from 'zod';
import type { TreeEntry, TreeFile } from '../git-target.js';
import { manifestAt, parseManifest } from '../parse-manifest.js';

const names: ReadonlySet<string> = new Set(['kustomization.yaml', 'kustomization.yml', 'Kustomization']);

export function isKustomization({ path }: Pick<TreeEntry, 'path'>): boolean {
  return names.has(path.slice(path.lastIndexOf('/') + 1));
}

/** Fields whose effect on a workload is modelled, and fields that do not change what a manifest declares. */
const modelled: ReadonlySet<string> = new Set([
  ...['apiVersion', 'kind', 'metadata', 'resources', 'bases', 'namespace', 'namePrefix', 'nameSuffix'],
  ...['patches', 'patchesStrategicMerge', 'patchesJson6902', 'images', 'replicas'],
  ...['labels', 'commonLabels', 'commonAnnotations', 'buildMetadata', 'sortOptions'],
  // Generated names replace references in the template; no field of a fix holds one.
  ...['configMapGenerator', 'secretGenerator', 'generatorOptions'],
]);

const list = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item)
    .nullish()
    .transform((items) => items ?? []);
const pairs = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((fields) => fields ?? {});

const Selector = z.strictObject({
  group: z.string().optional(),
  version: z.string().optional(),
  kind: z.string().optional(),
  name: z.string().optional(),
  namespace: z.string().optional(),
  labelSelector: z.string().optional(),
  annotationSelector: z.string().optional(),
});
/** Which objects a patch is for; each text is a regular expression of the whole value. */
export type Selector = z.output<typeof Selector>;

const PatchRef = z.looseObject({
  path: z.string().optional(),
  patch: z.string().optional(),
  target: Selector.optional(),
});

const Generator = z.looseObject({
  files: list(z.string()),
  envs: list(z.string()),
  env: z
    .string()
    .transform((file) => [file])
    .optional(),
});

const Content = z.looseObject({
  apiVersion: z.string().optional(),
  kind: z.string().optional(),
  resources: list(z.string()),
  bases: list(z.string()),
  components: list(z.string()),
  namespace: z.string().default(''),
  namePrefix: z.string().default(''),
  nameSuffix: z.string().default(''),
  patches: list(PatchRef),
  patchesJson6902: list(PatchRef),
  patchesStrategicMerge: list(z.string()),
  images: list(
    z.looseObject({
      name: z.string(),
      newName: z.string().optional(),
      newTag: z.coerce.string().optional(),
      digest: z.string().optional(),
    }),
  ),
  replicas: list(z.looseObject({ name: z.string(), count: z.number() })),
  labels: list(
    z.looseObject({
      pairs,
      includeSelectors: z.boolean().default(false),
      includeTemplates: z.boolean().default(false),
    }),
  ),
  commonLabels: pairs,
  commonAnnotations: pairs,
  configMapGenerator: list(Generator),
  secretGenerator: list(Generator),
});
export type KustomizationContent = z.output<typeof Content>;

/** One patch as a kustomization names it. */
export interface PatchEntry {
  readonly list: 'patches' | 'patchesStrategicMerge' | 'patchesJson6902';
  /** In its list, from 0. */
  readonly position: number;
  /**
   * The file that holds it, from the root of the repository; absent where the text stands in the
   * kustomization.
   */
  readonly file: string | undefined;
  readonly inline: string;
  readonly target: Selector | undefined;
}

export interface KustomizationFile extends TreeFile {
  readonly folder: string;
  readonly content: KustomizationContent;
  readonly patches: readonly PatchEntry[];
  /** The first field whose effect is not modelled, and its line. */
  readonly unmodelled: { readonly field: string; readonly line: number } | undefined;
}

/** `undefined` where the file is no kustomization that can be read. */
export function readKustomization(file: TreeFile): KustomizationFile | undefined {
  const content = Content.safeParse(manifestAt(file.text, 0)).data;
  if (content === undefined) return undefined;
  const folder = folderOf(file.path);
  return {
    ...file,
    folder,
    content,
    patches: patchesOf(folder, content),
    unmodelled: unmodelledIn(file.text),
  };
}

function patchesOf(folder: string, content: KustomizationContent): readonly PatchEntry[] {
  const merged = content.patchesStrategicMerge.map((text, position): PatchEntry => {
    const file = text.includes('\n') ? undefined : resolvedPath(folder, text);
    const inline = file === undefined ? text : '';
    return { list: 'patchesStrategicMerge', position, file, inline, target: undefined };
  });
  const listed = (['patches', 'patchesJson6902'] as const).flatMap((name) =>
    content[name].map(({ path, patch = '', target }, position): PatchEntry => {
      const file = path === undefined ? undefined : resolvedPath(folder, path);
      return { list: name, position, file, inline: patch, target };
    }),
  );
  return [...merged, ...listed];
}

function unmodelledIn(text: string): KustomizationFile['unmodelled'] {
  const parsed = parseManifest(text);
  const root = parsed.type === 'parsed' ? parsed.documents[0]?.contents : undefined;
  if (parsed.type !== 'parsed' || !isMap(root)) return undefined;
  for (const { key, value } of root.items) {
    if (!isScalar(key)) continue;
    const isEmpty = isScalar(value) ? value.value === null : isMap(value) && value.items.length === 0;
    const field = String(key.value);
    if (!modelled.has(field) && !isEmpty) return { field, line: parsed.lineAt(key.range?.[0] ?? 0) };
  }
  return undefined;
}

export function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

/**
 * A path of the repository from one that is relative to a folder. One that leaves the repository begins with
 * `..` or `/`, so that it is the path of no file in it.
 */
export function resolvedPath(folder: string, relative: string): string {
  if (relative.startsWith('/')) return relative;
  const parts: string[] = [];
  for (const part of `${folder}/${relative}`.split('/')) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
