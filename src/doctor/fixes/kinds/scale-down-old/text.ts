import type { SameSentences } from '../../../../engine/language/catalogue.js';
import { code, say } from '../../../../engine/language/prose.js';
import { statementsOf } from '../../../../engine/language/statement.js';
import { duration, names } from '../../../../engine/language/words.js';

const en = {
  /** What the kind is called where no remediation of it is at hand. */
  name: () => say`scale down the old ReplicaSet`,
  title: () => say`Scale down the old ReplicaSet once`,
  stops: ({
    replicaSet,
    from,
    to,
    pods,
    graceSeconds,
  }: {
    readonly replicaSet: string;
    readonly from: number;
    readonly to: number;
    readonly pods: readonly string[];
    readonly graceSeconds: number;
  }) =>
    say`The old ReplicaSet ${code(replicaSet)} is scaled from ${from} to ${to}, which stops ${names('en', pods)} (up to ${duration('en', graceSeconds)}).`,
  /** No rule of the ReplicaSet controller tells these apart from the one named. */
  'or-else': ({ pods }: { readonly pods: readonly string[] }) =>
    say`The controller may stop ${names('en', pods)} instead, since no rule prefers one of them.`,
  'stays-down': ({ replicaSet, to }: { readonly replicaSet: string; readonly to: number }) =>
    say`The Deployment controller keeps ${code(replicaSet)} at ${to}. During a rolling update it only scales old ReplicaSets down.`,
  'no-drift': ({ workload }: { readonly workload: string }) =>
    say`${code(workload)} itself stays as declared. Its next update deadlocks again unless the strategy changes.`,
  'no-undo': () =>
    say`This cannot be undone: a stopped pod does not come back. To go back, roll back the Deployment.`,
  'withheld-paused': ({ replicaSet }: { readonly replicaSet: string }) =>
    say`While the Deployment is paused, its controller scales ${code(replicaSet)} up again at once.`,
  'withheld-no-old': () => say`No old ReplicaSet has pods to stop.`,
  'withheld-scaled-back': ({ replicaSet, to }: { readonly replicaSet: string; readonly to: number }) =>
    say`The Deployment controller would scale ${code(replicaSet)} up from ${to} again before the new pod is placed.`,
  'withheld-wrong-pod': ({ pods }: { readonly pods: readonly string[] }) =>
    say`The controller would stop ${names('en', pods)}, and the new pod would still fit on no node.`,
  'withheld-waits-again': ({ replicas }: { readonly replicas: number }) =>
    say`With ${replicas} replicas it frees the capacity for one pod only, and the next new pod would be pending again.`,
};

const ko: SameSentences<typeof en> = {
  name: () => say`이전 ReplicaSet 축소`,
  title: () => say`이전 ReplicaSet을 한 번 줄이기`,
  stops: ({ replicaSet, from, to, pods, graceSeconds }) =>
    say`이전 ReplicaSet(${code(replicaSet)})의 복제본을 ${from}개에서 ${to}개로 줄여 ${names('ko', pods)} 파드를 내립니다(최대 ${duration('ko', graceSeconds)}).`,
  'or-else': ({ pods }) =>
    say`컨트롤러가 대신 ${names('ko', pods)} 파드를 내릴 수도 있습니다. 둘 사이에 정해진 순서가 없습니다.`,
  'stays-down': ({ replicaSet, to }) =>
    say`Deployment 컨트롤러는 이 ReplicaSet(${code(replicaSet)})을 ${to}개로 유지합니다. 롤링 업데이트 중에는 이전 ReplicaSet을 줄이기만 합니다.`,
  'no-drift': ({ workload }) =>
    say`${code(workload)} 설정은 선언된 그대로 유지됩니다. 배포 전략을 변경하지 않으면 다음 업데이트 때 다시 교착됩니다.`,
  'no-undo': () =>
    say`되돌릴 수 없습니다. 내려간 파드는 복구되지 않으며, 이전 버전으로 가려면 Deployment를 롤백해야 합니다.`,
  'withheld-paused': ({ replicaSet }) =>
    say`Deployment가 일시 중지된 동안에는 컨트롤러가 이 ReplicaSet(${code(replicaSet)})을 곧바로 다시 늘립니다.`,
  'withheld-no-old': () => say`내릴 파드가 있는 이전 ReplicaSet이 없습니다.`,
  'withheld-scaled-back': ({ replicaSet, to }) =>
    say`새 파드가 배치되기 전에 Deployment 컨트롤러가 이 ReplicaSet(${code(replicaSet)})을 ${to}개에서 다시 늘립니다.`,
  'withheld-wrong-pod': ({ pods }) =>
    say`컨트롤러가 ${names('ko', pods)} 파드를 내리게 되며, 그래도 새 파드를 배치할 노드가 없습니다.`,
  'withheld-waits-again': ({ replicas }) =>
    say`복제본이 ${replicas}개인데 파드 하나의 용량만 확보되어, 다음 새 파드가 다시 Pending 상태가 됩니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('scale-down-old');
