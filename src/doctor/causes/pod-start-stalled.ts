import * as z from 'zod';
import { code, moment, quote, say, sentences } from '../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../engine/language/statement.js';
import { counted, elapsedAtMost, names } from '../../engine/language/words.js';
import { type Condition, conditionOf } from '../../engine/objects/metadata.js';
import type { Pod } from '../../engine/objects/pod.js';
import { refOf } from '../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { isUnreadNearby, isUnrecorded } from '../../engine/objects/unread.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import { scheduledSince } from '../../engine/workloads/start-to-ready.js';
import { crashFinding } from '../findings/crashes/crash-finding.js';
import { crashFacts, crashFactsOf, sameFailureFact } from '../findings/crashes/facts.js';
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

type Nodes = { readonly nodes: readonly string[] };

const en = {
  'shared-failure': () => say`no container starts, and no event shows why`,
  summary: ({ workload, nodes }: Nodes & { readonly workload: string }) =>
    say`${code(workload)}: no container starts on ${names('en', nodes)}, and no event shows why`,
  'summary-unread': ({ workload, nodes }: Nodes & { readonly workload: string }) =>
    say`${code(workload)}: no container starts on ${names('en', nodes)}, and events were not read`,
  standing: ({ longest, ...pods }: FailingPods & { readonly longest: number }) =>
    say`${failingPods('en', pods)}: no running container on the assigned node for ${elapsedAtMost('en', longest)}.`,
  since: ({ pod, since }: { pod: string; since: string }) =>
    say`${code(pod)} got its node ${moment(since)}, and its containers still wait.`,
  init: ({ done, of }: { done: number; of: number }) =>
    say`${done} of ${counted(of, 'init container', 'init containers')} finished.`,
  'no-sandbox': ({ pod, message }: { pod: string; message: string }) =>
    sentences(
      say`The kubelet has made no sandbox with a network for ${code(pod)} yet. It prepares the volumes before.`,
      message === '' ? [] : say`It reports: ${quote(message)}`,
    ),
  'has-sandbox': ({ pod }: { pod: string }) =>
    say`The volumes, the sandbox and the network of ${code(pod)} are ready. Its containers wait for an image or for their own start.`,
  'no-events': () =>
    say`No event about these pods remains. The API server keeps events for one hour by default.`,
  volumes: ({ volumes }: { volumes: readonly string[] }) =>
    say`The node must prepare these volumes before it starts a container: ${names('en', volumes)}.`,
  neighbours: ({ pods }: { pods: readonly string[] }) =>
    say`Pods of other workloads on this node are in the same state: ${names('en', pods)}.`,
  'ev-bound': () => say`has a node, and no container runs`,
  'because-never-started': () => say`no container has run`,
  'restart-withheld': () => say`The reason is not known, so a new pod may wait in the same way.`,
  'advice-title': ({ nodes }: Nodes) => say`Read the kubelet log of ${names('en', nodes)}`,
  advice: () =>
    say`The log of the kubelet usually shows why no container starts. A new pod on this node makes new events.`,
};

