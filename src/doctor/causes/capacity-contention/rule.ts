import { leastOf } from '../../../engine/collections/collections.js';
import { inRole, type Statement } from '../../../engine/language/statement.js';
import { controllerOf } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { isTerminating, podKey, podNames, qualifiedPodNames, refOf } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { hasPodPerNode, workloadKinds } from '../../../engine/objects/workload.js';
import { priorityOf } from '../../../engine/scheduler/pod-defaults.js';
import { answersAbout, doubtsIn, proofFactsOf } from '../../findings/escapes/index.js';
import type { FactsOf } from '../../findings/facts.js';
import type { Advice, Evidence } from '../../findings/finding.js';
import type { DetectedWith, Examination, Rule } from '../../findings/rule.js';
import { waitingNeeds } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import type { WaitStep } from '../../findings/wait-cycle.js';
import { keptUntilReady, partyOf, waitForPlace, waitForResource } from '../../findings/wait-cycle.js';
import { capacityAdvice } from '../../findings/waiting/advice.js';
import type { Block } from '../../findings/waiting/block.js';
import { nearestOf, nodesOf, waitingFactsOf } from '../../findings/waiting/block.js';
import { blocksFor } from '../../findings/waiting/cause-of.js';
import { autoscalerStatements, ruledOutByWaiting, waitingFinding } from '../../findings/waiting/finding.js';
import { type Holding, ownPods } from '../../findings/waiting/holding.js';
import { refusalsOf } from '../../findings/waiting/refusal.js';
import { type CycleMember, type RolloutCycle, rolloutCycleOf } from '../../findings/waiting/rollout-cycle.js';
import { holderValue } from '../../findings/waiting/sentence.js';
import { waiting } from '../../findings/waiting/text.js';
import { answerCycle, type CycleAnswer, workloadOf } from './cycle-answer.js';
import { CapacityContentionFacts, neighbourFinding } from './neighbour-finding.js';
import { state, text } from './text.js';

/** Nodes told in full; the rest is in the tally. */
const nearestShown = 3;

/**
 * Pods of one or a few other workloads hold what the waiting pods need, and none of the workload's own old
 * pods' leaving would do. Names them by workload, priority and node, says what preemption does about it, and
 * whether the other workload in turn waits for this one, directly or through further ones. Where the other
 * workload's rollout is in progress and frees what is needed, the wait is expected to end by itself.
 */
