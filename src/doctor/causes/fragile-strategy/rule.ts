import * as z from 'zod';
import { code, quote, say, word } from '../../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../../engine/language/statement.js';
import { counted, countedPods, duration, names } from '../../../engine/language/words.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { unreadOf } from '../../../engine/objects/unread.js';
import { hasDeploymentStrategy, hasPodPerNode } from '../../../engine/objects/workload.js';
import { daemonSetBounds } from '../../../engine/workloads/daemon-set-model.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { Strategy, type StrategyFacts, strategyFactsOf } from '../../findings/deadlock/facts.js';
import { strategySnippet } from '../../findings/deadlock/lasting-strategy.js';
import { deadlock } from '../../findings/deadlock/text.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Advice, Evidence } from '../../findings/finding.js';
import { readinessOf } from '../../findings/readiness-of.js';
import type { Detected, Rule } from '../../findings/rule.js';
import { waitingNeeds } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { patchStrategyForms } from '../../fixes/kinds/patch-strategy/forms.js';
import { type NextUpdate, nextUpdateOf } from './next-update.js';

export const FragileStrategyFacts = z.strictObject({
  kind: fact.oneOf(
    ['place', 'quota', 'volume'],
    'What the next update will lack: a node, quota, or the volume',
  ),
  lacking: fact.text('The resource, or the name of the volume'),
  message: fact.text('What the scheduler or the API server will report').optional(),
  strategy: Strategy.describe('The strategy as it is'),
  fix: z
    .strictObject({
      type: fact.text('Type of the strategy'),
      downtimeSeconds: fact.seconds('Time without a ready pod').optional(),
      hasDowntime: fact.flag('No pod is ready for this time'),
    })
    .describe('A strategy with which the update completes')
    .optional(),
});

const en = {
  'shared-failure': () => say`the next update will get stuck`,
  summary: ({ workload, resource }: { workload: string; resource: string }) =>
    say`The next update of ${code(workload)} will deadlock on ${code(resource)}`,
  'summary-quota': ({ workload }: { workload: string }) =>
    say`The next update of ${code(workload)} will deadlock on a quota`,
  'summary-volume': ({ workload, volume }: { workload: string; volume: string }) =>
    say`The next update of ${code(workload)} will deadlock if its new pod is not placed where ${code(volume)} is attached`,
  standing: ({ ready, wanted }: { ready: number; wanted: number }) =>
    say`No problem now: ${countedPods(ready, wanted)} ${word(wanted === 1 ? 'is' : 'are')} ready.`,
  strategy: (values: { maxSurge: string; maxUnavailable: string; replicas: number; surge: number }) =>
    say`With ${counted(values.replicas, 'replica', 'replicas')}, maxSurge ${code(values.maxSurge)} and maxUnavailable ${code(values.maxUnavailable)} allow ${values.surge} extra and 0 unavailable. An update starts a new pod first, and stops an old one only when the new one is ready.`,
  'strategy-surges': ({ maxSurge }: { maxSurge: string }) =>
    say`With maxSurge ${code(maxSurge)}, an update starts a second pod on the same node, and stops the old one only when the new one is ready.`,
  'no-place': ({ resource }: { resource: string }) =>
    say`No node can run one more pod: none has enough ${code(resource)} free.`,
  'no-quota': () => say`The quota does not allow one more pod.`,
  'would-say': ({ message }: { message: string }) => say`Kubernetes would report: ${quote(message)}`,
  held: (values: { pods: readonly string[]; nodes: readonly string[]; resource: string }) =>
    values.nodes.length === 0
      ? say`Its own ${names('en', values.pods)} ${word(values.pods.length === 1 ? 'uses' : 'use')} ${code(values.resource)}.`
      : say`Its own ${names('en', values.pods)} on ${names('en', values.nodes)} ${word(values.pods.length === 1 ? 'uses' : 'use')} ${code(values.resource)}.`,
  moves: ({ volume, nodes, pods }: { volume: string; nodes: readonly string[]; pods: readonly string[] }) =>
    say`The volume ${code(volume)} can be attached to one node at a time. ${names('en', pods)} ${word(pods.length === 1 ? 'uses' : 'use')} it on ${names('en', nodes)}, and the scheduler ignores where it is attached.`,
  'moves-always': ({ nodes }: { nodes: readonly string[] }) =>
    say`${names('en', nodes)} cannot run a second pod, so the new one must go to another node.`,
  'moves-perhaps': ({ nodes }: { nodes: readonly string[] }) =>
    say`If the scheduler chooses ${names('en', nodes)} again, the update completes. If it chooses another node, the update deadlocks.`,
  'in-place': ({ seconds, gap }: { seconds: number | undefined; gap: boolean }) =>
    seconds === undefined
      ? say`With maxSurge ${code('0')} and maxUnavailable ${code('1')} the update would complete.`
      : gap
        ? say`With maxSurge ${code('0')} and maxUnavailable ${code('1')} the update would complete, with about ${duration('en', seconds)} of downtime.`
        : say`With maxSurge ${code('0')} and maxUnavailable ${code('1')} the update would complete, with fewer pods ready for about ${duration('en', seconds)}.`,
  recreate: ({ seconds }: { seconds: number | undefined }) =>
    seconds === undefined
      ? say`With the strategy ${code('Recreate')} the update would complete.`
      : say`With the strategy ${code('Recreate')} the update would complete, with about ${duration('en', seconds)} of downtime.`,
  'ev-strategy': ({ workload }: { workload: string }) => say`update strategy of ${code(workload)}`,
  'same-template': () =>
    say`This assumes that the next version needs the same resources and that the cluster does not change.`,
  'pods-unread': ({ because }: { because: string }) =>
    say`Pods on some nodes could not be read (${code(because)}).`,
  'because-complete': () => say`the last rollout is complete`,
  'because-held': ({ pods }: { pods: readonly string[] }) =>
    say`one more pod would fit without ${names('en', pods)}`,
  'advice-change-title': () => say`Change the strategy before the next update`,
  'advice-change': ({ workload }: { workload: string }) =>
    say`Change it in the manifest of ${code(workload)}. The change starts no new revision.`,
  'advice-room-title': () => say`Or reserve capacity for one more pod`,
  'advice-room': ({ resource }: { resource: string }) =>
    say`With one more ${code(resource)} than the replicas need, updates cause no downtime.`,
};

