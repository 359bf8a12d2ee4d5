import type { Language } from '../../engine/language/language.js';
import { code, type Prose, person, quote, type Span, say, word } from '../../engine/language/prose.js';
import { joined } from '../../engine/language/words.js';

/** Who can approve: `Ask @sre or Kim.`, or that no approver is configured. */
export function approvers(language: Language, users: readonly string[], groups: readonly string[]): Prose {
  const who = [...groups.map((group) => code(`@${group}`)), ...users.map(person)];
  return who.length === 0 ? text[language]['no-approver']() : text[language].ask({ who });
}

/** The message of the API server or of the connection, nothing for an empty one. */
export function originalMessage(language: Language, message: string): Prose {
  return message === '' ? [] : text[language].message({ message });
}

const en = {
  'no-approver': () => say`The policy names no approver for this.`,
  ask: ({ who }: { who: readonly Span[] }) => say`Ask ${joined('en', who)}.`,
  message: ({ message }: { message: string }) => say`Message: ${quote(message)}`,
  protected: ({ budget }: { budget: string }) =>
    say`PodDisruptionBudget ${code(budget)} allows no disruption now`,
};
const ko: typeof en = {
  'no-approver': () => say`정책에 승인 권한이 있는 사람이 없습니다.`,
  ask: ({ who }) => say`${joined('ko', who)}에게 요청하세요.`,
  message: ({ message }) => say`메시지: ${quote(message)}`,
  protected: ({ budget }) => say`PodDisruptionBudget ${code(budget)} 때문에 지금은 중단할 수 없음`,
};
const text = { en, ko };

/** Words for the codes of one field, by language. */
type Words = { readonly [Each in Language]: Readonly<Record<string, string>> };

export const stateWords: Words = {
  en: {
    approved: 'approved',
    running: 'being applied',
    done: 'applied',
    failed: 'not applied, the API server rejected it',
    rejected: 'rejected',
    expired: 'expired',
    superseded: 'out of date',
    cancelled: 'cancelled',
  },
  ko: {
    approved: '승인됨',
    running: '적용 중',
    done: '적용 완료',
    failed: 'API 서버가 거부하여 적용되지 않음',
    rejected: '거절됨',
    expired: '만료됨',
    superseded: '새 진단으로 대체됨',
    cancelled: '취소됨',
  },
};

/** States that the decision itself names. */
export function isDecision(state: string): boolean {
  return state === 'approved' || state === 'rejected';
}

/** Codes after which a request may have been made. */
export const uncertainLeft: ReadonlySet<string> = new Set(['unknown', 'interrupted']);

const leftWords: Words = {
  en: {
    stale: 'the workload changed after step 1',
    gone: 'the workload no longer exists',
    'not-observed': 'the controller did not observe step 1 in time',
    unanswered: 'the cluster did not answer',
    interrupted: 'an earlier attempt was interrupted',
    expired: 'the approval expired',
    approvers: 'the policy no longer accepts this approval',
    distrusted: 'the stored approval failed verification',
    stopped: 'all changes are stopped',
    frozen: 'changes are frozen',
    forbidden: 'the service account lacks permission',
    admission: 'an admission webhook or policy rejected it',
    invalid: 'the API server rejected it',
    unsupported: 'a dry run of it is not supported',
    unknown: 'the cluster did not answer',
    inside: 'Rollout Doctor failed with an internal error',
  },
  ko: {
    stale: '1단계 이후 워크로드가 변경됨',
    gone: '워크로드가 없음',
    'not-observed': '컨트롤러가 제때 1단계를 반영하지 않음',
    unanswered: '클러스터가 응답하지 않음',
    interrupted: '앞선 시도가 중단됨',
    expired: '승인이 만료됨',
    approvers: '정책이 더 이상 이 승인을 인정하지 않음',
    distrusted: '저장된 승인이 검증을 통과하지 못함',
    stopped: '모든 변경이 중지됨',
    frozen: '변경이 동결됨',
    forbidden: '서비스 어카운트에 권한 없음',
    admission: '어드미션 웹훅 또는 정책이 거부함',
    invalid: 'API 서버가 거부함',
    unsupported: '드라이런을 지원하지 않음',
    unknown: '클러스터가 응답하지 않음',
    inside: 'Rollout Doctor 내부에서 오류 발생',
  },
};

/**
 * Why the second step of a change did not delete its pods. `message`: of the API server, or the name of a
 * budget.
 */
export function leftBecause(language: Language, because: string, message: string): Prose {
  return because === 'protected'
    ? text[language].protected({ budget: message })
    : say`${word(leftWords[language][because] ?? because)}`;
}