export const capacityContention: Rule<typeof CapacityContentionFacts> = {
  id: 'capacity-contention',
  facts: CapacityContentionFacts,
  text,
  origin: 'template',
  appliesTo: workloadKinds,
  needs: [...waitingNeeds, 'Deployment'],
  supersedes: ['progress-deadline-exceeded'],
  detect(examination) {
    const blocks = blocksFor(examination, 'capacity-contention');
    if (blocks === undefined) return undefined;
    const [block] = blocks;
    if (block.why.kind === 'neighbours') return neighbourFinding(examination, blocks, block.why.neighbours);
    if (block.why.kind !== 'held' || block.why.holding === undefined) return undefined;
    const { holding } = block.why;
    const cycle = rolloutCycleOf(examination, block, holding);
    const waitingPods = blocks.flatMap((each) => [...each.pods]);
    const answer = cycle === undefined ? undefined : answerCycle(examination, cycle, waitingPods);
    const nodes = nodesOf(blocks);
    const held = nodes.filter(({ refusal }) => refusal === 'held');
    const pods = holding.culprits.flatMap((culprit) => [...culprit.pods]);
    const autoscaler = autoscalerStatements(examination, blocks);
    const answers =
      cycle === undefined ? [] : answersAbout(examination, { kind: 'cycle', holders: [], ...cycle });
    const proof =
      cycle === undefined
        ? undefined
        : proofFactsOf(
            'cycle',
            cycle.members.map((member) => member.waiting),
            answers,
          );
    const facts = {
      ...waitingFactsOf(examination, blocks),
      ...proof,
      ...autoscaler.facts,
      node: holding.node,
      heldBy: holding.culprits.map(holderValue),
      toLeave: holding.remove.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
      priority: priorityOf(block.pod),
      neverPreempts: block.pod.spec.preemptionPolicy === 'Never',
      cycle: cycle?.members.map(memberFacts),
      cycleUnread: cycle?.unread ?? [],
      cycleStalled: cycle?.stalled ?? [],
      cycleShrinking: cycle?.shrinking ?? [],
      cycleLeaving: qualifiedPodNames(cycle?.leaving ?? []),
      movingNeighbours: [],
    };
    const names = facts.heldBy.map(({ workload }) => workload);
    const finding = waitingFinding(examination, blocks, {
      facts,
      summary: state('summary', {
        workload: workloadName(examination.snapshot),
        resource: holding.resource,
        holders: names,
      }),
      resource: holding.resource,
      nodes: held.map(({ name }) => name),
      holders: pods.map(refOf),
      ...(cycle === undefined
        ? {}
        : {
            waitCycle: waitSteps(
              cycle,
              holding.resource,
              held.map(({ name }) => name),
            ),
          }),
      reasoning: [
        ...(nodes.length > nearestShown || held.length < nodes.length
          ? [waiting('tally', { nodesInAll: facts.nodesInAll, groups: facts.refusals })]
          : []),
        ...nearestOf(held, nearestShown).map(({ name, reasons }) =>
          waiting('node-lacks', { node: name, refusals: refusalsOf(reasons) }),
        ),
        ...heldBy(examination, block, holding, facts),
        ...preemptionOf(facts, holding),
        ...autoscaler.reasoning,
        ...(facts.cycle === undefined ? [] : [cycleStatement(facts.cycle)]),
        ...(answer?.reasoning ?? []),
      ],
      evidence: [...evidenceOf(pods, cycle), ...autoscaler.evidence],
      ruledOut: [
        ...ruledOutByWaiting(examination, block),
        { cause: 'insufficient-capacity', because: state('because-others', { holders: names }) },
        { cause: 'unsatisfiable-placement', because: waiting('because-could-fit', { node: holding.node }) },
        { cause: 'node-cordoned', because: waiting('because-in-service') },
        { cause: 'waiting-for-autoscaler', because: waiting('because-no-order') },
      ],
      undoHelps: true,
      ...(answer === undefined
        ? {}
        : {
            remediations: answer.remediations,
            withheld: [
              { kind: 'restart-rollout' as const, because: waiting('restart-withheld') },
              ...answer.withheld,
            ],
          }),
      advice: [
        ...(answer?.advice ?? contentionAdvice(examination.snapshot, block.pod, holding)),
        ...(answer === undefined ? capacityAdvice(examination, block) : []),
      ],
      weakenedBy: [
        ...facts.cycleUnread.map((other) => state('cycle-unproven', { other })),
        ...facts.cycleStalled.map((other) => inRole('escape', state('cycle-stalled', { other }))),
        ...doubtsIn(answers),
      ],
    });
    return answer === undefined ? finding : withUndoForecast(finding, answer);
  },
};

type Facts = FactsOf<typeof CapacityContentionFacts>;
type Found = DetectedWith<Facts>;

/** Going back ends the wait of this workload alone: the finding says so, and how the other members fare. */
function withUndoForecast(finding: Found, { afterUndo }: CycleAnswer): Found {
  const { remediations = [] } = finding;
  const undo = remediations.find((each) => each.kind === 'undo-rollout');
  if (undo?.kind !== 'undo-rollout') return finding;
  const after = afterUndo(undo.from.name);
  return {
    ...finding,
    reasoning: [...finding.reasoning, ...after.reasoning],
    remediations: remediations.map((each) =>
      each === undo ? { ...each, effects: [...each.effects, ...after.effects] } : each,
    ),
  };
}

function heldBy(
  { snapshot }: Examination,
  { pod }: Block,
  { resource, culprits, remove, node }: Holding,
  facts: Facts,
): readonly Statement[] {
  const { predecessors, others } = ownPods(snapshot);
  const mine = new Set([...predecessors, ...others].map(podKey));
  const own = remove.filter((each) => mine.has(podKey(each)));
  return [
    ...facts.heldBy.map((holder) => state('held-by', { resource, holder })),
    ...(remove.length === 0
      ? []
      : [
          inRole(
            'conclusion',
            waiting('counterfactual', { pod: pod.metadata.name, without: facts.toLeave, node }),
          ),
        ]),
    ...(own.length === 0 ? [] : [state('own-too', { pods: own.map(({ metadata }) => metadata.name) })]),
    ...culprits
      .filter(({ owner }) => owner.kind === 'Job')
      .map(({ owner }) =>
        state('leaves-by-itself', { workload: `${owner.namespace}/${owner.name}`, kind: owner.kind }),
      ),
    ...culprits
      .flatMap(({ pods }) => pods)
      .filter(isTerminating)
      .map((each) => state('overdue', { pod: `${each.metadata.namespace}/${each.metadata.name}` })),
  ];
}

/** Only strictly lower priorities make way (`default_preemption.go: isPreemptionAllowed`). */
function preemptionOf({ priority, neverPreempts }: Facts, { culprits }: Holding): readonly Statement[] {
  if (neverPreempts) return [state('preempts-never', { priority })];
  const lowest = leastOf(culprits.flatMap(({ pods }) => pods.map(priorityOf)));
  if (!Number.isFinite(lowest) || lowest < priority) return [];
  return lowest === priority
    ? [state('equal-priority', { priority })]
    : [state('preempts-lower-only', { priority, lowest })];
}

