import type { Confidence } from '../../../core/diagnosis/cause-id.js';
import type { Catalogue } from '../../../core/language/catalogue.js';
import { code, moment, type Prose, say, word } from '../../../core/language/prose.js';
import { counted } from '../../../core/language/words.js';
import { confidenceWords } from './kind-words.js';

/** The weekly list of workloads that deadlock at their next update. */
export type DigestShapes = {
  readonly heading: { readonly cluster: string; readonly count: number };
  readonly none: { readonly cluster: string; readonly workloads: number };
  readonly line: { readonly summary: Prose; readonly confidence: Confidence };
  readonly certainty: { readonly confidence: Confidence };
  readonly more: { readonly count: number };
  readonly 'in-thread': { readonly count: number };
  readonly skipped: { readonly count: number };
  readonly checked: { readonly workloads: number; readonly at: string };
  readonly all: { readonly count: number };
};

export const digestText: Catalogue<DigestShapes> = {
  en: {
    heading: ({ cluster, count }) =>
      say`The next update of ${counted(count, 'workload', 'workloads')} deadlocks in cluster ${code(cluster)}.`,
    none: ({ cluster, workloads }) =>
      say`No update deadlocks in cluster ${code(cluster)}. Rollout Doctor checked the next update of ${counted(workloads, 'workload', 'workloads')}.`,
    line: ({ summary, confidence }) => say`${summary} (${word(confidence)})`,
    certainty: ({ confidence }) => say`${word(confidence)}`,
    more: ({ count }) => say`${count} more`,
    'in-thread': ({ count }) => say`The thread lists ${count} more.`,
    skipped: ({ count }) => say`${counted(count, 'workload', 'workloads')} could not be checked.`,
    checked: ({ workloads, at }) => say`${counted(workloads, 'workload', 'workloads')} checked ${moment(at)}`,
    all: ({ count }) => say`All ${counted(count, 'workload', 'workloads')} whose next update deadlocks:`,
  },
  ko: {
    heading: ({ cluster, count }) =>
      say`${code(cluster)} 클러스터에서 워크로드 ${count}개의 다음 업데이트가 교착 상태에 빠집니다.`,
    none: ({ cluster, workloads }) =>
      say`${code(cluster)} 클러스터에는 교착 상태에 빠질 업데이트가 없습니다. 워크로드 ${workloads}개의 다음 업데이트를 확인했습니다.`,
    line: ({ summary, confidence }) => say`${summary} (${word(confidenceWords.ko[confidence])})`,
    certainty: ({ confidence }) => say`${word(confidenceWords.ko[confidence])}`,
    more: ({ count }) => say`외 ${count}개`,
    'in-thread': ({ count }) => say`나머지 ${count}개는 스레드에 있습니다.`,
    skipped: ({ count }) => say`워크로드 ${count}개는 확인하지 못했습니다.`,
    checked: ({ workloads, at }) => say`워크로드 ${workloads}개 확인, ${moment(at)}`,
    all: ({ count }) => say`다음 업데이트가 교착 상태에 빠지는 워크로드 ${count}개:`,
  },
};
