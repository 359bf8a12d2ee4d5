import type { SameSentences } from '../language/catalogue.js';
import { code, type Prose, quote, say, word } from '../language/prose.js';
import { statementsOf } from '../language/statement.js';
import { counted, duration, names } from '../language/words.js';
import type { LimitValues } from '../rollout/limit-words.js';
import { limitWords } from '../rollout/limit-words.js';
import type { PriceValues } from './statement-values.js';

const priceEn = ({ kind, seconds, ready, of }: PriceValues): Prose => {
  const time =
    seconds === undefined
      ? word('for a time that nobody has measured')
      : say`for about ${duration('en', seconds)}`;
  switch (kind) {
    case 'none':
      return say`as many pods are ready as before, all the time`;
    case 'gap':
      return say`no pod is ready ${time}`;
    case 'reduced':
      return say`${ready} of ${counted(of, 'pod', 'pods')} ready ${time}`;
  }
};

const priceKo = ({ kind, seconds, ready, of }: PriceValues): Prose => {
  const time =
    seconds === undefined ? word('얼마 동안인지는 알 수 없지만') : say`약 ${duration('ko', seconds)} 동안`;
  switch (kind) {
    case 'none':
      return say`준비된 파드 수가 줄지 않습니다`;
    case 'gap':
      return say`${time} 준비된 파드가 없습니다`;
    case 'reduced':
      return say`${time} 파드 ${of}개 중 ${ready}개만 준비됩니다`;
  }
};

const strategyCode = (strategy: 'RollingUpdate' | 'Recreate') =>
  code(strategy === 'Recreate' ? 'strategy: Recreate' : 'maxSurge: 0, maxUnavailable: 1');
type Workload = { readonly workload: string };

