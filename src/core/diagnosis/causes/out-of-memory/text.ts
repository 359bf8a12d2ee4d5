import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, sentences, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { names } from '../../../language/words.js';

const en = {
  summary: ({
    workload,
    container,
    limit,
  }: {
    readonly workload: string;
    readonly container: string;
    readonly limit: string;
  }) =>
    say`${code(workload)}: container ${code(container)} needs more than its memory limit of ${code(limit)}`,
  standing: ({ failing, of }: { readonly failing: number; readonly of: number }) =>
    say`The kernel kills it and the kubelet starts it again: ${failing} of ${of} pods are down or about to be.`,
  'standing-recovered': ({ failing }: { readonly failing: number }) =>
    say`It runs again; in the last hour the kernel killed it in ${failing} of its pods.`,
  killed: ({
    container,
    limit,
    request,
    qos,
    ofPod,
  }: {
    readonly container: string;
    readonly limit: string;
    readonly request: string | undefined;
    readonly qos: string | undefined;
    readonly ofPod: boolean;
  }) =>
    sentences(
      ofPod
        ? say`The kernel killed ${code(container)} inside the pod's memory limit of ${code(limit)}, not because the node was full.`
        : say`The kernel killed ${code(container)} at its own memory limit of ${code(limit)}, not because the node was full.`,
      request === undefined ? say`It requests no memory.` : say`It requests ${code(request)}.`,
      qos === undefined ? [] : say`Its QoS class is ${code(qos)}.`,
    ),
  /** The present revision lowered the limit; `before` is absent where there was none. */
  'limit-cut': ({
    container,
    before,
    limit,
    revision,
  }: {
    readonly container: string;
    readonly before: string | undefined;
    readonly limit: string;
    readonly revision: number;
  }) =>
    before === undefined
      ? say`The present revision set the memory limit of ${code(container)} to ${code(limit)}; revision ${revision} had none.`
      : say`The present revision lowered the memory limit of ${code(container)} from ${code(before)} (revision ${revision}) to ${code(limit)}.`,
  'jvm-fills': ({
    flag,
    from,
    heap,
    limit,
    rest,
  }: {
    readonly flag: string;
    readonly from: string;
    readonly heap: string;
    readonly limit: string;
    readonly rest: string;
  }) =>
    say`${code(flag)} (in ${code(from)}) lets the Java heap grow to ${code(heap)} of ${code(limit)}: ${code(rest)} are left for metaspace, threads and buffers.`,
  'jvm-exceeds': ({
    flag,
    from,
    heap,
    limit,
  }: {
    readonly flag: string;
    readonly from: string;
    readonly heap: string;
    readonly limit: string;
  }) =>
    say`${code(flag)} (in ${code(from)}) lets the Java heap grow to ${code(heap)}, beyond the limit of ${code(limit)}.`,
  'by-child': ({ container, exitCode }: { readonly container: string; readonly exitCode: number }) =>
    say`The main process of ${code(container)} itself ended with exit code ${exitCode}: it may have been a child that was killed.`,
  'ev-limit': ({ limit }: { readonly limit: string }) => say`the limit is ${code(limit)}`,
  'because-own-limit': ({ limit, node }: { readonly limit: string; readonly node: string }) =>
    say`the limit of ${code(limit)} is below what ${code(node)} has`,
  'restart-withheld': () => say`New pods get the same limit and the same load.`,
  'exclude-withheld': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`The limit is the same on every node: ${names('en', nodes)}.`,
  'advice-limit-title': () => say`Give it more memory, or find what uses it`,
  'advice-limit': ({ container, limit }: { readonly container: string; readonly limit: string }) =>
    say`Raise the limit of ${code(container)} above ${code(limit)} by what it really needs, and the request with it.`,
  'advice-jvm-title': () => say`Or leave room beside the heap`,
  'advice-jvm': ({ flag }: { readonly flag: string }) =>
    say`In place of ${code(flag)}, a share of about 70 % leaves the JVM room for what is not heap.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, container, limit }) =>
    say`${code(workload)}: ${code(container)} 컨테이너가 메모리 제한 ${code(limit)}보다 많은 메모리를 씁니다`,
  standing: ({ failing, of }) =>
    say`커널이 종료하고 kubelet이 다시 시작하기를 반복합니다. 파드 ${of}개 중 ${failing}개가 내려가 있거나 곧 내려갑니다.`,
  'standing-recovered': ({ failing }) =>
    say`지금은 실행 중이지만 지난 1시간 동안 파드 ${failing}개에서 커널이 종료했습니다.`,
  killed: ({ container, limit, request, qos, ofPod }) =>
    sentences(
      ofPod
        ? say`${code(container)} 컨테이너가 파드 메모리 제한 ${code(limit)} 때문에 종료되었습니다. 노드 메모리가 부족한 것은 아닙니다.`
        : say`${code(container)} 컨테이너가 자신의 메모리 제한 ${code(limit)} 때문에 종료되었습니다. 노드 메모리가 부족한 것은 아닙니다.`,
      request === undefined ? say`메모리 요청이 없습니다.` : say`메모리 요청: ${code(request)}.`,
      qos === undefined ? [] : say`QoS 클래스: ${code(qos)}.`,
    ),
  'limit-cut': ({ container, before, limit, revision }) =>
    before === undefined
      ? say`현재 리비전에서 ${code(container)} 메모리 제한이 ${code(limit)}(으)로 새로 설정되었습니다. 리비전 ${revision}에는 제한이 없었습니다.`
      : say`현재 리비전에서 ${code(container)} 메모리 제한이 ${code(before)}(리비전 ${revision})에서 ${code(limit)}(으)로 낮아졌습니다.`,
  'jvm-fills': ({ flag, from, heap, limit, rest }) =>
    say`${code(flag)} (${code(from)}) 설정으로 Java 힙이 ${code(limit)} 중 ${code(heap)}까지 커집니다. 메타스페이스, 스레드, 버퍼 몫은 ${code(rest)}뿐입니다.`,
  'jvm-exceeds': ({ flag, from, heap, limit }) =>
    say`${code(flag)} (${code(from)}) 설정으로 Java 힙이 제한 ${code(limit)}보다 큰 ${code(heap)}까지 커집니다.`,
  'by-child': ({ container, exitCode }) =>
    say`${code(container)} 주 프로세스의 종료 코드는 ${exitCode}입니다. 자식 프로세스가 종료되었을 수 있습니다.`,
  'ev-limit': ({ limit }) => say`제한은 ${code(limit)}`,
  'because-own-limit': ({ limit, node }) => say`제한 ${code(limit)}이 ${code(node)} 노드의 용량보다 작음`,
  'restart-withheld': () => say`새 파드도 같은 제한과 같은 부하를 받습니다.`,
  'exclude-withheld': ({ nodes }) => say`제한은 어느 노드에서나 같습니다: ${names('ko', nodes)}.`,
  'advice-limit-title': () => say`메모리를 늘리거나, 무엇이 메모리를 쓰는지 찾으세요`,
  'advice-limit': ({ container, limit }) =>
    say`${code(container)} 제한을 실제로 필요한 만큼 ${code(limit)}보다 높이고, 요청도 함께 올리세요.`,
  'advice-jvm-title': () => say`또는 힙 밖의 공간을 남겨 두세요`,
  'advice-jvm': ({ flag }) =>
    say`${code(flag)} 대신 ${word('70 %')} 정도로 두면 힙이 아닌 부분에 쓸 공간이 남습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('out-of-memory');
