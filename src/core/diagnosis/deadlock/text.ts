import type { SameSentences } from '../../language/catalogue.js';
import { code, say, word } from '../../language/prose.js';
import { statementsOf } from '../../language/statement.js';
import { counted, duration, names } from '../../language/words.js';

const en = {
  standing: ({
    revision,
    stillForSeconds,
  }: {
    readonly revision: string;
    readonly stillForSeconds: number | undefined;
  }) =>
    stillForSeconds === undefined
      ? say`The rollout to revision ${code(revision)} stands still and cannot move by itself.`
      : say`The rollout to revision ${code(revision)} has stood still for ${duration('en', stillForSeconds)} and cannot move by itself.`,
  'strategy-forbids': ({
    maxSurge,
    maxUnavailable,
    replicas,
    surge,
    unavailable,
  }: {
    readonly maxSurge: string;
    readonly maxUnavailable: string;
    readonly replicas: number;
    readonly surge: number;
    readonly unavailable: number;
  }) =>
    say`The strategy keeps the old ${word(replicas === 1 ? 'pod' : 'pods')} until a new one is ready: of ${counted(replicas, 'replica', 'replicas')}, maxSurge ${code(maxSurge)} allows ${surge} extra and maxUnavailable ${code(maxUnavailable)} allows ${unavailable} missing.`,
  /** The budget allows it, yet the controller has no step left. */
  'strategy-spent': ({
    maxSurge,
    maxUnavailable,
    unavailable,
    missing,
  }: {
    readonly maxSurge: string;
    readonly maxUnavailable: string;
    readonly unavailable: number;
    readonly missing: number;
  }) =>
    say`The strategy (maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)}) lets ${unavailable} be missing, and ${missing} ${word(missing === 1 ? 'is' : 'are')} missing already: the controller has no step left.`,
  served: ({ ready, wanted }: { readonly ready: number; readonly wanted: number }) =>
    ready >= wanted
      ? say`Users are served by the old version: ${ready} of ${wanted} ready.`
      : say`Only ${ready} of ${wanted} pods are ready.`,
  'ev-strategy': ({ surge, unavailable }: { readonly surge: number; readonly unavailable: number }) =>
    say`works out to ${surge} extra and ${unavailable} missing`,
  'ev-progress': ({ reason }: { readonly reason: string }) => say`the controller reports ${code(reason)}`,
  unread: ({ what, because }: { readonly what: string; readonly because: string }) =>
    say`Objects of kind ${code(what)} could not be read (${code(because)}), so something else may play a part.`,
  'because-old-revision': ({ pods }: { readonly pods: number }) =>
    say`${counted(pods, 'pod', 'pods')} of an old revision still ${word(pods === 1 ? 'runs' : 'run')}: this is a rollout, not a scale-up`,
  'because-has-node': ({ pod, node }: { readonly pod: string; readonly node: string }) =>
    say`${code(pod)} has its node ${code(node)}`,
  'because-not-paused': () => say`the rollout is not paused`,
  'because-not-leaving': ({ pods }: { readonly pods: readonly string[] }) =>
    say`${names('en', pods)} ${word(pods.length === 1 ? 'is' : 'are')} not being deleted`,
  'because-fixed-point': () => say`the controller's next sync changes nothing, whatever time passes`,
  'ev-holder': ({ pod, resource }: { readonly pod: string; readonly resource: string }) =>
    say`${code(pod)} accounts for ${code(resource)}`,
  'ev-surges': ({ surge, nodes }: { readonly surge: number; readonly nodes: number }) =>
    say`works out to ${counted(surge, 'node', 'nodes')} at a time, out of ${nodes}`,
  'advice-lasting-title': () => say`Make it last`,
  'advice-lasting': ({ workload }: { readonly workload: string }) =>
    say`Put the same strategy into the manifest of ${code(workload)}; otherwise its next apply brings the deadlock back.`,
};

const ko: SameSentences<typeof en> = {
  standing: ({ revision, stillForSeconds }) =>
    stillForSeconds === undefined
      ? say`리비전 ${code(revision)} 배포가 멈춰 있고, 저절로 움직일 수 없습니다.`
      : say`리비전 ${code(revision)} 배포가 ${duration('ko', stillForSeconds)}째 멈춰 있고, 저절로 움직일 수 없습니다.`,
  'strategy-forbids': ({ maxSurge, maxUnavailable, replicas, surge, unavailable }) =>
    say`현재 배포 전략은 새 파드가 준비되어야 이전 파드를 내립니다: 복제본 ${replicas}개에 maxSurge ${code(maxSurge)}는 추가 ${surge}개, maxUnavailable ${code(maxUnavailable)}는 부족 ${unavailable}개를 허용합니다.`,
  'strategy-spent': ({ maxSurge, maxUnavailable, unavailable, missing }) =>
    say`배포 전략(maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)})은 ${unavailable}개까지 부족을 허용하는데 이미 ${missing}개가 부족합니다. 컨트롤러가 더 할 수 있는 일이 없습니다.`,
  served: ({ ready, wanted }) =>
    ready >= wanted
      ? say`사용자는 이전 버전으로 서비스받고 있습니다: ${wanted}개 중 ${ready}개 준비됨.`
      : say`파드 ${wanted}개 중 ${ready}개만 준비되었습니다.`,
  'ev-strategy': ({ surge, unavailable }) => say`계산하면 추가 ${surge}개, 부족 ${unavailable}개`,
  'ev-progress': ({ reason }) => say`컨트롤러 보고: ${code(reason)}`,
  unread: ({ what, because }) =>
    say`${code(what)} 객체를 읽지 못해(${code(because)}) 다른 요인이 있을 수 있습니다.`,
  'because-old-revision': ({ pods }) =>
    say`이전 리비전 파드 ${pods}개가 아직 실행 중: 스케일업이 아니라 롤아웃`,
  'because-has-node': ({ pod, node }) => say`${code(pod)} 파드는 이미 ${code(node)}에 배치됨`,
  'because-not-paused': () => say`롤아웃이 일시 중지되지 않음`,
  'because-not-leaving': ({ pods }) => say`${names('ko', pods)} 파드는 삭제 중이 아님`,
  'because-fixed-point': () => say`시간이 지나도 컨트롤러의 다음 동기화가 아무것도 바꾸지 않음`,
  'ev-holder': ({ pod, resource }) => say`${code(pod)} 파드가 ${code(resource)} 점유`,
  'ev-surges': ({ surge, nodes }) => say`계산하면 노드 ${nodes}개 중 한 번에 ${surge}개`,
  'advice-lasting-title': () => say`계속 유지하기`,
  'advice-lasting': ({ workload }) =>
    say`${code(workload)} 매니페스트에도 같은 전략을 넣으세요. 그러지 않으면 다음 적용 때 다시 멈춥니다.`,
};

export const deadlockText = { en, ko };

/** Statements that several causes of this family make; their catalogue is the family's. */
export const deadlock = statementsOf<typeof en>('deadlock');
