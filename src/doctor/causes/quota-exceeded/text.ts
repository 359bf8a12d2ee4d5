import { code, say, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import {
  counted,
  duration,
  elapsed,
  isAtLeastOneSecond,
  joined,
  names,
} from '../../../engine/language/words.js';

interface Short {
  readonly quota: string;
  readonly resource: string;
  readonly requested: string;
  readonly used: string;
  readonly limited: string;
  readonly [value: string]: string;
}

const en = {
  'shared-failure': () => say`a quota is exceeded`,
  summary: ({ workload, missing, quota }: { workload: string; missing: number; quota: string }) =>
    say`${code(workload)} is ${counted(missing, 'pod', 'pods')} short: quota ${code(quota)} is exhausted`,
  standing: ({ forSeconds }: { forSeconds: number | undefined; ready: number; wanted: number }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`The API server refuses to create more pods.`
      : say`The API server has refused to create more pods for ${elapsed('en', forSeconds)}.`,
  refused: ({ owner, quota, resource, requested, used, limited }: Short & { readonly owner: string }) =>
    say`A pod of ${code(owner)} requests ${code(requested)} of ${code(resource)}. Quota ${code(quota)} has ${code(used)} of ${code(limited)} in use.`,
  /** A claim or a ReplicaSet is refused, so that no pod can follow. */
  'refused-first': ({
    owner,
    what,
    quota,
    resource,
    requested,
    used,
    limited,
  }: Short & { readonly owner: string; readonly what: string }) =>
    say`The API server refuses the ${code(what)} of ${code(owner)}, so no pod is created. It requests ${code(requested)} of ${code(resource)}, and quota ${code(quota)} has ${code(used)} of ${code(limited)} in use.`,
  'never-fits': (values: { requested: string; limited: string; resource: string }) =>
    say`One pod requests more ${code(values.resource)} (${code(values.requested)}) than the whole quota allows (${code(values.limited)}). Freeing quota does not help.`,
  'room-now': ({ quota }: { quota: string }) =>
    say`Quota ${code(quota)} has room again now. The controller pauses before its next attempt.`,
  'used-by': (values: {
    resource: string;
    users: readonly { readonly owner: string; readonly pods: number; readonly charged: string }[];
  }) =>
    say`In use (${code(values.resource)}): ${joined(
      'en',
      values.users.map(
        ({ owner, pods, charged }) => say`${code(owner)} ${code(charged)} (${counted(pods, 'pod', 'pods')})`,
      ),
    )}.`,
  'used-unseen': ({ quota }: { quota: string }) =>
    say`Pods that were not read account for the rest of what ${code(quota)} counts.`,
  'own-too-small': ({ pods }: { pods: readonly string[] }) =>
    say`Even without the workload's own old ${names('en', pods)}, the quota would refuse the pod.`,
  'pods-unread': ({ because }: { because: string }) =>
    say`Some pods could not be read (${code(because)}). The workload's own old pods may be among those that use up the quota.`,
  'quota-unread': ({ quota }: { quota: string }) =>
    say`The use of quota ${code(quota)} could not be computed from the objects. The numbers come from the refusal.`,
  'neighbour-may-free': ({ neighbours }: { neighbours: readonly string[] }) =>
    say`The rollout of ${names('en', neighbours, 3)} is in progress. When its new pods are ready, its controller stops its old pods, and the quota has room for this pod.`,
  'because-old-first': () => say`a StatefulSet stops the old pod of an ordinal before it creates the new one`,
  'because-no-predecessor': () => say`no pod of an older revision is left that uses the quota`,
  'because-old-not-enough': ({ pods }: { pods: readonly string[] }) =>
    say`the quota would refuse the pod even without the old ${names('en', pods)}`,
  'because-others-fail': ({ pods }: { pods: readonly string[] }) =>
    say`the rollout waits for ${names('en', pods)}, which already ${word(pods.length === 1 ? 'exists' : 'exist')}`,
  'because-neighbour-frees': ({ neighbours }: { neighbours: readonly string[] }) =>
    say`the rollout of ${names('en', neighbours, 3)} is in progress and frees enough of the quota`,
  'because-not-rolling': () => say`the old pods stay because the rollout is paused`,
  'restart-withheld': () => say`The quota also refuses the pods of another revision.`,
  'patch-withheld': () =>
    say`Stopping old pods first does not free enough quota, and it reduces the number of ready pods.`,
  'next-attempt': ({ owner, withinSeconds }: { owner: string; withinSeconds: number }) =>
    say`${code(owner)} retries after a pause that doubles up to ${duration('en', withinSeconds)}. The controller does not watch the quota. A changed annotation on it triggers an attempt at once.`,
  'advice-raise': ({ missing }: { missing: number }) =>
    say`This is the current use plus ${counted(missing, 'more pod', 'more pods')} of this size.`,
  'advice-less-title': () => say`Or request less`,
  'advice-less': ({ resource }: { resource: string }) =>
    say`Lower ${code(resource)} in the template, reduce the replicas, or stop other pods that use the quota.`,
};

const ko: typeof en = {
  'shared-failure': () => say`쿼터 초과`,
  summary: ({ workload, missing, quota }) =>
    say`${code(workload)} 파드 ${missing}개 부족: 쿼터 ${code(quota)} 한도가 소진되었습니다`,
  standing: ({ forSeconds }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`API 서버가 파드 추가 생성을 거부합니다.`
      : say`API 서버가 ${elapsed('ko', forSeconds)}째 파드 추가 생성을 거부하고 있습니다.`,
  refused: ({ owner, quota, resource, requested, used, limited }) =>
    say`${code(owner)}의 파드 하나가 ${code(resource)} ${code(requested)} 사용을 요청하는데, 쿼터 ${code(quota)} 한도 ${code(limited)} 중 ${code(used)} 사용 중입니다.`,
  'refused-first': ({ owner, what, quota, resource, requested, used, limited }) =>
    say`${code(owner)}에 필요한 ${code(what)} 생성부터 거부되어 파드가 만들어지지 않습니다. 요청은 ${code(resource)} ${code(requested)}이고, 쿼터 ${code(quota)} 한도 ${code(limited)} 중 ${code(used)} 사용 중입니다.`,
  'never-fits': ({ requested, limited, resource }) =>
    say`파드 하나의 ${code(resource)} 요청(${code(requested)})이 쿼터 전체 한도(${code(limited)})보다 큽니다. 쿼터를 비워도 해결되지 않습니다.`,
  'room-now': ({ quota }) =>
    say`지금은 쿼터 ${code(quota)}에 여유가 있습니다. 컨트롤러가 다음 시도까지 대기하고 있습니다.`,
  'used-by': ({ resource, users }) =>
    say`${code(resource)} 사용: ${joined(
      'ko',
      users.map(({ owner, pods, charged }) => say`${code(owner)} ${code(charged)}(파드 ${pods}개)`),
    )}.`,
  'used-unseen': ({ quota }) => say`쿼터 ${code(quota)}의 나머지 사용량은 읽지 못한 파드의 것입니다.`,
  'own-too-small': ({ pods }) => say`이 워크로드의 이전 파드 ${names('ko', pods)} 없이도 쿼터가 거부합니다.`,
  'pods-unread': ({ because }) =>
    say`일부 파드를 읽지 못했습니다(${code(because)}). 쿼터를 쓰는 파드 중에 이 워크로드의 이전 파드가 있을 수도 있습니다.`,
  'quota-unread': ({ quota }) =>
    say`쿼터 ${code(quota)} 사용량을 오브젝트에서 계산하지 못했습니다. 숫자는 거부 메시지에서 가져왔습니다.`,
  'neighbour-may-free': ({ neighbours }) =>
    say`${names('ko', neighbours, 3)} 롤아웃이 진행 중입니다. 새 파드가 준비되면 컨트롤러가 이전 파드를 내려 이 파드가 쓸 쿼터가 생깁니다.`,
  'because-old-first': () => say`StatefulSet은 새 파드를 만들기 전에 같은 순번의 이전 파드를 먼저 내림`,
  'because-no-predecessor': () => say`쿼터를 쓰는 이전 리비전 파드 없음`,
  'because-old-not-enough': ({ pods }) => say`이전 파드 ${names('ko', pods)} 없이도 거부됨`,
  'because-others-fail': ({ pods }) => say`롤아웃은 이미 생성된 ${names('ko', pods)} 파드를 기다림`,
  'because-neighbour-frees': ({ neighbours }) =>
    say`${names('ko', neighbours, 3)} 롤아웃이 진행 중이며 완료되면 쿼터에 여유가 생김`,
  'because-not-rolling': () => say`롤아웃이 일시 중지되어 이전 파드가 남아 있음`,
  'restart-withheld': () => say`다른 리비전의 파드도 쿼터가 똑같이 거부합니다.`,
  'patch-withheld': () => say`이전 파드를 먼저 내려도 쿼터가 충분하지 않고, 준비된 파드만 줄어듭니다.`,
  'next-attempt': ({ owner, withinSeconds }) =>
    say`${code(owner)} 컨트롤러가 최대 ${duration('ko', withinSeconds)}까지 두 배씩 늘어나는 간격으로 다시 시도합니다. 쿼터를 감시하지는 않으며, 어노테이션을 하나 바꾸면 바로 시도합니다.`,
  'advice-raise': ({ missing }) => say`현재 사용량에 이 크기의 파드 ${missing}개를 더한 값입니다.`,
  'advice-less-title': () => say`또는 요청 줄이기`,
  'advice-less': ({ resource }) =>
    say`템플릿의 ${code(resource)} 값이나 복제본 수를 줄이거나, 쿼터를 쓰는 다른 파드를 중지하세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('quota-exceeded');