/** The words of `rollout-doctor check`. */
const en = {
  deadlock: ({ workload, resource }: Workload & { readonly resource: string }) =>
    say`The update of ${code(workload)} would deadlock: its old pods are in the way of the new ones (${code(resource)}).`,
  'quota-deadlock': ({ workload, quota }: Workload & { readonly quota: string }) =>
    say`The update of ${code(workload)} would deadlock: its old pods use up the quota ${code(quota)}, so the new ones are never created.`,
  stuck: ({ workload }: Workload) =>
    say`The update of ${code(workload)} would get stuck: its new pods find no place.`,
  'stuck-by-quota': ({ workload, quota }: Workload & { readonly quota: string }) =>
    say`The update of ${code(workload)} would get stuck: the quota ${code(quota)} does not let its new pods in.`,
  refused: ({ workload, field }: Workload & { readonly field: string }) =>
    say`The API server would refuse ${code(workload)}: ${code(field)} cannot be changed.`,
  completes: ({ workload }: Workload) => say`The update of ${code(workload)} gets through.`,
  starts: ({ workload }: Workload) => say`${code(workload)} is new, and all its pods find a place.`,
  unchanged: ({ workload }: Workload) => say`The manifest of ${code(workload)} replaces no pod.`,
  'cannot-tell': ({ workload }: Workload) =>
    say`Whether the update of ${code(workload)} gets through cannot be told.`,

  needs: ({ resource, pods }: { readonly resource: string; readonly pods: number }) =>
    say`${counted(pods, 'new pod needs', 'new pods need')} ${code(resource)} that no node has free.`,
  'would-say': ({ message }: { readonly message: string }) => say`Kubernetes would say: ${quote(message)}`,
  'held-by': ({ pods, nodes }: { readonly pods: readonly string[]; readonly nodes: readonly string[] }) =>
    say`In the way: ${names('en', pods)}, on ${names('en', nodes)}.`,
  'rule-forbids': ({
    maxSurge,
    maxUnavailable,
    replicas,
    surge,
    unavailable,
  }: {
    readonly maxSurge: string;
    readonly maxUnavailable: string;
    readonly replicas: number;
    readonly surge: number;
    readonly unavailable: number;
  }) =>
    say`With maxSurge ${code(maxSurge)} and maxUnavailable ${code(maxUnavailable)}, at ${counted(replicas, 'replica', 'replicas')} there may be ${surge} more and ${unavailable} fewer: the controller takes no further old pod away before a new one is ready.`,
  'would-have-to-move': ({ pods, node }: { readonly pods: readonly string[]; readonly node: string }) =>
    say`Without ${names('en', pods)} the new pod would fit on ${code(node)}.`,
  lacks: ({ node, texts }: { readonly node: string; readonly texts: readonly string[] }) =>
    say`${code(node)}: ${quote(texts.join('; '))}`,
  'quota-short': ({
    quota,
    resource,
    requested,
    used,
    limited,
  }: {
    readonly quota: string;
    readonly resource: string;
    readonly requested: string;
    readonly used: string;
    readonly limited: string;
  }) =>
    say`The quota ${code(quota)} allows ${code(limited)} of ${code(resource)}; ${code(used)} are used, and a new pod needs ${code(requested)}.`,
  'quota-held-by': ({ pods, quota }: { readonly pods: readonly string[]; readonly quota: string }) =>
    say`Without the old pods (${names('en', pods)}) the quota ${code(quota)} would do.`,
  'way-out-in-place': (price: PriceValues) =>
    say`With ${code('maxSurge: 0, maxUnavailable: 1')} it gets through; ${priceEn(price)}.`,
  'way-out-recreate': (price: PriceValues) =>
    say`With ${code('strategy: Recreate')} it gets through; ${priceEn(price)}.`,
  'way-out-contested': ({
    strategy,
    workloads,
  }: {
    readonly strategy: 'RollingUpdate' | 'Recreate';
    readonly workloads: readonly string[];
  }) =>
    say`With ${strategyCode(strategy)} it gets through only if none of these takes what becomes free: ${names('en', workloads)}.`,
  'way-out-too-large': () =>
    say`The rollout is too large to simulate another strategy, so no strategy is suggested.`,
  'price-in-full': ({ stops, ...price }: PriceValues & { readonly stops: number }) =>
    say`It stops ${counted(stops, 'pod', 'pods')}; while it runs, ${priceEn(price)}.`,
  'assumes-ready': () => say`This assumes that the new pods become ready; no manifest shows that.`,
  'stuck-already': () => say`The rollout in the cluster is stuck like this already.`,
  'next-update-deadlocks': ({ resource }: { readonly resource: string }) =>
    say`The next update that changes the pods would deadlock: the old pods are in the way of the new ones (${code(resource)}).`,
  'on-delete': () => say`With OnDelete, pods are replaced only when somebody deletes them.`,
  paused: () => say`The rollout is paused.`,
  'no-pods': () => say`It has 0 replicas.`,
  'choice-does-not-matter': () =>
    say`The scheduler has a choice of nodes; two opposite choices come to the same.`,

  'because-not-simulated': ({ parts }: { readonly parts: readonly string[] }) =>
    say`Rules of the scheduler that are not simulated matter here: ${names('en', parts)}.`,
  'because-unread': ({ what, because }: { readonly what: string; readonly because: string }) =>
    say`${code(what)} could not be read: ${code(because)}.`,
  'because-preemption': ({ victims }: { readonly victims: readonly string[] }) =>
    say`On today's nodes there is no room, but the new pods have the priority to evict others: ${names('en', victims)}.`,
  'because-autoscaler': ({ by }: { readonly by: string }) =>
    say`On today's nodes it would come to a halt, but ${word(by)} is at work here and may add a node.`,
  'because-node-choice': () =>
    say`It depends on which of several nodes the scheduler takes: with one choice it gets through, with another it does not.`,
  'because-contested': ({ workloads }: { readonly workloads: readonly string[] }) =>
    say`It gets through only if none of these takes what the update frees: ${names('en', workloads)}.`,
  'because-neighbours-move': ({ workloads }: { readonly workloads: readonly string[] }) =>
    say`The update does not fit now. ${names('en', workloads)} ${word(workloads.length === 1 ? 'is' : 'are')} in the middle of a rollout that frees what is missing. Check again when that rollout is complete.`,
  'neighbours-unread': ({ workloads }: { readonly workloads: readonly string[] }) =>
    say`${names('en', workloads)} ${word(workloads.length === 1 ? 'runs' : 'run')} pods of several revisions and could not be read. A rollout there may still free what is missing.`,
  'because-too-large': (limit: Partial<LimitValues>) =>
    say`The simulation stopped because ${word(limitWords(limit, 'en'))}.`,
  'because-counted': ({ stops }: { readonly stops: string }) =>
    say`The rollout of ${code(stops)} stops before it completes. It is too large to name the pods that wait and the reason.`,
  'because-unfinished': () => say`The rollout is too long to be played to its end.`,
  'because-pods-unseen': () => say`The workload has pods that could not be read.`,
  'because-not-ready': ({ pods }: { readonly pods: readonly string[] }) =>
    say`It waits for pods that are not ready, and why is not a matter of room: ${names('en', pods)}.`,
  'because-no-nodes': () =>
    say`No node is known, so no pod has a place. Record nodes too: kubectl get nodes -o json.`,
};

