import type { Manifest } from '../../core/check/planned-workload.js';
import { editManifest } from '../../core/git-change/edit-manifest.js';
import { editsOfPlan } from '../../core/git-change/edits-of-plan.js';
import { candidatesIn, type Declaration, findDeclaration } from '../../core/git-change/find-declaration.js';
import type { GitEdit, GitPlace, GitTarget } from '../../core/git-change/git-target.js';
import { kustomizeRefusal } from '../../core/git-change/kustomization.js';
import { manifestAt } from '../../core/git-change/parse-manifest.js';
import { type GitRefusal, type GitRefusalReason, gitRefusal } from '../../core/git-change/refusal.js';
import type { TreeEntry, TreeFile } from '../../core/git-change/tree-file.js';
import type { AuthenticApproval } from '../../core/incident/approval.js';
import type { Statement } from '../../core/language/statement.js';
import { nameOf } from '../diagnose/diagnose-again.js';
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

type Subject = Pick<AuthenticApproval, 'plan' | 'workload'>;

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
  approval: Subject,
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
  host: GitHost,
  place: GitPlace,
  approval: Subject,
): Promise<EditedTree | NotEdited> {
  const { repository, revision } = place;
  const { workload, plan } = approval;
  const edits = editsOfPlan(plan);
  if (edits === undefined) return refusedTree(gitRefusal('no-git-form'), place, approval);
  const branch = await host.branch(repository, place.branch);
  if (branch === undefined) {
    return { type: 'refused', because: gitStatement('no-branch', { repository, branch: place.branch }) };
  }
  const at = { ...place, branch: branch.name };
  const refused = (refusal: GitRefusal): NotEdited => refusedTree(refusal, at, approval);
  const found = await locate(host, at, branch.entries, approval);
  const edited = found.type === 'refusal' ? found : editManifest(found.file.text, found.position, edits);
  if (found.type === 'declaration' && edited.type === 'refusal') {
    return refused({ ...edited, file: found.file.path });
  }
  if (revision !== undefined && revision !== branch.head) {
    const applied = await host.tree(repository, revision);
    if (applied === undefined) return refused({ ...gitRefusal('no-revision'), file: revision });
    const base = await locate(host, at, applied, approval);
    if (base.type === 'refusal') return refused(base);
    const isSame =
      found.type === 'declaration' && base.file.path === found.file.path && base.file.sha === found.file.sha;
    if (!isSame) return refused({ ...gitRefusal('stale-base', base.line), file: base.file.path });
  }
  if (found.type === 'refusal') return refused(found);
  if (edited.type === 'refusal') return refused(edited);
  const { file, position, line } = found;
  const { text: _former, ...entry } = file;
  return {
    type: 'edited',
    head: branch.head,
    entry,
    text: edited.text,
    edit: {
      place: at,
      file: file.path,
      line,
      blob: file.sha,
      diff: edited.diff.map(({ sign, text }) => `${sign}${text}`),
    },
    manifest: {
      kind: workload.kind,
      namespace: workload.namespace,
      name: workload.name,
      raw: manifestAt(edited.text, position),
    },
  };
}

/** The one document of a tree that declares the workload and may be edited. */
async function locate(
  host: GitHost,
  { repository, path, isFlat }: GitPlace,
  tree: readonly TreeEntry[],
  { workload }: Subject,
): Promise<Declaration | GitRefusal> {
  const candidates = candidatesIn(tree, { path, isFlat });
  if (candidates.type === 'refusal') return candidates;
  const found = findDeclaration(await textsOf(host, repository, candidates.entries), workload);
  if (found.type === 'refusal') return found;
  const kustomizations = await textsOf(host, repository, candidates.kustomizations);
  const { namespace } = workload;
  return kustomizeRefusal({ file: found.file.path, below: path, namespace }, kustomizations) ?? found;
}

function refusedTree(
  { reason, file, line }: GitRefusal,
  { repository, path, branch }: GitPlace,
  approval: Subject,
): NotEdited {
  return {
    type: 'refused',
    reason,
    because: gitStatement('tree-refused', {
      ...{ reason, file, line, repository, path, branch },
      workload: nameOf(approval),
    }),
  };
}

async function textsOf(
  host: GitHost,
  repository: string,
  entries: readonly TreeEntry[],
): Promise<readonly TreeFile[]> {
  const files: TreeFile[] = [];
  for (let from = 0; from < entries.length; from += readsAtOnce) {
    const some = entries.slice(from, from + readsAtOnce);
    const read = some.map(async (entry) => ({ ...entry, text: await host.text(repository, entry.sha) }));
    files.push(...(await Promise.all(read)));
  }
  return files;
}
