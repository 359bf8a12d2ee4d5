import type { Language } from '../../../core/language/language.js';
import type { Column } from './table.js';

type Columns = Readonly<
  Record<
    | 'state'
    | 'workload'
    | 'ready'
    | 'problem'
    | 'assignee'
    | 'since'
    | 'when'
    | 'change'
    | 'by'
    | 'reason'
    | 'result',
    Column
  >
>;

/** Headings of the tables of lists. */
export const listColumns: Readonly<Record<Language, Columns>> = {
  en: {
    state: { heading: 'Severity' },
    workload: { heading: 'Workload' },
    ready: { heading: 'Ready' },
    problem: { heading: 'Problem', isWide: true },
    assignee: { heading: 'On it' },
    since: { heading: 'Since' },
    when: { heading: 'When' },
    change: { heading: 'Change', isWide: true },
    by: { heading: 'By' },
    reason: { heading: 'Reason', isWide: true },
    result: { heading: 'Result', isWide: true },
  },
  ko: {
    state: { heading: '심각도' },
    workload: { heading: '워크로드' },
    ready: { heading: 'Ready' },
    problem: { heading: '문제', isWide: true },
    assignee: { heading: '담당자' },
    since: { heading: '시작' },
    when: { heading: '시각' },
    change: { heading: '변경', isWide: true },
    by: { heading: '승인자' },
    reason: { heading: '사유', isWide: true },
    result: { heading: '결과', isWide: true },
  },
};
