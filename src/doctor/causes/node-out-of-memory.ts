import * as z from 'zod';
import { code, say, sentences } from '../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../engine/language/statement.js';
import { names, particle } from '../../engine/language/words.js';
import { conditionOf } from '../../engine/objects/metadata.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import { courseOf, crashFinding } from '../findings/crashes/crash-finding.js';
import { crashFacts, memoryFacts, sameFailureFact } from '../findings/crashes/facts.js';
import type { FailingPods } from '../findings/crashes/failing-pods.js';
import { detectEach, failingPods, failingPodsOf } from '../findings/crashes/failing-pods.js';
import type { FailureGroup } from '../findings/crashes/failure-group.js';
import { podFailuresIn, podsOf } from '../findings/crashes/failure-group.js';
import { crash } from '../findings/crashes/text.js';
import { fact } from '../findings/facts.js';
import { blamedNode } from '../findings/finding.js';
import type { Rule } from '../findings/rule.js';
import { podNeeds } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';

const en = {
  'shared-failure': () => say`nodes run out of memory`,
  summary: (values: { workload: string; container: string; nodes: readonly string[] }) =>
    say`${code(values.workload)}: ${names('en', values.nodes)} ran out of memory, so the kernel killed container ${code(values.container)}`,
  'summary-process': (values: { workload: string; container: string; nodes: readonly string[] }) =>
    say`${code(values.workload)}: ${names('en', values.nodes)} ran out of memory, and the kernel killed a process in container ${code(values.container)}`,
  standing: (pods: FailingPods) =>
    say`The kernel killed the container to free memory on the node: ${failingPods('en', pods)}.`,
  'no-limit': (values: { container: string; request: string | undefined; qos: string | undefined }) =>
    sentences(
      say`${code(values.container)} has no memory limit, so it cannot have reached its own limit.`,
      values.request === undefined
        ? say`The container requests no memory. The scheduler therefore reserves none, and the kernel kills such containers first.`
        : say`The container requests ${code(values.request)}. The node does not guarantee memory beyond this request.`,
      values.qos === undefined ? [] : say`The QoS class of the pod is ${code(values.qos)}.`,
    ),
  'wide-limit': ({ limit, node, allocatable }: { limit: string; node: string; allocatable: string }) =>
    say`Its limit of ${code(limit)} is not below the memory that ${code(node)} has for pods (${code(allocatable)}), so the node ran out first.`,
  pressure: ({ node }: { node: string }) => say`${code(node)} currently reports MemoryPressure.`,
  'no-pressure-now': () => say`The node currently reports no MemoryPressure. The kill freed memory.`,
  neighbours: ({ pods }: { pods: readonly string[] }) =>
    say`The kernel also killed pods of other workloads there: ${names('en', pods)}.`,
  'because-no-limit': ({ container }: { container: string }) =>
    say`${code(container)} has no memory limit below the capacity of the node`,
  'restart-withheld': () => say`New pods would use as much memory.`,
  'advice-title': () => say`Set a realistic memory request and limit`,
  advice: () =>
    say`A realistic request keeps the scheduler from overcommitting the node. A limit keeps one container from using up the memory of the node.`,
};

