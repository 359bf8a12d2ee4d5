import { stringify } from 'yaml';
import type { JsonObject } from '../../../engine/objects/wire.js';
import { editManifest, withField } from '../edit-manifest.js';
import { unsuitedText } from '../find-declaration.js';
import { isObject } from '../kustomize/merge-patch.js';
import { valueAt } from '../kustomize/transform.js';
import type { DiffLine } from '../line-diff.js';
import type { Located } from '../located.js';
import { manifestAt } from '../parse-manifest.js';
import type { FieldEdit } from '../refine-edit.js';
import type { GitRefusal } from '../refusal.js';
import type { TreeFile } from '../tree-file.js';
import { objectIn } from './chart-tree.js';

/** Something in Git that holds values of a release. */
export interface ValuesHolder {
  readonly file: TreeFile;
  readonly values: JsonObject;
  /** Whether other releases may read it too. */
  readonly isShared: boolean;
  readonly edit: (edits: readonly FieldEdit[]) => EditedValues | GitRefusal;
}

export interface EditedValues {
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
