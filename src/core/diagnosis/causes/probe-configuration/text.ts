import type { SameSentences } from '../../../language/catalogue.js';
import { code, say } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, duration, particle } from '../../../language/words.js';

const en = {
  'shared-failure': () => say`probe settings are risky`,
  summary: ({ workload, count }: { readonly workload: string; readonly count: number }) =>
    say`${code(workload)}: ${counted(count, 'risky probe setting', 'risky probe settings')}`,
  'readiness-slower': ({
    container,
    livenessSeconds,
    readinessSeconds,
  }: {
    readonly container: string;
    readonly livenessSeconds: number;
    readonly readinessSeconds: number;
  }) =>
    say`${code(container)}: the liveness probe can kill the container after ${duration('en', livenessSeconds)}. The readiness probe removes the pod from traffic only after ${duration('en', readinessSeconds)}.`,
  'liveness-strict': ({ container, seconds }: { readonly container: string; readonly seconds: number }) =>
    say`${code(container)}: the liveness probe kills the container after only ${duration('en', seconds)} without a response. A short slowdown of the node is enough.`,
  'named-port-missing': ({
    container,
    probe,
    port,
  }: {
    readonly container: string;
    readonly probe: string;
    readonly port: string;
  }) =>
    say`${code(container)}: ${code(probe)} uses the named port ${code(port)}, which the container does not declare. The probe can never pass.`,
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
    say`${code(container)}: the timeout of ${code(probe)} is ${duration('en', timeoutSeconds)}, longer than its period of ${duration('en', periodSeconds)}.`,
  'ev-probe': ({ probe }: { readonly probe: string }) => say`the current ${code(probe)}`,
  advice: () =>
    say`The readiness probe should fail first. The liveness probe should fail later, and only when a restart helps.`,
};

const ko: SameSentences<typeof en> = {
  'shared-failure': () => say`프로브 설정이 위험함`,
  summary: ({ workload, count }) => say`${code(workload)}: 위험한 프로브 설정 ${count}개`,
  'readiness-slower': ({ container, livenessSeconds, readinessSeconds }) =>
    say`${code(container)}: 라이브니스 프로브는 ${duration('ko', livenessSeconds)} 뒤에 컨테이너를 종료할 수 있지만, 레디니스 프로브는 ${duration('ko', readinessSeconds)} 뒤에야 파드를 트래픽에서 제외합니다.`,
  'liveness-strict': ({ container, seconds }) =>
    say`${code(container)}: ${duration('ko', seconds)}만 응답이 없어도 라이브니스 프로브가 컨테이너를 종료합니다. 노드가 잠깐 느려지는 것만으로도 종료될 수 있습니다.`,
  'named-port-missing': ({ container, probe, port }) =>
    say`${code(container)}: ${code(probe)} 프로브가 이름으로 지정한 포트 ${code(port)}${particle(port, '이', '가')} 컨테이너에 선언되어 있지 않습니다. 프로브가 성공할 수 없습니다.`,
  'timeout-over-period': ({ container, probe, timeoutSeconds, periodSeconds }) =>
    say`${code(container)}: ${code(probe)} 프로브의 타임아웃(${duration('ko', timeoutSeconds)})이 주기(${duration('ko', periodSeconds)})보다 깁니다.`,
  'ev-probe': ({ probe }) => say`현재 ${code(probe)} 설정`,
  advice: () =>
    say`레디니스 프로브가 먼저 실패해야 합니다. 라이브니스 프로브는 더 늦게, 재시작이 도움이 될 때만 실패해야 합니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('probe-configuration');
