import type { SameSentences } from '../../../language/catalogue.js';
import { code, moment, quote, say, sentences } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { elapsed, names } from '../../../language/words.js';

const en = {
  'shared-failure': () => say`pods wait for new nodes`,
  summary: ({ workload, by }: { readonly workload: string; readonly by: string }) =>
    say`${code(workload)} is waiting for a new node: ${code(by)} has ordered one`,
  ordered: ({
    by,
    at,
    secondsAgo,
  }: {
    readonly by: string;
    readonly at: string;
    readonly secondsAgo: number;
  }) => say`${code(by)} ordered a node for this pod ${elapsed('en', secondsAgo)} ago (${moment(at)}).`,
  'ordered-for-unknown-pods': ({ claim, at }: { readonly claim: string; readonly at: string }) =>
    say`Karpenter has ordered a node (${code(claim)}, ${moment(at)}). No event states whether it is for these pods.`,
  said: ({ by, message }: { readonly by: string; readonly message: string }) =>
    say`${code(by)} reports: ${quote(message)}`,
  claim: ({
    name,
    done,
    missing,
  }: {
    readonly name: string;
    readonly done: readonly string[];
    readonly missing: readonly string[];
  }) =>
    sentences(
      done.length === 0
        ? say`The NodeClaim ${code(name)} has made no progress yet.`
        : say`The NodeClaim ${code(name)} has completed: ${names('en', done)}.`,
      missing.length === 0 ? say`Its node has joined.` : say`Remaining: ${names('en', missing)}.`,
    ),
  expires: ({ until }: { readonly until: string }) =>
    say`A node usually arrives within minutes. If the pods are still pending ${moment(until)}, the order counts as failed.`,
  'then-deadlock': ({ pods }: { readonly pods: readonly string[] }) =>
    say`Old pods are still running (${names('en', pods, 3)}). If no node arrives, the rollout may be deadlocked. Diagnose again then.`,
  'ev-claim': ({ claim }: { readonly claim: string }) => say`${code(claim)} is being provisioned`,
  'because-ordered': ({ by }: { readonly by: string }) =>
    say`${code(by)} has ordered a node that may run the pod`,
  'next-attempt': () => say`The scheduler retries when the node joins, expected by this time.`,
  'wait-withheld': ({ by }: { readonly by: string }) =>
    say`${code(by)} is adding a node. The new node costs no ready pod.`,
  'advice-watch-title': () => say`Watch the new node`,
  'advice-watch-cluster-autoscaler': () =>
    say`The status of the autoscaler shows back-off, cloud quota and node groups at their limit.`,
  'advice-watch-karpenter': () =>
    say`The conditions Launched, Registered and Initialized show the progress of the node. Its events show errors.`,
};

const ko: SameSentences<typeof en> = {
  'shared-failure': () => say`새 노드를 기다리는 중`,
  summary: ({ workload, by }) =>
    say`${code(workload)} 파드가 새 노드를 기다리는 중: ${code(by)} 오토스케일러가 노드를 요청했습니다`,
  ordered: ({ by, at, secondsAgo }) =>
    say`${code(by)} 오토스케일러가 ${elapsed('ko', secondsAgo)} 전에 이 파드를 위한 노드를 요청했습니다(${moment(at)}).`,
  'ordered-for-unknown-pods': ({ claim, at }) =>
    say`Karpenter가 노드를 요청했습니다(${code(claim)}, ${moment(at)}). 이 파드를 위한 것인지 알려 주는 이벤트는 없습니다.`,
  said: ({ by, message }) => say`${code(by)} 메시지: ${quote(message)}`,
  claim: ({ name, done, missing }) =>
    sentences(
      done.length === 0
        ? say`NodeClaim ${code(name)} 진행 상황: 아직 완료된 단계가 없습니다.`
        : say`NodeClaim ${code(name)} 완료 단계: ${names('ko', done)}.`,
      missing.length === 0
        ? say`노드가 클러스터에 추가되었습니다.`
        : say`남은 단계: ${names('ko', missing)}.`,
    ),
  expires: ({ until }) =>
    say`노드는 보통 몇 분 안에 추가됩니다. ${moment(until)}에도 파드가 Pending 상태이면 실패한 요청으로 봅니다.`,
  'then-deadlock': ({ pods }) =>
    say`이전 파드가 아직 실행 중입니다(${names('ko', pods, 3)}). 새 노드가 추가되지 않으면 롤아웃 교착 상태일 수 있으니 그때 다시 진단하세요.`,
  'ev-claim': ({ claim }) => say`${code(claim)} 프로비저닝 중`,
  'because-ordered': ({ by }) => say`${code(by)} 오토스케일러가 파드를 실행할 수 있는 노드를 요청함`,
  'next-attempt': () => say`노드가 추가되면 스케줄러가 다시 시도하며, 이 시각까지 추가될 것으로 예상됩니다.`,
  'wait-withheld': ({ by }) =>
    say`노드가 추가되는 중입니다. ${code(by)} 오토스케일러의 새 노드를 쓰면 준비된 파드가 줄지 않습니다.`,
  'advice-watch-title': () => say`새 노드 지켜보기`,
  'advice-watch-cluster-autoscaler': () =>
    say`오토스케일러 상태에서 백오프, 클라우드 할당량, 한도에 도달한 노드 그룹을 확인할 수 있습니다.`,
  'advice-watch-karpenter': () =>
    say`Launched, Registered, Initialized 컨디션에서 노드의 진행 상황을, 이벤트에서 오류를 확인할 수 있습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('waiting-for-autoscaler');
