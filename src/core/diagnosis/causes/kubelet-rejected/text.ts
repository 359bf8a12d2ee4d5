import type { SameSentences } from '../../../language/catalogue.js';
import { code, say } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, names } from '../../../language/words.js';

const en = {
  summary: ({
    workload,
    nodes,
    reason,
  }: {
    readonly workload: string;
    readonly nodes: readonly string[];
    readonly reason: string;
  }) => say`${code(workload)}: the kubelet of ${names('en', nodes)} turns its pods away (${code(reason)})`,
  standing: ({ pods }: { readonly pods: number }) =>
    say`Each pod fails at once and another is made in its place: ${counted(pods, 'failed pod is', 'failed pods are')} still there.`,
  'fixed-node': ({ node }: { readonly node: string }) =>
    say`The template sets ${code('nodeName')} to ${code(node)}, so no scheduler is asked whether the node has room.`,
  'scheduler-disagrees': () =>
    say`The scheduler chose the node by what the API showed; the kubelet knows better what is really there.`,
  engine: ({ node, reasons }: { readonly node: string; readonly reasons: readonly string[] }) =>
    say`By the objects, ${code(node)} lacks: ${names('en', reasons)}.`,
  holders: ({ pods }: { readonly pods: readonly string[] }) => say`It is held there by ${names('en', pods)}.`,
  'device-fault': () =>
    say`The words come from a device plugin: the device or its driver on that node is at fault.`,
  'keeps-creating': ({ kind, pods }: { readonly kind: string; readonly pods: number }) =>
    say`${code(kind)} makes a new pod for each one turned away; ${counted(pods, 'is', 'are')} left as Failed.`,
  'ev-node-name': () => say`fixed by the template`,
  'because-has-node': () => say`the pod has a node; the kubelet refuses it, not the scheduler`,
  'restart-withheld': () => say`New pods come to the same node and are turned away as well.`,
  'advice-node-name-title': () => say`Let the scheduler choose`,
  'advice-node-name': ({ node }: { readonly node: string }) =>
    say`With a node selector in place of ${code('nodeName')} the pod waits until ${code(node)} has room instead of failing again and again.`,
  'advice-holder-title': () => say`Or settle who may have it`,
  'advice-holder': ({ pods }: { readonly pods: readonly string[] }) =>
    say`Only one can have it on that node: ${names('en', pods)} or this workload.`,
  'advice-node-title': () => say`Look at the node`,
  'advice-node': ({ node }: { readonly node: string }) =>
    say`What ${code(node)} offers and what it really has differ.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, nodes, reason }) =>
    say`${code(workload)}: ${names('ko', nodes)} 노드의 kubelet이 파드를 거부합니다 (${code(reason)})`,
  standing: ({ pods }) =>
    say`파드가 바로 실패하고 새 파드가 만들어지기를 반복합니다. 남아 있는 실패 파드: ${pods}개.`,
  'fixed-node': ({ node }) =>
    say`템플릿의 ${code('nodeName')} 값이 ${code(node)}이므로 자리가 있는지 스케줄러에 묻지 않습니다.`,
  'scheduler-disagrees': () =>
    say`스케줄러는 API에 보이는 대로 노드를 골랐지만, 실제로 무엇이 있는지는 kubelet이 더 잘 압니다.`,
  engine: ({ node, reasons }) => say`객체로 보면 ${code(node)} 노드에 부족한 것: ${names('ko', reasons)}.`,
  holders: ({ pods }) => say`그 노드에서 가지고 있는 파드: ${names('ko', pods)}.`,
  'device-fault': () => say`장치 플러그인의 메시지입니다. 그 노드의 장치나 드라이버에 문제가 있습니다.`,
  'keeps-creating': ({ kind, pods }) =>
    say`${code(kind)} 컨트롤러가 거부될 때마다 새 파드를 만듭니다. 실패한 파드 ${pods}개가 남아 있습니다.`,
  'ev-node-name': () => say`템플릿에 고정됨`,
  'because-has-node': () => say`파드에 노드가 있음. 거부한 것은 스케줄러가 아니라 kubelet`,
  'restart-withheld': () => say`새 파드도 같은 노드로 가서 거부됩니다.`,
  'advice-node-name-title': () => say`스케줄러가 고르게 하세요`,
  'advice-node-name': ({ node }) =>
    say`${code('nodeName')} 대신 nodeSelector를 쓰면 계속 실패하지 않고 ${code(node)} 노드에 자리가 날 때까지 기다립니다.`,
  'advice-holder-title': () => say`또는 누가 쓸지 정하세요`,
  'advice-holder': ({ pods }) =>
    say`그 노드에서는 하나만 가질 수 있습니다: ${names('ko', pods)} 또는 이 워크로드.`,
  'advice-node-title': () => say`노드를 확인하세요`,
  'advice-node': ({ node }) => say`${code(node)} 노드가 내놓은 것과 실제로 있는 것이 다릅니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('kubelet-rejected');
