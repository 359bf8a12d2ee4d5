import type { SameSentences } from '../../../../engine/language/catalogue.js';
import { code, say, word } from '../../../../engine/language/prose.js';
import { statementsOf } from '../../../../engine/language/statement.js';
import { duration, names } from '../../../../engine/language/words.js';

const en = {
  /** What the kind is called where no remediation of it is at hand. */
  name: () => say`delete the pod`,
  'title-unstick': ({ pod }: { readonly pod: string }) => say`Delete ${code(pod)}`,
  'title-experiment': ({ pod }: { readonly pod: string }) =>
    say`Delete ${code(pod)} to reschedule it elsewhere`,
  deletes: ({
    pod,
    node,
    graceSeconds,
  }: {
    readonly pod: string;
    readonly node: string;
    readonly graceSeconds: number;
  }) =>
    node === ''
      ? say`${code(pod)} is deleted. It has no node yet, so nothing stops.`
      : say`${code(pod)} on ${code(node)} is stopped (up to ${duration('en', graceSeconds)}) and deleted.`,
  replaced: ({ kind, name }: { readonly kind: string; readonly name: string }) =>
    say`${code(`${kind} ${name}`)} creates a replacement at once.`,
  /** A StatefulSet makes the pod anew once the former one is gone. */
  'replaced-same-name': ({
    kind,
    name,
    pod,
  }: {
    readonly kind: string;
    readonly name: string;
    readonly pod: string;
  }) =>
    say`${code(`${kind} ${name}`)} creates ${code(pod)} again once the old one is gone, with the same claims.`,
  'placed-on': ({ nodes }: { readonly nodes: readonly string[] }) =>
    nodes.length === 1
      ? say`Only ${names('en', nodes)} can run the replacement.`
      : say`The scheduler chooses one of the nodes that can run the replacement: ${names('en', nodes)}.`,
  'may-return': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`The scheduler may choose ${names('en', nodes)} again. The test is then inconclusive and can be repeated.`,
  'not-ready-anyway': () => say`The pod is not ready, so it serves no traffic now.`,
  'one-less': ({ ready, wanted }: { readonly ready: number; readonly wanted: number }) =>
    say`The pod is ready now. Until the replacement is ready, ${ready} of ${wanted} serve.`,
  'budget-allows': ({ budgets }: { readonly budgets: readonly string[] }) =>
    say`${names('en', budgets)} ${word(budgets.length === 1 ? 'allows' : 'allow')} this disruption now.`,
  'budget-unread': () =>
    say`PodDisruptionBudgets could not be read. The pod is not ready, so a budget is unlikely to protect it.`,
  tells: ({ seconds }: { readonly seconds: number }) =>
    seconds > 0
      ? say`If the replacement stays ready for ${duration('en', seconds)} on another node, the node was the cause. If it fails there too, the node was not.`
      : say`If the replacement becomes ready on another node, the node was the cause. If it fails there too, the node was not.`,
  'no-undo': () => say`This cannot be undone: a deleted pod does not come back, only its replacement starts.`,
  'withheld-bare': ({ pod }: { readonly pod: string }) =>
    say`${code(pod)} has no controller that would create it again.`,
  'withheld-foreign': ({ pod }: { readonly pod: string }) =>
    say`${code(pod)} does not belong to this workload.`,
  'withheld-leaving': ({ pod }: { readonly pod: string }) => say`${code(pod)} is already being deleted.`,
  'withheld-not-replaced': ({ pod }: { readonly pod: string }) =>
    say`The controller wants fewer pods, so it would not replace ${code(pod)}.`,
  'withheld-nowhere': ({ pod }: { readonly pod: string }) =>
    say`No node can run the replacement of ${code(pod)}.`,
  'withheld-same-node': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`Only ${names('en', nodes)} can run the replacement, so the result would be the same.`,
  'withheld-stuck': ({ pods }: { readonly pods: readonly string[] }) =>
    pods.length === 0
      ? say`The workload would still be stuck.`
      : say`The workload would still be stuck, waiting for ${names('en', pods)}.`,
};

