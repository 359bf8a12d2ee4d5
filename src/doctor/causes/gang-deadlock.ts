import * as z from 'zod';
import { code, say, word } from '../../engine/language/prose.js';
import { inRole, type Statement, statementsOf } from '../../engine/language/statement.js';
import { counted, names } from '../../engine/language/words.js';
import { type Gang, gangOf, groupNameOf } from '../../engine/neighbours/pod-gang.js';
import { conditionOf, controllerOf } from '../../engine/objects/metadata.js';
import { hasNode, isActive, type Pod, podKey, podNames, refOf } from '../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../engine/objects/snapshot.js';
import { isUnrecorded } from '../../engine/objects/unread.js';
import type { Difference, PodSimulator } from '../../engine/workloads/pod-simulator.js';
import { revisionOf } from '../../engine/workloads/revisions.js';
import { rolloutStateOf } from '../../engine/workloads/rollout-state.js';
import { deadlockFacts, strategyFactsOf } from '../findings/deadlock/facts.js';
import { lastingAdvice } from '../findings/deadlock/lasting-strategy.js';
import {
  notRecommendedPatches,
  servedStatement,
  strategyEvidence,
  strategyStatement,
} from '../findings/deadlock/strategy.js';
import { type Certainty, deadlock, deadlocked } from '../findings/deadlock/text.js';
import { answersAbout, doubtsIn, proofFactsOf, statusLineOf } from '../findings/escapes/index.js';
import { fact } from '../findings/facts.js';
import type { Evidence, Fixes } from '../findings/finding.js';
import { podSimulatorOf } from '../findings/pod-simulator-of.js';
import { rollBackOf } from '../findings/roll-back.js';
import type { Detected, Examination, Rule } from '../findings/rule.js';
import { waitingNeeds } from '../findings/rule.js';
import {
  isUnschedulable,
  longestRefusedSeconds,
  type StuckRollout,
  stuckRolloutOf,
  workloadName,
} from '../findings/stuck-rollout.js';
import { keptUntilReady, partyOf, waitForGroup } from '../findings/wait-cycle.js';
import { proposePatchStrategy } from '../fixes/kinds/patch-strategy/propose.js';

const en = {
  'shared-failure': () => say`a PodGroup holds back new pods`,
  summary: ({
    minMember,
    members,
    ...rest
  }: Certainty & { readonly workload: string; readonly minMember: number; readonly members: number }) =>
    say`${deadlocked('en', rest)}: its new pods start only as a group of ${minMember}, and the rollout creates only ${members}`,
  group: ({
    group,
    minimum,
    minMember,
    members,
    scheduled,
  }: {
    group: string;
    /** Its field. */
    minimum: 'minMember' | 'minCount';
    minMember: number;
    members: number;
    scheduled: number;
  }) =>
    say`The PodGroup ${code(group)} needs at least ${counted(minMember, 'pod', 'pods')} (${word(minimum)}). ${counted(members, 'pod exists', 'pods exist')}, of which ${scheduled} ${word(scheduled === 1 ? 'has' : 'have')} a node.`,
  conclusion: ({ missing, pods }: { missing: number; pods: readonly string[] }) =>
    say`The group lacks ${counted(missing, 'pod', 'pods')}. The controller creates more new pods only after it stops an old one, and it keeps ${names('en', pods, 3)} until new pods are ready.`,
  'not-simulated': ({ scheduler }: { scheduler: string }) =>
    say`The scheduler ${code(scheduler)} is not simulated. It may also refuse the group for other reasons.`,
  'part-of-composite': ({ group }: { group: string }) =>
    say`The PodGroup ${code(group)} is part of a CompositePodGroup, whose other groups may let its pods start.`,
  'claims-hold': ({ scheduler }: { scheduler: string }) =>
    say`The new pod has resource claims. ${code(scheduler)} also tries no pod before its claims exist.`,
  'no-later-pod': ({ scheduler }: { scheduler: string }) =>
    say`No pod that was created later has a node, so ${code(scheduler)} may be down as well.`,
  'group-unread': () =>
    say`The PodGroup could not be read. Its minimum comes from the message of the scheduler.`,
  'because-group': ({ group }: { group: string }) =>
    say`the scheduler tries no node before the PodGroup ${code(group)} is complete`,
  'ev-group': ({ members }: { members: number }) =>
    say`the group needs more than the ${counted(members, 'pod', 'pods')} that exist`,
  'ev-refused': ({ scheduler }: { scheduler: string }) => say`${code(scheduler)} does not start the pod`,
  'ev-untried': () => say`no scheduler has tried the pod`,
  'next-attempt-native': ({ group }: { group: string }) =>
    say`kube-scheduler tries the pods of ${code(group)} as soon as enough of them exist, and none before.`,
  'restart-withheld-native': () => say`A restart creates no more pods of the group at once than this update.`,
  'next-attempt': ({ group }: { group: string }) =>
    say`The scheduler evaluates the PodGroup ${code(group)} again in its next cycle, and nothing changes until more pods exist.`,
  'restart-withheld': () =>
    say`The pods of one more revision are a group of their own and wait in the same way.`,
  'scale-down-withheld': () =>
    say`One old pod less lets the controller create one more pod, which may not complete the group.`,
  'advice-surge-title': () => say`Let the rollout create a whole group`,
  'advice-surge': ({ minMember }: { minMember: number }) =>
    say`With ${code('maxSurge')} of at least ${minMember}, the new group is complete beside the old pods, where nodes have room for it.`,
};

