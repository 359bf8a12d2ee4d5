import * as z from 'zod';
import { code, say } from '../../engine/language/prose.js';
import { inRole, statementsOf } from '../../engine/language/statement.js';
import { elapsed, names } from '../../engine/language/words.js';
import { type Condition, conditionOf } from '../../engine/objects/metadata.js';
import { isTerminating, type Pod, refOf } from '../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { isUnread } from '../../engine/objects/unread.js';
import { hasPodPerNode } from '../../engine/objects/workload.js';
import {
  daemonSetBounds,
  isAvailableHere,
  nodeViews,
  pairOn,
  syncDaemonSet,
} from '../../engine/workloads/daemon-set-model.js';
import { type DaemonSetState, rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { unreadStatements } from '../findings/crashes/crash-finding.js';
import { crash } from '../findings/crashes/text.js';
import { fact } from '../findings/facts.js';
import { blamedNode } from '../findings/finding.js';
import { readinessOf } from '../findings/readiness-of.js';
import type { Rule } from '../findings/rule.js';
import { podNeeds } from '../findings/rule.js';
import { workloadName } from '../findings/stuck-rollout.js';

const en = {
  'shared-failure': () => say`the update waits for nodes that are down`,
  summary: ({ workload, used, maxUnavailable }: { workload: string; used: number; maxUnavailable: number }) =>
    say`${code(workload)}: pods on nodes that are down use up ${code('maxUnavailable')} (${used} of ${maxUnavailable}), so the update cannot continue`,
  standing: ({ nodes }: { nodes: readonly string[] }) => say`Nodes that are down: ${names('en', nodes)}.`,
  arithmetic: (values: { used: number; maxUnavailable: number; waiting: number }) =>
    say`Unavailable pods: ${values.used}. Allowed: ${values.maxUnavailable}. Until fewer are unavailable, the controller replaces no healthy old pod (${values.waiting} of them remain).`,
  stopping: ({ pods }: { pods: readonly string[] }) =>
    say`Deleted pods whose kubelet does not answer: ${names('en', pods)}.`,
  unavailable: ({ pods }: { pods: readonly string[] }) =>
    say`Pods of the new revision on nodes that are down: ${names('en', pods)}.`,
  'ev-down': ({ node, seconds }: { node: string; seconds: number }) =>
    say`${code(node)} has not been Ready for ${elapsed('en', seconds)}`,
  'because-running': () => say`no pod of the new revision fails on a node that is Ready`,
  'advice-budget-title': () => say`Raise maxUnavailable while the nodes are down`,
  'advice-budget': ({ wanted }: { wanted: number }) =>
    say`With ${code(`maxUnavailable: ${wanted}`)} the controller again replaces as many healthy pods at once as before.`,
  'advice-nodes-title': () => say`Remove nodes that do not come back`,
  'advice-nodes': ({ nodes }: { nodes: readonly string[] }) =>
    say`Once a machine is gone, delete its Node. Kubernetes then deletes its pods, and they no longer count: ${names('en', nodes)}.`,
};

const ko: typeof en = {
  'shared-failure': () => say`업데이트가 중단된 노드를 기다림`,
  summary: ({ workload, used, maxUnavailable }) =>
    say`${code(workload)}: 중단된 노드의 파드가 ${code('maxUnavailable')}를 모두 차지하여(${used}/${maxUnavailable}) 업데이트가 진행되지 않습니다`,
  standing: ({ nodes }) => say`중단된 노드: ${names('ko', nodes)}.`,
  arithmetic: ({ used, maxUnavailable, waiting }) =>
    say`사용할 수 없는 파드: ${used}개. 허용 한도: ${maxUnavailable}개. 이 수가 줄어들 때까지 컨트롤러는 정상인 이전 파드를 교체하지 않습니다(남은 이전 파드 ${waiting}개).`,
  stopping: ({ pods }) => say`삭제되었지만 kubelet이 응답하지 않는 파드: ${names('ko', pods)}.`,
  unavailable: ({ pods }) => say`중단된 노드에 있는 새 리비전의 파드: ${names('ko', pods)}.`,
  'ev-down': ({ node, seconds }) => say`${code(node)} 노드가 ${elapsed('ko', seconds)} 동안 Ready가 아님`,
  'because-running': () => say`Ready인 노드에서 실패하는 새 리비전의 파드가 없음`,
  'advice-budget-title': () => say`노드가 중단된 동안 maxUnavailable 올리기`,
  'advice-budget': ({ wanted }) =>
    say`${code(`maxUnavailable: ${wanted}`)}로 올리면 컨트롤러가 이전과 같은 수의 정상 파드를 한 번에 교체합니다.`,
  'advice-nodes-title': () => say`복구되지 않는 노드 제거하기`,
  'advice-nodes': ({ nodes }) =>
    say`머신이 없어졌다면 해당 Node를 삭제하세요. 그러면 Kubernetes가 그 파드를 삭제하므로 더 이상 세지 않습니다: ${names('ko', nodes)}.`,
};

const text = { en, ko };
const state = statementsOf<typeof en>('daemon-set-budget-used');

const DaemonSetBudgetUsedFacts = z.strictObject({
  maxUnavailable: fact.number('Unavailable pods that the controller allows, rounded up over all nodes'),
  downNodes: fact.names('Nodes that are not Ready and whose pods count'),
  stoppingPods: fact.names('Deleted pods that still count on these nodes'),
  newPods: fact.names('Pods of the new revision on these nodes'),
  waitingPods: fact.number('Healthy pods of the old revision that are not replaced'),
});

/** As long as a pod on such a node stays by default before it is evicted. */
const patienceSeconds = 300;

/**
 * The rolling update of a DaemonSet replaces healthy old pods only within maxUnavailable, and counts every
 * node whose pod is being deleted or is not available (`daemon/update.go: rollingUpdate`). Where a kubelet
 * does not answer, such a pod stays. Old pods that fail on a living node are replaced whatever the budget.
 */
export const daemonSetBudgetUsed: Rule<typeof DaemonSetBudgetUsedFacts> = {
  id: 'daemon-set-budget-used',
  facts: DaemonSetBudgetUsedFacts,
  text,
  origin: 'surroundings',
  appliesTo: ['DaemonSet'],
  needs: podNeeds,
  supersedes: ['node-not-ready', 'stuck-terminating', 'progress-deadline-exceeded'],
  detect({ snapshot }) {
    const rollout = rolloutStateOf(snapshot);
    const used = hasPodPerNode(rollout) ? budgetOf(rollout) : undefined;
    if (used === undefined) return undefined;
    const { maxUnavailable, waiting } = used;
    const down = used.unavailable.flatMap(({ node, pods }) => {
      const found = snapshot.index.nodes.get(node);
      const ready = found && conditionOf(found.status, 'Ready');
      const seconds = ready && downSeconds(snapshot, ready);
      return ready === undefined || seconds === undefined ? [] : [{ node, pods, ready, seconds }];
    });
    if (down.length < maxUnavailable) return undefined;
    const pods = down.flatMap((each) => each.pods);
    const nodes = down.map(({ node }) => node);
    const named = (some: readonly Pod[]): readonly string[] => some.map(({ metadata }) => metadata.name);
    const facts = {
      maxUnavailable,
      downNodes: nodes,
      stoppingPods: named(pods.filter(isTerminating)),
      newPods: named(pods.filter((pod) => !isTerminating(pod))),
      waitingPods: waiting,
    };
    const amounts = { used: down.length, maxUnavailable };
    const ready = readinessOf(snapshot);
    const isSure = !isUnread(snapshot, 'Node') && !isUnread(snapshot, 'Pod');
    return {
      confidence: isSure ? 'proven' : 'likely',
      nodes,
      ...blamedNode(nodes),
      holders: pods.map(refOf),
      facts,
      summary: state('summary', { workload: workloadName(snapshot), ...amounts }),
      standing: state('standing', { nodes }),
      reasoning: [
        state('arithmetic', { ...amounts, waiting }),
        ...(facts.stoppingPods.length === 0 ? [] : [state('stopping', { pods: facts.stoppingPods })]),
        ...(facts.newPods.length === 0 ? [] : [state('unavailable', { pods: facts.newPods })]),
        inRole('readiness', crash('served', { ready: ready.pods, wanted: ready.wanted })),
      ],
      evidence: down.map(({ node, ready: { status, reason }, seconds }) => ({
        object: { kind: 'Node', namespace: '', name: node },
        field: 'status.conditions[Ready]',
        value: `${status} ${reason}`.trim(),
        says: state('ev-down', { node, seconds }),
      })),
      ruledOut:
        down.length === used.unavailable.length
          ? [{ cause: 'crash-loop-after-rollout', because: state('because-running') }]
          : [],
      advice: [
        {
          title: state('advice-budget-title'),
          text: state('advice-budget', { wanted: down.length + maxUnavailable }),
          snippet: `spec:\n  updateStrategy:\n    rollingUpdate:\n      maxUnavailable: ${down.length + maxUnavailable}\n`,
        },
        { title: state('advice-nodes-title'), text: state('advice-nodes', { nodes }) },
      ],
      weakenedBy: unreadStatements(snapshot),
    };
  },
};

interface UsedBudget {
  readonly maxUnavailable: number;
  /** Healthy pods of the old revision. */
  readonly waiting: number;
  /** Nodes that count as unavailable, with the pods for which they do. */
  readonly unavailable: readonly { readonly node: string; readonly pods: readonly Pod[] }[];
}

/** `undefined` where the controller still acts, replaces with a surge, or has nothing left to replace. */
function budgetOf(state: DaemonSetState): UsedBudget | undefined {
  const { maxSurge, maxUnavailable } = daemonSetBounds(state);
  const { phase, actions } = syncDaemonSet(state);
  if (phase !== 'update' || actions.length > 0 || maxSurge > 0) return undefined;
  const pairs = nodeViews(state)
    .filter(({ pods }) => pods.length > 0)
    .map(({ name, pods }) => ({ node: name, pods, pair: pairOn(state, pods) }));
  const waiting = pairs.filter(
    ({ pair }) =>
      pair?.oldPod !== undefined && pair.newPod === undefined && isAvailableHere(state, pair.oldPod),
  ).length;
  const unavailable = pairs.filter(
    ({ pair }) =>
      pair === undefined ||
      (pair.oldPod === undefined) === (pair.newPod === undefined) ||
      (pair.newPod !== undefined && !isAvailableHere(state, pair.newPod)),
  );
  return waiting === 0 ? undefined : { maxUnavailable, waiting, unavailable };
}

/** How long the node has not been Ready; `undefined` where it is, or was a short while ago. */
function downSeconds(snapshot: Snapshot, ready: Condition): number | undefined {
  if (ready.status === 'True') return undefined;
  const since = Date.parse(ready.lastTransitionTime ?? '');
  const seconds = Number.isNaN(since) ? patienceSeconds : (nowOf(snapshot) - since) / 1000;
  return seconds < patienceSeconds ? undefined : seconds;
}
