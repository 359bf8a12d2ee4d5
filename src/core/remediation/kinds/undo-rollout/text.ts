import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, duration, names } from '../../../language/words.js';

const en = {
  title: ({ revision }: { readonly revision: number }) => say`Back to revision ${revision}`,
  back: ({
    workload,
    revision,
    from,
  }: {
    readonly workload: string;
    readonly revision: number;
    readonly from: string;
  }) => say`${code(workload)} gets the pod template of revision ${revision} back, as ${code(from)} keeps it.`,
  /** Fields of the template that change; `more`: how many beyond those named. */
  differs: ({ paths }: { readonly paths: readonly string[] }) => say`That changes ${names('en', paths)}.`,
  'removes-new': ({ pods }: { readonly pods: readonly string[] }) =>
    say`The controller removes ${names('en', pods)}.`,
  'stops-others': ({ pods }: { readonly pods: number }) =>
    say`In all it stops ${counted(pods, 'pod', 'pods')}, as the strategy allows.`,
  'places-old': ({ pods }: { readonly pods: number }) =>
    say`${counted(pods, 'pod', 'pods')} of the former revision ${word(pods === 1 ? 'starts' : 'start')} anew.`,
  'serves-now': ({ revision }: { readonly revision: number }) =>
    say`Revision ${revision} has available pods: it works.`,
  /** Nothing but its number speaks for the revision. */
  'only-former': ({ revision }: { readonly revision: number }) =>
    say`No pod of revision ${revision} runs now: that it was healthy is not proven.`,
  'update-given-up': () =>
    say`The update is given up until somebody rolls it out again; Undo brings it back.`,
  /**
   * An OrderedReady StatefulSet waits for these pods and does not replace them: a second step is needed. `stops`: pods
   * that the controller stops after the first one.
   */
  'waits-for-broken': ({ pods, stops }: { readonly pods: readonly string[]; readonly stops: number }) =>
    say`Two steps are needed, and one approval covers both. Step 1 restores the template and stops ${stops === 0 ? word('no pod') : counted(stops, 'pod', 'pods')}. It does not complete the way back: with ${code('podManagementPolicy: OrderedReady')} the controller does not replace ${names('en', pods)} as long as ${word(pods.length === 1 ? 'it is' : 'they are')} not ready.`,
  'then-delete': ({ pods, revision }: { readonly pods: readonly string[]; readonly revision: number }) =>
    say`Step 2: delete ${names('en', pods)}, as soon as the controller has observed step 1. ${word(pods.length === 1 ? 'This pod is' : 'These pods are')} not ready. The controller then creates ${word(pods.length === 1 ? 'it' : 'them')} again with revision ${revision}. A pod that is ready or gone by then is not deleted.`,
  /** The way back needs the deletion of this pod. */
  'withheld-protected': ({ pod, budget }: { readonly pod: string; readonly budget: string }) =>
    say`The way back needs the deletion of ${code(pod)}, and PodDisruptionBudget ${code(budget)} allows no disruption of this pod now.`,
  'withheld-paused': ({ workload }: { readonly workload: string }) =>
    say`${code(workload)} is paused: nothing would roll back before it is resumed.`,
  'withheld-none-kept': ({ workload }: { readonly workload: string }) =>
    say`The cluster keeps no former revision of ${code(workload)} (revisionHistoryLimit, or this is its first).`,
  'withheld-stuck': ({ revision, pods }: { readonly revision: number; readonly pods: readonly string[] }) =>
    pods.length === 0
      ? say`The rollout back to revision ${revision} would stand still as well.`
      : say`The rollout back to revision ${revision} would stand still as well, waiting for ${names('en', pods)}.`,
  'withheld-surroundings': ({ revision }: { readonly revision: number }) =>
    say`This cause does not come from the pod template, so pods of revision ${revision} would meet it as well.`,
  'withheld-current-ready': () => say`All pods of the current revision are ready.`,
  /** `container`: the failing one; absent where whole pods fail. */
  'withheld-same': ({
    revision,
    container,
  }: {
    readonly revision: number;
    readonly container: string | undefined;
  }) =>
    container === undefined
      ? say`Revision ${revision} has the same pod spec.`
      : say`Container ${code(container)} is the same in revision ${revision}.`,
  'withheld-same-volumes': ({ revision }: { readonly revision: number }) =>
    say`Revision ${revision} mounts the same volumes.`,
  'withheld-former-fails': ({ pods }: { readonly pods: readonly string[] }) =>
    say`Pods of the former revision fail as well: ${names('en', pods)}.`,
  'withheld-completed': ({ forSeconds }: { readonly forSeconds: number }) =>
    say`The current revision was rolled out completely ${duration('en', forSeconds)} ago, so the failure did not come with it.`,
};

