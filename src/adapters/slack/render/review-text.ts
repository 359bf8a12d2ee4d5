import type { Owner } from '../../../core/diagnosis/finding.js';
import type { Catalogue } from '../../../core/language/catalogue.js';
import type { Language } from '../../../core/language/language.js';
import { code, moment, type Prose, say, strong, word } from '../../../core/language/prose.js';
import { names } from '../../../core/language/words.js';

type None = Record<string, never>;

export type ReviewShapes = {
  readonly loading: None;
  readonly heading: { readonly title: Prose; readonly workload: string; readonly cluster: string };
  readonly 'heading-undo': { readonly title: Prose; readonly workload: string; readonly cluster: string };
  readonly change: None;
  readonly 'change-of': { readonly object: string };
  readonly deletes: { readonly object: string };
  /** What follows the change under the same approval. */
  readonly 'second-step': { readonly pods: readonly string[] };
  readonly happens: None;
  readonly price: None;
  readonly 'dry-run': { readonly at: string };
  readonly 'dry-run-both': { readonly at: string };
  readonly 'dry-run-asked': None;
  readonly 'dry-run-unanswered': { readonly seconds: number };
  readonly mutated: { readonly paths: readonly string[] };
  readonly owner: { readonly owner: string; readonly object: string; readonly reverts: Owner['reverts'] };
  readonly 'lasting-change': None;
  readonly 'more-people': { readonly needs: number; readonly missing: number };
  readonly 'other-person': None;
  readonly expires: { readonly at: string };
  readonly more: { readonly count: number };
  readonly working: None;
  readonly approved: { readonly workload: string };
  readonly awaiting: { readonly missing: number };
  readonly cut: None;
};

export const reviewText: Catalogue<ReviewShapes> = {
  en: {
    loading: () => say`Reading the cluster as it is now, and planning the change again …`,
    heading: ({ title, workload, cluster }) => say`${title}: ${code(workload)} in ${code(cluster)}`,
    'heading-undo': ({ title, workload, cluster }) =>
      say`Undo “${title}”: ${code(workload)} in ${code(cluster)}`,
    change: () => say`${strong('The change')}`,
    'change-of': ({ object }) => say`${strong('The change')} to ${code(object)}`,
    deletes: ({ object }) => say`${code(object)} is deleted.`,
    'second-step': ({ pods }) =>
      say`${strong('Step 2')}, when the controller has observed this change: ${names('en', pods)} ${word(pods.length === 1 ? 'is' : 'are')} deleted.`,
    happens: () => say`${strong('What will happen')}`,
    price: () => say`${strong('What it costs')}`,
    'dry-run': ({ at }) => say`The API server accepted this change in a dry run at ${moment(at)}.`,
    'dry-run-both': ({ at }) => say`The API server accepted both steps in a dry run at ${moment(at)}.`,
    'dry-run-asked': () =>
      say`The API server is being asked whether it accepts this change … You can apply the change once it does. If this line stays for longer than a minute, close this window and press Review again.`,
    'dry-run-unanswered': ({ seconds }) =>
      say`${strong('No answer:')} the API server was asked whether it accepts this change, and no answer came within ${seconds} seconds. Nothing was changed. Close this window and press Review again. If this happens again, check that the remediation worker is running.`,
    mutated: ({ paths }) =>
      say`${strong('Attention:')} an admission webhook would write other values than these to ${names('en', paths)}.`,
    owner: ({ owner, object, reverts }) =>
      say`${strong(`${owner} manages this object`)} (${code(object)}) ${word(revertWords.en[reverts])}`,
    'lasting-change': () => say`For a change that lasts, make the same one where it is declared.`,
    'more-people': ({ needs, missing }) =>
      say`${needs} people have to approve here; ${word(missing === 1 ? 'yours is the last approval missing' : `with yours, ${missing - 1} more ${missing === 2 ? 'is' : 'are'} missing`)}.`,
    'other-person': () =>
      say`You asked for this diagnosis, triggered it or opened this review, so your approval does not count here. Ask a colleague to press Review and approve.`,
    expires: ({ at }) => say`This review counts until ${moment(at)}.`,
    more: ({ count }) => say`… and ${count} more`,
    working: () =>
      say`Checking that nothing has changed since the review … If this message stays, the card shows whether your approval counted.`,
    approved: ({ workload }) =>
      say`Approved. The change to ${code(workload)} is on its way; the card shows how it goes.`,
    awaiting: ({ missing }) =>
      say`Your approval is counted. ${missing} more ${word(missing === 1 ? 'person has' : 'people have')} to approve; the card asks for it.`,
    cut: () => say`The change is longer than Slack can show; this is its beginning.`,
  },
  ko: {
    loading: () => say`지금의 클러스터를 읽고 변경을 다시 계획하는 중 …`,
    heading: ({ title, workload, cluster }) => say`${title}: ${code(cluster)}의 ${code(workload)}`,
    'heading-undo': ({ title, workload, cluster }) =>
      say`“${title}” 되돌리기: ${code(cluster)}의 ${code(workload)}`,
    change: () => say`${strong('변경 내용')}`,
    'change-of': ({ object }) => say`${strong('변경 내용')}: ${code(object)}`,
    deletes: ({ object }) => say`${code(object)} 삭제`,
    'second-step': ({ pods }) =>
      say`${strong('2단계')}: 컨트롤러가 이 변경을 반영하면 ${names('ko', pods)} 파드를 삭제합니다.`,
    happens: () => say`${strong('일어날 일')}`,
    price: () => say`${strong('비용')}`,
    'dry-run': ({ at }) => say`API 서버가 시험 실행에서 이 변경을 받아들였습니다(${moment(at)}).`,
    'dry-run-both': ({ at }) => say`API 서버가 시험 실행에서 두 단계를 모두 받아들였습니다(${moment(at)}).`,
    'dry-run-asked': () =>
      say`API 서버가 이 변경을 받아들이는지 확인하는 중 … 확인이 끝나면 적용할 수 있습니다. 이 문장이 1분 넘게 그대로이면 창을 닫고 검토를 다시 눌러 주세요.`,
    'dry-run-unanswered': ({ seconds }) =>
      say`${strong('응답 없음:')} API 서버가 이 변경을 받아들이는지 물었지만 ${seconds}초 안에 답을 받지 못했습니다. 아무것도 변경하지 않았습니다. 창을 닫고 검토를 다시 눌러 주세요. 같은 일이 반복되면 remediation 워커가 실행 중인지 확인하세요.`,
    mutated: ({ paths }) =>
      say`${strong('주의:')} 어드미션 웹훅이 다음 필드에 다른 값을 씁니다: ${names('ko', paths)}.`,
    owner: ({ owner, object, reverts }) =>
      say`${strong(`이 오브젝트는 ${owner} 관리 대상입니다`)} (${code(object)}). ${word(revertWords.ko[reverts])}`,
    'lasting-change': () => say`변경을 유지하려면 선언된 곳(Git 등)에도 같은 변경을 반영하세요.`,
    'more-people': ({ needs, missing }) =>
      say`여기서는 ${needs}명이 승인해야 합니다. ${word(missing === 1 ? '이 승인이 마지막입니다' : `이 승인 뒤에도 ${missing - 1}명이 더 필요합니다`)}.`,
    'other-person': () =>
      say`이 진단을 요청하거나 다시 실행했거나 이 검토를 여셨으므로, 여기서는 직접 승인할 수 없습니다. 동료에게 검토를 눌러 승인해 달라고 요청하세요.`,
    expires: ({ at }) => say`이 검토는 ${moment(at)}까지 유효합니다.`,
    more: ({ count }) => say`… 외 ${count}개`,
    working: () =>
      say`검토 뒤에 바뀐 것이 없는지 확인하는 중 … 이 메시지가 그대로 남아 있으면 승인 집계 여부를 카드에서 확인하세요.`,
    approved: ({ workload }) =>
      say`승인되었습니다. ${code(workload)} 변경을 진행합니다. 경과는 카드에서 확인하세요.`,
    awaiting: ({ missing }) =>
      say`승인이 반영되었습니다. ${missing}명이 더 승인해야 하며, 카드에서 요청합니다.`,
    cut: () => say`변경 내용이 Slack에 표시할 수 있는 길이를 넘어 앞부분만 표시합니다.`,
  },
};

