import type { Confidence } from '../../../core/diagnosis/cause-id.js';
import type { ApprovalState } from '../../../core/incident/approval.js';
import type { Origin } from '../../../core/incident/incident.js';
import type { Catalogue } from '../../../core/language/catalogue.js';
import { code, moment, type Prose, person, quote, say, strong, word } from '../../../core/language/prose.js';
import { counted, duration, joined } from '../../../core/language/words.js';
import type { RemediationKind } from '../../../core/remediation/remediation.js';
import { kindWords, type UnseenReason, unseenWords } from './kind-words.js';

type None = Record<string, never>;

export type CardShapes = {
  readonly looking: { readonly workload: string; readonly cluster: string };
  readonly 'looking-again': { readonly workload: string };
  readonly 'last-look': { readonly at: string };
  readonly requested: { readonly via: Origin['via']; readonly by: string | undefined; readonly at: string };
  readonly unasked: None;
  readonly 'unasked-since': { readonly reason: string; readonly at: string };
  readonly occurrences: { readonly times: number };
  readonly confidence: { readonly confidence: Confidence };
  readonly served: { readonly pods: number; readonly wanted: number };
  readonly 'ways-out': None;
  readonly 'no-way-out': None;
  readonly 'not-offered': { readonly kind: RemediationKind; readonly because: Prose };
  readonly also: None;
  readonly 'also-found': { readonly summary: Prose; readonly confidence: Confidence };
  readonly 'nothing-found': { readonly workload: string };
  readonly 'not-all-checked': { readonly workload: string };
  readonly 'checked-in-part': None;
  readonly 'nothing-looked-at': { readonly kind: string; readonly revision: string };
  readonly 'under-way': { readonly updated: number; readonly wanted: number };
  readonly 'logs-hidden': Record<string, never>;
  readonly 'names-hidden': Record<string, never>;
  /** In place of a card whose readers may not see its workload any more. */
  readonly 'not-shown': Record<string, never>;
  readonly unseen: {
    readonly what: string;
    readonly namespace: string;
    readonly because: UnseenReason;
    /** Which object, where that is known and may be read; else ''. */
    readonly object: string;
    readonly weakens: number;
  };
  readonly 'work-spent': Readonly<Record<never, never>>;
  readonly defects: { readonly causes: readonly string[] };
  readonly weakened: { readonly by: Prose };
  readonly 'next-attempt': { readonly what: Prose; readonly at: string | undefined };
  readonly 'looked-at': { readonly at: string };
  readonly cause: { readonly cause: string };
  readonly 'in-thread': None;
  readonly more: { readonly count: number };
  readonly awaiting: {
    readonly title: Prose;
    readonly by: readonly string[];
    readonly missing: number;
    readonly until: string;
  };
  readonly 'awaiting-closed': { readonly title: Prose; readonly state: ApprovalState };
  readonly 'not-made': { readonly title: Prose; readonly because: Prose };
  readonly 'last-change': { readonly title: Prose; readonly by: readonly string[] };
  readonly 'undo-of': { readonly title: Prose };
  readonly applying: { readonly title: Prose; readonly workload: string };
  readonly 'approved-by': { readonly by: readonly string[]; readonly at: string };
  readonly sending: None;
  /** The first of two steps is made. */
  readonly 'second-step-next': None;
  readonly 'first-look': None;
  readonly 'verdict-by': { readonly until: string };
  readonly recovered: { readonly workload: string };
  readonly 'put-back': { readonly workload: string };
  readonly progressing: { readonly workload: string };
  readonly 'step-left': { readonly workload: string };
  readonly unchanged: { readonly workload: string };
  readonly worse: { readonly workload: string };
  readonly unknown: { readonly workload: string };
  readonly 'not-seen-since': { readonly at: string };
  readonly took: { readonly seconds: number };
  readonly 'cause-gone': { readonly cause: string };
  readonly 'cause-stays': { readonly cause: string };
  readonly 'cause-unchecked': { readonly cause: string };
  readonly 'undo-offered': None;
  readonly failed: { readonly workload: string };
  readonly 'nothing-changed': None;
};

