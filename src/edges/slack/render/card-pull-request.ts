import type { Button, KnownBlock } from '@slack/types';
import { mainFindingOf } from '../../../doctor/findings/main-finding.js';
import type { Remediation } from '../../../doctor/fixes/remediation.js';
import { byRecommendation, mayLead } from '../../../doctor/fixes/with-drift.js';
import { mayHaveGitForm } from '../../../doctor/git-edits/edits-of-plan.js';
import type { Incident } from '../../../doctor/incidents/incident.js';
import type { MergeHindrance, PullRequestState } from '../../../doctor/incidents/pull-request.js';
import { isPullRequestUnderWay } from '../../../doctor/incidents/pull-request-transitions.js';
import type { Language } from '../../../engine/language/language.js';
import { code, moment, type Prose, person, say, sentences, strong } from '../../../engine/language/prose.js';
import { joined } from '../../../engine/language/words.js';
import { actionIds, linkActionPrefix, remediationValue } from './action-ids.js';
import { button, line, linkButton } from './blocks.js';
import { type CardContext, workloadName } from './card-context.js';
import { cardText } from './card-text.js';
import { toPlainText } from './prose.js';

/**
 * The title while a pull request is under way: somebody has decided, and nothing else should be changed
 * meanwhile.
 *
 * @returns `undefined` where none is, or its cause is gone
 */
export function pullRequestTitle({
  pullRequest,
  diagnosis,
  workload,
  language,
}: Incident): Prose | undefined {
  const words = pullRequestWords[language];
  if (pullRequest === undefined || diagnosis === undefined) return undefined;
  if (mainFindingOf(diagnosis).main === undefined) return undefined;
  const { state, number, target } = pullRequest;
  if (state === 'opening')
    return words['opening-title']({ workload: `${workload.namespace}/${workload.name}` });
  if (state !== 'open' && state !== 'merged') return undefined;
  return words[`${state}-title`]({ repository: target.repository, number });
}

/** How far the pull request came, with a link to it unless that is the first button of the card. */
export function pullRequestBlocks({ incident, tell, size }: CardContext): KnownBlock[] {
  const { pullRequest, language } = incident;
  if (pullRequest === undefined) return [];
  const { state, number, target, title, undoes, approvedBy, hindrance, failure } = pullRequest;
  const words = pullRequestWords[language];
  const { repository } = target;
  const told = tell(title, language);
  const shown = {
    title: undoes === true ? cardText[language]['undo-of']({ title: told }) : told,
    repository,
    number,
  };
  const says =
    state === 'opening' ? words.opening({ ...shown, by: approvedBy }) : words[wordOf(state, undoes)](shown);
  const [link] = isPullRequestUnderWay(incident) ? [] : viewButton(incident);
  return [
    line(
      sentences(
        says,
        state === 'open' && hindrance !== undefined ? words.hindrance({ hindrance }) : [],
        failure === undefined ? [] : tell(failure, language),
      ),
      link,
      size,
    ),
  ];
}

/** Opens the pull request at its host; none until the host has it. */
export function viewButton({ pullRequest, language }: Incident, style?: 'primary'): readonly Button[] {
  if (pullRequest?.url === undefined) return [];
  const { url, number, target } = pullRequest;
  const { view } = pullRequestButtons[language];
  return [
    linkButton({
      actionId: `${linkActionPrefix}pull-request`,
      text: view,
      about: `${target.repository}#${number}`,
      url,
      ...(style === undefined ? {} : { style }),
    }),
  ];
}

/** An undo ends no cause, so its words promise none. */
function wordOf(state: Exclude<PullRequestState, 'opening'>, undoes = false) {
  if (undoes && state === 'merged') return 'undoing';
  return undoes && state === 'recovered' ? 'undone' : state;
}

/**
 * The first of these fixes that a pull request can propose: it has a form in a manifest, and Git declares the
 * workload.
 */
function fixForGit(
  { incident, hasGitSource }: CardContext,
  fixes: readonly Remediation[],
): Remediation | undefined {
  const { workload, pullRequest, diagnosis } = incident;
  const owners = diagnosis?.findings.flatMap((finding) => finding.owners) ?? [];
  const name = diagnosis?.ownedBy?.name ?? workload.name;
  const isDeclared = [workload, { ...workload, name }].some((each) => hasGitSource?.(each, owners) === true);
  if (!isDeclared || isPullRequestUnderWay(incident)) return undefined;
  const fix = fixes.find(mayHaveGitForm);
  const isDeclined =
    pullRequest?.state === 'closed' && pullRequest.undoes !== true && pullRequest.remediationId === fix?.id;
  return isDeclined ? undefined : fix;
}

/** Whether the pull request is the fix to put forward: a change of the cluster alone may not last. */
function isBetterInGit({ survival }: Remediation): boolean {
  return survival !== undefined && survival.verdict.type !== 'stays';
}

/**
 * The fix that a card puts forward. Where a pull request leads, it is the same fix, so that the pull request
 * and the change made now are one plan; otherwise the first fix that lasts long enough to help.
 */
