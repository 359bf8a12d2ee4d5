import type { SameSentences } from '../../../language/catalogue.js';
import { code, quote, say, sentences } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, duration, joined, names } from '../../../language/words.js';
import { type RefuserKind, refuserWords } from './refuser-words.js';

type Named = { readonly name: string };

type Said = { readonly said: string };

const en = {
  summary: ({
    workload,
    missing,
    refuser,
  }: {
    readonly workload: string;
    readonly missing: number;
    readonly refuser: RefuserKind;
  }) => say`${code(workload)} misses ${counted(missing, 'pod', 'pods')}: ${refuserWords('en', refuser)}`,
  standing: ({
    forSeconds,
    ready,
    wanted,
  }: {
    readonly forSeconds: number | undefined;
    readonly ready: number;
    readonly wanted: number;
  }) =>
    sentences(
      forSeconds === undefined
        ? say`The API server refuses to create its pods.`
        : say`The API server has refused to create its pods for ${duration('en', forSeconds)}.`,
      say`${ready} of ${wanted} are ready.`,
    ),
  refused: ({
    owner,
    missing,
    what,
  }: {
    readonly owner: string;
    readonly missing: number;
    readonly what: string;
  }) =>
    say`${code(owner)} wants ${counted(missing, 'pod', 'pods')} more, and creating the ${code(what)} is refused before any node is asked.`,
  'pod-security': ({
    namespace,
    level,
    violations,
  }: {
    readonly namespace: string;
    readonly level: string;
    readonly violations: readonly string[];
  }) =>
    sentences(
      say`Namespace ${code(namespace)} enforces the Pod Security Standard ${code(level)}.`,
      violations.length === 0 ? [] : say`The pod violates it: ${names('en', violations, 8)}.`,
    ),
  'security-policy': ({ policy }: { readonly policy: string }) =>
    say`No ${code(policy)} that the pod's ServiceAccount may use allows what the pod asks for.`,
  'webhook-denied': ({ webhook, said }: Said & { readonly webhook: string }) =>
    say`The admission webhook ${code(webhook)} denies it: ${quote(said)}.`,
  'webhook-unreachable': ({ webhook, said }: Said & { readonly webhook: string }) =>
    say`The admission webhook ${code(webhook)} could not be asked, and its failurePolicy is to refuse then: ${quote(said)}.`,
  'admission-policy': ({
    policy,
    binding,
    said,
  }: Said & { readonly policy: string; readonly binding: string }) =>
    say`The ValidatingAdmissionPolicy ${code(policy)} (binding ${code(binding)}) denies it: ${quote(said)}.`,
  'limit-range': ({
    ranges,
    violations,
  }: {
    readonly ranges: readonly string[];
    readonly violations: readonly string[];
  }) =>
    ranges.length === 0
      ? say`A LimitRange of the namespace forbids it: ${names('en', violations)}.`
      : say`LimitRange ${names('en', ranges)} forbids it: ${names('en', violations)}.`,
  'service-account': ({ namespace, name }: Named & { readonly namespace: string }) =>
    say`The template names the ServiceAccount ${code(name)}, which namespace ${code(namespace)} does not have.`,
  'priority-class': ({ name }: Named) =>
    say`The template names the PriorityClass ${code(name)}, which the cluster does not have.`,
  'runtime-class': ({ name }: Named) =>
    say`The template names the RuntimeClass ${code(name)}, which the cluster does not have.`,
  'namespace-terminating': ({ namespace }: { readonly namespace: string }) =>
    say`Namespace ${code(namespace)} is being deleted: nothing new can be created in it.`,
  invalid: ({ fields }: { readonly fields: readonly string[] }) =>
    say`After defaults and webhooks were applied, the pod is not valid: ${names('en', fields)}.`,
  'must-specify': ({
    quota,
    missing,
  }: {
    readonly quota: string;
    readonly missing: readonly { readonly resource: string; readonly containers: readonly string[] }[];
  }) =>
    say`Quota ${code(quota)} counts what these containers do not specify: ${joined(
      'en',
      missing.map(({ resource, containers }) => say`${code(resource)} (${names('en', containers)})`),
    )}.`,
  'quota-scope': ({ scopes }: { readonly scopes: string }) =>
    say`The cluster limits such pods to namespaces with a quota for them, and this one has none: ${code(scopes)}.`,
  forbidden: ({ said }: Said) => say`The API server forbids it: ${quote(said)}.`,
  failed: ({ said }: Said) => say`Creating it fails: ${quote(said)}.`,
  'serving-old': ({ ready }: { readonly ready: number }) =>
    say`What runs already keeps serving: ${counted(ready, 'pod', 'pods')}.`,
  'ev-confirmed': () => say`agrees with the refusal`,
  'only-said': () =>
    say`This rests on the API server's last answer; nothing that was read shows whether it would answer the same now.`,
  'because-no-quota': () => say`the refusal names no quota that is used up`,
  'because-never-ran': () => say`no container of it ever ran`,
  'restart-withheld': () => say`The same template meets the same refusal.`,
  'undo-withheld': () => say`The pods of any revision would be refused now.`,
  'patch-withheld': () => say`Stopping old pods first leaves fewer pods and creates none.`,
  'next-attempt': ({ owner, withinSeconds }: { readonly owner: string; readonly withinSeconds: number }) =>
    say`${code(owner)} tries again after a pause that doubles up to ${duration('en', withinSeconds)}; any change of an annotation on it makes it try at once.`,
  'advice-title': ({ refuser }: { readonly refuser: RefuserKind }) =>
    refuser === 'failed' ? say`Look at the API server` : say`Make the pod acceptable`,
  'advice-template': () => say`Change the template accordingly; the rollout then goes on by itself.`,
  'advice-service-account': () =>
    say`Create it, or name one that exists in the template's serviceAccountName.`,
  'advice-priority-class': () => say`Create it, or name one that exists in the template's priorityClassName.`,
  'advice-webhook': ({ webhook }: { readonly webhook: string }) =>
    say`Do what ${code(webhook)} asks in the template, or ask its owners for an exception.`,
  'advice-unreachable': ({ webhook }: { readonly webhook: string }) =>
    say`Bring the service behind ${code(webhook)} back; until then it stops every pod that its rules match, in all namespaces they cover.`,
  'advice-cluster': () =>
    say`This is a setting of the cluster: those who run it can allow it or say how to ask.`,
  'advice-namespace': () => say`Wait until it is gone and create it anew, or deploy elsewhere.`,
  'advice-failed': () =>
    say`An error or a timeout is not a refusal: it may pass. If it lasts, the API server's own log says more.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, missing, refuser }) =>
    say`${code(workload)}에 파드 ${missing}개가 부족합니다: ${refuserWords('ko', refuser)}`,
  standing: ({ forSeconds, ready, wanted }) =>
    sentences(
      forSeconds === undefined
        ? say`API 서버가 파드 생성을 거부합니다.`
        : say`API 서버가 ${duration('ko', forSeconds)}째 파드 생성을 거부합니다.`,
      say`${wanted}개 중 ${ready}개 준비됨.`,
    ),
  refused: ({ owner, missing, what }) =>
    say`${code(owner)}에 파드 ${missing}개가 더 필요하지만, 노드를 찾기도 전에 ${code(what)} 생성이 거부됩니다.`,
  'pod-security': ({ namespace, level, violations }) =>
    sentences(
      say`네임스페이스 ${code(namespace)}에는 Pod Security 표준 ${code(level)}이 적용됩니다.`,
      violations.length === 0 ? [] : say`위반 사항: ${names('ko', violations, 8)}.`,
    ),
  'security-policy': ({ policy }) =>
    say`파드의 ServiceAccount가 쓸 수 있는 ${code(policy)} 가운데 이 파드를 허용하는 것이 없습니다.`,
  'webhook-denied': ({ webhook, said }) => say`어드미션 웹훅 ${code(webhook)}의 거부 사유: ${quote(said)}.`,
  'webhook-unreachable': ({ webhook, said }) =>
    say`어드미션 웹훅 ${code(webhook)}에 물어볼 수 없고, failurePolicy에 따라 거부됩니다: ${quote(said)}.`,
  'admission-policy': ({ policy, binding, said }) =>
    say`ValidatingAdmissionPolicy ${code(policy)}(바인딩 ${code(binding)})의 거부 사유: ${quote(said)}.`,
  'limit-range': ({ ranges, violations }) =>
    ranges.length === 0
      ? say`네임스페이스의 LimitRange에 어긋납니다: ${names('ko', violations)}.`
      : say`LimitRange ${names('ko', ranges)}에 어긋납니다: ${names('ko', violations)}.`,
  'service-account': ({ namespace, name }) =>
    say`템플릿의 ServiceAccount ${code(name)}가 네임스페이스 ${code(namespace)}에 없습니다.`,
  'priority-class': ({ name }) => say`템플릿의 PriorityClass ${code(name)}가 클러스터에 없습니다.`,
  'runtime-class': ({ name }) => say`템플릿의 RuntimeClass ${code(name)}가 클러스터에 없습니다.`,
  'namespace-terminating': ({ namespace }) =>
    say`네임스페이스 ${code(namespace)} 삭제가 진행 중이라 아무것도 새로 만들 수 없습니다.`,
  invalid: ({ fields }) => say`기본값과 웹훅이 적용된 뒤의 파드가 올바르지 않습니다: ${names('ko', fields)}.`,
  'must-specify': ({ quota, missing }) =>
    say`쿼터 ${code(quota)}가 세는 값을 지정하지 않은 컨테이너가 있습니다: ${joined(
      'ko',
      missing.map(({ resource, containers }) => say`${code(resource)}(${names('ko', containers)})`),
    )}.`,
  'quota-scope': ({ scopes }) =>
    say`이런 파드는 전용 쿼터가 있는 네임스페이스에서만 허용되는데 여기에는 없습니다: ${code(scopes)}.`,
  forbidden: ({ said }) => say`API 서버의 거부 사유: ${quote(said)}.`,
  failed: ({ said }) => say`생성 실패: ${quote(said)}.`,
  'serving-old': ({ ready }) => say`이미 실행 중인 파드 ${ready}개가 계속 서비스합니다.`,
  'ev-confirmed': () => say`거부 사유와 일치`,
  'only-said': () =>
    say`API 서버의 마지막 답에 근거합니다. 지금도 같은 답일지는 읽은 객체만으로 알 수 없습니다.`,
  'because-no-quota': () => say`거부 사유에 한도를 넘은 쿼터 없음`,
  'because-never-ran': () => say`컨테이너가 실행된 적 없음`,
  'restart-withheld': () => say`같은 템플릿은 똑같이 거부됩니다.`,
  'undo-withheld': () => say`지금은 어느 리비전의 파드든 거부됩니다.`,
  'patch-withheld': () => say`이전 파드를 먼저 내리면 파드만 줄고 새로 만들어지지는 않습니다.`,
  'next-attempt': ({ owner, withinSeconds }) =>
    say`${code(owner)}의 다음 시도 간격은 최대 ${duration('ko', withinSeconds)}까지 늘어납니다. 주석을 하나 바꾸면 바로 시도합니다.`,
  'advice-title': ({ refuser }) =>
    refuser === 'failed' ? say`API 서버 확인하기` : say`허용되는 파드로 만들기`,
  'advice-template': () => say`템플릿을 그에 맞게 고치면 롤아웃이 저절로 이어집니다.`,
  'advice-service-account': () => say`새로 만들거나, 템플릿의 serviceAccountName을 있는 이름으로 바꾸세요.`,
  'advice-priority-class': () => say`새로 만들거나, 템플릿의 priorityClassName을 있는 이름으로 바꾸세요.`,
  'advice-webhook': ({ webhook }) =>
    say`템플릿을 ${code(webhook)}의 요구에 맞추거나, 관리자에게 예외를 요청하세요.`,
  'advice-unreachable': ({ webhook }) =>
    say`${code(webhook)} 뒤의 서비스를 되살리세요. 그때까지 규칙에 걸리는 모든 파드가 막힙니다.`,
  'advice-cluster': () => say`클러스터 설정입니다. 운영자가 허용하거나 방법을 알려 줄 수 있습니다.`,
  'advice-namespace': () => say`삭제가 끝난 뒤 다시 만들거나 다른 네임스페이스에 배포하세요.`,
  'advice-failed': () =>
    say`오류나 시간 초과는 거부가 아니므로 지나갈 수 있습니다. 계속되면 API 서버 로그를 보세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('admission-denied');
