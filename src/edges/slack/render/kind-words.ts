import type { Confidence, Severity } from '../../../doctor/findings/cause-id.js';
import type { ApprovalState } from '../../../doctor/incidents/approval.js';
import type { Language } from '../../../engine/language/language.js';
import { type Prose, word } from '../../../engine/language/prose.js';
import { type UnseenReason, unseenReasons } from '../../../engine/objects/snapshot.js';

/** English uses the names of the confidences as they are. */
export const confidenceWords = {
  ko: { proven: '증명됨', likely: '가능성 높음', possible: '가능성 있음' },
} as const satisfies { readonly ko: Record<Confidence, string> };

/** Beside a word, since colours alone tell nothing to everybody. */
export const severitySymbols = {
  critical: '🔴',
  warning: '🟠',
  info: '🔵',
} as const satisfies Record<Severity, string>;

export const severityWords: Readonly<Record<Language, Readonly<Record<Severity, string>>>> = {
  en: { critical: 'Critical', warning: 'Warning', info: 'Note' },
  ko: { critical: '심각', warning: '주의', info: '참고' },
};

/** What became of a review. */
export const closedWords = {
  en: {
    open: 'is open',
    approved: 'is closed: the change is approved',
    running: 'is closed: the change is being applied',
    done: 'is closed: the change was applied',
    failed: 'is closed: the change was not applied',
    rejected: 'is closed: the change was rejected and nothing was changed',
    expired: 'has expired, and nothing was changed',
    superseded: 'is out of date, and nothing was changed',
    cancelled: 'is closed: the change was cancelled and nothing was changed',
  },
  ko: {
    open: '진행 중',
    approved: '승인됨',
    running: '승인되어 적용 중',
    done: '변경이 적용됨',
    failed: '변경이 적용되지 않음',
    rejected: '거절됨, 변경된 내용 없음',
    expired: '만료됨, 변경된 내용 없음',
    superseded: '새 진단으로 대체됨, 변경된 내용 없음',
    cancelled: '취소됨, 변경된 내용 없음',
  },
} as const satisfies Record<'en' | 'ko', Record<ApprovalState, string>>;

/** Why a read failed, after the name of what was read. */
export const unseenWords: Readonly<Record<Language, Readonly<Record<UnseenReason, string>>>> = {
  en: {
    forbidden: 'the service account lacks permission',
    unauthorized: 'the API server rejected the credentials',
    timeout: 'the read timed out',
    unavailable: 'the API server does not answer',
    throttled: 'the API server throttled the read',
    'not-served': 'the cluster does not serve it',
    malformed: 'the response could not be parsed',
    'too-many': 'too many objects to read',
    'too-large': 'the response is too large',
    'not-recorded': 'it is not among the recorded objects',
    'partly-recorded': 'read without all its fields',
    'no-worker': 'no worker of this cluster is running',
    'name-shared': 'workers of two clusters run with this name',
    distrusted: 'the answer is not signed with the keys of this cluster',
    'not-by-app': 'only the workers of the cluster read it',
    failed: 'the read failed',
  },
  ko: {
    forbidden: '서비스 어카운트에 권한 없음',
    unauthorized: '자격 증명이 거부됨',
    timeout: '읽기 시간 초과',
    unavailable: 'API 서버가 응답하지 않음',
    throttled: 'API 서버가 요청을 제한함',
    'not-served': '클러스터가 제공하지 않음',
    malformed: '응답을 해석하지 못함',
    'too-many': '오브젝트가 너무 많음',
    'too-large': '응답이 너무 큼',
    'not-recorded': '기록된 오브젝트에 없음',
    'partly-recorded': '일부 필드 없이 읽음',
    'no-worker': '이 클러스터의 워커가 실행되고 있지 않음',
    'name-shared': '두 클러스터의 워커가 이 이름으로 실행 중임',
    distrusted: '응답이 이 클러스터의 키로 서명되지 않음',
    'not-by-app': '클러스터의 워커만 읽을 수 있음',
    failed: '읽기 실패',
  },
};

/** Reasons that often end by themselves. */
const passing: ReadonlySet<UnseenReason> = new Set(['timeout', 'unavailable', 'throttled', 'failed']);

const nextSteps = {
  en: { wait: 'Try again in a minute.', ask: 'Ask an administrator of Rollout Doctor.' },
  ko: { wait: '1분 뒤 다시 시도하세요.', ask: 'Rollout Doctor 관리자에게 문의하세요.' },
} as const satisfies { readonly [Each in Language]: unknown };

/** What the reader can do where nothing could be read. */
export function nextStepAfter(because: UnseenReason, language: Language): Prose {
  return [word(nextSteps[language][passing.has(because) ? 'wait' : 'ask'])];
}

/** A stored reason may be of a newer version: then it is a failed read. */
export function unseenReason(text: string): UnseenReason {
  return unseenReasons.find((each) => each === text) ?? 'failed';
}
