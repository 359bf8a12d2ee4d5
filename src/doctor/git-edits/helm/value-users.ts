import { pathFrom } from '../application-source.js';
import { parseManifest, textAt } from '../parse-manifest.js';
import type { TreeEntry, TreeFile } from '../tree-file.js';

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
  { file, folder, release }: { readonly file: string; readonly folder: string; readonly release: string },
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
