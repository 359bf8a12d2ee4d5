import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, sentences } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { duration } from '../../../language/words.js';

const en = {
  summary: ({ workload, container }: { readonly workload: string; readonly container: string }) =>
    say`${code(workload)}: the kubelet kills container ${code(container)} for its liveness probe`,
  standing: ({ failing, of }: { readonly failing: number; readonly of: number }) =>
    say`The program does not end by itself; the probe fails and the kubelet restarts it: ${failing} of ${of} pods.`,
  arithmetic: ({ seconds, earliest }: { readonly seconds: number; readonly earliest: number }) =>
    seconds <= earliest + 15
      ? say`The last run took ${duration('en', seconds)}; the probe can end a run after ${duration('en', earliest)} at the earliest: it never passed.`
      : say`The last run took ${duration('en', seconds)}; the probe can end a run after ${duration('en', earliest)} at the earliest: it passed for a while, then failed.`,
  'no-startup-probe': () =>
    say`There is no startup probe, so a start that takes longer than that is killed too.`,
  'advice-probe': ({ what }: { readonly what: string }) =>
    sentences(
      say`Try ${code(what)} from inside the pod.`,
      say`Correct port or path, or allow more time; a liveness probe should fail only when a restart helps.`,
    ),
  'advice-startup': () => say`A startup probe holds the liveness probe back until the program is up.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, container }) =>
    say`${code(workload)}: kubelet이 라이브니스 프로브 때문에 ${code(container)} 컨테이너를 종료합니다`,
  standing: ({ failing, of }) =>
    say`프로그램이 스스로 끝나는 것이 아니라, 프로브 실패로 kubelet이 다시 시작합니다: 파드 ${of}개 중 ${failing}개.`,
  arithmetic: ({ seconds, earliest }) =>
    seconds <= earliest + 15
      ? say`마지막 실행은 ${duration('ko', seconds)}, 프로브가 종료할 수 있는 가장 이른 시점은 ${duration('ko', earliest)} 뒤입니다. 한 번도 성공하지 못했습니다.`
      : say`마지막 실행은 ${duration('ko', seconds)}, 프로브가 종료할 수 있는 가장 이른 시점은 ${duration('ko', earliest)} 뒤입니다. 한동안 성공하다가 실패했습니다.`,
  'no-startup-probe': () => say`스타트업 프로브가 없어, 시작이 그보다 오래 걸려도 종료됩니다.`,
  'advice-probe': ({ what }) =>
    sentences(
      say`파드 안에서 ${code(what)} 요청을 직접 해 보세요.`,
      say`포트나 경로를 고치거나 시간을 더 주세요. 라이브니스 프로브는 재시작이 도움이 될 때만 실패해야 합니다.`,
    ),
  'advice-startup': () => say`스타트업 프로브가 있으면 프로그램이 뜰 때까지 라이브니스 프로브가 기다립니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('liveness-probe-kill');
