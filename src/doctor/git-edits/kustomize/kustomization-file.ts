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
