import * as z from 'zod';
import { code, moment, quote, say, sentences } from '../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../engine/language/statement.js';
import { elapsed, names } from '../../engine/language/words.js';
import type { NodeClaim } from '../../engine/objects/policy.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { workloadKinds } from '../../engine/objects/workload.js';
import type { CauseId } from '../findings/cause-id.js';
import { type FactsOf, fact } from '../findings/facts.js';
import { type Advice, type Evidence, eventEvidence, type RuledOut } from '../findings/finding.js';
import type { Rule } from '../findings/rule.js';
import { waitingNeeds } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';
import type { Block } from '../findings/waiting/block.js';
import { waitingFactsOf } from '../findings/waiting/block.js';
import { blocksFor } from '../findings/waiting/cause-of.js';
import { waitingFacts } from '../findings/waiting/facts.js';
import { ruledOutByWaiting, waitingFinding } from '../findings/waiting/finding.js';
import { ownPods } from '../findings/waiting/holding.js';
import { groupedRefusals } from '../findings/waiting/refusal.js';
import type { ScaleUp } from '../findings/waiting/scale-up.js';
import { waiting } from '../findings/waiting/text.js';

const en = {
  'shared-failure': () => say`pods wait for new nodes`,
  summary: ({ workload, by }: { workload: string; by: string }) =>
    say`${code(workload)} is waiting for a new node: ${code(by)} has ordered one`,
  ordered: ({ by, at, secondsAgo }: { by: string; at: string; secondsAgo: number }) =>
    say`${code(by)} ordered a node for this pod ${elapsed('en', secondsAgo)} ago (${moment(at)}).`,
  'ordered-for-unknown-pods': ({ claim, at }: { claim: string; at: string }) =>
    say`Karpenter has ordered a node (${code(claim)}, ${moment(at)}). No event states whether it is for these pods.`,
  said: ({ by, message }: { by: string; message: string }) => say`${code(by)} reports: ${quote(message)}`,
  claim: ({ name, done, missing }: { name: string; done: readonly string[]; missing: readonly string[] }) =>
    sentences(
      done.length === 0
        ? say`The NodeClaim ${code(name)} has made no progress yet.`
        : say`The NodeClaim ${code(name)} has completed: ${names('en', done)}.`,
      missing.length === 0 ? say`Its node has joined.` : say`Remaining: ${names('en', missing)}.`,
    ),
  expires: ({ until }: { until: string }) =>
    say`A node usually arrives within minutes. If the pods are still pending ${moment(until)}, the order counts as failed.`,
  'then-deadlock': ({ pods }: { pods: readonly string[] }) =>
    say`Old pods are still running (${names('en', pods, 3)}). If no node arrives, the rollout may be deadlocked. Diagnose again then.`,
  'ev-claim': ({ claim }: { claim: string }) => say`${code(claim)} is being provisioned`,
  'because-ordered': ({ by }: { by: string }) => say`${code(by)} has ordered a node that may run the pod`,
  'next-attempt': () => say`The scheduler retries when the node joins, expected by this time.`,
  'wait-withheld': ({ by }: { by: string }) =>
    say`${code(by)} is adding a node. The new node costs no ready pod.`,
  'advice-watch-title': () => say`Watch the new node`,
  'advice-watch-cluster-autoscaler': () =>
    say`The status of the autoscaler shows back-off, cloud quota and node groups at their limit.`,
  'advice-watch-karpenter': () =>
    say`The conditions Launched, Registered and Initialized show the progress of the node. Its events show errors.`,
};

