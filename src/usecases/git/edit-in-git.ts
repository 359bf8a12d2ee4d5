import type { Manifest } from '../../core/check/planned-workload.js';
import { editManifest } from '../../core/git-change/edit-manifest.js';
import { editsOfPlan } from '../../core/git-change/edits-of-plan.js';
import { candidatesIn, findDeclaration } from '../../core/git-change/find-declaration.js';
import type { GitEdit, GitTarget } from '../../core/git-change/git-target.js';
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

/** Files read at the same time. */
const readsAtOnce = 8;

/** @throws DoctorError `git-unavailable` or `git-refused`, see `GitHost` */
export async function editInGit(
  host: GitHost,
  target: GitTarget,
  approval: Pick<AuthenticApproval, 'plan' | 'workload'>,
): Promise<EditedTree | NotEdited> {
  const { repository, branch: name, path } = target;
  const { workload, plan } = approval;
  const refused = ({ reason, file, line }: GitRefusal): NotEdited => ({
    type: 'refused',
    reason,
    because: gitStatement('tree-refused', {
      ...{ reason, file, line, repository, path },
      workload: nameOf(approval),
      branch: name,
    }),
  });
  const edits = editsOfPlan(plan);
  if (edits === undefined) return refused(gitRefusal('no-git-form'));
  const branch = await host.branch(repository, name);
  if (branch === undefined) {
    return { type: 'refused', because: gitStatement('no-branch', { repository, branch: name }) };
  }
  const candidates = candidatesIn(branch.entries, path);
  if (candidates.type === 'refusal') return refused(candidates);
  const files = await textsOf(host, repository, candidates.entries);
  const found = findDeclaration(files, workload);
  if (found.type === 'refusal') return refused(found);
  const { file, position, line } = found;
  const kustomizations = await textsOf(host, repository, candidates.kustomizations);
  const { namespace } = workload;
  const built = kustomizeRefusal({ file: file.path, below: path, namespace }, kustomizations);
  if (built !== undefined) return refused(built);
  const edited = editManifest(file.text, position, edits);
  if (edited.type === 'refusal') return refused({ ...edited, file: file.path });
  const { text: _former, ...entry } = file;
  return {
    type: 'edited',
    head: branch.head,
    entry,
    text: edited.text,
    edit: {
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
