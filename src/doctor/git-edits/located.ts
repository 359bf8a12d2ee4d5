import type { JsonObject } from '../../engine/objects/wire.js';
import { apiGroupOf } from '../../engine/objects/workload.js';
import { canonicalJson } from '../fixes/plan.js';
import type { FieldEdit } from './edit-manifest.js';
import { type DocumentText, type Edited, editManifest, restoreField } from './edit-manifest.js';
import { type DeclaredObject, findDeclaration, unsuitedText } from './find-declaration.js';
import type { GitEdit, TreeFile } from './git-target.js';
import type { BuiltObject, ReadData } from './kustomize/build.js';
import { builtObjects, createReadData, valuesOf } from './kustomize/build.js';
import { type BuildSubject, type EditedBuild, editInBuild } from './kustomize/edit-in-build.js';
import type { KustomizationFile } from './kustomize/kustomization-file.js';
import { restoreTemplateInBuild } from './kustomize/restore-in-build.js';
import type { DiffLine } from './line-diff.js';
import { manifestAt } from './parse-manifest.js';
import { type GitRefusal, gitRefusal } from './refusal.js';
import type { TreeReads } from './tree-reads.js';

/** A workload that a tree declares in one place, and the edit of what declares it. */
export interface Located {
  readonly type: 'located';
  /** That declares it. */
  readonly file: TreeFile;
  readonly line: number;
  /** The same for two trees that declare the workload by the same texts. */
  readonly fingerprint: string;
  /** The workload as the tree declares it. */
  readonly values: JsonObject;
  /** Files whose earlier versions may have declared it otherwise, the most likely one first. */
  readonly sources: readonly string[];
  readonly origin:
    | { readonly type: 'plain'; readonly document: DocumentText }
    | { readonly type: 'built'; readonly subject: BuildSubject }
    | { readonly type: 'chart' };
  readonly edit: (edits: readonly FieldEdit[]) => LocatedEdit | GitRefusal;
  /** Gives the pod template back the form that it had in an earlier tree. */
  readonly restoreTemplate: (earlier: Located) => LocatedEdit | GitRefusal;
}

const templatePath = ['spec', 'template'] as const;

export interface LocatedEdit {
  readonly type: 'edited';
  readonly file: TreeFile;
  readonly line: number;
  readonly text: string;
  readonly diff: readonly DiffLine[];
  /** The workload as the changed tree declares it. */
  readonly manifest: JsonObject;
  /** Of a value of a chart. */
  readonly value?: Omit<NonNullable<GitEdit['value']>, 'users'>;
}

/**
 * The one declaration of an object, in a manifest that is applied as it is or in a Kustomize build.
 *
 * @param files of `reads`, with the kustomizations
 */
export function locateDeclaration(
  reads: TreeReads,
  files: ReadonlyMap<string, TreeFile>,
  workload: DeclaredObject,
): Located | GitRefusal {
  const plain = reads.plain.flatMap(({ path }) => files.get(path) ?? []);
  const found = findDeclaration(plain, workload);
  if (found.type === 'refusal' && found.reason !== 'not-declared') return found;
  const texts = new Map([...files].map(([path, { text }]) => [path, text]));
  const readData = createReadData();
  const built = reads.roots.map((root) => ({
    root,
    ...builtObjects(reads.graph, root, { texts, readData }),
  }));
  const matches = built.flatMap(({ root, objects }) =>
    objects.filter((object) => isOf(object, workload)).map((object) => ({ root, object })),
  );
  const [first, second] = matches;
  if (found.type === 'declaration' || first === undefined) {
    if (found.type === 'declaration' && first !== undefined) return declaredTwice(first.object);
    if (found.type === 'declaration') return plainDeclaration(found);
    const unread = built
      .flatMap(({ problems }) => problems)
      .find(({ file = '' }) => mentions(texts.get(file), workload));
    return unread ?? notBuilt(reads, files, workload);
  }
  if (second !== undefined) {
    // One file in two builds: an edit would change both.
    const isSameFile = second.object.file === first.object.file;
    return isSameFile
      ? { ...gitRefusal('shared-base'), file: second.root.path, detail: second.root.path }
      : declaredTwice(second.object);
  }
  const problem =
    reads.problems.get(first.root.path) ?? built.find(({ root }) => root === first.root)?.problems[0];
  return problem ?? builtDeclaration(reads, files, { ...first, texts, readData });
}

