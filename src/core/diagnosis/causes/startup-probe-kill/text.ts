import type { Catalogue } from '../../../language/catalogue.js';
import { code, quote, say, sentences } from '../../../language/prose.js';
import { declaredStatementsOf } from '../../../language/statement.js';
import { duration, names } from '../../../language/words.js';
import type { ProbeKillShapes } from '../../crashes/probe-kill.js';

type Shapes = ProbeKillShapes;

export const text: Catalogue<Shapes> = {
  en: {
    summary: ({ workload, container }) =>
      say`${code(workload)}: the kubelet kills container ${code(container)} for its startup probe`,
    standing: ({ failing, of }) =>
      say`It is not up in the time it is given, and is killed before it can serve: ${failing} of ${of} pods.`,
    'standing-recovered': ({ failing }) =>
      say`It runs again; in the last hour the kubelet killed it in ${failing} of its pods.`,
    asks: ({ by, what, periodSeconds, timeoutSeconds, failureThreshold, initialDelaySeconds }) =>
      say`The startup probe (${code(by)}) asks ${code(what)} every ${duration('en', periodSeconds)}, from ${duration('en', initialDelaySeconds)} on, waits ${duration('en', timeoutSeconds)} for an answer, and after ${failureThreshold} failures in a row the container is killed.`,
    answer: ({ message, times }) => say`What it got, ${times} times: ${quote(message)}`,
    arithmetic: ({ seconds, earliest }) =>
      say`The last run took ${duration('en', seconds)}; a start may take at most ${duration('en', earliest)} here.`,
    'port-not-declared': ({ port, declared }) =>
      declared.length === 0
        ? say`The container declares no port at all; ${code(port)} may be the wrong one.`
        : say`The container declares ${names('en', declared)} and not ${code(port)}: the probe may ask the wrong port.`,
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
        say`Correct port or path, or allow more time; it is asked again until it passes once.`,
      ),
    'advice-startup-title': () => say`Let it start in its own time`,
    'advice-startup': () =>
      say`Raise ${code('failureThreshold')} until the slowest healthy start fits; nothing is lost, a start that is done ends the probe.`,
  },
  ko: {
    summary: ({ workload, container }) =>
      say`${code(workload)}: kubelet이 스타트업 프로브 때문에 ${code(container)} 컨테이너를 종료합니다`,
    standing: ({ failing, of }) =>
      say`주어진 시간 안에 뜨지 못해 서비스하기 전에 종료됩니다: 파드 ${of}개 중 ${failing}개.`,
    'standing-recovered': ({ failing }) =>
      say`지금은 실행 중이지만 지난 1시간 동안 파드 ${failing}개에서 kubelet이 종료했습니다.`,
    asks: ({ by, what, periodSeconds, timeoutSeconds, failureThreshold, initialDelaySeconds }) =>
      say`스타트업 프로브(${code(by)}): ${code(what)}, 시작 ${duration('ko', initialDelaySeconds)} 뒤부터 ${duration('ko', periodSeconds)}마다, 응답 대기 ${duration('ko', timeoutSeconds)}, 연속 ${failureThreshold}회 실패하면 종료.`,
    answer: ({ message, times }) => say`받은 응답 (${times}회): ${quote(message)}`,
    arithmetic: ({ seconds, earliest }) =>
      say`마지막 실행은 ${duration('ko', seconds)}, 시작에 허용된 시간은 최대 ${duration('ko', earliest)}입니다.`,
    'port-not-declared': ({ port, declared }) =>
      declared.length === 0
        ? say`컨테이너가 선언한 포트가 없습니다. ${code(port)} 포트가 틀렸을 수 있습니다.`
        : say`컨테이너가 선언한 포트는 ${names('ko', declared)}이고 ${code(port)} 포트는 없습니다. 프로브 포트가 틀렸을 수 있습니다.`,
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
        say`포트나 경로를 고치거나 시간을 더 주세요. 한 번 성공할 때까지 계속 확인합니다.`,
      ),
    'advice-startup-title': () => say`시작할 시간을 충분히 주세요`,
    'advice-startup': () =>
      say`가장 느린 정상 시작이 들어갈 만큼 ${code('failureThreshold')} 값을 올리세요. 시작이 끝나면 프로브도 끝나므로 잃는 것은 없습니다.`,
  },
};

export const state = declaredStatementsOf<Shapes>('startup-probe-kill');
