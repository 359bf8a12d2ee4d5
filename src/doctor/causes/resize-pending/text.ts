import { code, quote, say, sentences, word } from '../../../engine/language/prose.js';
import { statementsOf } from '../../../engine/language/statement.js';
import { counted, names } from '../../../engine/language/words.js';

const verdicts = { deferred: '보류', infeasible: '불가능', failed: '실패' } as const;
type Summary = { readonly workload: string; readonly pods: number; readonly node: string };

const en = {
  'shared-failure': () => say`the kubelet has not resized pods`,
  'summary-never': ({ workload, pods, node }: Summary) =>
    say`${code(workload)}: ${counted(pods, 'pod', 'pods')} cannot be resized, because ${code(node)} is smaller than the request`,
  'summary-refused': ({ workload, pods, node }: Summary) =>
    say`${code(workload)}: the kubelet of ${code(node)} refuses to resize ${counted(pods, 'pod', 'pods')}`,
  'summary-fails': ({ workload, pods, node }: Summary) =>
    say`${code(workload)}: the kubelet of ${code(node)} fails to resize ${counted(pods, 'pod', 'pods')}`,
  'summary-waits': ({ workload, pods, node }: Summary) =>
    say`${code(workload)}: the resize of ${counted(pods, 'pod', 'pods')} is pending until ${code(node)} has capacity`,
  standing: (_: { readonly ready: number; readonly wanted: number }) =>
    say`The pods to resize run with their previous requests and limits.`,
  asks: ({ pod, resource, from, to }: { pod: string; resource: string; from: string; to: string }) =>
    say`A resize changes the ${code(resource)} request of ${code(pod)} from ${code(from)} to ${code(to)}.`,
  /** `message` is empty where the kubelet gave none. */
  says: (values: {
    pod: string;
    node: string;
    verdict: 'deferred' | 'infeasible' | 'failed';
    message: string;
  }) =>
    sentences(
      values.verdict === 'failed'
        ? say`The kubelet of ${code(values.node)} started the resize of ${code(values.pod)} and fails.`
        : say`The kubelet of ${code(values.node)} reports the resize of ${code(values.pod)} as ${word(values.verdict)}.`,
      ...(values.message === '' ? [] : [say`Message: ${quote(values.message)}`]),
    ),
  'exceeds-node': (values: { node: string; resource: string; requested: string; allocatable: string }) =>
    say`The pod requests ${code(values.requested)} of ${code(values.resource)}, and ${code(values.node)} has ${code(values.allocatable)} in total. Stopping other pods does not help.`,
  'held-by': ({ node, holders }: { node: string; holders: readonly string[] }) =>
    say`On ${code(node)}, ${names('en', holders)} ${word(holders.length === 1 ? 'uses' : 'use')} the rest. The resize continues when enough of it becomes free.`,
  'room-now': ({ node }: { node: string }) =>
    say`According to the objects, ${code(node)} has capacity for it now.`,
  'keeps-running': ({ pod }: { pod: string }) => say`${code(pod)} keeps running with its previous resources.`,
  'ev-refused': ({ node }: { node: string }) => say`reported by the kubelet of ${code(node)}`,
  'because-runs': () => say`the kubelet refuses only the resize, and the pod runs`,
  'because-has-node': () => say`the pod has a node, and a resize never moves it`,
  'next-deferred': () =>
    say`The kubelet retries when a pod leaves the node or is resized, and at least every 3 minutes.`,
  'next-infeasible': () => say`The kubelet does not retry until the request is changed.`,
  'next-failed': () => say`The kubelet retries each time it syncs the pod.`,
  'restart-withheld': () =>
    say`New pods start with the requests of the template, so the resize would be lost.`,
  'advice-template-title': () => say`Set the requests in the pod template`,
  'advice-template': ({ nodes }: { nodes: readonly string[] }) =>
    say`This starts a rollout, and the scheduler places the new pods. ${names('en', nodes, 3)} can run a pod with these requests.`,
  'advice-less-title': () => say`Request less`,
  'advice-less': ({ node, free }: { node: string; free: readonly string[] }) =>
    say`${code(node)} has this capacity for the pod: ${names('en', free)}. The command restores what the containers run with.`,
  'advice-node-title': () => say`Check the node`,
  'advice-node': ({ node }: { node: string }) =>
    say`Read the logs of the kubelet and of the container runtime on ${code(node)}. A memory limit below the current use of the container also fails.`,
  'node-unread': ({ node }: { node: string }) =>
    say`${code(node)} or the pods on it could not be read, so its free capacity is unknown.`,
};

