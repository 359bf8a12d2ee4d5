import { code, type Prose, say, strong } from '../../engine/language/prose.js';

/** The pages of the company's login, for the person who follows the link of a review. */
const en = {
  title: () => say`Confirm a change`,
  heading: ({ title, workload, cluster }: { title: Prose; workload: string; cluster: string }) =>
    say`${title}: ${code(workload)} in cluster ${code(cluster)}`,
  'heading-undo': ({ title, workload, cluster }: { title: Prose; workload: string; cluster: string }) =>
    say`Undo “${title}”: ${code(workload)} in cluster ${code(cluster)}`,
  pressed: ({ at, reason }: { at: string; reason: string }) =>
    say`You pressed Apply in Slack at ${code(at)}, with this reason: ${code(reason)}. If you did not, another person uses your Slack account. Close this page and report it.`,
  'logged-in': ({ subject, issuer }: { subject: string; issuer: string }) =>
    say`You are logged in as ${code(subject)} at ${code(issuer)}.`,
  change: ({ object }: { object: string }) => say`${strong('Change')} to ${code(object)}`,
  deletes: ({ object }: { object: string }) => say`${code(object)} is deleted.`,
  'second-step': ({ pods }: { pods: readonly string[] }) =>
    say`${strong('Step 2')}, when the controller has observed this change, deletes ${code(pods.join(', '))}.`,
  'pull-request': ({ repository }: { repository: string }) =>
    say`The change is proposed as a pull request in ${code(repository)}. Nothing is sent to the cluster.`,
  cut: () => say`The change is too long for this page. Only the beginning is shown.`,
  impact: () => say`${strong('Impact')}`,
  expires: ({ at }: { at: string }) => say`This review expires at ${code(at)}.`,
  confirm: () => say`Confirm this change`,
  approved: ({ workload }: { workload: string }) =>
    say`Approved. The change to ${code(workload)} is being applied. The card in Slack shows the progress.`,
  'approved-pull-request': ({ workload }: { workload: string }) =>
    say`Approved. The pull request for ${code(workload)} is being opened. The card in Slack shows the progress.`,
  awaiting: ({ missing }: { missing: number }) =>
    say`Your approval is recorded. Approvals that are still missing: ${missing}. The card in Slack shows the request.`,
  gone: () =>
    say`This link was already used or has expired. The card in Slack shows whether your approval was recorded. If it was not, press Review again.`,
  /** The page with the button. */
  'page-too-old': () =>
    say`The page with the button was open for too long. Nothing was changed. Open the link in Slack again.`,
  'no-page': () => say`No page exists at this address. Open the link in Slack again, or press Review again.`,
  'not-sent-here': () =>
    say`The confirmation page did not send this form. Nothing was changed. Open the link in Slack again.`,
  'failed-inside': () =>
    say`The confirmation failed because of an error in Rollout Doctor. The card in Slack shows whether your approval was recorded.`,
  'try-again': () =>
    say`Slack or Redis does not answer. The card in Slack shows whether your approval was recorded. If it was not, open the link again in a minute.`,
  declined: () => say`The login was cancelled. Nothing was changed. To try again, open the link in Slack.`,
  'other-person': () =>
    say`You are logged in as a different person from the one who pressed Apply in Slack. Nothing was changed. Log in with your own account, or press Review in Slack yourself.`,
  'too-old': () =>
    say`Your login is too old for this confirmation. Nothing was changed. Log out, then open the link in Slack again.`,
  'too-weak': () =>
    say`Your login was not strong enough for this confirmation. Nothing was changed. Log in with your second factor, then open the link in Slack again.`,
  'no-person': () =>
    say`The login does not state who you are in a form that Rollout Doctor accepts. Nothing was changed. Ask an administrator to run ${code('rollout-doctor doctor')}.`,
  failed: () => say`The login could not be verified. Nothing was changed. Open the link in Slack again.`,
  unavailable: () =>
    say`The company login does not answer. Nothing was changed. Open the link in Slack again in a minute.`,
};

