import type { Catalogue } from '../../../core/language/catalogue.js';
import { code, moment, person, say } from '../../../core/language/prose.js';

/** Private answers about who works on an incident. */
type AssigneeShapes = {
  readonly yours: { readonly workload: string };
  readonly 'yours-since': { readonly workload: string; readonly at: string };
  readonly theirs: { readonly workload: string; readonly by: string };
  readonly 'theirs-since': { readonly workload: string; readonly by: string; readonly at: string };
  readonly free: { readonly workload: string };
};

export const assigneeText: Catalogue<AssigneeShapes> = {
  en: {
    yours: ({ workload }) => say`You are on ${code(workload)} now. The card states it.`,
    'yours-since': ({ workload, at }) => say`You have been on ${code(workload)} since ${moment(at)}.`,
    theirs: ({ workload, by }) => say`${person(by)} is on ${code(workload)} now.`,
    'theirs-since': ({ workload, by, at }) =>
      say`${person(by)} has been on ${code(workload)} since ${moment(at)}. Your click changed nothing.`,
    free: ({ workload }) => say`You are no longer on ${code(workload)}.`,
  },
  ko: {
    yours: ({ workload }) => say`이제 ${code(workload)} 담당자입니다. 카드에 표시됩니다.`,
    'yours-since': ({ workload, at }) => say`${moment(at)}부터 ${code(workload)} 담당자입니다.`,
    theirs: ({ workload, by }) => say`이제 ${person(by)} 님이 ${code(workload)} 담당자입니다.`,
    'theirs-since': ({ workload, by, at }) =>
      say`${person(by)} 님이 ${moment(at)}부터 ${code(workload)} 담당자입니다. 담당자는 바뀌지 않았습니다.`,
    free: ({ workload }) => say`${code(workload)} 담당을 내려놓았습니다.`,
  },
};
