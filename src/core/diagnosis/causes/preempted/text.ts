import type { SameSentences } from '../../../language/catalogue.js';
import { code, moment, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, names } from '../../../language/words.js';

const en = {
  'shared-failure': () => say`pods were preempted`,
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
      ? say`${counted(pods, 'pod', 'pods')} of ${code(workload)} ${word(pods === 1 ? 'was' : 'were')} preempted by pods of higher priority and cannot be replaced`
      : say`${counted(pods, 'pod', 'pods')} of ${code(workload)} ${word(pods === 1 ? 'was' : 'were')} preempted by ${names('en', by, 3)} (higher priority)`,
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
      ? say`At ${moment(at)} the scheduler preempted ${code(pod)}.`
      : say`At ${moment(at)} the scheduler preempted ${code(pod)} on ${code(node)}.`,
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
    say`The scheduler made room for ${code(pod)} of ${code(workload)} (${code(kind)}), with priority ${priority} against ${own}.`,
  'preemptor-gone': ({ uid }: { readonly uid: string | undefined }) =>
    uid === undefined
      ? say`Kubernetes does not record which pod the scheduler made room for.`
      : say`The preempting pod (uid ${code(uid)}) is not among the objects that were read.`,
  replacement: ({ pods }: { readonly pods: readonly string[] }) =>
    say`${names('en', pods, 4)} ${word(pods.length === 1 ? 'replaces' : 'replace')} the lost ${word(pods.length === 1 ? 'pod' : 'pods')} and ${word(pods.length === 1 ? 'is' : 'are')} pending.`,
  'budget-no-help': () =>
    say`A PodDisruptionBudget does not prevent preemption. The scheduler only tries to respect it.`,
  'ev-event': ({ pod }: { readonly pod: string }) => say`the scheduler preempted ${code(pod)}`,
  'ev-condition': ({ pod }: { readonly pod: string }) => say`the scheduler chose ${code(pod)} as a victim`,
  'ev-preemptor': ({ pod }: { readonly pod: string }) => say`priority of ${code(pod)}`,
  'because-was-running': ({ pods }: { readonly pods: number }) =>
    say`${counted(pods, 'pod of the same replicas was', 'pods of the same replicas were')} running before`,
  'because-taken': () => say`the capacity was there until the preemption`,
  'not-resolved': () =>
    say`The preempting pods were not found, so it is not proven that they use the capacity.`,
  'no-counterfactual': () =>
    say`Even without the preempting pods the replacement would not fit. Other pods have used the capacity since.`,
  'advice-priority-title': () => say`Raise the priority of these pods`,
  'advice-priority': ({ priority }: { readonly priority: number }) =>
    say`With priority ${priority} or higher, those pods cannot preempt these. The change starts a rollout, and these pods then preempt others.`,
  'advice-polite-title': () => say`Or disable preemption for the other workload`,
  'advice-polite': ({ preemptors }: { readonly preemptors: readonly string[] }) =>
    say`With ${code('preemptionPolicy: Never')}, pods of ${names('en', preemptors, 3)} keep their place in the queue and preempt no other pods.`,
};

const ko: SameSentences<typeof en> = {
  'shared-failure': () => say`파드가 선점됨(preemption)`,
  summary: ({ workload, pods, by }) =>
    by.length === 0
      ? say`${code(workload)} 파드 ${pods}개가 우선순위가 더 높은 파드에 선점되었고 대체할 용량이 없습니다`
      : say`${code(workload)} 파드 ${pods}개가 선점되었습니다: 우선순위가 더 높은 ${names('ko', by, 3)}`,
  evicted: ({ pod, node, at }) =>
    node === undefined
      ? say`${moment(at)}에 스케줄러가 ${code(pod)} 파드를 선점했습니다.`
      : say`${moment(at)}에 스케줄러가 ${code(node)} 노드의 ${code(pod)} 파드를 선점했습니다.`,
  preemptor: ({ pod, workload, kind, priority, own }) =>
    say`스케줄러가 ${code(workload)}(${code(kind)})의 ${code(pod)} 파드를 배치하기 위해 선점했습니다. 우선순위는 ${priority} 대 ${own}입니다.`,
  'preemptor-gone': ({ uid }) =>
    uid === undefined
      ? say`어떤 파드를 위한 선점이었는지는 기록되지 않았습니다.`
      : say`선점한 파드(uid ${code(uid)})는 읽은 오브젝트 중에 없습니다.`,
  replacement: ({ pods }) => say`사라진 파드를 대체할 ${names('ko', pods, 4)} 파드가 Pending 상태입니다.`,
  'budget-no-help': () =>
    say`PodDisruptionBudget은 선점을 막지 못합니다. 스케줄러는 가능한 한 지키려고 할 뿐입니다.`,
  'ev-event': ({ pod }) => say`스케줄러가 ${code(pod)} 파드를 선점함`,
  'ev-condition': ({ pod }) => say`${code(pod)} 파드가 선점 대상으로 선택됨`,
  'ev-preemptor': ({ pod }) => say`${code(pod)} 파드의 우선순위`,
  'because-was-running': ({ pods }) => say`같은 복제본의 파드 ${pods}개가 전에 실행 중이었음`,
  'because-taken': () => say`선점되기 전까지는 용량이 있었음`,
  'not-resolved': () =>
    say`선점한 파드를 찾지 못해, 그 파드가 용량을 사용하고 있다는 것은 증명되지 않았습니다.`,
  'no-counterfactual': () =>
    say`선점한 파드가 없어도 대체 파드를 배치할 수 없습니다. 그 뒤로 다른 파드가 용량을 사용했습니다.`,
  'advice-priority-title': () => say`이 파드의 우선순위 높이기`,
  'advice-priority': ({ priority }) =>
    say`우선순위가 ${priority} 이상이면 그 파드들이 선점할 수 없습니다. 변경하면 롤아웃이 시작되고, 이 파드가 다른 파드를 선점하게 됩니다.`,
  'advice-polite-title': () => say`또는 상대 워크로드의 선점 끄기`,
  'advice-polite': ({ preemptors }) =>
    say`${code('preemptionPolicy: Never')} 설정을 쓰면 ${names('ko', preemptors, 3)} 파드는 대기열 순서는 유지하지만 다른 파드를 선점하지 않습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('preempted');