const ko: typeof en = {
  title: () => say`변경 확인`,
  heading: ({ title, workload, cluster }) => say`${title}: 클러스터 ${code(cluster)}의 ${code(workload)}`,
  'heading-undo': ({ title, workload, cluster }) =>
    say`“${title}” 되돌리기: 클러스터 ${code(cluster)}의 ${code(workload)}`,
  pressed: ({ at, reason }) =>
    say`${code(at)}에 Slack에서 적용을 누르셨습니다. 사유: ${code(reason)}. 직접 누르지 않았다면 다른 사람이 Slack 계정을 사용하고 있는 것이니, 이 페이지를 닫고 신고하세요.`,
  'logged-in': ({ subject, issuer }) => say`${code(issuer)}에 ${code(subject)} 계정으로 로그인했습니다.`,
  change: ({ object }) => say`${strong('변경 내용')}: ${code(object)}`,
  deletes: ({ object }) => say`${code(object)} 삭제`,
  'second-step': ({ pods }) =>
    say`${strong('2단계')}: 컨트롤러가 이 변경을 반영하면 ${code(pods.join(', '))} 파드를 삭제합니다.`,
  'pull-request': ({ repository }) =>
    say`변경은 ${code(repository)}의 풀 리퀘스트로 제안합니다. 클러스터에는 아무것도 보내지 않습니다.`,
  cut: () => say`변경 내용이 길어 앞부분만 표시합니다.`,
  impact: () => say`${strong('영향')}`,
  expires: ({ at }) => say`이 검토는 ${code(at)}까지 유효합니다.`,
  confirm: () => say`이 변경 확인`,
  approved: ({ workload }) =>
    say`승인되었습니다. ${code(workload)} 변경을 적용하는 중입니다. 진행 상황은 Slack 카드에서 확인하세요.`,
  'approved-pull-request': ({ workload }) =>
    say`승인되었습니다. ${code(workload)} 풀 리퀘스트를 여는 중입니다. 진행 상황은 Slack 카드에서 확인하세요.`,
  awaiting: ({ missing }) =>
    say`승인이 반영되었습니다. ${missing}명이 더 승인해야 합니다. 승인 요청은 Slack 카드에 표시됩니다.`,
  gone: () =>
    say`이미 사용했거나 만료된 링크입니다. 승인이 반영되었는지 Slack 카드에서 확인하고, 반영되지 않았다면 검토를 다시 눌러 주세요.`,
  'page-too-old': () =>
    say`확인 페이지를 연 지 오래되었습니다. 아무것도 변경하지 않았습니다. Slack에서 링크를 다시 여세요.`,
  'no-page': () => say`이 주소에는 페이지가 없습니다. Slack에서 링크를 다시 열거나 검토를 다시 눌러 주세요.`,
  'not-sent-here': () =>
    say`이 페이지에서 보낸 요청이 아닙니다. 아무것도 변경하지 않았습니다. Slack에서 링크를 다시 열어 주세요.`,
  'failed-inside': () =>
    say`Rollout Doctor 오류로 확인하지 못했습니다. 승인이 반영되었는지 Slack 카드에서 확인하세요.`,
  'try-again': () =>
    say`Slack 또는 Redis가 응답하지 않습니다. 승인이 반영되었는지 Slack 카드에서 확인하고, 반영되지 않았다면 1분 뒤 링크를 다시 여세요.`,
  declined: () =>
    say`로그인이 취소되었습니다. 아무것도 변경하지 않았습니다. 다시 하려면 Slack에서 링크를 여세요.`,
  'other-person': () =>
    say`Slack에서 적용을 누른 사람과 다른 계정으로 로그인했습니다. 아무것도 변경하지 않았습니다. 본인 계정으로 로그인하거나 Slack에서 직접 검토를 눌러 주세요.`,
  'too-old': () =>
    say`로그인한 지 오래되어 확인할 수 없습니다. 아무것도 변경하지 않았습니다. 로그아웃한 뒤 Slack에서 링크를 다시 여세요.`,
  'too-weak': () =>
    say`로그인 인증 수준이 부족합니다. 아무것도 변경하지 않았습니다. 2단계 인증으로 로그인한 뒤 Slack에서 링크를 다시 여세요.`,
  'no-person': () =>
    say`로그인 정보로 누구인지 확인할 수 없습니다. 아무것도 변경하지 않았습니다. 관리자에게 ${code('rollout-doctor doctor')} 실행을 요청하세요.`,
  failed: () =>
    say`로그인을 검증하지 못했습니다. 아무것도 변경하지 않았습니다. Slack에서 링크를 다시 여세요.`,
  unavailable: () =>
    say`회사 로그인이 응답하지 않습니다. 아무것도 변경하지 않았습니다. 1분 뒤 Slack에서 링크를 다시 여세요.`,
};

export const loginText = { en, ko };
