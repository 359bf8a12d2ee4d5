import type { JsonObject } from '../../cluster/wire.js';
import { canonicalJson } from '../../remediation/plan.js';
import { editManifest, linesOf, withField } from '../edit-manifest.js';
import { changedLines, type DiffLine, diffLines } from '../line-diff.js';
import type { FieldEdit } from '../refine-edit.js';
import { type GitRefusal, gitRefusal } from '../refusal.js';
import { declarationOf } from '../snippet.js';
import {
  type AppliedPatch,
  type BuiltObject,
  builtObjects,
  type ReadData,
  readDataOf,
  valuesOf,
} from './build.js';
import { appendPatch, editInlinePatch, removePatch } from './inline-patch.js';
import { type KustomizationFile, readKustomization } from './kustomization-file.js';
import { graphOf, type KustomizeGraph } from './kustomize-graph.js';
import { isObject } from './merge-patch.js';
import { valueAt } from './transform.js';

/** A build, and the object of it that is edited. */
export interface BuildSubject {
  readonly graph: KustomizeGraph;
  readonly root: KustomizationFile;
  readonly texts: ReadonlyMap<string, string>;
  readonly readData: ReadData;
  readonly object: BuiltObject;
  readonly values: JsonObject;
}

export interface EditedBuild {
  readonly type: 'edited';
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly diff: readonly DiffLine[];
  /** The object as the changed build results in it. */
  readonly values: JsonObject;
}

/** A place that may hold the wanted fields, and how it is edited. */
export interface Place {
  readonly file: string;
  readonly edit: (text: string) => { readonly text: string; readonly line: number } | GitRefusal;
}

/**
 * Makes the build result in the wanted fields: in the outermost patch that sets one of them, else in a patch
 * of the object or where it is declared, else by a new patch in the innermost kustomization. Files that other
 * builds read too are left as they are. Each edit is built again, and counts only if the object has exactly
 * the wanted fields and all other objects are as before.
 */
export function editInBuild(subject: BuildSubject, edits: readonly FieldEdit[]): EditedBuild | GitRefusal {
  const { values } = subject;
  const wanted = edits.reduce<unknown>((changed, { path, value }) => withField(changed, path, value), values);
  return editFirstOf(subject, placesFor(subject, edits), {
    wanted,
    // A new patch brings the lines that name its object. A field that goes may have any number of lines.
    maxLines: edits.some(({ value }) => value === undefined)
      ? Number.POSITIVE_INFINITY
      : 12 + edits.reduce((lines, { path, value }) => lines + linesOf(value) + 1 + path.length, 0),
  });
}

/** Places that are tried; each costs a build. */
const maxPlaces = 100;

/** The first edit after which the build results in the wanted object and in all others as before. */
export function editFirstOf(
  subject: BuildSubject,
  places: Iterable<Place>,
  { wanted, maxLines }: { readonly wanted: unknown; readonly maxLines: number },
): EditedBuild | GitRefusal {
  const { graph, root, texts, readData, object, values } = subject;
  if (canonicalJson(wanted) === canonicalJson(values)) {
    return { ...gitRefusal('as-wanted', object.line), file: object.file };
  }
  const former = othersThan(object, builtObjects(graph, root, { texts, readData }).objects);
  let tried = 0;
  // Of the last place: a new patch is possible wherever nothing stands against it.
  let refusal: GitRefusal | undefined;
  for (const { file, edit } of places) {
    tried += 1;
    if (tried > maxPlaces) return { ...gitRefusal('too-large'), file: root.path };
    const foreign = usersBeside(graph, root, file);
    const before = texts.get(file);
    if (foreign.length > 0 || before === undefined) {
      const [first] = foreign;
      refusal = { ...gitRefusal('shared-base'), file: first ?? file, detail: foreign.join(', ') };
      continue;
    }
    const edited = edit(before);
    if ('type' in edited) {
      refusal = { ...edited, file };
      continue;
    }
    const diff = diffLines(before, edited.text);
    const after = builtAgain(subject, former, { file, text: edited.text });
    const isExact = after !== undefined && canonicalJson(after) === canonicalJson(wanted);
    if (isExact && changedLines(diff) <= maxLines)
      return { type: 'edited', file, ...edited, diff, values: after };
    refusal = { ...gitRefusal('not-verified', edited.line), file };
  }
  return refusal ?? { ...gitRefusal('kustomize'), file: root.path };
}

function* placesFor({ object, graph, root }: BuildSubject, edits: readonly FieldEdit[]): Generator<Place> {
  const outermost = object.steps.toReversed();
  const patches = outermost.filter(
    (step): step is AppliedPatch => step.type === 'patch' && isObject(step.content),
  );
  const setting = patches.filter(({ content }) => edits.some(({ path }) => sets(content, path)));
  for (const patch of new Set([...setting, ...patches])) yield* placesInPatch(patch, edits);
  const { file, position, line } = object;
  yield {
    file,
    edit: (text) => {
      const edited = editManifest(text, position, edits);
      return edited.type === 'refusal' ? edited : { text: edited.text, line };
    },
  };
  const passed = object.steps.flatMap((step) => (step.type === 'passed' ? [step.kustomization] : []));
  // The innermost one that only this build reads.
  const [own = root] = passed.filter(({ path }) => usersBeside(graph, root, path).length === 0);
  for (const { path } of [own, root]) {
    yield { file: path, edit: (text) => textOf(appendPatch(text, patchFor(object, path, edits))) };
  }
}

