import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { duration, names } from '../../../language/words.js';

const en = {
  'title-unstick': ({ pod }: { readonly pod: string }) => say`Delete ${code(pod)}`,
  'title-experiment': ({ pod }: { readonly pod: string }) => say`Try it elsewhere: delete ${code(pod)}`,
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
      ? say`${code(pod)} is deleted; it has no node yet, so nothing stops.`
      : say`${code(pod)} on ${code(node)} is stopped (up to ${duration('en', graceSeconds)}) and deleted.`,
  replaced: ({ kind, name }: { readonly kind: string; readonly name: string }) =>
    say`${code(`${kind} ${name}`)} makes a replacement at once.`,
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
    say`${code(`${kind} ${name}`)} makes ${code(pod)} anew once the former one is gone, with the same claims.`,
  'placed-on': ({ nodes }: { readonly nodes: readonly string[] }) =>
    nodes.length === 1
      ? say`Only ${names('en', nodes)} can take the replacement.`
      : say`These nodes can take the replacement, and the scheduler chooses: ${names('en', nodes)}.`,
  'may-return': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`It may choose ${names('en', nodes)} again; then nothing is learnt, and it can be tried once more.`,
  'not-ready-anyway': () => say`The pod is not ready, so it serves nobody now.`,
  'one-less': ({ ready, wanted }: { readonly ready: number; readonly wanted: number }) =>
    say`It is ready now: until the replacement is, ${ready} of ${wanted} serve.`,
  'budget-allows': ({ budgets }: { readonly budgets: readonly string[] }) =>
    say`${names('en', budgets)} ${word(budgets.length === 1 ? 'allows' : 'allow')} this disruption now.`,
  'budget-unread': () =>
    say`PodDisruptionBudgets could not be read; as the pod is not ready, it is hardly protected by one.`,
  tells: ({ seconds }: { readonly seconds: number }) =>
    seconds > 0
      ? say`If the replacement stays ready for ${duration('en', seconds)} on another node, the node was the reason; if it fails there too, it was not.`
      : say`If the replacement becomes ready on another node, the node was the reason; if it fails there too, it was not.`,
  'no-undo': () => say`There is no undo: a deleted pod does not come back, only its replacement.`,
  'withheld-bare': ({ pod }: { readonly pod: string }) =>
    say`Nothing would make ${code(pod)} again: it has no controller.`,
  'withheld-foreign': ({ pod }: { readonly pod: string }) =>
    say`${code(pod)} does not belong to this workload.`,
  'withheld-leaving': ({ pod }: { readonly pod: string }) => say`${code(pod)} is being deleted already.`,
  'withheld-budget': ({ pod, budget }: { readonly pod: string; readonly budget: string }) =>
    say`PodDisruptionBudget ${code(budget)} allows no disruption of ${code(pod)} now.`,
  'withheld-budget-unread': ({ pod }: { readonly pod: string }) =>
    say`${code(pod)} is ready, and whether a PodDisruptionBudget protects it could not be read.`,
  'withheld-not-replaced': ({ pod }: { readonly pod: string }) =>
    say`Its controller wants fewer pods: ${code(pod)} would not be replaced.`,
  'withheld-nowhere': ({ pod }: { readonly pod: string }) =>
    say`No node would take the replacement of ${code(pod)}.`,
  'withheld-same-node': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`Only ${names('en', nodes)} can take the replacement: nothing would change.`,
  'withheld-stuck': ({ pods }: { readonly pods: readonly string[] }) =>
    pods.length === 0
      ? say`The workload would stand still all the same.`
      : say`The workload would stand still all the same, waiting for ${names('en', pods)}.`,
};

