import { canonicalJson } from '../../doctor/fixes/plan.js';
import { templateFrom } from '../../doctor/fixes/template-changes.js';
import type { RolloutCheck } from '../../doctor/forecasts/rollout-check.js';
import { restoresTemplate } from '../../doctor/git-edits/edits-of-plan.js';
import { branchOf, type GitEdit, type GitPlace, type GitTarget } from '../../doctor/git-edits/git-target.js';
import { gitRefusal } from '../../doctor/git-edits/refusal.js';
import type { AuthenticApproval, VerifiedApproval } from '../../doctor/incidents/approval.js';
import { isPastExpiry } from '../../doctor/incidents/approval-transitions.js';
import { gitPlaceOf } from '../../doctor/incidents/pull-request-transitions.js';
import type { Statement } from '../../engine/language/statement.js';
import type { JsonObject } from '../../engine/objects/wire.js';
import { apiVersionOf, type Workload } from '../../engine/objects/workload.js';
import { rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { type ApprovalAuthority, isDistrusted } from '../approve/approval-authority.js';
import { minutesOf } from '../approve/verify-approval.js';
import type { ClusterReader } from '../diagnose/cluster-reader.js';
import { nameOf } from '../diagnose/diagnose-again.js';
import type { DiagnosisEngine } from '../diagnose/engine.js';
import { DoctorError } from '../errors.js';
import { notice } from '../notices/notices.js';
import type { Digest, SharedClock } from '../records/process-ports.js';
import type { EditedTree, GitEditor, GitSubject, NotEdited } from './edit-in-git.js';
import { refusedTree } from './edit-in-git.js';
import type { HostPullRequest, PullRequestHost } from './git-host.js';
import { gitStatement } from './git-text.js';

interface GitWriterDeps {
  readonly host: PullRequestHost;
  readonly editor: GitEditor;
  readonly authority: ApprovalAuthority;
  readonly sharedClock: SharedClock;
  readonly cluster: Pick<ClusterReader, 'snapshot'>;
  readonly engine: DiagnosisEngine;
  readonly digest: Digest;
  /** Whether the settings of this process allow pull requests in the repository. */
  readonly isAllowed: (repository: string) => boolean;
}

export type PullRequestText = { readonly title: string; readonly body: string };

/** An approval of a plan for Git. */
type GitApproval<Approval> = Approval & { readonly gitTarget: GitTarget };

export type Previewed = { readonly type: 'previewed'; readonly edit: GitEdit; readonly check: RolloutCheck };

/** The only writer to Git. */
export interface GitWriter {
  /** Makes the edit without writing it, and checks the changed manifest on the cluster. */
  preview(approval: GitApproval<AuthenticApproval>): Promise<Previewed | NotEdited>;
  /**
   * Opens the pull request with exactly the edit that was reviewed. Right before each write it checks seal
   * and expiry of the approval again. Doing it twice opens one: the host is read first.
   */
  open(
    approval: GitApproval<VerifiedApproval>,
    textOf: (checked: Previewed) => Promise<PullRequestText>,
  ): Promise<{ readonly type: 'opened'; readonly pullRequest: HostPullRequest } | NotEdited>;
  /** The pull request that an earlier attempt may have opened. */
  findOpened(approval: GitApproval<AuthenticApproval>): Promise<HostPullRequest | undefined>;
}

/** Branches that are tried for one change: on the others people have commits. */
const maxBranches = 5;
const trailer = 'Rollout-Doctor-Change';

export function isForGit<Approval extends AuthenticApproval>(
  approval: Approval,
): approval is GitApproval<Approval> {
  return approval.gitTarget !== undefined;
}

/** What makes two changes the same, as a digest; nothing of it depends on the time. */
function changeIdOf(digest: Digest, approval: GitApproval<AuthenticApproval>, file: string): string {
  const { workload, plan, cause } = approval;
  const { repository, branch } = placeOf(approval);
  const { target, changes } = plan;
  const { cluster } = workload;
  return digest(canonicalJson({ cluster, uid: target.uid, cause, repository, branch, file, changes }));
}

/** @throws (all functions) DoctorError `git-unavailable` or `git-refused`, see `GitHost` */
export function createGitWriter({
  host,
  editor,
  authority,
  sharedClock,
  cluster,
  engine,
  digest,
  isAllowed,
}: GitWriterDeps): GitWriter {
  return { preview, open, findOpened };

  async function preview(approval: GitApproval<AuthenticApproval>): Promise<Previewed | NotEdited> {
    const { gitTarget } = approval;
    if (!repositoriesOf(gitTarget).every(isAllowed)) return notAllowed(approval);
    const subject = await gitSubjectOf({ cluster, engine }, approval);
    if (subject.type === 'refused') return subject;
    const edited = await editor.editSources(gitTarget, subject);
    return edited.type === 'refused' ? edited : checked(approval, edited);
  }

  async function checked(
    approval: AuthenticApproval,
    { manifest, edit }: EditedTree,
  ): Promise<Previewed | NotEdited> {
    const workload = nameOf(approval);
    const read = await cluster.snapshot(approval.workload, engine.needs);
    if (read.type !== 'snapshot') {
      const because = gitStatement('unreadable', { workload, cluster: approval.workload.cluster });
      return { type: 'refused', because };
    }
    const check = await engine.check(manifest, read.snapshot);
    const { file } = edit;
    const outcome = check?.outcome ?? 'refused';
    if (check === undefined || outcome === 'deadlock' || outcome === 'stuck' || outcome === 'refused') {
      return { type: 'refused', because: gitStatement('check-failed', { workload, file, outcome }) };
    }
    return { type: 'previewed', edit, check };
  }

  async function open(
    approval: GitApproval<VerifiedApproval>,
    textOf: (checked: Previewed) => Promise<PullRequestText>,
  ): ReturnType<GitWriter['open']> {
    const reviewed = reviewedEdit(approval);
    const place = placeOf(approval);
    const { repository } = place;
    if (!repositoriesOf(place).every(isAllowed)) return notAllowed(approval);
    const first = branchOf(approval.workload, changeIdOf(digest, approval, reviewed.file));
    for (const branch of namesFrom(first)) {
      const [known] = await host.pullRequestsOf(repository, branch);
      if (known?.state === 'closed') {
        return { type: 'refused', because: gitStatement('declined', { url: known.url }) };
      }
      if (known?.state === 'open') return { type: 'opened', pullRequest: known };
      if (known?.state === 'merged') {
        // Unless the merge was reverted, its values only have to reach the cluster.
        const subject = await gitSubjectOf({ cluster, engine }, approval);
        const edited = subject.type === 'refused' ? subject : await editor.editPlace(place, subject);
        const isMerged = edited.type === 'refused' && edited.reason === 'as-wanted';
        if (isMerged) return { type: 'opened', pullRequest: known };
        continue;
      }
      const made = await openOn(approval, branch, reviewed, textOf);
      if (made !== 'taken') return made;
    }
    return { type: 'refused', because: gitStatement('branches-taken', { branch: first }) };
  }

  /** `taken`: the branch holds other commits than ours. */
  async function openOn(
    approval: GitApproval<VerifiedApproval>,
    branch: string,
    reviewed: GitEdit,
    textOf: (checked: Previewed) => Promise<PullRequestText>,
  ): Promise<{ readonly type: 'opened'; readonly pullRequest: HostPullRequest } | NotEdited | 'taken'> {
    const place = placeOf(approval);
    const { repository, branch: base } = place;
    const subject = await gitSubjectOf({ cluster, engine }, approval);
    if (subject.type === 'refused') return subject;
    const edited = await editor.editPlace(place, subject);
    if (edited.type === 'refused') return edited;
    const { file, blob, diff } = edited.edit;
    // In a build, another file may decide where the edit goes: people approved these lines.
    const isSame =
      file === reviewed.file &&
      blob === reviewed.blob &&
      canonicalJson(diff) === canonicalJson(reviewed.diff);
    if (!isSame) {
      return { type: 'refused', because: gitStatement('file-changed', { file }) };
    }
    const previewed = await checked(approval, edited);
    if (previewed.type === 'refused') return previewed;
    const { title, body } = await textOf(previewed);
    const changeId = changeIdOf(digest, approval, file);
    const there = await editor.fileOn(repository, branch, file);
    if (there === undefined) {
      const lapsed = await lapse(approval);
      if (lapsed !== undefined) return lapsed;
      const message = `${title}\n\n${trailer}: ${changeId}`;
      const { entry, text, head: onto } = edited;
      let late: NotEdited | undefined;
      const mayGoOn = async (): Promise<boolean> => {
        late = await lapse(approval);
        return late === undefined;
      };
      const change = { repository, name: branch, onto, entry, text, message, mayGoOn };
      const created = await host.createBranch(change);
      if (created === 'lapsed' && late !== undefined) return late;
      if (created === 'exists') throw overtaken();
    } else {
      const isOurs = there.message.includes(`${trailer}: ${changeId}`) && there.text === edited.text;
      if (!isOurs) return 'taken';
    }
    const lapsed = await lapse(approval);
    if (lapsed !== undefined) return lapsed;
    const marked = `${body}\n\n<!-- rollout-doctor: ${changeId} -->\n`;
    const opened = await host.openPullRequest({ repository, branch, base, title, body: marked });
    if (opened === 'exists') throw overtaken();
    return { type: 'opened', pullRequest: opened };
  }

  async function findOpened(approval: GitApproval<AuthenticApproval>): Promise<HostPullRequest | undefined> {
    const { file } = reviewedEdit(approval);
    for (const branch of namesFrom(branchOf(approval.workload, changeIdOf(digest, approval, file)))) {
      const known = await host.pullRequestsOf(placeOf(approval).repository, branch);
      const found = known.find(({ state }) => state !== 'closed');
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Why the approval does not hold any more at this moment. */
  async function lapse(approval: AuthenticApproval): Promise<NotEdited | undefined> {
    const authentic = authority.authenticate(approval.id, approval);
    if (isDistrusted(authentic)) {
      const { because } = authentic;
      return refused(notice('approval-distrusted', { id: approval.id, because }));
    }
    const now = (await sharedClock.now()).getTime();
    if (!isPastExpiry(approval, now)) return undefined;
    return refused(notice('approval-expired', { minutes: minutesOf(approval) }));
  }
}

/** All that are read, also for a chart. */
function repositoriesOf({ others = [], ...first }: GitTarget): readonly string[] {
  return [first, ...others].flatMap(({ repository, chart }) => [
    repository,
    ...(chart === undefined ? [] : [chart.folder, ...chart.files].map((each) => each.repository)),
  ]);
}

function placeOf(approval: GitApproval<AuthenticApproval>): GitPlace {
  return gitPlaceOf(approval) ?? approval.gitTarget;
}

function notAllowed(approval: AuthenticApproval): NotEdited {
  return refused(gitStatement('no-source', { workload: nameOf(approval) }));
}

function refused(because: Statement): NotEdited {
  return { type: 'refused', because };
}

function namesFrom(first: string): readonly string[] {
  return Array.from({ length: maxBranches }, (_, at) => (at === 0 ? first : `${first}-${at + 1}`));
}

/** The edit that people approved: part of the signed record. */
function reviewedEdit({ dryRun }: AuthenticApproval): GitEdit {
  if (dryRun?.type === 'accepted' && dryRun.edit !== undefined) return dryRun.edit;
  throw new RangeError('an approval for Git without a reviewed edit');
}

/** Another worker writes the same at this moment; the next attempt reads what it made. */
function overtaken(): DoctorError {
  return new DoctorError({
    code: 'git-unavailable',
    message: 'another worker writes the same branch',
    retryable: true,
    retryAfterMs: 5_000,
  });
}

/**
 * What is edited for an approval. The pod template that a plan puts back, and a workload that a chart
 * renders, are read from the cluster each time: they may hold secrets, so no record carries one.
 */
async function gitSubjectOf(
  { cluster, engine }: { cluster: Pick<ClusterReader, 'snapshot'>; engine: Pick<DiagnosisEngine, 'needs'> },
  approval: AuthenticApproval & { readonly gitTarget: GitTarget },
): Promise<({ readonly type: 'subject' } & GitSubject) | NotEdited> {
  const { plan, workload, gitTarget } = approval;
  const { request } = plan;
  const isRestored = restoresTemplate(plan) && request.verb === 'restore-template';
  const isRendered = [gitTarget, ...(gitTarget.others ?? [])].some(({ chart }) => chart !== undefined);
  if (!isRestored && !isRendered) return { type: 'subject', plan, workload };
  const read = await cluster.snapshot(workload, engine.needs);
  if (read.type !== 'snapshot') {
    const because = gitStatement('unreadable', { workload: nameOf(approval), cluster: workload.cluster });
    return { type: 'refused', because };
  }
  const live = manifestOf(read.snapshot.workload);
  if (!isRestored) return { type: 'subject', plan, workload, live };
  const template = templateFrom(rolloutStateOf(read.snapshot), request.from);
  return template === undefined
    ? refusedTree(gitRefusal('no-earlier-template'), gitTarget, approval)
    : { type: 'subject', plan, workload, template: template.raw, live };
}

/** What the cluster has, in the form of a manifest: no chart is rendered. */
function manifestOf({ kind, metadata, spec }: Workload): JsonObject {
  const { namespace, name, labels } = metadata;
  return {
    apiVersion: apiVersionOf(kind),
    kind,
    metadata: { namespace, name, labels },
    spec: { ...spec, template: spec.template.raw },
  };
}
