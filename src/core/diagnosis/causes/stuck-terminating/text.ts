import type { SameSentences } from '../../../language/catalogue.js';
import { code, moment, say, sentences, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { duration, names } from '../../../language/words.js';

type OnPod = { readonly pod: string };

type OnNode = { readonly pod: string; readonly node: string };

const en = {
  summary: ({ workload, pods }: { readonly workload: string; readonly pods: readonly string[] }) =>
    say`${names('en', pods, 3)} of ${code(workload)} ${word(pods.length === 1 ? 'is' : 'are')} stuck in termination`,
  standing: ({
    overdueSeconds,
    ready,
    wanted,
  }: {
    readonly overdueSeconds: number;
    readonly ready: number;
    readonly wanted: number;
  }) =>
    sentences(
      say`It should have been gone for ${duration('en', overdueSeconds)}.`,
      say`${ready} of ${wanted} ${word(wanted === 1 ? 'pod is' : 'pods are')} ready.`,
    ),
  deleted: ({
    pod,
    deadline,
    graceSeconds,
  }: OnPod & { readonly deadline: string; readonly graceSeconds: number }) =>
    graceSeconds === 0
      ? say`${code(pod)} was deleted and should have been gone at ${moment(deadline)}.`
      : say`${code(pod)} was deleted and had until ${moment(deadline)} to stop (${duration('en', graceSeconds)} of grace).`,
  finalizers: ({ pod, finalizers }: OnPod & { readonly finalizers: readonly string[] }) =>
    say`The API server keeps ${code(pod)} until ${names('en', finalizers)} ${word(finalizers.length === 1 ? 'is' : 'are')} taken off its finalizers.`,
  'lifted-by': ({ finalizer, domain }: { readonly finalizer: string; readonly domain: string }) =>
    say`${code(finalizer)} is the business of the controller of ${code(domain)}, which has not done it.`,
  'has-stopped': ({ pod }: OnPod) =>
    say`The containers of ${code(pod)} have ended; nothing of it runs any more.`,
  'node-gone': ({ pod, node }: OnNode) =>
    say`${code(node)}, where ${code(pod)} ran, is no longer a node of the cluster: no kubelet is left to confirm the end. The pod garbage collector usually removes such a pod within minutes.`,
  'node-not-ready': ({
    pod,
    node,
    reason,
    since,
  }: OnNode & { readonly reason: string; readonly since: string | undefined }) =>
    since === undefined
      ? say`${code(node)}, where ${code(pod)} ran, is not ready (${code(reason)}): its kubelet does not confirm the end.`
      : say`${code(node)}, where ${code(pod)} ran, has not been ready since ${moment(since)} (${code(reason)}): its kubelet does not confirm the end.`,
  'node-unknown': ({ pod, node }: OnNode) =>
    say`Whether ${code(node)}, where ${code(pod)} ran, still answers could not be read.`,
  'blocks-recreate': ({ pod }: OnPod) =>
    say`With strategy Recreate the controller starts no new pod before ${code(pod)} is gone.`,
  'blocks-set': ({ pod }: OnPod) =>
    say`The StatefulSet makes the next pod of that name only when ${code(pod)} is gone.`,
  'blocks-waiting': ({ pods, waiting }: { readonly pods: readonly string[]; readonly waiting: string }) =>
    say`Without ${names('en', pods)} the waiting pod ${code(waiting)} would have a node.`,
  'still-counts': () =>
    say`Until the object is gone, the scheduler counts its requests and its volumes stay attached.`,
  'ev-deleted': () => say`was to be gone by then`,
  'ev-node': () => say`the node is not ready`,
  'ev-node-gone': () => say`no such node`,
  'node-unread': () => say`Nodes could not be read, so who holds the pod is not certain.`,
  'because-overdue': ({ overdueSeconds }: { readonly overdueSeconds: number }) =>
    say`it is ${duration('en', overdueSeconds)} past its own deadline, so waiting is not enough`,
  'because-fits-without': ({ waiting }: { readonly waiting: string }) =>
    say`${code(waiting)} fits once the stuck pod is gone`,
  'delete-withheld': () =>
    say`It is deleted already. Forcing it frees the books, while its processes may still hold the disk or the device.`,
  'restart-withheld': () => say`New pods do not make the old one go.`,
  'next-finalizers': () => say`As soon as the last finalizer is taken off.`,
  'next-node': () => say`When the node's kubelet answers again, or the node object is deleted.`,
  'advice-finalizers-title': () => say`Let the owner of the finalizer do its work`,
  'advice-finalizers': () =>
    say`Is its controller running, and what does it say of this pod? Only when that controller is gone for good, take the finalizer off by hand; what it was to clean up then stays.`,
  'advice-force-title': () => say`Remove the object`,
  'advice-force': () => say`Once it is certain that the machine is gone, the object can be forced out.`,
  'advice-node-title': ({ node }: { readonly node: string }) =>
    say`Bring ${code(node)} back, or make sure that it is off`,
  'advice-node': () =>
    say`If it is powered off for certain, this taint makes Kubernetes remove its pods and detach their volumes. On a machine that still runs it risks two writers on one volume.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, pods }) =>
    say`${code(workload)}의 ${names('ko', pods, 3)} 파드가 종료되지 않고 남아 있습니다`,
  standing: ({ overdueSeconds, ready, wanted }) =>
    sentences(
      say`사라졌어야 할 시각을 ${duration('ko', overdueSeconds)} 넘겼습니다.`,
      say`${wanted}개 중 ${ready}개 준비됨.`,
    ),
  deleted: ({ pod, deadline, graceSeconds }) =>
    graceSeconds === 0
      ? say`${code(pod)} 파드는 삭제되었고 ${moment(deadline)}에 사라졌어야 합니다.`
      : say`${code(pod)} 파드는 삭제되었고 ${moment(deadline)}까지 종료되어야 했습니다(유예 ${duration('ko', graceSeconds)}).`,
  finalizers: ({ pod, finalizers }) =>
    say`파이널라이저 ${names('ko', finalizers)}가 없어질 때까지 API 서버는 ${code(pod)} 파드를 남겨 둡니다.`,
  'lifted-by': ({ finalizer, domain }) =>
    say`${code(finalizer)}는 ${code(domain)} 컨트롤러의 몫인데 아직 처리하지 않았습니다.`,
  'has-stopped': ({ pod }) => say`${code(pod)} 파드의 컨테이너는 끝났고 실행 중인 것은 없습니다.`,
  'node-gone': ({ pod, node }) =>
    say`${code(pod)} 파드가 있던 ${code(node)} 노드는 클러스터에 없어, 종료를 확인해 줄 kubelet이 없습니다. 보통 파드 가비지 컬렉터가 몇 분 안에 지웁니다.`,
  'node-not-ready': ({ pod, node, reason, since }) =>
    since === undefined
      ? say`${code(pod)} 파드가 있던 ${code(node)} 노드가 준비 상태가 아니어서(${code(reason)}) kubelet이 종료를 확인하지 못합니다.`
      : say`${code(pod)} 파드가 있던 ${code(node)} 노드가 ${moment(since)}부터 준비 상태가 아니어서(${code(reason)}) kubelet이 종료를 확인하지 못합니다.`,
  'node-unknown': ({ pod, node }) =>
    say`${code(pod)} 파드가 있던 ${code(node)} 노드가 응답하는지는 읽지 못했습니다.`,
  'blocks-recreate': ({ pod }) =>
    say`Recreate 전략에서는 ${code(pod)} 파드가 사라지기 전에 새 파드를 시작하지 않습니다.`,
  'blocks-set': ({ pod }) => say`스테이트풀셋은 ${code(pod)} 파드가 사라져야 같은 이름의 파드를 만듭니다.`,
  'blocks-waiting': ({ pods, waiting }) =>
    say`${names('ko', pods)} 파드가 없으면 기다리는 ${code(waiting)} 파드가 노드를 얻습니다.`,
  'still-counts': () => say`객체가 사라질 때까지 스케줄러는 요청량을 계산에 넣고 볼륨도 연결된 채입니다.`,
  'ev-deleted': () => say`이때까지 사라져야 했음`,
  'ev-node': () => say`노드가 준비되지 않음`,
  'ev-node-gone': () => say`그런 노드 없음`,
  'node-unread': () => say`노드를 읽지 못해 무엇이 파드를 붙잡는지 확실하지 않습니다.`,
  'because-overdue': ({ overdueSeconds }) =>
    say`스스로 정한 기한을 ${duration('ko', overdueSeconds)} 넘겨 기다리는 것만으로는 부족`,
  'because-fits-without': ({ waiting }) => say`남은 파드가 없으면 ${code(waiting)} 파드가 들어감`,
  'delete-withheld': () =>
    say`이미 삭제되었습니다. 강제로 지우면 장부만 비고, 프로세스는 디스크나 장치를 계속 쥐고 있을 수 있습니다.`,
  'restart-withheld': () => say`새 파드를 만들어도 예전 파드는 사라지지 않습니다.`,
  'next-finalizers': () => say`마지막 파이널라이저가 없어지면 바로.`,
  'next-node': () => say`노드의 kubelet이 다시 응답하거나 노드 객체가 삭제될 때.`,
  'advice-finalizers-title': () => say`파이널라이저 담당이 일을 마치게 하기`,
  'advice-finalizers': () =>
    say`담당 컨트롤러가 실행 중인지, 이 파드에 대해 무엇이라 하는지 보세요. 그 컨트롤러가 영영 없을 때만 직접 지우세요. 정리하려던 것은 남습니다.`,
  'advice-force-title': () => say`객체 지우기`,
  'advice-force': () => say`장비가 없어진 것이 확실하면 객체를 강제로 지울 수 있습니다.`,
  'advice-node-title': ({ node }) => say`${code(node)} 되살리기 또는 꺼졌는지 확인하기`,
  'advice-node': () =>
    say`확실히 꺼져 있다면 이 taint로 파드를 지우고 볼륨을 분리할 수 있습니다. 아직 켜진 장비라면 한 볼륨에 둘이 쓰게 될 위험이 있습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('stuck-terminating');
