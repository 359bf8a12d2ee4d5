import type { SameSentences } from '../../../language/catalogue.js';
import { code, moment, quote, say, sentences } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { duration, names } from '../../../language/words.js';

const en = {
  summary: ({ workload, by }: { readonly workload: string; readonly by: string }) =>
    say`${code(workload)} waits for a node that ${code(by)} has ordered`,
  ordered: ({
    by,
    at,
    secondsAgo,
  }: {
    readonly by: string;
    readonly at: string;
    readonly secondsAgo: number;
  }) => say`${code(by)} ordered a node for it ${duration('en', secondsAgo)} ago (${moment(at)}).`,
  'ordered-for-nobody': ({ claim, at }: { readonly claim: string; readonly at: string }) =>
    say`Karpenter has ordered a node (${code(claim)}, ${moment(at)}); no event says whether it is for these pods.`,
  said: ({ by, message }: { readonly by: string; readonly message: string }) =>
    say`${code(by)} says: ${quote(message)}`,
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
        ? say`The NodeClaim ${code(name)} has not got anywhere yet.`
        : say`The NodeClaim ${code(name)} has been ${names('en', done)}.`,
      missing.length === 0 ? say`Its node is there.` : say`Still to come: ${names('en', missing)}.`,
    ),
  expires: ({ until }: { readonly until: string }) =>
    say`A node comes within minutes or not at all: if the pods still wait at ${moment(until)}, the order counts as failed.`,
  'then-deadlock': ({ pods }: { readonly pods: readonly string[] }) =>
    say`Old pods still run (${names('en', pods, 3)}). Without the new node this may be a deadlock of the rollout with itself; look again then.`,
  'ev-claim': ({ claim }: { readonly claim: string }) => say`${code(claim)} is on its way`,
  'because-ordered': ({ by }: { readonly by: string }) =>
    say`${code(by)} has ordered a node, which may end the wait`,
  'next-attempt': () => say`The scheduler tries again when the node joins; by then it should have.`,
  'wait-withheld': ({ by }: { readonly by: string }) =>
    say`A node is on its way; what ${code(by)} brings costs no ready pod.`,
  'advice-watch-title': () => say`Watch it come`,
  'advice-watch-cluster-autoscaler': () =>
    say`The autoscaler's status tells of back-off, quota of the cloud and groups at their limit.`,
  'advice-watch-karpenter': () =>
    say`Its conditions Launched, Registered and Initialized tell how far the node has come, and its events why not.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, by }) => say`${code(workload)}이(가) ${code(by)}이(가) 요청한 노드를 기다립니다`,
  ordered: ({ by, at, secondsAgo }) =>
    say`${code(by)}이(가) ${duration('ko', secondsAgo)} 전에 노드를 요청했습니다(${moment(at)}).`,
  'ordered-for-nobody': ({ claim, at }) =>
    say`Karpenter가 노드를 요청했습니다(${code(claim)}, ${moment(at)}). 이 파드를 위한 것인지 알려 주는 이벤트는 없습니다.`,
  said: ({ by, message }) => say`${code(by)}의 말: ${quote(message)}`,
  claim: ({ name, done, missing }) =>
    sentences(
      done.length === 0
        ? say`NodeClaim ${code(name)}은(는) 아직 진척이 없습니다.`
        : say`NodeClaim ${code(name)} 완료 단계: ${names('ko', done)}.`,
      missing.length === 0 ? say`노드가 도착했습니다.` : say`남은 단계: ${names('ko', missing)}.`,
    ),
  expires: ({ until }) =>
    say`노드는 몇 분 안에 오거나 오지 않습니다. ${moment(until)}에도 파드가 기다리면 실패로 봅니다.`,
  'then-deadlock': ({ pods }) =>
    say`이전 파드가 아직 실행 중입니다(${names('ko', pods, 3)}). 새 노드가 오지 않으면 롤아웃이 스스로를 기다리는 교착일 수 있으니 그때 다시 확인하세요.`,
  'ev-claim': ({ claim }) => say`${code(claim)} 준비 중`,
  'because-ordered': ({ by }) => say`${code(by)}이(가) 노드를 요청해 대기가 끝날 수 있음`,
  'next-attempt': () => say`노드가 합류하면 스케줄러가 다시 시도합니다. 그때까지는 왔어야 합니다.`,
  'wait-withheld': ({ by }) =>
    say`노드가 오는 중입니다. ${code(by)}이(가) 가져오는 것은 준비된 파드를 줄이지 않습니다.`,
  'advice-watch-title': () => say`오는지 지켜보기`,
  'advice-watch-cluster-autoscaler': () =>
    say`오토스케일러 상태에서 백오프, 클라우드 할당량, 한도에 이른 그룹을 볼 수 있습니다.`,
  'advice-watch-karpenter': () =>
    say`Launched, Registered, Initialized 조건이 어디까지 왔는지, 이벤트가 왜 안 되는지 알려 줍니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('waiting-for-autoscaler');
