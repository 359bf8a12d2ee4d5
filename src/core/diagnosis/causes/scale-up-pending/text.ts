import type { SameSentences } from '../../../language/catalogue.js';
import { code, moment, say } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, names } from '../../../language/words.js';
import { resourceWords } from '../../waiting/resource-words.js';

const en = {
  'shared-failure': () => say`new replicas find no node`,
  summary: ({
    workload,
    from,
    to,
    waiting,
  }: {
    readonly workload: string;
    readonly from: number | undefined;
    readonly to: number;
    readonly waiting: number;
  }) =>
    from === undefined
      ? say`${code(workload)} was scaled to ${to} replicas, but the cluster has no capacity for ${counted(waiting, 'pod', 'pods')}`
      : say`${code(workload)} was scaled from ${from} to ${to} replicas, but the cluster has no capacity for ${counted(waiting, 'pod', 'pods')}`,
  grown: ({
    from,
    to,
    at,
    revision,
  }: {
    readonly from: number | undefined;
    readonly to: number;
    readonly at: string;
    readonly revision: string;
  }) =>
    from === undefined
      ? say`Since ${moment(at)}, ${counted(to, 'replica', 'replicas')} of revision ${code(revision)} are wanted. Its rollout was complete before.`
      : say`At ${moment(at)} the replicas of revision ${code(revision)} were scaled from ${from} to ${to}. Its rollout was complete before.`,
  'same-revision': ({ pods, resource }: { readonly pods: readonly string[]; readonly resource: string }) =>
    say`Pods of the same revision use the capacity there (${resourceWords('en', resource)}): ${names('en', pods)}.`,
  'no-deadlock': () =>
    say`This is not a deadlock. No pod is being replaced, and running pods keep running. Only capacity is missing.`,
  'autoscaled-by': ({ name, maximum }: { readonly name: string; readonly maximum: number }) =>
    say`The HorizontalPodAutoscaler ${code(name)} sets the replicas, up to ${maximum}.`,
  'maybe-replacement': () =>
    say`The event of the scaling has expired. The pending pods may also replace lost ones.`,
  'ev-scaled': () => say`the controller scaled up the current revision`,
  'ev-replicas': ({ to }: { readonly to: number }) => say`${to} replicas are wanted`,
  'because-one-revision': () => say`all pods have the same revision, so no old pod has to stop`,
  'because-own-pods': ({ resource }: { readonly resource: string }) =>
    say`the workload's own pods use the capacity (${resourceWords('en', resource)}): without some of them the pod fits`,
  'because-complete': () => say`the rollout was complete before the scaling`,
  'strategy-withheld': () => say`No rollout is in progress, so the strategy has no effect.`,
  'undo-withheld': () => say`The revision does not cause the missing capacity.`,
  'advice-replicas-title': () => say`Or scale down to what fits`,
  'advice-replicas': ({ replicas }: { readonly replicas: number }) =>
    say`The cluster currently has capacity for ${counted(replicas, 'replica', 'replicas')}.`,
  'advice-maximum-title': () => say`Or limit the autoscaling to what fits`,
  'advice-maximum': ({ name, replicas }: { readonly name: string; readonly replicas: number }) =>
    say`${code(name)} requests more again while its maximum is above ${counted(replicas, 'replica', 'replicas')}, the current capacity.`,
};

const ko: SameSentences<typeof en> = {
  'shared-failure': () => say`새 레플리카를 배치할 노드가 없음`,
  summary: ({ workload, from, to, waiting }) =>
    from === undefined
      ? say`${code(workload)} 복제본을 ${to}개로 늘렸지만 파드 ${waiting}개를 배치할 용량이 없습니다`
      : say`${code(workload)} 복제본을 ${from}개에서 ${to}개로 늘렸지만 파드 ${waiting}개를 배치할 용량이 없습니다`,
  grown: ({ from, to, at, revision }) =>
    from === undefined
      ? say`${moment(at)}부터 롤아웃이 이미 완료된 리비전 ${code(revision)}의 복제본 ${to}개가 필요합니다.`
      : say`${moment(at)}에 롤아웃이 이미 완료된 리비전 ${code(revision)}의 복제본이 ${from}개에서 ${to}개로 늘었습니다.`,
  'same-revision': ({ pods, resource }) =>
    say`같은 리비전의 파드가 그곳의 용량(${resourceWords('ko', resource)})을 사용 중입니다: ${names('ko', pods)}.`,
  'no-deadlock': () =>
    say`교착 상태가 아닙니다. 교체되는 파드가 없고 실행 중인 파드는 계속 실행됩니다. 용량만 부족합니다.`,
  'autoscaled-by': ({ name, maximum }) =>
    say`HorizontalPodAutoscaler ${code(name)} 설정에 따라 복제본 수가 정해집니다(최대 ${maximum}개).`,
  'maybe-replacement': () =>
    say`스케일링 이벤트가 만료되었습니다. Pending 파드가 사라진 파드를 대체하는 것일 수도 있습니다.`,
  'ev-scaled': () => say`컨트롤러가 현재 리비전을 스케일업함`,
  'ev-replicas': ({ to }) => say`복제본 ${to}개 필요`,
  'because-one-revision': () => say`모든 파드의 리비전이 같아 내려야 할 이전 파드가 없음`,
  'because-own-pods': ({ resource }) =>
    say`워크로드 자신의 파드가 용량(${resourceWords('ko', resource)})을 사용 중이며, 일부만 없어도 배치할 수 있음`,
  'because-complete': () => say`스케일링 전에 롤아웃이 완료되어 있었음`,
  'strategy-withheld': () => say`진행 중인 롤아웃이 없어 배포 전략은 영향을 주지 않습니다.`,
  'undo-withheld': () => say`용량이 부족한 것은 리비전 때문이 아닙니다.`,
  'advice-replicas-title': () => say`또는 배치할 수 있는 수로 줄이기`,
  'advice-replicas': ({ replicas }) =>
    say`현재 클러스터 용량으로는 복제본 ${replicas}개까지 배치할 수 있습니다.`,
  'advice-maximum-title': () => say`또는 오토스케일링 최대값을 용량에 맞추기`,
  'advice-maximum': ({ name, replicas }) =>
    say`최대값이 현재 용량인 ${replicas}개보다 크면 ${code(name)} 오토스케일러가 다시 더 많은 복제본을 요청합니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('scale-up-pending');
