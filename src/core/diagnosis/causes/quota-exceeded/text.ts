import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, sentences } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, duration, joined, names } from '../../../language/words.js';

interface Short {
  readonly quota: string;
  readonly resource: string;
  readonly requested: string;
  readonly used: string;
  readonly limited: string;
  readonly [value: string]: string;
}

const en = {
  summary: ({
    workload,
    missing,
    quota,
  }: {
    readonly workload: string;
    readonly missing: number;
    readonly quota: string;
  }) => say`${code(workload)} misses ${counted(missing, 'pod', 'pods')}: quota ${code(quota)} leaves no room`,
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
        ? say`The API server refuses to create more pods.`
        : say`The API server has refused to create more pods for ${duration('en', forSeconds)}.`,
      say`${ready} of ${wanted} are ready.`,
    ),
  refused: ({ owner, quota, resource, requested, used, limited }: Short & { readonly owner: string }) =>
    say`A pod of ${code(owner)} asks for ${code(requested)} of ${code(resource)}; of the ${code(limited)} that quota ${code(quota)} allows, ${code(used)} is used.`,
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
    say`${code(owner)} cannot even get its ${code(what)}, so no pod follows: ${code(requested)} of ${code(resource)} asked, ${code(used)} of ${code(limited)} used in quota ${code(quota)}.`,
  'never-fits': ({
    requested,
    limited,
    resource,
  }: {
    readonly requested: string;
    readonly limited: string;
    readonly resource: string;
  }) =>
    say`One pod asks for more ${code(resource)} (${code(requested)}) than the whole quota holds (${code(limited)}): freeing room will not help.`,
  'room-now': ({ quota }: { readonly quota: string }) =>
    say`By now ${code(quota)} has room again; the controller is in the pause before its next attempt.`,
  'used-by': ({
    resource,
    users,
  }: {
    readonly resource: string;
    readonly users: readonly {
      readonly owner: string;
      readonly pods: number;
      readonly charged: string;
    }[];
  }) =>
    say`Charged for ${code(resource)}: ${joined(
      'en',
      users.map(
        ({ owner, pods, charged }) => say`${code(owner)} ${code(charged)} (${counted(pods, 'pod', 'pods')})`,
      ),
    )}.`,
  'used-unseen': ({ quota }: { readonly quota: string }) =>
    say`The rest of what ${code(quota)} counts belongs to pods that were not read.`,
  'own-too-small': ({ pods }: { readonly pods: readonly string[] }) =>
    say`Without the workload's own old ${names('en', pods)} the quota would still refuse it.`,
  'pods-unread': ({ because }: { readonly because: string }) =>
    say`Some pods could not be read (${code(because)}): the workload's own old ones may be what fills the quota.`,
  'quota-unread': ({ quota }: { readonly quota: string }) =>
    say`The quota ${code(quota)} could not be worked out again from the objects; its numbers are those of the refusal.`,
  'neighbour-may-free': ({ neighbours }: { readonly neighbours: readonly string[] }) =>
    say`The rollout of ${names('en', neighbours, 3)} is in progress. When its new pods are ready, its controller stops its old pods, and the quota has room for this pod.`,
  'because-old-first': () => say`a StatefulSet takes the old pod of an ordinal before it makes the new one`,
  'because-no-predecessor': () => say`no pod of an older revision is left to hold the quota`,
  'because-old-not-enough': ({ pods }: { readonly pods: readonly string[] }) =>
    say`it would be refused without the old ${names('en', pods)} too`,
  'because-others-fail': ({ pods }: { readonly pods: readonly string[] }) =>
    say`the rollout waits for ${names('en', pods)}, which the API server did create`,
  'because-neighbour-frees': ({ neighbours }: { readonly neighbours: readonly string[] }) =>
    say`the rollout of ${names('en', neighbours, 3)} is in progress and frees enough of the quota`,
  'because-not-rolling': () => say`the rollout is paused: that is why old pods stay`,
  'restart-withheld': () => say`The quota refuses the pods of another revision just the same.`,
  'patch-withheld': () => say`Stopping old pods first does not make enough room, and costs ready pods.`,
  'next-attempt': ({ owner, withinSeconds }: { readonly owner: string; readonly withinSeconds: number }) =>
    say`${code(owner)} tries again after a pause that doubles up to ${duration('en', withinSeconds)}. It does not watch the quota: any change of an annotation on it makes it try at once.`,
  'advice-raise': ({ missing }: { readonly missing: number }) =>
    say`This is what ${counted(missing, 'more pod', 'more pods')} of that size would need beside what is used now.`,
  'advice-less-title': () => say`Or ask for less`,
  'advice-less': ({ resource }: { readonly resource: string }) =>
    say`Lower ${code(resource)} in the template, ask for fewer replicas, or stop what else uses up the quota.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, missing, quota }) =>
    say`${code(workload)}에 파드 ${missing}개가 부족합니다: 쿼터 ${code(quota)}에 남은 자리가 없습니다`,
  standing: ({ forSeconds, ready, wanted }) =>
    sentences(
      forSeconds === undefined
        ? say`API 서버가 파드를 더 만들지 않습니다.`
        : say`API 서버가 ${duration('ko', forSeconds)}째 파드를 더 만들지 않습니다.`,
      say`${wanted}개 중 ${ready}개 준비됨.`,
    ),
  refused: ({ owner, quota, resource, requested, used, limited }) =>
    say`${code(owner)} 파드 하나의 요청은 ${code(resource)} ${code(requested)}, 쿼터 ${code(quota)} 한도 ${code(limited)} 중 ${code(used)} 사용 중입니다.`,
  'refused-first': ({ owner, what, quota, resource, requested, used, limited }) =>
    say`${code(owner)}에 필요한 ${code(what)}부터 거부되어 파드가 만들어지지 않습니다: 쿼터 ${code(quota)}에서 ${code(resource)} ${code(limited)} 중 ${code(used)} 사용, ${code(requested)} 필요.`,
  'never-fits': ({ requested, limited, resource }) =>
    say`파드 하나가 쿼터 전체(${code(limited)})보다 많은 ${code(resource)} ${code(requested)}를 요청합니다. 자리를 비워도 소용없습니다.`,
  'room-now': ({ quota }) =>
    say`지금은 쿼터 ${code(quota)}에 자리가 있습니다. 컨트롤러가 다음 시도를 기다리는 중입니다.`,
  'used-by': ({ resource, users }) =>
    say`${code(resource)} 사용: ${joined(
      'ko',
      users.map(({ owner, pods, charged }) => say`${code(owner)} ${code(charged)}(파드 ${pods}개)`),
    )}.`,
  'used-unseen': ({ quota }) => say`쿼터 ${code(quota)}에 계산된 나머지는 읽지 못한 파드의 몫입니다.`,
  'own-too-small': ({ pods }) => say`이 워크로드의 이전 파드 ${names('ko', pods)} 없이도 쿼터는 거부합니다.`,
  'pods-unread': ({ because }) =>
    say`일부 파드를 읽지 못했습니다(${code(because)}). 이 워크로드의 이전 파드가 쿼터를 채우고 있을 수도 있습니다.`,
  'quota-unread': ({ quota }) =>
    say`쿼터 ${code(quota)}를 객체에서 다시 계산하지 못했습니다. 숫자는 거부 메시지에서 왔습니다.`,
  'neighbour-may-free': ({ neighbours }) =>
    say`${names('ko', neighbours, 3)} 롤아웃이 진행 중입니다. 새 파드가 준비되면 이전 파드가 중지되어 이 파드가 쓸 쿼터가 생깁니다.`,
  'because-old-first': () => say`StatefulSet은 새 파드를 만들기 전에 그 순번의 이전 파드를 먼저 내림`,
  'because-no-predecessor': () => say`쿼터를 쥐고 있는 이전 리비전의 파드 없음`,
  'because-old-not-enough': ({ pods }) => say`이전 파드 ${names('ko', pods)} 없이도 거부됨`,
  'because-others-fail': ({ pods }) => say`롤아웃은 이미 만들어진 ${names('ko', pods)} 파드를 기다림`,
  'because-neighbour-frees': ({ neighbours }) =>
    say`${names('ko', neighbours, 3)} 롤아웃이 진행 중이며 끝나면 쿼터가 충분히 풀림`,
  'because-not-rolling': () => say`롤아웃이 일시 중지되어 이전 파드가 남아 있음`,
  'restart-withheld': () => say`다른 리비전의 파드도 쿼터가 똑같이 거부합니다.`,
  'patch-withheld': () => say`이전 파드를 먼저 내려도 자리가 충분하지 않고, 준비된 파드만 줄어듭니다.`,
  'next-attempt': ({ owner, withinSeconds }) =>
    say`${code(owner)}은(는) 최대 ${duration('ko', withinSeconds)}까지 늘어나는 간격으로 다시 시도합니다. 쿼터를 지켜보지는 않으며, 주석을 하나 바꾸면 바로 시도합니다.`,
  'advice-raise': ({ missing }) => say`지금 사용량에 이 크기의 파드 ${missing}개를 더한 값입니다.`,
  'advice-less-title': () => say`또는 덜 요청하기`,
  'advice-less': ({ resource }) =>
    say`템플릿의 ${code(resource)} 값이나 복제본 수를 줄이거나, 쿼터를 쓰는 다른 것을 멈추세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('quota-exceeded');
