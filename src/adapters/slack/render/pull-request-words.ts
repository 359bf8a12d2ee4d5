import type { Catalogue } from '../../../core/language/catalogue.js';
import type { Language } from '../../../core/language/language.js';
import { code, moment, type Prose, person, say, strong } from '../../../core/language/prose.js';
import { joined } from '../../../core/language/words.js';

type None = Record<string, never>;
type Shown = {
  readonly title: Prose;
  readonly repository: string;
  readonly number: number | undefined;
};

export type PullRequestShapes = {
  readonly opening: Shown & { readonly by: readonly string[] };
  readonly open: Shown;
  readonly conflicts: None;
  readonly merged: Shown;
  readonly recovered: Shown;
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
};

const named = ({ repository, number }: Shown): Prose =>
  number === undefined ? say`${code(repository)}` : say`${code(`${repository}#${number}`)}`;

/** What a card and a review state about a pull request. */
export const pullRequestWords: Catalogue<PullRequestShapes> = {
  en: {
    opening: ({ by, ...shown }) =>
      say`⏳ ${strong('Opening a pull request')} in ${named(shown)}: ${shown.title}. Approved by ${joined('en', by.map(person))}.`,
    open: (shown) =>
      say`🔀 ${strong('Pull request open')}: ${named(shown)} (${shown.title}). It takes effect when people merge it.`,
    conflicts: () => say`It has conflicts and cannot be merged as it is.`,
    merged: (shown) =>
      say`🔀 ${strong('Pull request merged')}: ${named(shown)}. The cluster has not applied it yet, or the cause is still found.`,
    recovered: (shown) =>
      say`🟢 ${strong('Recovered')}: the cluster applied ${named(shown)}, and the same check finds the cause no longer.`,
    closed: (shown) => say`⚪ ${strong('Pull request closed')} without a merge: ${named(shown)}.`,
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
  },
  ko: {
    opening: ({ by, ...shown }) =>
      say`⏳ ${strong('풀 리퀘스트 여는 중')}: ${named(shown)}, ${shown.title}. 승인: ${joined('ko', by.map(person))}`,
    open: (shown) =>
      say`🔀 ${strong('풀 리퀘스트 열림')}: ${named(shown)} (${shown.title}). 사람이 병합하면 적용됩니다.`,
    conflicts: () => say`충돌이 있어 이대로는 병합할 수 없습니다.`,
    merged: (shown) =>
      say`🔀 ${strong('풀 리퀘스트 병합됨')}: ${named(shown)}. 클러스터에 아직 반영되지 않았거나 원인이 남아 있습니다.`,
    recovered: (shown) =>
      say`🟢 ${strong('복구됨')}: 클러스터에 ${named(shown)} 변경이 반영되었고, 같은 검사에서 원인이 더 이상 발견되지 않습니다.`,
    closed: (shown) => say`⚪ ${strong('풀 리퀘스트 닫힘')}(병합되지 않음): ${named(shown)}`,
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
