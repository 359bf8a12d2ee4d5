import type { Language } from '../../engine/language/language.js';
import { code, moment, type Prose, say, word } from '../../engine/language/prose.js';
import { counted, names, particle } from '../../engine/language/words.js';
import { thingWords } from '../causes/surge-deadlock/text.js';
import type { FailingKind, PodState } from '../findings/picture.js';
import type { Party, Wait } from '../findings/wait-cycle.js';

/** Lines of a picture are short. */
const mostNames = 3;

const en = {
  /** `nodes` are the affected nodes: all of them when `nodes.length` equals `onNodes`. */
  'caption-troubled': (values: {
    workload: string;
    trouble: Trouble;
    pods: number;
    of: number;
    nodes: readonly string[];
    onNodes: number;
    ofNodes: number;
  }) => {
    const what = say`${code(values.workload)}: ${values.pods} of ${counted(values.of, 'pod', 'pods')} ${word(troubleWords.en[values.trouble])}`;
    if (values.nodes.length < values.onNodes)
      return say`${what}, on ${values.onNodes} of ${counted(values.ofNodes, 'node', 'nodes')}`;
    if (values.onNodes < values.ofNodes && values.pods > 1)
      return say`${what}, all on ${names('en', values.nodes, mostNames)}`;
    return say`${what}, on ${names('en', values.nodes, mostNames)}`;
  },
  'caption-ready': ({ workload, ready, of }: { workload: string; ready: number; of: number }) =>
    say`${code(workload)}: ${ready} of ${counted(of, 'pod', 'pods')} ready`,
  'caption-cycle': ({ workload }: { workload: string }) => say`${code(workload)}: wait cycle`,
  'row-troubled': ({ trouble, pods, of }: { trouble: Trouble; pods: number; of: number }) =>
    say`${pods} of ${of} ${word(troubleWords.en[trouble])}`,
  'row-ready': ({ ready, of }: { ready: number; of: number }) => say`${ready} of ${of} ready`,
  'row-also': ({ state, pods }: { state: PodState; pods: number }) => say`${pods} ${word(signs.en[state])}`,
  'row-no-node': () => say`not scheduled`,
  restarts: ({ least, most, pods }: { least: number; most: number; pods: number }) => {
    if (least !== most) return say`${least} to ${most} restarts`;
    return pods === 1
      ? counted(most, 'restart', 'restarts')
      : say`${counted(most, 'restart', 'restarts')} each`;
  },
  'exit-code': ({ exitCode }: { exitCode: number }) => say`exit code ${exitCode}`,
  /** `counts` is '' where these nodes have no pod. */
  folded: ({ nodes, counts }: { nodes: number; counts: string }) =>
    say`and ${counted(nodes, 'more node', 'more nodes')}${word(counts === '' ? '' : `, ${counts}`)}`,
  'new-revision': ({ name }: { name: string }) => say`New revision ${code(name)}`,
  /** `name` is '' for several revisions. */
  'former-revision': ({ name }: { name: string }) =>
    name === '' ? say`Previous revisions` : say`Previous revision ${code(name)}`,
  /** The meaning of a sign. */
  sign: ({ state }: { state: PodState | FailingKind }) => say`${word(signs.en[state])}`,
  party: (party: Party) => partyWords('en', party),
  /** What the party waits for. `held` says how the next party holds it. */
  needs: ({ who, waits }: { who: Party; waits: Wait }) => needs.en(waits, several(who)),
  held: ({ waits }: { waits: Wait }) => say`${word(held.en[waits.for])}`,
  /** `needs` and `held` as one sentence. */
  step: ({ who, waits, next }: { who: Party; waits: Wait; next: Party }) =>
    waits.for === 'readiness'
      ? say`The ${partyWords('en', who)} ${needs.en(waits, several(who))} the ${partyWords('en', next)} ${word(several(next) ? 'are' : 'is')} ready.`
      : say`The ${partyWords('en', who)} ${needs.en(waits, several(who))}, ${word(held.en[waits.for])} the ${partyWords('en', next)}.`,
  'how-to-read-cycle': () =>
    say`Each waits for the next, and the last waits for the first. None of them can move first.`,
  /** Pods and the workload that they are of. */
  'of-workload': ({ who, workload }: { who: Prose; workload: string }) => say`${who} of ${code(workload)}`,
  'and-more': ({ shown, more }: { shown: Prose; more: number }) => say`${shown} and ${more} more`,
  'on-nodes': ({ nodes }: { nodes: Prose }) => say` on ${nodes}`,
  'as-of': ({ at }: { at: string }) => say`as of ${moment(at)}`,
  unreadable: ({ workload }: { workload: string }) =>
    say`${code(workload)}: the last diagnosis could not read all pods, so it has no picture.`,
};