const ko: typeof en = {
  'shared-failure': () => say`다음 업데이트가 멈출 예정`,
  summary: ({ workload, resource }) =>
    say`${code(workload)}의 다음 업데이트는 교착 상태가 됩니다(${code(resource)})`,
  'summary-quota': ({ workload }) => say`${code(workload)}의 다음 업데이트는 쿼터 때문에 교착 상태가 됩니다`,
  'summary-volume': ({ workload, volume }) =>
    say`${code(workload)}의 다음 업데이트는 새 파드가 볼륨(${code(volume)})이 연결된 노드에 배치되지 않으면 교착 상태가 됩니다`,
  standing: ({ ready, wanted }) => say`현재는 문제가 없습니다(Ready ${ready}/${wanted}).`,
  strategy: ({ maxSurge, maxUnavailable, replicas, surge }) =>
    say`복제본 ${replicas}개에 maxSurge ${code(maxSurge)}, maxUnavailable ${code(maxUnavailable)}이면 추가 ${surge}개, 사용 불가 0개가 허용됩니다. 업데이트는 새 파드를 먼저 시작하고, 새 파드가 준비되어야 이전 파드를 내립니다.`,
  'strategy-surges': ({ maxSurge }) =>
    say`maxSurge ${code(maxSurge)}이면 같은 노드에 두 번째 파드를 시작하고, 그 파드가 준비되어야 이전 파드를 내립니다.`,
  'no-place': ({ resource }) =>
    say`파드를 하나 더 배치할 노드가 없습니다. ${code(resource)} 여유가 충분한 노드가 없습니다.`,
  'no-quota': () => say`쿼터 때문에 파드를 하나 더 만들 수 없습니다.`,
  'would-say': ({ message }) => say`Kubernetes가 보고할 메시지: ${quote(message)}`,
  held: ({ pods, nodes, resource }) =>
    nodes.length === 0
      ? say`자신의 파드(${names('ko', pods)})가 ${code(resource)} 리소스를 사용 중입니다.`
      : say`${names('ko', nodes)} 노드에서 자신의 파드(${names('ko', pods)})가 ${code(resource)} 리소스를 사용 중입니다.`,
  moves: ({ volume, nodes, pods }) =>
    say`이 볼륨(${code(volume)})은 한 번에 한 노드에만 연결할 수 있으며, 지금은 ${names('ko', nodes)} 노드에서 ${names('ko', pods)} 파드가 사용 중입니다. 스케줄러는 볼륨이 연결된 위치를 고려하지 않습니다.`,
  'moves-always': ({ nodes }) =>
    say`${names('ko', nodes)} 노드에는 두 번째 파드를 배치할 수 없어 새 파드는 다른 노드로 가야 합니다.`,
  'moves-perhaps': ({ nodes }) =>
    say`스케줄러가 다시 ${names('ko', nodes)} 노드를 고르면 업데이트가 완료되고, 다른 노드를 고르면 교착 상태가 됩니다.`,
  'in-place': ({ seconds, gap }) =>
    seconds === undefined
      ? say`maxSurge ${code('0')}, maxUnavailable ${code('1')}이면 업데이트가 완료됩니다.`
      : gap
        ? say`maxSurge ${code('0')}, maxUnavailable ${code('1')}이면 업데이트가 완료되며, 약 ${duration('ko', seconds)} 동안 서비스가 중단됩니다.`
        : say`maxSurge ${code('0')}, maxUnavailable ${code('1')}이면 업데이트가 완료되며, 약 ${duration('ko', seconds)} 동안 준비된 파드가 줄어듭니다.`,
  recreate: ({ seconds }) =>
    seconds === undefined
      ? say`${code('Recreate')} 전략이면 업데이트가 완료됩니다.`
      : say`${code('Recreate')} 전략이면 업데이트가 완료되며, 약 ${duration('ko', seconds)} 동안 서비스가 중단됩니다.`,
  'ev-strategy': ({ workload }) => say`${code(workload)} 업데이트 전략`,
  'same-template': () => say`다음 버전에 같은 리소스가 필요하고 클러스터가 바뀌지 않는다고 가정했습니다.`,
  'pods-unread': ({ because }) => say`일부 노드의 파드를 읽지 못했습니다(${code(because)}).`,
  'because-complete': () => say`지난 롤아웃은 완료됨`,
  'because-held': ({ pods }) => say`${names('ko', pods)} 파드가 없으면 하나 더 배치할 수 있음`,
  'advice-change-title': () => say`다음 업데이트 전에 전략 바꾸기`,
  'advice-change': ({ workload }) =>
    say`${code(workload)} 매니페스트에서 변경하세요. 새 리비전은 시작되지 않습니다.`,
  'advice-room-title': () => say`또는 파드 1개만큼 용량 남겨 두기`,
  'advice-room': ({ resource }) =>
    say`${code(resource)} 리소스가 복제본에 필요한 것보다 1개분 더 있으면 중단 없이 업데이트할 수 있습니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('fragile-strategy');

/**
 * Nothing is wrong, and the next update must come to rest half-way on this cluster, because the strategy
 * wants one more pod before it takes an old one, and the workload's own pods fill what that pod needs. Said
 * only of a workload whose last rollout is complete: a deadlock that is there already has findings of its
 * own.
 */
export const fragileStrategy: Rule<typeof FragileStrategyFacts> = {
  id: 'fragile-strategy',
  facts: FragileStrategyFacts,
  text,
  origin: 'template',
  appliesTo: ['Deployment', 'DaemonSet'],
  needs: [...waitingNeeds, 'ResourceQuota', 'LimitRange', 'PriorityClass'],
  supersedes: [],
  detect(examination) {
    const next = nextUpdateOf(examination);
    return next === undefined ? undefined : findingOf(examination.snapshot, next);
  },
};

function findingOf(snapshot: Snapshot, next: NextUpdate): Detected<typeof FragileStrategyFacts> {
  const ready = readinessOf(snapshot);
  const unread = unreadOf(snapshot, 'Pod', 'Node');
  const facts: Facts = {
    kind: next.kind,
    lacking: next.resource,
    message: next.message,
    strategy: strategyFacts(snapshot, next),
    fix: fixOf(next),
  };
  return {
    confidence: next.confidence,
    severity: 'info',
    resource: next.kind === 'volume' ? 'ReadWriteOnce' : next.resource,
    nodes: [...next.nodes],
    holders: [...next.holders],
    facts,
    summary: summaryOf(snapshot, next),
    standing: state('standing', { ready: ready.pods, wanted: ready.wanted }),
    reasoning: reasoningOf(next, facts),
    evidence: evidenceOf(snapshot, next),
    ruledOut: [
      { cause: 'surge-deadlock', because: state('because-complete') },
      ...(next.kind === 'volume'
        ? []
        : [{ cause: 'insufficient-capacity', because: state('because-held', { pods: podsOf(next) }) }]),
    ],
    advice: adviceFor(snapshot, next),
    weakenedBy: [
      state('same-template'),
      ...(unread === undefined ? [] : [state('pods-unread', { because: unread.because })]),
    ],
  };
}

function summaryOf(snapshot: Snapshot, { kind, resource }: NextUpdate): Statement {
  const workload = workloadName(snapshot);
  switch (kind) {
    case 'place':
      return state('summary', { workload, resource });
    case 'quota':
      return state('summary-quota', { workload });
    case 'volume':
      return state('summary-volume', { workload, volume: resource });
  }
}

type Facts = FactsOf<typeof FragileStrategyFacts>;

function reasoningOf(next: NextUpdate, { strategy, fix }: Facts): readonly Statement[] {
  return [strategyOf(next, strategy), ...whyOf(next), ...wayOutOf(fix)];
}

function strategyFacts(snapshot: Snapshot, { workload }: NextUpdate): StrategyFacts {
  if (hasDeploymentStrategy(workload)) return strategyFactsOf(workload);
  const rollout = rolloutStateOf(snapshot);
  const maxSurge = String(workload.spec.updateStrategy.rollingUpdate?.maxSurge ?? '-');
  const surge = hasPodPerNode(rollout) ? daemonSetBounds(rollout).maxSurge : 0;
  return { maxSurge, surge, replicas: workload.status.desiredNumberScheduled };
}

function strategyOf({ workload }: NextUpdate, strategy: StrategyFacts): Statement {
  const { maxSurge, maxUnavailable = '-', replicas = 0, surge } = strategy;
  return hasPodPerNode(workload)
    ? state('strategy-surges', { maxSurge })
    : state('strategy', { maxSurge, maxUnavailable, replicas, surge });
}

function whyOf(next: NextUpdate): readonly Statement[] {
  const { kind, resource, nodes, message, confidence } = next;
  const pods = podsOf(next);
  if (kind === 'volume') {
    return [
      state('moves', { volume: resource, nodes, pods }),
      confidence === 'possible' ? state('moves-perhaps', { nodes }) : state('moves-always', { nodes }),
    ];
  }
  return [
    kind === 'quota' ? state('no-quota') : state('no-place', { resource }),
    ...(message === undefined ? [] : [state('would-say', { message })]),
    state('held', { pods, nodes, resource }),
  ];
}

function fixOf({ wayOut }: NextUpdate): Facts['fix'] {
  if (wayOut === undefined) return undefined;
  const { strategy, downtime } = wayOut;
  return {
    type: strategy.type,
    downtimeSeconds: downtime?.seconds === undefined ? undefined : Math.round(downtime.seconds),
    hasDowntime: downtime?.kind === 'gap',
  };
}

function wayOutOf(fix: Facts['fix']): readonly Statement[] {
  if (fix === undefined) return [];
  const { type, downtimeSeconds: seconds, hasDowntime: gap } = fix;
  return type === 'Recreate' ? [state('recreate', { seconds })] : [state('in-place', { seconds, gap })];
}

function evidenceOf(snapshot: Snapshot, { workload, holders, resource }: NextUpdate): readonly Evidence[] {
  const { kind, metadata } = workload;
  const strategy = hasPodPerNode(workload) ? workload.spec.updateStrategy : workload.spec.strategy;
  return [
    {
      object: { kind, namespace: metadata.namespace, name: metadata.name },
      field: hasPodPerNode({ kind }) ? 'spec.updateStrategy.rollingUpdate' : 'spec.strategy.rollingUpdate',
      value: JSON.stringify(strategy.rollingUpdate ?? {}),
      says: state('ev-strategy', { workload: workloadName(snapshot) }),
    },
    ...holders.slice(0, 10).map((holder): Evidence => {
      const pod = snapshot.index.objects.Pod.find(
        (each) => each.metadata.namespace === holder.namespace && each.metadata.name === holder.name,
      );
      return {
        object: holder,
        field: 'spec.nodeName',
        value: pod?.spec.nodeName ?? '',
        ...(pod?.status.startTime === undefined ? {} : { at: pod.status.startTime }),
        says: deadlock('ev-holder', { pod: holder.name, resource }),
      };
    }),
  ];
}

function adviceFor(snapshot: Snapshot, { workload, kind, resource, wayOut }: NextUpdate): readonly Advice[] {
  const { inPlace, recreate } = patchStrategyForms;
  const stopsAll = kind === 'volume' || wayOut?.strategy.type === 'Recreate';
  const snippet = strategySnippet(workload, stopsAll ? recreate : inPlace);
  return [
    ...(kind !== 'volume' && wayOut === undefined
      ? []
      : [
          {
            title: state('advice-change-title'),
            text: state('advice-change', { workload: workloadName(snapshot) }),
            snippet,
          },
        ]),
    ...(kind === 'place' && !placeless.has(resource)
      ? [{ title: state('advice-room-title'), text: state('advice-room', { resource }) }]
      : []),
  ];
}

/** Of these nobody can keep a spare one. */
const placeless: ReadonlySet<string> = new Set([
  'hostPort',
  'ReadWriteOncePod',
  'podAntiAffinity',
  'topologySpread',
]);

function podsOf({ holders }: NextUpdate): readonly string[] {
  return holders.map(({ name }) => name);
}
