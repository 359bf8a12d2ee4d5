import type { Catalogue } from '../../core/language/catalogue.js';
import { code, type Prose, quote, say } from '../../core/language/prose.js';
import type { NoValues } from '../../core/language/statement.js';
import { counted } from '../../core/language/words.js';

/** The words of a report around the findings, for terminal and Markdown alike. */
export type ReportShapes = {
  readonly nothing: { readonly workload: string };
  readonly unchecked: { readonly workload: string };
  readonly looked: { readonly cluster: string; readonly at: string };
  readonly why: NoValues;
  readonly 'ways-out': NoValues;
  readonly 'not-offered': NoValues;
  readonly 'ruled-out': NoValues;
  readonly advice: NoValues;
  readonly evidence: NoValues;
  readonly unseen: NoValues;
  readonly 'unseen-line': { readonly what: string; readonly because: string; readonly message: string };
  readonly 'also-found': NoValues;
  readonly proven: NoValues;
  readonly likely: NoValues;
  readonly possible: NoValues;
  readonly owner: { readonly by: string; readonly kind: string; readonly name: string };
  readonly 'work-spent': NoValues;
  readonly defect: { readonly cause: string };
  readonly 'all-well': { readonly workloads: number };
  readonly 'not-all-checked': { readonly workloads: number };
  readonly notes: { readonly workloads: number };
  readonly 'how-to-see-more': { readonly command: string };
  readonly critical: NoValues;
  readonly warning: NoValues;
};

/** Which object does not parse; for all other reasons the reason is enough. */
function unseenLine({ what, because, message }: ReportShapes['unseen-line']): Prose {
  return because !== 'malformed' || message === ''
    ? say`${code(what)}: ${code(because)}`
    : say`${code(what)}: ${code(because)} (${quote(message)})`;
}

export const reportText: Catalogue<ReportShapes> = {
  en: {
    nothing: ({ workload }) => say`Nothing is wrong with ${code(workload)} that I can see.`,
    unchecked: ({ workload }) =>
      say`The checks that ran found no problem in ${code(workload)}. Not all checks ran.`,
    looked: ({ cluster, at }) => say`${code(cluster)}, as of ${code(at)}`,
    why: () => say`Why`,
    'ways-out': () => say`Ways out`,
    'not-offered': () => say`Not offered`,
    'ruled-out': () => say`Ruled out`,
    advice: () => say`Also`,
    evidence: () => say`Evidence`,
    unseen: () => say`Could not be seen`,
    'unseen-line': unseenLine,
    'also-found': () => say`Also found`,
    proven: () => say`proven`,
    likely: () => say`likely`,
    possible: () => say`possible`,
    owner: ({ by, kind, name }) =>
      say`${code(by)} (${code(kind)} ${code(name)}) manages this object and may put old values back.`,
    'work-spent': () =>
      say`The diagnosis reached its work limit. Questions after that point have no answer, so findings made after it are less certain.`,
    defect: ({ cause }) =>
      say`The rule ${code(cause)} failed by itself; its cause is neither found nor ruled out.`,
    'all-well': ({ workloads }) => say`Nothing found in ${counted(workloads, 'workload', 'workloads')}.`,
    'not-all-checked': ({ workloads }) =>
      say`Checks failed in ${counted(workloads, 'workload', 'workloads')} in which nothing was found.`,
    notes: ({ workloads }) => say`Worth knowing about ${counted(workloads, 'workload', 'workloads')}`,
    'how-to-see-more': ({ command }) => say`All of one: ${code(command)}`,
    critical: () => say`critical`,
    warning: () => say`warning`,
  },
  ko: {
    nothing: ({ workload }) => say`${code(workload)}에서 잘못된 점을 찾지 못했습니다.`,
    unchecked: ({ workload }) =>
      say`실행된 검사에서는 ${code(workload)}의 문제를 찾지 못했습니다. 실행되지 못한 검사가 있습니다.`,
    looked: ({ cluster, at }) => say`${code(cluster)}, ${code(at)} 기준`,
    why: () => say`이유`,
    'ways-out': () => say`해결 방법`,
    'not-offered': () => say`제안하지 않는 것`,
    'ruled-out': () => say`제외한 원인`,
    advice: () => say`참고`,
    evidence: () => say`근거`,
    unseen: () => say`볼 수 없었던 것`,
    'unseen-line': unseenLine,
    'also-found': () => say`함께 발견된 것`,
    proven: () => say`증명됨`,
    likely: () => say`유력함`,
    possible: () => say`가능함`,
    owner: ({ by, kind, name }) =>
      say`${code(by)}(${code(kind)} ${code(name)})이(가) 이 오브젝트를 관리하며 예전 값으로 되돌릴 수 있습니다.`,
    'work-spent': () =>
      say`진단이 작업량 한도에 도달했습니다. 그 이후의 항목은 확인하지 못했으므로, 이후 결과의 확실성은 낮습니다.`,
    defect: ({ cause }) =>
      say`규칙 ${code(cause)} 자체가 실패했습니다. 이 원인은 확인도 제외도 되지 않았습니다.`,
    'all-well': ({ workloads }) => say`워크로드 ${workloads}개에서 발견된 것이 없습니다.`,
    'not-all-checked': ({ workloads }) =>
      say`문제가 발견되지 않은 워크로드 중 ${workloads}개에서 일부 검사가 실패했습니다.`,
    notes: ({ workloads }) => say`알아 둘 점(워크로드 ${workloads}개)`,
    'how-to-see-more': ({ command }) => say`하나를 자세히 보려면: ${code(command)}`,
    critical: () => say`심각`,
    warning: () => say`경고`,
  },
};
