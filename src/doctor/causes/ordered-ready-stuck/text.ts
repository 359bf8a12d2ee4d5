import { code, say, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { counted, elapsed, isAtLeastOneSecond, names } from '../../../engine/language/words.js';

const en = {
  'shared-failure': () => say`the rollout waits for a pod that is not ready`,
  summary: ({ workload, pod }: { workload: string; pod: string }) =>
    say`${code(workload)} is stuck: it waits for ${code(pod)}, which will never become ready`,
  standing: ({ forSeconds }: { forSeconds: number | undefined; ready: number; wanted: number }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`The corrected template is in place, but no pod gets it.`
      : say`The corrected template is in place, but no pod has received it for ${elapsed('en', forSeconds)}.`,
  broken: (values: { pod: string; revision: string; reason: string; container: string | undefined }) =>
    values.container === undefined
      ? say`${code(values.pod)} runs revision ${code(values.revision)} and is not ready: ${code(values.reason)}.`
      : say`${code(values.pod)} runs revision ${code(values.revision)} and is not ready: container ${code(values.container)}, ${code(values.reason)}.`,
  'not-wanted': ({ revision, wanted }: { revision: string; wanted: string }) =>
    say`Revision ${code(revision)} is outdated. The template now belongs to ${code(wanted)}.`,
  'waits-first': ({ pod }: { pod: string }) =>
    say`With ${code('podManagementPolicy: OrderedReady')} the controller replaces pods only when every pod is ready, so it never replaces ${code(pod)}.`,
  'waits-for-outdated': ({ pod, version }: { pod: string; version: string }) =>
    say`In Kubernetes ${code(version)}, pods that are not ready use up ${code('maxUnavailable')}, also those of an outdated revision. The controller therefore never replaces ${code(pod)}.`,
  'would-become': ({ pod, wanted }: { pod: string; wanted: string }) =>
    say`Once ${code(pod)} is deleted, the controller creates it again with revision ${code(wanted)}.`,
  'runs-well': ({ wanted, pods }: { wanted: string; pods: readonly string[] }) =>
    say`${names('en', pods)} ${word(pods.length === 1 ? 'runs' : 'run')} revision ${code(wanted)} and ${word(pods.length === 1 ? 'is' : 'are')} ready.`,
  untested: ({ wanted }: { wanted: string }) =>
    say`No pod runs revision ${code(wanted)} yet, so it is not proven to work.`,
  'more-like-it': ({ pods }: { pods: readonly string[] }) =>
    say`${names('en', pods)} ${word(pods.length === 1 ? 'is' : 'are')} in the same state and must be deleted too.`,
  'ev-revision': ({ wanted }: { wanted: string }) => say`not the wanted revision ${code(wanted)}`,
  'ev-not-ready': () => say`not ready`,
  'ev-policy': () => say`one pod at a time, each ready before the next`,
  'ev-budget': ({ budget }: { budget: number }) => say`${counted(budget, 'pod', 'pods')} may be unavailable`,
  'ev-wanted': () => say`revision of the current template`,
  'not-to-the-end': () =>
    say`The simulation does not show that the rollout completes after this one deletion.`,
  'gate-unsure': ({ version }: { version: string }) =>
    say`${code(version)} is the version of a distribution, which may have switched off the gate ${code('MaxUnavailableStatefulSet')}. The controller would then replace the pod.`,
  'pods-unread': ({ because }: { because: string }) => say`Some pods could not be read (${code(because)}).`,
  'because-past': ({ revision }: { revision: string }) =>
    say`the failing pods run the previous revision ${code(revision)}, not the current template`,
  'because-not-leaving': ({ pod }: { pod: string }) => say`${code(pod)} is not being deleted`,
  'restart-withheld': () =>
    say`A restart changes the template once more, and the controller waits in the same way.`,
  'undo-withheld': () => say`The controller does not wait for a template change.`,
  'next-attempt': ({ pod }: { pod: string }) =>
    say`None. The controller checks every change of its pods and still finds ${code(pod)} not ready.`,
  'advice-delete-title': () => say`Delete the broken pod by hand`,
  'advice-delete': ({ pod }: { pod: string }) =>
    say`This is the documented fix (forced rollback). The volume claims of ${code(pod)} remain.`,
  'advice-parallel-title': () => say`Avoid this in future`,
  'advice-parallel': () =>
    say`A StatefulSet whose pods do not depend on their order can use ${code('podManagementPolicy: Parallel')}. The field cannot be changed on an existing StatefulSet.`,
  'advice-recreate-title': () => say`Replace all pods at once, if the API server takes the dry run`,
  'advice-recreate': () =>
    say`With ${code('updateStrategy: Recreate')} an update deletes all old pods at once, ready or not: a broken one blocks nothing. Each update then costs downtime. The gate ${code('StatefulSetRecreateStrategy')} is off by default.`,
  'advice-upgrade': () =>
    say`Kubernetes ${code('1.35.4')} and later versions replace such pods without a deletion.`,
};

const ko: typeof en = {
  'shared-failure': () => say`준비되지 않은 파드 때문에 롤아웃이 진행되지 않음`,
  summary: ({ workload, pod }) =>
    say`${code(workload)} 롤아웃이 멈췄습니다: 준비될 수 없는 파드(${code(pod)})를 기다립니다`,
  standing: ({ forSeconds }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`수정된 템플릿이 있지만 어느 파드에도 적용되지 않습니다.`
      : say`수정된 템플릿이 있지만 ${elapsed('ko', forSeconds)}째 어느 파드에도 적용되지 않았습니다.`,
  broken: ({ pod, revision, reason, container }) =>
    container === undefined
      ? say`${code(pod)} 파드는 ${code(revision)} 리비전이며 준비되지 않았습니다: ${code(reason)}.`
      : say`${code(pod)} 파드는 ${code(revision)} 리비전이며 준비되지 않았습니다: 컨테이너 ${code(container)}, ${code(reason)}.`,
  'not-wanted': ({ revision, wanted }) =>
    say`${code(revision)}: 오래된 리비전입니다. 현재 템플릿의 리비전은 ${code(wanted)}입니다.`,
  'waits-first': ({ pod }) =>
    say`${code('podManagementPolicy: OrderedReady')} 설정에서는 모든 파드가 준비되어야 교체를 시작하므로 ${code(pod)} 파드가 교체되지 않습니다.`,
  'waits-for-outdated': ({ pod, version }) =>
    say`Kubernetes ${code(version)} 버전에서는 오래된 리비전의 파드라도 준비되지 않으면 ${code('maxUnavailable')} 한도에 포함됩니다. 그래서 컨트롤러가 ${code(pod)} 파드를 교체하지 않습니다.`,
  'would-become': ({ pod, wanted }) =>
    say`${code(pod)} 파드를 삭제하면 컨트롤러가 ${code(wanted)} 리비전으로 다시 만듭니다.`,
  'runs-well': ({ wanted, pods }) =>
    say`${names('ko', pods)} 파드는 ${code(wanted)} 리비전이며 준비되어 있습니다.`,
  untested: ({ wanted }) =>
    say`${code(wanted)} 리비전으로 실행 중인 파드가 없어 정상 동작은 증명되지 않았습니다.`,
  'more-like-it': ({ pods }) => say`${names('ko', pods)} 파드도 같은 상태라 함께 삭제해야 합니다.`,
  'ev-revision': ({ wanted }) => say`원하는 ${code(wanted)} 리비전이 아님`,
  'ev-not-ready': () => say`준비되지 않음`,
  'ev-policy': () => say`한 번에 하나씩, 앞 파드가 준비되어야 다음으로`,
  'ev-budget': ({ budget }) => say`사용할 수 없어도 되는 파드 ${budget}개`,
  'ev-wanted': () => say`현재 템플릿의 리비전`,
  'not-to-the-end': () => say`시뮬레이션에서 이 파드 하나를 삭제한 뒤 롤아웃이 완료되는지 확인되지 않습니다.`,
  'gate-unsure': ({ version }) =>
    say`${code(version)} 버전은 배포판이므로 ${code('MaxUnavailableStatefulSet')} 게이트가 꺼져 있을 수 있습니다. 그렇다면 컨트롤러가 스스로 파드를 교체합니다.`,
  'pods-unread': ({ because }) => say`일부 파드를 읽지 못했습니다(${code(because)}).`,
  'because-past': ({ revision }) => say`실패하는 파드는 현재 템플릿이 아니라 이전 리비전 ${code(revision)}`,
  'because-not-leaving': ({ pod }) => say`${code(pod)} 파드는 삭제 중이 아님`,
  'restart-withheld': () => say`재시작하면 템플릿이 한 번 더 바뀔 뿐, 컨트롤러는 똑같이 기다립니다.`,
  'undo-withheld': () => say`컨트롤러가 기다리는 것은 템플릿 변경이 아닙니다.`,
  'next-attempt': ({ pod }) =>
    say`없음. 컨트롤러는 파드가 바뀔 때마다 확인하지만 ${code(pod)} 파드가 여전히 준비되지 않았습니다.`,
  'advice-delete-title': () => say`실패한 파드를 직접 삭제하기`,
  'advice-delete': ({ pod }) =>
    say`Kubernetes 문서에 나온 해결 방법입니다(강제 롤백). ${code(pod)} 파드의 볼륨 클레임은 유지됩니다.`,
  'advice-parallel-title': () => say`재발 막기`,
  'advice-parallel': () =>
    say`파드 사이에 순서가 필요 없다면 ${code('podManagementPolicy: Parallel')} 설정을 쓸 수 있습니다. 기존 StatefulSet에서는 이 필드를 변경할 수 없습니다.`,
  'advice-recreate-title': () => say`API 서버가 dry-run을 받아들이면 모든 파드를 한 번에 교체하기`,
  'advice-recreate': () =>
    say`${code('updateStrategy: Recreate')} 설정에서는 업데이트할 때 준비 여부와 관계없이 이전 파드를 모두 한 번에 삭제하므로 실패한 파드가 업데이트를 막지 않습니다. 대신 업데이트마다 중단이 생깁니다. ${code('StatefulSetRecreateStrategy')} 게이트는 기본적으로 꺼져 있습니다.`,
  'advice-upgrade': () => say`Kubernetes ${code('1.35.4')} 이상에서는 이런 파드가 자동으로 교체됩니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('ordered-ready-stuck');
