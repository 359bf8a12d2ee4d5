import type { Catalogue } from '../language/catalogue.js';
import { code, say } from '../language/prose.js';
import { counted } from '../language/words.js';
import type { JudgeShapes } from './judge.js';

export const judgeText: Catalogue<JudgeShapes> = {
  en: {
    complete: ({ ready, wanted }) => say`${ready} of ${wanted} ready, all of the new revision`,
    moving: ({ ready, wanted, updated }) =>
      say`${counted(updated, 'new pod', 'new pods')} so far, ${ready} of ${wanted} ready`,
    stopping: ({ pods }) => say`${counted(pods, 'old pod', 'old pods')} stopping`,
    waiting: ({ cause }) => say`no step yet: ${code(cause)} is still found`,
    'restored-fields': () => say`the former values are back`,
    'restored-pending': () => say`the former values are not all back yet`,
  },
  ko: {
    complete: ({ ready, wanted }) => say`${wanted}개 중 ${ready}개 준비됨, 모두 새 리비전`,
    moving: ({ ready, wanted, updated }) => say`새 파드 ${updated}개, ${wanted}개 중 ${ready}개 준비됨`,
    stopping: ({ pods }) => say`이전 파드 ${pods}개 종료 중`,
    waiting: ({ cause }) => say`아직 진전 없음: ${code(cause)} 원인이 그대로 있음`,
    'restored-fields': () => say`예전 값으로 돌아왔음`,
    'restored-pending': () => say`아직 예전 값이 모두 돌아오지 않음`,
  },
};
