import { isMap, isNode, isScalar, isSeq } from 'yaml';
import { isObject, type JsonObject } from '../../../engine/objects/wire.js';
import { canonicalJson } from '../../fixes/plan.js';
import type { FieldEdit } from '../edit-manifest.js';
import { editManifest, linesOf, withField } from '../edit-manifest.js';
import { declarationOf } from '../edits-of-plan.js';
import { changedLines, type DiffLine, diffLines } from '../line-diff.js';
import { entryOf, parseManifest } from '../parse-manifest.js';
import { type GitRefusal, gitRefusal } from '../refusal.js';
import { linesOfEntry, newlineOf } from '../splice.js';
import type { AppliedPatch, BuiltObject, ReadData } from './build.js';
import { builtObjects, readDataOf, valuesOf } from './build.js';
import type { KustomizationFile, KustomizeGraph, PatchEntry } from './kustomization-file.js';
import { graphOf, readKustomization } from './kustomization-file.js';
import { emptiedBy, sets } from './transform.js';

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
  { wanted, maxLines }: { wanted: unknown; maxLines: number },
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

function textOf(edited: ReturnType<typeof appendPatch>): ReturnType<Place['edit']> {
  return edited.type === 'refusal' ? edited : { text: edited.text, line: edited.line };
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
  { file, text }: { file: string; text: string },
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

/** A kustomization whose patch changed, and the line of the patch. */
type EditedKustomization = { readonly type: 'edited'; readonly text: string; readonly line: number };

/** Writes fields into a patch that stands in the kustomization as a literal block. */
export function editInlinePatch(
  text: string,
  { list, position }: Pick<PatchEntry, 'list' | 'position'>,
  edits: readonly FieldEdit[],
): EditedKustomization | GitRefusal {
  const parsed = parseManifest(text);
  if (parsed.type === 'refusal') return parsed;
  const root = parsed.documents[0]?.contents;
  const sequence = isMap(root) ? entryOf(root, list)?.value : undefined;
  const item = isSeq(sequence) ? sequence.items[position] : undefined;
  const scalar = isMap(item) ? entryOf(item, 'patch')?.value : item;
  if (!isScalar(scalar) || scalar.type !== 'BLOCK_LITERAL' || scalar.range == null)
    return gitRefusal('shape');
  const [start, end] = scalar.range;
  const line = parsed.lineAt(start);
  const body = text.indexOf('\n', start) + 1;
  const written = text.slice(body, end).split('\n');
  const indent = /^ */u.exec(written.find((each) => each.trim() !== '') ?? '')?.[0].length ?? 0;
  // An indicator such as `|2` keeps leading spaces of the content.
  if (indent === 0 || /\d/u.test(text.slice(start, body))) return gitRefusal('shape', line);
  const inner = written.map((each) => each.slice(Math.min(indent, /^ */u.exec(each)?.[0].length ?? 0)));
  const edited = editManifest(inner.join('\n'), 0, edits);
  if (edited.type === 'refusal') return { ...gitRefusal(edited.reason, line) };
  const changed = withChangedLines(written, inner, edited.text.split('\n'), ' '.repeat(indent));
  return { type: 'edited', text: text.slice(0, body) + changed.join('\n') + text.slice(end), line };
}

/** Takes a patch out of its list; the list goes with the last one. */
export function removePatch(
  text: string,
  { list, position }: Pick<PatchEntry, 'list' | 'position'>,
): EditedKustomization | GitRefusal {
  const parsed = parseManifest(text);
  if (parsed.type === 'refusal') return parsed;
  const root = parsed.documents[0]?.contents;
  const entry = isMap(root) ? entryOf(root, list) : undefined;
  const sequence = entry?.value;
  const whole = entry && linesOfEntry(text, entry);
  if (!isSeq(sequence) || sequence.flow === true || whole === undefined) return gitRefusal('shape');
  const starts = sequence.items.map((item) => {
    const at = isNode(item) && item.range != null ? item.range[0] : 0;
    return text.lastIndexOf('\n', at) + 1;
  });
  const [start, end] =
    starts.length === 1
      ? [whole.start, whole.end]
      : [starts[position] ?? 0, starts[position + 1] ?? whole.end];
  const isOwn = starts.length === 1 || /^ *- /u.test(text.slice(start, end));
  if (!isOwn || start >= end) return gitRefusal('shape');
  return { type: 'edited', text: text.slice(0, start) + text.slice(end), line: parsed.lineAt(start) };
}

/** The written lines, of which only those that differ between two texts are written again. */
function withChangedLines(
  written: readonly string[],
  before: readonly string[],
  after: readonly string[],
  pad: string,
): readonly string[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const added = after.slice(start, after.length - end).map((each) => (each === '' ? '' : pad + each));
  return [...written.slice(0, start), ...added, ...written.slice(written.length - end)];
}

/**
 * Appends a strategic merge patch to `patches` of a kustomization. It stands in the kustomization itself: one
 * file changes, one blob says whether the edit still fits, and no new file can collide with another one.
 */
export function appendPatch(text: string, patch: string): EditedKustomization | GitRefusal {
  const parsed = parseManifest(text);
  if (parsed.type === 'refusal') return parsed;
  const root = parsed.documents[0]?.contents;
  if (parsed.documents.length !== 1 || !isMap(root) || root.flow === true) return gitRefusal('shape', 1);
  const newline = newlineOf(text, text.length);
  const lines = patch.trimEnd().split('\n');
  const itemAt = (pad: string): readonly string[] => [
    `${pad}- patch: |-`,
    ...lines.map((each) => `${pad}    ${each}`),
  ];
  const existing = entryOf(root, 'patches');
  if (existing === undefined) {
    const others = root.items.flatMap(({ value }) => (isSeq(value) && value.flow !== true ? [value] : []));
    const pad = ' '.repeat(others[0]?.range == null ? 0 : columnOf(text, others[0].range[0]));
    return inserted(text, text.length, ['patches:', ...itemAt(pad)], newline);
  }
  const { value } = existing;
  if (!isSeq(value) || value.range == null) return gitRefusal('shape', lineOf(existing.key));
  if (value.flow === true) {
    if (value.items.length > 0) return gitRefusal('shape', parsed.lineAt(value.range[0]));
    const [start, end] = value.range;
    const rest = text.slice(end, lineEnd(text, end));
    // Nothing but spaces may follow the empty list: the item starts a line of its own.
    if (rest.trim() !== '') return gitRefusal('shape', parsed.lineAt(start));
    const before = text.slice(0, start).trimEnd();
    const item = itemAt('').join(newline);
    const changed = `${before}${newline}${item}${text.slice(end)}`;
    return { type: 'edited', text: changed, line: parsed.lineAt(start) };
  }
  const place = lineEnd(text, Math.max(0, value.range[1] - 1));
  const end = text[place] === '\n' ? place + 1 : place;
  return inserted(text, endOfContent(text, end), itemAt(' '.repeat(columnOf(text, value.range[0]))), newline);

  function lineOf(key: unknown): number | undefined {
    return isScalar(key) && key.range != null ? parsedLine(key.range[0]) : undefined;
  }
  function parsedLine(offset: number): number {
    return text.slice(0, offset).split('\n').length;
  }
}

/** Before comments and empty lines that follow a list. */
function endOfContent(text: string, end: number): number {
  let at = end;
  for (;;) {
    const start = text.lastIndexOf('\n', at - 2) + 1;
    const line = text.slice(start, at).trim();
    if (start >= at || (line !== '' && !line.startsWith('#'))) return at;
    at = start;
  }
}

function inserted(text: string, at: number, lines: readonly string[], newline: string): EditedKustomization {
  const before = text.slice(0, at);
  const isUnended = before !== '' && !before.endsWith('\n');
  const added = lines.join(newline);
  const changed = isUnended
    ? `${before}${newline}${added}${text.slice(at)}`
    : `${before}${added}${newline}${text.slice(at)}`;
  const line = before.split('\n').length + (isUnended ? 1 : 0);
  return { type: 'edited', text: changed, line };
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

function lineEnd(text: string, offset: number): number {
  const newline = text.indexOf('\n', offset);
  return newline === -1 ? text.length : newline;
}
