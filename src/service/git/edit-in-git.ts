import type { DeclaredManifest } from '../../doctor/forecasts/planned-below.js';
import { declaredObjectOf } from '../../doctor/git-edits/edit-manifest.js';
import { declaresTemplate, editsOfPlan } from '../../doctor/git-edits/edits-of-plan.js';
import type {
  ChartSource,
  GitEdit,
  GitPlace,
  GitTarget,
  TreeEntry,
} from '../../doctor/git-edits/git-target.js';
import { mayNameValues, valueUsers } from '../../doctor/git-edits/helm/values-file.js';
import { shownDiff } from '../../doctor/git-edits/line-diff.js';
import type { Located, LocatedEdit } from '../../doctor/git-edits/located.js';
import { type GitRefusal, type GitRefusalReason, gitRefusal } from '../../doctor/git-edits/refusal.js';
import type { AuthenticApproval } from '../../doctor/incidents/approval.js';
import type { Statement } from '../../engine/language/statement.js';
import type { JsonObject } from '../../engine/objects/wire.js';
import { locate, textsOf } from './find-git-target.js';
import type { HostCommit, TreeReader } from './git-host.js';
import { gitStatement } from './git-text.js';

/** The change of a plan, made in the tree of its branch as it is now. Nothing is written. */
export interface EditedTree {
  readonly type: 'edited';
  readonly head: string;
  readonly entry: TreeEntry;
  readonly text: string;
  readonly edit: GitEdit;
  /** The changed document: of the workload, or of the object that people own above it. */
  readonly manifest: DeclaredManifest;
}

export interface NotEdited {
  readonly type: 'refused';
  readonly because: Statement;
  /** Where the tree is the reason. */
  readonly reason?: GitRefusalReason;
  /** Values of a chart to set by hand. */
  readonly snippet?: string;
}

/** What is edited. */
export type GitSubject = Pick<AuthenticApproval, 'plan' | 'workload'> & {
  /** Of the revision to go back to, where the plan restores one. */
  readonly template?: JsonObject | undefined;
  /** The workload in the cluster, as a manifest, where a chart renders it. */
  readonly live?: JsonObject | undefined;
};

/**
 * Reads trees and edits them; nothing is written. Files of a repository decide how much work that is, so the
 * processes do it in threads: more than is allowed ends as the refusal `too-large`.
 *
 * Its functions throw DoctorError `git-unavailable` or `git-refused`, see `GitHost`.
 */
export interface GitEditor {
  /** Edits the one source of the target that declares the workload. */
  editSources(target: GitTarget, subject: GitSubject): Promise<EditedTree | NotEdited>;
  editPlace(place: GitPlace, subject: GitSubject): Promise<EditedTree | NotEdited>;
  /**
   * A file as a branch has it, with the message of the newest commit; `undefined` where there is no such
   * branch.
   */
  fileOn(
    repository: string,
    branch: string,
    path: string,
  ): Promise<{ readonly message: string; readonly text: string | undefined } | undefined>;
}

/** An editor that works where it is called: for the threads of the processes. */
export function createGitEditor(host: TreeReader): GitEditor {
  return {
    editSources: (target, subject) => bounded(editInSources(host, target, subject), target, subject),
    editPlace: (place, subject) => bounded(editInGit(host, place, subject), place, subject),
    async fileOn(repository, branch, path) {
      const found = await host.branch(repository, branch);
      const entry = found?.entries.find((each) => each.path === path);
      const text = entry && (await host.text(repository, entry.sha));
      return found && { message: found.message, text };
    },
  };
}

/** What recurses too deeply, or makes a text that is too long, is more than is read. */
async function bounded<Answer>(
  edited: Promise<Answer>,
  place: GitPlace,
  subject: GitSubject,
): Promise<Answer | NotEdited> {
  try {
    return await edited;
  } catch (error) {
    if (error instanceof RangeError) return refusedTree(gitRefusal('too-large'), place, subject);
    throw error;
  }
}

/** Edits the one source of the target that declares the workload. */
async function editInSources(
  host: TreeReader,
  { others = [], ...first }: GitTarget,
  approval: GitSubject,
): Promise<EditedTree | NotEdited> {
  const read: (EditedTree | NotEdited)[] = [];
  for (const place of [first, ...others]) read.push(await editInGit(host, place, approval));
  const declaring = read.filter((each) => each.type === 'edited' || each.reason !== 'not-declared');
  const [only, second] = declaring;
  if (second?.type === 'edited' && only?.type === 'edited') {
    const { file, line, place = first } = second.edit;
    return refusedTree({ ...gitRefusal('declared-twice', line), file }, place, approval);
  }
  return declaring.find(({ type }) => type === 'refused') ?? only ?? (read[0] as NotEdited);
}

/**
 * Edits the tree of the branch as it is now. Where the owner has applied another commit, both must declare
 * the workload by the same text: a plan made for the one would not fit the other.
 */
