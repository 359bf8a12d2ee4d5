import type { MergeHindrance } from '../../../doctor/incidents/pull-request.js';
import type { Catalogue } from '../../../engine/language/catalogue.js';
import type { Language } from '../../../engine/language/language.js';
import { code, moment, type Prose, person, say, strong } from '../../../engine/language/prose.js';
import { joined } from '../../../engine/language/words.js';

type Shown = {
  readonly title: Prose;
  readonly repository: string;
  readonly number: number | undefined;
};

type Named = Pick<Shown, 'repository' | 'number'>;

export type PullRequestShapes = {
  /** Titles of a card while the cause is still there. */
  readonly 'opening-title': { readonly workload: string };
  readonly 'open-title': Named;
  readonly 'merged-title': Named;
  readonly opening: Shown & { readonly by: readonly string[] };
  readonly open: Shown;
  readonly hindrance: { readonly hindrance: MergeHindrance };
  readonly merged: Shown;
  readonly recovered: Shown;
  /** A merged one that takes a change back, until the cluster has it. */
  readonly undoing: Shown;
  readonly undone: Shown;
  readonly closed: Shown;
  readonly failed: Shown;
  readonly unfollowed: Shown;
  readonly edit: {
    readonly repository: string;
    readonly branch: string;
    readonly file: string;
    readonly line: number;
  };
  readonly checked: { readonly at: string };
  readonly reading: { readonly repository: string };
  readonly approved: { readonly workload: string };
  readonly 'by-hand': Record<string, never>;
};

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
export const pullRequestWords: Catalogue<PullRequestShapes> = {
  en: {
    'opening-title': ({ workload }) => say`⏳ Opening a pull request for ${code(workload)}`,
    'open-title': (shown) => say`🔀 Waiting for merge: ${named(shown)}`,
    'merged-title': (shown) => say`🔀 Merged, not applied yet: ${named(shown)}`,
    opening: ({ by, ...shown }) =>
      say`⏳ ${strong('Opening a pull request')} in ${named(shown)}: ${shown.title}. Approved by ${joined('en', by.map(person))}.`,
    open: (shown) =>
      say`🔀 ${strong('Pull request open')}: ${named(shown)} (${shown.title}). It takes effect when people merge it.`,
    hindrance: ({ hindrance }) => hindrancesEn[hindrance],
    merged: (shown) =>
      say`🔀 ${strong('Pull request merged')}: ${named(shown)}. The cluster has not applied it yet, or the cause is still found.`,
    recovered: (shown) =>
      say`🟢 ${strong('Recovered')}: the cluster applied ${named(shown)}, and the same check finds the cause no longer.`,
    undoing: (shown) =>
      say`🔀 ${strong('Pull request merged')}: ${named(shown)}. The cluster has not applied it yet, or its rollout is not complete.`,
    undone: (shown) =>
      say`⏪ ${strong('Undone')}: the cluster applied ${named(shown)}, and has the former values again.`,
    closed: (shown) =>
      say`⚪ ${strong('Pull request closed')} without a merge: ${named(shown)}. The same change is not proposed again. Choose another fix, or change the manifest by hand.`,
    failed: (shown) => say`🟠 ${strong('No pull request opened')} in ${named(shown)}: ${shown.title}.`,
    unfollowed: (shown) =>
      say`⚪ ${named(shown)} is no longer followed. Press Diagnose again to see the current state.`,
    edit: ({ repository, branch, file, line }) =>
      say`${strong('Change in Git')}: ${code(`${repository}@${branch}`)} ${code(`${file}:${line}`)}`,
    checked: ({ at }) =>
      say`The changed manifest was checked on the cluster ${moment(at)}. Nothing is sent to the cluster: people merge the pull request.`,
    reading: ({ repository }) => say`Reading ${code(repository)} and checking the changed manifest …`,
    approved: ({ workload }) =>
      say`Approved. The pull request for ${code(workload)} is being opened. The card shows the progress.`,
    'by-hand': () =>
      say`To make this change by hand, set these fields in the manifest, in a patch, or in the values that produce them:`,
  },
  ko: {
    'opening-title': ({ workload }) => say`⏳ ${code(workload)} 풀 리퀘스트 여는 중`,
    'open-title': (shown) => say`🔀 병합 대기 중: ${named(shown)}`,
    'merged-title': (shown) => say`🔀 병합됨, 클러스터 반영 대기 중: ${named(shown)}`,
    opening: ({ by, ...shown }) =>
      say`⏳ ${strong('풀 리퀘스트 여는 중')}: ${named(shown)}, ${shown.title}. 승인: ${joined('ko', by.map(person))}`,
    open: (shown) =>
      say`🔀 ${strong('풀 리퀘스트 열림')}: ${named(shown)} (${shown.title}). 사람이 병합하면 적용됩니다.`,
    hindrance: ({ hindrance }) => hindrancesKo[hindrance],
    merged: (shown) =>
      say`🔀 ${strong('풀 리퀘스트 병합됨')}: ${named(shown)}. 클러스터에 아직 반영되지 않았거나 원인이 남아 있습니다.`,
    recovered: (shown) =>
      say`🟢 ${strong('복구됨')}: 클러스터에 ${named(shown)} 변경이 반영되었고, 같은 검사에서 원인이 더 이상 발견되지 않습니다.`,
    undoing: (shown) =>
      say`🔀 ${strong('풀 리퀘스트 병합됨')}: ${named(shown)}. 클러스터에 아직 반영되지 않았거나 롤아웃이 끝나지 않았습니다.`,
    undone: (shown) =>
      say`⏪ ${strong('되돌리기 완료')}: 클러스터에 ${named(shown)} 변경이 반영되어 이전 값으로 돌아왔습니다.`,
    closed: (shown) =>
      say`⚪ ${strong('풀 리퀘스트 닫힘')}(병합되지 않음): ${named(shown)}. 같은 변경의 풀 리퀘스트는 다시 열지 않습니다. 다른 조치를 선택하거나 매니페스트를 직접 수정하세요.`,
    failed: (shown) => say`🟠 ${strong('풀 리퀘스트를 열지 못했습니다')}: ${named(shown)}, ${shown.title}.`,
    unfollowed: (shown) =>
      say`⚪ ${named(shown)} 추적을 마쳤습니다. 현재 상태는 다시 진단을 눌러 확인하세요.`,
    edit: ({ repository, branch, file, line }) =>
      say`${strong('Git 변경 내용')}: ${code(`${repository}@${branch}`)} ${code(`${file}:${line}`)}`,
    checked: ({ at }) =>
      say`변경된 매니페스트를 ${moment(at)}에 클러스터 기준으로 검사했습니다. 클러스터에는 아무것도 보내지 않으며, 풀 리퀘스트는 사람이 병합합니다.`,
    reading: ({ repository }) => say`${code(repository)} 저장소를 읽고 변경된 매니페스트를 검사하는 중 …`,
    approved: ({ workload }) =>
      say`승인되었습니다. ${code(workload)} 풀 리퀘스트를 여는 중입니다. 진행 상황은 카드에서 확인하세요.`,
    'by-hand': () =>
      say`직접 변경하려면 매니페스트나 패치, 또는 이 필드를 만드는 values에 다음 내용을 넣으세요:`,
  },
};

/** Buttons; plain text within Slack's 24 characters for the submit button of a modal. */
export const pullRequestButtons: Readonly<
  Record<
    Language,
    {
      readonly review: string;
      readonly reviewLabel: (title: string, workload: string) => string;
      readonly submit: string;
      readonly view: string;
      readonly viewLabel: (name: string) => string;
    }
  >
> = {
  en: {
    review: 'Open a pull request',
    reviewLabel: (title, workload) => `Review a pull request for ${workload}: ${title}`,
    submit: 'Open pull request',
    view: 'View pull request',
    viewLabel: (name) => `View the pull request ${name}`,
  },
  ko: {
    review: '풀 리퀘스트 열기',
    reviewLabel: (title, workload) => `${workload} 풀 리퀘스트 검토: ${title}`,
    submit: '풀 리퀘스트 열기',
    view: '풀 리퀘스트 보기',
    viewLabel: (name) => `${name} 풀 리퀘스트 보기`,
  },
};