function* placesInPatch(
  { entry, kustomization, position, content }: AppliedPatch,
  edits: readonly FieldEdit[],
): Generator<Place> {
  const { file } = entry;
  const inPatch = edits.map(({ path, value }) => ({ path, value: value === undefined ? null : value }));
  const emptied = edits.map(({ path, value }) =>
    value === undefined ? { path: emptiedBy(content, path), value } : { path, value },
  );
  const isGone = emptied.every(({ path, value }) => value === undefined && path.length === 1);
  if (isGone && file === undefined) {
    yield { file: kustomization.path, edit: (text) => textOf(removePatch(text, entry)) };
  }
  for (const wanted of [emptied, inPatch, edits]) {
    if (file === undefined) {
      yield { file: kustomization.path, edit: (text) => textOf(editInlinePatch(text, entry, wanted)) };
    } else {
      yield {
        file,
        edit: (text) => {
          const edited = editManifest(text, position, wanted);
          return edited.type === 'refusal' ? edited : { text: edited.text, line: 1 };
        },
      };
    }
  }
}

/** The highest field of a patch that holds nothing but the field at this path. */
function emptiedBy(content: unknown, path: readonly string[]): readonly string[] {
  const above = path.slice(0, -1);
  const parent = valueAt(content, above);
  const isOnlyOne = above.length > 0 && isObject(parent) && Object.keys(parent).length === 1;
  return isOnlyOne && path.at(-1) !== undefined && Object.hasOwn(parent, path.at(-1) ?? '')
    ? emptiedBy(content, above)
    : path;
}

function textOf(edited: ReturnType<typeof appendPatch>): ReturnType<Place['edit']> {
  return edited.type === 'refusal' ? edited : { text: edited.text, line: edited.line };
}

/** Whether a patch sets a field, or a field above or below it. */
function sets(content: unknown, path: readonly string[]): boolean {
  if (valueAt(content, path) !== undefined) return true;
  return path.some((_, depth) => {
    const above = valueAt(content, path.slice(0, depth));
    return above === null || (above !== undefined && !isObject(above));
  });
}

/** The text of a patch of this object, by the name that it has where the patch is applied. */
function patchFor(
  { ids, steps, kind, apiVersion }: BuiltObject,
  path: string,
  edits: readonly FieldEdit[],
): string {
  const passed = steps.flatMap((step) => (step.type === 'passed' ? [step.kustomization.path] : []));
  const { name = '', namespace = '' } = ids[passed.indexOf(path)] ?? {};
  const metadata = { name, ...(namespace === '' ? {} : { namespace }) };
  return declarationOf(edits, { apiVersion, kind, metadata });
}

/** Kustomizations outside this build that read a file, and those that build on this one. */
function usersBeside(
  { usersOf, readBy }: KustomizeGraph,
  root: KustomizationFile,
  file: string,
): readonly string[] {
  const own = readBy(root);
  return usersOf(file).flatMap(({ path }) => (own.has(path) ? [] : [path]));
}

/** The object after a file changed; `undefined` where anything else changed as well. */
function builtAgain(
  { graph, root, texts, readData, object }: BuildSubject,
  former: string,
  { file, text }: { readonly file: string; readonly text: string },
): JsonObject | undefined {
  const changedTexts = new Map(texts).set(file, text);
  const all = graph.all.map((each) => (each.path === file ? readKustomization({ ...each, text }) : each));
  const changed = all.flatMap((each) => each ?? []);
  const changedRoot = changed.find(({ path }) => path === root.path);
  if (changedRoot === undefined) return undefined;
  // Kept data of every edit would be many times the tree.
  const readChanged: ReadData = (each) => (each === text ? readDataOf(each) : readData(each));
  const { objects } = builtObjects(graphOf(changed), changedRoot, {
    texts: changedTexts,
    readData: readChanged,
  });
  const [only, second] = objects.filter((each) => keyOf(each) === keyOf(object));
  if (only === undefined || second !== undefined || othersThan(object, objects) !== former) return undefined;
  const values = valuesOf(only);
  return values.type === 'values' ? values.values : undefined;
}

/** All other objects of a build: two builds in which they are the same give the same text. */
function othersThan(object: BuiltObject, objects: readonly BuiltObject[]): string {
  const key = keyOf(object);
  return objects
    .filter((each) => keyOf(each) !== key)
    .map(signatureOf)
    .join('\n');
}

function keyOf({ file, position, ids, kind }: BuiltObject): string {
  return canonicalJson([file, position, kind, ids]);
}

function signatureOf(object: BuiltObject): string {
  const steps = object.steps.map((step) => (step.type === 'patch' ? step.content : step.kustomization.path));
  return canonicalJson([keyOf(object), object.declared, steps]);
}