const revertWords: Readonly<Record<Language, Readonly<Record<Owner['reverts'], string>>>> = {
  en: {
    yes: 'and will put the old values back.',
    'on-next-sync': 'and puts the old values back at its next sync.',
    'only-if-declared': 'and puts the old values back if its source declares these fields.',
    'replicas-only': 'and writes the number of replicas only; this change stays.',
    unknown: 'and I cannot tell whether it puts the old values back.',
  },
  ko: {
    yes: '이전 값으로 되돌려집니다.',
    'on-next-sync': '다음 동기화 때 이전 값으로 되돌려집니다.',
    'only-if-declared': '원본에 이 필드가 선언되어 있으면 이전 값으로 되돌려집니다.',
    'replicas-only': '복제본 수만 관리하므로 이 변경은 유지됩니다.',
    unknown: '이전 값으로 되돌려지는지는 알 수 없습니다.',
  },
};

/** Frames and inputs of the modal; plain text within Slack's 24 characters for title and buttons. */
export interface ReviewFrame {
  readonly title: string;
  readonly cancel: string;
  readonly close: string;
  readonly apply: string;
  readonly applyTo: (cluster: string) => string;
  readonly approveAsOneOf: (position: number, needs: number) => string;
  readonly reason: string;
  readonly reasonHint: string;
  readonly reasonMissing: string;
  readonly name: (name: string) => string;
  readonly nameWrong: (name: string) => string;
}

export const reviewFrame: Readonly<Record<Language, ReviewFrame>> = {
  en: {
    title: 'Review the change',
    cancel: 'Cancel',
    close: 'Close',
    apply: 'Apply',
    applyTo: (cluster) => `Apply to ${cluster}`,
    approveAsOneOf: (position, needs) => `Approve (${position} of ${needs})`,
    reason: 'Reason',
    reasonHint: 'For the audit; everybody in the thread sees it.',
    reasonMissing: 'Say in a few words why. The audit keeps it.',
    name: (name) => `Type ${name} to confirm`,
    nameWrong: (name) => `This has to be exactly ${name}.`,
  },
  ko: {
    title: '변경 검토',
    cancel: '취소',
    close: '닫기',
    apply: '적용',
    applyTo: (cluster) => `${cluster} 적용`,
    approveAsOneOf: (position, needs) => `승인 (${position}/${needs})`,
    reason: '사유',
    reasonHint: '감사 기록에 남으며, 스레드의 모두가 볼 수 있습니다.',
    reasonMissing: '사유를 짧게 적어 주세요. 감사 기록에 남습니다.',
    name: (name) => `확인을 위해 ${name} 입력`,
    nameWrong: (name) => `정확히 ${name} 이어야 합니다.`,
  },
};
