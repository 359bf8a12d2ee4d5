import * as z from 'zod';
import { code, moment, say } from '../../engine/language/prose.js';
import { statementsOf } from '../../engine/language/statement.js';
import { counted, names } from '../../engine/language/words.js';
import { horizontalAutoscalerFor } from '../../engine/objects/horizontal-autoscaler.js';
import { refOf } from '../../engine/objects/pod.js';
import type { HorizontalPodAutoscaler } from '../../engine/objects/policy.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { revisionOf } from '../../engine/workloads/revisions.js';
import { fact } from '../findings/facts.js';
import { type Advice, type Evidence, eventEvidence } from '../findings/finding.js';
import type { Rule } from '../findings/rule.js';
import { waitingNeeds } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';
import { capacityAdvice, spreadStatements } from '../findings/waiting/advice.js';
import { nearestOf, nodesOf, waitingFactsOf } from '../findings/waiting/block.js';
import { blocksFor } from '../findings/waiting/cause-of.js';
import { waitingFacts } from '../findings/waiting/facts.js';
import { autoscalerStatements, ruledOutByWaiting, waitingFinding } from '../findings/waiting/finding.js';
import { ownPods } from '../findings/waiting/holding.js';
import { refusalsOf } from '../findings/waiting/refusal.js';
import { type Growth, growthOf } from '../findings/waiting/scale-up.js';
import { resourceWords } from '../findings/waiting/sentence.js';
import { waiting } from '../findings/waiting/text.js';

const en = {
  'shared-failure': () => say`new replicas find no node`,
  summary: (values: { workload: string; from: number | undefined; to: number; waiting: number }) =>
    values.from === undefined
      ? say`${code(values.workload)} was scaled to ${values.to} replicas, but the cluster has no capacity for ${counted(values.waiting, 'pod', 'pods')}`
      : say`${code(values.workload)} was scaled from ${values.from} to ${values.to} replicas, but the cluster has no capacity for ${counted(values.waiting, 'pod', 'pods')}`,
  grown: (values: { from: number | undefined; to: number; at: string; revision: string }) =>
    values.from === undefined
      ? say`Since ${moment(values.at)}, ${counted(values.to, 'replica', 'replicas')} of revision ${code(values.revision)} are wanted. Its rollout was complete before.`
      : say`At ${moment(values.at)} the replicas of revision ${code(values.revision)} were scaled from ${values.from} to ${values.to}. Its rollout was complete before.`,
  'same-revision': ({ pods, resource }: { pods: readonly string[]; resource: string }) =>
    say`Pods of the same revision use the capacity there (${resourceWords('en', resource)}): ${names('en', pods)}.`,
  'no-deadlock': () =>
    say`This is not a deadlock. No pod is being replaced, and running pods keep running. Only capacity is missing.`,
  'autoscaled-by': ({ name, maximum }: { name: string; maximum: number }) =>
    say`The HorizontalPodAutoscaler ${code(name)} sets the replicas, up to ${maximum}.`,
  'maybe-replacement': () =>
    say`The event of the scaling has expired. The pending pods may also replace lost ones.`,
  'ev-scaled': () => say`the controller scaled up the current revision`,
  'ev-replicas': ({ to }: { to: number }) => say`${to} replicas are wanted`,
  'because-one-revision': () => say`all pods have the same revision, so no old pod has to stop`,
  'because-own-pods': ({ resource }: { resource: string }) =>
    say`the workload's own pods use the capacity (${resourceWords('en', resource)}): without some of them the pod fits`,
  'because-complete': () => say`the rollout was complete before the scaling`,
  'strategy-withheld': () => say`No rollout is in progress, so the strategy has no effect.`,
  'undo-withheld': () => say`The revision does not cause the missing capacity.`,
  'advice-replicas-title': () => say`Or scale down to what fits`,
  'advice-replicas': ({ replicas }: { replicas: number }) =>
    say`The cluster currently has capacity for ${counted(replicas, 'replica', 'replicas')}.`,
  'advice-maximum-title': () => say`Or limit the autoscaling to what fits`,
  'advice-maximum': ({ name, replicas }: { name: string; replicas: number }) =>
    say`${code(name)} requests more again while its maximum is above ${counted(replicas, 'replica', 'replicas')}, the current capacity.`,
};

