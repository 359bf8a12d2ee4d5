import type { Catalogue } from '../../engine/language/catalogue.js';
import { code, say, word } from '../../engine/language/prose.js';
import { counted, duration, names } from '../../engine/language/words.js';
import type { JudgeShapes } from './judge.js';

export const judgeText: Catalogue<JudgeShapes> = {
  en: {
    complete: ({ ready, wanted }) => say`${ready} of ${wanted} pods ready, all on the new revision`,
    held: ({ ready, wanted }) =>
      say`${ready} of ${wanted} pods ready. The update waits for a person or an analysis`,
    'on-stable': ({ ready, wanted }) => say`${ready} of ${wanted} pods ready, on the stable revision`,
    moving: ({ replaced, ready, wanted }) =>
      say`${replaced}/${wanted} ${word(wanted === 1 ? 'pod' : 'pods')} replaced, ${ready}/${wanted} ready`,
    'new-trouble': ({ cause }) => say`the rollout now has ${code(cause)}, which was not found before`,
    'next-step': ({ pods }) => say`the previous template is restored. Next step: delete ${names('en', pods)}`,
    'restored-fields': () => say`the previous values are restored`,
    'restored-pending': () => say`not all previous values are restored yet`,
    'replacement-stopping': ({ pod }) => say`${code(pod)} is stopping`,
    'replacement-awaited': ({ pod }) => say`${code(pod)} is deleted, and its replacement is not created yet`,
    'replacement-starting': ({ pod, node }) =>
      node === ''
        ? say`the replacement ${code(pod)} is waiting for a node`
        : say`the replacement ${code(pod)} is starting on ${code(node)}`,
    'replacement-failing': ({ pod, node, restarts }) =>
      say`the replacement ${code(pod)} also fails on ${code(node)}: ${counted(restarts, 'restart', 'restarts')}`,
    'replacement-ready': ({ pod, node }) =>
      say`the replacement ${code(pod)} is ready on ${code(node)} and has not restarted`,
    'replacement-not-yet': ({ pod, node, wanted }) =>
      say`the replacement ${code(pod)} is ready on ${code(node)} and must run ${duration('en', wanted)} without a restart`,
  },
  ko: {
    complete: ({ ready, wanted }) => say`Ready ${ready}/${wanted}, 모두 새 리비전`,
    held: ({ ready, wanted }) => say`Ready ${ready}/${wanted}, 업데이트가 사람이나 분석을 기다리는 중`,
    'on-stable': ({ ready, wanted }) => say`Ready ${ready}/${wanted}, 안정 리비전`,
    moving: ({ replaced, ready, wanted }) => say`교체된 파드 ${replaced}/${wanted}, Ready ${ready}/${wanted}`,
    'new-trouble': ({ cause }) => say`변경 전에는 없던 ${code(cause)} 원인이 발견됨`,
    'next-step': ({ pods }) => say`이전 템플릿으로 복원됨. 다음 단계: ${names('ko', pods)} 파드 삭제`,
    'restored-fields': () => say`이전 값으로 복원됨`,
    'restored-pending': () => say`아직 이전 값이 모두 복원되지 않음`,
    'replacement-stopping': ({ pod }) => say`${code(pod)} 종료 중`,
    'replacement-awaited': ({ pod }) => say`${code(pod)} 삭제됨, 대체 파드는 아직 생성되지 않음`,
    'replacement-starting': ({ pod, node }) =>
      node === ''
        ? say`대체 파드 ${code(pod)} 노드 배정 대기 중`
        : say`${code(node)}에서 대체 파드 ${code(pod)} 시작 중`,
    'replacement-failing': ({ pod, node, restarts }) =>
      say`${code(node)}에서 대체 파드 ${code(pod)} 역시 실패: 재시작 ${restarts}회`,
    'replacement-ready': ({ pod, node }) => say`${code(node)}에서 대체 파드 ${code(pod)} 준비됨, 재시작 없음`,
    'replacement-not-yet': ({ pod, node, wanted }) =>
      say`${code(node)}에서 대체 파드 ${code(pod)} 준비됨. 재시작 없이 ${duration('ko', wanted)} 동안 실행되어야 함`,
  },
};
