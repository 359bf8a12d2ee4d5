import type { JsonObject } from '../../core/cluster/wire.js';
import { declaresTemplate } from '../../core/git-change/declared-template.js';
import type { GitPlace } from '../../core/git-change/git-target.js';
import type { Located } from '../../core/git-change/located.js';
import { type GitRefusal, gitRefusal } from '../../core/git-change/refusal.js';
import type { TreeEntry } from '../../core/git-change/tree-file.js';
import type { HostCommit, TreeReader } from './git-host.js';

/** Commits that are read, the newest first; each costs a few requests, and a person waits. */
const maxCommits = 10;
/** Files of a build whose commits are listed. */
const maxFiles = 6;

/**
 * The newest commit before the head whose tree declares this pod template.
 *
 * @param locate the declaration of the workload in a tree
 * @throws DoctorError `git-unavailable` or `git-refused`, see `GitHost`
 */
export async function findEarlierTree(
  host: TreeReader,
  {
    repository,
    head,
    present,
  }: Pick<GitPlace, 'repository'> & { readonly head: string; readonly present: Located },
  template: JsonObject,
  locate: (tree: readonly TreeEntry[]) => Promise<Located | GitRefusal>,
): Promise<Located | GitRefusal> {
  const files = [...new Set(present.sources)].slice(0, maxFiles);
  const found: HostCommit[] = [];
  for (const path of files) found.push(...(await host.commitsOf(repository, head, path)));
  const byTime = found.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const commits = [...new Set(byTime.map(({ sha }) => sha))].filter((sha) => sha !== head);
  for (const commit of commits.slice(0, maxCommits)) {
    const tree = await host.tree(repository, commit);
    const earlier = tree === undefined ? undefined : await locate(tree);
    if (earlier?.type === 'located' && declaresTemplate(earlier.values, template)) return earlier;
  }
  return { ...gitRefusal('no-earlier-template', present.line), file: present.file.path };
}
