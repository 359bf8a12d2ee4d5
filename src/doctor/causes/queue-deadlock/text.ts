import { code, quote, say, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { names } from '../../../engine/language/words.js';
import { type Certainty, deadlocked } from '../../findings/deadlock/text.js';

const en = {
  'shared-failure': () => say`the quota of a Kueue queue holds back new pods`,
  summary: ({ queue, ...rest }: Certainty & { readonly workload: string; readonly queue: string }) =>
    say`${deadlocked('en', rest)}: its old pods use up the quota of the ClusterQueue ${code(queue)} that its new pod needs`,
  waits: (values: {
    pods: readonly string[];
    queue: string;
    localQueue: string;
    resource: string;
    flavor: string;
    requested: string;
    available: string;
    atMost: string;
  }) =>
    say`Kueue keeps ${names('en', values.pods)} from the scheduler. A pod requests ${code(values.requested)} of ${code(values.resource)}, and the ClusterQueue ${code(values.queue)} (LocalQueue ${code(values.localQueue)}) has ${code(values.available)} of at most ${code(values.atMost)} left in the flavor ${code(values.flavor)}.`,
  held: ({ pods, resource, charged }: { pods: readonly string[]; resource: string; charged: string }) =>
    pods.length === 1
      ? say`The Workload of ${names('en', pods)}, the old pod of the same workload, uses ${code(charged)} of ${code(resource)}.`
      : say`The Workloads of ${names('en', pods)}, old pods of the same workload, use ${code(charged)} of ${code(resource)}.`,
  counterfactual: ({ without, queue }: { without: readonly string[]; queue: string }) =>
    say`Without ${names('en', without)}, the ClusterQueue ${code(queue)} has enough quota for the new pod.`,
  'then-nowhere': () =>
    say`Quota alone would not be enough: Kueue would admit the new pod, but no node can run it.`,
  'first-in-queue': () => say`No other Workload would be admitted before the new pod.`,
  'kueue-silent': ({ isActive }: { isActive: boolean }) =>
    isActive
      ? say`Kueue has not reported why it does not admit the new pod.`
      : say`Kueue has not reported why it does not admit the new pod. Its controller may not be running.`,
  'kueue-differs': ({ said }: { said: string }) =>
    say`Kueue reports another reason than a lack of quota: ${quote(said)}`,
  'others-first': ({ workloads }: { workloads: readonly string[] }) =>
    say`${names('en', workloads, 3)} ${word(workloads.length === 1 ? 'is' : 'are')} before the new pod in the queue and would use this quota first.`,
  'others-wait': ({ pods }: { pods: readonly string[] }) =>
    say`Other new pods (${names('en', pods)}) were admitted and find no node, so the quota is not the only problem.`,
  'flavors-unread': ({ flavors }: { flavors: readonly string[] }) =>
    say`The ${word(flavors.length === 1 ? 'ResourceFlavor' : 'ResourceFlavors')} ${names('en', flavors, 3)} could not be read, so the nodes of ${word(flavors.length === 1 ? 'this flavor' : 'these flavors')} are unknown.`,
  'ev-workload': ({ pod, resource, requested }: { pod: string; resource: string; requested: string }) =>
    say`Kueue has no quota for ${code(pod)}, which requests ${code(requested)} of ${code(resource)}`,
  'ev-queue': () => say`quota in use`,
  'ev-holder': ({ pod, resource, amount }: { pod: string; resource: string; amount: string }) =>
    say`the old pod ${code(pod)} uses ${code(amount)} of ${code(resource)}`,
  'because-not-tried': ({ pod }: { pod: string }) =>
    say`Kueue keeps ${code(pod)} from the scheduler, so no node was tried`,
  'because-created': ({ pod }: { pod: string }) => say`the API server created ${code(pod)}`,
  'because-own-pods': ({ pods }: { pods: readonly string[] }) =>
    say`the gate stays because the workload's own ${names('en', pods)} ${word(pods.length === 1 ? 'uses' : 'use')} the quota`,
  'restart-withheld': () => say`Kueue keeps the pod of one more revision as well.`,
  'next-attempt': ({ queue }: { queue: string }) =>
    say`Kueue evaluates the Workload again when quota of the ClusterQueue ${code(queue)} becomes free. The old pods use it until then.`,
  'advice-raise-title': ({ queue }: { queue: string }) => say`Raise the quota of ${code(queue)}`,
  'advice-raise': ({
    short,
  }: {
    short: readonly { readonly resource: string; readonly requested: string; readonly flavor: string }[];
  }) =>
    short.length === 0
      ? say`With quota for one more pod the rollout completes without downtime.`
      : say`With ${code(short[0]?.requested ?? '')} more ${code(short[0]?.resource ?? '')} in the flavor ${code(short[0]?.flavor ?? '')}, Kueue admits the new pod beside the old one. A node with room for it is needed as well.`,
  'advice-watch-title': () => say`Watch the queue`,
  'advice-watch': () =>
    say`The new pod is admitted only when it is the first in its queue: by priority, then by age.`,
};

const ko: typeof en = {
  'shared-failure': () => say`Kueue 큐의 쿼터 때문에 새 파드가 시작되지 않음`,
  summary: ({ queue, ...rest }) =>
    say`${deadlocked('ko', rest)}: 새 파드에 필요한 ClusterQueue ${code(queue)} 쿼터를 자신의 이전 파드가 모두 사용 중입니다`,
  waits: ({ pods, queue, localQueue, resource, flavor, requested, available, atMost }) =>
    say`Kueue가 ${names('ko', pods)} 파드를 스케줄러에 넘기지 않습니다. 파드 하나의 요청은 ${code(resource)} ${code(requested)}이고, ClusterQueue ${code(queue)}(LocalQueue ${code(localQueue)})의 플레이버 ${code(flavor)} 최대 ${code(atMost)} 중 남은 양은 ${code(available)}입니다.`,
  held: ({ pods, resource, charged }) =>
    say`같은 워크로드의 이전 파드 ${names('ko', pods)}의 Workload가 ${code(resource)} ${code(charged)} 사용 중입니다.`,
  counterfactual: ({ without, queue }) =>
    say`${names('ko', without)} 파드가 없으면 ClusterQueue ${code(queue)} 쿼터로 새 파드를 승인할 수 있습니다.`,
  'then-nowhere': () => say`쿼터만으로는 부족합니다. Kueue가 새 파드를 승인하더라도 배치할 노드가 없습니다.`,
  'first-in-queue': () => say`새 파드보다 먼저 승인될 다른 Workload는 없습니다.`,
  'kueue-silent': ({ isActive }) =>
    isActive
      ? say`Kueue가 새 파드를 승인하지 않는 이유를 보고하지 않았습니다.`
      : say`Kueue가 새 파드를 승인하지 않는 이유를 보고하지 않았습니다. Kueue 컨트롤러가 실행 중이 아닐 수 있습니다.`,
  'kueue-differs': ({ said }) => say`Kueue는 쿼터 부족이 아닌 다른 이유를 보고합니다: ${quote(said)}`,
  'others-first': ({ workloads }) =>
    say`큐에서 새 파드보다 앞선 ${names('ko', workloads, 3)} Workload가 이 쿼터를 먼저 사용하게 됩니다.`,
  'others-wait': ({ pods }) =>
    say`승인된 다른 새 파드(${names('ko', pods)})도 노드를 찾지 못했으므로 쿼터만의 문제는 아닙니다.`,
  'flavors-unread': ({ flavors }) =>
    say`ResourceFlavor ${names('ko', flavors, 3)} 오브젝트를 읽지 못해 어떤 노드에 해당하는지 알 수 없습니다.`,
  'ev-workload': ({ pod, resource, requested }) =>
    say`${code(pod)} 파드(${code(resource)} ${code(requested)} 요청)를 위한 Kueue 쿼터 없음`,
  'ev-queue': () => say`사용 중인 쿼터`,
  'ev-holder': ({ pod, resource, amount }) =>
    say`이전 파드 ${code(pod)} 파드가 ${code(resource)} ${code(amount)} 사용 중`,
  'because-not-tried': ({ pod }) =>
    say`Kueue가 ${code(pod)} 파드를 스케줄러에 넘기지 않아 어느 노드에도 시도하지 않음`,
  'because-created': ({ pod }) => say`API 서버가 ${code(pod)} 파드를 생성함`,
  'because-own-pods': ({ pods }) =>
    say`이 워크로드의 ${names('ko', pods)} 파드가 쿼터를 사용하여 게이트가 제거되지 않음`,
  'restart-withheld': () => say`리비전을 하나 더 만들어도 Kueue가 그 파드를 똑같이 보류합니다.`,
  'next-attempt': ({ queue }) =>
    say`ClusterQueue ${code(queue)} 쿼터에 여유가 생기면 Kueue가 Workload를 다시 평가합니다. 그때까지 이전 파드가 쿼터를 사용합니다.`,
  'advice-raise-title': ({ queue }) => say`${code(queue)} 쿼터 늘리기`,
  'advice-raise': ({ short }) =>
    short.length === 0
      ? say`파드 하나만큼의 쿼터가 더 있으면 롤아웃이 중단 없이 완료됩니다.`
      : say`플레이버 ${code(short[0]?.flavor ?? '')}의 ${code(short[0]?.resource ?? '')} 쿼터가 ${code(short[0]?.requested ?? '')} 더 있으면 Kueue가 이전 파드와 나란히 새 파드를 승인합니다. 그 파드를 배치할 노드도 필요합니다.`,
  'advice-watch-title': () => say`큐 지켜보기`,
  'advice-watch': () => say`새 파드는 큐의 맨 앞일 때만 승인됩니다. 순서는 우선순위, 그다음 생성 시각입니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('queue-deadlock');
