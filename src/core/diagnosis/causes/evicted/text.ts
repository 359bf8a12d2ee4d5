import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, names } from '../../../language/words.js';

const en = {
  summary: ({
    workload,
    nodes,
    resource,
  }: {
    readonly workload: string;
    readonly nodes: readonly string[];
    readonly resource: string | undefined;
  }) =>
    resource === undefined
      ? say`${code(workload)}: pods were evicted from ${names('en', nodes)}`
      : say`${code(workload)}: pods were evicted from ${names('en', nodes)}, which ran low on ${code(resource)}`,
  standing: ({ pods }: { readonly pods: number }) =>
    say`The kubelet ended ${counted(pods, 'pod', 'pods')}; ${word(pods === 1 ? 'its record is' : 'their records are')} still there.`,
  'summary-own-limit': ({
    workload,
    nodes,
  }: {
    readonly workload: string;
    readonly nodes: readonly string[];
  }) => say`${code(workload)}: pods on ${names('en', nodes)} used more local storage than they may`,
  'own-limit': () => say`It is the limit of the pod or of its volume that was met; the node has room.`,
  why: ({ request, resource }: { readonly request: string | undefined; readonly resource: string }) =>
    request === undefined
      ? say`They request no ${code(resource)}, so that any use of it counts as beyond what was promised: such pods go first.`
      : say`They request ${code(request)} of ${code(resource)} and used more than that.`,
  qos: ({ qos }: { readonly qos: string }) => say`Their QoS class is ${code(qos)}.`,
  pressure: ({ node, condition }: { readonly node: string; readonly condition: string }) =>
    say`${code(node)} reports ${code(condition)} now.`,
  'no-pressure-now': () => say`The nodes report no pressure at the moment.`,
  'made-anew': () =>
    say`Their controller makes new pods; the evicted ones stay as Failed until they are cleaned up.`,
  'because-not-killed': () => say`the kubelet ended whole pods; no container met its own limit`,
  'restart-withheld': () => say`New pods with the same requests may be evicted as well.`,
  'advice-request-title': ({ resource }: { readonly resource: string }) =>
    say`Request the ${code(resource)} that it uses`,
  'advice-request': () =>
    say`Pods within their requests are evicted last, and the scheduler leaves room for them.`,
  'advice-clean-title': () => say`Clean up the evicted pods`,
  'advice-clean': () => say`They hold nothing; they only clutter lists and alerts.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, nodes, resource }) =>
    resource === undefined
      ? say`${code(workload)}: ${names('ko', nodes)} 노드에서 파드가 축출되었습니다`
      : say`${code(workload)}: ${code(resource)} 부족으로 ${names('ko', nodes)} 노드에서 파드가 축출되었습니다`,
  standing: ({ pods }) => say`kubelet이 파드 ${pods}개를 종료했습니다. 기록은 남아 있습니다.`,
  'summary-own-limit': ({ workload, nodes }) =>
    say`${code(workload)}: ${names('ko', nodes)} 노드의 파드가 허용된 로컬 저장 공간보다 많이 썼습니다`,
  'own-limit': () => say`파드나 볼륨 자체의 제한을 넘었습니다. 노드에는 여유가 있습니다.`,
  why: ({ request, resource }) =>
    request === undefined
      ? say`${code(resource)} 요청이 없어 쓰는 만큼 모두 초과로 계산됩니다. 이런 파드부터 축출됩니다.`
      : say`${code(resource)} 요청은 ${code(request)}인데 그보다 많이 썼습니다.`,
  qos: ({ qos }) => say`QoS 클래스: ${code(qos)}.`,
  pressure: ({ node, condition }) => say`${code(node)} 노드가 지금 ${code(condition)} 상태를 보고합니다.`,
  'no-pressure-now': () => say`지금은 압박 상태인 노드가 없습니다.`,
  'made-anew': () => say`컨트롤러가 새 파드를 만듭니다. 축출된 파드는 정리될 때까지 Failed로 남습니다.`,
  'because-not-killed': () => say`kubelet이 파드 전체를 종료함. 자신의 제한에 걸린 컨테이너는 없음`,
  'restart-withheld': () => say`요청이 같은 새 파드도 축출될 수 있습니다.`,
  'advice-request-title': ({ resource }) => say`쓰는 만큼 ${code(resource)} 요청을 적으세요`,
  'advice-request': () => say`요청 안에서 쓰는 파드는 마지막에 축출되고, 스케줄러가 자리를 남겨 둡니다.`,
  'advice-clean-title': () => say`축출된 파드를 정리하세요`,
  'advice-clean': () => say`아무것도 차지하지 않지만 목록과 알림을 어지럽힙니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('evicted');
