import type { Language } from '../../engine/language/language.js';
import { code, type Prose, say } from '../../engine/language/prose.js';

/** Why a request is refused. The closed list is also the label of a metric. */
const refusalReasons = [
  'unknown-path',
  'method',
  'unauthorized',
  'signature',
  'content-type',
  'encoding',
  'too-large',
  'overloaded',
  'incomplete',
  'json',
  'schema',
  'unavailable',
  'failed-inside',
] as const;
type RefusalReason = (typeof refusalReasons)[number];

/** A refused request: the status, the reason, and a sentence for the person who configures the sender. */
export interface RequestRefusal {
  readonly type: 'refused';
  readonly status: 400 | 401 | 404 | 405 | 413 | 415 | 500 | 503;
  readonly reason: RefusalReason;
  readonly sentence: (language: Language) => Prose;
}

export function refuse<Key extends keyof typeof en>(
  status: RequestRefusal['status'],
  reason: RefusalReason,
  key: Key,
  ...values: Parameters<(typeof en)[Key]>
): RequestRefusal {
  const sentence = (language: Language) =>
    (refusalText[language][key] as (...values: Parameters<(typeof en)[Key]>) => Prose)(...values);
  return { type: 'refused', status, reason, sentence };
}

/** Why a webhook request is refused, for the person who configures the sender. No text of the request. */
const en = {
  'unknown-path': () => say`No webhook is configured at this address. Check the path in the sender.`,
  method: () => say`Use POST to send alerts.`,
  'authorization-missing': () => say`The Authorization header is missing or has the wrong scheme.`,
  'credentials-wrong': () => say`The credentials do not match this webhook.`,
  'signature-missing': () => say`The signature header is missing.`,
  'signature-wrong': () => say`The signature does not match the body. Check the secret in the sender.`,
  'time-wrong': () =>
    say`The signed time is missing or differs by more than five minutes. Synchronise the clocks.`,
  encoding: () => say`Compressed bodies are not accepted. Turn off compression in the sender.`,
  'content-type': () => say`The content type must be application/json.`,
  'too-large': ({ maxBytes }: { maxBytes: number }) =>
    say`The body is larger than ${maxBytes} bytes. Send fewer alerts in one request (max_alerts in Alertmanager).`,
  incomplete: () => say`The request ended before the body was complete.`,
  'too-many-bodies': () => say`Too many requests are in progress. Send the request again later.`,
  'too-many-alerts': () => say`Too many alerts are waiting. Send the request again later.`,
  json: () => say`The body is not valid JSON.`,
  /** `path` has only names of our schema. `expected` is empty where no single type fits. */
  schema: ({ source, path, expected }: { source: string; path: string; expected: string }) =>
    expected === ''
      ? say`The body does not match the format of ${code(source)}: ${code(path || 'the body')} has an unexpected value.`
      : say`The body does not match the format of ${code(source)}: ${code(path || 'the body')} must be of type ${code(expected)}.`,
  unavailable: () => say`Redis does not answer. Send the request again.`,
  'failed-inside': () => say`Rollout Doctor failed with an internal error. See its log.`,
};

const ko: typeof en = {
  'unknown-path': () => say`이 주소에는 웹훅이 없습니다. 발신 측에 설정한 경로를 확인하세요.`,
  method: () => say`알림은 POST로 보내세요.`,
  'authorization-missing': () => say`Authorization 헤더가 없거나 방식이 다릅니다.`,
  'credentials-wrong': () => say`자격 증명이 이 웹훅과 일치하지 않습니다.`,
  'signature-missing': () => say`서명 헤더가 없습니다.`,
  'signature-wrong': () => say`서명이 본문과 일치하지 않습니다. 발신 측의 시크릿을 확인하세요.`,
  'time-wrong': () => say`서명된 시각이 없거나 5분 넘게 차이 납니다. 시계를 동기화하세요.`,
  encoding: () => say`압축된 본문은 받지 않습니다. 발신 측에서 압축을 끄세요.`,
  'content-type': () => say`콘텐츠 타입은 application/json이어야 합니다.`,
  'too-large': ({ maxBytes }) =>
    say`본문이 ${maxBytes}바이트를 넘습니다. 한 요청에 보내는 알림 수를 줄이세요(Alertmanager의 max_alerts).`,
  incomplete: () => say`본문이 끝나기 전에 요청이 종료되었습니다.`,
  'too-many-bodies': () => say`처리 중인 요청이 너무 많습니다. 나중에 다시 보내세요.`,
  'too-many-alerts': () => say`대기 중인 알림이 너무 많습니다. 나중에 다시 보내세요.`,
  json: () => say`본문이 올바른 JSON이 아닙니다.`,
  schema: ({ source, path, expected }) =>
    expected === ''
      ? say`본문이 ${code(source)} 형식과 다릅니다. 예상하지 못한 값이 있는 위치: ${code(path || '본문')}.`
      : say`본문이 ${code(source)} 형식과 다릅니다. ${code(path || '본문')} 값에 필요한 타입: ${code(expected)}.`,
  unavailable: () => say`Redis가 응답하지 않습니다. 요청을 다시 보내세요.`,
  'failed-inside': () => say`Rollout Doctor 내부 오류가 발생했습니다. 로그를 확인하세요.`,
};

const refusalText = { en, ko };
