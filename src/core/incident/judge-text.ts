import type { Catalogue } from '../language/catalogue.js';
import { code, say } from '../language/prose.js';
import { counted, duration, names } from '../language/words.js';
import type { JudgeShapes } from './judge.js';

export const judgeText: Catalogue<JudgeShapes> = {
  en: {
    complete: ({ ready, wanted }) => say`${ready} of ${wanted} ready, all of the new revision`,
    moving: ({ ready, wanted, updated }) =>
      say`${counted(updated, 'new pod', 'new pods')} so far, ${ready} of ${wanted} ready`,
    stopping: ({ pods }) => say`${counted(pods, 'old pod', 'old pods')} stopping`,
    waiting: ({ cause }) => say`no step yet: ${code(cause)} is still found`,
    'new-trouble': ({ cause }) => say`the rollout now has ${code(cause)}, which was not found before`,
    'next-step': ({ pods }) => say`the former template is back; next step: delete ${names('en', pods)}`,
    'restored-fields': () => say`the former values are back`,
    'restored-pending': () => say`the former values are not all back yet`,
    'replacement-stopping': ({ pod }) => say`${code(pod)} is stopping`,
    'replacement-awaited': ({ pod }) => say`${code(pod)} is gone, its replacement not there yet`,
    'replacement-starting': ({ pod, node }) =>
      node === ''
        ? say`the replacement ${code(pod)} waits for a node`
        : say`the replacement ${code(pod)} starts on ${code(node)}`,
    'replacement-failing': ({ pod, node, restarts }) =>
      say`the replacement ${code(pod)} fails on ${code(node)} as well: ${counted(restarts, 'restart', 'restarts')}`,
    'replacement-ready': ({ pod, node }) =>
      say`the replacement ${code(pod)} is ready on ${code(node)} and has not restarted`,
    'replacement-not-yet': ({ pod, node, wanted }) =>
      say`the replacement ${code(pod)} is ready on ${code(node)}; it counts after ${duration('en', wanted)} without a restart`,
  },
  ko: {
    complete: ({ ready, wanted }) => say`${wanted}개 중 ${ready}개 준비됨, 모두 새 리비전`,
    moving: ({ ready, wanted, updated }) => say`새 파드 ${updated}개, ${wanted}개 중 ${ready}개 준비됨`,
    stopping: ({ pods }) => say`이전 파드 ${pods}개 종료 중`,
    waiting: ({ cause }) => say`아직 진전 없음: ${code(cause)} 원인이 그대로 있음`,
    'new-trouble': ({ cause }) => say`변경 전에는 없던 ${code(cause)} 원인이 발견됨`,
    'next-step': ({ pods }) => say`이전 템플릿으로 돌아왔음. 다음 단계: ${names('ko', pods)} 파드 삭제`,
    'restored-fields': () => say`예전 값으로 돌아왔음`,
    'restored-pending': () => say`아직 예전 값이 모두 돌아오지 않음`,
    'replacement-stopping': ({ pod }) => say`${code(pod)} 종료 중`,
    'replacement-awaited': ({ pod }) => say`${code(pod)} 삭제됨, 대체 파드는 아직 없음`,
    'replacement-starting': ({ pod, node }) =>
      node === ''
        ? say`대체 파드 ${code(pod)}가 노드를 기다리는 중`
        : say`대체 파드 ${code(pod)}가 ${code(node)}에서 시작하는 중`,
    'replacement-failing': ({ pod, node, restarts }) =>
      say`대체 파드 ${code(pod)}도 ${code(node)}에서 실패: 재시작 ${restarts}회`,
    'replacement-ready': ({ pod, node }) =>
      say`대체 파드 ${code(pod)}가 ${code(node)}에서 준비됨, 재시작 없음`,
    'replacement-not-yet': ({ pod, node, wanted }) =>
      say`대체 파드 ${code(pod)}가 ${code(node)}에서 준비됨. 재시작 없이 ${duration('ko', wanted)} 지나면 인정`,
  },
};
