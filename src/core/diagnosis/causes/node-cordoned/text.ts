import type { SameSentences } from '../../../language/catalogue.js';
import { code, moment, type Prose, say, sentences, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, names } from '../../../language/words.js';

const nothing: Prose = [];

const en = {
  'shared-failure': () => say`the nodes that fit are cordoned`,
  summary: ({ workload, nodes }: { readonly workload: string; readonly nodes: readonly string[] }) =>
    say`${code(workload)} is pending: ${names('en', nodes, 4)} ${word(nodes.length === 1 ? 'is' : 'are')} cordoned`,
  cordoned: ({
    node,
    since,
    by,
  }: {
    readonly node: string;
    readonly since: string | undefined;
    readonly by: string | undefined;
  }) =>
    sentences(
      since === undefined
        ? say`${code(node)} is cordoned and accepts no new pods.`
        : say`${code(node)} has been cordoned since ${moment(since)} and accepts no new pods.`,
      by === undefined ? nothing : say`The client was ${code(by)}.`,
    ),
  counterfactual: ({ pod, nodes }: { readonly pod: string; readonly nodes: readonly string[] }) =>
    say`Once uncordoned, ${names('en', nodes, 4)} can run ${code(pod)} without other changes.`,
  'short-as-well': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`Uncordoning alone is not enough: ${names('en', nodes, 4)} ${word(nodes.length === 1 ? 'is' : 'are')} also too full at the moment.`,
  'others-refuse': ({ nodes }: { readonly nodes: number }) =>
    say`The other ${counted(nodes, 'node cannot run it for another reason', 'nodes cannot run it for other reasons')}.`,
  'ev-cordoned': ({ node }: { readonly node: string }) => say`${code(node)} accepts no new pods`,
  'because-fits-uncordoned': ({ node }: { readonly node: string }) =>
    say`only the cordon keeps the pod off ${code(node)}`,
  'next-attempt': () => say`The scheduler retries when a node is uncordoned or added.`,
  'advice-uncordon': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`Someone cordoned ${names('en', nodes, 4)} on purpose, for example for a drain or an upgrade. Ask before you uncordon.`,
  'advice-room-title': () => say`Or add a node first`,
  'advice-room': () =>
    say`If nodes are being replaced one by one, an additional node provides capacity for the pods that move.`,
};

const ko: SameSentences<typeof en> = {
  'shared-failure': () => say`배치할 수 있는 노드가 모두 cordon 상태`,
  summary: ({ workload, nodes }) =>
    say`${code(workload)} 파드 Pending: ${names('ko', nodes, 4)} 노드가 cordon되어 있습니다`,
  cordoned: ({ node, since, by }) =>
    sentences(
      since === undefined
        ? say`${code(node)} 노드는 cordon되어 새 파드를 받지 않습니다.`
        : say`${code(node)} 노드는 ${moment(since)}부터 cordon되어 새 파드를 받지 않습니다.`,
      by === undefined ? nothing : say`설정한 클라이언트: ${code(by)}.`,
    ),
  counterfactual: ({ pod, nodes }) =>
    say`cordon을 해제하면 ${names('ko', nodes, 4)} 노드에 바로 ${code(pod)} 파드를 배치할 수 있습니다.`,
  'short-as-well': ({ nodes }) =>
    say`cordon 해제만으로는 부족합니다. ${names('ko', nodes, 4)} 노드는 현재 용량도 부족합니다.`,
  'others-refuse': ({ nodes }) => say`나머지 노드 ${nodes}개에는 다른 이유로 배치할 수 없습니다.`,
  'ev-cordoned': ({ node }) => say`${code(node)} 노드는 새 파드를 받지 않음`,
  'because-fits-uncordoned': ({ node }) => say`cordon만 아니면 ${code(node)} 노드에 배치할 수 있음`,
  'next-attempt': () => say`노드의 cordon이 해제되거나 노드가 추가되면 스케줄러가 다시 시도합니다.`,
  'advice-uncordon': ({ nodes }) =>
    say`누군가 드레인이나 업그레이드 같은 이유로 ${names('ko', nodes, 4)} 노드를 의도적으로 cordon했습니다. 해제하기 전에 확인하세요.`,
  'advice-room-title': () => say`또는 먼저 노드 추가하기`,
  'advice-room': () =>
    say`노드를 하나씩 교체하는 중이라면, 노드를 하나 추가해 옮겨 갈 파드의 용량을 확보하세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('node-cordoned');
