import { isAlias, isMap, isScalar, isSeq, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { isObject } from '../../engine/objects/wire.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import { targetedFields } from '../fixes/owner-target.js';
import { canonicalJson, type Plan } from '../fixes/plan.js';
import type { DeclaredObject } from './find-declaration.js';
import { valueAt } from './kustomize/transform.js';
import { changedLines, type DiffLine, diffLines } from './line-diff.js';
import { blockedMap, dataOf, entryOf, manifestAt, parseManifest } from './parse-manifest.js';
import { type GitRefusal, gitRefusal } from './refusal.js';
import type { Splice } from './splice.js';
import { appendItem, insertEntry, linesOfEntry, newlineOf, removeEntry, replaceScalar } from './splice.js';

export interface Edited {
  readonly type: 'edited';
  readonly text: string;
  /** The changed lines with their context. */
  readonly diff: readonly DiffLine[];
}

/**
 * Writes fields into one document of a manifest by splicing the text, so that every other byte stays. The
 * result is parsed again and returned only if its data differ from the former data in exactly the wanted
 * fields.
 *
 * @param position of the document in the file, from 0
 */
export function editManifest(
  text: string,
  position: number,
  edits: readonly FieldEdit[],
): Edited | GitRefusal {
  let current = text;
  for (const edit of edits) {
    const refined = refinedEdit(manifestAt(current, position), edit);
    if (refined === undefined) return gitRefusal('shape');
    for (const each of refined) {
      const splice = spliceFor(current, position, each);
      if (splice === undefined) continue;
      if ('type' in splice) return splice;
      current = current.slice(0, splice.start) + splice.text + current.slice(splice.end);
    }
  }
  if (current === text) return gitRefusal('as-wanted');
  const diff = diffLines(text, current);
  if (changedLines(diff) > mostChangedLines(edits, manifestAt(text, position)))
    return gitRefusal('not-verified');
  return holdsExactly(text, current, position, edits)
    ? { type: 'edited', text: current, diff }
    : gitRefusal('not-verified');
}

/**
 * Each field is a line removed and a line added, or as many as it has; a missing block brings two lines for
 * its own keys.
 */
function mostChangedLines(edits: readonly FieldEdit[], before: unknown): number {
  return edits.reduce((most, { path, value }) => {
    const gone = value === undefined || value === null ? linesOf(valueAt(before, path)) : 1;
    return most + gone + linesOf(value);
  }, 3);
}

/** Lines that a value has in block style, at most. */
export function linesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((lines, inner) => lines + linesOf(inner), 1);
}

