import type { Catalogue } from '../../../core/language/catalogue.js';
import { code, moment, type Prose, person, say, strong, word } from '../../../core/language/prose.js';
import { joined } from '../../../core/language/words.js';

type None = Record<string, never>;

/** What stands on the Home page. */
export type HomeShapes = {
  readonly 'pending-heading': { readonly count: number };
  readonly 'nothing-pending': None;
  readonly pending: { readonly title: Prose; readonly workload: string };
  readonly 'waits-for-you': None;
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
      say`${strong(count === 1 ? '1 change waits for approval' : `${count} changes wait for approval`)}`,
    'nothing-pending': () => say`${strong('No change waits for approval.')}`,
    pending: ({ title, workload }) => say`${title} for ${code(workload)}`,
    'waits-for-you': () => say`your approval would count`,
    'approved-by': ({ by }) => say`approved by ${joined('en', by.map(person))}`,
    missing: ({ missing, until }) =>
      say`${missing} more ${word(missing === 1 ? 'person has' : 'people have')} to approve by ${moment(until)}`,
    more: ({ count }) => say`… and ${count} more`,
    'how-to-ask': () =>
      say`Ask in any channel I am in: ${code('/rollout-doctor namespace/name')}, or ${code('/rollout-doctor help')}.`,
    'as-of': ({ at }) => say`as of ${moment(at)}; opening this page again renews it`,
    'not-shown': () => say`This page could not be made. Opening it again tries once more.`,
  },
  ko: {
    'pending-heading': ({ count }) => say`${strong(`승인을 기다리는 변경 ${count}개`)}`,
    'nothing-pending': () => say`${strong('승인을 기다리는 변경이 없습니다.')}`,
    pending: ({ title, workload }) => say`${code(workload)}: ${title}`,
    'waits-for-you': () => say`승인할 수 있습니다`,
    'approved-by': ({ by }) => say`승인 ${joined('ko', by.map(person))}`,
    missing: ({ missing, until }) => say`${moment(until)}까지 ${missing}명이 더 승인해야 함`,
    more: ({ count }) => say`… 외 ${count}개`,
    'how-to-ask': () =>
      say`제가 있는 채널에서 물어보세요: ${code('/rollout-doctor namespace/name')}, ${code('/rollout-doctor help')}.`,
    'as-of': ({ at }) => say`${moment(at)} 기준, 페이지를 다시 열면 갱신됩니다`,
    'not-shown': () => say`이 페이지를 만들지 못했습니다. 다시 열면 한 번 더 시도합니다.`,
  },
};