const ko: SameSentences<typeof en> = {
  deadlock: ({ workload, resource }) =>
    say`${code(workload)} 업데이트는 교착 상태에 빠집니다. 이전 파드가 새 파드를 가로막습니다(${code(resource)}).`,
  'quota-deadlock': ({ workload, quota }) =>
    say`${code(workload)} 업데이트는 교착 상태에 빠집니다. 이전 파드가 쿼터 ${code(quota)} 한도를 다 써서 새 파드가 만들어지지 않습니다.`,
  stuck: ({ workload }) => say`${code(workload)} 업데이트는 멈춥니다. 새 파드가 갈 곳이 없습니다.`,
  'stuck-by-quota': ({ workload, quota }) =>
    say`${code(workload)} 업데이트는 멈춥니다. 쿼터 ${code(quota)} 때문에 새 파드가 만들어지지 않습니다.`,
  refused: ({ workload, field }) =>
    say`API 서버가 ${code(workload)} 매니페스트를 거부합니다. ${code(field)} 값은 바꿀 수 없습니다.`,
  completes: ({ workload }) => say`${code(workload)} 업데이트는 끝까지 진행됩니다.`,
  starts: ({ workload }) => say`${code(workload)} 워크로드는 새로 생기며, 모든 파드가 갈 곳이 있습니다.`,
  unchanged: ({ workload }) => say`${code(workload)} 매니페스트는 파드를 바꾸지 않습니다.`,
  'cannot-tell': ({ workload }) => say`${code(workload)} 업데이트가 끝까지 진행될지 알 수 없습니다.`,

  needs: ({ resource, pods }) =>
    say`새 파드 ${pods}개에 ${code(resource)} 자원이 필요하지만, 여유 있는 노드가 없습니다.`,
  'would-say': ({ message }) => say`Kubernetes 메시지는 이렇게 됩니다: ${quote(message)}`,
  'held-by': ({ pods, nodes }) => say`가로막는 파드: ${names('ko', pods)}(노드 ${names('ko', nodes)}).`,
  'rule-forbids': ({ maxSurge, maxUnavailable, replicas, surge, unavailable }) =>
    say`maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)} 설정이면 복제본 ${replicas}개에서 ${surge}개까지 늘고 ${unavailable}개까지 줄 수 있습니다. 새 파드가 준비되기 전에는 컨트롤러가 이전 파드를 더 내리지 않습니다.`,
  'would-have-to-move': ({ pods, node }) =>
    say`${names('ko', pods)} 파드가 없으면 새 파드가 ${code(node)} 노드에 들어갑니다.`,
  lacks: ({ node, texts }) => say`${code(node)}: ${quote(texts.join('; '))}`,
  'quota-short': ({ quota, resource, requested, used, limited }) =>
    say`쿼터 ${code(quota)} 한도는 ${code(resource)} ${code(limited)}이고, 이미 ${code(used)} 쓰고 있으며, 새 파드에는 ${code(requested)} 필요합니다.`,
  'quota-held-by': ({ pods, quota }) =>
    say`이전 파드(${names('ko', pods)})가 없으면 쿼터 ${code(quota)} 한도로 충분합니다.`,
  'way-out-in-place': (price) =>
    say`${code('maxSurge: 0, maxUnavailable: 1')} 설정이면 끝까지 진행됩니다. ${priceKo(price)}.`,
  'way-out-recreate': (price) =>
    say`${code('strategy: Recreate')} 설정이면 끝까지 진행됩니다. ${priceKo(price)}.`,
  'way-out-contested': ({ strategy, workloads }) =>
    say`${strategyCode(strategy)} 설정이면, 비게 될 자원을 다음 대상이 차지하지 않을 때만 끝까지 진행됩니다: ${names('ko', workloads)}.`,
  'way-out-too-large': () =>
    say`롤아웃이 너무 커서 다른 전략을 시뮬레이션할 수 없으므로, 전략을 제안하지 않습니다.`,
  'price-in-full': ({ stops, ...price }) =>
    say`파드 ${stops}개가 중지됩니다. 진행되는 동안 ${priceKo(price)}.`,
  'assumes-ready': () => say`새 파드가 준비된다고 가정했습니다. 매니페스트만으로는 알 수 없습니다.`,
  'stuck-already': () => say`클러스터의 롤아웃이 이미 이렇게 멈춰 있습니다.`,
  'next-update-deadlocks': ({ resource }) =>
    say`파드가 바뀌는 다음 업데이트는 교착 상태에 빠집니다. 이전 파드가 새 파드를 가로막습니다(${code(resource)}).`,
  'on-delete': () => say`OnDelete에서는 누군가 파드를 삭제해야 바뀝니다.`,
  paused: () => say`롤아웃이 일시 중지되어 있습니다.`,
  'no-pods': () => say`복제본이 0개입니다.`,
  'choice-does-not-matter': () =>
    say`스케줄러가 고를 수 있는 노드가 여럿이지만, 정반대로 골라도 결과가 같습니다.`,

  'because-not-simulated': ({ parts }) =>
    say`시뮬레이션하지 않는 스케줄러 규칙이 관련되어 있습니다: ${names('ko', parts)}.`,
  'because-unread': ({ what, because }) => say`${code(what)} 정보를 읽지 못했습니다: ${code(because)}.`,
  'because-preemption': ({ victims }) =>
    say`지금 노드에는 자리가 없지만, 새 파드의 우선순위가 높아 다른 파드를 축출할 수 있습니다: ${names('ko', victims)}.`,
  'because-autoscaler': ({ by }) =>
    say`지금 노드에서는 멈추지만, ${word(by)} 오토스케일러가 노드를 늘릴 수 있습니다.`,
  'because-node-choice': () =>
    say`스케줄러가 어느 노드를 고르는지에 따라 끝까지 진행되기도 하고 멈추기도 합니다.`,
  'because-contested': ({ workloads }) =>
    say`업데이트로 비게 될 자원을 다음 대상이 차지하지 않을 때만 끝까지 진행됩니다: ${names('ko', workloads)}.`,
  'because-neighbours-move': ({ workloads }) =>
    say`지금은 업데이트할 자리가 없습니다. ${names('ko', workloads)} 롤아웃이 진행 중이며, 끝나면 부족한 자원이 비워집니다. 그 롤아웃이 끝난 뒤 다시 확인하세요.`,
  'neighbours-unread': ({ workloads }) =>
    say`${names('ko', workloads)} 워크로드는 여러 리비전의 파드를 실행 중이지만 읽지 못했습니다. 그쪽 롤아웃이 부족한 자원을 비울 수 있습니다.`,
  'because-too-large': (limit) => say`${word(limitWords(limit, 'ko'))} 시뮬레이션을 중단했습니다.`,
  'because-counted': ({ stops }) =>
    say`${code(stops)}의 롤아웃은 완료되기 전에 멈춥니다. 규모가 커서 대기하는 파드와 그 이유를 특정할 수 없습니다.`,
  'because-unfinished': () => say`롤아웃이 너무 길어 끝까지 따라가지 못했습니다.`,
  'because-pods-unseen': () => say`읽지 못한 파드가 있습니다.`,
  'because-not-ready': ({ pods }) =>
    say`준비되지 않은 파드를 기다리며, 자리 문제가 아닙니다: ${names('ko', pods)}.`,
  'because-no-nodes': () => say`알려진 노드가 없습니다. 노드도 함께 기록하세요: kubectl get nodes -o json.`,
};

export const text = { en, ko };
export const checkCatalogueId = 'check';
export const state = statementsOf<typeof en>(checkCatalogueId);
