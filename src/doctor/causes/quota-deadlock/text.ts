import type { ExceededQuota } from '../../../engine/creation/quota-block.js';
import { code, say, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { counted, countedPods, duration, names } from '../../../engine/language/words.js';
import { type Certainty, deadlocked } from '../../findings/deadlock/text.js';

type RefusedPods = ExceededQuota & {
  readonly kind: string;
  readonly creator: string;
  readonly missing: number;
};
type HeldQuota = Pick<ExceededQuota, 'resource' | 'used'> & {
  readonly pods: readonly string[];
  readonly charged: string;
};

const en = {
  'shared-failure': () => say`a quota holds back new pods`,
  summary: ({ quota, ...rest }: Certainty & { readonly workload: string; readonly quota: string }) =>
    say`${deadlocked('en', rest)}: its old pods use up the quota ${code(quota)} that its new pod needs`,
  refused: ({ kind, creator, missing, quota, resource, requested, used, limited }: RefusedPods) =>
    say`The API server does not create ${counted(missing, 'pod', 'pods')} of the ${word(kind === 'ReplicaSet' ? 'new ReplicaSet' : kind)} ${code(creator)}. One pod requests ${code(requested)} of ${code(resource)}, and quota ${code(quota)} has ${code(used)} of ${code(limited)} in use.`,
  held: ({ pods, resource, charged, used }: HeldQuota) =>
    pods.length === 1
      ? say`Of the ${code(used)} in use, ${code(charged)} of ${code(resource)} is charged to ${names('en', pods)}, the old pod of the same workload.`
      : say`Of the ${code(used)} in use, ${code(charged)} of ${code(resource)} is charged to ${names('en', pods)}, old pods of the same workload.`,
  /** Of a DaemonSet. */
  'strategy-surges': ({ maxSurge, surge, nodes }: { maxSurge: string; surge: number; nodes: number }) =>
    say`The strategy (maxSurge ${code(maxSurge)}) starts new pods beside the old ones, on ${surge} of ${nodes} nodes at a time. The controller stops an old pod only when the new pod on its node is ready.`,
  /** The pod would be created, and no node would take it. */
  'then-nowhere': () =>
    say`Quota alone would not be enough: the new pod would be created, but no node can run it.`,
  counterfactual: ({ without }: { without: readonly string[] }) =>
    say`Without ${names('en', without)}, every quota of the namespace admits the new pod.`,
  'no-rescue': ({ quota }: { quota: string }) =>
    say`No pod that ${code(quota)} counts is terminating, so waiting does not change this.`,
  served: ({ ready, wanted }: { ready: number; wanted: number }) =>
    ready >= wanted
      ? say`The workload is still serving: ${countedPods(ready, wanted)} ready.`
      : say`Only ${countedPods(ready, wanted)} ${word(wanted === 1 ? 'is' : 'are')} ready.`,
  'ev-refused': ({ creator }: { creator: string }) =>
    say`the API server refuses to create the pod of ${code(creator)}`,
  'ev-holder': ({ resource, charged }: { resource: string; charged: string }) =>
    say`uses ${code(charged)} of ${code(resource)}`,
  'quota-unread': ({ quota }: { quota: string }) =>
    say`The quota ${code(quota)} itself could not be read. The numbers come from the refusal, and the scopes of the quota are unknown.`,
  'others-wait': ({ pods }: { pods: readonly string[] }) =>
    say`New pods that already exist (${names('en', pods)}) are pending, so the quota is not the only problem.`,
  'because-no-pod': ({ creator }: { creator: string }) =>
    say`the missing pod of ${code(creator)} was never created, so no scheduler has seen it`,
  'because-own-pods': ({ pods }: { pods: readonly string[] }) =>
    say`without the workload's own ${names('en', pods)} the quota admits the pod`,
  'restart-withheld-rollout': () =>
    say`A restart stops an old pod, and the ReplicaSet of that pod may use the freed quota first.`,
  'restart-withheld': () => say`The quota also refuses the pod of one more revision.`,
  'next-attempt': ({ creator, withinSeconds }: { creator: string; withinSeconds: number }) =>
    say`${code(creator)} retries after a pause that doubles up to ${duration('en', withinSeconds)}. The API server refuses the pod until an old pod is gone.`,
  'pause-first': ({ creator, withinSeconds }: { creator: string; withinSeconds: number }) =>
    say`${code(creator)} creates its pod at its next attempt, up to ${duration('en', withinSeconds)} after the quota has room. A changed annotation on it triggers an attempt at once.`,
  'advice-raise': ({ surge }: { surge: number }) =>
    say`With quota for ${counted(surge, 'extra pod', 'extra pods')} the rollout completes without downtime.`,
  'advice-raise-and-room': ({ surge }: { surge: number }) =>
    say`With quota for ${counted(surge, 'extra pod', 'extra pods')} the new pod is created. A node with room for it is needed as well.`,
  'advice-nudge-title': () => say`Trigger the next attempt`,
  'advice-nudge': (values: { kind: string; creator: string; withinSeconds: number }) =>
    say`The controller does not watch quotas. Once the quota has room, ${code(values.creator)} may take up to ${duration('en', values.withinSeconds)} to retry. Any change to the ${word(values.kind)}, such as an annotation, triggers an attempt at once.`,
};

const ko: typeof en = {
  'shared-failure': () => say`쿼터 때문에 새 파드가 생성되지 않음`,
  summary: ({ quota, ...rest }) =>
    say`${deadlocked('ko', rest)}: 새 파드에 필요한 쿼터 ${code(quota)} 한도를 자신의 이전 파드가 모두 사용 중입니다`,
  refused: ({ kind, creator, missing, quota, resource, requested, used, limited }) =>
    say`API 서버가 ${word(kind === 'ReplicaSet' ? '새 ReplicaSet' : kind)} ${code(creator)}의 파드 ${missing}개를 생성하지 않습니다. 파드 하나의 요청은 ${code(resource)} ${code(requested)}이고, 쿼터 ${code(quota)} 한도 ${code(limited)} 중 ${code(used)} 사용 중입니다.`,
  held: ({ pods, resource, charged, used }) =>
    say`사용 중인 ${code(used)} 가운데 ${code(charged)}(${code(resource)})는 같은 워크로드의 이전 파드가 쓰고 있습니다: ${names('ko', pods)}.`,
  'strategy-surges': ({ maxSurge, surge, nodes }) =>
    say`배포 전략(maxSurge ${code(maxSurge)})은 노드 ${nodes}개 중 한 번에 ${surge}개에서 이전 파드와 나란히 새 파드를 시작합니다. 그 노드의 새 파드가 준비되어야 이전 파드를 내립니다.`,
  'then-nowhere': () => say`쿼터만으로는 부족합니다. 새 파드가 생성되더라도 배치할 노드가 없습니다.`,
  counterfactual: ({ without }) =>
    say`${names('ko', without)} 파드가 없으면 네임스페이스의 모든 쿼터가 새 파드를 허용합니다.`,
  'no-rescue': ({ quota }) =>
    say`쿼터 ${code(quota)}에 포함된 파드 중 종료 중인 파드가 없어 기다려도 달라지지 않습니다.`,
  served: ({ ready, wanted }) =>
    ready >= wanted
      ? say`서비스는 계속되고 있습니다(Ready ${ready}/${wanted}).`
      : say`Ready ${ready}/${wanted}`,
  'ev-refused': ({ creator }) => say`API 서버가 ${code(creator)}의 파드 생성을 거부함`,
  'ev-holder': ({ resource, charged }) => say`${code(resource)} ${code(charged)} 사용 중`,
  'quota-unread': ({ quota }) =>
    say`쿼터 ${code(quota)} 오브젝트를 읽지 못했습니다. 숫자는 거부 메시지에서 가져왔으며 쿼터 범위(scope)는 알 수 없습니다.`,
  'others-wait': ({ pods }) =>
    say`이미 생성된 새 파드(${names('ko', pods)})도 Pending 상태이므로 쿼터만의 문제는 아닙니다.`,
  'because-no-pod': ({ creator }) =>
    say`${code(creator)}의 부족한 파드는 생성된 적이 없어 스케줄러까지 가지 않음`,
  'because-own-pods': ({ pods }) => say`이 워크로드의 ${names('ko', pods)} 파드가 없으면 쿼터가 허용함`,
  'restart-withheld-rollout': () =>
    say`재시작하면 이전 파드가 내려가지만, 그 파드의 ReplicaSet이 비워진 쿼터를 먼저 쓸 수 있습니다.`,
  'restart-withheld': () => say`리비전을 하나 더 만들어도 쿼터가 그 파드를 똑같이 거부합니다.`,
  'next-attempt': ({ creator, withinSeconds }) =>
    say`${code(creator)} 컨트롤러가 최대 ${duration('ko', withinSeconds)}까지 두 배씩 늘어나는 간격으로 다시 시도합니다. 이전 파드가 사라지기 전에는 계속 거부됩니다.`,
  'pause-first': ({ creator, withinSeconds }) =>
    say`쿼터에 여유가 생긴 뒤 ${code(creator)}의 다음 시도 때 파드가 생성되며, 최대 ${duration('ko', withinSeconds)} 걸립니다. 어노테이션을 하나 바꾸면 바로 시도합니다.`,
  'advice-raise': ({ surge }) => say`쿼터에 파드 ${surge}개의 여유가 있으면 롤아웃이 중단 없이 완료됩니다.`,
  'advice-raise-and-room': ({ surge }) =>
    say`쿼터에 파드 ${surge}개의 여유가 있으면 새 파드가 생성됩니다. 그 파드를 배치할 노드도 필요합니다.`,
  'advice-nudge-title': () => say`바로 다시 시도하게 하기`,
  'advice-nudge': ({ kind, creator, withinSeconds }) =>
    say`컨트롤러는 쿼터를 감시하지 않습니다. 쿼터에 여유가 생겨도 ${code(creator)}의 다음 시도까지 최대 ${duration('ko', withinSeconds)} 걸릴 수 있습니다. 어노테이션 추가처럼 ${word(kind)}에 아무 변경이나 하면 바로 시도합니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('quota-deadlock');
