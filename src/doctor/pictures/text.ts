import type { SameSentences } from '../../engine/language/catalogue.js';
import { code, moment, say, word } from '../../engine/language/prose.js';
import { counted, names } from '../../engine/language/words.js';
import type { PodState } from '../findings/picture.js';
import type { Party, Wait } from '../findings/wait-cycle.js';
import { held, needs, partyWords, several, signs, subject, type Trouble, troubleWords } from './words.js';

/** Lines of a picture are short. */
const mostNames = 3;

const en = {
  /** `nodes` are the affected nodes: all of them when `nodes.length` equals `onNodes`. */
  'caption-troubled': ({
    workload,
    trouble,
    pods,
    of,
    nodes,
    onNodes,
    ofNodes,
  }: {
    readonly workload: string;
    readonly trouble: Trouble;
    readonly pods: number;
    readonly of: number;
    readonly nodes: readonly string[];
    readonly onNodes: number;
    readonly ofNodes: number;
  }) => {
    const what = say`${code(workload)}: ${pods} of ${counted(of, 'pod', 'pods')} ${word(troubleWords.en[trouble])}`;
    if (nodes.length < onNodes) return say`${what}, on ${onNodes} of ${counted(ofNodes, 'node', 'nodes')}`;
    if (onNodes < ofNodes && pods > 1) return say`${what}, all on ${names('en', nodes, mostNames)}`;
    return say`${what}, on ${names('en', nodes, mostNames)}`;
  },
  'caption-ready': ({
    workload,
    ready,
    of,
  }: {
    readonly workload: string;
    readonly ready: number;
    readonly of: number;
  }) => say`${code(workload)}: ${ready} of ${counted(of, 'pod', 'pods')} ready`,
  'caption-cycle': ({ workload }: { readonly workload: string }) => say`${code(workload)}: wait cycle`,
  'row-troubled': ({
    trouble,
    pods,
    of,
  }: {
    readonly trouble: Trouble;
    readonly pods: number;
    readonly of: number;
  }) => say`${pods} of ${of} ${word(troubleWords.en[trouble])}`,
  'row-ready': ({ ready, of }: { readonly ready: number; readonly of: number }) =>
    say`${ready} of ${of} ready`,
  'row-also': ({ state, pods }: { readonly state: PodState; readonly pods: number }) =>
    say`${pods} ${word(signs.en[state])}`,
  'row-no-node': () => say`not scheduled`,
  restarts: ({
    least,
    most,
    pods,
  }: {
    readonly least: number;
    readonly most: number;
    readonly pods: number;
  }) => {
    if (least !== most) return say`${least} to ${most} restarts`;
    return pods === 1
      ? counted(most, 'restart', 'restarts')
      : say`${counted(most, 'restart', 'restarts')} each`;
  },
  'exit-code': ({ exitCode }: { readonly exitCode: number }) => say`exit code ${exitCode}`,
  folded: ({ nodes }: { readonly nodes: number }) => say`and ${counted(nodes, 'more node', 'more nodes')}`,
  'new-revision': ({ name }: { readonly name: string }) => say`New revision ${code(name)}`,
  /** `name` is '' for several revisions. */
  'former-revision': ({ name }: { readonly name: string }) =>
    name === '' ? say`Previous revisions` : say`Previous revision ${code(name)}`,
  /** The meaning of a sign. */
  sign: ({ state }: { readonly state: PodState }) => say`${word(signs.en[state])}`,
  party: (party: Party) => partyWords('en', party),
  /** What the party waits for. `held` says how the next party holds it. */
  needs: ({ who, waits }: { readonly who: Party; readonly waits: Wait }) => needs.en(waits, several(who)),
  held: ({ waits }: { readonly waits: Wait }) => say`${word(held.en[waits.for])}`,
  /** `needs` and `held` as one sentence. */
  step: ({ who, waits, next }: { readonly who: Party; readonly waits: Wait; readonly next: Party }) =>
    waits.for === 'readiness'
      ? say`The ${partyWords('en', who)} ${needs.en(waits, several(who))} the ${partyWords('en', next)} ${word(several(next) ? 'are' : 'is')} ready.`
      : say`The ${partyWords('en', who)} ${needs.en(waits, several(who))}, ${word(held.en[waits.for])} the ${partyWords('en', next)}.`,
  'how-to-read-cycle': () =>
    say`Each waits for the next, and the last waits for the first. None of them can move first.`,
  'as-of': ({ at }: { readonly at: string }) => say`as of ${moment(at)}`,
  unreadable: ({ workload }: { readonly workload: string }) =>
    say`${code(workload)}: the last diagnosis could not read all pods, so it has no picture.`,
};

const ko: SameSentences<typeof en> = {
  'caption-troubled': ({ workload, trouble, pods, of, nodes, onNodes, ofNodes }) => {
    const what = say`파드 ${of}개 중 ${pods}개 ${word(troubleWords.ko[trouble])}`;
    if (nodes.length < onNodes) return say`${code(workload)}: 노드 ${ofNodes}개 중 ${onNodes}개에서 ${what}`;
    const where = names('ko', nodes, mostNames);
    return onNodes < ofNodes
      ? say`${code(workload)}: ${where} 노드에서만 ${what}`
      : say`${code(workload)}: ${where} 노드에서 ${what}`;
  },
  'caption-ready': ({ workload, ready, of }) => say`${code(workload)}: Ready ${ready}/${of}`,
  'caption-cycle': ({ workload }) => say`${code(workload)}: 교착 상태 구조`,
  'row-troubled': ({ trouble, pods, of }) => say`${of}개 중 ${pods}개 ${word(troubleWords.ko[trouble])}`,
  'row-ready': ({ ready, of }) => say`Ready ${ready}/${of}`,
  'row-also': ({ state, pods }) => say`${pods}개 ${word(signs.ko[state])}`,
  'row-no-node': () => say`노드 미배정`,
  restarts: ({ least, most, pods }) => {
    if (least !== most) return say`재시작 ${least}~${most}회`;
    return pods === 1 ? say`재시작 ${most}회` : say`재시작 각 ${most}회`;
  },
  'exit-code': ({ exitCode }) => say`종료 코드 ${exitCode}`,
  folded: ({ nodes }) => say`외 노드 ${nodes}개`,
  'new-revision': ({ name }) => say`새 리비전 ${code(name)}`,
  'former-revision': ({ name }) => (name === '' ? say`이전 리비전들` : say`이전 리비전 ${code(name)}`),
  sign: ({ state }) => say`${word(signs.ko[state])}`,
  party: (party) => partyWords('ko', party),
  needs: ({ waits }) => needs.ko(waits),
  held: ({ waits }) => say`${word(held.ko[waits.for])}`,
  step: ({ who, waits, next }) =>
    waits.for === 'readiness'
      ? say`${partyWords('ko', who)}: ${subject(next)} 준비될 때까지 유지됩니다.`
      : say`${partyWords('ko', who)}: ${needs.ko(waits)} (${word(held.ko[waits.for])} ${partyWords('ko', next)}).`,
  'how-to-read-cycle': () => say`서로 기다리고 있어 어느 쪽도 먼저 진행할 수 없습니다.`,
  'as-of': ({ at }) => say`${moment(at)} 기준`,
  unreadable: ({ workload }) =>
    say`${code(workload)}: 마지막 진단에서 파드를 모두 읽지 못해 그림이 없습니다.`,
};

export const pictureText = { en, ko };
