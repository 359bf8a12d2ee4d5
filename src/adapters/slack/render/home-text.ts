import type { Catalogue } from '../../../core/language/catalogue.js';
import { code, moment, type Prose, person, say, strong, word } from '../../../core/language/prose.js';
import { joined } from '../../../core/language/words.js';

type None = Record<string, never>;

/** The texts of the Home page. */
export type HomeShapes = {
  readonly 'pending-heading': { readonly count: number };
  readonly 'nothing-pending': None;
  readonly pending: { readonly title: Prose; readonly workload: string };
  readonly 'you-can-approve': None;
  readonly 'approved-by': { readonly by: readonly string[] };
  readonly missing: { readonly missing: number; readonly until: string };
  readonly more: { readonly count: number };
  readonly 'how-to-ask': None;
  readonly 'as-of': { readonly at: string };
  readonly 'not-shown': None;
};

export const homeText: Catalogue<HomeShapes> = {
  en: {
    'pending-heading': ({ count }) =>
      say`${strong(count === 1 ? '1 change is waiting for approval' : `${count} changes are waiting for approval`)}`,
    'nothing-pending': () => say`${strong('No pending approvals')}`,
    pending: ({ title, workload }) => say`${title} for ${code(workload)}`,
    'you-can-approve': () => say`you can approve this`,
    'approved-by': ({ by }) => say`approved by ${joined('en', by.map(person))}`,
    missing: ({ missing, until }) =>
      say`${missing} more ${word(missing === 1 ? 'person' : 'people')} must approve by ${moment(until)}`,
    more: ({ count }) => say`… and ${count} more`,
    'how-to-ask': () =>
      say`In a channel that has this app, use ${code('/rollout-doctor namespace/name')} or ${code('/rollout-doctor help')}.`,
    'as-of': ({ at }) => say`updated ${moment(at)} · reopen this page to refresh it`,
    'not-shown': () => say`This page could not be loaded. Reopen it to try again.`,
  },
  ko: {
    'pending-heading': ({ count }) => say`${strong(`승인 대기 중인 변경 ${count}개`)}`,
    'nothing-pending': () => say`${strong('승인 대기 중인 변경이 없습니다')}`,
    pending: ({ title, workload }) => say`${code(workload)}: ${title}`,
    'you-can-approve': () => say`내가 승인할 수 있음`,
    'approved-by': ({ by }) => say`${joined('ko', by.map(person))} 승인`,
    missing: ({ missing, until }) => say`${moment(until)}까지 ${missing}명이 더 승인해야 함`,
    more: ({ count }) => say`… 외 ${count}개`,
    'how-to-ask': () =>
      say`앱이 초대된 채널에서 ${code('/rollout-doctor namespace/name')} 또는 ${code('/rollout-doctor help')} 명령을 사용하세요.`,
    'as-of': ({ at }) => say`${moment(at)} 업데이트 · 페이지를 다시 열면 갱신됩니다`,
    'not-shown': () => say`페이지를 불러오지 못했습니다. 다시 열어 주세요.`,
  },
};
