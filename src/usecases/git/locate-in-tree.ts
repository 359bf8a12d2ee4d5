import {
  candidatesIn,
  type DeclaredObject,
  maxFileBytes,
  maxTotalBytes,
  tooLargeTogether,
} from '../../core/git-change/find-declaration.js';
import type { GitPlace } from '../../core/git-change/git-target.js';
import { type Located, locateDeclaration } from '../../core/git-change/located.js';
import { type GitRefusal, gitRefusal } from '../../core/git-change/refusal.js';
import type { TreeEntry, TreeFile } from '../../core/git-change/tree-file.js';
import { treeReads } from '../../core/git-change/tree-reads.js';
import type { TreeReader } from './git-host.js';

/** Files read at the same time. */
const readsAtOnce = 8;

/** The one declaration of an object in a tree. */
export async function locateInTree(
  host: TreeReader,
  { repository, path, isFlat, readsOutside }: GitPlace,
  tree: readonly TreeEntry[],
  object: DeclaredObject,
): Promise<Located | GitRefusal> {
  const candidates = candidatesIn(tree, { path, isFlat });
  if (candidates.type === 'refusal') return candidates;
  const kustomizations = await textsOf(host, repository, candidates.kustomizations);
  if ('type' in kustomizations) return kustomizations;
  const reads = treeReads(tree, { path, readsOutside }, candidates, kustomizations);
  if (reads.type === 'refusal') return reads;
  const known = new Map(kustomizations.map((file) => [file.path, file]));
  const entries = [...reads.built, ...reads.plain, ...reads.unlisted].filter(
    (entry) => !known.has(entry.path),
  );
  const tooMany = tooLargeTogether(entries, path);
  if (tooMany !== undefined) return tooMany;
  const files = await textsOf(host, repository, entries);
  if ('type' in files) return files;
  return locateDeclaration(
    reads,
    new Map([...known, ...files.map((file) => [file.path, file] as const)]),
    object,
  );
}

/**
 * A host that lists no sizes notices what is too large when it is read; the first such file ends the reading.
 * At most `readsAtOnce` texts are under way, so that memory is bounded as well.
 */
export async function textsOf(
  host: TreeReader,
  repository: string,
  entries: readonly TreeEntry[],
): Promise<readonly TreeFile[] | GitRefusal> {
  const files: TreeFile[] = [];
  let total = 0;
  for (let from = 0; from < entries.length; from += readsAtOnce) {
    const some = entries.slice(from, from + readsAtOnce);
    const read = some.map(async (entry) => ({ ...entry, text: await host.text(repository, entry.sha) }));
    for (const { text, ...entry } of await Promise.all(read)) {
      if (text === undefined || text.length > maxFileBytes) {
        return { ...gitRefusal('too-large'), file: entry.path };
      }
      total += text.length;
      if (total > maxTotalBytes) return { ...gitRefusal('too-many-files'), file: entry.path };
      files.push({ ...entry, text });
    }
  }
  return files;
}
