import type { Catalogue } from '../../../language/catalogue.js';
import { code, quote, say, sentences } from '../../../language/prose.js';
import { declaredStatementsOf, type NoValues } from '../../../language/statement.js';
import { duration, names } from '../../../language/words.js';
import type { ProbeKillShapes } from '../../crashes/probe-kill.js';

type Shapes = ProbeKillShapes & { readonly 'no-startup-probe': NoValues };

export const text: Catalogue<Shapes> = {
  en: {
    summary: ({ workload, container }) =>
      say`${code(workload)}: the kubelet kills container ${code(container)} for its liveness probe`,
    standing: ({ failing, of }) =>
      say`The program does not end by itself; the probe fails and the kubelet restarts it: ${failing} of ${of} pods.`,
    'standing-recovered': ({ failing }) =>
      say`It runs again; in the last hour the kubelet killed it in ${failing} of its pods.`,
    asks: ({ by, what, periodSeconds, timeoutSeconds, failureThreshold, initialDelaySeconds }) =>
      say`The liveness probe (${code(by)}) asks ${code(what)} every ${duration('en', periodSeconds)}, from ${duration('en', initialDelaySeconds)} on, waits ${duration('en', timeoutSeconds)} for an answer, and after ${failureThreshold} failures in a row the container is killed.`,
    answer: ({ message, times }) => say`What it got, ${times} times: ${quote(message)}`,
    arithmetic: ({ seconds, earliest }) =>
      seconds <= earliest + 15
        ? say`The last run took ${duration('en', seconds)}; the probe can end a run after ${duration('en', earliest)} at the earliest: it never passed.`
        : say`The last run took ${duration('en', seconds)}; the probe can end a run after ${duration('en', earliest)} at the earliest: it passed for a while, then failed.`,
    'port-not-declared': ({ port, declared }) =>
      declared.length === 0
        ? say`The container declares no port at all; ${code(port)} may be the wrong one.`
        : say`The container declares ${names('en', declared)} and not ${code(port)}: the probe may ask the wrong port.`,
    'no-startup-probe': () =>
      say`There is no startup probe, so a start that takes longer than that is killed too.`,
    'by-signal': ({ exitCode, graceSeconds }) =>
      exitCode === 137
        ? say`It did not stop within ${duration('en', graceSeconds)} of SIGTERM and was killed (exit code 137): that is not memory.`
        : say`It ended on SIGTERM with exit code ${exitCode}: its own way to stop, not an error of its own.`,
    'ev-probe': ({ what }) => say`asks ${code(what)}`,
    'because-killed': ({ container }) => say`the kubelet killed ${code(container)}, it did not end by itself`,
    'restart-withheld': () => say`New pods have the same probe.`,
    'advice-probe-title': () => say`Ask what the program really serves`,
    'advice-probe': ({ what }) =>
      sentences(
        say`Try ${code(what)} from inside the pod.`,
        say`Correct port or path, or allow more time; a liveness probe should fail only when a restart helps.`,
      ),
    'advice-startup-title': () => say`Let it start in its own time`,
    'advice-startup': () => say`A startup probe holds the liveness probe back until the program is up.`,
  },
  ko: {
    summary: ({ workload, container }) =>
      say`${code(workload)}: kubelet이 라이브니스 프로브 때문에 ${code(container)} 컨테이너를 종료합니다`,
    standing: ({ failing, of }) =>
      say`프로그램이 스스로 끝나는 것이 아니라, 프로브 실패로 kubelet이 다시 시작합니다: 파드 ${of}개 중 ${failing}개.`,
    'standing-recovered': ({ failing }) =>
      say`지금은 실행 중이지만 지난 1시간 동안 파드 ${failing}개에서 kubelet이 종료했습니다.`,
    asks: ({ by, what, periodSeconds, timeoutSeconds, failureThreshold, initialDelaySeconds }) =>
      say`라이브니스 프로브(${code(by)}): ${code(what)}, 시작 ${duration('ko', initialDelaySeconds)} 뒤부터 ${duration('ko', periodSeconds)}마다, 응답 대기 ${duration('ko', timeoutSeconds)}, 연속 ${failureThreshold}회 실패하면 종료.`,
    answer: ({ message, times }) => say`받은 응답 (${times}회): ${quote(message)}`,
    arithmetic: ({ seconds, earliest }) =>
      seconds <= earliest + 15
        ? say`마지막 실행은 ${duration('ko', seconds)}, 프로브가 종료할 수 있는 가장 이른 시점은 ${duration('ko', earliest)} 뒤입니다. 한 번도 성공하지 못했습니다.`
        : say`마지막 실행은 ${duration('ko', seconds)}, 프로브가 종료할 수 있는 가장 이른 시점은 ${duration('ko', earliest)} 뒤입니다. 한동안 성공하다가 실패했습니다.`,
    'port-not-declared': ({ port, declared }) =>
      declared.length === 0
        ? say`컨테이너가 선언한 포트가 없습니다. ${code(port)} 포트가 틀렸을 수 있습니다.`
        : say`컨테이너가 선언한 포트는 ${names('ko', declared)}이고 ${code(port)} 포트는 없습니다. 프로브 포트가 틀렸을 수 있습니다.`,
    'no-startup-probe': () => say`스타트업 프로브가 없어, 시작이 그보다 오래 걸려도 종료됩니다.`,
    'by-signal': ({ exitCode, graceSeconds }) =>
      exitCode === 137
        ? say`SIGTERM 뒤 ${duration('ko', graceSeconds)} 안에 멈추지 않아 강제 종료되었습니다 (종료 코드 137). 메모리 문제가 아닙니다.`
        : say`SIGTERM을 받고 종료 코드 ${exitCode}번으로 끝났습니다. 프로그램 자체의 오류가 아닙니다.`,
    'ev-probe': ({ what }) => say`프로브 대상: ${code(what)}`,
    'because-killed': ({ container }) =>
      say`${code(container)} 컨테이너는 스스로 끝나지 않고 kubelet이 종료함`,
    'restart-withheld': () => say`새 파드에도 같은 프로브가 있습니다.`,
    'advice-probe-title': () => say`프로그램이 실제로 제공하는 것을 확인하게 하세요`,
    'advice-probe': ({ what }) =>
      sentences(
        say`파드 안에서 ${code(what)} 요청을 직접 해 보세요.`,
        say`포트나 경로를 고치거나 시간을 더 주세요. 라이브니스 프로브는 재시작이 도움이 될 때만 실패해야 합니다.`,
      ),
    'advice-startup-title': () => say`시작할 시간을 충분히 주세요`,
    'advice-startup': () =>
      say`스타트업 프로브가 있으면 프로그램이 뜰 때까지 라이브니스 프로브가 기다립니다.`,
  },
};

export const state = declaredStatementsOf<Shapes>('liveness-probe-kill');
