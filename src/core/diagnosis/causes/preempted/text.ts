import type { SameSentences } from '../../../language/catalogue.js';
import { code, moment, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, names } from '../../../language/words.js';

const en = {
  summary: ({
    workload,
    pods,
    by,
  }: {
    readonly workload: string;
    readonly pods: number;
    readonly by: readonly string[];
  }) =>
    by.length === 0
      ? say`${code(workload)} lost ${counted(pods, 'pod', 'pods')} to pods of higher priority and has no room to replace them`
      : say`${code(workload)} lost ${counted(pods, 'pod', 'pods')} to ${names('en', by, 3)}, which ${word(by.length === 1 ? 'has' : 'have')} a higher priority`,
  evicted: ({
    pod,
    node,
    at,
  }: {
    readonly pod: string;
    readonly node: string | undefined;
    readonly at: string;
  }) =>
    node === undefined
      ? say`At ${moment(at)} the scheduler evicted ${code(pod)}.`
      : say`At ${moment(at)} the scheduler evicted ${code(pod)} from ${code(node)}.`,
  preemptor: ({
    pod,
    workload,
    kind,
    priority,
    own,
  }: {
    readonly pod: string;
    readonly workload: string;
    readonly kind: string;
    readonly priority: number;
    readonly own: number;
  }) =>
    say`It made room for ${code(pod)} of ${code(workload)} (${code(kind)}), with priority ${priority} against ${own}.`,
  'preemptor-gone': ({ uid }: { readonly uid: string | undefined }) =>
    uid === undefined
      ? say`For whom it made room is not recorded.`
      : say`The pod it made room for (uid ${code(uid)}) is not among those I could read.`,
  replacement: ({ pods }: { readonly pods: readonly string[] }) =>
    say`${names('en', pods, 4)} ${word(pods.length === 1 ? 'is' : 'are')} to take the lost place and ${word(pods.length === 1 ? 'finds' : 'find')} no room.`,
  'budget-no-help': () =>
    say`A PodDisruptionBudget does not prevent preemption; the scheduler only tries to respect it.`,
  'ev-event': ({ pod }: { readonly pod: string }) => say`the scheduler took ${code(pod)} away`,
  'ev-condition': ({ pod }: { readonly pod: string }) => say`${code(pod)} was chosen as a victim`,
  'ev-preemptor': ({ pod }: { readonly pod: string }) => say`the priority of ${code(pod)}`,
  'because-was-running': ({ pods }: { readonly pods: number }) =>
    say`${counted(pods, 'pod of the same replicas was', 'pods of the same replicas were')} running before`,
  'because-taken': () => say`there was room until it was taken`,
  'not-resolved': () => say`The preemptors could not be found, so it is not shown that they hold the place.`,
  'no-counterfactual': () =>
    say`Without the preemptors alone the replacement would not fit either; others have taken room since.`,
  'advice-priority-title': () => say`Give these pods the priority they deserve`,
  'advice-priority': ({ priority }: { readonly priority: number }) =>
    say`Pods of priority ${priority} or more are not evicted by those. It starts a rollout, and these pods then evict others.`,
  'advice-polite-title': () => say`Or let the other one wait its turn`,
  'advice-polite': ({ preemptors }: { readonly preemptors: readonly string[] }) =>
    say`With ${code('preemptionPolicy: Never')} pods of ${names('en', preemptors, 3)} come first in the queue and evict nobody.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, pods, by }) =>
    by.length === 0
      ? say`${code(workload)}이(가) 우선순위가 더 높은 파드에 밀려 파드 ${pods}개를 잃었고 대체할 자리가 없습니다`
      : say`${code(workload)}이(가) 우선순위가 더 높은 ${names('ko', by, 3)}에 밀려 파드 ${pods}개를 잃었습니다`,
  evicted: ({ pod, node, at }) =>
    node === undefined
      ? say`${moment(at)}에 스케줄러가 ${code(pod)} 파드를 내보냈습니다.`
      : say`${moment(at)}에 스케줄러가 ${code(node)}에서 ${code(pod)} 파드를 내보냈습니다.`,
  preemptor: ({ pod, workload, kind, priority, own }) =>
    say`${code(workload)}(${code(kind)})의 ${code(pod)} 파드에 자리를 주기 위해서였습니다. 우선순위 ${priority} 대 ${own}.`,
  'preemptor-gone': ({ uid }) =>
    uid === undefined
      ? say`누구를 위한 것이었는지는 기록되지 않았습니다.`
      : say`자리를 받은 파드(uid ${code(uid)})는 읽은 객체 중에 없습니다.`,
  replacement: ({ pods }) =>
    say`${names('ko', pods, 4)}이(가) 그 자리를 대신해야 하지만 들어갈 곳이 없습니다.`,
  'budget-no-help': () =>
    say`PodDisruptionBudget은 선점을 막지 못합니다. 스케줄러는 되도록 지키려 할 뿐입니다.`,
  'ev-event': ({ pod }) => say`스케줄러가 ${code(pod)} 파드를 내보냄`,
  'ev-condition': ({ pod }) => say`${code(pod)} 파드가 희생자로 선택됨`,
  'ev-preemptor': ({ pod }) => say`${code(pod)} 파드의 우선순위`,
  'because-was-running': ({ pods }) => say`같은 복제본의 파드 ${pods}개가 전에 실행 중이었음`,
  'because-taken': () => say`빼앗기기 전까지는 자리가 있었음`,
  'not-resolved': () => say`자리를 받은 파드를 찾지 못해, 그 파드가 자리를 쓰고 있다고 보이지 못했습니다.`,
  'no-counterfactual': () =>
    say`그 파드들만 없어서는 대체 파드가 들어가지 않습니다. 그 뒤로 다른 파드가 자리를 차지했습니다.`,
  'advice-priority-title': () => say`이 파드에 걸맞은 우선순위 주기`,
  'advice-priority': ({ priority }) =>
    say`우선순위가 ${priority} 이상이면 그 파드들이 내보내지 못합니다. 롤아웃이 시작되고, 이 파드가 다른 파드를 내보내게 됩니다.`,
  'advice-polite-title': () => say`또는 상대가 차례를 기다리게 하기`,
  'advice-polite': ({ preemptors }) =>
    say`${code('preemptionPolicy: Never')}를 쓰면 ${names('ko', preemptors, 3)} 파드는 대기열에서 앞서지만 아무도 내보내지 않습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('preempted');
