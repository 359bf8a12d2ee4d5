import { code, say, word } from '../../../../engine/language/prose.js';
import { statementsOf } from '../../../../engine/language/statement.js';
import { counted, elapsed, names } from '../../../../engine/language/words.js';

const en = {
  /** What the kind is called where no remediation of it is at hand. */
  name: () => say`roll back to the previous revision`,
  title: ({ revision }: { revision: number }) => say`Roll back to revision ${revision}`,
  back: ({ workload, revision, from }: { workload: string; revision: number; from: string }) =>
    say`${code(workload)} gets the pod template of revision ${revision} from ${code(from)}.`,
  /** Fields of the template that change; `more`: how many beyond those named. */
  differs: ({ paths }: { paths: readonly string[] }) => say`The rollback changes ${names('en', paths)}.`,
  'removes-new': ({ pods }: { pods: readonly string[] }) => say`The controller removes ${names('en', pods)}.`,
  'stops-others': ({ pods }: { pods: number }) =>
    say`In total it stops ${counted(pods, 'pod', 'pods')}, as the strategy allows.`,
  'places-old': ({ pods }: { pods: number }) =>
    say`The controller starts ${counted(pods, 'pod', 'pods')} of the previous revision.`,
  'serves-now': ({ revision }: { revision: number }) =>
    say`Revision ${revision} is known good: it has available pods.`,
  /** Nothing but its number speaks for the revision. */
  'only-former': ({ revision }: { revision: number }) =>
    say`No pod of revision ${revision} is running now, so its health is not proven.`,
  'update-given-up': () => say`The new version is dropped until it is deployed again. Undo brings it back.`,
  /** Nothing that the cluster keeps has its template. */
  'update-given-up-for-good': () =>
    say`The new version is dropped until it is deployed again. The cluster keeps no revision with its template, so this cannot be undone.`,
  /**
   * An OrderedReady StatefulSet waits for these pods and does not replace them: a second step is needed.
   * `stops`: pods that the controller stops after the first one.
   */
  'waits-for-broken': ({ pods, stops }: { pods: readonly string[]; stops: number }) =>
    say`Two steps are needed, and one approval covers both. Step 1 restores the template and stops ${stops === 0 ? word('no pod') : counted(stops, 'pod', 'pods')}. Step 1 alone does not complete the rollback: with ${code('podManagementPolicy: OrderedReady')} the controller does not replace ${names('en', pods)} while ${word(pods.length === 1 ? 'it is' : 'they are')} not ready.`,
  'then-delete': ({ pods, revision }: { pods: readonly string[]; revision: number }) =>
    say`Step 2: delete ${names('en', pods)}, as soon as the controller has observed step 1. ${word(pods.length === 1 ? 'This pod is' : 'These pods are')} not ready. The controller then creates ${word(pods.length === 1 ? 'it' : 'them')} again with revision ${revision}. A pod that is ready or gone by then is not deleted.`,
  /** The way back needs the deletion of this pod. */
  'withheld-protected': ({ pod, budget }: { pod: string; budget: string }) =>
    say`The rollback requires the deletion of ${code(pod)}, and PodDisruptionBudget ${code(budget)} allows no disruption of this pod now.`,
  'withheld-paused': ({ workload }: { workload: string }) =>
    say`${code(workload)} is paused, so a rollback has no effect before it is resumed.`,
  /** Of a Rollout with a `workloadRef`. */
  'withheld-elsewhere': ({ workload }: { workload: string }) =>
    say`The pod template of ${code(workload)} is in another workload. Change it there.`,
  'withheld-none-kept': ({ workload }: { workload: string }) =>
    say`The cluster keeps no previous revision of ${code(workload)} (revisionHistoryLimit, or this is its first).`,
  'withheld-unread': ({ workload, what }: { workload: string; what: string }) =>
    say`${code(what)} was not read in full, so the previous revision of ${code(workload)} is not known.`,
  'withheld-stuck': ({ revision, pods }: { revision: number; pods: readonly string[] }) =>
    pods.length === 0
      ? say`The rollback to revision ${revision} would also get stuck.`
      : say`The rollback to revision ${revision} would also get stuck, waiting for ${names('en', pods)}.`,
  'withheld-surroundings': ({ revision }: { revision: number }) =>
    say`The pod template does not cause this problem, so pods of revision ${revision} would have it too.`,
  'withheld-current-ready': () => say`All pods of the current revision are ready.`,
  /** `container`: the failing one; absent where whole pods fail. */
  'withheld-same': ({ revision, container }: { revision: number; container: string | undefined }) =>
    container === undefined
      ? say`Revision ${revision} has the same pod spec.`
      : say`Container ${code(container)} is the same in revision ${revision}.`,
  'withheld-same-volumes': ({ revision }: { revision: number }) =>
    say`Revision ${revision} mounts the same volumes.`,
  'withheld-former-fails': ({ pods }: { pods: readonly string[] }) =>
    say`Pods of the previous revision also fail: ${names('en', pods)}.`,
  'withheld-never-available': ({ revision }: { revision: number }) =>
    say`No pod of revision ${revision} was ever available.`,
  'withheld-completed': ({ forSeconds }: { forSeconds: number }) =>
    say`The rollout of the current revision completed ${elapsed('en', forSeconds)} ago, so the new revision did not cause the failure.`,
};