const ko: SameSentences<typeof en> = {
  name: () => say`파드 삭제`,
  'title-unstick': ({ pod }) => say`${code(pod)} 삭제`,
  'title-experiment': ({ pod }) => say`${code(pod)} 삭제 후 다른 노드에 재배치`,
  deletes: ({ pod, node, graceSeconds }) =>
    node === ''
      ? say`${code(pod)} 파드를 삭제합니다. 아직 노드가 없어 중단되는 것은 없습니다.`
      : say`${code(node)} 노드의 ${code(pod)} 파드를 종료하고(최대 ${duration('ko', graceSeconds)}) 삭제합니다.`,
  replaced: ({ kind, name }) => say`${code(`${kind} ${name}`)} 컨트롤러가 곧바로 대체 파드를 만듭니다.`,
  'replaced-same-name': ({ kind, name, pod }) =>
    say`이전 파드가 사라지면 ${code(`${kind} ${name}`)} 컨트롤러가 같은 클레임으로 ${code(pod)} 파드를 다시 만듭니다.`,
  'placed-on': ({ nodes }) =>
    nodes.length === 1
      ? say`대체 파드를 실행할 수 있는 노드는 ${names('ko', nodes)}뿐입니다.`
      : say`대체 파드를 실행할 수 있는 노드 중에서 스케줄러가 선택합니다: ${names('ko', nodes)}.`,
  'may-return': ({ nodes }) =>
    say`스케줄러가 다시 ${names('ko', nodes)} 노드를 선택할 수도 있습니다. 그러면 원인을 판단할 수 없으므로 다시 시도하세요.`,
  'not-ready-anyway': () => say`이 파드는 준비되지 않아 현재 트래픽을 처리하지 않습니다.`,
  'one-less': ({ ready, wanted }) =>
    say`이 파드는 현재 준비 상태입니다. 대체 파드가 준비될 때까지 ${wanted}개 중 ${ready}개가 서비스합니다.`,
  'budget-allows': ({ budgets }) =>
    say`PodDisruptionBudget(${names('ko', budgets)})이 지금 이 중단을 허용합니다.`,
  'budget-unread': () =>
    say`PodDisruptionBudget을 읽지 못했습니다. 파드가 준비되지 않았으므로 보호 대상일 가능성은 낮습니다.`,
  tells: ({ seconds }) =>
    seconds > 0
      ? say`대체 파드가 다른 노드에서 ${duration('ko', seconds)} 동안 준비 상태를 유지하면 노드가 원인입니다. 거기서도 실패하면 노드는 원인이 아닙니다.`
      : say`대체 파드가 다른 노드에서 준비되면 노드가 원인입니다. 거기서도 실패하면 노드는 원인이 아닙니다.`,
  'no-undo': () => say`되돌릴 수 없습니다. 삭제된 파드는 복구되지 않고 대체 파드만 시작됩니다.`,
  'withheld-bare': ({ pod }) => say`${code(pod)} 파드를 다시 만들 컨트롤러가 없습니다.`,
  'withheld-foreign': ({ pod }) => say`${code(pod)} 파드는 이 워크로드의 파드가 아닙니다.`,
  'withheld-leaving': ({ pod }) => say`${code(pod)} 파드는 이미 삭제되는 중입니다.`,
  'withheld-not-replaced': ({ pod }) =>
    say`컨트롤러에 필요한 파드 수가 줄어 ${code(pod)} 파드는 대체되지 않습니다.`,
  'withheld-nowhere': ({ pod }) => say`${code(pod)} 파드의 대체 파드를 실행할 수 있는 노드가 없습니다.`,
  'withheld-same-node': ({ nodes }) =>
    say`대체 파드를 실행할 수 있는 노드가 ${names('ko', nodes)}뿐이라 결과가 같습니다.`,
  'withheld-stuck': ({ pods }) =>
    pods.length === 0
      ? say`그래도 워크로드는 계속 멈춰 있습니다.`
      : say`그래도 워크로드는 ${names('ko', pods)} 파드를 기다리며 계속 멈춰 있습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('delete-pod');