export const refusedWords: Words = {
  en: {
    forbidden: 'the service account lacks permission',
    stale: 'the object changed in the meantime',
    gone: 'the object no longer exists',
    invalid: 'the object would not be valid',
    dropped: 'the served version of the kind has no such field',
    admission: 'an admission webhook or policy rejected it',
    unsupported: 'a dry run of it is not supported',
  },
  ko: {
    forbidden: '서비스 어카운트에 권한 없음',
    stale: '그사이 오브젝트가 변경됨',
    gone: '오브젝트가 없음',
    invalid: '유효하지 않은 변경',
    dropped: '제공되는 버전에 해당 필드가 없음',
    admission: '어드미션 웹훅 또는 정책이 거부',
    unsupported: '드라이런을 지원하지 않음',
  },
};

export const distrustWords: Words = {
  en: {
    unsigned: 'it has no signature',
    format: 'its signature has the format of another version',
    'unknown-key': 'it is signed with a key that is not in APPROVAL_KEYS',
    signature: 'its signature does not match its content',
    id: 'it is the record of another approval',
    digest: 'its digest does not match its plan',
    decisions: 'too few people approved it, or a person rejected it',
    shape: 'its plan does not match this kind of fix',
    template: 'the pod template that it restores is not signed',
  },
  ko: {
    unsigned: '서명이 없음',
    format: '다른 버전의 서명 형식',
    'unknown-key': 'APPROVAL_KEYS에 없는 키로 서명됨',
    signature: '서명이 내용과 일치하지 않음',
    id: '다른 승인의 기록',
    digest: '다이제스트가 계획과 일치하지 않음',
    decisions: '승인한 사람이 부족하거나 거절한 사람이 있음',
    shape: '계획이 조치의 종류와 일치하지 않음',
    template: '복원할 파드 템플릿에 서명이 없음',
  },
};

export const unreadableWords: Words = {
  en: {
    forbidden: 'the service account may not read it',
    unauthorized: 'the cluster rejected the credentials',
    timeout: 'the cluster did not answer in time',
    unavailable: 'the cluster does not answer',
    throttled: 'the cluster throttled the requests',
    'not-served': 'the cluster does not serve this kind',
    malformed: 'the response could not be parsed',
    'too-many': 'too many objects to read',
    'too-large': 'the response is too large to read',
    'no-worker': 'no worker of this cluster is running',
    'name-shared': 'workers of two clusters run with this name',
    distrusted:
      'the answer is not signed with the keys of this cluster, so it is not used. Its diagnosis workers need the `ANSWER_KEYS` that the app derives for it',
    'not-by-app':
      'the app reads no cluster, because each cluster has workers of its own. Diagnose the workload in Slack and read the incident with get_incident, or run `rollout-doctor mcp` with access to the cluster',
    failed: 'the read failed',
    'record-lost': 'Redis lost the record of the approval',
    inside: 'Rollout Doctor failed with an internal error',
  },
  ko: {
    forbidden: '서비스 어카운트에 읽기 권한이 없습니다',
    unauthorized: '클러스터가 자격 증명을 거부했습니다',
    timeout: '클러스터가 제때 응답하지 않았습니다',
    unavailable: '클러스터가 응답하지 않습니다',
    throttled: '클러스터가 요청을 제한했습니다',
    'not-served': '클러스터가 이 종류를 제공하지 않습니다',
    malformed: '응답을 해석할 수 없습니다',
    'too-many': '읽을 오브젝트가 너무 많습니다',
    'too-large': '응답이 너무 커서 읽을 수 없습니다',
    'no-worker': '이 클러스터의 워커가 실행되고 있지 않습니다',
    'name-shared': '두 클러스터의 워커가 이 이름으로 실행되고 있습니다',
    distrusted:
      '응답이 이 클러스터의 키로 서명되지 않아 사용하지 않습니다. 진단 워커에는 앱의 키에서 이 클러스터용으로 만든 `ANSWER_KEYS` 값이 필요합니다',
    'not-by-app':
      '클러스터마다 워커가 따로 있어 앱은 클러스터를 읽지 않습니다. Slack에서 워크로드를 진단하고 get_incident로 결과를 읽거나, 클러스터에 접근할 수 있는 곳에서 `rollout-doctor mcp`를 실행하세요',
    failed: '읽기에 실패했습니다',
    'record-lost': 'Redis에서 승인 기록이 사라졌습니다',
    inside: 'Rollout Doctor 내부 오류가 발생했습니다',
  },
};

/** What the code of a Redis that accepts no writes means; follows the code. */
export const redisWords: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    OOM: ': its memory is full',
    READONLY: ': it is a replica',
    MISCONF: ': it cannot save to disk',
    NOREPLICAS: ': it has too few replicas',
  },
  ko: {
    OOM: ': 메모리 가득 참',
    READONLY: ': 복제본',
    MISCONF: ': 디스크에 저장할 수 없음',
    NOREPLICAS: ': 복제본 부족',
  },
};
