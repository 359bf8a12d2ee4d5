import type { SameSentences } from '../../../language/catalogue.js';
import { code, moment, say } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, names } from '../../../language/words.js';
import { resourceWords } from '../../waiting/resource-words.js';

const en = {
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
      ? say`${code(workload)} was scaled up to ${to}, and there is no room for ${counted(waiting, 'pod', 'pods')}`
      : say`${code(workload)} was scaled from ${from} to ${to}, and there is no room for ${counted(waiting, 'pod', 'pods')}`,
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
      ? say`Since ${moment(at)} there are to be ${to} replicas of revision ${code(revision)}, which was rolled out before.`
      : say`At ${moment(at)} the replicas of revision ${code(revision)}, which was rolled out before, went from ${from} to ${to}.`,
  'same-revision': ({ pods, resource }: { readonly pods: readonly string[]; readonly resource: string }) =>
    say`Pods of the same revision hold ${resourceWords('en', resource)} there: ${names('en', pods)}.`,
  'no-circle': () =>
    say`This is no deadlock: nobody is to be replaced, and what runs goes on running. It is a matter of room alone.`,
  'autoscaled-by': ({ name, maximum }: { readonly name: string; readonly maximum: number }) =>
    say`The HorizontalPodAutoscaler ${code(name)} sets the replicas, ${maximum} at most.`,
  'maybe-replacement': () =>
    say`No event of the scaling is left: the waiting pods may as well replace ones that were lost.`,
  'ev-scaled': () => say`the controller scaled the current revision up`,
  'ev-replicas': ({ to }: { readonly to: number }) => say`${to} replicas are wanted`,
  'because-one-revision': () => say`all pods are of one revision, so no old pod is to make way`,
  'because-own-pods': ({ resource }: { readonly resource: string }) =>
    say`the workload's own pods hold ${resourceWords('en', resource)}: without some of them it fits`,
  'because-complete': () => say`the rollout was complete before the scaling`,
  'strategy-withheld': () => say`No rollout is under way, so the strategy decides nothing.`,
  'undo-withheld': () => say`The revision is not what lacks room.`,
  'advice-replicas-title': () => say`Or go back to what fits`,
  'advice-replicas': ({ replicas }: { readonly replicas: number }) =>
    say`There is room for ${counted(replicas, 'replica', 'replicas')} at the moment.`,
  'advice-maximum-title': () => say`Or limit the autoscaling to what fits`,
  'advice-maximum': ({ name, replicas }: { readonly name: string; readonly replicas: number }) =>
    say`${code(name)} will ask for more again as long as its maximum is above the ${counted(replicas, 'replica', 'replicas')} there is room for.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, from, to, waiting }) =>
    from === undefined
      ? say`${code(workload)}을(를) ${to}개로 늘렸지만 파드 ${waiting}개가 들어갈 자리가 없습니다`
      : say`${code(workload)}을(를) ${from}개에서 ${to}개로 늘렸지만 파드 ${waiting}개가 들어갈 자리가 없습니다`,
  grown: ({ from, to, at, revision }) =>
    from === undefined
      ? say`${moment(at)}부터 이미 배포된 리비전 ${code(revision)}의 복제본이 ${to}개여야 합니다.`
      : say`${moment(at)}에 이미 배포된 리비전 ${code(revision)}의 복제본이 ${from}개에서 ${to}개로 늘었습니다.`,
  'same-revision': ({ pods, resource }) =>
    say`같은 리비전의 파드가 그곳을 쓰고 있습니다(${resourceWords('ko', resource)}): ${names('ko', pods)}.`,
  'no-circle': () =>
    say`교착 상태가 아닙니다. 교체될 파드가 없고 실행 중인 파드는 계속 실행됩니다. 자리만의 문제입니다.`,
  'autoscaled-by': ({ name, maximum }) =>
    say`HorizontalPodAutoscaler ${code(name)}이(가) 복제본 수를 정합니다(최대 ${maximum}개).`,
  'maybe-replacement': () =>
    say`스케일링 이벤트가 남아 있지 않습니다. 대기 파드가 사라진 파드를 대신하는 것일 수도 있습니다.`,
  'ev-scaled': () => say`컨트롤러가 현재 리비전을 늘림`,
  'ev-replicas': ({ to }) => say`복제본 ${to}개 필요`,
  'because-one-revision': () => say`모든 파드가 같은 리비전이라 비켜야 할 이전 파드가 없음`,
  'because-own-pods': ({ resource }) =>
    say`워크로드 자신의 파드 일부만 없어도 들어감(${resourceWords('ko', resource)})`,
  'because-complete': () => say`스케일링 전에 롤아웃이 끝나 있었음`,
  'strategy-withheld': () => say`진행 중인 롤아웃이 없어 배포 전략은 영향을 주지 않습니다.`,
  'undo-withheld': () => say`자리가 모자란 것은 리비전 때문이 아닙니다.`,
  'advice-replicas-title': () => say`또는 들어가는 만큼만 두기`,
  'advice-replicas': ({ replicas }) => say`지금은 복제본 ${replicas}개까지 자리가 있습니다.`,
  'advice-maximum-title': () => say`또는 자동 확장을 들어가는 만큼으로 제한하기`,
  'advice-maximum': ({ name, replicas }) =>
    say`최대값이 자리가 있는 ${replicas}개보다 크면 ${code(name)}이(가) 다시 더 요청합니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('scale-up-pending');