/** The one splice for a field; `undefined` where the document holds the value already. */
function spliceFor(text: string, position: number, edit: ValueEdit): Splice | GitRefusal | undefined {
  const parsed = parseManifest(text);
  if (parsed.type === 'refusal') return parsed;
  const { lineAt } = parsed;
  const refused = (reason: GitRefusal['reason'], offset: number | undefined): GitRefusal =>
    gitRefusal(reason, offset === undefined ? undefined : lineAt(offset));
  const found = walk(parsed.documents[position]?.contents, edit.path);
  if (found.type === 'blocked') return refused(found.reason, found.offset);
  if (found.type === 'list') {
    if (edit.value === undefined) return refused('shape', found.list.range?.[0]);
    return appendItem(text, found.list, edit.value) ?? refused('shape', found.list.range?.[0]);
  }
  const { map, above, missing, entry } = found;
  if (entry === undefined) {
    if (edit.value === undefined) return undefined;
    return (
      insertEntry(text, { map, above, keys: missing, value: edit.value }) ?? refused('shape', map.range?.[0])
    );
  }
  if (edit.value === undefined) return removeEntry(text, map, entry) ?? refused('shape', map.range?.[0]);
  const { value } = entry;
  if (!isScalar(value) || value.range == null) return refused('shape', map.range?.[0]);
  if (value.anchor !== undefined) return refused('anchor', value.range[0]);
  if (value.tag !== undefined) return refused('tag', value.range[0]);
  if (typeof value.value === 'string' && /\$\{/u.test(value.value))
    return refused('variable', value.range[0]);
  if (value.value === edit.value) return undefined;
  const isPlain = typeof edit.value !== 'object' || edit.value === null;
  if (!isPlain) return refused('shape', value.range[0]);
  return replaceScalar(text, value, edit.value) ?? refused('shape', value.range[0]);
}

type Walked =
  | {
      readonly type: 'walked';
      readonly map: YAMLMap;
      /** The entry whose value is `map`; absent for the document itself. */
      readonly above: Pair | undefined;
      /** Keys from `map` on that do not exist. */
      readonly missing: readonly string[];
      /** Of the last key, where it exists. */
      readonly entry: Pair | undefined;
    }
  /** The path ends with a new item of this list. */
  | { readonly type: 'list'; readonly list: YAMLSeq }
  | {
      readonly type: 'blocked';
      readonly reason: 'alias' | 'anchor' | 'tag' | 'merge-key' | 'shape';
      readonly offset: number | undefined;
    };

function walk(contents: unknown, path: EditPath): Walked {
  let node = contents;
  let above: Pair | undefined;
  for (const [depth, name] of path.entries()) {
    if (isAlias(node)) return { type: 'blocked', reason: 'alias', offset: node.range?.[0] };
    if (isSeq(node) && typeof name === 'number') {
      if (node.anchor !== undefined || node.tag !== undefined) {
        return {
          type: 'blocked',
          reason: node.tag === undefined ? 'anchor' : 'tag',
          offset: node.range?.[0],
        };
      }
      if (depth === path.length - 1 && name === node.items.length) return { type: 'list', list: node };
      above = undefined;
      node = node.items[name];
      continue;
    }
    if (!isMap(node) || typeof name === 'number') {
      const range = isScalar(node) ? node.range : undefined;
      return { type: 'blocked', reason: 'shape', offset: range?.[0] };
    }
    const reason = blockedMap(node);
    if (reason !== undefined) return { type: 'blocked', reason, offset: node.range?.[0] };
    const entry = entryOf(node, name);
    if (entry !== undefined && isAlias(entry.value)) {
      return { type: 'blocked', reason: 'alias', offset: entry.value.range?.[0] };
    }
    const isLast = depth === path.length - 1;
    if (entry === undefined || isLast) {
      return { type: 'walked', map: node, above, missing: path.slice(depth).map(String), entry };
    }
    above = entry;
    node = entry.value;
  }
  return { type: 'blocked', reason: 'shape', offset: undefined };
}

export interface DocumentText {
  readonly text: string;
  /** From 0. */
  readonly position: number;
}

/**
 * Gives a field the value that another version of the document has: field by field, so that everything else
 * stays, or else by the lines of the other version.
 */
export function restoreField(
  { text, position }: DocumentText,
  former: DocumentText,
  path: readonly string[],
): Edited | GitRefusal {
  const data = valueAt(manifestAt(former.text, former.position), path);
  if (!isEditableData(data)) return gitRefusal('shape');
  const edits = [{ path, value: data }];
  const byField = editManifest(text, position, edits);
  if (byField.type === 'edited' || byField.reason === 'as-wanted') return byField;
  const [present, earlier] = [entryAt(text, position, path), entryAt(former.text, former.position, path)];
  const here = present && linesOfEntry(text, present);
  const there = earlier && linesOfEntry(former.text, earlier);
  if (here === undefined || there === undefined || here.column !== there.column) return byField;
  const lines = former.text.slice(there.start, there.end).replaceAll('\r\n', '\n').trimEnd();
  const newline = newlineOf(text, here.start);
  const isLast = here.end === text.length && !text.endsWith('\n');
  const written = lines.replaceAll('\n', newline) + (isLast ? '' : newline);
  const current = text.slice(0, here.start) + written + text.slice(here.end);
  return holdsExactly(text, current, position, edits)
    ? { type: 'edited', text: current, diff: diffLines(text, current) }
    : byField;
}

/** The entry at the end of a path of maps that nothing else uses. */
function entryAt(text: string, position: number, path: readonly string[]): Pair | undefined {
  const parsed = parseManifest(text);
  if (parsed.type === 'refusal') return undefined;
  const found = walk(parsed.documents[position]?.contents, path);
  const value = found.type === 'walked' ? found.entry?.value : undefined;
  const isOwn =
    (isMap(value) && blockedMap(value) === undefined && value.flow !== true) ||
    (isSeq(value) && value.anchor === undefined && value.tag === undefined && value.flow !== true);
  return found.type === 'walked' && isOwn ? found.entry : undefined;
}

/** Whether the data differ in exactly the wanted fields of that document, and in nothing else. */
function holdsExactly(before: string, after: string, position: number, edits: readonly FieldEdit[]): boolean {
  const former = allDataOf(before);
  const now = allDataOf(after);
  if (former === undefined || now === undefined) return false;
  const expected = former.map((data, at) =>
    at === position
      ? edits.reduce((changed, { path, value }) => withField(changed, path, value), data)
      : data,
  );
  return canonicalJson(expected) === canonicalJson(now);
}

function allDataOf(text: string): readonly unknown[] | undefined {
  const parsed = parseManifest(text);
  const data = parsed.type === 'refusal' ? [undefined] : parsed.documents.map(dataOf);
  return data.includes(undefined) ? undefined : data;
}

/** Data with a field that has another value, or is gone. */
export function withField(
  data: unknown,
  [name, ...rest]: readonly string[],
  value: FieldEdit['value'],
): unknown {
  if (name === undefined) return value;
  const fields: Readonly<Record<string, unknown>> =
    typeof data === 'object' && data !== null ? { ...data } : {};
  if (value === undefined && !Object.hasOwn(fields, name)) return data;
  const { [name]: field, ...others } = fields;
  const next = withField(field, rest, value);
  return next === undefined ? others : { ...others, [name]: next };
}

/**
 * The object in whose manifest the change of a plan is made: the workload, or the object that people own
 * above it.
 */
export function declaredObjectOf(plan: Pick<Plan, 'target'>, workload: WorkloadRef): DeclaredObject {
  if (targetedFields(plan, workload) === undefined) return workload;
  const { apiVersion, kind, namespace, name } = plan.target;
  const [apiGroup = ''] = apiVersion.split('/');
  return { apiGroup, kind, namespace, name };
}

/** What a field may be set to. */
export type Editable =
  | number
  | string
  | boolean
  | null
  | readonly Editable[]
  | { readonly [name: string]: Editable };

/**
 * A field that a manifest shall declare; `undefined`: shall not declare. `null` removes a field in a patch.
 */
export type FieldEdit = { readonly path: readonly string[]; readonly value: Editable | undefined };

/** A field or an item of a list; the number of items stands for a new one at the end. */
type EditPath = readonly (string | number)[];

/** One value to write; `undefined` removes the field. */
type ValueEdit = { readonly path: EditPath; readonly value: Editable | undefined };

/**
 * The values that a document lacks for an edit: of maps and lists that it has already only what differs, so
 * that the rest of their lines stays. `undefined` where an item of a list would have to be removed or
 * replaced by another kind of value.
 */
export function refinedEdit(data: unknown, { path, value }: FieldEdit): readonly ValueEdit[] | undefined {
  let current = data;
  for (const name of path)
    current = isObject(current) && Object.hasOwn(current, name) ? current[name] : undefined;
  return current === undefined || value === undefined ? [{ path, value }] : differing(path, current, value);
}

function differing(path: EditPath, current: unknown, wanted: Editable): readonly ValueEdit[] | undefined {
  if (isList(wanted)) {
    if (!Array.isArray(current) || current.length > wanted.length) return undefined;
    return joined(
      wanted.map((item, at) =>
        at < current.length
          ? differing([...path, at], current[at], item)
          : [{ path: [...path, at], value: item }],
      ),
    );
  }
  if (typeof wanted === 'object' && wanted !== null) {
    if (!isObject(current)) return undefined;
    const gone = Object.keys(current).filter((name) => !Object.hasOwn(wanted, name));
    return joined([
      ...gone.map((name) => [{ path: [...path, name], value: undefined }]),
      ...Object.entries(wanted).map(([name, value]) =>
        Object.hasOwn(current, name)
          ? differing([...path, name], current[name], value)
          : [{ path: [...path, name], value }],
      ),
    ]);
  }
  return current === wanted ? [] : [{ path, value: wanted }];
}

/** Whether data of a document can be written as the value of a field. */
export function isEditableData(data: unknown): data is Editable {
  if (typeof data !== 'object' || data === null) return data !== undefined;
  return Object.values(data).every(isEditableData);
}

function joined(parts: readonly (readonly ValueEdit[] | undefined)[]): readonly ValueEdit[] | undefined {
  const edits: ValueEdit[] = [];
  for (const part of parts) {
    if (part === undefined) return undefined;
    edits.push(...part);
  }
  return edits;
}

function isList(value: Editable): value is readonly Editable[] {
  return Array.isArray(value);
}
