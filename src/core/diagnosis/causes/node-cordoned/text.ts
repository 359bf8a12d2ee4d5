import type { SameSentences } from '../../../language/catalogue.js';
import { code, moment, type Prose, say, sentences, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, names } from '../../../language/words.js';

const nothing: Prose = [];

const en = {
  summary: ({ workload, nodes }: { readonly workload: string; readonly nodes: readonly string[] }) =>
    say`${code(workload)} waits because ${names('en', nodes, 4)} ${word(nodes.length === 1 ? 'is' : 'are')} cordoned`,
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
        ? say`${code(node)} is cordoned and takes no new pods.`
        : say`${code(node)} has been cordoned since ${moment(since)} and takes no new pods.`,
      by === undefined ? nothing : say`The client was ${code(by)}.`,
    ),
  counterfactual: ({ pod, nodes }: { readonly pod: string; readonly nodes: readonly string[] }) =>
    say`Uncordoned, ${names('en', nodes, 4)} would take ${code(pod)} as things are.`,
  'short-as-well': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`Uncordoning alone would not do: ${names('en', nodes, 4)} ${word(nodes.length === 1 ? 'is' : 'are')} too full at the moment as well.`,
  'others-refuse': ({ nodes }: { readonly nodes: number }) =>
    say`The other ${counted(nodes, 'node refuses', 'nodes refuse')} it for reasons of their own.`,
  'ev-cordoned': ({ node }: { readonly node: string }) => say`${code(node)} takes no new pods`,
  'because-fits-uncordoned': ({ node }: { readonly node: string }) =>
    say`${code(node)} has all it needs, but for the cordon`,
  'next-attempt': () => say`The scheduler tries again as soon as a node is uncordoned or added.`,
  'advice-uncordon': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`Somebody cordoned ${names('en', nodes, 4)} on purpose: a drain, an upgrade, a suspicion. Ask before you undo it.`,
  'advice-room-title': () => say`Or add a node first`,
  'advice-room': () =>
    say`When nodes are taken out one after the other, one more in between keeps room for the pods that move.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, nodes }) =>
    say`${names('ko', nodes, 4)} 노드가 cordon되어 ${code(workload)}이(가) 기다립니다`,
  cordoned: ({ node, since, by }) =>
    sentences(
      since === undefined
        ? say`${code(node)} 노드는 cordon되어 새 파드를 받지 않습니다.`
        : say`${code(node)} 노드는 ${moment(since)}부터 cordon되어 새 파드를 받지 않습니다.`,
      by === undefined ? nothing : say`설정한 클라이언트: ${code(by)}.`,
    ),
  counterfactual: ({ pod, nodes }) =>
    say`cordon을 풀면 ${names('ko', nodes, 4)} 노드가 지금 상태로 ${code(pod)} 파드를 받습니다.`,
  'short-as-well': ({ nodes }) =>
    say`cordon만 풀어서는 부족합니다. ${names('ko', nodes, 4)} 노드는 지금 자리도 모자랍니다.`,
  'others-refuse': ({ nodes }) => say`나머지 노드 ${nodes}개는 다른 이유로 거부합니다.`,
  'ev-cordoned': ({ node }) => say`${code(node)} 노드는 새 파드를 받지 않음`,
  'because-fits-uncordoned': ({ node }) => say`cordon만 아니면 ${code(node)}에 필요한 것이 모두 있음`,
  'next-attempt': () => say`노드의 cordon이 풀리거나 노드가 추가되면 스케줄러가 바로 다시 시도합니다.`,
  'advice-uncordon': ({ nodes }) =>
    say`누군가 드레인, 업그레이드, 이상 의심 같은 이유로 ${names('ko', nodes, 4)} 노드를 cordon했습니다. 되돌리기 전에 물어보세요.`,
  'advice-room-title': () => say`또는 먼저 노드 추가하기`,
  'advice-room': () => say`노드를 하나씩 빼는 중이라면, 사이에 하나를 더해 옮겨 갈 파드의 자리를 마련하세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('node-cordoned');
