import type { SameSentences } from '../../language/catalogue.js';
import { code, quote, say, word } from '../../language/prose.js';
import { statementsOf } from '../../language/statement.js';
import { duration, names } from '../../language/words.js';

/** What is stated of every container that the kubelet killed for a probe. */
const en = {
  'standing-recovered': ({ failing }: { readonly failing: number }) =>
    say`It runs again; in the last hour the kubelet killed it in ${failing} of its pods.`,
  asks: ({
    probe,
    by,
    what,
    periodSeconds,
    timeoutSeconds,
    failureThreshold,
    initialDelaySeconds,
  }: {
    readonly probe: 'liveness' | 'startup';
    readonly by: string;
    readonly what: string;
    readonly periodSeconds: number;
    readonly timeoutSeconds: number;
    readonly failureThreshold: number;
    readonly initialDelaySeconds: number;
  }) =>
    say`The ${word(probe)} probe (${code(by)}) asks ${code(what)} every ${duration('en', periodSeconds)}, from ${duration('en', initialDelaySeconds)} on, waits ${duration('en', timeoutSeconds)} for an answer, and after ${failureThreshold} failures in a row the container is killed.`,
  answer: ({ message, times }: { readonly message: string; readonly times: number }) =>
    say`What it got, ${times} times: ${quote(message)}`,
  'port-not-declared': ({
    port,
    declared,
  }: {
    readonly port: string;
    readonly declared: readonly string[];
  }) =>
    declared.length === 0
      ? say`The container declares no port at all; ${code(port)} may be the wrong one.`
      : say`The container declares ${names('en', declared)} and not ${code(port)}: the probe may ask the wrong port.`,
  'by-signal': ({ exitCode, graceSeconds }: { readonly exitCode: number; readonly graceSeconds: number }) =>
    exitCode === 137
      ? say`It did not stop within ${duration('en', graceSeconds)} of SIGTERM and was killed (exit code 137): that is not memory.`
      : say`It ended on SIGTERM with exit code ${exitCode}: its own way to stop, not an error of its own.`,
  'ev-probe': ({ what }: { readonly what: string }) => say`asks ${code(what)}`,
  'because-killed': ({ container }: { readonly container: string }) =>
    say`the kubelet killed ${code(container)}, it did not end by itself`,
  'restart-withheld': () => say`New pods have the same probe.`,
  'advice-probe-title': () => say`Ask what the program really serves`,
  'advice-startup-title': () => say`Let it start in its own time`,
};

const ko: SameSentences<typeof en> = {
  'standing-recovered': ({ failing }) =>
    say`지금은 실행 중이지만 지난 1시간 동안 파드 ${failing}개에서 kubelet이 종료했습니다.`,
  asks: ({ probe, by, what, periodSeconds, timeoutSeconds, failureThreshold, initialDelaySeconds }) =>
    say`${word(probe === 'liveness' ? '라이브니스' : '스타트업')} 프로브(${code(by)}): ${code(what)}, 시작 ${duration('ko', initialDelaySeconds)} 뒤부터 ${duration('ko', periodSeconds)}마다, 응답 대기 ${duration('ko', timeoutSeconds)}, 연속 ${failureThreshold}회 실패하면 종료.`,
  answer: ({ message, times }) => say`받은 응답 (${times}회): ${quote(message)}`,
  'port-not-declared': ({ port, declared }) =>
    declared.length === 0
      ? say`컨테이너가 선언한 포트가 없습니다. ${code(port)} 포트가 틀렸을 수 있습니다.`
      : say`컨테이너가 선언한 포트는 ${names('ko', declared)}이고 ${code(port)} 포트는 없습니다. 프로브 포트가 틀렸을 수 있습니다.`,
  'by-signal': ({ exitCode, graceSeconds }) =>
    exitCode === 137
      ? say`SIGTERM 뒤 ${duration('ko', graceSeconds)} 안에 멈추지 않아 강제 종료되었습니다 (종료 코드 137). 메모리 문제가 아닙니다.`
      : say`SIGTERM을 받고 종료 코드 ${exitCode}번으로 끝났습니다. 프로그램 자체의 오류가 아닙니다.`,
  'ev-probe': ({ what }) => say`프로브 대상: ${code(what)}`,
  'because-killed': ({ container }) => say`${code(container)} 컨테이너는 스스로 끝나지 않고 kubelet이 종료함`,
  'restart-withheld': () => say`새 파드에도 같은 프로브가 있습니다.`,
  'advice-probe-title': () => say`프로그램이 실제로 제공하는 것을 확인하게 하세요`,
  'advice-startup-title': () => say`시작할 시간을 충분히 주세요`,
};

export const probeKillText = { en, ko };

export const probeKill = statementsOf<typeof en>('probe-kill');
