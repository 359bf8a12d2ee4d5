import type { SameSentences } from '../../../language/catalogue.js';
import { code, say } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, duration } from '../../../language/words.js';

const en = {
  summary: ({ workload, count }: { readonly workload: string; readonly count: number }) =>
    say`${code(workload)}: ${counted(count, 'probe setting', 'probe settings')} that will cause trouble`,
  'readiness-slower': ({
    container,
    livenessSeconds,
    readinessSeconds,
  }: {
    readonly container: string;
    readonly livenessSeconds: number;
    readonly readinessSeconds: number;
  }) =>
    say`${code(container)}: the liveness probe can kill it after ${duration('en', livenessSeconds)}, before the readiness probe takes it out of traffic (${duration('en', readinessSeconds)}).`,
  'liveness-strict': ({ container, seconds }: { readonly container: string; readonly seconds: number }) =>
    say`${code(container)}: the liveness probe kills it after only ${duration('en', seconds)} of silence; a slow moment of the node is enough.`,
  'named-port-missing': ({
    container,
    probe,
    port,
  }: {
    readonly container: string;
    readonly probe: string;
    readonly port: string;
  }) =>
    say`${code(container)}: ${code(probe)} asks port ${code(port)} by name, and the container declares no such port: it can never pass.`,
  'timeout-over-period': ({
    container,
    probe,
    timeoutSeconds,
    periodSeconds,
  }: {
    readonly container: string;
    readonly probe: string;
    readonly timeoutSeconds: number;
    readonly periodSeconds: number;
  }) =>
    say`${code(container)}: ${code(probe)} may take ${duration('en', timeoutSeconds)} but is asked every ${duration('en', periodSeconds)}.`,
  'ev-probe': ({ probe }: { readonly probe: string }) => say`as ${code(probe)} is set`,
  advice: () => say`Readiness should fail first and often; liveness late and only when a restart helps.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, count }) => say`${code(workload)}: 문제가 될 프로브 설정 ${count}개`,
  'readiness-slower': ({ container, livenessSeconds, readinessSeconds }) =>
    say`${code(container)}: 레디니스 프로브가 트래픽에서 빼기(${duration('ko', readinessSeconds)}) 전에 라이브니스 프로브가 ${duration('ko', livenessSeconds)} 만에 종료할 수 있습니다.`,
  'liveness-strict': ({ container, seconds }) =>
    say`${code(container)}: 라이브니스 프로브가 ${duration('ko', seconds)}만 응답이 없어도 종료합니다. 노드가 잠깐 느려져도 충분합니다.`,
  'named-port-missing': ({ container, probe, port }) =>
    say`${code(container)}: ${code(probe)} 프로브가 이름으로 묻는 포트 ${code(port)} 선언이 없어 결코 통과할 수 없습니다.`,
  'timeout-over-period': ({ container, probe, timeoutSeconds, periodSeconds }) =>
    say`${code(container)}: ${code(probe)} 프로브는 ${duration('ko', timeoutSeconds)}까지 걸려도 되지만 ${duration('ko', periodSeconds)}마다 묻습니다.`,
  'ev-probe': ({ probe }) => say`현재 ${code(probe)} 설정`,
  advice: () =>
    say`레디니스는 먼저, 자주 실패해도 됩니다. 라이브니스는 늦게, 재시작이 도움이 될 때만 실패해야 합니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('probe-configuration');
