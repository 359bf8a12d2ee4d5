import type { Language } from '../../../core/language/language.js';
import type { RemediationKind } from '../../../core/remediation/remediation.js';

/** What people call each kind, also where no remediation of it is offered. */
export const kindWords: Readonly<Record<Language, Readonly<Record<RemediationKind, string>>>> = {
  en: {
    'patch-strategy': 'change the strategy',
    'scale-down-old': 'stop one old pod',
    'undo-rollout': 'back to the revision before',
    'delete-pod': 'delete the pod',
    'exclude-nodes': 'keep it off the node',
    'restart-rollout': 'rollout restart',
    'resume-rollout': 'resume the rollout',
  },
  ko: {
    'patch-strategy': '배포 전략 변경',
    'scale-down-old': '이전 파드 하나 중지',
    'undo-rollout': '이전 리비전으로 되돌리기',
    'delete-pod': '파드 삭제',
    'exclude-nodes': '해당 노드 제외',
    'restart-rollout': '롤아웃 재시작(rollout restart)',
    'resume-rollout': '롤아웃 재개',
  },
};

const unseenReasons = [
  'forbidden',
  'unauthorized',
  'timeout',
  'unavailable',
  'throttled',
  'not-served',
  'malformed',
  'too-many',
  'too-large',
  'not-recorded',
  'failed',
] as const;
export type UnseenReason = (typeof unseenReasons)[number];

/** Why a read failed, after the name of what was read. */
export const unseenWords: Readonly<Record<Language, Readonly<Record<UnseenReason, string>>>> = {
  en: {
    forbidden: 'my service account lacks the right',
    unauthorized: 'my credentials are refused',
    timeout: 'no answer in time',
    unavailable: 'the API server does not answer',
    throttled: 'the API server asks me to wait',
    'not-served': 'the cluster does not serve it',
    malformed: 'the answer was not understood',
    'too-many': 'too many to read',
    'too-large': 'answer too large',
    'not-recorded': 'it is not among the recorded objects',
    failed: 'the read failed',
  },
  ko: {
    forbidden: '서비스 어카운트에 권한 없음',
    unauthorized: '자격 증명이 거부됨',
    timeout: '제때 응답 없음',
    unavailable: 'API 서버가 응답하지 않음',
    throttled: 'API 서버가 대기를 요청함',
    'not-served': '클러스터가 제공하지 않음',
    malformed: '응답을 해석하지 못함',
    'too-many': '너무 많아 읽지 못함',
    'too-large': '응답이 너무 큼',
    'not-recorded': '기록된 객체에 없음',
    failed: '읽기 실패',
  },
};

/** A stored reason may be of a newer version: then it is a failed read. */
export function unseenReason(text: string): UnseenReason {
  return unseenReasons.find((each) => each === text) ?? 'failed';
}
