import type { SameSentences } from '../../../language/catalogue.js';
import { code, say } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { elapsedAtMost, names, particle } from '../../../language/words.js';
import { type FailingPods, failingPods } from '../../crashes/failing-pods.js';

const en = {
  'shared-failure': () => say`an init container does not finish`,
  summary: ({ workload, container }: { readonly workload: string; readonly container: string }) =>
    say`${code(workload)}: init container ${code(container)} does not finish`,
  standing: ({
    longest,
    ...pods
  }: FailingPods & {
    readonly longest: number;
  }) =>
    say`${failingPods('en', pods)} are waiting for this init container, for ${elapsedAtMost('en', longest)}.`,
  running: ({ container, pods }: { readonly container: string; readonly pods: readonly string[] }) =>
    say`${code(container)} is still running in ${names('en', pods)}.`,
  position: ({
    number,
    of,
    waiting,
  }: {
    readonly number: number;
    readonly of: number;
    readonly waiting: readonly string[];
  }) =>
    say`The container is number ${number} of ${of}. ${names('en', waiting)} can start only after it exits with code 0.`,
  'waits-for-service': ({
    service,
    ready,
    wanted,
  }: {
    readonly service: string;
    readonly ready: number;
    readonly wanted: number;
  }) => say`Its command mentions workload ${code(service)}, which has ${ready} of ${wanted} pods ready.`,
  'because-no-crash': ({ container }: { readonly container: string }) =>
    say`${code(container)} is running and has not failed`,
  'restart-withheld': () => say`New pods would wait in the same way.`,
  'advice-title': () => say`Find out what the init container is waiting for`,
  advice: ({ container }: { readonly container: string }) =>
    say`The log of ${code(container)} usually shows what it is waiting for.`,
};

const ko: SameSentences<typeof en> = {
  'shared-failure': () => say`init 컨테이너가 끝나지 않음`,
  summary: ({ workload, container }) =>
    say`${code(workload)}: 초기화 컨테이너 ${code(container)}${particle(container, '이', '가')} 끝나지 않습니다`,
  standing: ({ longest, ...pods }) =>
    say`${failingPods('ko', pods)}가 이 초기화 컨테이너를 ${elapsedAtMost('ko', longest)} 동안 기다리고 있습니다.`,
  running: ({ container, pods }) =>
    say`${names('ko', pods)} 파드에서 ${code(container)} 컨테이너가 아직 실행 중입니다.`,
  position: ({ number, of, waiting }) =>
    say`${of}개 중 ${number}번째 컨테이너입니다. 종료 코드 0으로 끝나야 다음 컨테이너가 시작됩니다: ${names('ko', waiting)}.`,
  'waits-for-service': ({ service, ready, wanted }) =>
    say`명령에 나오는 워크로드 ${code(service)}: Ready ${ready}/${wanted}.`,
  'because-no-crash': ({ container }) => say`${code(container)} 컨테이너가 실행 중이며 실패하지 않음`,
  'restart-withheld': () => say`새 파드도 똑같이 기다리게 됩니다.`,
  'advice-title': () => say`초기화 컨테이너가 무엇을 기다리는지 확인하기`,
  advice: ({ container }) => say`무엇을 기다리는지는 보통 ${code(container)} 로그에 나옵니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('init-container-stuck');
