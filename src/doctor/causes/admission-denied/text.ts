import type { Language } from '../../../engine/language/language.js';
import { code, type Prose, quote, say, sentences } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import {
  counted,
  duration,
  elapsed,
  isAtLeastOneSecond,
  joined,
  names,
} from '../../../engine/language/words.js';

type Named = { readonly name: string };

type Said = { readonly said: string };

const en = {
  'shared-failure': () => say`the API server rejects their pods`,
  summary: ({ workload, missing, refuser }: { workload: string; missing: number; refuser: RefuserKind }) =>
    say`${code(workload)} is ${counted(missing, 'pod', 'pods')} short: ${refuserWords('en', refuser)}`,
  'summary-certificate': ({ workload, missing }: { workload: string; missing: number }) =>
    say`${code(workload)} is ${counted(missing, 'pod', 'pods')} short: the API server does not accept the certificate of an admission webhook`,
  'summary-answer': ({ workload, missing }: { workload: string; missing: number }) =>
    say`${code(workload)} is ${counted(missing, 'pod', 'pods')} short: an admission webhook answers with an error`,
  standing: ({ forSeconds }: { forSeconds: number | undefined; ready: number; wanted: number }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`The API server refuses to create its pods.`
      : say`The API server has refused to create its pods for ${elapsed('en', forSeconds)}.`,
  refused: ({ owner, missing, what }: { owner: string; missing: number; what: string }) =>
    say`${code(owner)} is ${counted(missing, 'pod', 'pods')} short. The API server refuses the ${code(what)}, so the scheduler is not involved.`,
  'pod-security': (values: { namespace: string; level: string; violations: readonly string[] }) =>
    sentences(
      say`Namespace ${code(values.namespace)} enforces the Pod Security Standard ${code(values.level)}.`,
      values.violations.length === 0 ? [] : say`The pod violates it: ${names('en', values.violations, 8)}.`,
    ),
  'security-policy': ({ policy }: { policy: string }) =>
    say`No ${code(policy)} available to the pod's ServiceAccount allows what the pod requests.`,
  'webhook-denied': ({ webhook, said }: Said & { readonly webhook: string }) =>
    say`The admission webhook ${code(webhook)} denies it: ${quote(said)}.`,
  'webhook-unreachable': ({ webhook, said }: Said & { readonly webhook: string }) =>
    say`The API server could not reach the admission webhook ${code(webhook)}, whose failurePolicy refuses pods in this case: ${quote(said)}.`,
  'webhook-certificate': ({ webhook, said }: Said & { readonly webhook: string }) =>
    say`The API server does not accept the certificate of the admission webhook ${code(webhook)}, whose failurePolicy refuses pods in this case: ${quote(said)}.`,
  'webhook-answer': ({ webhook, said }: Said & { readonly webhook: string }) =>
    say`The admission webhook ${code(webhook)} gives no decision, and its failurePolicy refuses pods in this case. The API server reports of its answer: ${quote(said)}.`,
  'admission-policy': ({
    policy,
    binding,
    said,
  }: Said & { readonly policy: string; readonly binding: string }) =>
    say`The ValidatingAdmissionPolicy ${code(policy)} (binding ${code(binding)}) denies it: ${quote(said)}.`,
  'limit-range': ({ ranges, violations }: { ranges: readonly string[]; violations: readonly string[] }) =>
    ranges.length === 0
      ? say`A LimitRange of the namespace forbids it: ${names('en', violations)}.`
      : say`LimitRange ${names('en', ranges)} forbids it: ${names('en', violations)}.`,
  'service-account': ({ namespace, name }: Named & { readonly namespace: string }) =>
    say`The template uses the ServiceAccount ${code(name)}, which does not exist in namespace ${code(namespace)}.`,
  'priority-class': ({ name }: Named) =>
    say`The template uses the PriorityClass ${code(name)}, which does not exist in the cluster.`,
  'runtime-class': ({ name }: Named) =>
    say`The template uses the RuntimeClass ${code(name)}, which does not exist in the cluster.`,
  'namespace-terminating': ({ namespace }: { namespace: string }) =>
    say`Namespace ${code(namespace)} is being deleted, so no new objects can be created in it.`,
  invalid: ({ fields }: { fields: readonly string[] }) =>
    say`The pod is invalid after defaults and webhooks were applied: ${names('en', fields)}.`,
  'must-specify': (values: {
    quota: string;
    missing: readonly { readonly resource: string; readonly containers: readonly string[] }[];
  }) =>
    say`Quota ${code(values.quota)} requires values that these containers do not specify: ${joined(
      'en',
      values.missing.map(({ resource, containers }) => say`${code(resource)} (${names('en', containers)})`),
    )}.`,
  'added-at-admission': ({ containers }: { containers: readonly string[] }) =>
    say`The pod template has no such container: ${names('en', containers)}. It is added at admission, usually by a webhook.`,
  'advice-added-title': () => say`Give the added container its values`,
  'advice-added': () =>
    say`Find the webhook that adds the container, and set requests and limits of the container in its settings or annotations.`,
  'quota-scope': ({ scopes }: { scopes: string }) =>
    say`The cluster admits such pods only in namespaces with a quota for them, and this namespace has none: ${code(scopes)}.`,
  forbidden: ({ said }: Said) => say`The API server forbids it: ${quote(said)}.`,
  failed: ({ said }: Said) => say`The API server failed to create it: ${quote(said)}.`,
  'own-webhook': ({ service }: { service: string }) =>
    say`The pods that are refused serve this webhook: ${code(service)} selects them, and none is ready. So the webhook cannot answer, and no pod is created.`,
  'serving-old': ({ ready }: { ready: number }) =>
    say`${counted(ready, 'running pod keeps', 'running pods keep')} serving.`,
  'ev-confirmed': () => say`confirms the refusal`,
  'only-said': () =>
    say`This is the last answer of the API server. The objects that were read do not show whether it would answer the same now.`,
  'because-no-quota': () => say`the refusal names no exhausted quota`,
  'because-never-ran': () => say`no container of the pod was ever started`,
  'restart-withheld': () => say`The API server also refuses a new pod from the same template.`,
  'undo-withheld': () => say`The API server would now refuse the pods of any revision.`,
  'patch-withheld': () => say`Stopping old pods first reduces the number of pods and creates none.`,
  'next-attempt': ({ owner, withinSeconds }: { owner: string; withinSeconds: number }) =>
    say`${code(owner)} retries after a pause that doubles up to ${duration('en', withinSeconds)}. A changed annotation on it triggers an attempt at once.`,
  'advice-title': ({ refuser }: { refuser: RefuserKind }) =>
    refuser === 'failed' ? say`Check the API server` : say`Make the pod acceptable`,
  'advice-template': () => say`Change the template accordingly. The rollout then continues on its own.`,
  'advice-service-account': () =>
    say`Create it, or set serviceAccountName in the template to one that exists.`,
  'advice-priority-class': () => say`Create it, or set priorityClassName in the template to one that exists.`,
  'advice-webhook': ({ webhook }: { webhook: string }) =>
    say`Change the template to meet the rule of ${code(webhook)}, or ask its owners for an exception.`,
  'advice-unreachable': ({ webhook }: { webhook: string }) =>
    say`Restore the service behind ${code(webhook)}. Until then it blocks every pod that its rules match, in all namespaces they cover.`,
  'advice-certificate-title': () => say`Renew the certificate of the webhook`,
  'advice-certificate': ({ webhook }: { webhook: string }) =>
    say`Renew the certificate that the service behind ${code(webhook)} presents, for the name that the API server calls, and update ${code('caBundle')} in its configuration. Until then it blocks every pod that its rules match.`,
  'advice-clock-title': () => say`Set the clock`,
  'advice-clock': ({ webhook }: { webhook: string }) =>
    say`The certificate of ${code(webhook)} begins later than the clock of the API server shows. Compare the clocks of the control plane and of the node that issued the certificate.`,
  'advice-answer-title': () => say`Correct the webhook, or its configuration`,
  'advice-answer': ({ webhook }: { webhook: string }) =>
    say`The service behind ${code(webhook)} answers. Compare path and port in its configuration with what this version of the service offers, and read its log. Until then it blocks every pod that its rules match.`,
  'advice-quota-scope-title': ({ classes }: { classes: readonly string[] }) =>
    say`Create a ResourceQuota for ${names('en', classes)}, or set another priorityClassName`,
  'advice-quota-scope': ({ namespace }: { namespace: string }) =>
    say`The cluster limits these priority classes to namespaces with such a ResourceQuota. Ask the cluster administrators whether ${code(namespace)} may have one.`,
  'advice-exempt-title': () => say`Exempt the namespace of the webhook from the webhook`,
  'advice-exempt': ({ webhook, namespace }: { webhook: string; namespace: string }) =>
    say`Add this selector to ${code(webhook)} in its configuration. The API server then creates pods in ${code(namespace)} without it.`,
  'advice-without-webhook-title': () => say`Or delete the webhook configuration until the pods are ready`,
  'advice-without-webhook': ({ webhook }: { webhook: string }) =>
    say`Find the configuration that contains ${code(webhook)}, save it, and delete it. Apply it again once the pods are ready. Until then, the webhook checks nothing.`,
  'advice-cluster': () => say`This is a setting of the cluster. Ask the cluster administrators to allow it.`,
  'advice-namespace': () =>
    say`Wait until the namespace is gone and create it again, or deploy to another one.`,
  'advice-failed': () =>
    say`An error or a timeout is not a refusal and may pass. If it persists, check the log of the API server.`,
};

const ko: typeof en = {
  'shared-failure': () => say`API 서버가 파드 생성을 거부함`,
  summary: ({ workload, missing, refuser }) =>
    say`${code(workload)} 파드 ${missing}개 부족: ${refuserWords('ko', refuser)}`,
  'summary-certificate': ({ workload, missing }) =>
    say`${code(workload)} 파드 ${missing}개 부족: API 서버가 어드미션 웹훅의 인증서를 신뢰하지 않습니다`,
  'summary-answer': ({ workload, missing }) =>
    say`${code(workload)} 파드 ${missing}개 부족: 어드미션 웹훅이 오류로 응답합니다`,
  standing: ({ forSeconds }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`API 서버가 파드 생성을 거부합니다.`
      : say`API 서버가 ${elapsed('ko', forSeconds)}째 파드 생성을 거부하고 있습니다.`,
  refused: ({ owner, missing, what }) =>
    say`${code(owner)}에 파드 ${missing}개가 부족합니다. API 서버가 ${code(what)} 생성을 거부하므로 스케줄러까지 가지 않습니다.`,
  'pod-security': ({ namespace, level, violations }) =>
    sentences(
      say`네임스페이스 ${code(namespace)}에는 Pod Security 표준 ${code(level)} 수준이 적용됩니다.`,
      violations.length === 0 ? [] : say`위반 사항: ${names('ko', violations, 8)}.`,
    ),
  'security-policy': ({ policy }) =>
    say`파드의 ServiceAccount가 쓸 수 있는 ${code(policy)} 중에 이 파드를 허용하는 것이 없습니다.`,
  'webhook-denied': ({ webhook, said }) => say`어드미션 웹훅 ${code(webhook)} 거부 사유: ${quote(said)}.`,
  'webhook-unreachable': ({ webhook, said }) =>
    say`API 서버가 어드미션 웹훅 ${code(webhook)}에 연결할 수 없으며, 이 경우 failurePolicy에 따라 거부됩니다: ${quote(said)}.`,
  'webhook-certificate': ({ webhook, said }) =>
    say`API 서버가 어드미션 웹훅 ${code(webhook)}의 인증서를 신뢰하지 않으며, 이 경우 failurePolicy에 따라 거부됩니다: ${quote(said)}.`,
  'webhook-answer': ({ webhook, said }) =>
    say`어드미션 웹훅 ${code(webhook)}의 응답에 판정이 없으며, 이 경우 failurePolicy에 따라 거부됩니다. API 서버가 기록한 응답: ${quote(said)}.`,
  'admission-policy': ({ policy, binding, said }) =>
    say`ValidatingAdmissionPolicy ${code(policy)}(바인딩 ${code(binding)}) 거부 사유: ${quote(said)}.`,
  'limit-range': ({ ranges, violations }) =>
    ranges.length === 0
      ? say`네임스페이스의 LimitRange에 어긋납니다: ${names('ko', violations)}.`
      : say`LimitRange ${names('ko', ranges)}에 어긋납니다: ${names('ko', violations)}.`,
  'service-account': ({ namespace, name }) =>
    say`템플릿의 ServiceAccount(${code(name)})가 네임스페이스 ${code(namespace)}에 없습니다.`,
  'priority-class': ({ name }) => say`템플릿의 PriorityClass(${code(name)})가 클러스터에 없습니다.`,
  'runtime-class': ({ name }) => say`템플릿의 RuntimeClass(${code(name)})가 클러스터에 없습니다.`,
  'namespace-terminating': ({ namespace }) =>
    say`네임스페이스 ${code(namespace)} 삭제가 진행 중이므로 새 오브젝트를 만들 수 없습니다.`,
  invalid: ({ fields }) => say`기본값과 웹훅이 적용된 뒤의 파드가 올바르지 않습니다: ${names('ko', fields)}.`,
  'must-specify': ({ quota, missing }) =>
    say`쿼터 ${code(quota)}에 필요한 값을 지정하지 않은 컨테이너가 있습니다: ${joined(
      'ko',
      missing.map(({ resource, containers }) => say`${code(resource)}(${names('ko', containers)})`),
    )}.`,
  'added-at-admission': ({ containers }) =>
    say`파드 템플릿에 없는 컨테이너입니다: ${names('ko', containers)}. 보통 웹훅이 파드를 생성할 때 추가합니다.`,
  'advice-added-title': () => say`추가된 컨테이너에 값 지정하기`,
  'advice-added': () =>
    say`컨테이너를 추가하는 웹훅을 찾아, 웹훅의 설정이나 어노테이션에서 그 컨테이너의 requests와 limits를 지정하세요.`,
  'quota-scope': ({ scopes }) =>
    say`이런 파드는 전용 쿼터가 있는 네임스페이스에서만 허용되는데 여기에는 없습니다: ${code(scopes)}.`,
  forbidden: ({ said }) => say`API 서버의 거부 사유: ${quote(said)}.`,
  failed: ({ said }) => say`생성 실패: ${quote(said)}.`,
  'own-webhook': ({ service }) =>
    say`거부된 파드가 바로 이 웹훅을 제공합니다. ${code(service)} 서비스가 이 파드를 선택하지만 준비된 파드가 없습니다. 그래서 웹훅이 응답하지 못하고 파드도 생성되지 않습니다.`,
  'serving-old': ({ ready }) => say`실행 중인 파드 ${ready}개가 계속 서비스합니다.`,
  'ev-confirmed': () => say`거부 사유와 일치`,
  'only-said': () =>
    say`API 서버의 마지막 응답에 근거합니다. 지금도 같은 응답일지는 읽은 오브젝트만으로 알 수 없습니다.`,
  'because-no-quota': () => say`거부 사유에 소진된 쿼터 없음`,
  'because-never-ran': () => say`컨테이너가 시작된 적 없음`,
  'restart-withheld': () => say`같은 템플릿의 새 파드도 똑같이 거부됩니다.`,
  'undo-withheld': () => say`지금은 어느 리비전의 파드든 거부됩니다.`,
  'patch-withheld': () => say`이전 파드를 먼저 내리면 파드만 줄고 새로 만들어지지는 않습니다.`,
  'next-attempt': ({ owner, withinSeconds }) =>
    say`${code(owner)} 컨트롤러가 최대 ${duration('ko', withinSeconds)}까지 두 배씩 늘어나는 간격으로 다시 시도합니다. 어노테이션을 하나 바꾸면 바로 시도합니다.`,
  'advice-title': ({ refuser }) =>
    refuser === 'failed' ? say`API 서버 확인하기` : say`허용되는 파드로 바꾸기`,
  'advice-template': () => say`템플릿을 그에 맞게 수정하면 롤아웃이 이어집니다.`,
  'advice-service-account': () =>
    say`새로 만들거나, 템플릿의 serviceAccountName을 존재하는 이름으로 바꾸세요.`,
  'advice-priority-class': () => say`새로 만들거나, 템플릿의 priorityClassName을 존재하는 이름으로 바꾸세요.`,
  'advice-webhook': ({ webhook }) =>
    say`템플릿을 ${code(webhook)} 규칙에 맞추거나, 담당자에게 예외를 요청하세요.`,
  'advice-unreachable': ({ webhook }) =>
    say`${code(webhook)} 뒤의 서비스를 복구하세요. 그때까지 규칙이 적용되는 모든 네임스페이스에서 해당하는 파드가 모두 차단됩니다.`,
  'advice-certificate-title': () => say`웹훅 인증서 갱신하기`,
  'advice-certificate': ({ webhook }) =>
    say`${code(webhook)} 뒤의 서비스가 제시하는 인증서를 API 서버가 호출하는 이름으로 갱신하고, 웹훅 설정의 ${code('caBundle')} 값도 업데이트하세요. 그때까지 규칙에 해당하는 파드가 모두 차단됩니다.`,
  'advice-clock-title': () => say`시계 맞추기`,
  'advice-clock': ({ webhook }) =>
    say`${code(webhook)} 인증서의 유효 기간이 API 서버의 현재 시각보다 늦게 시작됩니다. 컨트롤 플레인의 시계와 인증서를 발급한 노드의 시계를 비교하세요.`,
  'advice-answer-title': () => say`웹훅이나 웹훅 설정 고치기`,
  'advice-answer': ({ webhook }) =>
    say`${code(webhook)} 웹훅의 서비스가 응답은 합니다. 설정의 경로와 포트를 이 버전의 서비스가 제공하는 것과 비교하고 서비스 로그를 확인하세요. 그때까지 규칙에 해당하는 파드가 모두 거부됩니다.`,
  'advice-quota-scope-title': ({ classes }) =>
    say`${names('ko', classes)}용 ResourceQuota를 만들거나 다른 priorityClassName 사용하기`,
  'advice-quota-scope': ({ namespace }) =>
    say`이 우선순위 클래스는 이런 ResourceQuota가 있는 네임스페이스에서만 쓸 수 있습니다. 네임스페이스 ${code(namespace)}에 만들어도 되는지 클러스터 관리자에게 확인하세요.`,
  'advice-exempt-title': () => say`웹훅 자신의 네임스페이스를 웹훅에서 제외하기`,
  'advice-exempt': ({ webhook, namespace }) =>
    say`웹훅 설정의 ${code(webhook)} 항목에 이 셀렉터를 추가하세요. 그러면 API 서버가 ${code(namespace)}에서는 웹훅 없이 파드를 생성합니다.`,
  'advice-without-webhook-title': () => say`또는 파드가 준비될 때까지 웹훅 설정 삭제하기`,
  'advice-without-webhook': ({ webhook }) =>
    say`${code(webhook)} 항목이 있는 설정을 찾아 저장한 뒤 삭제하세요. 파드가 준비되면 다시 적용하세요. 그때까지 웹훅은 아무것도 검사하지 않습니다.`,
  'advice-cluster': () => say`클러스터 설정입니다. 클러스터 관리자에게 허용을 요청하세요.`,
  'advice-namespace': () => say`네임스페이스가 삭제된 뒤 다시 만들거나 다른 네임스페이스에 배포하세요.`,
  'advice-failed': () =>
    say`오류나 시간 초과는 거부가 아니므로 일시적일 수 있습니다. 계속되면 API 서버 로그를 확인하세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('admission-denied');

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
function refuserWords(language: Language, refuser: RefuserKind): Prose {
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
