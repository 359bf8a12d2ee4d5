import { stringify } from 'yaml';
import { isObject, type JsonObject } from '../../../engine/objects/wire.js';
import { pathFrom } from '../application-source.js';
import type { FieldEdit } from '../edit-manifest.js';
import { editManifest, withField } from '../edit-manifest.js';
import { unsuitedText } from '../find-declaration.js';
import type { TreeEntry, TreeFile } from '../git-target.js';
import { valueAt } from '../kustomize/transform.js';
import type { DiffLine } from '../line-diff.js';
import type { Located } from '../located.js';
import { manifestAt, parseManifest, textAt } from '../parse-manifest.js';
import type { GitRefusal } from '../refusal.js';
import { objectIn } from './chart-tree.js';

/** Something in Git that holds values of a release. */
export interface ValuesHolder {
  readonly file: TreeFile;
  readonly values: JsonObject;
  /** Whether other releases may read it too. */
  readonly isShared: boolean;
  readonly edit: (edits: readonly FieldEdit[]) => EditedValues | GitRefusal;
}

interface EditedValues {
  readonly type: 'edited';
  readonly file: TreeFile;
  readonly line: number;
  readonly text: string;
  readonly diff: readonly DiffLine[];
  readonly values: JsonObject;
}

/** A file of values; Helm reads one document of it. */
export function valuesFile(file: TreeFile): ValuesHolder | GitRefusal {
  const read = objectIn(file);
  if (read.type === 'refusal') return read;
  const refused = (refusal: GitRefusal): GitRefusal => ({ ...refusal, file: file.path });
  return {
    file,
    values: read.data,
    isShared: true,
    edit: (edits) => {
      // A template in a value is read by `tpl`, and stays as it is.
      const unsuited = unsuitedText(file.text.replaceAll('{{', '  '));
      if (unsuited !== undefined) return refused(unsuited);
      const edited = editManifest(file.text, 0, edits);
      if (edited.type === 'refusal') return refused(edited);
      const { text, diff } = edited;
      return {
        type: 'edited',
        file,
        line: firstChange(file.text, text),
        text,
        diff,
        values: manifestAt(text, 0),
      };
    },
  };
}

/** An object that holds values in one of its fields, such as a HelmRelease. */
export function valuesOfObject(located: Located, field: readonly string[]): ValuesHolder {
  const valuesOf = (manifest: JsonObject): JsonObject => {
    const values = valueAt(manifest, field);
    return isObject(values) ? values : {};
  };
  return {
    file: located.file,
    values: valuesOf(located.values),
    isShared: false,
    edit: (edits) => {
      const edited = located.edit(edits.map(({ path, value }) => ({ path: [...field, ...path], value })));
      if (edited.type === 'refusal') return edited;
      const { manifest, ...rest } = edited;
      return { ...rest, line: firstChange(edited.file.text, edited.text), values: valuesOf(manifest) };
    },
  };
}

/** The first line that differs, from 1. */
function firstChange(before: string, after: string): number {
  const lines = before.split('\n');
  const changed = after.split('\n').findIndex((line, at) => line !== lines[at]);
  return Math.max(0, changed) + 1;
}

/** Values to set by hand. */
export function valuesSnippet(edits: readonly FieldEdit[]): string {
  const values = edits.reduce<unknown>(
    (data, { path, value }) => withField(data, path, value === undefined ? null : value),
    {},
  );
  return `# Helm values\n${stringify(values, { lineWidth: 0, nullStr: 'null' })}`;
}

/** More files are not read for a remark: a person waits, and each costs a request. */
const maxFiles = 60;
const maxBytes = 64 * 1024;

/** The files of a tree that may name a values file; none where there are too many. */
export function mayNameValues(tree: readonly TreeEntry[], file: string): readonly TreeEntry[] {
  const entries = tree.filter(
    ({ path, mode, size = 0 }) =>
      mode.startsWith('100') &&
      path !== file &&
      size <= maxBytes &&
      /\.ya?ml$/u.test(path) &&
      !/(?:^|\/)templates\//u.test(path),
  );
  return entries.length > maxFiles ? [] : entries;
}

/**
 * Which of these files may install a release with the same values: objects of Argo CD and Flux that name the
 * file, or the chart whose defaults it holds, and charts that depend on it.
 *
 * @param about `folder` of the chart, `release` that is changed
 */
export function valueUsers(
  files: readonly TreeFile[],
  { file, folder, release }: { file: string; folder: string; release: string },
): readonly string[] {
  const isDefault = pathFrom(folder, 'values.yaml') === file;
  const named = isDefault ? folder : file.split('/').slice(-2).join('/');
  return files.flatMap(({ path, text }) => {
    if (/(?:^|\/)Chart\.yaml$/u.test(path)) return isDefault && dependsOn(path, text, folder) ? [path] : [];
    const isUser = named !== '' && text.includes(named) && installsOther(text, release);
    return isUser ? [path] : [];
  });
}

const installing: ReadonlySet<string> = new Set(['Application', 'ApplicationSet', 'HelmRelease']);

function installsOther(text: string, release: string): boolean {
  const parsed = parseManifest(text);
  if (parsed.type === 'refusal') return false;
  return parsed.documents.some(
    (document) =>
      installing.has(textAt(document, ['kind']) ?? '') && textAt(document, ['metadata', 'name']) !== release,
  );
}

function dependsOn(path: string, text: string, folder: string): boolean {
  const own = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return [...text.matchAll(/\brepository: *["']?file:\/\/([^\s"']{1,300})/gu)].some(
    ([, to = '']) => pathFrom(own, to) === folder,
  );
}