const ko: typeof en = {
  'shared-failure': () => say`PodGroup 때문에 새 파드가 시작되지 않음`,
  summary: ({ minMember, members, ...rest }) =>
    say`${deadlocked('ko', rest)}: 새 파드는 ${minMember}개 그룹으로만 시작되는데 롤아웃은 ${members}개만 생성합니다`,
  group: ({ group, minimum, minMember, members, scheduled }) =>
    say`PodGroup ${code(group)}에는 파드가 최소 ${minMember}개(${word(minimum)}) 필요합니다. 지금은 ${members}개가 있고 그중 ${scheduled}개가 노드에 배치되었습니다.`,
  conclusion: ({ missing, pods }) =>
    say`그룹에 파드 ${missing}개가 부족합니다. 컨트롤러는 이전 파드를 내린 뒤에야 새 파드를 더 생성하는데, 새 파드가 준비될 때까지 ${names('ko', pods, 3)} 파드를 유지합니다.`,
  'not-simulated': ({ scheduler }) =>
    say`${code(scheduler)} 스케줄러는 시뮬레이션에 포함되지 않습니다. 다른 이유로도 그룹을 거부할 수 있습니다.`,
  'part-of-composite': ({ group }) =>
    say`PodGroup ${code(group)} 그룹은 CompositePodGroup에 속해 있어, 그 안의 다른 그룹에 따라 파드가 시작될 수 있습니다.`,
  'claims-hold': ({ scheduler }) =>
    say`새 파드에 리소스 클레임이 있습니다. ${code(scheduler)} 스케줄러는 클레임이 만들어지기 전에도 파드를 시도하지 않습니다.`,
  'no-later-pod': ({ scheduler }) =>
    say`이 파드보다 나중에 생성되어 노드에 배치된 파드가 없어, ${code(scheduler)} 자체가 중단되었을 수도 있습니다.`,
  'group-unread': () =>
    say`PodGroup 오브젝트를 읽지 못했습니다. 최소 파드 수는 스케줄러 메시지에서 가져왔습니다.`,
  'because-group': ({ group }) =>
    say`PodGroup ${code(group)} 파드가 모두 생성되기 전에는 스케줄러가 어느 노드에도 시도하지 않음`,
  'ev-group': ({ members }) => say`현재 파드 ${members}개보다 더 많은 파드가 그룹에 필요`,
  'ev-refused': ({ scheduler }) => say`${code(scheduler)} 스케줄러가 파드를 시작하지 않음`,
  'ev-untried': () => say`스케줄러가 아직 이 파드를 시도하지 않음`,
  'next-attempt-native': ({ group }) =>
    say`kube-scheduler는 ${code(group)} 그룹의 파드가 충분히 생성되어야 배치를 시도합니다.`,
  'restart-withheld-native': () =>
    say`재시작해도 한 번에 생성되는 그룹의 파드 수는 이번 업데이트와 같습니다.`,
  'next-attempt': ({ group }) =>
    say`스케줄러가 다음 주기에 PodGroup ${code(group)} 그룹을 다시 평가하지만, 파드가 더 생성되기 전에는 달라지지 않습니다.`,
  'restart-withheld': () => say`리비전을 하나 더 만들어도 그 파드 역시 별도의 그룹으로 똑같이 대기합니다.`,
  'scale-down-withheld': () =>
    say`이전 파드를 하나 줄이면 파드가 하나 더 생성될 뿐, 그룹이 완성되지 않을 수 있습니다.`,
  'advice-surge-title': () => say`롤아웃이 그룹 전체를 생성하게 하기`,
  'advice-surge': ({ minMember }) =>
    say`${code('maxSurge')} 값이 ${minMember} 이상이면 노드에 여유가 있을 때 이전 파드와 나란히 새 그룹이 완성됩니다.`,
};