const ko: typeof en = {
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
  'row-troubled': ({ trouble, pods, of }) => say`${pods}/${of} ${word(troubleWords.ko[trouble])}`,
  'row-ready': ({ ready, of }) => say`Ready ${ready}/${of}`,
  'row-also': ({ state, pods }) => say`${pods}개 ${word(signs.ko[state])}`,
  'row-no-node': () => say`노드 미배정`,
  restarts: ({ least, most, pods }) => {
    if (least !== most) return say`재시작 ${least}~${most}회`;
    return pods === 1 ? say`재시작 ${most}회` : say`재시작 각 ${most}회`;
  },
  'exit-code': ({ exitCode }) => say`종료 코드 ${exitCode}`,
  folded: ({ nodes, counts }) => say`다른 노드 ${nodes}개${word(counts === '' ? '' : `: ${counts}`)}`,
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
  'of-workload': ({ who, workload }) => say`${code(workload)} ${who}`,
  'and-more': ({ shown, more }) => say`${shown} 외 ${more}개`,
  'on-nodes': ({ nodes }) => say`${nodes}의 `,
  'as-of': ({ at }) => say`${moment(at)} 기준`,
  unreadable: ({ workload }) =>
    say`${code(workload)}: 마지막 진단에서 파드를 모두 읽지 못해 그림이 없습니다.`,
};

export const pictureText = { en, ko };

/** The state that all failing pods of a strip share. */
export type Trouble = 'crashing' | 'restarting' | 'failing' | FailingKind | 'crashed' | 'mixed';

/** Pods that never got to run, or were taken away. */
const failing = {
  en: {
    failing: 'not started or evicted',
    'not-started': 'not started',
    evicted: 'evicted',
    rejected: 'rejected by the kubelet',
  },
  ko: {
    failing: '시작 실패 또는 축출(Evicted)',
    'not-started': '시작 실패',
    evicted: '축출(Evicted)',
    rejected: 'kubelet이 거부',
  },
} as const satisfies Readonly<Record<Language, Readonly<Record<'failing' | FailingKind, string>>>>;

const troubleWords = {
  en: {
    crashing: 'crashing',
    restarting: 'restarting repeatedly',
    ...failing.en,
    crashed: 'crashed in the last 24 h',
    mixed: 'failing',
  },
  ko: {
    crashing: '크래시',
    restarting: '재시작 반복',
    ...failing.ko,
    crashed: '최근 24시간 내 크래시',
    mixed: '실패',
  },
} as const satisfies Readonly<Record<Language, Readonly<Record<Trouble, string>>>>;

const signs = {
  en: {
    crashing: 'crashing',
    restarting: 'restarting repeatedly',
    ...failing.en,
    crashed: 'crashed in the last 24 h',
    'not-ready': 'not ready',
    waiting: 'waiting for a node',
    ready: 'ready',
    gone: 'terminating or finished',
  },
  ko: {
    crashing: '크래시',
    restarting: '재시작 반복',
    ...failing.ko,
    crashed: '최근 24시간 내 크래시',
    'not-ready': '준비 안 됨',
    waiting: '노드 대기',
    ready: '준비됨',
    gone: '종료 중이거나 종료됨',
  },
} as const satisfies Readonly<Record<Language, Readonly<Record<PodState | FailingKind, string>>>>;

function several({ names: named, more }: Party): boolean {
  return named.length + more > 1;
}

const roles = {
  en: {
    'new-pod': ['new pod', 'new pods'],
    'old-pod': ['old pod', 'old pods'],
    'unmade-pod': ['new pod (not created) of', 'new pods (not created) of'],
  },
  ko: {
    'new-pod': ['새 파드', '새 파드'],
    'old-pod': ['이전 파드', '이전 파드'],
    'unmade-pod': ['(아직 생성되지 않은) 새 파드, 컨트롤러', '(아직 생성되지 않은) 새 파드, 컨트롤러'],
  },
} as const satisfies Readonly<Record<Language, Readonly<Record<Party['role'], readonly [string, string]>>>>;

