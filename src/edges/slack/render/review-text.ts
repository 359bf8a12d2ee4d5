import type { Language } from '../../../engine/language/language.js';
import { code, moment, type Prose, person, say, strong, word } from '../../../engine/language/prose.js';
import { joined, names } from '../../../engine/language/words.js';
import type { Owner } from '../../../engine/owners/field-drift.js';

/** Whom the policy lets approve: user ids, and handles of user groups. */
type Approvers = { readonly users: readonly string[]; readonly groups: readonly string[] };

function whoOf({ users, groups }: Approvers) {
  return [...groups.map((group) => code(`@${group}`)), ...users.map(person)];
}

/** An operator has no name of its own, and `kubectl apply` manages nothing between two calls. */
const managedBy: { readonly [Each in Language]: (owner: Owner['by']) => string } = {
  en: (owner) => {
    if (owner === 'kubectl apply') return 'This object is applied with kubectl apply';
    return `${owner === 'operator' ? 'An operator' : owner} manages this object`;
  },
  ko: (owner) => {
    if (owner === 'kubectl apply') return '이 오브젝트는 kubectl apply로 적용합니다';
    return owner === 'operator'
      ? '이 오브젝트는 오퍼레이터가 관리합니다'
      : `이 오브젝트는 ${owner} 관리 대상입니다`;
  },
};

const en = {
  loading: () => say`Reading the current state of the cluster and planning the change again …`,
  heading: ({ title, workload, cluster }: { title: Prose; workload: string; cluster: string }) =>
    say`${title}: ${code(workload)} in cluster ${code(cluster)}`,
  'heading-undo': ({ title, workload, cluster }: { title: Prose; workload: string; cluster: string }) =>
    say`Undo “${title}”: ${code(workload)} in cluster ${code(cluster)}`,
  change: () => say`${strong('Change')}`,
  'change-of': ({ object }: { object: string }) => say`${strong('Change')} to ${code(object)}`,
  deletes: ({ object }: { object: string }) => say`${code(object)} is deleted.`,
  /** What follows the change under the same approval. */
  'second-step': ({ pods }: { pods: readonly string[] }) =>
    say`${strong('Step 2')}, when the controller has observed this change: ${names('en', pods)} ${word(pods.length === 1 ? 'is' : 'are')} deleted.`,
  happens: () => say`${strong('What happens')}`,
  price: () => say`${strong('Impact')}`,
  asked: (approvers: Approvers) =>
    say`Asked ${joined('en', whoOf(approvers))} in the thread. You can close this window.`,
  /** In place of what happens and its impact, where an undo could not be simulated. */
  'undo-unknown': () => say`The effect of this undo could not be simulated. It is unknown whether pods stop.`,
  'dry-run': ({ at }: { at: string }) => say`The API server accepted this change in a dry run ${moment(at)}.`,
  'dry-run-both': ({ at }: { at: string }) =>
    say`The API server accepted both steps in a dry run ${moment(at)}.`,
  'dry-run-asked': () =>
    say`Running a dry run of this change on the API server … You can apply the change when the dry run succeeds. If this takes longer than a minute, close this window and press Review again.`,
  'dry-run-unanswered': ({ seconds }: { seconds: number }) =>
    say`${strong('Dry run timed out:')} no result arrived within ${seconds} seconds. Nothing was changed. Close this window and press Review again. If this happens again, check that the remediation worker is running.`,
  mutated: ({ paths }: { paths: readonly string[] }) =>
    say`${strong('Warning:')} an admission webhook would write different values to ${names('en', paths)}.`,
  owner: ({ owner, object }: { owner: Owner['by']; object: string }) =>
    say`${strong(managedBy.en(owner))} (${code(object)}).`,
  lasts: () => say`${strong('Does the change last?')}`,
  'lasting-change': () =>
    say`To keep this change, also apply it where the object is declared (for example in Git).`,
  'more-people': ({ needs, missing }: { needs: number; missing: number }) =>
    say`This change needs ${needs} approvals. ${word(missing === 1 ? 'Yours is the last one missing' : `After yours, ${missing - 1} more ${missing === 2 ? 'is' : 'are'} missing`)}.`,
  'other-person': () =>
    say`You requested this diagnosis, triggered it or opened this review, so your approval does not count here. Ask a colleague to press Review and approve.`,
  'login-after': () =>
    say`After Apply, you confirm this approval with the company login. Only you can use that link.`,
  /** Nothing is counted yet. */
  login: ({ url, at }: { url: string; at: string }) =>
    say`Your approval counts when you have confirmed it with the company login, until ${moment(at)}: ${code(url)}. Only you can use this link. Nothing was changed yet.`,
  expires: ({ at }: { at: string }) => say`This review expires ${moment(at)}.`,
  more: ({ count }: { count: number }) => say`… and ${count} more`,
  working: () =>
    say`Verifying that nothing has changed since the review … If this message stays, check on the card whether your approval was recorded.`,
  approved: ({ workload }: { workload: string }) =>
    say`Approved. The change to ${code(workload)} is being applied. The card shows the progress.`,
  awaiting: ({ missing }: { missing: number }) =>
    say`Your approval is recorded. ${missing} more ${word(missing === 1 ? 'person' : 'people')} must approve. The card shows the request.`,
  cut: () => say`The change is too long for Slack. Only the beginning is shown.`,
};

