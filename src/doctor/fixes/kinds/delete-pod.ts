import * as z from 'zod';
import { code, say, word } from '../../../engine/language/prose.js';
import { type Statement, statementsOf } from '../../../engine/language/statement.js';
import { counted, duration, names } from '../../../engine/language/words.js';
import { controllerOf, isPod } from '../../../engine/objects/metadata.js';
import { hasNode, isReady, isTerminating, type Pod, podKey, refOf } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnreadNearby } from '../../../engine/objects/unread.js';
import type { Immutable } from '../../../engine/objects/wire.js';
import { hasOrdinals, hasPodPerNode } from '../../../engine/objects/workload.js';
import type { Placement } from '../../../engine/scheduler/placement.js';
import { withPodDefaults } from '../../../engine/scheduler/pod-defaults.js';
import type { Forecast } from '../../../engine/workloads/forecast.js';
import type { PodSimulator } from '../../../engine/workloads/pod-simulator.js';
import { type RolloutState, rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { knownNames } from '../../../engine/workloads/simulated-pods.js';
import { type BudgetAnswer, budgetsOn } from '../considered.js';
import { effect } from '../effects-text.js';
import { forecastChange, impactOf, predictionOf } from '../forecast-change.js';
import type { Kind } from '../kind.js';
import { notRecommended, type Offer, offered, offeredFields } from '../offered-fields.js';
import type { Plan, PlanSubject, Refusal } from '../plan.js';
import { refusal, refusalStatement, tooLarge } from '../refusals.js';

const en = {
  /** What the kind is called where no remediation of it is at hand. */
  name: () => say`delete the pod`,
  'title-unstick': ({ pod }: { pod: string }) => say`Delete ${code(pod)}`,
  'title-experiment': ({ pod }: { pod: string }) => say`Delete ${code(pod)} to reschedule it elsewhere`,
  deletes: ({ pod, node, graceSeconds }: { pod: string; node: string; graceSeconds: number }) =>
    node === ''
      ? say`${code(pod)} is deleted. It has no node yet, so nothing stops.`
      : say`${code(pod)} on ${code(node)} is stopped (up to ${duration('en', graceSeconds)}) and deleted.`,
  replaced: ({ kind, name }: { kind: string; name: string }) =>
    say`${code(`${kind} ${name}`)} creates a replacement at once.`,
  /** A StatefulSet makes the pod anew once the former one is gone. */
  'replaced-same-name': ({ kind, name, pod }: { kind: string; name: string; pod: string }) =>
    say`${code(`${kind} ${name}`)} creates ${code(pod)} again once the old one is gone, with the same claims.`,
  'placed-on': ({ nodes }: { nodes: readonly string[] }) =>
    nodes.length === 1
      ? say`Only ${names('en', nodes)} can run the replacement.`
      : say`The scheduler chooses one of the nodes that can run the replacement: ${names('en', nodes)}.`,
  'may-return': ({ nodes }: { nodes: readonly string[] }) =>
    say`The scheduler may choose ${names('en', nodes)} again. The test is then inconclusive and can be repeated.`,
  /** Of a rollout that waits for the pod. */
  'goes-on': ({ pods }: { pods: number }) =>
    say`If the replacement becomes ready, the rollout continues and stops ${counted(pods, 'more pod', 'more pods')}, as the strategy allows.`,
  'not-ready-anyway': () => say`The pod is not ready, so it serves no traffic now.`,
  /** The Service of a StatefulSet often has the addresses of pods that are not ready. */
  'not-ready-member': () =>
    say`The pod is not ready. It gets traffic only from a Service with ${code('publishNotReadyAddresses')}.`,
  'one-less': ({ ready, wanted }: { ready: number; wanted: number }) =>
    say`The pod is ready now. Until the replacement is ready, ${ready} of ${wanted} serve.`,
  'budget-allows': ({ budgets }: { budgets: readonly string[] }) =>
    say`${names('en', budgets)} ${word(budgets.length === 1 ? 'allows' : 'allow')} this disruption now.`,
  'budget-unread': () =>
    say`PodDisruptionBudgets could not be read. The pod is not ready, so a budget is unlikely to protect it.`,
  tells: ({ seconds }: { seconds: number }) =>
    seconds > 0
      ? say`If the replacement stays ready for ${duration('en', seconds)} on another node, the node was the cause. If it fails there too, the node was not.`
      : say`If the replacement becomes ready on another node, the node was the cause. If it fails there too, the node was not.`,
  'no-undo': () => say`This cannot be undone: a deleted pod does not come back, only its replacement starts.`,
  'withheld-bare': ({ pod }: { pod: string }) =>
    say`${code(pod)} has no controller that would create it again.`,
  'withheld-foreign': ({ pod }: { pod: string }) => say`${code(pod)} does not belong to this workload.`,
  'withheld-leaving': ({ pod }: { pod: string }) => say`${code(pod)} is already being deleted.`,
  'withheld-not-replaced': ({ pod }: { pod: string }) =>
    say`The controller wants fewer pods, so it would not replace ${code(pod)}.`,
  'withheld-nowhere': ({ pod }: { pod: string }) => say`No node can run the replacement of ${code(pod)}.`,
  'withheld-same-node': ({ nodes }: { nodes: readonly string[] }) =>
    say`Only ${names('en', nodes)} can run the replacement, so the result would be the same.`,
  'withheld-stuck': ({ pods }: { pods: readonly string[] }) =>
    pods.length === 0
      ? say`The workload would still be stuck.`
      : say`The workload would still be stuck, waiting for ${names('en', pods)}.`,
};

const ko: typeof en = {
  name: () => say`파드 삭제`,
  'title-unstick': ({ pod }) => say`${code(pod)} 삭제`,
  'title-experiment': ({ pod }) => say`${code(pod)} 삭제 후 다른 노드에 재배치`,
  deletes: ({ pod, node, graceSeconds }) =>
    node === ''
      ? say`${code(pod)} 파드를 삭제합니다. 아직 노드가 없어 중단되는 것은 없습니다.`
      : say`${code(node)} 노드의 ${code(pod)} 파드를 종료하고(최대 ${duration('ko', graceSeconds)}) 삭제합니다.`,
  replaced: ({ kind, name }) => say`${code(`${kind} ${name}`)} 컨트롤러가 곧바로 대체 파드를 만듭니다.`,
  'replaced-same-name': ({ kind, name, pod }) =>
    say`이전 파드가 사라지면 ${code(`${kind} ${name}`)} 컨트롤러가 같은 클레임으로 ${code(pod)} 파드를 다시 만듭니다.`,
  'placed-on': ({ nodes }) =>
    nodes.length === 1
      ? say`대체 파드를 실행할 수 있는 노드는 ${names('ko', nodes)}뿐입니다.`
      : say`대체 파드를 실행할 수 있는 노드 중에서 스케줄러가 선택합니다: ${names('ko', nodes)}.`,
  'may-return': ({ nodes }) =>
    say`스케줄러가 다시 ${names('ko', nodes)} 노드를 선택할 수도 있습니다. 그러면 원인을 판단할 수 없으므로 다시 시도하세요.`,
  'goes-on': ({ pods }) =>
    say`대체 파드가 준비되면 롤아웃이 이어지고, 배포 전략이 허용하는 대로 파드 ${pods}개를 더 내립니다.`,
  'not-ready-anyway': () => say`이 파드는 준비되지 않아 현재 트래픽을 처리하지 않습니다.`,
  'not-ready-member': () =>
    say`이 파드는 준비되지 않았으므로 ${code('publishNotReadyAddresses')}를 설정한 Service에서만 트래픽을 받습니다.`,
  'one-less': ({ ready, wanted }) =>
    say`이 파드는 현재 준비 상태입니다. 대체 파드가 준비될 때까지 ${wanted}개 중 ${ready}개가 서비스합니다.`,
  'budget-allows': ({ budgets }) =>
    say`PodDisruptionBudget(${names('ko', budgets)})이 지금 이 중단을 허용합니다.`,
  'budget-unread': () =>
    say`PodDisruptionBudget을 읽지 못했습니다. 파드가 준비되지 않았으므로 보호 대상일 가능성은 낮습니다.`,
  tells: ({ seconds }) =>
    seconds > 0
      ? say`대체 파드가 다른 노드에서 ${duration('ko', seconds)} 동안 준비 상태를 유지하면 노드가 원인입니다. 거기서도 실패하면 노드는 원인이 아닙니다.`
      : say`대체 파드가 다른 노드에서 준비되면 노드가 원인입니다. 거기서도 실패하면 노드는 원인이 아닙니다.`,
  'no-undo': () => say`되돌릴 수 없습니다. 삭제된 파드는 복구되지 않고 대체 파드만 시작됩니다.`,
  'withheld-bare': ({ pod }) => say`${code(pod)} 파드를 다시 만들 컨트롤러가 없습니다.`,
  'withheld-foreign': ({ pod }) => say`${code(pod)} 파드는 이 워크로드의 파드가 아닙니다.`,
  'withheld-leaving': ({ pod }) => say`${code(pod)} 파드는 이미 삭제되는 중입니다.`,
  'withheld-not-replaced': ({ pod }) =>
    say`컨트롤러에 필요한 파드 수가 줄어 ${code(pod)} 파드는 대체되지 않습니다.`,
  'withheld-nowhere': ({ pod }) => say`${code(pod)} 파드의 대체 파드를 실행할 수 있는 노드가 없습니다.`,
  'withheld-same-node': ({ nodes }) =>
    say`대체 파드를 실행할 수 있는 노드가 ${names('ko', nodes)}뿐이라 결과가 같습니다.`,
  'withheld-stuck': ({ pods }) =>
    pods.length === 0
      ? say`그래도 워크로드는 계속 멈춰 있습니다.`
      : say`그래도 워크로드는 ${names('ko', pods)} 파드를 기다리며 계속 멈춰 있습니다.`,
};

export const text = { en, ko };

const sentence = statementsOf<typeof en>('delete-pod');

/** The record of one remediation of this kind. */
export const DeletePod = z.object({
  kind: z.literal('delete-pod'),
  ...offeredFields,
  pod: z.string(),
  uid: z.string(),
  /** `experiment`: what becomes of its replacement decides between two causes. */
  purpose: z.enum(['experiment', 'unstick']),
  /** Seconds the replacement must stay ready to count as recovered: beyond the time it took to crash. */
  mustStayReadySeconds: z.number(),
});
export type DeletePod = Immutable<z.output<typeof DeletePod>>;

/**
 * A DELETE of that very pod: its uid is the precondition, so that a replacement of the same name is never
 * hit. There is no undo.
 *
 * @returns a refusal when the pod is gone, leaving or not the workload's, or a PodDisruptionBudget is against
 *   it
 */
function planDeletePod({ id, pod: name, uid }: DeletePod, snapshot: Snapshot): Plan | Refusal {
  const pod = rolloutStateOf(snapshot).pods.find(({ metadata }) => metadata.uid === uid);
  if (pod === undefined || isTerminating(pod)) return refusal('gone', 'pod-gone', { pod: name });
  const budgets = budgetsOn(snapshot, pod);
  if (budgets.type === 'refused') {
    return refusal('not-applicable', 'pod-protected', { pod: name, budget: budgets.budget });
  }
  if (budgets.type === 'unread' && isReady(pod)) {
    return refusal('not-applicable', 'budgets-unread', { pod: name });
  }
  const { namespace } = pod.metadata;
  return {
    type: 'plan',
    remediationId: id,
    target: { apiVersion: 'v1', kind: 'Pod', namespace, name, uid },
    request: { verb: 'delete' },
    changes: [],
  };
}

/** Deletes one pod, so that its controller replaces it. */
export const deletePod = {
  kind: 'delete-pod',
  schema: DeletePod,
  text,
  needs: ['PodDisruptionBudget'],
  plan: planDeletePod,
  isPlan: isDeletePodPlan,
} as const satisfies Kind<DeletePod>;

/** A DELETE of the pod that the remediation names, by its uid. It has no undo. */
function isDeletePodPlan({ remediation, plan }: PlanSubject<DeletePod>): boolean {
  const { target, request, changes, undo } = plan;
  return (
    target.apiVersion === 'v1' &&
    isPod(target) &&
    target.name === remediation.pod &&
    target.uid === remediation.uid &&
    target.uid !== '' &&
    request.verb === 'delete' &&
    changes.length === 0 &&
    undo === undefined
  );
}

export interface DeletePodInput {
  readonly snapshot: Snapshot;
  readonly state: RolloutState;
  readonly placement: Placement;
  readonly simulator: PodSimulator;
  readonly pod: Pod;
  readonly purpose: DeletePod['purpose'];
  /** Nodes that the replacement is to get away from; a pod placed there is not expected to become ready. */
  readonly awayFrom?: readonly string[];
  /** For an experiment: longer than the pod ever lived before it failed. */
  readonly mustStayReadySeconds?: number;
}

const kind = 'delete-pod';

/**
 * Deletes one pod of the workload so that its controller makes another. Offered where the engines see a
 * replacement and a node for it, away from the nodes named, and no PodDisruptionBudget is against it,
 * although a DELETE would not ask them. To unstick a StatefulSet, its rollout must then complete.
 */
export function proposeDeletePod(input: DeletePodInput): Offer<DeletePod> {
  const { snapshot, state, pod, awayFrom = [] } = input;
  const { name } = pod.metadata;
  const obstacle = obstacleTo(input);
  if (obstacle !== undefined) return notRecommended(kind, obstacle);
  const budgets = budgetsOn(snapshot, pod);
  if (budgets.type === 'refused') {
    return notRecommended(kind, refusalStatement('pod-protected', { pod: name, budget: budgets.budget }));
  }
  if (budgets.type === 'unread' && isReady(pod)) {
    return notRecommended(kind, refusalStatement('budgets-unread', { pod: name }));
  }
  const forecast = forecastChange(state, { kind, pod: name }, wary(input));
  if (forecast.ends === 'too-large')
    return notRecommended(kind, tooLarge(snapshot.workload.metadata, forecast));
  if (forecast.ends === 'unknown') return notRecommended(kind, effect('withheld-unknown'));
  const replacement = replacementIn(forecast, pod);
  if (replacement === undefined) {
    // A DaemonSet has a pod for each node: without the nodes, nobody knows whether the pod comes again.
    const isOpen = isUnreadNearby(snapshot, 'Node') && hasPodPerNode(snapshot.workload);
    return notRecommended(
      kind,
      isOpen ? effect('withheld-unknown') : sentence('withheld-not-replaced', { pod: name }),
    );
  }
  const nodes = nodesFor(input, replacement);
  const isPlaced = forecast.placements.some(
    ({ pod: placed }) => placed.metadata.uid === replacement.metadata.uid,
  );
  if (nodes.length === 0 || !isPlaced)
    return notRecommended(kind, sentence('withheld-nowhere', { pod: name }));
  if (nodes.every((node) => awayFrom.includes(node))) {
    return notRecommended(kind, sentence('withheld-same-node', { nodes }));
  }
  const mustComplete = input.purpose === 'unstick' && hasOrdinals(state);
  if (mustComplete && forecast.ends === 'stuck') {
    return notRecommended(kind, sentence('withheld-stuck', { pods: knownNames(forecast.waiting) }));
  }
  return offered(remediation(input, { forecast, nodes, budgets }));
}

function obstacleTo({ state, pod }: DeletePodInput): Statement | undefined {
  const { name, uid } = pod.metadata;
  if (controllerOf(pod) === undefined) return sentence('withheld-bare', { pod: name });
  if (!state.pods.some(({ metadata }) => metadata.uid === uid))
    return sentence('withheld-foreign', { pod: name });
  return isTerminating(pod) ? sentence('withheld-leaving', { pod: name }) : undefined;
}

function wary({ simulator, awayFrom = [] }: DeletePodInput): PodSimulator {
  return {
    ...simulator,
    becomesReady: (pod, node, difference) =>
      !awayFrom.includes(node) && simulator.becomesReady(pod, node, difference),
  };
}

/** The first pod that the same controller makes; a StatefulSet gives it the same name. */
function replacementIn({ steps }: Forecast, pod: Pod): Pod | undefined {
  const owner = controllerOf(pod);
  const made = steps
    .flatMap(({ created }) => created)
    .filter((each) => controllerOf(each)?.uid === owner?.uid);
  return made.find(({ metadata }) => metadata.name === pod.metadata.name) ?? made[0];
}

/** All nodes that would take the replacement once the pod is gone, by name. */
function nodesFor({ placement, pod }: DeletePodInput, replacement: Pod): readonly string[] {
  const { nodeName: _none, ...spec } = withPodDefaults(replacement.spec);
  const wanted = { ...replacement, spec: { ...spec, nodeName: undefined } };
  return placement.with({ remove: new Set([podKey(pod)]) }).evaluate(wanted).feasible;
}

interface Outlook {
  readonly forecast: Forecast;
  readonly nodes: readonly string[];
  readonly budgets: BudgetAnswer;
}

function remediation(input: DeletePodInput, outlook: Outlook): DeletePod {
  const { pod, purpose, mustStayReadySeconds = 0 } = input;
  const { name, uid } = pod.metadata;
  const impact = impactOf(outlook.forecast, 'none');
  const prediction = predictionOf(outlook.forecast);
  return {
    kind,
    id: `${kind}-${name}`,
    title:
      purpose === 'experiment'
        ? sentence('title-experiment', { pod: name })
        : sentence('title-unstick', { pod: name }),
    effects: effectsOf(input, outlook),
    price: {
      ...impact,
      blastRadius: { ...impact.blastRadius, pods: impact.blastRadius.pods + (hasNode(pod) ? 1 : 0) },
    },
    prediction: { ...prediction, victims: [refOf(pod), ...prediction.victims] },
    pod: name,
    uid,
    purpose,
    mustStayReadySeconds,
  };
}

function effectsOf(
  { state, pod, purpose, awayFrom = [], mustStayReadySeconds = 0 }: DeletePodInput,
  { forecast, nodes, budgets }: Outlook,
): readonly Statement[] {
  const { name } = pod.metadata;
  const owner = controllerOf(pod);
  const by = { kind: owner?.kind ?? '', name: owner?.name ?? '' };
  const back = nodes.filter((node) => awayFrom.includes(node));
  const { downtime } = forecast;
  return [
    sentence('deletes', {
      pod: name,
      node: pod.spec.nodeName ?? '',
      graceSeconds: pod.spec.terminationGracePeriodSeconds,
    }),
    hasOrdinals(state) ? sentence('replaced-same-name', { ...by, pod: name }) : sentence('replaced', by),
    sentence('placed-on', { nodes }),
    ...(back.length === 0 ? [] : [sentence('may-return', { nodes: back })]),
    isReady(pod)
      ? sentence('one-less', { ready: downtime?.readyMin ?? 0, wanted: downtime?.ofReplicas ?? 0 })
      : sentence(hasOrdinals(state) ? 'not-ready-member' : 'not-ready-anyway'),
    ...(forecast.victims.length === 0 ? [] : [sentence('goes-on', { pods: forecast.victims.length })]),
    ...(budgets.type === 'allowed' ? [sentence('budget-allows', { budgets: budgets.budgets })] : []),
    ...(budgets.type === 'unread' ? [sentence('budget-unread')] : []),
    ...(purpose === 'experiment' ? [sentence('tells', { seconds: mustStayReadySeconds })] : []),
    sentence('no-undo'),
  ];
}
