import { code, moment, say, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { duration, elapsed, names } from '../../../engine/language/words.js';

type OnPod = { readonly pod: string };

type OnNode = { readonly pod: string; readonly node: string };

const en = {
  'shared-failure': () => say`old pods do not finish terminating`,
  summary: ({ workload, pods }: { workload: string; pods: readonly string[] }) =>
    say`${names('en', pods, 3)} of ${code(workload)} ${word(pods.length === 1 ? 'is' : 'are')} stuck in termination`,
  'summary-foreign': ({ workload, pods }: { workload: string; pods: readonly string[] }) =>
    say`${names('en', pods, 3)} ${word(pods.length === 1 ? 'is' : 'are')} stuck in termination and ${word(pods.length === 1 ? 'blocks' : 'block')} ${code(workload)}`,
  standing: ({ overdueSeconds }: { overdueSeconds: number; ready: number; wanted: number }) =>
    say`The grace period ended ${elapsed('en', overdueSeconds)} ago.`,
  deleted: ({
    pod,
    deadline,
    graceSeconds,
  }: OnPod & { readonly deadline: string; readonly graceSeconds: number }) =>
    graceSeconds === 0
      ? say`${code(pod)} was deleted and should have been gone ${moment(deadline)}.`
      : say`${code(pod)} was deleted and had until ${moment(deadline)} to stop (grace period ${duration('en', graceSeconds)}).`,
  finalizers: ({ pod, finalizers }: OnPod & { readonly finalizers: readonly string[] }) =>
    say`The API server keeps ${code(pod)} until ${names('en', finalizers)} ${word(finalizers.length === 1 ? 'is' : 'are')} removed from its finalizers.`,
  'removed-by': ({ finalizer, domain }: { finalizer: string; domain: string }) =>
    say`The controller of ${code(domain)} should remove ${code(finalizer)} and has not done so.`,
  'has-stopped': ({ pod }: OnPod) => say`All containers of ${code(pod)} have ended.`,
  'node-gone': ({ pod, node }: OnNode) =>
    say`${code(pod)} ran on ${code(node)}, which is no longer in the cluster, so no kubelet can confirm that it stopped. The pod garbage collector usually removes such a pod within minutes.`,
  'node-not-ready': ({
    pod,
    node,
    reason,
    since,
  }: OnNode & { readonly reason: string; readonly since: string | undefined }) =>
    since === undefined
      ? say`${code(pod)} ran on ${code(node)}, which is not ready (${code(reason)}), so its kubelet does not confirm that the pod stopped.`
      : say`${code(pod)} ran on ${code(node)}, which has not been ready since ${moment(since)} (${code(reason)}). Its kubelet does not confirm that the pod stopped.`,
  'node-unknown': ({ pod, node }: OnNode) =>
    say`The state of ${code(node)}, where ${code(pod)} ran, could not be read.`,
  'blocks-recreate': ({ pod }: OnPod) =>
    say`With strategy Recreate the controller starts no new pod before ${code(pod)} is gone.`,
  'blocks-set': ({ pod }: OnPod) =>
    say`The StatefulSet creates the next pod of this name only when ${code(pod)} is gone.`,
  'blocks-waiting': ({ pods, waiting }: { pods: readonly string[]; waiting: string }) =>
    say`Without ${names('en', pods)}, the pending pod ${code(waiting)} fits on a node.`,
  'still-counts': () =>
    say`Until the object is gone, the scheduler counts its requests and its volumes stay attached.`,
  'ev-deleted': () => say`deadline of the deletion`,
  'ev-node': () => say`the node is not ready`,
  'ev-node-gone': () => say`the node does not exist`,
  'node-unread': () => say`Nodes could not be read, so it is not certain what blocks the deletion.`,
  'because-overdue': ({ overdueSeconds }: { overdueSeconds: number }) =>
    say`the pod is ${elapsed('en', overdueSeconds)} past its own deadline, so waiting is not enough`,
  'because-fits-without': ({ waiting }: { waiting: string }) =>
    say`${code(waiting)} fits once the stuck pod is gone`,
  'delete-withheld': () =>
    say`The pod is already deleted. A forced deletion removes the object while its processes may still use the disk or the device.`,
  'restart-withheld': () => say`New pods do not remove the old one.`,
  'next-finalizers': () => say`As soon as the last finalizer is removed.`,
  'next-node': () => say`When the kubelet of the node reports again, or the node object is deleted.`,
  'advice-finalizers-title': () => say`Check the controller of the pod's finalizer`,
  'advice-finalizers': () =>
    say`Check that the controller runs, and what it logs about this pod. Remove the finalizer by hand only if the controller is gone for good. The resources that it should clean up then remain.`,
  'advice-force-title': () => say`Remove the object`,
  'advice-force': () => say`Force the deletion only if the machine is certainly gone.`,
  'advice-node-title': ({ node }: { node: string }) =>
    say`Restore ${code(node)}, or make sure that it is off`,
  'advice-node': () =>
    say`If the machine is certainly powered off, this taint makes Kubernetes remove its pods and detach their volumes. On a machine that still runs, two pods may write to one volume.`,
};

const ko: typeof en = {
  'shared-failure': () => say`이전 파드의 종료가 끝나지 않음`,
  summary: ({ workload, pods }) =>
    say`${code(workload)}의 ${names('ko', pods, 3)} 파드가 종료되지 않고 있습니다`,
  'summary-foreign': ({ workload, pods }) =>
    say`${names('ko', pods, 3)} 파드가 종료되지 않아 ${code(workload)}의 파드를 배치할 수 없습니다`,
  standing: ({ overdueSeconds }) =>
    say`종료 유예 시간이 끝난 지 ${elapsed('ko', overdueSeconds)} 지났습니다.`,
  deleted: ({ pod, deadline, graceSeconds }) =>
    graceSeconds === 0
      ? say`${code(pod)} 파드는 삭제되었고 ${moment(deadline)}에 사라졌어야 합니다.`
      : say`${code(pod)} 파드는 삭제되었고 ${moment(deadline)}까지 종료되어야 했습니다(유예 기간 ${duration('ko', graceSeconds)}).`,
  finalizers: ({ pod, finalizers }) =>
    say`파이널라이저(${names('ko', finalizers)})가 제거될 때까지 API 서버가 ${code(pod)} 파드를 유지합니다.`,
  'removed-by': ({ finalizer, domain }) =>
    say`${code(finalizer)} 파이널라이저는 ${code(domain)} 컨트롤러가 제거해야 하는데 아직 제거하지 않았습니다.`,
  'has-stopped': ({ pod }) => say`${code(pod)} 파드의 컨테이너는 모두 종료되었습니다.`,
  'node-gone': ({ pod, node }) =>
    say`${code(pod)} 파드가 실행되던 ${code(node)} 노드가 클러스터에 없어, 종료를 확인해 줄 kubelet이 없습니다. 보통 파드 가비지 컬렉터가 몇 분 안에 삭제합니다.`,
  'node-not-ready': ({ pod, node, reason, since }) =>
    since === undefined
      ? say`${code(pod)} 파드가 실행되던 ${code(node)} 노드가 준비 상태가 아니어서(${code(reason)}) kubelet이 종료를 확인하지 못합니다.`
      : say`${code(pod)} 파드가 실행되던 ${code(node)} 노드가 ${moment(since)}부터 준비 상태가 아니어서(${code(reason)}) kubelet이 종료를 확인하지 못합니다.`,
  'node-unknown': ({ pod, node }) =>
    say`${code(pod)} 파드가 실행되던 ${code(node)} 노드의 상태를 읽지 못했습니다.`,
  'blocks-recreate': ({ pod }) =>
    say`Recreate 전략에서는 ${code(pod)} 파드가 사라지기 전에 컨트롤러가 새 파드를 시작하지 않습니다.`,
  'blocks-set': ({ pod }) => say`StatefulSet은 ${code(pod)} 파드가 사라져야 같은 이름의 파드를 만듭니다.`,
  'blocks-waiting': ({ pods, waiting }) =>
    say`${names('ko', pods)} 파드가 없으면 Pending 상태인 ${code(waiting)} 파드를 노드에 배치할 수 있습니다.`,
  'still-counts': () =>
    say`오브젝트가 사라질 때까지 스케줄러가 그 요청량을 계산에 포함하고 볼륨도 연결된 상태로 남습니다.`,
  'ev-deleted': () => say`삭제 기한`,
  'ev-node': () => say`노드가 준비되지 않음`,
  'ev-node-gone': () => say`노드가 존재하지 않음`,
  'node-unread': () => say`노드를 읽지 못해 무엇이 삭제를 막는지 확실하지 않습니다.`,
  'because-overdue': ({ overdueSeconds }) =>
    say`파드의 종료 기한을 ${elapsed('ko', overdueSeconds)} 넘겨 기다리는 것만으로는 해결되지 않음`,
  'because-fits-without': ({ waiting }) =>
    say`종료되지 않은 파드가 사라지면 ${code(waiting)} 파드를 배치할 수 있음`,
  'delete-withheld': () =>
    say`이미 삭제된 파드입니다. 강제로 삭제하면 오브젝트만 사라지고, 프로세스는 디스크나 장치를 계속 사용하고 있을 수 있습니다.`,
  'restart-withheld': () => say`새 파드를 만들어도 이전 파드는 사라지지 않습니다.`,
  'next-finalizers': () => say`마지막 파이널라이저가 제거되면 바로 진행됩니다.`,
  'next-node': () => say`노드의 kubelet이 다시 보고하거나 노드 오브젝트가 삭제되면 진행됩니다.`,
  'advice-finalizers-title': () => say`파드 파이널라이저의 컨트롤러 확인하기`,
  'advice-finalizers': () =>
    say`컨트롤러가 실행 중인지, 로그에 이 파드가 나오는지 확인하세요. 컨트롤러가 완전히 없어졌을 때만 파이널라이저를 직접 제거하세요. 정리하지 못한 리소스는 그대로 남습니다.`,
  'advice-force-title': () => say`오브젝트 삭제하기`,
  'advice-force': () => say`장비가 없어진 것이 확실할 때만 강제로 삭제하세요.`,
  'advice-node-title': ({ node }) => say`${code(node)} 노드를 복구하거나 꺼졌는지 확인하기`,
  'advice-node': () =>
    say`장비의 전원이 확실히 꺼졌다면 이 taint로 파드를 삭제하고 볼륨을 분리할 수 있습니다. 아직 켜져 있다면 두 파드가 한 볼륨에 동시에 쓸 위험이 있습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('stuck-terminating');