const ko: typeof en = {
  'shared-failure': () => say`컨테이너가 시작되지 않으며 이유를 보여 주는 이벤트가 없음`,
  summary: ({ workload, nodes }) =>
    say`${code(workload)}: ${names('ko', nodes)} 노드에서 컨테이너가 시작되지 않으며, 이유를 보여 주는 이벤트가 없습니다`,
  'summary-unread': ({ workload, nodes }) =>
    say`${code(workload)}: ${names('ko', nodes)} 노드에서 컨테이너가 시작되지 않으며, 이벤트를 읽지 못했습니다`,
  standing: ({ longest, ...pods }) =>
    say`${failingPods('ko', pods)}가 노드에 배정되었지만 ${elapsedAtMost('ko', longest)} 동안 실행 중인 컨테이너가 없습니다.`,
  since: ({ pod, since }) =>
    say`${code(pod)} 파드는 ${moment(since)}에 노드에 배정되었고, 컨테이너는 아직 대기 중입니다.`,
  init: ({ done, of }) => say`초기화 컨테이너 ${of}개 중 ${done}개가 끝났습니다.`,
  'no-sandbox': ({ pod, message }) =>
    sentences(
      say`kubelet이 아직 ${code(pod)} 파드의 샌드박스와 네트워크를 만들지 못했습니다. 볼륨은 그보다 먼저 준비합니다.`,
      message === '' ? [] : say`kubelet의 보고: ${quote(message)}`,
    ),
  'has-sandbox': ({ pod }) =>
    say`${code(pod)} 파드의 볼륨, 샌드박스, 네트워크는 준비되었습니다. 컨테이너가 이미지나 컨테이너 시작을 기다리고 있습니다.`,
  'no-events': () =>
    say`이 파드에 대한 이벤트가 남아 있지 않습니다. API 서버는 기본적으로 이벤트를 1시간 동안 보관합니다.`,
  volumes: ({ volumes }) =>
    say`컨테이너를 시작하기 전에 노드에서 준비해야 하는 볼륨: ${names('ko', volumes)}.`,
  neighbours: ({ pods }) => say`이 노드에서 다른 워크로드의 파드도 같은 상태입니다: ${names('ko', pods)}.`,
  'ev-bound': () => say`노드에 배정되었으나 실행 중인 컨테이너가 없음`,
  'because-never-started': () => say`실행된 컨테이너가 없음`,
  'restart-withheld': () => say`이유를 알 수 없으므로 새 파드도 똑같이 기다릴 수 있습니다.`,
  'advice-title': ({ nodes }) => say`${names('ko', nodes)} 노드의 kubelet 로그 확인하기`,
  advice: () =>
    say`노드의 kubelet 로그를 확인하세요. 이 노드에 새 파드를 만들면 이벤트가 다시 생기며, 보통 거기에 이유가 나타납니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('pod-start-stalled');

const PodStartStalledFacts = z.strictObject({
  ...crashFacts,
  stuckSeconds: fact.seconds('Time since the pod that waits longest got its node'),
  since: fact.text('When that was, RFC3339'),
  initContainers: fact.count('Init containers of that pod'),
  initContainersDone: fact.count('Those of them that have finished'),
  volumes: fact.names('Volumes of that pod that the node prepares before it starts a container'),
  hasSandbox: fact
    .flag('The sandbox of that pod and its network are ready; absent where the kubelet does not report it')
    .optional(),
  neighbours: sameFailureFact,
});

/**
 * A pod has a node, and no container of it starts, and no event shows why: events live for an hour. What is
 * known is stated in place of a cause. A cause that events show is found instead.
 */
export const podStartStalled: Rule<typeof PodStartStalledFacts> = {
  id: 'pod-start-stalled',
  facts: PodStartStalledFacts,
  text,
  origin: 'surroundings',
  appliesTo: workloadKinds,
  needs: podNeeds,
  supersedes: ['progress-deadline-exceeded'],
  ...detectEach('pod-start-stalled', (examination, failureGroup) => {
    const { snapshot } = examination;
    // Nothing shows that the kubelet did not start it.
    if (isUnrecorded(snapshot, 'Pod', 'status')) return undefined;
    const { nodes } = failureGroup;
    const { pod, since } = longestOf(snapshot, failureGroup);
    const base = crashFactsOf(failureGroup);
    const done = pod.status.initContainerStatuses.filter(({ state: now }) => now.terminated?.exitCode === 0);
    const facts = {
      stuckSeconds: Math.max(0, (nowOf(snapshot) - since) / 1000),
      since: new Date(since).toISOString(),
      initContainers: pod.spec.initContainers.length,
      initContainersDone: done.length,
      volumes: pod.spec.volumes.map(({ name }) => name),
      neighbours: neighboursOf(snapshot, failureGroup),
    };
    const sandbox = conditionOf(pod.status, 'PodReadyToStartContainers');
    const hasSandbox = sandbox?.status === 'True';
    const areEventsRead = !isUnreadNearby(snapshot, 'Event');
    return crashFinding(examination, failureGroup, {
      confidence: 'likely',
      restsOnSilence: true,
      // One stalled pod is no evidence against the node; pods of other workloads in the same state are.
      ...(facts.neighbours.length > 0 ? blamedNode(nodes) : {}),
      facts: { ...facts, ...(sandbox === undefined ? {} : { hasSandbox }) },
      summary: state(areEventsRead ? 'summary' : 'summary-unread', {
        workload: workloadName(snapshot),
        nodes,
      }),
      standing: state('standing', { ...failingPodsOf(failureGroup), longest: facts.stuckSeconds }),
      reasoning: [
        crash('where', { pods: base.pods, nodes }),
        state('since', { pod: pod.metadata.name, since: facts.since }),
        ...(facts.initContainers === 0
          ? []
          : [state('init', { done: facts.initContainersDone, of: facts.initContainers })]),
        ...sandboxStatements(pod.metadata.name, sandbox),
        ...(areEventsRead ? [state('no-events')] : []),
        ...(facts.volumes.length === 0 || hasSandbox ? [] : [state('volumes', { volumes: facts.volumes })]),
        ...(facts.neighbours.length === 0 ? [] : [state('neighbours', { pods: facts.neighbours })]),
      ],
      evidence: [
        {
          object: refOf(pod),
          field: 'status.conditions[PodScheduled]',
          value: pod.spec.nodeName ?? '',
          at: facts.since,
          says: state('ev-bound'),
        },
      ],
      ruledOut: [
        { cause: 'unsatisfiable-placement', because: crash('because-has-node') },
        { cause: 'application-crash', because: state('because-never-started') },
      ],
      withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
      advice: [
        {
          title: state('advice-title', { nodes }),
          text: state('advice'),
          snippet: nodes
            .slice(0, 3)
            .map((node) => `kubectl get pods -A -o wide --field-selector spec.nodeName=${node}\n`)
            .join(''),
        },
      ],
    });
  }),
};

/** Since 1.37 a message says what the sandbox lacks (kubernetes `kubelet/status/generate.go`). */
function sandboxStatements(pod: string, sandbox: Condition | undefined): readonly Statement[] {
  if (sandbox === undefined) return [];
  return sandbox.status === 'True'
    ? [state('has-sandbox', { pod })]
    : [state('no-sandbox', { pod, message: sandbox.message })];
}

function longestOf(
  snapshot: Snapshot,
  { podFailures: [first, ...others] }: FailureGroup,
): { readonly pod: Pod; readonly since: number } {
  const sinceOf = (pod: Pod): number => scheduledSince(pod) ?? nowOf(snapshot);
  const pod = others.reduce(
    (longest, each) => (sinceOf(each.pod) < sinceOf(longest) ? each.pod : longest),
    first.pod,
  );
  return { pod, since: sinceOf(pod) };
}

/** Pods of other workloads on these nodes in the same state. */
function neighboursOf(snapshot: Snapshot, { nodes }: FailureGroup): readonly string[] {
  const own = new Set(podsOf(snapshot).map(({ metadata }) => metadata.uid));
  return nodes
    .flatMap((name) => snapshot.index.podsByNode.get(name) ?? [])
    .filter(
      (pod) =>
        !own.has(pod.metadata.uid) &&
        podFailuresIn(snapshot, pod).some(({ cause }) => cause === 'pod-start-stalled'),
    )
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
    .sort();
}