const ko: typeof en = {
  loading: () => say`클러스터의 현재 상태를 읽고 변경을 다시 계획하는 중 …`,
  heading: ({ title, workload, cluster }) => say`${title}: 클러스터 ${code(cluster)}의 ${code(workload)}`,
  'heading-undo': ({ title, workload, cluster }) =>
    say`“${title}” 되돌리기: 클러스터 ${code(cluster)}의 ${code(workload)}`,
  change: () => say`${strong('변경 내용')}`,
  'change-of': ({ object }) => say`${strong('변경 내용')}: ${code(object)}`,
  deletes: ({ object }) => say`${code(object)} 삭제`,
  'second-step': ({ pods }) =>
    say`${strong('2단계')}: 컨트롤러가 이 변경을 반영하면 ${names('ko', pods)} 파드를 삭제합니다.`,
  happens: () => say`${strong('예상 동작')}`,
  price: () => say`${strong('영향')}`,
  asked: (approvers) =>
    say`카드의 스레드에서 ${joined('ko', whoOf(approvers))}에게 승인을 요청했습니다. 이 창을 닫아도 됩니다.`,
  'undo-unknown': () => say`되돌리기의 결과를 시뮬레이션할 수 없어, 파드가 중지될지 알 수 없습니다.`,
  'dry-run': ({ at }) => say`서버 측 드라이런 통과(${moment(at)}).`,
  'dry-run-both': ({ at }) => say`두 단계 모두 서버 측 드라이런 통과(${moment(at)}).`,
  'dry-run-asked': () =>
    say`API 서버에서 이 변경을 드라이런하는 중 … 통과하면 적용할 수 있습니다. 1분이 넘게 걸리면 창을 닫고 검토를 다시 눌러 주세요.`,
  'dry-run-unanswered': ({ seconds }) =>
    say`${strong('드라이런 시간 초과:')} ${seconds}초 안에 결과를 받지 못했습니다. 아무것도 변경하지 않았습니다. 창을 닫고 검토를 다시 눌러 주세요. 같은 일이 반복되면 remediation 워커가 실행 중인지 확인하세요.`,
  mutated: ({ paths }) =>
    say`${strong('주의:')} 어드미션 웹훅이 다음 필드에 다른 값을 씁니다: ${names('ko', paths)}.`,
  owner: ({ owner, object }) => say`${strong(managedBy.ko(owner))}(${code(object)}).`,
  lasts: () => say`${strong('변경 유지 여부')}`,
  'lasting-change': () => say`변경을 유지하려면 매니페스트(Git 등)에도 같은 변경을 반영하세요.`,
  'more-people': ({ needs, missing }) =>
    say`이 변경에는 ${needs}명의 승인이 필요합니다. ${word(missing === 1 ? '이 승인이 마지막입니다' : `이 승인 뒤에도 ${missing - 1}명이 더 승인해야 합니다`)}.`,
  'other-person': () =>
    say`이 진단을 요청하거나 다시 실행했거나 이 검토를 여셨으므로, 여기서는 직접 승인할 수 없습니다. 동료에게 검토를 눌러 승인해 달라고 요청하세요.`,
  'login-after': () =>
    say`적용을 누른 뒤 회사 로그인으로 이 승인을 확인해야 합니다. 링크는 본인만 사용할 수 있습니다.`,
  login: ({ url, at }) =>
    say`${moment(at)}까지 회사 로그인으로 확인해야 승인이 반영됩니다: ${code(url)}. 이 링크는 본인만 사용할 수 있습니다. 아직 아무것도 변경하지 않았습니다.`,
  expires: ({ at }) => say`이 검토는 ${moment(at)}까지 유효합니다.`,
  more: ({ count }) => say`… 외 ${count}개`,
  working: () =>
    say`검토 이후 변경된 내용이 없는지 확인하는 중 … 이 메시지가 사라지지 않으면 승인이 반영되었는지 카드에서 확인하세요.`,
  approved: ({ workload }) =>
    say`승인되었습니다. ${code(workload)} 변경을 적용하는 중입니다. 진행 상황은 카드에서 확인하세요.`,
  awaiting: ({ missing }) =>
    say`승인이 반영되었습니다. ${missing}명이 더 승인해야 합니다. 승인 요청은 카드에 표시됩니다.`,
  cut: () => say`변경 내용이 길어 앞부분만 표시합니다.`,
};