/**
 * The new pod of each member waits for old pods of the next member, which stay until that member's new pod is
 * ready.
 */
function waitSteps(
  { members }: RolloutCycle,
  resource: string,
  nodes: readonly string[],
): readonly WaitStep[] {
  const [own] = members;
  return members.flatMap((member, at) => {
    const next = members[at + 1] ?? own;
    return [
      {
        who: partyOf('new-pod', [member.waiting.metadata.name], { count: 1, workload: workloadOf(member) }),
        waits: member === own ? waitForResource(resource, '', nodes) : waitForPlace(member.node),
      },
      keptUntilReady(podNames(next.holds), workloadOf(next)),
    ];
  });
}

function memberFacts(member: CycleMember) {
  const { waiting: pod, node, holds } = member;
  return { workload: workloadOf(member), waiting: pod.metadata.name, node, holds: podNames(holds) };
}

function cycleStatement(members: NonNullable<Facts['cycle']>): Statement {
  const [own, second, ...more] = members;
  if (own !== undefined && second !== undefined && more.length === 0) {
    return state('cycle', {
      other: second.workload,
      otherWaiting: second.waiting,
      otherHolds: second.holds,
      weHold: own.holds,
      node: second.node,
    });
  }
  return state('cycle-through-many', {
    waits: members.map(({ workload, waiting: pod, node }, at) => {
      const next = members[at + 1] ?? own;
      return { workload, waiting: pod, holder: next?.workload ?? '', holds: next?.holds ?? [], node };
    }),
  });
}

function evidenceOf(pods: readonly Pod[], cycle: RolloutCycle | undefined): readonly Evidence[] {
  return [
    ...pods.slice(0, 10).map(
      (pod): Evidence => ({
        object: refOf(pod),
        field: 'spec.nodeName',
        value: pod.spec.nodeName ?? '',
        at: pod.status.startTime,
        says: state('ev-holder', { pod: pod.metadata.name, priority: priorityOf(pod) }),
      }),
    ),
    ...(cycle?.members.slice(1) ?? []).map(
      ({ waiting }): Evidence => ({
        object: refOf(waiting),
        field: 'status.conditions[PodScheduled]',
        value: waiting.status.conditions.find(({ type }) => type === 'PodScheduled')?.message ?? '',
        says: state('ev-cycle', { pod: waiting.metadata.name }),
      }),
    ),
  ];
}

/** What the holders' owners, or this workload's, can do about it. */
function contentionAdvice(
  { index, workload: waits }: Snapshot,
  pod: Pod,
  { reason, culprits, node }: Holding,
): readonly Advice[] {
  const [first] = culprits;
  if (first === undefined) return [];
  const above = controllerOf(waits);
  const { Deployment, StatefulSet, LeaderWorkerSet } = index.objects;
  const holder = [...Deployment, ...StatefulSet, ...LeaderWorkerSet].find(
    ({ kind, metadata: { namespace, name } }) =>
      kind === first.owner.kind && namespace === first.owner.namespace && name === first.owner.name,
  );
  if (above !== undefined && holder !== undefined && controllerOf(holder)?.uid === above.uid) {
    const parts = [waits.metadata.name, holder.metadata.name];
    const values = { kind: above.kind, owner: above.name, parts };
    return [{ title: state('advice-parts-title', values), text: state('advice-parts', values) }];
  }
  const workload = `${first.owner.namespace}/${first.owner.name}`;
  if (reason.id === 'host-port') {
    return [
      {
        title: state('advice-port-title'),
        text: state('advice-port', { port: `${reason.port}/${reason.protocol}`, holders: [workload] }),
      },
    ];
  }
  const move: Advice = {
    title: state('advice-move-title', { workload }),
    text: state('advice-move', { workload, node }),
  };
  if (hasPodPerNode(first.owner) || first.priority < priorityOf(pod)) return [move];
  return [
    move,
    {
      title: state('advice-priority-title'),
      text: state('advice-priority', { holder: workload, priority: first.priority }),
      snippet: prioritySnippet(first.priority),
    },
  ];
}

/** Values above a billion are the system's (`scheduling/types.go: HighestUserDefinablePriority`). */
const highestOfUsers = 1_000_000_000;

function prioritySnippet(priority: number): string {
  return `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: above-the-others
value: ${Math.min(priority + 1, highestOfUsers)}
---
# in the workload that should win
spec:
  template:
    spec:
      priorityClassName: above-the-others
`;
}
