import type { Manifest } from '../../core/check/planned-workload.js';
import type { JsonObject } from '../../core/cluster/wire.js';
import { editsOfPlan } from '../../core/git-change/edits-of-plan.js';
import {
  candidatesIn,
  maxFileBytes,
  maxTotalBytes,
  tooLargeTogether,
} from '../../core/git-change/find-declaration.js';
import type { GitEdit, GitPlace, GitTarget } from '../../core/git-change/git-target.js';
import type { DiffLine } from '../../core/git-change/line-diff.js';
import { type Located, type LocatedEdit, locateDeclaration } from '../../core/git-change/located.js';
import { type GitRefusal, type GitRefusalReason, gitRefusal } from '../../core/git-change/refusal.js';
import type { TreeEntry, TreeFile } from '../../core/git-change/tree-file.js';
import { treeReads } from '../../core/git-change/tree-reads.js';
import type { AuthenticApproval } from '../../core/incident/approval.js';
import type { Statement } from '../../core/language/statement.js';
import { redact } from '../../core/redaction/redact.js';
import { nameOf } from '../diagnose/diagnose-again.js';
import { findEarlierTree } from './find-earlier-tree.js';
import type { GitHost } from './git-host.js';
import { gitStatement } from './git-text.js';

/** The change of a plan, made in the tree of its branch as it is now. Nothing is written. */
export interface EditedTree {
  readonly type: 'edited';
  readonly head: string;
  readonly entry: TreeEntry;
  readonly text: string;
  readonly edit: GitEdit;
  /** The changed document. */
  readonly manifest: Manifest;
}

export interface NotEdited {
  readonly type: 'refused';
  readonly because: Statement;
  /** Where the tree is the reason. */
  readonly reason?: GitRefusalReason;
}

/** What is edited. */
export type GitSubject = Pick<AuthenticApproval, 'plan' | 'workload'> & {
  /** Of the revision to go back to, where the plan restores one. */
  readonly template?: JsonObject | undefined;
};

/** Files read at the same time. */
const readsAtOnce = 8;

/**
 * Edits the one source of the target that declares the workload.
 *
 * @throws DoctorError `git-unavailable` or `git-refused`, see `GitHost`
 */
export async function editInSources(
  host: GitHost,
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
 * Edits the tree of the branch as it is now. Where the owner has applied another commit, both must declare the workload
 * by the same text: a plan made for the one would not fit the other.
 *
 * @throws DoctorError `git-unavailable` or `git-refused`, see `GitHost`
 */
export async function editInGit(
  git: GitHost,
  place: GitPlace,
  approval: GitSubject,
): Promise<EditedTree | NotEdited> {
  const { repository, revision } = place;
  const { workload, plan, template } = approval;
  const host = rememberTexts(git);
  const edits = editsOfPlan(plan);
  if (edits === undefined && template === undefined)
    return refusedTree(gitRefusal('no-git-form'), place, approval);
  const branch = await host.branch(repository, place.branch);
  if (branch === undefined) {
    return { type: 'refused', because: gitStatement('no-branch', { repository, branch: place.branch }) };
  }
  const at = { ...place, branch: branch.name };
  const refused = (refusal: GitRefusal): NotEdited => refusedTree(refusal, at, approval);
  const restored = async (present: Located, head: string): Promise<LocatedEdit | GitRefusal> => {
    const about = { repository, head, present };
    const earlier = await findEarlierTree(host, about, template ?? {}, (tree) =>
      locate(host, at, tree, approval),
    );
    return earlier.type === 'refusal' ? earlier : present.restoreTemplate(earlier);
  };
  const found = await locate(host, at, branch.entries, approval);
  const edited =
    found.type === 'refusal'
      ? found
      : edits !== undefined
        ? found.edit(edits)
        : await restored(found, branch.head);
  // The branch has the values already: what its owner applied before does not matter.
  if (found.type === 'located' && edited.type === 'refusal') return refused(edited);
  if (revision !== undefined && revision !== branch.head) {
    const applied = await host.tree(repository, revision);
    if (applied === undefined) return refused({ ...gitRefusal('no-revision'), file: revision });
    const base = await locate(host, at, applied, approval);
    if (base.type === 'refusal') return refused(base);
    const isSame = found.type === 'located' && base.fingerprint === found.fingerprint;
    if (!isSame) return refused({ ...gitRefusal('stale-base', base.line), file: base.file.path });
  }
  if (edited.type === 'refusal') return refused(edited);
  const { text: _former, ...entry } = edited.file;
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
      diff: redactedDiff(edited.diff),
    },
    manifest: {
      kind: workload.kind,
      namespace: workload.namespace,
      name: workload.name,
      raw: edited.manifest,
    },
  };
}

/** The one declaration of the workload in a tree. */
async function locate(
  host: GitHost,
  { repository, path, isFlat, readsOutside }: GitPlace,
  tree: readonly TreeEntry[],
  { workload }: GitSubject,
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
    workload,
  );
}

export function refusedTree(
  { reason, file, line, detail }: GitRefusal,
  { repository, path, branch }: GitPlace,
  approval: GitSubject,
): NotEdited {
  return {
    type: 'refused',
    reason,
    because: gitStatement('tree-refused', {
      ...{ reason, file, line, detail, repository, path, branch },
      workload: nameOf(approval),
    }),
  };
}

/** Trees of the same repository share most of their texts. */
function rememberTexts(host: GitHost): GitHost {
  const texts = new Map<string, Promise<string>>();
  return {
    ...host,
    text(repository, sha) {
      const known = texts.get(sha) ?? host.text(repository, sha);
      texts.set(sha, known);
      return known;
    },
  };
}

/** Lines of a manifest may hold secrets, and a record keeps them. */
function redactedDiff(diff: readonly DiffLine[]): readonly string[] {
  const lines = redact(diff.map(({ text }) => text).join('\n')).split('\n');
  return diff.map(({ sign }, at) => `${sign}${lines[at] ?? ''}`);
}

/** A host that lists no sizes gives texts of any size; the first one that is too large ends the reading. */
async function textsOf(
  host: GitHost,
  repository: string,
  entries: readonly TreeEntry[],
): Promise<readonly TreeFile[] | GitRefusal> {
  const files: TreeFile[] = [];
  let total = 0;
  for (let from = 0; from < entries.length; from += readsAtOnce) {
    const some = entries.slice(from, from + readsAtOnce);
    const read = some.map(async (entry) => ({ ...entry, text: await host.text(repository, entry.sha) }));
    for (const file of await Promise.all(read)) {
      total += file.text.length;
      if (file.text.length > maxFileBytes) return { ...gitRefusal('too-large'), file: file.path };
      if (total > maxTotalBytes) return { ...gitRefusal('too-many-files'), file: file.path };
      files.push(file);
    }
  }
  return files;
}