export const reviewText = { en, ko };

/** Frames and inputs of the modal; plain text within Slack's 24 characters for title and buttons. */
interface ReviewFrame {
  readonly title: string;
  readonly cancel: string;
  readonly close: string;
  readonly apply: string;
  readonly applyTo: (cluster: string) => string;
  /** `group`: its handle, where the policy names one. */
  readonly ask: (group: string | undefined) => string;
  readonly approveAsOneOf: (position: number, needs: number) => string;
  readonly reason: string;
  readonly reasonHint: string;
  readonly reasonMissing: string;
  readonly name: (name: string) => string;
  readonly nameWrong: (name: string) => string;
  /** Opens the company's login. */
  readonly logIn: string;
}

export const reviewFrame: Readonly<Record<Language, ReviewFrame>> = {
  en: {
    logIn: 'Log in to confirm',
    title: 'Review change',
    cancel: 'Cancel',
    close: 'Close',
    apply: 'Apply',
    applyTo: (cluster) => `Apply to ${cluster}`,
    ask: (group) => (group === undefined ? 'Request approval' : `Ask @${group} to approve`),
    approveAsOneOf: (position, needs) => `Approve (${position} of ${needs})`,
    reason: 'Reason',
    reasonHint: 'Shown in the thread and recorded in the audit log.',
    reasonMissing: 'Enter a short reason. It is recorded in the audit log.',
    name: (name) => `Type ${name} to confirm`,
    nameWrong: (name) => `Enter exactly ${name}.`,
  },
  ko: {
    logIn: '로그인하고 확인',
    title: '변경 검토',
    cancel: '취소',
    close: '닫기',
    apply: '적용',
    applyTo: (cluster) => `${cluster}에 적용`,
    ask: (group) => (group === undefined ? '승인 요청' : `@${group}에 승인 요청`),
    approveAsOneOf: (position, needs) => `승인 (${position}/${needs})`,
    reason: '사유',
    reasonHint: '스레드에 표시되고 감사 로그에 기록됩니다.',
    reasonMissing: '사유를 간단히 입력하세요. 감사 로그에 기록됩니다.',
    name: (name) => `확인을 위해 ${name} 입력`,
    nameWrong: (name) => `${name} 이름을 정확히 입력하세요.`,
  },
};