function isOf({ kind, apiVersion, ids }: BuiltObject, workload: DeclaredObject): boolean {
  const { name, namespace } = ids.at(-1) ?? { name: '', namespace: '' };
  return (
    kind === workload.kind &&
    apiVersion.startsWith(`${workload.apiGroup ?? apiGroupOf(kind)[0]}/`) &&
    name === workload.name &&
    (namespace === '' || namespace === workload.namespace)
  );
}

function mentions(text: string | undefined, { name, kind }: DeclaredObject): boolean {
  return text?.includes(name) === true && text.includes(kind);
}

function declaredTwice({ file, line }: BuiltObject): GitRefusal {
  return { ...gitRefusal('declared-twice', line), file };
}

/** Why no build has it: a manifest that is not listed, a field that may bring it, or nothing at all. */
function notBuilt(
  { roots, graph, unlisted, problems }: TreeReads,
  files: ReadonlyMap<string, TreeFile>,
  workload: DeclaredObject,
): GitRefusal {
  const beside = findDeclaration(
    unlisted.flatMap(({ path }) => files.get(path) ?? []),
    workload,
  );
  if (beside.type === 'declaration') {
    return { ...gitRefusal('kustomize', beside.line), file: beside.file.path, detail: 'resources' };
  }
  const read = new Set(roots.flatMap((root) => [...graph.readBy(root)]));
  const opaque = graph.all.find(({ path, unmodelled }) => read.has(path) && unmodelled !== undefined);
  if (opaque?.unmodelled === undefined) return [...problems.values()][0] ?? gitRefusal('not-declared');
  const { field, line } = opaque.unmodelled;
  return { ...gitRefusal('kustomize', line), file: opaque.path, detail: field };
}

function plainDeclaration({
  file,
  position,
  line,
}: Exclude<ReturnType<typeof findDeclaration>, GitRefusal>): Located {
  const document = { text: file.text, position };
  const shown = (edited: Edited | GitRefusal): LocatedEdit | GitRefusal => {
    if (edited.type === 'refusal') return { ...edited, file: file.path };
    const { text, diff } = edited;
    return { type: 'edited', file, line, text, diff, manifest: manifestAt(text, position) };
  };
  return {
    type: 'located',
    file,
    line,
    fingerprint: canonicalJson([file.path, file.sha]),
    values: manifestAt(file.text, position),
    sources: [file.path],
    origin: { type: 'plain', document },
    edit: (edits) => shown(editManifest(file.text, position, edits)),
    restoreTemplate: ({ origin }) =>
      origin.type === 'plain'
        ? shown(restoreField(document, origin.document, templatePath))
        : { ...gitRefusal('no-earlier-template', line), file: file.path },
  };
}

function builtDeclaration(
  { graph }: TreeReads,
  files: ReadonlyMap<string, TreeFile>,
  {
    root,
    object,
    texts,
    readData,
  }: { root: KustomizationFile; object: BuiltObject; texts: ReadonlyMap<string, string>; readData: ReadData },
): Located | GitRefusal {
  const file = files.get(object.file);
  if (file === undefined) return gitRefusal('not-declared');
  const unsuited = unsuitedText(file.text);
  if (unsuited !== undefined) return { ...unsuited, file: file.path };
  const built = valuesOf(object);
  if (built.type === 'refusal') return built;
  const { values } = built;
  const subject = { graph, root, texts, readData, object, values };
  const shown = (edited: EditedBuild | GitRefusal): LocatedEdit | GitRefusal => {
    if (edited.type === 'refusal') return edited;
    const changed = files.get(edited.file);
    return changed === undefined
      ? { ...gitRefusal('not-verified'), file: edited.file }
      : { ...edited, file: changed, manifest: edited.values };
  };
  return {
    type: 'located',
    file,
    line: object.line,
    fingerprint: canonicalJson([root.path, object.file, values]),
    values,
    sources: [
      object.file,
      ...object.steps.flatMap((step) =>
        step.type === 'patch' ? (step.entry.file ?? []) : step.kustomization.path,
      ),
    ],
    origin: { type: 'built', subject },
    edit: (edits) => shown(editInBuild(subject, edits)),
    restoreTemplate: ({ origin }) =>
      origin.type === 'built'
        ? shown(restoreTemplateInBuild(subject, origin.subject))
        : { ...gitRefusal('no-earlier-template', object.line), file: object.file },
  };
}
