import type { SameSentences } from '../../../language/catalogue.js';
import { code, quote, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { names } from '../../../language/words.js';
import { type FailingPods, failingPods } from '../../crashes/failing-pods.js';

const en = {
  'shared-failure': () => say`containers crash`,
  summary: ({ workload, container }: { readonly workload: string; readonly container: string }) =>
    say`${code(workload)}: container ${code(container)} crashes`,
  'standing-crashing': (pods: FailingPods) =>
    say`The kubelet restarts the container, but it exits again. ${failingPods('en', pods)} are affected.`,
  'standing-recovered': ({ failing }: { readonly failing: number }) =>
    say`The container is running again. In the last hour it crashed in ${failing} of its pods.`,
  'hook-failed': ({ container, message }: { readonly container: string; readonly message: string }) =>
    say`A lifecycle hook of ${code(container)} failed: ${quote(message)}`,
  'ready-beside': ({ pods }: { readonly pods: readonly string[] }) =>
    say`On the same node, ${names('en', pods)} of the same revision started later and ${word(pods.length === 1 ? 'is' : 'are')} ready. New pods can run there.`,
  'restart-withheld-beside': () =>
    say`Deleting the failing pods is enough. A restart would replace the ready pods as well.`,
  'restart-withheld': () => say`New pods would start the same program with the same settings.`,
  'exclude-withheld': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`The container crashes on several nodes: ${names('en', nodes)}.`,
  'advice-log-title': () => say`Read the full log of the crashed container`,
  'advice-log': ({ container }: { readonly container: string }) =>
    say`The program in ${code(container)} exited on its own. Its log usually shows the reason.`,
  'advice-log-stopped': ({ container }: { readonly container: string }) =>
    say`The last lines of ${code(container)} may show what it did when it was stopped.`,
};

const ko: SameSentences<typeof en> = {
  'shared-failure': () => say`컨테이너에 크래시 발생`,
  summary: ({ workload, container }) =>
    say`${code(workload)}: ${code(container)} 컨테이너에서 크래시가 발생합니다`,
  'standing-crashing': (pods) =>
    say`컨테이너가 재시작 후에도 다시 종료됩니다. ${failingPods('ko', pods)}가 영향을 받고 있습니다.`,
  'standing-recovered': ({ failing }) =>
    say`지금은 실행 중이지만, 지난 1시간 동안 파드 ${failing}개에서 크래시가 발생했습니다.`,
  'hook-failed': ({ container, message }) => say`${code(container)} 라이프사이클 훅 실패: ${quote(message)}`,
  'ready-beside': ({ pods }) =>
    say`같은 노드에서 나중에 시작된 같은 리비전의 파드 ${names('ko', pods)} 상태: 준비됨. 새 파드는 이 노드에서 실행될 수 있습니다.`,
  'restart-withheld-beside': () =>
    say`실패하는 파드만 삭제하면 됩니다. 재시작하면 준비된 파드까지 교체됩니다.`,
  'restart-withheld': () => say`새 파드도 같은 설정으로 같은 프로그램을 시작합니다.`,
  'exclude-withheld': ({ nodes }) => say`여러 노드에서 크래시가 발생합니다: ${names('ko', nodes)}.`,
  'advice-log-title': () => say`종료된 컨테이너의 로그 전체 확인하기`,
  'advice-log': ({ container }) =>
    say`${code(container)} 컨테이너의 프로그램이 스스로 종료했습니다. 이유는 보통 로그에 있습니다.`,
  'advice-log-stopped': ({ container }) =>
    say`${code(container)} 컨테이너가 중지될 때 무엇을 하고 있었는지 마지막 로그에 남아 있을 수 있습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('application-crash');