const ko: typeof en = {
  'shared-failure': () => say`새 레플리카를 배치할 노드가 없음`,
  summary: ({ workload, from, to, waiting }) =>
    from === undefined
      ? say`${code(workload)} 복제본을 ${to}개로 늘렸지만 파드 ${waiting}개를 배치할 용량이 없습니다`
      : say`${code(workload)} 복제본을 ${from}개에서 ${to}개로 늘렸지만 파드 ${waiting}개를 배치할 용량이 없습니다`,
  grown: ({ from, to, at, revision }) =>
    from === undefined
      ? say`${moment(at)}부터 롤아웃이 이미 완료된 리비전 ${code(revision)}의 복제본 ${to}개가 필요합니다.`
      : say`${moment(at)}에 롤아웃이 이미 완료된 리비전 ${code(revision)}의 복제본이 ${from}개에서 ${to}개로 늘었습니다.`,
  'same-revision': ({ pods, resource }) =>
    say`같은 리비전의 파드가 그곳의 용량(${resourceWords('ko', resource)})을 사용 중입니다: ${names('ko', pods)}.`,
  'no-deadlock': () =>
    say`교착 상태가 아닙니다. 교체되는 파드가 없고 실행 중인 파드는 계속 실행됩니다. 용량만 부족합니다.`,
  'autoscaled-by': ({ name, maximum }) =>
    say`HorizontalPodAutoscaler ${code(name)} 설정에 따라 복제본 수가 정해집니다(최대 ${maximum}개).`,
  'maybe-replacement': () =>
    say`스케일링 이벤트가 만료되었습니다. Pending 파드가 사라진 파드를 대체하는 것일 수도 있습니다.`,
  'ev-scaled': () => say`컨트롤러가 현재 리비전을 스케일업함`,
  'ev-replicas': ({ to }) => say`복제본 ${to}개 필요`,
  'because-one-revision': () => say`모든 파드의 리비전이 같아 내려야 할 이전 파드가 없음`,
  'because-own-pods': ({ resource }) =>
    say`워크로드 자신의 파드가 용량(${resourceWords('ko', resource)})을 사용 중이며, 일부만 없어도 배치할 수 있음`,
  'because-complete': () => say`스케일링 전에 롤아웃이 완료되어 있었음`,
  'strategy-withheld': () => say`진행 중인 롤아웃이 없어 배포 전략은 영향을 주지 않습니다.`,
  'undo-withheld': () => say`용량이 부족한 것은 리비전 때문이 아닙니다.`,
  'advice-replicas-title': () => say`또는 배치할 수 있는 수로 줄이기`,
  'advice-replicas': ({ replicas }) =>
    say`현재 클러스터 용량으로는 복제본 ${replicas}개까지 배치할 수 있습니다.`,
  'advice-maximum-title': () => say`또는 오토스케일링 최대값을 용량에 맞추기`,
  'advice-maximum': ({ name, replicas }) =>
    say`최대값이 현재 용량인 ${replicas}개보다 크면 ${code(name)} 오토스케일러가 다시 더 많은 복제본을 요청합니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('scale-up-pending');

const ScaleUpPendingFacts = z.strictObject({
  ...waitingFacts,
  replicasBefore: fact.count('Replicas before; absent where nothing shows them').optional(),
  replicas: fact.count('Replicas wanted now'),
  scaledAt: fact.time('When the first of the waiting pods was created'),
  autoscaledBy: z
    .strictObject({ name: fact.text('Its name'), maxReplicas: fact.count('Its maximum') })
    .describe('The HorizontalPodAutoscaler of the workload')
    .optional(),
  ownPods: fact.names('Pods of the same revision that have a node'),
});

/** Nodes told in full; the rest is in the tally. */
const nearestShown = 3;

/**
 * A finished rollout was given more replicas than there is room for: pods of the same revision hold what the
 * new ones need. It looks like a deadlock of the workload with itself and is none, since no controller waits
 * to take a pod.
 */
export const scaleUpPending: Rule<typeof ScaleUpPendingFacts> = {
  id: 'scale-up-pending',
  facts: ScaleUpPendingFacts,
  text,
  origin: 'surroundings',
  appliesTo: ['Deployment', 'StatefulSet'],
  needs: waitingNeeds,
  supersedes: ['progress-deadline-exceeded'],
  detect(examination) {
    const blocks = blocksFor(examination, 'scale-up-pending');
    if (blocks === undefined) return undefined;
    const { snapshot } = examination;
    const [block] = blocks;
    const pods = blocks.flatMap((each) => [...each.pods]);
    const growth = growthOf(snapshot, pods);
    if (growth === undefined || block.why.kind !== 'held' || block.why.holding === undefined)
      return undefined;
    const { resource } = block.why.holding;
    const own = ownPods(snapshot).others;
    const nodes = nodesOf(blocks);
    const held = nodes.filter(({ refusal }) => refusal === 'held');
    const autoscaler = autoscalerStatements(examination, blocks);
    const horizontal = horizontalAutoscalerFor(snapshot.index, {
      kind: snapshot.workload.kind,
      ...snapshot.workload.metadata,
    });
    const facts = {
      ...waitingFactsOf(examination, blocks),
      ...autoscaler.facts,
      replicasBefore: growth.from,
      replicas: growth.to,
      scaledAt: growth.at,
      autoscaledBy: horizontal && {
        name: horizontal.metadata.name,
        maxReplicas: horizontal.spec.maxReplicas,
      },
      ownPods: own.map(({ metadata }) => metadata.name),
    };
    const { replicasBefore: from, replicas: to, autoscaledBy } = facts;
    return waitingFinding(examination, blocks, {
      facts,
      summary: state('summary', { workload: workloadName(snapshot), from, to, waiting: facts.waiting }),
      resource,
      nodes: held.map(({ name }) => name),
      holders: own.map(refOf),
      reasoning: [
        state('grown', { from, to, at: facts.scaledAt, revision: revisionOf(snapshot) }),
        ...(autoscaledBy === undefined
          ? []
          : [state('autoscaled-by', { name: autoscaledBy.name, maximum: autoscaledBy.maxReplicas })]),
        ...(nodes.length > nearestShown
          ? [waiting('tally', { nodesInAll: facts.nodesInAll, groups: facts.refusals })]
          : []),
        ...nearestOf(nodes, nearestShown).map(({ name, reasons }) =>
          waiting('node-lacks', { node: name, refusals: refusalsOf(reasons) }),
        ),
        state('same-revision', { pods: facts.ownPods, resource }),
        ...spreadStatements(examination, block),
        state('no-deadlock'),
        ...autoscaler.reasoning,
      ],
      evidence: [...evidenceOf(snapshot, growth), ...autoscaler.evidence],
      ruledOut: [
        { cause: 'surge-deadlock', because: state('because-one-revision') },
        ...ruledOutByWaiting(examination, block).filter(({ cause }) => cause !== 'surge-deadlock'),
        { cause: 'capacity-contention', because: state('because-own-pods', { resource }) },
        { cause: 'progress-deadline-exceeded', because: state('because-complete') },
        { cause: 'node-cordoned', because: waiting('because-in-service') },
        { cause: 'waiting-for-autoscaler', because: waiting('because-no-order') },
      ],
      withheld: [
        { kind: 'patch-strategy', because: state('strategy-withheld') },
        { kind: 'undo-rollout', because: state('undo-withheld') },
        { kind: 'restart-rollout', because: waiting('restart-withheld') },
      ],
      advice: [...capacityAdvice(examination, block), ...replicasAdvice(own.length, horizontal)],
      weakenedBy: growth.event === undefined ? [state('maybe-replacement')] : [],
    });
  },
};

function evidenceOf({ workload }: Snapshot, { event, to }: Growth): readonly Evidence[] {
  const { kind, metadata } = workload;
  const object = { kind, namespace: metadata.namespace, name: metadata.name };
  return [
    { object, field: 'spec.replicas', value: String(to), says: state('ev-replicas', { to }) },
    ...eventEvidence(event, state('ev-scaled')),
  ];
}

/**
 * As many replicas as there is room for; where a HorizontalPodAutoscaler sets them, its maximum.
 *
 * @param placed replicas that have a node
 */
function replicasAdvice(placed: number, autoscaler: HorizontalPodAutoscaler | undefined): readonly Advice[] {
  if (autoscaler !== undefined) {
    return [
      {
        title: state('advice-maximum-title'),
        text: state('advice-maximum', { name: autoscaler.metadata.name, replicas: placed }),
        snippet: `# HorizontalPodAutoscaler ${autoscaler.metadata.name}
spec:
  maxReplicas: ${placed}
`,
      },
    ];
  }
  return [
    {
      title: state('advice-replicas-title'),
      text: state('advice-replicas', { replicas: placed }),
      snippet: `spec:
  replicas: ${placed}
`,
    },
  ];
}