const text = { en, ko };

const state = statementsOf<typeof en>('gang-deadlock');

const GangDeadlockFacts = z.strictObject({
  ...deadlockFacts,
  scheduler: fact.text('Name of the scheduler'),
  podGroup: fact.text('Name of the PodGroup, in the namespace of the pods'),
  minMember: fact.count('Pods that the scheduler starts together at least'),
  members: fact.count('Pods of the group that exist'),
  scheduled: fact.count('Those of them that have a node'),
  pods: fact.names('New pods that wait'),
  keptPods: fact.names('Old pods that the controller keeps until new pods are ready'),
  isGroupUnread: fact.flag("The PodGroup could not be read; its minimum is that of the scheduler's message"),
});

/**
 * The new pods belong to a PodGroup of which fewer pods exist than its minimum, and the controller creates no
 * further one before the old pods are gone, which it keeps until new pods are ready. Volcano makes a PodGroup
 * for each ReplicaSet, so that a new revision begins with a group of its own (volcano
 * `pkg/controllers/podgroup/pg_controller_handler.go`). kube-scheduler reports nothing about a pod whose
 * group is not complete (kubernetes `plugins/gangscheduling: PreEnqueue`).
 */
export const gangDeadlock: Rule<typeof GangDeadlockFacts> = {
  id: 'gang-deadlock',
  facts: GangDeadlockFacts,
  text,
  origin: 'rollout',
  appliesTo: ['Deployment'],
  needs: waitingNeeds,
  supersedes: [
    'surge-deadlock',
    'scheduler-refusal',
    'insufficient-capacity',
    'progress-deadline-exceeded',
    'control-plane-not-acting',
    'fragile-strategy',
  ],
  undecidedBy: (snapshot) =>
    isUnrecorded(snapshot, 'Pod', 'spec.schedulingGroup') &&
    rolloutStateOf(snapshot).pods.some(
      (pod) => isActive(pod) && !hasNode(pod) && conditionOf(pod.status, 'PodScheduled') === undefined,
    )
      ? ['Pod spec.schedulingGroup']
      : [],
  detect(examination) {
    const { snapshot } = examination;
    const isUntried = (pod: Pod): boolean => isHeldUntried(snapshot, pod);
    const isHeld = (pod: Pod): boolean =>
      isUntried(pod) || (isUnschedulable(pod) && groupNameOf(pod)?.by !== 'Kubernetes');
    const rollout = stuckRolloutOf(snapshot, isUntried);
    const [first, ...more] = rollout?.blocked ?? [];
    if (rollout === undefined || first === undefined) return undefined;
    if (!rollout.blocked.every(isHeld)) return undefined;
    const gang = gangOf(snapshot.index, first);
    // The group that a label or annotation of the template names has the old pods as well.
    if (gang === undefined || gang.members.length >= gang.minMember) return undefined;
    const own = new Set(rollout.blocked.map(podKey));
    const others = gang.members.filter((pod) => !own.has(podKey(pod))).length;
    if (rollout.deployment.spec.replicas + others < gang.minMember) return undefined;
    return findingOf(examination, rollout, gang, [first, ...more]);
  },
};

