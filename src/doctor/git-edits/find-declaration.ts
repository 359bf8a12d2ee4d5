import { apiGroupOf } from '../../engine/objects/workload.js';
import type { GitPlace, TreeEntry, TreeFile } from './git-target.js';
import { isKustomization } from './kustomize/kustomization-file.js';
import { parseManifest, textAt } from './parse-manifest.js';
import { type GitRefusal, gitRefusal } from './refusal.js';

/** The one document that declares a workload. */
interface Declaration {
  readonly type: 'declaration';
  readonly file: TreeFile;
  /** From 0. */
  readonly position: number;
  /** On which the document starts, from 1. */
  readonly line: number;
}

/** A larger file is not read. */
export const maxFileBytes = 2 * 1024 * 1024;
const maxFiles = 300;
/** GitLab lists no sizes; most manifests are far smaller. */
const unknownBytes = 64 * 1024;
/** Of all candidates together: their texts are in memory at the same time. */
export const maxTotalBytes = 32 * 1024 * 1024;

/**
 * The entries of a place that may declare the workload, and all kustomizations of the repository; or why this
 * tree cannot be changed.
 */
export function candidatesIn(
  tree: readonly TreeEntry[],
  { path, isFlat = false }: Pick<GitPlace, 'path' | 'isFlat'>,
): Candidates | GitRefusal {
  const below = tree.filter(
    (entry) => path === '' || entry.path === path || entry.path.startsWith(`${path}/`),
  );
  const own = below.filter((entry) => !entry.path.slice(path === '' ? 0 : path.length + 1).includes('/'));
  // Kustomize reads what its file lists, in whatever folder.
  const within = isFlat && !own.some(isKustomization) ? own : below;
  const submodule = within.find(({ mode }) => mode === '160000');
  if (submodule !== undefined) return { ...gitRefusal('submodule'), file: submodule.path };
  const chart = within.find((entry) => nameOf(entry) === 'Chart.yaml');
  if (chart !== undefined) return { ...gitRefusal('template'), file: chart.path };
  const manifests = within.filter(
    ({ path: name, mode }) => mode !== '040000' && /\.(?:yaml|yml|json)$/u.test(name),
  );
  const symlink = manifests.find(({ mode }) => mode === '120000');
  if (symlink !== undefined) return { ...gitRefusal('symlink'), file: symlink.path };
  const large = manifests.find(({ size = 0 }) => size > maxFileBytes);
  if (large !== undefined) return { ...gitRefusal('too-large'), file: large.path };
  const kustomizations = tree.filter((entry) => isKustomization(entry) && entry.mode.startsWith('100'));
  const tooMany = tooLargeTogether(manifests, path) ?? tooLargeTogether(kustomizations, path);
  if (tooMany !== undefined) return tooMany;
  return {
    type: 'candidates',
    entries: manifests.filter((entry) => !isKustomization(entry)),
    kustomizations,
  };
}

/** Why these files are not read: there are too many, or they are too large together. */
export function tooLargeTogether(entries: readonly TreeEntry[], path: string): GitRefusal | undefined {
  const bytes = entries.reduce((sum, { size = unknownBytes }) => sum + size, 0);
  const isTooMany = bytes > maxTotalBytes || entries.length > maxFiles;
  return isTooMany ? { ...gitRefusal('too-many-files'), file: path } : undefined;
}

export interface Candidates {
  readonly type: 'candidates';
  readonly entries: readonly TreeEntry[];
  readonly kustomizations: readonly TreeEntry[];
}

/** An object that a tree may declare. */
export interface DeclaredObject {
  /** That of its kind for workloads. */
  readonly apiGroup?: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** The one document of these files that declares the object. */
export function findDeclaration(
  files: readonly TreeFile[],
  { kind, apiGroup = apiGroupOf(kind)[0], namespace, name }: DeclaredObject,
): Declaration | GitRefusal {
  const found: Declaration[] = [];
  for (const file of files) {
    if (!file.text.includes(name) || !file.text.includes(kind)) continue;
    const unsuited = unsuitedText(file.text);
    if (unsuited !== undefined) return { ...unsuited, file: file.path };
    const parsed = parseManifest(file.text);
    if (parsed.type === 'refusal') return { ...parsed, file: file.path };
    for (const [position, document] of parsed.documents.entries()) {
      const declared = textAt(document, ['metadata', 'namespace']);
      const isSame =
        textAt(document, ['kind']) === kind &&
        (textAt(document, ['apiVersion']) ?? '').startsWith(`${apiGroup}/`) &&
        textAt(document, ['metadata', 'name']) === name &&
        (declared === namespace || (document.getIn(['metadata', 'namespace']) ?? undefined) === undefined);
      const start = document.contents?.range[0] ?? 0;
      if (isSame) found.push({ type: 'declaration', file, position, line: parsed.lineAt(start) });
    }
  }
  const [only, second] = found;
  if (only === undefined) return gitRefusal('not-declared');
  if (second !== undefined) {
    return { ...gitRefusal('declared-twice', second.line), file: second.file.path };
  }
  return only;
}

/** A text that parses as YAML and is written or read by something else. */
export function unsuitedText(text: string): GitRefusal | undefined {
  const lineOf = (at: number): number => text.slice(0, at).split('\n').length;
  const template = text.indexOf('{{');
  if (template !== -1) return gitRefusal('template', lineOf(template));
  const encrypted = text.search(/^sops:/mu);
  if (encrypted !== -1) return gitRefusal('encrypted', lineOf(encrypted));
  const generated = text.search(/^#.*(?:code generated|do not edit)/imu);
  return generated === -1 ? undefined : gitRefusal('generated', lineOf(generated));
}

function nameOf({ path }: TreeEntry): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
