import type { Catalogue } from '#src/core/language/catalogue.js';
import { code, quote, say } from '#src/core/language/prose.js';
import { declaredStatementsOf } from '#src/core/language/statement.js';

/** The words of a deadlock as a rule would say them, so that cards are tested without any rule. */
export type DeadlockShapes = {
  readonly summary: { readonly workload: string };
  readonly standing: { readonly revision: string; readonly minutes: number };
  readonly needs: { readonly pod: string; readonly node: string };
  readonly held: { readonly pod: string };
  readonly keeps: Record<string, never>;
  readonly counterfactual: { readonly pod: string; readonly node: string };
  readonly 'no-rescue': Record<string, never>;
  readonly served: { readonly ready: number; readonly wanted: number };
  readonly 'replace-in-place': Record<string, never>;
  readonly 'back-to': { readonly revision: string };
  readonly stops: { readonly pod: string };
  readonly places: { readonly pod: string; readonly node: string };
  readonly swaps: Record<string, never>;
  readonly unplaced: { readonly message: string };
  readonly 'no-node-ordered': Record<string, never>;
  readonly retries: Record<string, never>;
  readonly lasting: Record<string, never>;
  readonly 'lasting-text': { readonly workload: string };
  readonly waiting: { readonly pod: string };
};

export const deadlock = declaredStatementsOf<DeadlockShapes>('deadlock');

export const deadlockText: Catalogue<DeadlockShapes> = {
  en: {
    summary: ({ workload }) => say`${code(workload)} waits for itself`,
    standing: ({ revision, minutes }) =>
      say`The rollout to revision ${code(revision)} has stood still for ${minutes} min and cannot move by itself.`,
    needs: ({ pod, node }) =>
      say`The new pod ${code(pod)} needs 1 ${code('nvidia.com/gpu')}; only ${code(node)} has one, and it is taken.`,
    held: ({ pod }) => say`It is taken by ${code(pod)}: the old pod of this same Deployment.`,
    keeps: () => say`The strategy keeps the old pod until the new one is ready.`,
    counterfactual: ({ pod, node }) => say`Without ${code(pod)} the new pod fits on ${code(node)}.`,
    'no-rescue': () => say`No autoscaler and no retry will free that GPU.`,
    served: ({ ready, wanted }) => say`Users are served by the old version: ${ready} of ${wanted} ready.`,
    'replace-in-place': () => say`Replace in place`,
    'back-to': ({ revision }) => say`Back to revision ${code(revision)}`,
    stops: ({ pod }) => say`The controller stops ${code(pod)}.`,
    places: ({ pod, node }) => say`The scheduler places ${code(pod)} on ${code(node)}.`,
    swaps: () => say`It would swap one waiting pod for another.`,
    unplaced: ({ message }) => say`the scheduler says ${quote(message)}`,
    'no-node-ordered': () => say`no autoscaler has ordered a node`,
    retries: () => say`The scheduler tries again whenever a pod or node changes.`,
    lasting: () => say`Make it last`,
    'lasting-text': ({ workload }) => say`Put the same strategy into the manifest of ${code(workload)}.`,
    waiting: ({ pod }) => say`${code(pod)} is being started.`,
  },
  ko: {
    summary: ({ workload }) => say`${code(workload)} 롤아웃이 자기 자신을 기다리며 멈췄습니다`,
    standing: ({ revision, minutes }) =>
      say`리비전 ${code(revision)} 배포가 ${minutes}분째 멈춰 있고, 저절로 풀리지 않습니다.`,
    needs: ({ pod, node }) =>
      say`새 파드 ${code(pod)}에는 ${code('nvidia.com/gpu')} 1개가 필요합니다. GPU가 있는 노드는 ${code(node)}뿐인데 이미 사용 중입니다.`,
    held: ({ pod }) => say`그 GPU는 같은 Deployment의 이전 파드 ${code(pod)}가 쓰고 있습니다.`,
    keeps: () => say`현재 배포 전략은 새 파드가 준비되기 전에는 이전 파드를 내리지 않습니다.`,
    counterfactual: ({ pod, node }) => say`${code(pod)}가 없으면 새 파드가 ${code(node)}에 들어갑니다.`,
    'no-rescue': () => say`오토스케일러도 재시도도 그 GPU를 비우지 못합니다.`,
    served: ({ ready, wanted }) =>
      say`사용자는 이전 버전으로 서비스받고 있습니다: ${wanted}개 중 ${ready}개 준비됨.`,
    'replace-in-place': () => say`제자리 교체`,
    'back-to': ({ revision }) => say`리비전 ${code(revision)}로 되돌리기`,
    stops: ({ pod }) => say`컨트롤러가 ${code(pod)} 파드를 중지합니다.`,
    places: ({ pod, node }) => say`스케줄러가 ${code(pod)} 파드를 ${code(node)} 노드에 배치합니다.`,
    swaps: () => say`기다리는 파드가 다른 파드로 바뀔 뿐입니다.`,
    unplaced: ({ message }) => say`스케줄러 메시지 ${quote(message)}`,
    'no-node-ordered': () => say`오토스케일러가 주문한 노드가 없음`,
    retries: () => say`파드나 노드가 바뀔 때마다 스케줄러가 다시 시도합니다.`,
    lasting: () => say`계속 유지하기`,
    'lasting-text': ({ workload }) => say`${code(workload)} 매니페스트에도 같은 전략을 넣으세요.`,
    waiting: ({ pod }) => say`${code(pod)} 파드가 시작되는 중입니다.`,
  },
};