export const cardText: Catalogue<CardShapes> = {
  en: {
    looking: ({ workload, cluster }) => say`Looking at ${code(workload)} in ${code(cluster)} …`,
    'looking-again': ({ workload }) => say`Looking at ${code(workload)} again …`,
    'last-look': ({ at }) => say`As it was at ${moment(at)}:`,
    requested: ({ via, by, at }) =>
      by === undefined
        ? say`${word(via === 'alert' ? 'an alert asked' : 'the sentinel found it')} at ${moment(at)}`
        : say`${person(by)} asked at ${moment(at)}`,
    unasked: () => say`nobody asked: the sentinel found it without an alert`,
    'unasked-since': ({ reason, at }) =>
      say`nobody asked: the sentinel found it without an alert, first ${code(reason)} at ${moment(at)}`,
    occurrences: ({ times }) => say`asked ${times} times`,
    confidence: ({ confidence }) => say`${word(confidence)}`,
    served: ({ pods, wanted }) =>
      wanted === 0
        ? say`It is scaled to 0: no pod is wanted.`
        : pods === 0
          ? say`Nobody is served: 0 of ${wanted} pods ready.`
          : say`Users are ${word(pods < wanted ? 'served by fewer pods' : 'served')}: ${pods} of ${wanted} ready.`,
    'ways-out': () => say`${strong('Ways out')}`,
    'no-way-out': () => say`No button ends this. What helps:`,
    'not-offered': ({ kind, because }) => say`Not offered: ${strong(kindWords.en[kind])}. ${because}`,
    also: () => say`${strong('Also')}`,
    'also-found': ({ summary, confidence }) => say`${summary} · ${word(confidence)}`,
    'nothing-found': ({ workload }) => say`Nothing stands in the way of ${code(workload)}`,
    'not-all-checked': ({ workload }) =>
      say`The checks that ran found no problem in ${code(workload)}. Not all checks ran`,
    'checked-in-part': () => say`A problem that only the other checks detect may exist.`,
    'nothing-looked-at': ({ kind, revision }) =>
      revision === ''
        ? say`I looked at the ${word(kind)}, its pods, their nodes and events, and found none of the causes I know.`
        : say`I looked at revision ${code(revision)} of the ${word(kind)}, its pods, their nodes and events, and found none of the causes I know.`,
    'under-way': ({ updated, wanted }) =>
      say`The rollout is under way: ${updated} of ${wanted} pods are of the new revision.`,
    'logs-hidden': () => say`Log lines are hidden here: the policy does not allow these readers to see them.`,
    'names-hidden': () =>
      say`Names from namespaces that these readers may not see are replaced by ${code('[hidden]')}.`,
    'not-shown': () => say`The policy does not allow this channel to show this incident any more.`,
    unseen: ({ what, namespace, because, object, weakens }) =>
      say`I could not read ${code(what)}${namespace === '' ? [] : say` in ${code(namespace)}`} (${word(unseenWords.en[because])}${object === '' ? [] : say`: ${quote(object)}`})${
        weakens === 0 ? [] : say`: ${counted(weakens, 'cause', 'causes')} could not be told`
      }.`,
    'work-spent': () =>
      say`The diagnosis reached its work limit. Questions after that point have no answer, so findings made after it are less certain.`,
    defects: ({ causes }) =>
      say`My own check for ${joined('en', causes.map(code))} failed; the rest of this card holds.`,
    weakened: ({ by }) => say`Not certain: ${by}`,
    'next-attempt': ({ what, at }) => (at === undefined ? what : say`${what} Next: ${moment(at)}.`),
    'looked-at': ({ at }) => say`looked at ${moment(at)}`,
    cause: ({ cause }) => say`cause ${code(cause)}`,
    'in-thread': () => say`the reasoning is in the thread`,
    more: ({ count }) => say`… and ${count} more`,
    awaiting: ({ title, by, missing, until }) =>
      say`${title} is approved by ${joined('en', by.map(person))}. ${missing} more ${word(
        missing === 1 ? 'person has' : 'people have',
      )} to approve by ${moment(until)}; nothing is changed before.`,
    'awaiting-closed': ({ title, state }) => say`The review of ${title} ${word(closedWords.en[state])}.`,
    'not-made': ({ title, because }) => say`${title} was not carried out. ${because}`,
    'last-change': ({ title, by }) =>
      say`Last change: ${title}, approved by ${joined('en', by.map(person))}.`,
    'undo-of': ({ title }) => say`Undo of “${title}”`,
    applying: ({ title, workload }) => say`Applying to ${code(workload)}: ${title}`,
    'approved-by': ({ by, at }) => say`approved by ${joined('en', by.map(person))}, ${moment(at)}`,
    sending: () => say`The change is on its way to the API server.`,
    'second-step-next': () => say`Step 1 is made. Step 2 follows when the controller has observed step 1.`,
    'first-look': () => say`The API server took the change. I am looking whether it helps.`,
    'verdict-by': ({ until }) => say`The verdict comes by ${moment(until)} at the latest.`,
    recovered: ({ workload }) => say`${code(workload)} has recovered`,
    'put-back': ({ workload }) => say`${code(workload)} is as it was before the change`,
    'step-left': ({ workload }) =>
      say`${code(workload)} has its former template back, and one more step is needed`,
    progressing: ({ workload }) => say`${code(workload)} is moving again, and has not finished`,
    unchanged: ({ workload }) => say`The change did not help ${code(workload)}`,
    worse: ({ workload }) => say`${code(workload)} is worse off than before the change`,
    unknown: ({ workload }) => say`I could not see whether the change helped ${code(workload)}`,
    'not-seen-since': ({ at }) =>
      say`The API server took the change, but the cluster could not be read after it. What follows is from ${moment(at)}.`,
    took: ({ seconds }) => say`after ${duration('en', seconds)}`,
    'cause-gone': ({ cause }) => say`The same check finds no ${code(cause)} any more.`,
    'cause-stays': ({ cause }) => say`The same check still finds ${code(cause)}.`,
    'cause-unchecked': ({ cause }) =>
      say`The check for ${code(cause)} failed, so whether the cause is gone could not be determined.`,
    'undo-offered': () => say`Undo puts back what was there before, after a review like this one.`,
    failed: ({ workload }) => say`There is no diagnosis of ${code(workload)}`,
    'nothing-changed': () => say`Nothing was changed. Look again tries once more.`,
  },
  ko: {
    looking: ({ workload, cluster }) => say`${code(cluster)}의 ${code(workload)} 상태를 살펴보는 중 …`,
    'looking-again': ({ workload }) => say`${code(workload)} 상태를 다시 살펴보는 중 …`,
    'last-look': ({ at }) => say`${moment(at)} 기준 상태:`,
    requested: ({ via, by, at }) =>
      by === undefined
        ? say`${word(via === 'alert' ? '알림이 요청함' : '센티널이 발견함')}, ${moment(at)}`
        : say`${person(by)} 님이 요청함, ${moment(at)}`,
    unasked: () => say`요청 없음: 알림 없이 센티널이 발견함`,
    'unasked-since': ({ reason, at }) =>
      say`요청 없음: 알림 없이 센티널이 발견함, 첫 ${code(reason)} ${moment(at)}`,
    occurrences: ({ times }) => say`${times}번 요청됨`,
    confidence: ({ confidence }) => say`${word(confidenceWords.ko[confidence])}`,
    served: ({ pods, wanted }) =>
      wanted === 0
        ? say`0개로 축소되어 있어 실행할 파드가 없습니다.`
        : pods === 0
          ? say`서비스 중인 파드가 없습니다: ${wanted}개 중 0개 준비됨.`
          : pods < wanted
            ? say`줄어든 파드로 서비스 중입니다: ${wanted}개 중 ${pods}개 준비됨.`
            : say`사용자는 계속 서비스를 받고 있습니다: ${wanted}개 중 ${pods}개 준비됨.`,
    'ways-out': () => say`${strong('해결 방법')}`,
    'no-way-out': () => say`버튼으로 해결할 수 있는 방법은 없습니다. 도움이 되는 것:`,
    'not-offered': ({ kind, because }) => say`제안하지 않음: ${strong(kindWords.ko[kind])}. ${because}`,
    also: () => say`${strong('함께 발견된 것')}`,
    'also-found': ({ summary, confidence }) => say`${summary} · ${word(confidenceWords.ko[confidence])}`,
    'nothing-found': ({ workload }) => say`${code(workload)} 롤아웃을 막는 것이 없습니다`,
    'not-all-checked': ({ workload }) =>
      say`실행된 검사에서는 ${code(workload)}의 문제를 찾지 못했습니다. 실행되지 못한 검사가 있습니다`,
    'checked-in-part': () => say`나머지 검사만 찾아낼 수 있는 문제가 있을 수 있습니다.`,
    'nothing-looked-at': ({ kind, revision }) =>
      revision === ''
        ? say`${word(kind)}, 파드, 노드, 이벤트를 확인했고, 알고 있는 원인은 하나도 없었습니다.`
        : say`${word(kind)} 리비전 ${code(revision)}, 파드, 노드, 이벤트를 확인했고, 알고 있는 원인은 하나도 없었습니다.`,
    'under-way': ({ updated, wanted }) =>
      say`롤아웃이 진행 중입니다: 파드 ${wanted}개 중 ${updated}개가 새 리비전입니다.`,
    'logs-hidden': () =>
      say`여기에는 로그 내용을 표시하지 않습니다. 정책이 이 대화의 독자에게 로그를 허용하지 않습니다.`,
    'names-hidden': () =>
      say`이 대화의 독자가 볼 수 없는 네임스페이스의 이름은 ${code('[hidden]')}(으)로 바꾸었습니다.`,
    'not-shown': () => say`정책에 따라 이 채널에는 이 인시던트를 더 이상 표시할 수 없습니다.`,
    unseen: ({ what, namespace, because, object, weakens }) =>
      say`${namespace === '' ? [] : say`${code(namespace)}의 `}${code(what)} 정보를 읽지 못했습니다(${word(unseenWords.ko[because])}${object === '' ? [] : say`: ${quote(object)}`})${
        weakens === 0 ? [] : say`. 원인 ${weakens}가지는 판단하지 못했습니다`
      }.`,
    'work-spent': () =>
      say`진단이 작업량 한도에 도달했습니다. 그 이후의 항목은 확인하지 못했으므로, 이후 결과의 확실성은 낮습니다.`,
    defects: ({ causes }) =>
      say`${joined('ko', causes.map(code))} 검사가 자체 오류로 실패했습니다. 카드의 나머지 내용은 유효합니다.`,
    weakened: ({ by }) => say`확실하지 않은 점: ${by}`,
    'next-attempt': ({ what, at }) => (at === undefined ? what : say`${what} 다음 시도: ${moment(at)}.`),
    'looked-at': ({ at }) => say`확인 시각 ${moment(at)}`,
    cause: ({ cause }) => say`원인 ${code(cause)}`,
    'in-thread': () => say`근거는 스레드에 있음`,
    more: ({ count }) => say`… 외 ${count}개`,
    awaiting: ({ title, by, missing, until }) =>
      say`${joined('ko', by.map(person))} 님이 ${title} 방법을 승인했습니다. ${moment(until)}까지 ${missing}명이 더 승인해야 하며, 그 전에는 아무것도 바뀌지 않습니다.`,
    'awaiting-closed': ({ title, state }) => say`${title} 검토 상태: ${word(closedWords.ko[state])}.`,
    'not-made': ({ title, because }) => say`${title} 변경은 실행되지 않았습니다. ${because}`,
    'last-change': ({ title, by }) => say`마지막 변경: ${title}, 승인 ${joined('ko', by.map(person))}.`,
    'undo-of': ({ title }) => say`“${title}” 되돌리기`,
    applying: ({ title, workload }) => say`${code(workload)} 적용 중: ${title}`,
    'approved-by': ({ by, at }) => say`승인 ${joined('ko', by.map(person))}, ${moment(at)}`,
    sending: () => say`변경을 API 서버로 보내는 중입니다.`,
    'second-step-next': () => say`1단계를 적용했습니다. 컨트롤러가 1단계를 반영하면 2단계를 진행합니다.`,
    'first-look': () => say`API 서버가 변경을 받아들였습니다. 효과가 있는지 살펴보고 있습니다.`,
    'verdict-by': ({ until }) => say`늦어도 ${moment(until)}까지 결과를 알려 드립니다.`,
    recovered: ({ workload }) => say`${code(workload)} 롤아웃이 복구되었습니다`,
    'put-back': ({ workload }) => say`${code(workload)} 설정이 변경 전으로 돌아왔습니다`,
    'step-left': ({ workload }) =>
      say`${code(workload)}은(는) 이전 템플릿으로 돌아왔으며, 한 단계가 더 필요합니다`,
    progressing: ({ workload }) => say`${code(workload)} 롤아웃이 다시 진행 중이며, 아직 끝나지 않았습니다`,
    unchanged: ({ workload }) => say`${code(workload)} 변경이 도움이 되지 않았습니다`,
    worse: ({ workload }) => say`${code(workload)} 상태가 변경 전보다 나빠졌습니다`,
    unknown: ({ workload }) => say`${code(workload)} 변경이 도움이 되었는지 확인하지 못했습니다`,
    'not-seen-since': ({ at }) =>
      say`API 서버는 변경을 받아들였지만, 그 뒤로 클러스터를 읽지 못했습니다. 아래는 ${moment(at)} 기준입니다.`,
    took: ({ seconds }) => say`${duration('ko', seconds)} 소요`,
    'cause-gone': ({ cause }) => say`같은 검사에서 ${code(cause)} 원인이 더 이상 발견되지 않습니다.`,
    'cause-stays': ({ cause }) => say`같은 검사에서 ${code(cause)} 원인이 여전히 발견됩니다.`,
    'cause-unchecked': ({ cause }) =>
      say`${code(cause)} 검사가 실패하여 원인이 사라졌는지 확인할 수 없었습니다.`,
    'undo-offered': () => say`되돌리기를 누르면, 같은 검토를 거쳐 변경 전 값으로 돌아갑니다.`,
    failed: ({ workload }) => say`${code(workload)} 진단을 하지 못했습니다`,
    'nothing-changed': () => say`아무것도 변경하지 않았습니다. 다시 보기를 누르면 한 번 더 시도합니다.`,
  },
};

const confidenceWords = {
  ko: { proven: '증명됨', likely: '가능성 높음', possible: '가능성 있음' },
} as const satisfies { readonly ko: Record<Confidence, string> };

const closedWords = {
  en: {
    open: 'is open',
    approved: 'ended: it is approved',
    running: 'ended: the change is being carried out',
    done: 'ended: the change was carried out',
    failed: 'ended: the change was not carried out',
    rejected: 'ended: it was rejected, and nothing was changed',
    expired: 'has expired, and nothing was changed',
    superseded: 'is out of date, and nothing was changed',
    cancelled: 'ended: it was cancelled, and nothing was changed',
  },
  ko: {
    open: '진행 중',
    approved: '승인됨',
    running: '승인되어 실행 중',
    done: '변경이 실행됨',
    failed: '변경이 실행되지 않음',
    rejected: '거절됨, 바뀐 것 없음',
    expired: '만료됨, 바뀐 것 없음',
    superseded: '새 진단으로 대체됨, 바뀐 것 없음',
    cancelled: '취소됨, 바뀐 것 없음',
  },
} as const satisfies Record<'en' | 'ko', Record<ApprovalState, string>>;