function partyWords(language: Language, party: Party): Prose {
  const { role, names: named, more } = party;
  const [one, many] = roles[language][role];
  const who = say`${word(several(party) ? many : one)} ${named.length === 0 ? [] : withMore(language, named, more)}`;
  const { workload } = party;
  return workload === undefined ? who : pictureText[language]['of-workload']({ who, workload });
}

function withMore(language: Language, named: readonly string[], more: number): Prose {
  if (more === 0) return names(language, named);
  const shown = named.flatMap((name, at) => (at === 0 ? [code(name)] : [word(', '), code(name)]));
  return pictureText[language]['and-more']({ shown, more });
}

function on(language: Language, nodes: readonly string[], moreNodes: number): Prose {
  if (nodes.length === 0) return [];
  return pictureText[language]['on-nodes']({ nodes: withMore(language, nodes, moreNodes) });
}

/** Resources that are places, not things on a node. */
const places: ReadonlySet<string> = new Set(['podAntiAffinity', 'topologySpread', 'pods']);

function thing(language: Language, resource: string, amount: string): Prose {
  return amount === '' ? say`${code(resource)}` : thingWords(language, resource, amount);
}

/** What a party waits for, in words that stand before the party that holds it. */
const needs = {
  en: (waits: Wait, several: boolean): Prose => {
    const need = word(several ? 'need' : 'needs');
    const isReady = word(several ? 'are ready' : 'is ready');
    switch (waits.for) {
      case 'resource': {
        const { resource, amount, nodes, moreNodes } = waits;
        const where = places.has(resource) ? [] : on('en', nodes, moreNodes);
        return say`${need} ${thing('en', resource, amount)}${where}`;
      }
      case 'place':
        return say`${need} room on ${code(waits.node)}`;
      case 'quota':
        return say`${need} ${code(waits.resource)} of quota ${code(waits.quota)}`;
      case 'group':
        return say`${need} ${counted(waits.missing, 'more pod', 'more pods')} of group ${code(waits.group)}`;
      case 'volume':
        return say`${need} volume ${code(waits.volume)}, attached to ${code(waits.node)}`;
      case 'lease':
        return say`${isReady} only with lease ${code(waits.lease)}`;
      case 'lock':
        return say`${isReady} only with a lock`;
      case 'readiness':
        return say`${word(several ? 'are' : 'is')} kept until`;
    }
  },
  ko: (waits: Wait): Prose => {
    switch (waits.for) {
      case 'resource': {
        const { resource, amount, nodes, moreNodes } = waits;
        const where = places.has(resource) ? [] : on('ko', nodes, moreNodes);
        return say`${where}${thing('ko', resource, amount)} 필요`;
      }
      case 'place':
        return say`${code(waits.node)} 노드의 자리 필요`;
      case 'quota':
        return say`쿼터 ${code(waits.quota)}의 ${code(waits.resource)} 필요`;
      case 'group':
        return say`그룹 ${code(waits.group)}의 파드 ${waits.missing}개 더 필요`;
      case 'volume':
        return say`${code(waits.node)} 노드에 연결된 볼륨 ${code(waits.volume)} 필요`;
      case 'lease':
        return say`리스 ${code(waits.lease)}${particle(waits.lease, '을', '를')} 획득해야 준비됨`;
      case 'lock':
        return say`락을 획득해야 준비됨`;
      case 'readiness':
        return say`새 파드가 준비될 때까지`;
    }
  },
} as const;

const held = {
  en: {
    resource: 'in use by',
    place: 'in use by',
    quota: 'used up by',
    group: 'not created beside',
    volume: 'in use there by',
    lease: 'held by',
    lock: 'held by',
    readiness: 'the new pod is ready',
  },
  ko: {
    resource: '점유:',
    place: '점유:',
    quota: '소진:',
    group: '함께 생성되지 않음:',
    volume: '사용 중:',
    lease: '보유:',
    lock: '보유:',
    readiness: '유지',
  },
} as const satisfies Readonly<Record<Language, Readonly<Record<Wait['for'], string>>>>;

/** The party with the particle of a subject. */
function subject(party: Party): Prose {
  const last = party.more > 0 ? '개' : (party.names.at(-1) ?? '파드');
  return say`${partyWords('ko', party)}${particle(last, '이', '가')}`;
}
