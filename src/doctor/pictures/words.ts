import type { Language } from '../../engine/language/language.js';
import { code, type Prose, say, word } from '../../engine/language/prose.js';
import { counted, names, particle } from '../../engine/language/words.js';
import { thingWords } from '../causes/surge-deadlock/need-words.js';
import type { PodState } from '../findings/picture.js';
import type { Party, Wait } from '../findings/wait-cycle.js';

/** The state that all failing pods of a strip share. */
export type Trouble = 'crashing' | 'restarting' | 'failing' | 'crashed' | 'mixed';

export const troubleWords = {
  en: {
    crashing: 'crashing',
    restarting: 'restarting repeatedly',
    failing: 'not started or evicted',
    crashed: 'crashed in the last 24 h',
    mixed: 'failing',
  },
  ko: {
    crashing: '크래시 발생',
    restarting: '재시작 반복',
    failing: '시작 실패 또는 축출(Evicted)',
    crashed: '최근 24시간 내 크래시',
    mixed: '실패',
  },
} as const satisfies Readonly<Record<Language, Readonly<Record<Trouble, string>>>>;

export const signs = {
  en: {
    crashing: 'crashing',
    restarting: 'restarting repeatedly',
    failing: 'not started or evicted',
    crashed: 'crashed in the last 24 h',
    'not-ready': 'not ready',
    waiting: 'waiting for a node',
    ready: 'ready',
    gone: 'terminating or finished',
  },
  ko: {
    crashing: '크래시 발생',
    restarting: '재시작 반복',
    failing: '시작 실패 또는 축출(Evicted)',
    crashed: '최근 24시간 내 크래시',
    'not-ready': '준비 안 됨',
    waiting: '노드 대기',
    ready: '준비됨',
    gone: '종료 중이거나 종료됨',
  },
} as const satisfies Readonly<Record<Language, Readonly<Record<PodState, string>>>>;

export function several({ names: named, more }: Party): boolean {
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

export function partyWords(language: Language, party: Party): Prose {
  const { role, names: named, more } = party;
  const [one, many] = roles[language][role];
  const who = say`${word(several(party) ? many : one)} ${named.length === 0 ? [] : withMore(language, named, more)}`;
  if (party.workload === undefined) return who;
  return language === 'en' ? say`${who} of ${code(party.workload)}` : say`${code(party.workload)} ${who}`;
}

function withMore(language: Language, named: readonly string[], more: number): Prose {
  if (more === 0) return names(language, named);
  const shown = named.flatMap((name, at) => (at === 0 ? [code(name)] : [word(', '), code(name)]));
  return language === 'en' ? say`${shown} and ${more} more` : say`${shown} 외 ${more}개`;
}

function on(language: Language, nodes: readonly string[], moreNodes: number): Prose {
  if (nodes.length === 0) return [];
  return language === 'en'
    ? say` on ${withMore('en', nodes, moreNodes)}`
    : say`${withMore('ko', nodes, moreNodes)}의 `;
}

/** Resources that are places, not things on a node. */
const places: ReadonlySet<string> = new Set(['podAntiAffinity', 'topologySpread', 'pods']);

function thing(language: Language, resource: string, amount: string): Prose {
  return amount === '' ? say`${code(resource)}` : thingWords(language, resource, amount);
}

/** What a party waits for, in words that stand before the party that holds it. */
export const needs = {
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

export const held = {
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
export function subject(party: Party): Prose {
  const last = party.more > 0 ? '개' : (party.names.at(-1) ?? '파드');
  return say`${partyWords('ko', party)}${particle(last, '이', '가')}`;
}