export function leadingFix(context: CardContext): {
  readonly fix: Remediation | undefined;
  /** The fix that a pull request can propose. */
  readonly forGit: Remediation | undefined;
  readonly leadsInGit: boolean;
} {
  const { diagnosis } = context.incident;
  const main = diagnosis === undefined ? undefined : mainFindingOf(diagnosis).main;
  const { lead } = byRecommendation(fixesOf(context));
  const own = fixForGit(context, main?.remediations ?? []);
  const forGit = own ?? fixForGit(context, fixesOf(context));
  const isHelpful = own !== undefined && isBetterInGit(own) && mayLead(own);
  return {
    fix: isHelpful ? own : lead,
    forGit,
    leadsInGit: forGit !== undefined && isBetterInGit(forGit) && forGit.afterWaiting !== true,
  };
}

/** Those of the main finding first. What another finding offers as well is shown once. */
export function fixesOf({ incident }: CardContext): readonly Remediation[] {
  const { diagnosis } = incident;
  if (diagnosis === undefined) return [];
  const { main, others } = mainFindingOf(diagnosis);
  const all = [...(main === undefined ? [] : [main]), ...others].flatMap(({ remediations }) => remediations);
  return all.filter(({ id }, at) => all.findIndex((other) => other.id === id) === at);
}

/** Opens the review of a pull request for this fix. */
export function pullRequestButton({ incident, tell }: CardContext, fix: Remediation): Button {
  const { language, id } = incident;
  const { review } = pullRequestButtons[language];
  return button({
    actionId: actionIds.reviewInGit,
    text: review,
    about: `${toPlainText(tell(fix.title, language))}, ${workloadName(incident)}`,
    value: remediationValue(id, fix.id),
    ...(isBetterInGit(fix) ? { style: 'primary' } : {}),
  });
}

type Shown = { readonly title: Prose; readonly repository: string; readonly number: number | undefined };

type Named = Pick<Shown, 'repository' | 'number'>;

const named = ({ repository, number }: Named): Prose =>
  number === undefined ? say`${code(repository)}` : say`${code(`${repository}#${number}`)}`;

const hindrancesEn: Readonly<Record<MergeHindrance, Prose>> = {
  conflicts: say`The base branch changed the same lines. Resolve the conflict on the branch of the pull request.`,
  behind: say`The base branch moved on. Update the branch before you merge it.`,
  checks: say`Its checks fail or have not finished. Open it to see which.`,
  protected: say`A review or a required check is missing. Open it to see which.`,
  draft: say`It is a draft. Mark it as ready to merge it.`,
};

const hindrancesKo: Readonly<Record<MergeHindrance, Prose>> = {
  conflicts: say`베이스 브랜치에서 같은 줄이 변경되었습니다. 풀 리퀘스트의 브랜치에서 충돌을 해결하세요.`,
  behind: say`베이스 브랜치가 앞서 있습니다. 병합하기 전에 브랜치를 업데이트하세요.`,
  checks: say`검사가 실패했거나 아직 끝나지 않았습니다. 풀 리퀘스트에서 확인하세요.`,
  protected: say`리뷰나 필수 검사가 남아 있습니다. 풀 리퀘스트에서 확인하세요.`,
  draft: say`초안 상태입니다. 병합하려면 검토 준비 완료로 변경하세요.`,
};

/** What a card and a review state about a pull request. */
const en = {
  /** Titles of a card while the cause is still there. */
  'opening-title': ({ workload }: { workload: string }) =>
    say`⏳ Opening a pull request for ${code(workload)}`,
  'open-title': (shown: Named) => say`🔀 Waiting for merge: ${named(shown)}`,
  'merged-title': (shown: Named) => say`🔀 Merged, not applied yet: ${named(shown)}`,
  opening: ({ by, ...shown }: Shown & { by: readonly string[] }) =>
    say`⏳ ${strong('Opening a pull request')} in ${named(shown)}: ${shown.title}. Approved by ${joined('en', by.map(person))}.`,
  open: (shown: Shown) =>
    say`🔀 ${strong('Pull request open')}: ${named(shown)} (${shown.title}). It takes effect once it is merged and the cluster has applied it.`,
  hindrance: ({ hindrance }: { hindrance: MergeHindrance }) => hindrancesEn[hindrance],
  merged: (shown: Shown) =>
    say`🔀 ${strong('Pull request merged')}: ${named(shown)}. Waiting until the cluster has applied it and the cause is gone.`,
  recovered: (shown: Shown) =>
    say`🟢 ${strong('Recovered')}: the cluster applied ${named(shown)}. Verified: the cause is gone.`,
  /** A merged one that takes a change back, until the cluster has it. */
  undoing: (shown: Shown) =>
    say`🔀 ${strong('Pull request merged')}: ${named(shown)}. Waiting until the cluster has applied it and the rollout is complete.`,
  undone: (shown: Shown) =>
    say`⏪ ${strong('Undone')}: the cluster applied ${named(shown)}, and has the former values again.`,
  closed: (shown: Shown) =>
    say`⚪ ${strong('Pull request closed')} without a merge: ${named(shown)}. The same change is not proposed again. Choose another fix, or change the manifest by hand.`,
  failed: (shown: Shown) => say`🟠 ${strong('No pull request opened')} in ${named(shown)}: ${shown.title}.`,
  unfollowed: (shown: Shown) =>
    say`⚪ ${named(shown)} is no longer followed. Press Diagnose again to see the current state.`,
  edit: (values: { repository: string; branch: string; file: string; line: number }) =>
    say`${strong('Change in Git')}: ${code(`${values.repository}@${values.branch}`)} ${code(`${values.file}:${values.line}`)}`,
  checked: ({ at }: { at: string }) =>
    say`The changed manifest was checked on the cluster ${moment(at)}. Nothing is sent to the cluster: people merge the pull request.`,
  reading: ({ repository }: { repository: string }) =>
    say`Reading ${code(repository)} and checking the changed manifest …`,
  approved: ({ workload }: { workload: string }) =>
    say`Approved. The pull request for ${code(workload)} is being opened. The card shows the progress.`,
  'by-hand': () =>
    say`To make this change by hand, set these fields in the manifest, in a patch, or in the values that produce them:`,
};

