import { code, moment, say, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { counted, elapsed, isAtLeastOneSecond, names } from '../../../engine/language/words.js';

type Counted = {
  readonly kind: string;
  readonly name: string;
  readonly counted: number;
  readonly actual: number;
  readonly since: string;
};

interface Chosen {
  readonly pods: readonly string[];
  readonly scheduler: string;
  readonly node: string;
  readonly since: string;
}

type Unready = { readonly driver: string; readonly device: string; readonly conditions: readonly string[] };

const en = {
  'shared-failure': () => say`the control plane does not act`,
  'summary-controller': ({ workload, controller }: { workload: string; controller: string }) =>
    say`${code(workload)}: the ${code(controller)} controller has not acted on the last change`,
  'summary-scheduler': (values: { workload: string; pods: number; scheduler: string }) =>
    say`${code(values.workload)}: the scheduler ${code(values.scheduler)} has not tried to place ${counted(values.pods, 'pod', 'pods')}`,
  /** The recording does not hold the name of the scheduler. */
  'summary-untried': ({ workload, pods }: { workload: string; pods: number }) =>
    say`${code(workload)}: no scheduler has tried to place ${counted(pods, 'pod', 'pods')}`,
  'summary-group': ({ workload, pods, podGroup }: { workload: string; pods: number; podGroup: string }) =>
    say`${code(workload)}: ${counted(pods, 'pod waits', 'pods wait')} for the pod group ${code(podGroup)}, and no scheduler has tried ${word(pods === 1 ? 'it' : 'them')}`,
  'summary-not-bound': ({ workload, pods, who }: { workload: string; pods: number; who: string }) =>
    say`${code(workload)}: ${counted(pods, 'pod has', 'pods have')} a place and no node yet, because ${code(who)} has not acted`,
  standing: ({ forSeconds }: { forSeconds: number | undefined; ready: number; wanted: number }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`The rollout is waiting for the control plane.`
      : say`The rollout has been waiting ${elapsed('en', forSeconds)} for the control plane.`,
  'not-observed': (values: { kind: string; name: string; generation: number; observed: number }) =>
    say`${code(values.kind)} ${code(values.name)} has generation ${values.generation}, and its controller has observed generation ${values.observed} (${code('status.observedGeneration')}).`,
  'changed-at': ({ at }: { at: string }) =>
    say`The spec was last changed ${moment(at)}. A controller observes a change within seconds.`,
  'changed-unknown': ({ newest }: { newest: string | undefined }) =>
    newest === undefined
      ? say`The objects do not show when the spec was changed.`
      : say`The objects do not show when the spec was changed. No object that was read is newer than ${moment(newest)}.`,
  'not-counted-pods': ({ kind, name, counted: shown, actual, since }: Counted) =>
    say`The status of ${code(kind)} ${code(name)} counts ${counted(shown, 'pod', 'pods')}, but ${actual} exist. The first pod that is not counted was created ${moment(since)}.`,
  'not-counted-ready': ({ kind, name, counted: shown, actual, since }: Counted) =>
    say`The status of ${code(kind)} ${code(name)} counts ${counted(shown, 'ready pod', 'ready pods')}, but ${actual} are ready. The first pod that is not counted became ready ${moment(since)}.`,
  'not-scheduled': ({ pods, since }: { pods: readonly string[]; since: string }) =>
    say`${names('en', pods)} ${word(pods.length === 1 ? 'has' : 'have')} no node, no ${code('PodScheduled')} condition and no event of a scheduler since ${moment(since)}. A scheduler tries a new pod within seconds.`,
  'asks-for': ({ scheduler }: { scheduler: string }) =>
    say`${code('spec.schedulerName')} is ${code(scheduler)}.`,
  'scheduler-unrecorded': () =>
    say`The recording does not hold ${code('spec.schedulerName')}, so the scheduler that must place them is not known.`,
  'placed-none': ({ scheduler }: { scheduler: string }) =>
    say`No pod that was read has a node and names ${code(scheduler)}. No object shows that a scheduler of this name is running.`,
  'placed-some': ({ scheduler }: { scheduler: string }) =>
    say`Other pods that name ${code(scheduler)} have a node, so this scheduler has worked before.`,
  'tried-as-group': ({ podGroup, pods }: { podGroup: string; pods: number }) =>
    say`kube-scheduler tries the pods of ${code(podGroup)} together. While the PodGroup is missing, or has fewer pods than its ${code('minCount')}, it tries none and reports nothing. ${counted(pods, 'pod of this workload waits', 'pods of this workload wait')}.`,
  'group-incomplete': (values: { podGroup: string; minCount: number; members: number }) =>
    say`The PodGroup ${code(values.podGroup)} has ${code('minCount')} ${values.minCount}, and ${counted(values.members, 'pod of it exists', 'pods of it exist')}. kube-scheduler tries none of them before the group is complete, and reports nothing.`,
  'not-bound': ({ pods, scheduler, node, since }: Chosen) =>
    say`${code(scheduler)} chose ${code(node)} for ${names('en', pods)}, and has not bound ${word(pods.length === 1 ? 'it' : 'them')} since ${moment(since)}.`,
  'device-not-ready': ({ driver, device, conditions }: Unready) =>
    say`It waits until ${code(driver)} reports of the device ${code(device)}: ${names('en', conditions)}.`,
  'not-shown': () => say`No object that was read shows what it waits for.`,
  'ev-chosen': () => say`the scheduler chose this node, and no node is bound`,
  'because-chosen': ({ node }: { node: string }) =>
    say`the scheduler has chosen ${code(node)}, where the pod fits without stopping another`,
  'next-attempt-bound': () =>
    say`The scheduler binds the pod when this is done. After ten minutes by default it chooses a node again.`,
  'advice-group-title': ({ podGroup }: { podGroup: string }) => say`Compare ${code(podGroup)} with its pods`,
  'advice-group': () =>
    say`Create the PodGroup if it is missing. Else compare its ${code('minCount')} with the pods that name it. A rollout must be able to create that many new pods.`,
  'advice-driver': ({ component }: { component: string }) =>
    say`Check that the controller of ${code(component)} runs, and read its log. It sets these conditions in the status of the ResourceClaim.`,
  'runs-in-manager': () =>
    say`Kubernetes runs the controllers of Deployments, ReplicaSets, StatefulSets and DaemonSets in ${code('kube-controller-manager')}.`,
  'ev-generation': ({ generation }: { generation: number }) => say`the object has generation ${generation}`,
  'ev-changed': () => say`last change of the spec`,
  'ev-counted': ({ actual }: { actual: number }) => say`${actual} exist in this state`,
  'ev-untried': () => say`no scheduler has set this condition`,
  'other-explanations': ({ who }: { who: string }) =>
    say`${code(who)} may be down, lack write permission, or be far behind. The objects do not show which.`,
  'other-explanations-unnamed': () =>
    say`The scheduler of the pods may be down, or no scheduler of the name in their ${code('spec.schedulerName')} may exist. The objects do not show which.`,
  'time-unknown': () => say`The change may also be very recent.`,
  'because-not-observed': () => say`the controller has not observed the last change, paused or not`,
  'because-not-tried': () => say`no scheduler has tried any node for the pods`,
  'because-no-gates': () => say`the pods have no scheduling gates`,
  'restart-withheld': ({ who }: { who: string }) =>
    say`A restart only adds one more change that waits for ${code(who)}.`,
  'restart-withheld-unnamed': () => say`A restart only adds one more pod that waits for a scheduler.`,
  'next-attempt-unnamed': () =>
    say`As soon as the scheduler of the pods works. The workload needs no change.`,
  'advice-unnamed-title': () => say`Find the scheduler of the pods`,
  'advice-unnamed': () =>
    say`If it is ${code('default-scheduler')}, check that ${code('kube-scheduler')} runs and renews its lease. Another name must be that of a scheduler that runs.`,
  'next-attempt': ({ who }: { who: string }) =>
    say`As soon as ${code(who)} works again. The workload needs no change.`,
  'advice-component-title': ({ component }: { component: string }) => say`Check ${code(component)}`,
  'advice-component': ({ component }: { component: string }) =>
    say`Check that ${code(component)} runs, renews its lease and logs no errors. On a managed cluster, ask the provider.`,
  'advice-name-title': ({ scheduler }: { scheduler: string }) => say`Check the scheduler ${code(scheduler)}`,
  'advice-name': ({ scheduler }: { scheduler: string }) =>
    say`Check that ${code(scheduler)} is installed and runs. If the name is a mistake, correct ${code('spec.schedulerName')} in the pod template.`,
};

const ko: typeof en = {
  'shared-failure': () => say`컨트롤 플레인이 동작하지 않음`,
  'summary-controller': ({ workload, controller }) =>
    say`${code(workload)}: ${code(controller)} 컨트롤러가 마지막 변경을 처리하지 않았습니다`,
  'summary-scheduler': ({ workload, pods, scheduler }) =>
    say`${code(workload)}: ${code(scheduler)} 스케줄러가 파드 ${pods}개의 배치를 시도하지 않았습니다`,
  'summary-untried': ({ workload, pods }) =>
    say`${code(workload)}: 파드 ${pods}개의 배치를 시도한 스케줄러가 없습니다`,
  'summary-group': ({ workload, pods, podGroup }) =>
    say`${code(workload)}: 파드 ${pods}개가 파드 그룹(${code(podGroup)})을 기다리며, 어느 스케줄러도 배치를 시도하지 않았습니다`,
  'summary-not-bound': ({ workload, pods, who }) =>
    say`${code(workload)}: 파드 ${pods}개에 자리는 있지만 ${code(who)} 구성 요소가 처리하지 않아 노드에 바인딩되지 않았습니다`,
  standing: ({ forSeconds }) =>
    !isAtLeastOneSecond(forSeconds)
      ? say`롤아웃이 컨트롤 플레인을 기다립니다.`
      : say`롤아웃이 ${elapsed('ko', forSeconds)}째 컨트롤 플레인을 기다립니다.`,
  'not-observed': ({ kind, name, generation, observed }) =>
    say`${code(kind)} ${code(name)}의 generation은 ${generation}인데, 컨트롤러가 확인한 것은 ${observed}입니다(${code('status.observedGeneration')}).`,
  'changed-at': ({ at }) =>
    say`spec이 마지막으로 바뀐 시각은 ${moment(at)}입니다. 컨트롤러는 보통 몇 초 안에 확인합니다.`,
  'changed-unknown': ({ newest }) =>
    newest === undefined
      ? say`spec이 언제 바뀌었는지는 오브젝트에 없습니다.`
      : say`spec이 언제 바뀌었는지는 오브젝트에 없습니다. 읽은 것 중 가장 최근 시각은 ${moment(newest)}입니다.`,
  'not-counted-pods': ({ kind, name, counted: shown, actual, since }) =>
    say`${code(kind)} ${code(name)}의 status에는 파드가 ${shown}개인데 실제로는 ${actual}개입니다. 세지 않은 첫 파드는 ${moment(since)}에 만들어졌습니다.`,
  'not-counted-ready': ({ kind, name, counted: shown, actual, since }) =>
    say`${code(kind)} ${code(name)}의 status에는 준비된 파드가 ${shown}개인데 실제로는 ${actual}개입니다. 세지 않은 첫 파드는 ${moment(since)}에 준비되었습니다.`,
  'not-scheduled': ({ pods, since }) =>
    say`${names('ko', pods)} 파드는 ${moment(since)}부터 노드도, ${code('PodScheduled')} 컨디션도, 스케줄러 이벤트도 없습니다. 스케줄러는 보통 몇 초 안에 새 파드의 배치를 시도합니다.`,
  'asks-for': ({ scheduler }) => say`${code('spec.schedulerName')}: ${code(scheduler)}.`,
  'scheduler-unrecorded': () =>
    say`기록에 ${code('spec.schedulerName')} 값이 없어 어느 스케줄러가 배치해야 하는지 알 수 없습니다.`,
  'placed-none': ({ scheduler }) =>
    say`읽은 파드 중 ${code(scheduler)} 스케줄러를 지정하고 노드에 배치된 파드가 없습니다. 이 이름의 스케줄러가 실행 중이라는 증거가 없습니다.`,
  'placed-some': ({ scheduler }) =>
    say`${code(scheduler)} 스케줄러를 지정한 다른 파드는 노드에 배치되었으므로, 이 스케줄러는 이전에 동작했습니다.`,
  'group-incomplete': ({ podGroup, minCount, members }) =>
    say`PodGroup ${code(podGroup)}의 ${code('minCount')} 값은 ${minCount}인데 그룹의 파드는 ${members}개입니다. kube-scheduler는 그룹의 파드가 모두 생성되기 전에는 배치를 시도하지 않고 아무것도 알리지 않습니다.`,
  'tried-as-group': ({ podGroup, pods }) =>
    say`kube-scheduler는 ${code(podGroup)} 그룹의 파드를 함께 배치합니다. PodGroup이 없거나 파드가 ${code('minCount')}보다 적으면 배치를 시도하지도, 보고하지도 않습니다. 이 워크로드에서 기다리는 파드: ${pods}개.`,
  'not-bound': ({ pods, scheduler, node, since }) =>
    say`${code(scheduler)} 스케줄러가 ${names('ko', pods)} 파드를 배치할 ${code(node)} 노드를 골랐지만, ${moment(since)}부터 아직 바인딩하지 않았습니다.`,
  'device-not-ready': ({ driver, device, conditions }) =>
    say`${code(driver)} 드라이버가 ${code(device)} 장치의 컨디션을 보고하기를 기다립니다: ${names('ko', conditions)}.`,
  'not-shown': () => say`무엇을 기다리는지는 읽은 오브젝트에 나타나지 않습니다.`,
  'ev-chosen': () => say`스케줄러가 이 노드를 골랐으나 바인딩된 노드는 없음`,
  'because-chosen': ({ node }) =>
    say`스케줄러가 ${code(node)} 노드를 골랐고, 다른 파드를 중지하지 않아도 이 파드가 들어감`,
  'next-attempt-bound': () =>
    say`이 처리가 끝나면 스케줄러가 파드를 바인딩합니다. 기본값으로 10분이 지나면 노드를 다시 고릅니다.`,
  'advice-group-title': ({ podGroup }) => say`${code(podGroup)} 그룹과 파드 비교하기`,
  'advice-group': () =>
    say`PodGroup이 없다면 만드세요. 있다면 ${code('minCount')} 값을 그룹에 속한 파드 수와 비교하세요. 롤아웃이 새 파드를 그만큼 만들 수 있어야 합니다.`,
  'advice-driver': ({ component }) =>
    say`${code(component)} 컨트롤러가 실행 중인지 확인하고 로그를 보세요. 이 컨트롤러가 ResourceClaim의 status에 컨디션을 기록합니다.`,
  'runs-in-manager': () =>
    say`Deployment, ReplicaSet, StatefulSet, DaemonSet 컨트롤러는 ${code('kube-controller-manager')}에서 실행됩니다.`,
  'ev-generation': ({ generation }) => say`오브젝트의 generation은 ${generation}`,
  'ev-changed': () => say`spec의 마지막 변경`,
  'ev-counted': ({ actual }) => say`실제로는 ${actual}개`,
  'ev-untried': () => say`이 컨디션을 설정한 스케줄러 없음`,
  'other-explanations': ({ who }) =>
    say`${code(who)} 구성 요소가 중단되었거나, 쓰기 권한이 없거나, 처리가 크게 밀려 있을 수 있습니다. 어느 쪽인지는 오브젝트에 나타나지 않습니다.`,
  'other-explanations-unnamed': () =>
    say`파드의 스케줄러가 중단되었거나, 지정한 이름의 스케줄러가 없을 수 있습니다. 오브젝트만으로는 구분되지 않습니다.`,
  'time-unknown': () => say`방금 변경된 것일 수도 있습니다.`,
  'because-not-observed': () => say`일시 중지와 관계없이 컨트롤러가 마지막 변경을 확인하지 않음`,
  'because-not-tried': () => say`어느 스케줄러도 이 파드의 배치를 시도하지 않음`,
  'because-no-gates': () => say`파드에 스케줄링 게이트 없음`,
  'restart-withheld': ({ who }) => say`재시작해도 ${code(who)} 처리를 기다리는 변경이 하나 늘어날 뿐입니다.`,
  'restart-withheld-unnamed': () => say`다시 시작하면 스케줄러를 기다리는 파드만 하나 늘어납니다.`,
  'next-attempt-unnamed': () => say`파드의 스케줄러가 동작하는 즉시. 워크로드는 바꿀 필요가 없습니다.`,
  'advice-unnamed-title': () => say`파드의 스케줄러 확인하기`,
  'advice-unnamed': () =>
    say`${code('default-scheduler')}이면 ${code('kube-scheduler')}가 실행 중이고 리스를 갱신하는지 확인하세요. 다른 이름이면 그 이름의 스케줄러가 실행 중이어야 합니다.`,
  'next-attempt': ({ who }) =>
    say`${code(who)} 구성 요소가 다시 동작하면 바로 진행됩니다. 워크로드는 변경할 필요가 없습니다.`,
  'advice-component-title': ({ component }) => say`${code(component)} 확인하기`,
  'advice-component': ({ component }) =>
    say`${code(component)} 구성 요소가 실행 중인지, 리스를 갱신하는지, 로그에 오류가 없는지 확인하세요. 관리형 클러스터라면 제공업체에 문의하세요.`,
  'advice-name-title': ({ scheduler }) => say`${code(scheduler)} 스케줄러 확인하기`,
  'advice-name': ({ scheduler }) =>
    say`${code(scheduler)} 스케줄러가 설치되어 실행 중인지 확인하세요. 이름이 틀렸다면 파드 템플릿의 ${code('spec.schedulerName')} 값을 고치세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('control-plane-not-acting');