const ko: typeof en = {
  'shared-failure': () => say`kubelet이 파드 크기를 조정(resize)하지 않음`,
  'summary-never': ({ workload, pods, node }) =>
    say`${code(workload)}: ${code(node)} 노드 전체보다 요청이 커서 파드 ${pods}개의 리소스를 조정할 수 없습니다`,
  'summary-refused': ({ workload, pods, node }) =>
    say`${code(workload)}: ${code(node)} 노드의 kubelet이 파드 ${pods}개의 리소스 조정을 거부합니다`,
  'summary-fails': ({ workload, pods, node }) =>
    say`${code(workload)}: ${code(node)} 노드의 kubelet이 파드 ${pods}개의 리소스 조정에 실패하고 있습니다`,
  'summary-waits': ({ workload, pods, node }) =>
    say`${code(workload)}: ${code(node)} 노드의 용량이 부족해 파드 ${pods}개의 리소스 조정이 보류되었습니다`,
  standing: () => say`조정 대상 파드는 이전 요청과 제한으로 실행 중입니다.`,
  asks: ({ pod, resource, from, to }) =>
    say`${code(pod)} 파드의 ${code(resource)} 요청을 ${code(from)} → ${code(to)} 값으로 조정하는 요청이 있었습니다.`,
  says: ({ pod, node, verdict, message }) =>
    sentences(
      say`${code(node)} 노드의 kubelet이 보고한 ${code(pod)} 파드의 조정 상태는 '${word(verdicts[verdict])}'입니다.`,
      ...(message === '' ? [] : [say`메시지: ${quote(message)}`]),
    ),
  'exceeds-node': ({ node, resource, requested, allocatable }) =>
    say`파드의 ${code(resource)} 요청은 ${code(requested)}인데 ${code(node)} 노드의 전체 용량은 ${code(allocatable)}입니다. 다른 파드를 내려도 해결되지 않습니다.`,
  'held-by': ({ node, holders }) =>
    say`${code(node)} 노드의 나머지는 ${names('ko', holders)} 워크로드가 사용 중입니다. 용량이 충분히 확보되면 조정이 진행됩니다.`,
  'room-now': ({ node }) => say`오브젝트에 따르면 지금은 ${code(node)} 노드에 용량이 있습니다.`,
  'keeps-running': ({ pod }) => say`${code(pod)} 파드는 이전 리소스로 계속 실행됩니다.`,
  'ev-refused': ({ node }) => say`${code(node)} 노드의 kubelet이 보고함`,
  'because-runs': () => say`kubelet은 변경만 거부했고 파드는 실행 중`,
  'because-has-node': () => say`파드에 이미 노드가 있고, 조정으로 노드가 바뀌지는 않음`,
  'next-deferred': () =>
    say`kubelet은 노드에서 파드가 나가거나 조정될 때 다시 시도하며, 늦어도 3분마다 시도합니다.`,
  'next-infeasible': () => say`요청이 바뀌기 전까지 kubelet은 다시 시도하지 않습니다.`,
  'next-failed': () => say`kubelet은 파드를 동기화할 때마다 다시 시도합니다.`,
  'restart-withheld': () => say`새 파드는 템플릿의 요청으로 시작하므로 조정한 값이 사라집니다.`,
  'advice-template-title': () => say`파드 템플릿의 요청 변경하기`,
  'advice-template': ({ nodes }) =>
    say`롤아웃이 시작되고 스케줄러가 새 파드를 배치합니다. 이 요청의 파드를 실행할 수 있는 노드: ${names('ko', nodes, 3)}.`,
  'advice-less-title': () => say`요청 줄이기`,
  'advice-less': ({ node, free }) =>
    say`${code(node)} 노드에서 이 파드가 쓸 수 있는 용량: ${names('ko', free)}. 이 명령은 컨테이너가 현재 쓰는 값으로 되돌립니다.`,
  'advice-node-title': () => say`노드 확인하기`,
  'advice-node': ({ node }) =>
    say`${code(node)} 노드의 kubelet과 컨테이너 런타임 로그를 확인하세요. 컨테이너가 쓰는 양보다 메모리 제한이 작아도 실패합니다.`,
  'node-unread': ({ node }) =>
    say`${code(node)} 노드나 그 노드의 파드를 읽지 못해 남은 용량을 알 수 없습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('resize-pending');