/** A scheduler tries a new pod within seconds, and one that takes over from another within half a minute. */
const untriedMs = 120_000;

/**
 * The pod of a PodGroup of Kubernetes that is not complete. Nothing but its age tells that it waits: a
 * scheduler whose gate is off tries it alone, and writes a condition.
 */
function isHeldUntried(snapshot: Snapshot, pod: Pod): boolean {
  if (hasNode(pod) || conditionOf(pod.status, 'PodScheduled') !== undefined) return false;
  const gang = gangOf(snapshot.index, pod);
  if (gang?.by !== 'Kubernetes' || gang.members.length >= gang.minMember) return false;
  return nowOf(snapshot) - Date.parse(pod.metadata.creationTimestamp ?? '') >= untriedMs;
}

/** The scheduler has placed a pod that is younger: it works, and holds back the others. */
function hasPlacedLater({ index }: Snapshot, pods: readonly Pod[]): boolean {
  const { schedulerName } = pods[0]?.spec ?? {};
  const youngest = Math.max(...pods.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '')));
  return index.objects.Pod.some(
    (pod) =>
      pod.spec.schedulerName === schedulerName &&
      Date.parse(pod.metadata.creationTimestamp ?? '') > youngest &&
      conditionOf(pod.status, 'PodScheduled')?.status === 'True',
  );
}

function findingOf(
  examination: Examination,
  rollout: StuckRollout,
  gang: Gang,
  pods: readonly [Pod, ...Pod[]],
): Detected<typeof GangDeadlockFacts> {
  const { snapshot } = examination;
  const { name, by, minMember, members, scheduled } = gang;
  const isNative = by === 'Kubernetes';
  const fixes = fixesFor(examination, rollout, gang);
  const kept = podNames(rollout.holding);
  const answers = answersAbout(examination, { kind: 'gang', holders: rollout.holding, gang });
  const stuckSeconds = longestRefusedSeconds(snapshot, pods);
  const minimum = isNative ? ('minCount' as const) : ('minMember' as const);
  const counts = { group: name, minimum, minMember, members: members.length, scheduled };
  const weakenedBy = [...weakeningOf(snapshot, gang, pods), ...doubtsIn(answers)];
  const lasting = lastingAdvice(rollout.deployment, fixes.remediations);
  return {
    confidence: weakenedBy.length === 0 ? 'proven' : 'likely',
    severity: 'critical',
    holders: rollout.holding.map(refOf),
    facts: {
      revision: revisionOf(snapshot),
      ...(stuckSeconds === undefined ? {} : { stuckSeconds }),
      strategy: strategyFactsOf(rollout.deployment),
      ...proofFactsOf('gang', pods, answers),
      scheduler: pods[0].spec.schedulerName,
      podGroup: name,
      minMember,
      members: members.length,
      scheduled,
      pods: podNames(pods),
      keptPods: kept,
      isGroupUnread: gang.group === undefined,
    },
    waitCycle: [
      { who: partyOf('new-pod', podNames(pods)), waits: waitForGroup(name, minMember - members.length) },
      keptUntilReady(kept),
    ],
    summary: state('summary', { workload: workloadName(snapshot), minMember, members: members.length }),
    standing: statusLineOf(answers, { revision: revisionOf(snapshot), stillForSeconds: stuckSeconds }),
    reasoning: [
      state('group', counts),
      strategyStatement(rollout),
      inRole('conclusion', state('conclusion', { missing: minMember - members.length, pods: kept })),
      servedStatement(snapshot),
    ],
    evidence: evidenceOf(pods[0], gang, rollout),
    ruledOut: [
      { cause: 'surge-deadlock', because: state('because-group', { group: name }) },
      { cause: 'rollout-paused', because: deadlock('because-not-paused') },
      { cause: 'slow rollout', because: deadlock('because-fixed-point') },
    ],
    nextAttempt: { what: state(isNative ? 'next-attempt-native' : 'next-attempt', { group: name }) },
    ...fixes,
    advice: [
      ...(lasting === undefined ? [] : [lasting]),
      {
        title: state('advice-surge-title'),
        text: state('advice-surge', { minMember }),
        snippet: `spec:\n  strategy:\n    type: RollingUpdate\n    rollingUpdate:\n      maxSurge: ${minMember}\n`,
      },
    ],
    weakenedBy,
  };
}