const ko: SameSentences<typeof en> = {
  title: ({ revision }) => say`리비전 ${revision}(으)로 되돌리기`,
  back: ({ workload, revision, from }) =>
    say`${code(workload)}의 파드 템플릿이 ${code(from)}에 남아 있는 리비전 ${revision}의 것으로 돌아갑니다.`,
  differs: ({ paths }) => say`바뀌는 필드: ${names('ko', paths)}.`,
  'removes-new': ({ pods }) => say`컨트롤러가 ${names('ko', pods)} 파드를 제거합니다.`,
  'stops-others': ({ pods }) => say`전략이 허용하는 대로 모두 ${pods}개의 파드를 내립니다.`,
  'places-old': ({ pods }) => say`이전 리비전의 파드 ${pods}개가 새로 시작됩니다.`,
  'serves-now': ({ revision }) => say`리비전 ${revision}에는 사용 가능한 파드가 있습니다. 정상입니다.`,
  'only-former': ({ revision }) =>
    say`지금 실행 중인 리비전 ${revision} 파드가 없어, 정상이었는지는 입증되지 않았습니다.`,
  'update-given-up': () =>
    say`다시 배포할 때까지 이번 업데이트는 취소됩니다. 되돌리기를 누르면 업데이트가 돌아옵니다.`,
  'waits-for-broken': ({ pods, stops }) =>
    say`두 단계가 필요하며, 한 번의 승인으로 두 단계를 모두 진행합니다. 1단계에서는 템플릿을 되돌리고 ${stops === 0 ? word('파드를 중지하지 않습니다') : word(`파드 ${stops}개를 중지합니다`)}. 1단계만으로는 완료되지 않습니다. ${code('podManagementPolicy: OrderedReady')}에서는 ${names('ko', pods)} 파드가 준비되지 않은 동안 컨트롤러가 이를 교체하지 않습니다.`,
  'then-delete': ({ pods, revision }) =>
    say`2단계: 컨트롤러가 1단계를 반영하면 준비되지 않은 ${names('ko', pods)} 파드를 삭제합니다. 그러면 컨트롤러가 리비전 ${revision}(으)로 다시 만듭니다. 그때 이미 준비되었거나 사라진 파드는 삭제하지 않습니다.`,
  'withheld-protected': ({ pod, budget }) =>
    say`되돌리려면 ${code(pod)} 파드를 삭제해야 하는데, PodDisruptionBudget ${code(budget)}이(가) 지금 이 파드의 중단을 허용하지 않습니다.`,
  'withheld-paused': ({ workload }) =>
    say`${code(workload)}이(가) 일시 중지되어, 재개하기 전에는 아무것도 되돌아가지 않습니다.`,
  'withheld-none-kept': ({ workload }) =>
    say`클러스터에 ${code(workload)}의 이전 리비전이 남아 있지 않습니다(revisionHistoryLimit 또는 첫 리비전).`,
  'withheld-stuck': ({ revision, pods }) =>
    pods.length === 0
      ? say`리비전 ${revision}(으)로 되돌리는 롤아웃도 멈추게 됩니다.`
      : say`리비전 ${revision}(으)로 되돌리는 롤아웃도 ${names('ko', pods)} 파드를 기다리며 멈추게 됩니다.`,
  'withheld-surroundings': ({ revision }) =>
    say`이 원인은 파드 템플릿에서 온 것이 아니므로, 리비전 ${revision}의 파드도 같은 문제를 겪습니다.`,
  'withheld-current-ready': () => say`현재 리비전의 모든 파드가 준비되어 있습니다.`,
  'withheld-same': ({ revision, container }) =>
    container === undefined
      ? say`리비전 ${revision}의 파드 사양이 지금과 같습니다.`
      : say`컨테이너 ${code(container)}은(는) 리비전 ${revision}에서도 같습니다.`,
  'withheld-same-volumes': ({ revision }) => say`리비전 ${revision}도 같은 볼륨을 마운트합니다.`,
  'withheld-former-fails': ({ pods }) => say`이전 리비전의 ${names('ko', pods)} 파드도 실패하고 있습니다.`,
  'withheld-completed': ({ forSeconds }) =>
    say`현재 리비전은 ${duration('ko', forSeconds)} 전에 배포가 완료되었으므로, 이 리비전과 함께 생긴 문제가 아닙니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('undo-rollout');
