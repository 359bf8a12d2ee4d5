import type { SameSentences } from '../../../language/catalogue.js';
import { code, moment, type Prose, quote, say, sentences, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, names } from '../../../language/words.js';

const nothing: Prose = [];

const en = {
  summary: ({
    workload,
    nodes,
    lost,
  }: {
    readonly workload: string;
    readonly nodes: readonly string[];
    /** Pods of the workload that are on them. */
    readonly lost: number;
  }) =>
    lost === 0
      ? say`${code(workload)} waits for ${names('en', nodes, 4)}, which ${word(nodes.length === 1 ? 'is' : 'are')} in trouble`
      : say`${names('en', nodes, 4)} ${word(nodes.length === 1 ? 'is' : 'are')} not ready and took ${counted(lost, 'pod', 'pods')} of ${code(workload)} along`,
  'standing-lost': ({ ready, wanted }: { readonly ready: number; readonly wanted: number }) =>
    say`${ready} of ${wanted} ${word(wanted === 1 ? 'pod is' : 'pods are')} ready.`,
  /** `status` and `reason` of the node's condition Ready; `message` in the kubelet's or the controller's words. */
  'not-ready': ({
    node,
    status,
    reason,
    message,
    since,
  }: {
    readonly node: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
    readonly since: string | undefined;
  }) =>
    sentences(
      since === undefined
        ? say`${code(node)} reports ${code(`Ready=${status}`)} (${code(reason)}).`
        : say`${code(node)} has reported ${code(`Ready=${status}`)} (${code(reason)}) since ${moment(since)}.`,
      message === '' ? nothing : say`${quote(message)}`,
      status === 'Unknown'
        ? say`Its kubelet is not heard of: the node, its network or the kubelet is gone.`
        : nothing,
    ),
  /** Ready, but it says itself that it takes no pods. */
  trouble: ({ node, taints }: { readonly node: string; readonly taints: readonly string[] }) =>
    say`${code(node)} takes no new pods for now: ${names('en', taints, 4)}.`,
  lost: ({ pods, node }: { readonly pods: readonly string[]; readonly node: string }) =>
    say`On ${code(node)}: ${names('en', pods, 4)}.`,
  'leave-at': ({ pods, at }: { readonly pods: readonly string[]; readonly at: string }) =>
    say`${names('en', pods, 4)} ${word(pods.length === 1 ? 'is' : 'are')} given up at ${moment(at)} if the node is not back, and then replaced.`,
  'stays-for-ever': ({ pods }: { readonly pods: readonly string[] }) =>
    say`${names('en', pods, 4)} ${word(pods.length === 1 ? 'tolerates' : 'tolerate')} that for ever and will go on when the node is back.`,
  'stuck-there': ({ pods }: { readonly pods: readonly string[] }) =>
    say`${names('en', pods, 4)} ${word(pods.length === 1 ? 'is' : 'are')} deleted, but only the node's kubelet can confirm that ${word(pods.length === 1 ? 'it has' : 'they have')} stopped.`,
  'no-replacement-yet': () =>
    say`A StatefulSet makes no second pod of the same name: there is no replacement before the lost one is gone for certain.`,
  'would-take': ({ pod, nodes }: { readonly pod: string; readonly nodes: readonly string[] }) =>
    say`In order again, ${names('en', nodes, 4)} would take ${code(pod)} as things are.`,
  'short-as-well': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`${names('en', nodes, 4)} ${word(nodes.length === 1 ? 'is' : 'are')} the only hope, and too full at the moment as well.`,
  'others-wait': ({ pods }: { readonly pods: readonly string[] }) =>
    say`Meanwhile ${names('en', pods, 3)} ${word(pods.length === 1 ? 'waits' : 'wait')} for a node.`,
  'unready-before': ({ pods }: { readonly pods: readonly string[] }) =>
    say`${names('en', pods, 3)} ${word(pods.length === 1 ? 'was' : 'were')} not ready before the node was lost, so the node is not the whole story.`,
  'ev-condition': ({ node }: { readonly node: string }) => say`what is known of ${code(node)}`,
  'ev-pod-there': ({ pod }: { readonly pod: string }) => say`${code(pod)} is on that node`,
  'because-node-went-first': ({ node }: { readonly node: string }) =>
    say`${code(node)} went first, the pods on it with it`,
  'because-not-cordoned': () => say`nobody took the node out; it is in trouble itself`,
  'next-eviction': () => say`Then the first pod there is given up and replaced, if the node is not back.`,
  'next-node': () => say`As soon as the node is back, or another one is there.`,
  'delete-withheld': () =>
    say`Deleting by force frees the name and the accounting while the process may still run there.`,
  'exclude-withheld': () => say`The node's own taint keeps new pods away already.`,
  'restart-withheld-here': () => say`New pods would look for the same room; the lost ones would stay lost.`,
  'advice-look-title': () => say`Look at the node`,
  'advice-look': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`Conditions and events of ${names('en', nodes, 4)} tell whether it is the kubelet, the runtime, the network or the machine.`,
  'advice-off-title': () => say`If the machine is off for good, say so`,
  'advice-off': ({ node }: { readonly node: string }) =>
    say`Only when ${code(node)} is certainly powered off: this taint lets go of its pods and their volumes. Take it off again when the node returns.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, nodes, lost }) =>
    lost === 0
      ? say`${code(workload)}이(가) 기다리는 ${names('ko', nodes, 4)} 노드에 문제가 있습니다`
      : say`${names('ko', nodes, 4)} 노드가 준비되지 않아 ${code(workload)} 파드 ${lost}개를 잃었습니다`,
  'standing-lost': ({ ready, wanted }) => say`${wanted}개 중 ${ready}개가 준비되었습니다.`,
  'not-ready': ({ node, status, reason, message, since }) =>
    sentences(
      since === undefined
        ? say`${code(node)} 상태: ${code(`Ready=${status}`)}(${code(reason)}).`
        : say`${code(node)} 상태: ${moment(since)}부터 ${code(`Ready=${status}`)}(${code(reason)}).`,
      message === '' ? nothing : say`${quote(message)}`,
      status === 'Unknown'
        ? say`kubelet 소식이 없습니다. 노드나 네트워크, kubelet이 사라진 것입니다.`
        : nothing,
    ),
  trouble: ({ node, taints }) =>
    say`${code(node)} 노드는 당분간 새 파드를 받지 않습니다: ${names('ko', taints, 4)}.`,
  lost: ({ pods, node }) => say`${code(node)}의 파드: ${names('ko', pods, 4)}.`,
  'leave-at': ({ pods, at }) =>
    say`노드가 돌아오지 않으면 ${moment(at)}에 ${names('ko', pods, 4)}을(를) 포기하고 새 파드로 대체합니다.`,
  'stays-for-ever': ({ pods }) =>
    say`${names('ko', pods, 4)}은(는) 이 상태를 계속 허용하며, 노드가 돌아오면 이어집니다.`,
  'stuck-there': ({ pods }) =>
    say`${names('ko', pods, 4)}은(는) 삭제되었지만, 멈췄는지는 그 노드의 kubelet만 확인할 수 있습니다.`,
  'no-replacement-yet': () =>
    say`StatefulSet은 같은 이름의 파드를 둘 만들지 않으므로, 잃은 파드가 확실히 사라지기 전에는 대체되지 않습니다.`,
  'would-take': ({ pod, nodes }) =>
    say`정상으로 돌아오면 ${names('ko', nodes, 4)} 노드가 지금 상태로 ${code(pod)} 파드를 받습니다.`,
  'short-as-well': ({ nodes }) =>
    say`${names('ko', nodes, 4)} 노드가 유일한 후보인데 지금은 자리도 모자랍니다.`,
  'others-wait': ({ pods }) => say`그동안 노드를 기다리는 파드: ${names('ko', pods, 3)}.`,
  'unready-before': ({ pods }) =>
    say`${names('ko', pods, 3)}은(는) 노드를 잃기 전부터 준비되지 않았으므로 노드만이 원인은 아닙니다.`,
  'ev-condition': ({ node }) => say`${code(node)} 노드에 대해 알려진 것`,
  'ev-pod-there': ({ pod }) => say`${code(pod)} 파드가 그 노드에 있음`,
  'because-node-went-first': ({ node }) => say`${code(node)} 노드가 먼저, 파드는 그와 함께`,
  'because-not-cordoned': () => say`누가 뺀 것이 아니라 노드 자체의 문제`,
  'next-eviction': () => say`노드가 돌아오지 않으면 그때 첫 파드를 포기하고 대체합니다.`,
  'next-node': () => say`노드가 돌아오거나 다른 노드가 생기면 바로.`,
  'delete-withheld': () =>
    say`강제 삭제는 이름과 자원 계산만 풀어 줄 뿐, 프로세스가 그곳에서 계속 돌 수 있습니다.`,
  'exclude-withheld': () => say`노드 자신의 taint가 이미 새 파드를 막고 있습니다.`,
  'restart-withheld-here': () => say`새 파드도 같은 자리를 찾아야 하고, 잃은 파드는 돌아오지 않습니다.`,
  'advice-look-title': () => say`노드 살펴보기`,
  'advice-look': ({ nodes }) =>
    say`${names('ko', nodes, 4)}의 조건과 이벤트가 kubelet, 런타임, 네트워크, 장비 중 무엇인지 알려 줍니다.`,
  'advice-off-title': () => say`장비가 완전히 꺼졌다면 알려 주기`,
  'advice-off': ({ node }) =>
    say`${code(node)}의 전원이 확실히 꺼졌을 때만: 이 taint는 그 노드의 파드와 볼륨을 놓아줍니다. 노드가 돌아오면 다시 지우세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('node-not-ready');
