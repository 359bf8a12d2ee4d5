import { code, say, sentences, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { names, particle } from '../../../engine/language/words.js';
import { type FailingPods, failingPods, verbOf } from '../../findings/crashes/failing-pods.js';

const en = {
  'shared-failure': () => say`containers exceed their memory limit`,
  summary: ({ workload, container, limit }: { workload: string; container: string; limit: string }) =>
    say`${code(workload)}: container ${code(container)} exceeds its memory limit of ${code(limit)}`,
  'summary-process': (values: { workload: string; container: string; limit: string }) =>
    say`${code(values.workload)}: the kernel killed a process in container ${code(values.container)} for memory (limit ${code(values.limit)})`,
  standing: (pods: FailingPods) =>
    say`The kernel kills the container, and the kubelet restarts it. ${failingPods('en', pods)} ${verbOf(pods, 'is', 'are')} affected.`,
  'standing-before-start': (pods: FailingPods) =>
    say`The container cannot start within this limit. ${failingPods('en', pods)} ${verbOf(pods, 'is', 'are')} affected.`,
  'before-start': ({ container, limit }: { container: string; limit: string }) =>
    say`The runtime itself needs a few MiB to start ${code(container)}, and the limit of ${code(limit)} leaves too little. The program never ran.`,
  /** The container ran before and wrote into the volume. */
  'volume-stays': (values: { container: string; limit: string; volumes: readonly string[] }) =>
    sentences(
      say`Memory-backed ${word(values.volumes.length === 1 ? 'volume' : 'volumes')} ${names('en', values.volumes)} ${word(values.volumes.length === 1 ? 'keeps its' : 'keep their')} data when the container restarts, and the data counts against the limit of ${code(values.limit)}.`,
      say`Too little is left to start ${code(values.container)} again in this pod. The node is not the reason.`,
    ),
  'limit-added': ({ container, limitRange }: { container: string; limitRange: string | undefined }) =>
    limitRange === undefined
      ? say`The pod template gives ${code(container)} no memory limit. Something else has set it, such as a LimitRange of the namespace or a webhook.`
      : say`The pod template gives ${code(container)} no memory limit. The LimitRange ${code(limitRange)} has the same value as its default.`,
  'volume-counts': ({ limit, volumes }: { limit: string; volumes: readonly string[] }) =>
    say`Data in memory-backed ${word(volumes.length === 1 ? 'volume' : 'volumes')} ${names('en', volumes)} counts against the limit of ${code(limit)} and stays when the container restarts.`,
  'standing-recovered': ({ failing }: { failing: number }) =>
    say`The container is running again. In the last hour the kernel killed it in ${failing} of its pods.`,
  killed: (values: {
    container: string;
    limit: string;
    request: string | undefined;
    qos: string | undefined;
    ofPod: boolean;
  }) =>
    sentences(
      values.ofPod
        ? say`The kernel killed ${code(values.container)} because the pod reached its memory limit of ${code(values.limit)}. A memory shortage on the node was not the reason.`
        : say`The kernel killed ${code(values.container)} because the container reached its memory limit of ${code(values.limit)}. A memory shortage on the node was not the reason.`,
      values.request === undefined
        ? say`The container requests no memory.`
        : say`Its memory request is ${code(values.request)}.`,
      values.qos === undefined ? [] : say`The QoS class of the pod is ${code(values.qos)}.`,
    ),
  /** The runtime reports a kill by either limit in the same way. */
  'or-pod-limit': ({ shared }: { shared: string }) =>
    say`The pod has a memory limit of its own, ${code(shared)}, for all containers together. The kernel may have enforced that limit.`,
  /** The current revision lowered the limit; `before` is absent when there was none. */
  'limit-cut': (values: {
    container: string;
    before: string | undefined;
    limit: string;
    revision: number;
  }) =>
    values.before === undefined
      ? say`The current revision set the memory limit of ${code(values.container)} to ${code(values.limit)}. Revision ${values.revision} had no limit.`
      : say`The current revision lowered the memory limit of ${code(values.container)} from ${code(values.before)} (revision ${values.revision}) to ${code(values.limit)}.`,
  'jvm-fills': (values: { flag: string; from: string; heap: string; limit: string; rest: string }) =>
    say`${code(values.flag)} (in ${code(values.from)}) lets the Java heap grow to ${code(values.heap)} of ${code(values.limit)}. This leaves ${code(values.rest)} for metaspace, threads and buffers.`,
  'jvm-exceeds': ({ flag, from, heap, limit }: { flag: string; from: string; heap: string; limit: string }) =>
    say`${code(flag)} (in ${code(from)}) lets the Java heap grow to ${code(heap)}, above the limit of ${code(limit)}.`,
  'ev-limit': ({ limit }: { limit: string }) => say`the limit is ${code(limit)}`,
  'because-own-limit': ({ limit, node }: { limit: string; node: string }) =>
    say`the limit of ${code(limit)} is below the capacity of ${code(node)}`,
  'restart-withheld': () => say`New pods would have the same limit and the same load.`,
  'restart-withheld-volume': ({ volumes }: { volumes: readonly string[] }) =>
    say`New pods start with empty volumes, and the same program fills ${names('en', volumes)} again.`,
  'exclude-withheld': ({ nodes }: { nodes: readonly string[] }) =>
    say`The memory limit is the same on every node: ${names('en', nodes)}.`,
  'advice-volume-title': ({ volumes }: { volumes: readonly string[] }) =>
    say`Limit the size of ${names('en', volumes)}, or take it out of memory`,
  'advice-volume': ({ limit }: { limit: string }) =>
    say`Set ${code('sizeLimit')} clearly below ${code(limit)}, raise the memory limit by the size of the volume, or use an ${code('emptyDir')} on disk.`,
  'advice-limit-title': () => say`Raise the memory limit, or find what uses the memory`,
  'advice-limit': ({ container, limit }: { container: string; limit: string }) =>
    say`Raise the memory limit of ${code(container)} above ${code(limit)} to what it needs, and the request with it.`,
  'advice-pod-limit': ({ limit }: { limit: string }) =>
    say`Raise the memory limit of the pod (${code('spec.resources.limits.memory')}) above ${code(limit)} to what its containers need together, and the request with it.`,
  'advice-shared-title': () => say`Compare both limits with what the containers use`,
  'advice-shared': ({ container, shared }: { container: string; shared: string }) =>
    say`If ${code(container)} stayed below its own limit, raise the limit of the pod (${code('spec.resources.limits.memory')}) above ${code(shared)}.`,
  'advice-jvm-title': () => say`Or leave memory outside the Java heap`,
  'advice-jvm': ({ flag }: { flag: string }) =>
    say`Replace ${code(flag)} with about 70 % of the limit, which leaves the JVM memory outside the heap.`,
};

const ko: typeof en = {
  'shared-failure': () => say`컨테이너가 메모리 한도를 초과함`,
  summary: ({ workload, container, limit }) =>
    say`${code(workload)}: ${code(container)} 컨테이너가 메모리 제한 ${code(limit)}${particle(limit, '을', '를')} 넘습니다`,
  'summary-process': ({ workload, container, limit }) =>
    say`${code(workload)}: 커널이 메모리 때문에 ${code(container)} 컨테이너의 프로세스를 종료했습니다(제한 ${code(limit)})`,
  standing: (pods) =>
    say`커널이 컨테이너를 종료하고 kubelet이 재시작하는 일이 반복됩니다. ${failingPods('ko', pods)}가 영향을 받고 있습니다.`,
  'standing-before-start': (pods) =>
    say`이 제한 안에서는 컨테이너를 시작할 수 없습니다. ${failingPods('ko', pods)}가 영향을 받고 있습니다.`,
  'before-start': ({ container, limit }) =>
    say`${code(container)} 컨테이너를 시작하려면 런타임 자체에도 메모리가 조금 필요한데, ${code(limit)} 제한으로는 부족합니다. 프로그램은 실행된 적이 없습니다.`,
  'volume-stays': ({ container, limit, volumes }) =>
    sentences(
      say`메모리 볼륨(${names('ko', volumes)})의 데이터는 컨테이너가 재시작해도 남아 제한 ${code(limit)}에 계속 포함됩니다.`,
      say`남은 메모리로는 이 파드에서 ${code(container)} 컨테이너를 다시 시작할 수 없습니다. 노드의 문제가 아닙니다.`,
    ),
  'limit-added': ({ container, limitRange }) =>
    limitRange === undefined
      ? say`파드 템플릿에는 ${code(container)} 컨테이너의 메모리 제한이 없습니다. 네임스페이스의 LimitRange나 웹훅 등이 지정한 값입니다.`
      : say`파드 템플릿에는 ${code(container)} 컨테이너의 메모리 제한이 없습니다. LimitRange ${code(limitRange)}의 기본값이 이 값과 같습니다.`,
  'volume-counts': ({ limit, volumes }) =>
    say`메모리 볼륨(${names('ko', volumes)})의 데이터는 제한 ${code(limit)}에 포함되며, 컨테이너가 재시작해도 남습니다.`,
  'standing-recovered': ({ failing }) =>
    say`지금은 실행 중이지만, 지난 1시간 동안 파드 ${failing}개에서 커널이 컨테이너를 종료했습니다.`,
  killed: ({ container, limit, request, qos, ofPod }) =>
    sentences(
      ofPod
        ? say`파드가 메모리 제한 ${code(limit)}에 도달하여 커널이 ${code(container)} 컨테이너를 종료했습니다. 노드의 메모리 부족 때문이 아닙니다.`
        : say`컨테이너가 메모리 제한 ${code(limit)}에 도달하여 커널이 ${code(container)} 컨테이너를 종료했습니다. 노드의 메모리 부족 때문이 아닙니다.`,
      request === undefined ? say`메모리 요청이 없습니다.` : say`메모리 요청: ${code(request)}.`,
      qos === undefined ? [] : say`QoS 클래스: ${code(qos)}.`,
    ),
  'or-pod-limit': ({ shared }) =>
    say`파드에도 모든 컨테이너를 합친 메모리 제한 ${code(shared)}${particle(shared, '이', '가')} 있습니다. 커널이 이 제한 때문에 종료했을 수도 있습니다.`,
  'limit-cut': ({ container, before, limit, revision }) =>
    before === undefined
      ? say`현재 리비전에서 ${code(container)} 메모리 제한이 새로 설정되었습니다(${code(limit)}). 리비전 ${revision}에는 제한이 없었습니다.`
      : say`현재 리비전에서 ${code(container)} 메모리 제한이 낮아졌습니다: ${code(before)}(리비전 ${revision}) → ${code(limit)}.`,
  'jvm-fills': ({ flag, from, heap, limit, rest }) =>
    say`${code(flag)} (${code(from)}) 설정으로 Java 힙이 ${code(limit)} 중 ${code(heap)}까지 커질 수 있습니다. 메타스페이스, 스레드, 버퍼에는 ${code(rest)}만 남습니다.`,
  'jvm-exceeds': ({ flag, from, heap, limit }) =>
    say`${code(flag)} (${code(from)}) 설정으로 Java 힙이 제한 ${code(limit)}보다 큰 ${code(heap)}까지 커질 수 있습니다.`,
  'ev-limit': ({ limit }) => say`제한은 ${code(limit)}`,
  'because-own-limit': ({ limit, node }) =>
    say`제한 ${code(limit)}${particle(limit, '이', '가')} ${code(node)} 노드의 용량보다 작음`,
  'restart-withheld': () => say`새 파드도 제한과 부하가 같습니다.`,
  'restart-withheld-volume': ({ volumes }) =>
    say`새 파드의 볼륨은 비어 있지만 같은 프로그램이 ${names('ko', volumes)} 볼륨을 다시 채웁니다.`,
  'exclude-withheld': ({ nodes }) => say`메모리 제한은 모든 노드에서 같습니다: ${names('ko', nodes)}.`,
  'advice-volume-title': ({ volumes }) =>
    say`${names('ko', volumes)} 볼륨의 크기를 제한하거나 디스크로 옮기기`,
  'advice-volume': ({ limit }) =>
    say`${code('sizeLimit')} 값을 ${code(limit)}보다 충분히 작게 설정하거나, 볼륨 크기만큼 메모리 제한을 올리거나, 디스크에 두는 ${code('emptyDir')} 볼륨을 사용하세요.`,
  'advice-limit-title': () => say`메모리 제한을 올리거나, 메모리를 쓰는 원인 찾기`,
  'advice-limit': ({ container, limit }) =>
    say`${code(container)} 메모리 제한을 ${code(limit)}보다 높게 실제 필요한 만큼 올리고, 요청도 함께 올리세요.`,
  'advice-pod-limit': ({ limit }) =>
    say`파드의 메모리 제한(${code('spec.resources.limits.memory')})을 ${code(limit)}보다 크게, 모든 컨테이너에 필요한 만큼 늘리고 요청도 함께 늘리세요.`,
  'advice-shared-title': () => say`두 제한을 컨테이너의 실제 사용량과 비교하기`,
  'advice-shared': ({ container, shared }) =>
    say`${code(container)} 컨테이너가 자체 제한을 넘지 않았다면 파드의 제한(${code('spec.resources.limits.memory')})을 ${code(shared)}보다 크게 늘리세요.`,
  'advice-jvm-title': () => say`또는 Java 힙 밖의 메모리를 남겨 두기`,
  'advice-jvm': ({ flag }) =>
    say`${code(flag)} 대신 제한의 약 70%로 설정하면 JVM이 힙 밖에서 쓸 메모리가 남습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('out-of-memory');
