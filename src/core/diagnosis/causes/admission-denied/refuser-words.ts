import type { Language } from '../../../language/language.js';
import { type Prose, say } from '../../../language/prose.js';

/** What refuses the pods. */
export const refuserKinds = [
  'pod-security',
  'security-policy',
  'webhook-denied',
  'webhook-unreachable',
  'admission-policy',
  'limit-range',
  'service-account',
  'priority-class',
  'runtime-class',
  'namespace-terminating',
  'invalid',
  'must-specify',
  'quota-scope',
  'forbidden',
  'failed',
] as const;
export type RefuserKind = (typeof refuserKinds)[number];

/** What refuses the pods, as the end of a headline. */
export function refuserWords(language: Language, refuser: RefuserKind): Prose {
  return words[language][refuser];
}

const words: { readonly [Each in Language]: { readonly [Kind in RefuserKind]: Prose } } = {
  en: {
    'pod-security': say`Pod Security forbids its pods`,
    'security-policy': say`no security policy allows its pods`,
    'webhook-denied': say`an admission webhook denies its pods`,
    'webhook-unreachable': say`an admission webhook is unreachable`,
    'admission-policy': say`an admission policy denies its pods`,
    'limit-range': say`its pods are outside the namespace's LimitRange`,
    'service-account': say`its ServiceAccount does not exist`,
    'priority-class': say`its PriorityClass does not exist`,
    'runtime-class': say`its RuntimeClass does not exist`,
    'namespace-terminating': say`the namespace is being deleted`,
    invalid: say`its pod definition is invalid`,
    'must-specify': say`a quota requires resource values that its pods do not specify`,
    'quota-scope': say`the cluster requires a quota for the priority of its pods`,
    forbidden: say`the API server forbids its pods`,
    failed: say`the API server fails to create its pods`,
  },
  ko: {
    'pod-security': say`Pod Security 정책이 금지합니다`,
    'security-policy': say`허용하는 보안 정책이 없습니다`,
    'webhook-denied': say`어드미션 웹훅이 거부합니다`,
    'webhook-unreachable': say`어드미션 웹훅에 연결할 수 없습니다`,
    'admission-policy': say`어드미션 정책이 거부합니다`,
    'limit-range': say`네임스페이스의 LimitRange 범위를 벗어납니다`,
    'service-account': say`ServiceAccount가 없습니다`,
    'priority-class': say`PriorityClass가 없습니다`,
    'runtime-class': say`RuntimeClass가 없습니다`,
    'namespace-terminating': say`네임스페이스가 삭제되는 중입니다`,
    invalid: say`파드 정의가 올바르지 않습니다`,
    'must-specify': say`쿼터가 요구하는 리소스 값이 없습니다`,
    'quota-scope': say`이 우선순위에는 전용 쿼터가 필요합니다`,
    forbidden: say`API 서버가 금지합니다`,
    failed: say`API 서버가 생성하지 못합니다`,
  },
};
