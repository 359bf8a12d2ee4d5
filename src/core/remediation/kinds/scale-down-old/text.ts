import type { SameSentences } from '../../../language/catalogue.js';
import { code, say } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { duration, names } from '../../../language/words.js';

const en = {
  title: () => say`Stop one old pod`,
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
    say`The old ReplicaSet ${code(replicaSet)} is scaled from ${from} to ${to} and stops ${names('en', pods)} (up to ${duration('en', graceSeconds)}).`,
  /** No rule of the ReplicaSet controller tells these apart from the one named. */
  'or-else': ({ pods }: { readonly pods: readonly string[] }) =>
    say`It may as well stop ${names('en', pods)}: no rule tells them apart.`,
  'stays-down': ({ replicaSet, to }: { readonly replicaSet: string; readonly to: number }) =>
    say`The Deployment controller leaves ${code(replicaSet)} at ${to}: in a rolling update it scales old ReplicaSets down only.`,
  'no-drift': ({ workload }: { readonly workload: string }) =>
    say`${code(workload)} itself stays as it is declared; its next update deadlocks again unless the strategy changes.`,
  'no-undo': () =>
    say`There is no undo: a stopped pod does not come back. The way back is to undo the rollout.`,
  'withheld-paused': ({ replicaSet }: { readonly replicaSet: string }) =>
    say`While the Deployment is paused, its controller brings ${code(replicaSet)} back to its share at once.`,
  'withheld-no-old': () => say`No old ReplicaSet has pods left to stop.`,
  'withheld-scaled-back': ({ replicaSet, to }: { readonly replicaSet: string; readonly to: number }) =>
    say`The Deployment controller would scale ${code(replicaSet)} up from ${to} again before the new pod has its place.`,
  'withheld-wrong-pod': ({ pods }: { readonly pods: readonly string[] }) =>
    say`It would stop ${names('en', pods)}, and the new pod still fits nowhere.`,
  'withheld-waits-again': ({ replicas }: { readonly replicas: number }) =>
    say`With ${replicas} replicas it frees one place, and the next new pod waits again.`,
};

const ko: SameSentences<typeof en> = {
  title: () => say`이전 파드 하나 중지`,
  stops: ({ replicaSet, from, to, pods, graceSeconds }) =>
    say`이전 ReplicaSet ${code(replicaSet)}의 복제본을 ${from}개에서 ${to}개로 줄여 ${names('ko', pods)} 파드를 내립니다(최대 ${duration('ko', graceSeconds)}).`,
  'or-else': ({ pods }) =>
    say`대신 ${names('ko', pods)} 파드가 내려갈 수도 있습니다. 둘을 가르는 규칙이 없습니다.`,
  'stays-down': ({ replicaSet, to }) =>
    say`Deployment 컨트롤러는 ${code(replicaSet)}을(를) ${to}개로 둡니다. 롤링 업데이트에서는 이전 ReplicaSet을 줄이기만 합니다.`,
  'no-drift': ({ workload }) =>
    say`${code(workload)} 자체는 선언된 그대로입니다. 전략을 바꾸지 않으면 다음 업데이트 때 다시 멈춥니다.`,
  'no-undo': () =>
    say`되돌리기는 없습니다. 내려간 파드는 돌아오지 않으며, 이전 버전으로 가려면 롤아웃을 되돌려야 합니다.`,
  'withheld-paused': ({ replicaSet }) =>
    say`Deployment가 일시 중지된 동안에는 컨트롤러가 ${code(replicaSet)}을(를) 곧바로 원래 몫으로 되돌립니다.`,
  'withheld-no-old': () => say`내릴 파드가 남은 이전 ReplicaSet이 없습니다.`,
  'withheld-scaled-back': ({ replicaSet, to }) =>
    say`새 파드가 자리를 얻기 전에 Deployment 컨트롤러가 ${code(replicaSet)}을(를) ${to}개에서 다시 늘립니다.`,
  'withheld-wrong-pod': ({ pods }) =>
    say`${names('ko', pods)} 파드가 내려가도 새 파드가 들어갈 곳은 여전히 없습니다.`,
  'withheld-waits-again': ({ replicas }) =>
    say`복제본이 ${replicas}개라 자리가 하나만 나고, 다음 새 파드가 다시 기다립니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('scale-down-old');