const ko: typeof en = {
  name: () => say`이전 리비전으로 롤백`,
  /** 로 after a vowel or ㄹ: the Korean names of 3, 6 and of tens end in another consonant. */
  title: ({ revision }) =>
    say`리비전 ${revision}${word(/[036]$/.test(String(revision)) ? '으로' : '로')} 롤백`,
  back: ({ workload, revision, from }) =>
    say`${code(workload)}의 파드 템플릿이 ${code(from)}에 보관된 리비전 ${revision} 템플릿으로 바뀝니다.`,
  differs: ({ paths }) => say`바뀌는 필드: ${names('ko', paths)}.`,
  'removes-new': ({ pods }) => say`컨트롤러가 ${names('ko', pods)} 파드를 제거합니다.`,
  'stops-others': ({ pods }) => say`배포 전략이 허용하는 대로 모두 파드 ${pods}개를 내립니다.`,
  'places-old': ({ pods }) => say`이전 리비전의 파드 ${pods}개가 새로 시작됩니다.`,
  'serves-now': ({ revision }) => say`리비전 ${revision}에 사용 가능한 파드가 있으므로 정상 동작합니다.`,
  'only-former': ({ revision }) =>
    say`현재 실행 중인 리비전 ${revision} 파드가 없어 정상 동작은 증명되지 않았습니다.`,
  'update-given-up': () =>
    say`다시 배포하기 전까지 새 버전은 적용되지 않습니다. 되돌리기를 누르면 다시 적용됩니다.`,
  'update-given-up-for-good': () =>
    say`다시 배포하기 전까지 새 버전은 적용되지 않습니다. 클러스터에 새 버전의 템플릿을 담은 리비전이 없어 되돌릴 수 없습니다.`,
  'waits-for-broken': ({ pods, stops }) =>
    say`두 단계가 필요하며, 한 번의 승인으로 두 단계를 모두 진행합니다. 1단계에서는 템플릿을 되돌리고 ${stops === 0 ? word('파드를 내리지 않습니다') : word(`파드 ${stops}개를 내립니다`)}. 1단계만으로는 롤백이 완료되지 않습니다. ${code('podManagementPolicy: OrderedReady')} 설정에서는 ${names('ko', pods)} 파드가 준비되지 않은 동안 컨트롤러가 이를 교체하지 않습니다.`,
  'then-delete': ({ pods, revision }) =>
    say`2단계: 컨트롤러가 1단계를 반영하면 준비되지 않은 ${names('ko', pods)} 파드를 삭제합니다. 그러면 컨트롤러가 리비전 ${revision} 템플릿으로 다시 만듭니다. 그때 이미 준비되었거나 사라진 파드는 삭제하지 않습니다.`,
  'withheld-protected': ({ pod, budget }) =>
    say`롤백하려면 ${code(pod)} 파드를 삭제해야 하는데, PodDisruptionBudget(${code(budget)})이 지금 이 파드의 중단을 허용하지 않습니다.`,
  'withheld-paused': ({ workload }) =>
    say`${code(workload)} 롤아웃이 일시 중지되어 있어, 재개하기 전에는 롤백이 적용되지 않습니다.`,
  'withheld-elsewhere': ({ workload }) =>
    say`${code(workload)}의 파드 템플릿은 다른 워크로드에 있습니다. 그 워크로드에서 변경하세요.`,
  'withheld-none-kept': ({ workload }) =>
    say`클러스터에 ${code(workload)}의 이전 리비전이 남아 있지 않습니다(revisionHistoryLimit 또는 첫 리비전).`,
  'withheld-unread': ({ workload, what }) =>
    say`${code(what)} 정보를 모두 읽지 못해 ${code(workload)}의 이전 리비전을 알 수 없습니다.`,
  'withheld-stuck': ({ revision, pods }) =>
    pods.length === 0
      ? say`리비전 ${revision} 롤백도 멈추게 됩니다.`
      : say`리비전 ${revision} 롤백도 ${names('ko', pods)} 파드를 기다리며 멈추게 됩니다.`,
  'withheld-surroundings': ({ revision }) =>
    say`파드 템플릿이 원인이 아니므로 리비전 ${revision} 파드에도 같은 문제가 생깁니다.`,
  'withheld-current-ready': () => say`현재 리비전의 모든 파드가 준비되어 있습니다.`,
  'withheld-same': ({ revision, container }) =>
    container === undefined
      ? say`리비전 ${revision}의 파드 사양이 지금과 같습니다.`
      : say`${code(container)} 컨테이너는 리비전 ${revision}에서도 같습니다.`,
  'withheld-same-volumes': ({ revision }) => say`리비전 ${revision}도 같은 볼륨을 마운트합니다.`,
  'withheld-former-fails': ({ pods }) => say`이전 리비전의 ${names('ko', pods)} 파드도 실패하고 있습니다.`,
  'withheld-never-available': ({ revision }) =>
    say`리비전 ${revision} 파드는 한 번도 사용 가능한 상태가 된 적이 없습니다.`,
  'withheld-completed': ({ forSeconds }) =>
    say`현재 리비전의 롤아웃은 ${elapsed('ko', forSeconds)} 전에 완료되었으므로, 이 리비전 때문에 생긴 문제가 아닙니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('undo-rollout');
