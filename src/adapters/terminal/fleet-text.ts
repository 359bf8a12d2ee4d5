import type { Catalogue } from '../../core/language/catalogue.js';
import { code, moment, say } from '../../core/language/prose.js';
import type { NoValues } from '../../core/language/statement.js';
import { counted } from '../../core/language/words.js';

type FleetShapes = {
  readonly title: NoValues;
  readonly 'read-at': { readonly cluster: string; readonly at: string };
  readonly found: { readonly fragile: number; readonly workloads: number };
  readonly none: { readonly workloads: number };
  readonly workload: NoValues;
  readonly lacks: NoValues;
  readonly confidence: NoValues;
  readonly why: NoValues;
  readonly change: NoValues;
  readonly pictures: NoValues;
};

/** The words of the report on workloads whose next update will deadlock. */
export const fleetText: Catalogue<FleetShapes> = {
  en: {
    title: () => say`Workloads that deadlock at their next update`,
    'read-at': ({ cluster, at }) => say`${code(cluster)}, as of ${moment(at)}`,
    found: ({ fragile, workloads }) =>
      say`The next update of ${fragile} of ${counted(workloads, 'workload', 'workloads')} deadlocks.`,
    none: ({ workloads }) =>
      say`No deadlock was found in the next update of ${counted(workloads, 'workload', 'workloads')}.`,
    workload: () => say`Workload`,
    lacks: () => say`Lacks`,
    confidence: () => say`Confidence`,
    why: () => say`Why`,
    change: () => say`Change`,
    pictures: () => say`Wait cycles`,
  },
  ko: {
    title: () => say`다음 업데이트에서 교착 상태에 빠지는 워크로드`,
    'read-at': ({ cluster, at }) => say`${code(cluster)}, ${moment(at)} 기준`,
    found: ({ fragile, workloads }) =>
      say`워크로드 ${workloads}개 중 ${fragile}개가 다음 업데이트에서 교착 상태에 빠집니다.`,
    none: ({ workloads }) => say`워크로드 ${workloads}개의 다음 업데이트에서 교착 상태를 찾지 못했습니다.`,
    workload: () => say`워크로드`,
    lacks: () => say`부족한 리소스`,
    confidence: () => say`확실성`,
    why: () => say`이유`,
    change: () => say`변경할 내용`,
    pictures: () => say`교착 상태 구조`,
  },
};