const ko: typeof en = {
  'opening-title': ({ workload }) => say`⏳ ${code(workload)} 풀 리퀘스트 여는 중`,
  'open-title': (shown) => say`🔀 병합 대기 중: ${named(shown)}`,
  'merged-title': (shown) => say`🔀 병합됨, 클러스터 반영 대기 중: ${named(shown)}`,
  opening: ({ by, ...shown }) =>
    say`⏳ ${strong('풀 리퀘스트 여는 중')}: ${named(shown)}, ${shown.title}. 승인: ${joined('ko', by.map(person))}`,
  open: (shown) =>
    say`🔀 ${strong('풀 리퀘스트 열림')}: ${named(shown)} (${shown.title}). 병합되어 클러스터에 반영되면 적용됩니다.`,
  hindrance: ({ hindrance }) => hindrancesKo[hindrance],
  merged: (shown) =>
    say`🔀 ${strong('풀 리퀘스트 병합됨')}: ${named(shown)}. 클러스터에 반영되어 원인이 사라지기를 기다리는 중입니다.`,
  recovered: (shown) =>
    say`🟢 ${strong('복구됨')}: 클러스터에 ${named(shown)} 변경이 반영되었습니다. 원인이 사라진 것을 확인했습니다.`,
  undoing: (shown) =>
    say`🔀 ${strong('풀 리퀘스트 병합됨')}: ${named(shown)}. 클러스터에 반영되어 롤아웃이 끝나기를 기다리는 중입니다.`,
  undone: (shown) =>
    say`⏪ ${strong('되돌리기 완료')}: 클러스터에 ${named(shown)} 변경이 반영되어 이전 값으로 돌아왔습니다.`,
  closed: (shown) =>
    say`⚪ ${strong('풀 리퀘스트 닫힘')}(병합되지 않음): ${named(shown)}. 같은 변경의 풀 리퀘스트는 다시 열지 않습니다. 다른 조치를 선택하거나 매니페스트를 직접 수정하세요.`,
  failed: (shown) => say`🟠 ${strong('풀 리퀘스트를 열지 못했습니다')}: ${named(shown)}, ${shown.title}.`,
  unfollowed: (shown) => say`⚪ ${named(shown)} 추적을 마쳤습니다. 현재 상태는 다시 진단을 눌러 확인하세요.`,
  edit: ({ repository, branch, file, line }) =>
    say`${strong('Git 변경 내용')}: ${code(`${repository}@${branch}`)} ${code(`${file}:${line}`)}`,
  checked: ({ at }) =>
    say`변경된 매니페스트를 ${moment(at)}에 클러스터 기준으로 검사했습니다. 클러스터에는 아무것도 보내지 않으며, 풀 리퀘스트는 사람이 병합합니다.`,
  reading: ({ repository }) => say`${code(repository)} 저장소를 읽고 변경된 매니페스트를 검사하는 중 …`,
  approved: ({ workload }) =>
    say`승인되었습니다. ${code(workload)} 풀 리퀘스트를 여는 중입니다. 진행 상황은 카드에서 확인하세요.`,
  'by-hand': () =>
    say`직접 변경하려면 매니페스트나 패치, 또는 이 필드를 만드는 values에 다음 내용을 넣으세요:`,
};

export const pullRequestWords = { en, ko };

/** Buttons; plain text within Slack's 24 characters for the submit button of a modal. */
export const pullRequestButtons: Readonly<
  Record<Language, { readonly review: string; readonly submit: string; readonly view: string }>
> = {
  en: { review: 'Open a pull request', submit: 'Open pull request', view: 'View pull request' },
  ko: { review: '풀 리퀘스트 열기', submit: '풀 리퀘스트 열기', view: '풀 리퀘스트 보기' },
};