const ko: SameSentences<typeof en> = {
  'title-unstick': ({ pod }) => say`${code(pod)} 삭제`,
  'title-experiment': ({ pod }) => say`다른 노드에서 확인: ${code(pod)} 삭제`,
  deletes: ({ pod, node, graceSeconds }) =>
    node === ''
      ? say`${code(pod)} 파드를 삭제합니다. 아직 노드가 없어 멈추는 것은 없습니다.`
      : say`${code(node)}의 ${code(pod)} 파드를 종료하고(최대 ${duration('ko', graceSeconds)}) 삭제합니다.`,
  replaced: ({ kind, name }) => say`${code(`${kind} ${name}`)}이(가) 곧바로 대체 파드를 만듭니다.`,
  'replaced-same-name': ({ kind, name, pod }) =>
    say`이전 파드가 사라지면 ${code(`${kind} ${name}`)}이(가) 같은 클레임으로 ${code(pod)} 파드를 다시 만듭니다.`,
  'placed-on': ({ nodes }) =>
    nodes.length === 1
      ? say`대체 파드를 받을 수 있는 노드는 ${names('ko', nodes)}뿐입니다.`
      : say`대체 파드를 받을 수 있는 노드 중에서 스케줄러가 고릅니다: ${names('ko', nodes)}.`,
  'may-return': ({ nodes }) =>
    say`다시 ${names('ko', nodes)}에 갈 수도 있습니다. 그러면 알 수 있는 것이 없으니 한 번 더 시도하면 됩니다.`,
  'not-ready-anyway': () => say`이 파드는 준비되지 않아 지금 서비스하고 있지 않습니다.`,
  'one-less': ({ ready, wanted }) =>
    say`지금 준비된 파드입니다. 대체 파드가 준비될 때까지 ${wanted}개 중 ${ready}개가 서비스합니다.`,
  'budget-allows': ({ budgets }) => say`${names('ko', budgets)}이(가) 지금 이 중단을 허용합니다.`,
  'budget-unread': () =>
    say`PodDisruptionBudget을 읽지 못했습니다. 파드가 준비되지 않아 보호 대상일 가능성은 낮습니다.`,
  tells: ({ seconds }) =>
    seconds > 0
      ? say`대체 파드가 다른 노드에서 ${duration('ko', seconds)} 동안 준비 상태를 유지하면 노드가 원인이고, 거기서도 실패하면 노드가 원인이 아닙니다.`
      : say`대체 파드가 다른 노드에서 준비되면 노드가 원인이고, 거기서도 실패하면 노드가 원인이 아닙니다.`,
  'no-undo': () => say`되돌리기는 없습니다. 삭제된 파드는 돌아오지 않고 대체 파드만 생깁니다.`,
  'withheld-bare': ({ pod }) => say`${code(pod)}에는 컨트롤러가 없어 다시 만들어지지 않습니다.`,
  'withheld-foreign': ({ pod }) => say`${code(pod)}은(는) 이 워크로드의 파드가 아닙니다.`,
  'withheld-leaving': ({ pod }) => say`${code(pod)}은(는) 이미 삭제되는 중입니다.`,
  'withheld-budget': ({ pod, budget }) =>
    say`PodDisruptionBudget ${code(budget)}이(가) 지금 ${code(pod)}의 중단을 허용하지 않습니다.`,
  'withheld-budget-unread': ({ pod }) =>
    say`${code(pod)}은(는) 준비된 상태이고, PodDisruptionBudget이 보호하는지 읽지 못했습니다.`,
  'withheld-not-replaced': ({ pod }) =>
    say`컨트롤러가 더 적은 파드를 원하므로 ${code(pod)}은(는) 대체되지 않습니다.`,
  'withheld-nowhere': ({ pod }) => say`${code(pod)}의 대체 파드를 받을 노드가 없습니다.`,
  'withheld-same-node': ({ nodes }) =>
    say`대체 파드를 받을 수 있는 노드가 ${names('ko', nodes)}뿐이라 달라지는 것이 없습니다.`,
  'withheld-stuck': ({ pods }) =>
    pods.length === 0
      ? say`그래도 워크로드는 멈춰 있게 됩니다.`
      : say`그래도 워크로드는 ${names('ko', pods)} 파드를 기다리며 멈춰 있게 됩니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('delete-pod');
