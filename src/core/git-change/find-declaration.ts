import type { WorkloadRef } from '../cluster/workload.js';
import { parseManifest, textAt } from './parse-manifest.js';
import { type GitRefusal, gitRefusal } from './refusal.js';

/** An entry of a Git tree. */
export interface TreeEntry {
  readonly path: string;
  /** `100644`, `100755`, `120000` (symlink), `160000` (submodule). */
  readonly mode: string;
  /** Of the blob. */
  readonly sha: string;
  readonly size: number | undefined;
}

export interface TreeFile extends TreeEntry {
  readonly text: string;
}

/** The one document that declares a workload. */
export interface Declaration {
  readonly type: 'declaration';
  readonly file: TreeFile;
  /** From 0. */
  readonly position: number;
  /** On which the document starts, from 1. */
  readonly line: number;
}

const maxFileBytes = 2 * 1024 * 1024;
const maxFiles = 300;
const kustomizationNames: ReadonlySet<string> = new Set([
  'kustomization.yaml',
  'kustomization.yml',
  'Kustomization',
]);

/** The entries below a path that may declare the workload, or why this tree cannot be changed. */
export function candidatesIn(
  tree: readonly TreeEntry[],
  path: string,
): { readonly type: 'candidates'; readonly entries: readonly TreeEntry[] } | GitRefusal {
  const within = tree.filter(
    (entry) => path === '' || entry.path === path || entry.path.startsWith(`${path}/`),
  );
  const submodule = within.find(({ mode }) => mode === '160000');
  if (submodule !== undefined) return { ...gitRefusal('submodule'), file: submodule.path };
  const kustomization = within.find((entry) => kustomizationNames.has(nameOf(entry)));
  if (kustomization !== undefined) return { ...gitRefusal('kustomize'), file: kustomization.path };
  const chart = within.find((entry) => nameOf(entry) === 'Chart.yaml');
  if (chart !== undefined) return { ...gitRefusal('template'), file: chart.path };
  const manifests = within.filter((entry) => /\.(?:yaml|yml|json)$/u.test(entry.path));
  const symlink = manifests.find(({ mode }) => mode === '120000');
  if (symlink !== undefined) return { ...gitRefusal('symlink'), file: symlink.path };
  const large = manifests.find(({ size = 0 }) => size > maxFileBytes);
  if (large !== undefined) return { ...gitRefusal('too-large'), file: large.path };
  if (manifests.length > maxFiles) return { ...gitRefusal('too-many-files'), file: path };
  return { type: 'candidates', entries: manifests };
}

/** The one document of these files that declares the workload. */
export function findDeclaration(
  files: readonly TreeFile[],
  { kind, namespace, name }: Omit<WorkloadRef, 'cluster'>,
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
        (textAt(document, ['apiVersion']) ?? '').startsWith('apps/') &&
        textAt(document, ['metadata', 'name']) === name &&
        (declared === undefined || declared === namespace);
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
function unsuitedText(text: string): GitRefusal | undefined {
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
