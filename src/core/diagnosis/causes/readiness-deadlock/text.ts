import type { SameSentences } from '../../../language/catalogue.js';
import { code, moment, quote, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { duration, names } from '../../../language/words.js';

const en = {
  summary: ({ workload }: { readonly workload: string }) =>
    say`${code(workload)} waits for a lock that its own old pod holds`,
  'summary-possible': ({ workload }: { readonly workload: string }) =>
    say`${code(workload)} may wait for a lock that its own old pod holds`,
  runs: ({
    pod,
    container,
    seconds,
  }: {
    readonly pod: string;
    readonly container: string;
    readonly seconds: number | undefined;
  }) =>
    seconds === undefined
      ? say`The new pod ${code(pod)} runs, and ${code(container)} in it is not ready.`
      : say`The new pod ${code(pod)} has run for ${duration('en', seconds)}, and ${code(container)} in it is not ready.`,
  probe: ({ message }: { readonly message: string }) => say`The kubelet says ${quote(message)}`,
  holds: ({
    lease,
    pods,
    renewed,
  }: {
    readonly lease: string;
    readonly pods: readonly string[];
    readonly renewed: string | undefined;
  }) =>
    renewed === undefined
      ? say`The lease ${code(lease)} is held by ${names('en', pods)}: the old pod of this same workload.`
      : say`The lease ${code(lease)} is held by ${names('en', pods)}, the old pod of this same workload, and was renewed at ${moment(renewed)}.`,
  says: ({ pod, line }: { readonly pod: string; readonly line: string }) =>
    say`${code(pod)} itself says ${quote(line)}`,
  'answers-itself': ({ line }: { readonly line: string }) => say`Its readiness probe answers ${quote(line)}`,
  silent: ({ pod }: { readonly pod: string }) =>
    say`${code(pod)} says nothing about it, as far as its log could be read.`,
  counterfactual: ({ pods, pod }: { readonly pods: readonly string[]; readonly pod: string }) =>
    say`Once ${names('en', pods)} ${word(pods.length === 1 ? 'is' : 'are')} gone, the lock is free and ${code(pod)} can have it.`,
  expiry: ({ seconds }: { readonly seconds: number }) =>
    say`If the old pod does not give the lease back when it stops, it is free after ${duration('en', seconds)}.`,
  'lease-unseen': () => say`No Lease shows who holds the lock. An old pod may hold it.`,
  'leases-unread': ({ because }: { readonly because: string }) =>
    say`Leases could not be read (${code(because)}), so who holds the lock is not known.`,
  'words-alone': ({ pods }: { readonly pods: readonly string[] }) =>
    say`Of the old pods any may hold it: ${names('en', pods)}.`,
  'lease-alone': ({ lease }: { readonly lease: string }) =>
    say`That the new pod waits for ${code(lease)} is not shown: it says nothing, and may be unready for another reason.`,
  'not-named': ({ lease }: { readonly lease: string }) =>
    say`No line names ${code(lease)} or its holder and gives it as the reason why the pod is not ready. Many programs log lines about locks while something else keeps them from being ready.`,
  'ev-ready': ({ pod }: { readonly pod: string }) => say`${code(pod)} runs and is not ready`,
  'ev-lease': ({ pod }: { readonly pod: string }) => say`held by the old pod ${code(pod)}`,
  'ev-log': ({ pod }: { readonly pod: string }) => say`${code(pod)} says so in its log`,
  'ev-probe': ({ pod }: { readonly pod: string }) => say`the readiness probe of ${code(pod)} fails`,
  'because-lock': () => say`what it waits for is held by an old pod, so it is not the new version by itself`,
  'because-runs': ({ pod }: { readonly pod: string }) => say`${code(pod)} runs and was never restarted`,
  'because-waited': ({ pod }: { readonly pod: string }) =>
    say`${code(pod)} had longer than any pod of this workload ever took`,
  'patch-withheld': () => say`The engines do not see the rollout end well after it.`,
  'delete-withheld': () =>
    say`A deleted old pod is replaced by another old one at once, and which of the two gets the lock is a race.`,
  'next-attempt': ({ pod }: { readonly pod: string }) =>
    say`${code(pod)} tries again by itself and the kubelet keeps asking; the answer changes only when the old pod lets go.`,
  'advice-readiness-title': () => say`Let a standby be ready`,
  'advice-readiness': ({ container }: { readonly container: string }) =>
    say`Readiness of ${code(container)} should say "I can do my part", not "I am the leader". Then the old pod goes, its lease with it, and the new one takes over without a gap.`,
  'advice-lasting-title': () => say`Or always stop the old pod first`,
  'advice-lasting': ({ workload }: { readonly workload: string }) =>
    say`Put that into the manifest of ${code(workload)}; otherwise every update hangs like this.`,
  'advice-tell-title': () => say`How to be sure`,
  'advice-tell': ({ pod }: { readonly pod: string }) =>
    say`Ask the readiness endpoint of ${code(pod)} and read its log: if it speaks of a leader, lease or lock, this is it.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload }) => say`${code(workload)} 롤아웃이 자기 이전 파드가 쥔 잠금을 기다리고 있습니다`,
  'summary-possible': ({ workload }) =>
    say`${code(workload)} 롤아웃이 자기 이전 파드가 쥔 잠금을 기다리는 것일 수 있습니다`,
  runs: ({ pod, container, seconds }) =>
    seconds === undefined
      ? say`새 파드 ${code(pod)}는 실행 중이지만 ${code(container)} 컨테이너가 준비되지 않았습니다.`
      : say`새 파드 ${code(pod)}는 ${duration('ko', seconds)}째 실행 중이지만 ${code(container)} 컨테이너가 준비되지 않았습니다.`,
  probe: ({ message }) => say`kubelet의 말: ${quote(message)}`,
  holds: ({ lease, pods, renewed }) =>
    renewed === undefined
      ? say`리스 ${code(lease)}는 같은 워크로드의 이전 파드 ${names('ko', pods)}가 쥐고 있습니다.`
      : say`리스 ${code(lease)}는 같은 워크로드의 이전 파드 ${names('ko', pods)}가 쥐고 있고, ${moment(renewed)}에 갱신했습니다.`,
  says: ({ pod, line }) => say`${code(pod)} 로그: ${quote(line)}`,
  'answers-itself': ({ line }) => say`readiness 프로브의 응답: ${quote(line)}`,
  silent: ({ pod }) => say`읽을 수 있는 로그에서 ${code(pod)} 파드는 이에 대해 아무 말이 없습니다.`,
  counterfactual: ({ pods, pod }) =>
    say`${names('ko', pods)} 파드가 없어지면 잠금이 풀려 ${code(pod)} 파드가 가질 수 있습니다.`,
  expiry: ({ seconds }) =>
    say`이전 파드가 멈출 때 리스를 돌려주지 않으면 ${duration('ko', seconds)} 뒤에 풀립니다.`,
  'lease-unseen': () =>
    say`누가 잠금을 쥐었는지 보여 주는 Lease가 없습니다. 이전 파드가 쥐고 있을 수 있습니다.`,
  'leases-unread': ({ because }) =>
    say`Lease를 읽지 못해(${code(because)}) 누가 잠금을 쥐었는지 알 수 없습니다.`,
  'words-alone': ({ pods }) => say`이전 파드 중 어느 것이든 쥐고 있을 수 있습니다: ${names('ko', pods)}.`,
  'lease-alone': ({ lease }) =>
    say`새 파드가 ${code(lease)}를 기다린다는 증거는 없습니다. 아무 말이 없으며 다른 이유로 준비되지 않았을 수 있습니다.`,
  'not-named': ({ lease }) =>
    say`${code(lease)}나 그 보유자를 밝히면서 준비되지 않은 이유로 든 로그는 없습니다. 다른 이유로 준비되지 않은 프로그램도 잠금에 관한 로그를 자주 남깁니다.`,
  'ev-ready': ({ pod }) => say`${code(pod)} 실행 중, 준비되지 않음`,
  'ev-lease': ({ pod }) => say`이전 파드 ${code(pod)}가 보유`,
  'ev-log': ({ pod }) => say`${code(pod)} 로그에 그렇게 적혀 있음`,
  'ev-probe': ({ pod }) => say`${code(pod)}의 readiness 프로브 실패`,
  'because-lock': () => say`기다리는 것을 이전 파드가 쥐고 있으므로 새 버전 자체의 문제가 아님`,
  'because-runs': ({ pod }) => say`${code(pod)}는 실행 중이며 재시작된 적 없음`,
  'because-waited': ({ pod }) => say`${code(pod)}에 이 워크로드의 어떤 파드보다 긴 시간이 주어짐`,
  'patch-withheld': () => say`그 뒤 롤아웃이 끝까지 진행되는 것을 확인할 수 없습니다.`,
  'delete-withheld': () =>
    say`이전 파드를 지우면 곧바로 다른 이전 파드로 대체되고, 둘 중 누가 잠금을 얻을지는 알 수 없습니다.`,
  'next-attempt': ({ pod }) =>
    say`${code(pod)}도 kubelet도 계속 시도하지만, 이전 파드가 놓아야만 결과가 바뀝니다.`,
  'advice-readiness-title': () => say`대기 파드도 준비 상태가 되게 하기`,
  'advice-readiness': ({ container }) =>
    say`${code(container)}의 readiness는 "리더인지"가 아니라 "제 역할을 할 수 있는지"를 답해야 합니다. 그러면 이전 파드가 리스와 함께 물러나고 새 파드가 공백 없이 이어받습니다.`,
  'advice-lasting-title': () => say`또는 언제나 이전 파드를 먼저 내리기`,
  'advice-lasting': ({ workload }) =>
    say`${code(workload)} 매니페스트에 넣으세요. 그러지 않으면 업데이트마다 이렇게 멈춥니다.`,
  'advice-tell-title': () => say`확인하는 방법`,
  'advice-tell': ({ pod }) =>
    say`${code(pod)}의 readiness 엔드포인트와 로그를 보세요. 리더, 리스, 잠금 이야기가 있으면 이것이 맞습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('readiness-deadlock');
