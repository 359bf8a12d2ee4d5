import type { UnseenReason } from '../../../core/cluster/snapshot.js';
import type { Catalogue } from '../../../core/language/catalogue.js';
import type { Language } from '../../../core/language/language.js';
import { code, quote, say, strong, word } from '../../../core/language/prose.js';
import { unseenWords } from './kind-words.js';

type None = Record<string, never>;

/** The search of the Home page. */
export type SearchShapes = {
  readonly searching: None;
  readonly 'incidents-heading': None;
  readonly 'workloads-heading': None;
  readonly workload: { readonly workload: string; readonly kind: string; readonly cluster: string };
  readonly 'near-heading': { readonly text: string };
  readonly nothing: { readonly text: string };
  readonly unreadable: { readonly because: UnseenReason };
};

export const searchText: Catalogue<SearchShapes> = {
  en: {
    searching: () => say`Searching …`,
    'incidents-heading': () => say`${strong('Incidents')}`,
    'workloads-heading': () => say`${strong('Workloads')}`,
    workload: ({ workload, kind, cluster }) => say`${code(workload)} · ${word(kind)} · ${code(cluster)}`,
    'near-heading': ({ text }) => say`No workload is named ${quote(text)}. Did you mean one of these?`,
    nothing: ({ text }) => say`No workload or incident that you can view is named ${quote(text)}.`,
    unreadable: ({ because }) => say`The clusters could not be searched: ${word(unseenWords.en[because])}.`,
  },
  ko: {
    searching: () => say`검색 중 …`,
    'incidents-heading': () => say`${strong('인시던트')}`,
    'workloads-heading': () => say`${strong('워크로드')}`,
    workload: ({ workload, kind, cluster }) => say`${code(workload)} · ${word(kind)} · ${code(cluster)}`,
    'near-heading': ({ text }) => say`${quote(text)} 이름의 워크로드가 없습니다. 다음 중 하나인가요?`,
    nothing: ({ text }) => say`볼 수 있는 워크로드와 인시던트 중에 ${quote(text)} 이름이 없습니다.`,
    unreadable: ({ because }) => say`클러스터를 검색하지 못했습니다: ${word(unseenWords.ko[because])}.`,
  },
};

/** Frame and inputs of the modal; plain text within Slack's 24 characters for title and buttons. */
export const searchFrame: Readonly<
  Record<
    Language,
    {
      readonly title: string;
      readonly submit: string;
      readonly close: string;
      readonly name: string;
      readonly namePlaceholder: string;
      readonly channel: string;
      readonly channelHint: string;
    }
  >
> = {
  en: {
    title: 'Search',
    submit: 'Search',
    close: 'Close',
    name: 'Workload',
    namePlaceholder: 'api, shop/api or deploy/api -n shop',
    channel: 'Channel for a new card',
    channelHint: 'If you start a diagnosis, its card is posted there.',
  },
  ko: {
    title: '검색',
    submit: '검색',
    close: '닫기',
    name: '워크로드',
    namePlaceholder: 'api, shop/api 또는 deploy/api -n shop',
    channel: '새 카드를 게시할 채널',
    channelHint: '진단을 시작하면 이 채널에 카드가 게시됩니다.',
  },
};
