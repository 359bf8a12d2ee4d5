import type { SameSentences } from '../../../language/catalogue.js';
import { code, say } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted } from '../../../language/words.js';

const en = {
  summary: ({ workload, count }: { readonly workload: string; readonly count: number }) =>
    say`${code(workload)}: ${counted(count, 'resource setting', 'resource settings')} that will cause trouble`,
  'no-memory-request': ({ container }: { readonly container: string }) =>
    say`${code(container)} requests no memory and has no limit: it is placed as if it needed none, and is the first to be killed or evicted when its node runs low.`,
  'memory-overcommitted': ({
    container,
    request,
    limit,
  }: {
    readonly container: string;
    readonly request: string;
    readonly limit: string;
  }) =>
    say`${code(container)} requests ${code(request)} of memory and may use ${code(limit)}: a node full of such pods runs out of memory before any of them meets its limit.`,
  'cpu-throttled': ({ container, limit }: { readonly container: string; readonly limit: string }) =>
    say`${code(container)} may use ${code(limit)} of cpu: it is held back in every 100 ms once that is spent, so probes and start may be slow while the node is idle.`,
  'jvm-fills': ({
    container,
    flag,
    heap,
    limit,
  }: {
    readonly container: string;
    readonly flag: string;
    readonly heap: string;
    readonly limit: string;
  }) =>
    say`${code(container)}: ${code(flag)} lets the Java heap grow to ${code(heap)} of ${code(limit)}; what the JVM needs beside it does not fit.`,
  'ev-resources': () => say`as it is set`,
  advice: () => say`Request what it uses in normal times; let memory request and limit be equal.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, count }) => say`${code(workload)}: 문제가 될 리소스 설정 ${count}개`,
  'no-memory-request': ({ container }) =>
    say`${code(container)}: 메모리 요청도 제한도 없습니다. 필요 없는 것처럼 배치되고, 노드 메모리가 부족하면 가장 먼저 종료되거나 축출됩니다.`,
  'memory-overcommitted': ({ container, request, limit }) =>
    say`${code(container)}: 메모리 요청은 ${code(request)}, 제한은 ${code(limit)}입니다. 이런 파드로 찬 노드는 제한에 걸리기 전에 메모리가 바닥납니다.`,
  'cpu-throttled': ({ container, limit }) =>
    say`${code(container)}: CPU 제한이 ${code(limit)}입니다. 노드가 놀고 있어도 100ms마다 다 쓰면 멈추므로 프로브와 시작이 느려질 수 있습니다.`,
  'jvm-fills': ({ container, flag, heap, limit }) =>
    say`${code(container)}: ${code(flag)} 설정으로 Java 힙이 ${code(limit)} 중 ${code(heap)}까지 커져, JVM의 나머지가 들어갈 자리가 없습니다.`,
  'ev-resources': () => say`현재 설정`,
  advice: () => say`평소 쓰는 만큼 요청하고, 메모리 요청과 제한을 같게 하세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('resource-configuration');
