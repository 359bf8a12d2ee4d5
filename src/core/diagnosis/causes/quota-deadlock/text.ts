import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, duration, names } from '../../../language/words.js';

const en = {
  summary: ({ workload, quota }: { readonly workload: string; readonly quota: string }) =>
    say`${code(workload)} waits for itself: its old pods use up the quota ${code(quota)}`,
  refused: ({
    kind,
    creator,
    missing,
    quota,
    resource,
    requested,
    used,
    limited,
  }: {
    readonly kind: string;
    readonly creator: string;
    readonly missing: number;
    readonly quota: string;
    readonly resource: string;
    readonly requested: string;
    readonly used: string;
    readonly limited: string;
  }) =>
    say`The ${word(kind === 'ReplicaSet' ? 'new ReplicaSet' : 'DaemonSet')} ${code(creator)} wants ${counted(missing, 'pod', 'pods')} more, and the API server does not create it: a pod asks for ${code(requested)} of ${code(resource)}, and of the ${code(limited)} that quota ${code(quota)} allows, ${code(used)} is used.`,
  held: ({
    pods,
    resource,
    charged,
    used,
  }: {
    readonly pods: readonly string[];
    readonly resource: string;
    readonly charged: string;
    readonly used: string;
  }) =>
    pods.length === 1
      ? say`Of the ${code(used)} used, ${code(charged)} of ${code(resource)} is charged to ${names('en', pods)}: the old pod of this same workload.`
      : say`Of the ${code(used)} used, ${code(charged)} of ${code(resource)} is charged to ${names('en', pods)}: old pods of this same workload.`,
  /** Of a DaemonSet. */
  'strategy-surges': ({
    maxSurge,
    surge,
    nodes,
  }: {
    readonly maxSurge: string;
    readonly surge: number;
    readonly nodes: number;
  }) =>
    say`The strategy (maxSurge ${code(maxSurge)}) starts new pods beside the old ones, on ${surge} of ${nodes} nodes at a time, and takes an old pod only when the new one of its node is ready.`,
  /** The pod would be created, and no node would take it. */
  'then-nowhere': () =>
    say`That would not be the end of it: created, the new pod would find no node with room for it.`,
  counterfactual: ({ without }: { readonly without: readonly string[] }) =>
    say`Without ${names('en', without)} every quota of the namespace admits the new pod.`,
  'no-rescue': ({ quota }: { readonly quota: string }) =>
    say`No pod that ${code(quota)} charges is on its way out to change that.`,
  served: ({ ready, wanted }: { readonly ready: number; readonly wanted: number }) =>
    ready >= wanted
      ? say`Users are served: ${ready} of ${wanted} ready.`
      : say`Only ${ready} of ${wanted} pods are ready.`,
  'ev-refused': ({ creator }: { readonly creator: string }) =>
    say`the API server refuses the pod of ${code(creator)}`,
  'ev-holder': ({ resource, charged }: { readonly resource: string; readonly charged: string }) =>
    say`is charged ${code(charged)} of ${code(resource)}`,
  'quota-unread': ({ quota }: { readonly quota: string }) =>
    say`The quota ${code(quota)} itself could not be read: its numbers are those of the refusal, and its scopes are not known.`,
  'pods-unread': ({ because }: { readonly because: string }) =>
    say`Some pods could not be read (${code(because)}); one that is leaving may free the quota.`,
  'others-wait': ({ pods }: { readonly pods: readonly string[] }) =>
    say`New pods that exist already (${names('en', pods)}) find no node, so the quota is not all that stands in the way.`,
  'neighbours-unread': ({ neighbours }: { readonly neighbours: readonly string[] }) =>
    say`${names('en', neighbours, 3)} ${word(neighbours.length === 1 ? 'runs' : 'run')} pods of several revisions, and could not be read. A rollout there may still stop old pods, and the new pod may be created then.`,
  'jobs-may-finish': ({ pods }: { readonly pods: readonly string[] }) =>
    say`Pods that run to completion (${names('en', pods, 3)}) are charged too, and may free enough when they end.`,
  'because-no-pod': ({ creator }: { readonly creator: string }) =>
    say`the missing pod of ${code(creator)} was never created, so no scheduler has seen it`,
  'because-own-pods': ({ pods }: { readonly pods: readonly string[] }) =>
    say`the workload's own ${names('en', pods)} ${word(pods.length === 1 ? 'is' : 'are')} enough to make room`,
  'restart-withheld': () => say`The quota refuses the pod of one more revision just the same.`,
  'patch-withheld': () =>
    say`Stopping old pods first does not bring the rollout to its end, as far as the engines see.`,
  'next-attempt': ({
    creator,
    withinSeconds,
  }: {
    readonly creator: string;
    readonly withinSeconds: number;
  }) =>
    say`${code(creator)} tries to create its pod again after a pause that doubles up to ${duration('en', withinSeconds)}; until an old pod is gone, the answer stays the same.`,
  'pause-first': ({ creator, withinSeconds }: { readonly creator: string; readonly withinSeconds: number }) =>
    say`${code(creator)} creates its pod at its next attempt, up to ${duration('en', withinSeconds)} after there is room; changing an annotation of it makes it try at once.`,
  'advice-raise': ({ surge }: { readonly surge: number }) =>
    say`With room for ${counted(surge, 'extra pod', 'extra pods')} the rollout finishes without a gap.`,
  'advice-raise-and-room': ({ surge }: { readonly surge: number }) =>
    say`With room for ${counted(surge, 'extra pod', 'extra pods')} the new pod is created; a node that takes it must be there as well.`,
  'advice-nudge-title': () => say`Do not wait for the next attempt`,
  'advice-nudge': ({
    kind,
    creator,
    withinSeconds,
  }: {
    readonly kind: string;
    readonly creator: string;
    readonly withinSeconds: number;
  }) =>
    say`The controller does not watch quotas: once there is room it may take up to ${duration('en', withinSeconds)} until ${code(creator)} tries again. Any change to the ${word(kind)}, such as an annotation, makes it try at once.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, quota }) =>
    say`${code(workload)} 롤아웃이 자기 자신을 기다립니다: 이전 파드가 쿼터 ${code(quota)} 한도를 모두 쓰고 있습니다`,
  refused: ({ kind, creator, missing, quota, resource, requested, used, limited }) =>
    say`${word(kind === 'ReplicaSet' ? '새 ReplicaSet' : 'DaemonSet')} ${code(creator)}에 파드 ${missing}개가 더 필요하지만 API 서버가 만들지 않습니다: 파드 하나의 요청은 ${code(resource)} ${code(requested)}, 쿼터 ${code(quota)} 한도 ${code(limited)} 중 ${code(used)} 사용 중입니다.`,
  held: ({ pods, resource, charged, used }) =>
    say`사용 중인 ${code(used)} 가운데 ${code(resource)} ${code(charged)}은(는) 같은 워크로드의 이전 파드 ${names('ko', pods)} 몫입니다.`,
  'strategy-surges': ({ maxSurge, surge, nodes }) =>
    say`배포 전략(maxSurge ${code(maxSurge)})은 노드 ${nodes}개 중 한 번에 ${surge}개에서 이전 파드 옆에 새 파드를 띄우고, 그 노드의 새 파드가 준비되어야 이전 파드를 내립니다.`,
  'then-nowhere': () => say`그것으로 끝나지 않습니다. 만들어지더라도 새 파드가 들어갈 노드가 없습니다.`,
  counterfactual: ({ without }) =>
    say`${names('ko', without)} 없이는 네임스페이스의 모든 쿼터가 새 파드를 허용합니다.`,
  'no-rescue': ({ quota }) => say`쿼터 ${code(quota)}에 계산되는 파드 중 사라지는 중인 것은 없습니다.`,
  served: ({ ready, wanted }) =>
    ready >= wanted
      ? say`사용자는 서비스받고 있습니다: ${wanted}개 중 ${ready}개 준비됨.`
      : say`파드 ${wanted}개 중 ${ready}개만 준비되었습니다.`,
  'ev-refused': ({ creator }) => say`API 서버가 ${code(creator)}의 파드 생성을 거부`,
  'ev-holder': ({ resource, charged }) => say`${code(resource)} ${code(charged)} 차지`,
  'quota-unread': ({ quota }) =>
    say`쿼터 ${code(quota)} 자체는 읽지 못했습니다. 숫자는 거부 메시지에서 왔고 범위(scope)는 알 수 없습니다.`,
  'pods-unread': ({ because }) =>
    say`일부 파드를 읽지 못했습니다(${code(because)}). 종료 중인 파드가 쿼터를 비울 수도 있습니다.`,
  'others-wait': ({ pods }) =>
    say`이미 만들어진 새 파드(${names('ko', pods)})도 노드를 찾지 못하므로 쿼터만이 문제는 아닙니다.`,
  'neighbours-unread': ({ neighbours }) =>
    say`${names('ko', neighbours, 3)} 워크로드는 여러 리비전의 파드를 실행 중이지만 읽지 못했습니다. 그쪽 롤아웃이 이전 파드를 중지하면 새 파드를 만들 수 있습니다.`,
  'jobs-may-finish': ({ pods }) =>
    say`작업을 마치면 끝나는 파드(${names('ko', pods, 3)})도 쿼터를 쓰고 있어, 끝나면 자리가 날 수 있습니다.`,
  'because-no-pod': ({ creator }) =>
    say`${code(creator)}의 부족한 파드는 만들어진 적이 없어 스케줄러가 본 적 없음`,
  'because-own-pods': ({ pods }) => say`이 워크로드의 ${names('ko', pods)}만으로 자리가 남`,
  'restart-withheld': () => say`리비전을 하나 더 만들어도 쿼터는 그 파드를 똑같이 거부합니다.`,
  'patch-withheld': () => say`엔진이 보는 한, 이전 파드를 먼저 내려도 롤아웃이 끝나지 않습니다.`,
  'next-attempt': ({ creator, withinSeconds }) =>
    say`${code(creator)}은(는) 최대 ${duration('ko', withinSeconds)}까지 늘어나는 간격으로 다시 시도하지만, 이전 파드가 사라지기 전에는 결과가 같습니다.`,
  'pause-first': ({ creator, withinSeconds }) =>
    say`${code(creator)}은(는) 다음 시도 때 파드를 만듭니다. 자리가 난 뒤 최대 ${duration('ko', withinSeconds)} 걸리며, 주석을 하나 바꾸면 바로 시도합니다.`,
  'advice-raise': ({ surge }) => say`파드 ${surge}개의 여유가 있으면 중단 없이 롤아웃이 끝납니다.`,
  'advice-raise-and-room': ({ surge }) =>
    say`파드 ${surge}개의 여유가 있으면 새 파드가 만들어집니다. 다만 그 파드를 받을 노드도 있어야 합니다.`,
  'advice-nudge-title': () => say`다음 시도를 기다리지 않기`,
  'advice-nudge': ({ kind, creator, withinSeconds }) =>
    say`컨트롤러는 쿼터를 지켜보지 않습니다. 자리가 나도 ${code(creator)}이(가) 다시 시도하기까지 최대 ${duration('ko', withinSeconds)} 걸릴 수 있습니다. ${word(kind)}에 주석을 다는 등 아무 변경이나 하면 바로 시도합니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('quota-deadlock');