const ko: typeof en = {
  'shared-failure': () => say`새 노드를 기다리는 중`,
  summary: ({ workload, by }) =>
    say`${code(workload)} 파드가 새 노드를 기다리는 중: ${code(by)} 오토스케일러가 노드를 요청했습니다`,
  ordered: ({ by, at, secondsAgo }) =>
    say`${code(by)} 오토스케일러가 ${elapsed('ko', secondsAgo)} 전에 이 파드를 위한 노드를 요청했습니다(${moment(at)}).`,
  'ordered-for-unknown-pods': ({ claim, at }) =>
    say`Karpenter가 노드를 요청했습니다(${code(claim)}, ${moment(at)}). 이 파드를 위한 것인지 알려 주는 이벤트는 없습니다.`,
  said: ({ by, message }) => say`${code(by)} 메시지: ${quote(message)}`,
  claim: ({ name, done, missing }) =>
    sentences(
      done.length === 0
        ? say`NodeClaim ${code(name)} 진행 상황: 아직 완료된 단계가 없습니다.`
        : say`NodeClaim ${code(name)} 완료 단계: ${names('ko', done)}.`,
      missing.length === 0
        ? say`노드가 클러스터에 추가되었습니다.`
        : say`남은 단계: ${names('ko', missing)}.`,
    ),
  expires: ({ until }) =>
    say`노드는 보통 몇 분 안에 추가됩니다. ${moment(until)}에도 파드가 Pending 상태이면 실패한 요청으로 봅니다.`,
  'then-deadlock': ({ pods }) =>
    say`이전 파드가 아직 실행 중입니다(${names('ko', pods, 3)}). 새 노드가 추가되지 않으면 롤아웃 교착 상태일 수 있으니 그때 다시 진단하세요.`,
  'ev-claim': ({ claim }) => say`${code(claim)} 프로비저닝 중`,
  'because-ordered': ({ by }) => say`${code(by)} 오토스케일러가 파드를 실행할 수 있는 노드를 요청함`,
  'next-attempt': () => say`노드가 추가되면 스케줄러가 다시 시도하며, 이 시각까지 추가될 것으로 예상됩니다.`,
  'wait-withheld': ({ by }) =>
    say`노드가 추가되는 중입니다. ${code(by)} 오토스케일러의 새 노드를 쓰면 준비된 파드가 줄지 않습니다.`,
  'advice-watch-title': () => say`새 노드 지켜보기`,
  'advice-watch-cluster-autoscaler': () =>
    say`오토스케일러 상태에서 백오프, 클라우드 할당량, 한도에 도달한 노드 그룹을 확인할 수 있습니다.`,
  'advice-watch-karpenter': () =>
    say`Launched, Registered, Initialized 컨디션에서 노드의 진행 상황을, 이벤트에서 오류를 확인할 수 있습니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('waiting-for-autoscaler');

const WaitingForAutoscalerFacts = z.strictObject({
  ...waitingFacts,
  order: z
    .strictObject({
      by: fact.text('Name of the autoscaler'),
      since: fact.time('Time of the order'),
      until: fact.time('When it counts as failed'),
      message: fact
        .text('What the autoscaler reports; absent where only the NodeClaim shows the order')
        .optional(),
      nodeClaim: fact.text('Name of the NodeClaim').optional(),
      stagesDone: fact.names('Conditions of the NodeClaim that are true'),
      stagesMissing: fact.names('Those that are not'),
    })
    .describe('The order of a node'),
  oldPods: fact.names('Pods of the former revision'),
});

/**
 * An autoscaler has ordered a node for the waiting pods. That is a hope with an end: after 15 minutes without
 * effect it counts as failed, and the finding says when that is.
 */
export const waitingForAutoscaler: Rule<typeof WaitingForAutoscalerFacts> = {
  id: 'waiting-for-autoscaler',
  facts: WaitingForAutoscalerFacts,
  text,
  origin: 'surroundings',
  appliesTo: workloadKinds,
  needs: waitingNeeds,
  supersedes: ['progress-deadline-exceeded'],
  detect(examination) {
    const blocks = blocksFor(examination, 'waiting-for-autoscaler');
    if (blocks === undefined) return undefined;
    const [block] = blocks;
    if (block.why.kind !== 'autoscaler') return undefined;
    const { order } = block.why;
    const { snapshot } = examination;
    const claim = snapshot.index.objects.NodeClaim.find(({ metadata }) => metadata.name === order.nodeClaim);
    const { by, since, until, nodeClaim, event } = order;
    const facts = {
      ...waitingFactsOf(examination, blocks),
      order: { by, since, until, message: event?.message, nodeClaim, ...stagesOf(claim) },
      oldPods: ownPods(snapshot).predecessors.map(({ metadata }) => metadata.name),
    };
    const because = state('because-ordered', { by: order.by });
    const fateUnread = fateUnreadOf(snapshot, order);
    return waitingFinding(examination, blocks, {
      severity: 'warning',
      facts,
      summary: state('summary', { workload: workloadName(snapshot), by: order.by }),
      reasoning: reasoningOf(snapshot, block, facts, claim),
      evidence: evidenceOf(order, claim),
      ruledOut: [
        ...without(fateUnread, ['surge-deadlock'], because),
        ...ruledOutByWaiting(examination, block).filter(({ cause }) => cause !== 'surge-deadlock'),
        ...without(fateUnread, shortages, because),
      ],
      weakenedBy:
        fateUnread.length > 0 ? [waiting('better-unread', { causes: withoutOrder, kinds: fateUnread })] : [],
      nextAttempt: { at: order.until, what: state('next-attempt') },
      withheld: [
        { kind: 'patch-strategy', because: state('wait-withheld', { by: order.by }) },
        { kind: 'restart-rollout', because: waiting('restart-withheld') },
      ],
      advice: [adviceFor(order)],
      // The order is a fact; that the node will come and fit is the autoscaler's word.
      atMost: order.event === undefined ? 'possible' : 'likely',
    });
  },
};

const shortages = ['insufficient-capacity', 'capacity-contention', 'unsatisfiable-placement'] as const;
/** What is left of the cause when the order fails. */
const withoutOrder: readonly CauseId[] = ['surge-deadlock', ...shortages];

/** Causes that the order excludes, unless nobody knows its fate. */
function without(
  fateUnread: readonly string[],
  causes: readonly CauseId[],
  because: Statement,
): readonly RuledOut[] {
  return fateUnread.length > 0 ? [] : causes.map((cause) => ({ cause, because }));
}

/** Descriptions of pods show the order, and neither its NodeClaim nor the events of its node group. */
function fateUnreadOf({ unrecorded = [], index }: Snapshot, { by }: ScaleUp): readonly string[] {
  if (unrecorded.length === 0) return [];
  if (by === 'cluster-autoscaler') return ['Event'];
  return index.objects.NodeClaim.length === 0 ? ['NodeClaim'] : [];
}

function reasoningOf(
  snapshot: Snapshot,
  { nodes }: Block,
  { order, oldPods }: FactsOf<typeof WaitingForAutoscalerFacts>,
  claim: NodeClaim | undefined,
): readonly Statement[] {
  const { by, since, until, message, stagesDone: done, stagesMissing: missing } = order;
  return [
    ...(message === undefined
      ? [state('ordered-for-unknown-pods', { claim: order.nodeClaim ?? '', at: since })]
      : [
          state('ordered', { by, at: since, secondsAgo: secondsSince(snapshot, since) }),
          state('said', { by, message }),
        ]),
    ...(claim === undefined ? [] : [state('claim', { name: claim.metadata.name, done, missing })]),
    waiting('tally', { nodesInAll: nodes.length, groups: groupedRefusals(nodes) }),
    state('expires', { until }),
    ...(oldPods.length === 0 ? [] : [state('then-deadlock', { pods: oldPods })]),
  ];
}

const stages = ['Launched', 'Registered', 'Initialized'];

function stagesOf(claim: NodeClaim | undefined) {
  const isDone = (stage: string): boolean =>
    claim?.status.conditions.some(({ type, status }) => type === stage && status === 'True') === true;
  return {
    stagesDone: stages.filter(isDone),
    stagesMissing: claim === undefined ? [] : stages.filter((stage) => !isDone(stage)),
  };
}

function secondsSince(snapshot: Snapshot, at: string): number {
  return Math.max(0, (nowOf(snapshot) - Date.parse(at)) / 1000);
}

function evidenceOf({ event, by }: ScaleUp, claim: NodeClaim | undefined): readonly Evidence[] {
  return [
    ...eventEvidence(event, waiting('ev-ordered', { by })),
    ...(claim === undefined
      ? []
      : [
          {
            object: { kind: 'NodeClaim', namespace: '', name: claim.metadata.name },
            field: 'status.conditions',
            value: claim.status.conditions.map(({ type, status }) => `${type}=${status}`).join(' '),
            at: claim.metadata.creationTimestamp,
            says: state('ev-claim', { claim: claim.metadata.name }),
          },
        ]),
  ];
}

function adviceFor({ by, nodeClaim }: ScaleUp): Advice {
  const title = state('advice-watch-title');
  if (by === 'Karpenter') {
    return {
      title,
      text: state('advice-watch-karpenter'),
      snippet: `kubectl describe nodeclaim${nodeClaim === undefined ? 's' : ` ${nodeClaim}`}\n`,
    };
  }
  return {
    title,
    text: state('advice-watch-cluster-autoscaler'),
    snippet: 'kubectl -n kube-system get configmap cluster-autoscaler-status -o yaml\n',
  };
}