async function editInGit(
  git: TreeReader,
  place: GitPlace,
  approval: GitSubject,
): Promise<EditedTree | NotEdited> {
  const { repository, revision } = place;
  const { workload, plan, template } = approval;
  const host = rememberReads(git);
  const edits = editsOfPlan(plan);
  if (edits === undefined && template === undefined)
    return refusedTree(gitRefusal('no-git-form'), place, approval);
  const branch = await host.branch(repository, place.branch);
  if (branch === undefined) {
    return { type: 'refused', because: gitStatement('no-branch', { repository, branch: place.branch }) };
  }
  const at = onBranch(place, branch.name);
  const refused = (refusal: GitRefusal): NotEdited => refusedTree(refusal, at, approval);
  const restored = async (present: Located, head: string): Promise<LocatedEdit | GitRefusal> => {
    // No earlier tree is rendered.
    if (present.origin.type === 'chart') return present.restoreTemplate(present);
    const about = { repository, head, present };
    const earlier = await findEarlierTree(host, about, template ?? {}, (tree) =>
      locate({ host, at, tree, isApplied: true, subject: approval }),
    );
    return earlier.type === 'refusal' ? earlier : present.restoreTemplate(earlier);
  };
  const found = await locate({ host, at, tree: branch.entries, isApplied: false, subject: approval });
  const edited =
    found.type === 'refusal'
      ? found
      : edits !== undefined
        ? found.edit(edits)
        : await restored(found, branch.head);
  // The branch has the values already: what its owner applied before does not matter.
  if (found.type === 'located' && edited.type === 'refusal') return refused(edited);
  // A chart may be in another repository, which moves on by itself.
  if (revision !== undefined && (revision !== branch.head || place.chart !== undefined)) {
    const applied = await host.tree(repository, revision);
    if (applied === undefined) return refused({ ...gitRefusal('no-revision'), file: revision });
    const base = await locate({ host, at, tree: applied, isApplied: true, subject: approval });
    if (base.type === 'refusal') return refused(base);
    const isSame = found.type === 'located' && base.fingerprint === found.fingerprint;
    if (!isSame) return refused({ ...gitRefusal('stale-base', base.line), file: base.file.path });
  }
  if (edited.type === 'refusal') return refused(edited);
  const { text: _former, ...entry } = edited.file;
  const { value } = edited;
  const users = value?.isShared === true ? await usersOf(host, at, branch.entries, entry.path) : [];
  return {
    type: 'edited',
    head: branch.head,
    entry,
    text: edited.text,
    edit: {
      place: at,
      file: entry.path,
      line: edited.line,
      blob: entry.sha,
      diff: shownDiff(edited.diff),
      ...(value === undefined ? {} : { value: { ...value, users: [...users] } }),
    },
    manifest: { ...declaredObjectOf(plan, workload), raw: edited.manifest },
  };
}

/** Files of the repository that may read the same values for another release. */
async function usersOf(
  host: TreeReader,
  { repository, chart }: GitPlace,
  tree: readonly TreeEntry[],
  file: string,
): Promise<readonly string[]> {
  const files = await textsOf(host, repository, mayNameValues(tree, file));
  if ('type' in files || chart === undefined) return [];
  return valueUsers(files, { file, folder: chart.folder.path, release: chart.release.name });
}

/** A place with the name of its branch, also for a chart in it. */
function onBranch(place: GitPlace, branch: string): GitPlace {
  const { chart } = place;
  if (chart === undefined) return { ...place, branch };
  const named = (source: ChartSource): ChartSource =>
    source.repository === place.repository && source.branch === place.branch ? { ...source, branch } : source;
  return {
    ...place,
    branch,
    chart: { ...chart, folder: named(chart.folder), files: chart.files.map(named) },
  };
}

export function refusedTree(
  { reason, file, line, detail, snippet }: GitRefusal,
  { repository, path, branch }: GitPlace,
  { plan, workload }: GitSubject,
): NotEdited {
  const { namespace, name } = declaredObjectOf(plan, workload);
  return {
    type: 'refused',
    reason,
    ...(snippet === undefined ? {} : { snippet }),
    because: gitStatement('tree-refused', {
      reason,
      file,
      line,
      detail,
      repository,
      path,
      branch,
      workload: `${namespace}/${name}`,
    }),
  };
}

/** Trees of the same repository share most of their texts, and a chart is read with several of them. */
function rememberReads(host: TreeReader): TreeReader {
  const texts = new Map<string, ReturnType<TreeReader['text']>>();
  const trees = new Map<string, ReturnType<TreeReader['tree']>>();
  return {
    ...host,
    text(repository, sha) {
      const known = texts.get(sha) ?? host.text(repository, sha);
      texts.set(sha, known);
      return known;
    },
    tree(repository, commit) {
      const known = trees.get(`${repository} ${commit}`) ?? host.tree(repository, commit);
      trees.set(`${repository} ${commit}`, known);
      return known;
    },
  };
}

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
async function findEarlierTree(
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