const ko: typeof en = {
  'shared-failure': () => say`노드 메모리 부족`,
  summary: ({ workload, container, nodes }) =>
    say`${code(workload)}: ${names('ko', nodes)} 노드의 메모리가 부족하여 커널이 ${code(container)} 컨테이너를 종료했습니다`,
  'summary-process': ({ workload, container, nodes }) =>
    say`${code(workload)}: ${names('ko', nodes)} 노드의 메모리가 부족하여 커널이 ${code(container)} 컨테이너의 프로세스를 종료했습니다`,
  standing: (pods) =>
    say`커널이 노드의 메모리를 확보하려고 컨테이너를 종료했습니다: ${failingPods('ko', pods)}.`,
  'no-limit': ({ container, request, qos }) =>
    sentences(
      say`${code(container)} 컨테이너에는 메모리 제한이 없으므로 자체 제한 때문이 아닙니다.`,
      request === undefined
        ? say`메모리 요청도 없습니다. 따라서 스케줄러가 메모리를 확보해 두지 않으며, 커널은 이런 컨테이너부터 종료합니다.`
        : say`메모리 요청은 ${code(request)}입니다. 노드는 요청을 넘는 메모리를 보장하지 않습니다.`,
      qos === undefined ? [] : say`QoS 클래스: ${code(qos)}.`,
    ),
  'wide-limit': ({ limit, node, allocatable }) =>
    say`제한 ${code(limit)}${particle(limit, '이', '가')} ${code(node)} 노드에서 파드가 쓸 수 있는 메모리(${code(allocatable)})보다 작지 않아, 노드의 메모리가 먼저 부족해졌습니다.`,
  pressure: ({ node }) => say`${code(node)} 노드가 현재 MemoryPressure를 보고합니다.`,
  'no-pressure-now': () => say`현재 MemoryPressure는 없습니다. 컨테이너가 종료되어 메모리가 확보되었습니다.`,
  neighbours: ({ pods }) =>
    say`그 노드에서 다른 워크로드의 파드도 메모리 부족으로 종료되었습니다: ${names('ko', pods)}.`,
  'because-no-limit': ({ container }) => say`${code(container)} 컨테이너에는 노드 용량보다 작은 제한이 없음`,
  'restart-withheld': () => say`새 파드도 메모리를 그만큼 사용합니다.`,
  'advice-title': () => say`메모리 요청과 제한을 실제에 맞게 설정하기`,
  advice: () =>
    say`요청이 실제와 맞으면 스케줄러가 노드를 과다 할당하지 않습니다. 제한이 있으면 컨테이너 하나가 노드의 메모리를 다 쓰지 못합니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('node-out-of-memory');

const NodeOutOfMemoryFacts = z.strictObject({
  ...crashFacts,
  limit: fact.quantity('Memory limit of the container or pod; absent where there is none').optional(),
  ...memoryFacts,
  allocatable: fact.quantity('Memory that the node of the first pod has for pods').optional(),
  nodesUnderPressure: fact.names('Nodes that report MemoryPressure'),
  neighbours: sameFailureFact,
});

/**
 * OOMKilled without a limit of its own, or with one that the node could never give: the node as a whole ran
 * out, and the kernel chose this container by its use and QoS class.
 */
export const nodeOutOfMemory: Rule<typeof NodeOutOfMemoryFacts> = {
  id: 'node-out-of-memory',
  facts: NodeOutOfMemoryFacts,
  text,
  origin: 'surroundings',
  appliesTo: workloadKinds,
  needs: podNeeds,
  supersedes: ['application-crash', 'crash-loop-after-rollout', 'progress-deadline-exceeded'],
  ...detectEach('node-out-of-memory', (examination, failureGroup) => {
    const { snapshot } = examination;
    const { container, nodes } = failureGroup;
    const facts = ownFactsOf(snapshot, failureGroup);
    const exitCode = failureGroup.podFailures[0].run?.exitCode;
    // Where the kernel ends the main process, the exit code of the container is that of SIGKILL.
    const survived = exitCode === 137 ? undefined : exitCode;
    return crashFinding(examination, failureGroup, {
      confidence: 'likely',
      resource: 'memory',
      ...blamedNode(nodes),
      facts,
      summary: state(survived === undefined ? 'summary' : 'summary-process', {
        workload: workloadName(snapshot),
        container,
        nodes,
      }),
      standing:
        survived === undefined
          ? state('standing', failingPodsOf(failureGroup))
          : crash('standing-process', failingPodsOf(failureGroup)),
      reasoning: [
        ...courseOf(failureGroup),
        ...(survived === undefined ? [] : [crash('process-killed', { container, exitCode: survived })]),
        ...killSays(failureGroup),
        limitSays(failureGroup, facts),
        ...nodeSays(snapshot, failureGroup, facts),
      ],
      ruledOut: [{ cause: 'out-of-memory', because: state('because-no-limit', { container }) }],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      advice: [
        {
          title: state('advice-title'),
          text: state('advice'),
          snippet: `# of container ${container}: measure what it needs\nresources:\n  requests:\n    memory: 512Mi\n  limits:\n    memory: 512Mi\n`,
        },
      ],
    });
  }),
};

/** What the kubelet reports of its node, where the runtime reports no kill for memory. */
function killSays({ podFailures: [{ pod, events, reason }] }: FailureGroup): readonly Statement[] {
  const message = reason === 'OOMKilled' ? undefined : events.at(-1)?.message;
  return message === undefined ? [] : [crash('kubelet-says', { node: pod.spec.nodeName ?? '', message })];
}

type OwnFacts = ReturnType<typeof ownFactsOf>;

function ownFactsOf(snapshot: Snapshot, { nodes, podFailures: [{ pod, container }] }: FailureGroup) {
  const { index } = snapshot;
  const resources = container?.spec.resources;
  const own = new Set(podsOf(snapshot).map(({ metadata }) => metadata.uid));
  return {
    limit: resources?.limits.memory ?? pod.spec.resources?.limits.memory,
    request: resources?.requests.memory,
    qosClass: pod.status.qosClass,
    allocatable: index.nodes.get(pod.spec.nodeName ?? '')?.status.allocatable.memory,
    nodesUnderPressure: nodes.filter((name) => {
      const node = index.nodes.get(name);
      return node !== undefined && conditionOf(node.status, 'MemoryPressure')?.status === 'True';
    }),
    neighbours: nodes
      .flatMap((name) => index.podsByNode.get(name) ?? [])
      .filter((each) => !own.has(each.metadata.uid))
      .filter((each) => podFailuresIn(snapshot, each).some(({ cause }) => cause === 'node-out-of-memory'))
      .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
      .sort(),
  };
}

function limitSays(
  { container, podFailures: [{ pod }] }: FailureGroup,
  { limit, request, qosClass: qos, allocatable = '?' }: OwnFacts,
): Statement {
  return limit === undefined
    ? state('no-limit', { container, request, qos })
    : state('wide-limit', { limit, node: pod.spec.nodeName ?? '', allocatable });
}

function nodeSays(
  { index }: Snapshot,
  { nodes }: FailureGroup,
  { nodesUnderPressure, neighbours }: OwnFacts,
): readonly Statement[] {
  const isSeen = nodes.some((name) => index.nodes.has(name));
  return [
    ...(nodesUnderPressure.length > 0
      ? nodesUnderPressure.map((node) => state('pressure', { node }))
      : isSeen
        ? [state('no-pressure-now')]
        : []),
    ...(neighbours.length === 0 ? [] : [state('neighbours', { pods: neighbours })]),
  ];
}
