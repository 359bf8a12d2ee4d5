import type { SameSentences } from '../../../language/catalogue.js';
import { code, say } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { duration, names } from '../../../language/words.js';

const en = {
  summary: ({ workload, container }: { readonly workload: string; readonly container: string }) =>
    say`${code(workload)}: init container ${code(container)} does not finish`,
  standing: ({
    failing,
    of,
    longest,
  }: {
    readonly failing: number;
    readonly of: number;
    readonly longest: number;
  }) => say`${failing} of ${of} pods have waited for it, up to ${duration('en', longest)}.`,
  running: ({ container, pods }: { readonly container: string; readonly pods: readonly string[] }) =>
    say`${code(container)} runs in ${names('en', pods)} and has not ended.`,
  position: ({
    number,
    of,
    waiting,
  }: {
    readonly number: number;
    readonly of: number;
    readonly waiting: readonly string[];
  }) =>
    say`It is number ${number} of ${of}; after it come ${names('en', waiting)}, which start only when it has ended well.`,
  'waits-for-service': ({
    service,
    ready,
    wanted,
  }: {
    readonly service: string;
    readonly ready: number;
    readonly wanted: number;
  }) => say`Its command speaks of ${code(service)}, of which ${ready} of ${wanted} pods are ready.`,
  'because-no-crash': ({ container }: { readonly container: string }) =>
    say`${code(container)} runs, it has not failed`,
  'restart-withheld': () => say`New pods wait for the same.`,
  'advice-title': () => say`See what it waits for`,
  advice: ({ container }: { readonly container: string }) =>
    say`The log of ${code(container)} usually says what it waits for.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, container }) =>
    say`${code(workload)}: 초기화 컨테이너 ${code(container)} 작업이 끝나지 않습니다`,
  standing: ({ failing, of, longest }) =>
    say`파드 ${of}개 중 ${failing}개가 최대 ${duration('ko', longest)} 동안 기다리고 있습니다.`,
  running: ({ container, pods }) =>
    say`${names('ko', pods)} 파드에서 ${code(container)} 실행 중이며 끝나지 않았습니다.`,
  position: ({ number, of, waiting }) =>
    say`${of}개 중 ${number}번째입니다. 정상으로 끝나야 다음이 시작됩니다: ${names('ko', waiting)}.`,
  'waits-for-service': ({ service, ready, wanted }) =>
    say`명령에 나오는 ${code(service)}: 파드 ${wanted}개 중 ${ready}개만 준비되어 있습니다.`,
  'because-no-crash': ({ container }) => say`${code(container)} 실행 중이며 실패하지 않음`,
  'restart-withheld': () => say`새 파드도 같은 것을 기다립니다.`,
  'advice-title': () => say`무엇을 기다리는지 확인하세요`,
  advice: ({ container }) => say`보통 ${code(container)} 로그에 무엇을 기다리는지 나옵니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('init-container-stuck');
