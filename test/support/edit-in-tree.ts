import type { FieldEdit } from '#src/doctor/git-edits/edit-manifest.js';
import { candidatesIn } from '#src/doctor/git-edits/find-declaration.js';
import { locateDeclaration } from '#src/doctor/git-edits/located.js';
import { treeReads } from '#src/doctor/git-edits/tree-reads.js';

export type Files = Readonly<Record<string, string>>;

export const workload = { kind: 'Deployment', namespace: 'shop', name: 'api' } as const;

/** The manifest of that workload. */
export const deployment = [
  'apiVersion: apps/v1',
  'kind: Deployment',
  'metadata:',
  '  name: api',
  'spec:',
  '  replicas: 1',
  '  template:',
  '    spec:',
  '      containers:',
  '        - {name: app, image: "registry.example/api:1"}',
  '',
].join('\n');

export const inPlace: readonly FieldEdit[] = [
  { path: ['spec', 'strategy', 'type'], value: 'RollingUpdate' },
  { path: ['spec', 'strategy', 'rollingUpdate', 'maxSurge'], value: 0 },
  { path: ['spec', 'strategy', 'rollingUpdate', 'maxUnavailable'], value: 1 },
];

/** The edit of a workload in a tree of files, as the use case makes it. */
export function editInTree(
  texts: Files,
  path: string,
  edits = inPlace,
  about: typeof workload = workload,
  readsOutside = false,
) {
  const located = locateInTree(texts, path, about, readsOutside);
  return located.type === 'refusal' ? located : located.edit(edits);
}

/** Where a tree of files declares a workload. */
export function locateInTree(
  texts: Files,
  path: string,
  about: typeof workload = workload,
  readsOutside = false,
) {
  const files = Object.entries(texts).map(([name, text]) => ({
    ...{ path: name, text: text.replace(/^-> /u, ''), sha: name, size: text.length },
    mode: text.startsWith('-> ') ? '120000' : '100644',
  }));
  const candidates = candidatesIn(files, { path });
  if (candidates.type === 'refusal') return candidates;
  const known = new Map(files.map((file) => [file.path, file]));
  const kustomizations = candidates.kustomizations.flatMap((entry) => known.get(entry.path) ?? []);
  const reads = treeReads(files, { path, readsOutside }, candidates, kustomizations);
  if (reads.type === 'refusal') return reads;
  return locateDeclaration(reads, known, about);
}
