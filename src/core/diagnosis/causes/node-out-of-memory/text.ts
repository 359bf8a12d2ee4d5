import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, sentences } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { names } from '../../../language/words.js';

const en = {
  summary: ({
    workload,
    container,
    nodes,
  }: {
    readonly workload: string;
    readonly container: string;
    readonly nodes: readonly string[];
  }) =>
    say`${code(workload)}: container ${code(container)} is killed because ${names('en', nodes)} ran out of memory`,
  standing: ({ failing, of }: { readonly failing: number; readonly of: number }) =>
    say`The kernel chose it to save the node: ${failing} of ${of} pods.`,
  'no-limit': ({
    container,
    request,
    qos,
  }: {
    readonly container: string;
    readonly request: string | undefined;
    readonly qos: string | undefined;
  }) =>
    sentences(
      say`${code(container)} has no memory limit, so it was not its own limit that it met.`,
      request === undefined
        ? say`It requests no memory: the scheduler places it as if it needed none, and the kernel kills such containers first.`
        : say`It requests ${code(request)}; what it uses beyond that the node never promised.`,
      qos === undefined ? [] : say`Its QoS class is ${code(qos)}.`,
    ),
  'wide-limit': ({
    limit,
    node,
    allocatable,
  }: {
    readonly limit: string;
    readonly node: string;
    readonly allocatable: string;
  }) =>
    say`Its limit of ${code(limit)} is no smaller than what ${code(node)} has for pods (${code(allocatable)}), so the node ran out first.`,
  pressure: ({ node }: { readonly node: string }) => say`${code(node)} reports MemoryPressure now.`,
  'no-pressure-now': () =>
    say`The node reports no MemoryPressure at the moment: it had room again after the kill.`,
  neighbours: ({ pods }: { readonly pods: readonly string[] }) =>
    say`Pods of others were killed for memory there too: ${names('en', pods)}.`,
  'because-no-limit': ({ container }: { readonly container: string }) =>
    say`${code(container)} has no limit below what the node has`,
  'restart-withheld': () => say`New pods use as much again.`,
  'advice-title': () => say`Say what it needs`,
  advice: () =>
    say`A request that is true keeps the scheduler from overfilling the node; a limit keeps one container from taking it down.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, container, nodes }) =>
    say`${code(workload)}: ${names('ko', nodes)} 노드 메모리가 부족해 ${code(container)} 컨테이너가 종료됩니다`,
  standing: ({ failing, of }) => say`커널이 노드를 지키려고 종료했습니다: 파드 ${of}개 중 ${failing}개.`,
  'no-limit': ({ container, request, qos }) =>
    sentences(
      say`${code(container)} 컨테이너에는 메모리 제한이 없으므로 자신의 제한 때문이 아닙니다.`,
      request === undefined
        ? say`메모리 요청도 없습니다. 스케줄러는 필요 없는 것처럼 배치하고, 커널은 이런 컨테이너부터 종료합니다.`
        : say`메모리 요청은 ${code(request)}이며, 그 이상은 노드가 보장하지 않습니다.`,
      qos === undefined ? [] : say`QoS 클래스: ${code(qos)}.`,
    ),
  'wide-limit': ({ limit, node, allocatable }) =>
    say`제한 ${code(limit)} 값이 ${code(node)} 노드가 파드에 줄 수 있는 ${code(allocatable)}보다 작지 않아 노드가 먼저 부족해졌습니다.`,
  pressure: ({ node }) => say`${code(node)} 노드가 지금 MemoryPressure를 보고합니다.`,
  'no-pressure-now': () => say`지금은 MemoryPressure가 없습니다. 종료 뒤 여유가 생겼습니다.`,
  neighbours: ({ pods }) => say`그 노드에서 다른 파드도 메모리 때문에 종료되었습니다: ${names('ko', pods)}.`,
  'because-no-limit': ({ container }) => say`${code(container)} 컨테이너에는 노드 용량보다 작은 제한이 없음`,
  'restart-withheld': () => say`새 파드도 그만큼 씁니다.`,
  'advice-title': () => say`필요한 만큼 적으세요`,
  advice: () =>
    say`맞는 요청은 스케줄러가 노드를 넘치게 하지 않도록 하고, 제한은 컨테이너 하나가 노드를 무너뜨리지 않게 합니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('node-out-of-memory');