function weakeningOf(
  snapshot: Snapshot,
  { name, group, by }: Gang,
  pods: readonly [Pod, ...Pod[]],
): readonly Statement[] {
  const { schedulerName: scheduler } = pods[0].spec;
  if (by === 'Kubernetes') {
    const isPart = group?.spec.parentCompositePodGroupName !== undefined;
    return [
      ...(isPart ? [state('part-of-composite', { group: name })] : []),
      ...(pods.some(({ spec }) => spec.resourceClaims.length > 0)
        ? [state('claims-hold', { scheduler })]
        : []),
      ...(hasPlacedLater(snapshot, pods) ? [] : [state('no-later-pod', { scheduler })]),
    ];
  }
  return [state('not-simulated', { scheduler }), ...(group === undefined ? [state('group-unread')] : [])];
}

function fixesFor(examination: Examination, rollout: StuckRollout, gang: Gang): Fixes {
  const isNative = gang.by === 'Kubernetes';
  const base = podSimulatorOf(examination);
  const simulator = isNative
    ? base
    : gangSimulator(base, rollout.newReplicaSet.metadata.uid, gang.minMember, gang.members);
  const patches = proposePatchStrategy({ state: rollout.state, simulator });
  const undo = rollBackOf(examination, { origin: 'rollout', simulator });
  return {
    remediations: [...patches.remediations, ...undo.remediations],
    withheld: [
      { kind: 'restart-rollout', because: state(isNative ? 'restart-withheld-native' : 'restart-withheld') },
      ...notRecommendedPatches(patches),
      { kind: 'scale-down-old', because: state('scale-down-withheld') },
      ...undo.withheld,
    ],
  };
}

function evidenceOf(pod: Pod, gang: Gang, rollout: StuckRollout): readonly Evidence[] {
  const { name, by, minMember, members, group } = gang;
  const condition = conditionOf(pod.status, 'PodScheduled');
  return [
    ...(group === undefined
      ? []
      : [
          {
            object: { kind: 'PodGroup', namespace: group.metadata.namespace, name },
            field: by === 'Kubernetes' ? 'spec.schedulingPolicy.gang.minCount' : 'spec.minMember',
            value: String(minMember),
            says: state('ev-group', { members: members.length }),
          },
        ]),
    {
      object: refOf(pod),
      field: 'status.conditions[PodScheduled]',
      value: condition?.message ?? '',
      ...(condition?.lastTransitionTime === undefined ? {} : { at: condition.lastTransitionTime }),
      says:
        condition === undefined
          ? state('ev-untried')
          : state('ev-refused', { scheduler: pod.spec.schedulerName }),
    },
    ...strategyEvidence(rollout),
  ];
}

/**
 * A simulator under which a pod of this ReplicaSet finds a node only once enough pods of it exist. That all
 * of them fit at the same time is left to the order in which they are placed.
 *
 * @param observed pods of the ReplicaSet that exist
 */
function gangSimulator(
  base: PodSimulator,
  replicaSet: string,
  minMember: number,
  observed: readonly Pod[],
): PodSimulator {
  const isMember = (pod: Pod): boolean => controllerOf(pod)?.uid === replicaSet;
  const membersIn = ({ gone, created, placed }: Difference): number => {
    const left = new Set(gone.map(podKey));
    const members = new Set([...observed, ...[...created, ...placed].filter(isMember)].map(podKey));
    return [...members].filter((key) => !left.has(key)).length;
  };
  const { countPlaces: _, likenessOf: __, contest: ___, ...rest } = base;
  return {
    ...rest,
    placementOf: (pod, difference) =>
      isMember(pod) && membersIn(difference) < minMember ? undefined : base.placementOf(pod, difference),
  };
}
