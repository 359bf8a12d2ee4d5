import type { Statement } from '../../../engine/language/statement.js';
import { unreadNeighboursOf } from '../../../engine/neighbours/stalled-neighbours.js';
import { autoscalerStatusMap } from '../../../engine/objects/autoscaler-status.js';
import { conditionOf, controllerOf } from '../../../engine/objects/metadata.js';
import { isKarpenter } from '../../../engine/objects/node-autoscalers.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { podNames, qualifiedPodNames, refOf } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot, type Unseen } from '../../../engine/objects/snapshot.js';
import { isUnread, kindBetweenPods, unreadOf } from '../../../engine/objects/unread.js';
import { hasDeploymentStrategy, hasGroups } from '../../../engine/objects/workload.js';
import { loweredPodsThatFree } from '../../../engine/scheduler/lowered-pods.js';
import { nodesThatAreReplaced, nodesThatMayReturn } from '../../../engine/scheduler/nodes-out-of-service.js';
import { newReplicaSetOf } from '../../../engine/workloads/revisions.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { nothingOffered } from '../../fixes/offered-fields.js';
import type { NotRecommended } from '../../fixes/remediation.js';
import { nodeArithmetic } from '../arithmetic.js';
import type { Confidence } from '../cause-id.js';
import { autoscalerPending, nodesAreReplaced, nodesMayReturn, resizesMayFree } from '../escapes/nodes.js';
import { type Evidence, eventEvidence, type Fixes, type RuledOut } from '../finding.js';
import { readinessOf } from '../readiness-of.js';
import { rollBackOf } from '../roll-back.js';
import type { DetectedWith, Examination } from '../rule.js';
import { refusedSince, workloadName } from '../stuck-rollout.js';
import type { Block } from './block.js';
import { nearestOf, nodesOf } from './block.js';
import { type CloudRefusal, cloudRefusalOf } from './cloud-refusal.js';
import type { WaitingFacts } from './facts.js';
import { keptPods, ownPods } from './holding.js';
import type { NodeGroupAdmission } from './node-groups-that-may-grow.js';
import { freshAutoscalerStatus, isEveryGroupShut, nodeGroupAdmissions } from './node-groups-that-may-grow.js';
import { type AutoscalerStatements, nodePoolStatements, refusalStatements } from './node-pool-statements.js';
import { groupedRefusals } from './refusal.js';
import { autoscalerAnswer, isAnswerPending } from './scale-up.js';
import { gatesRuledOut, pluginWords } from './sentence.js';
import { waiting } from './text.js';
import {
  deviceEvidence,
  deviceStatements,
  lostDevicesOn,
  lostStatements,
  unhealthyDevicesAmong,
} from './unhealthy-devices.js';

/** What a cause about waiting pods states beyond what they have in common. */
type WaitingCause<Facts extends WaitingFacts> = Omit<
  DetectedWith<Facts>,
  'confidence' | 'standing' | 'evidence'
> & {
  readonly evidence?: readonly Evidence[];
  /** True: the new revision asks for what there is not, so a roll back helps. */
  readonly undoHelps?: boolean;
  /** No more than this, whatever was simulated. */
  readonly atMost?: Confidence;
};

/**
 * The finding for blocks of one cause. `proven` when the engines gave every reason themselves and the
 * scheduler names the same ones; `likely` when something was not seen, not simulated or said otherwise;
 * `possible` when the engines could not confirm it at all.
 */
export function waitingFinding<Facts extends WaitingFacts>(
  examination: Examination,
  blocks: readonly [Block, ...Block[]],
  said: WaitingCause<Facts>,
): DetectedWith<Facts> {
  const { snapshot } = examination;
  const { undoHelps = false, atMost, ...rest } = said;
  const ready = readinessOf(snapshot);
  const weakenedBy = [...weakeningOf(examination, blocks), ...(said.weakenedBy ?? [])];
  const pods = blocks.flatMap((block) => [...block.pods]);
  const devices = unhealthyDevicesAmong(rolloutStateOf(snapshot).pods, shortResourcesOf(blocks));
  const back = undoHelps ? rollBackFor(examination, blocks[0]) : nothingOffered;
  const refusal = refusalFor(examination, blocks);
  const refused = refusal === undefined ? undefined : refusedByCloud(examination, refusal, said);
  return {
    ...rest,
    ...refused,
    reasoning: [
      ...(refused?.reasoning ?? said.reasoning),
      ...lostStatements(lostDevicesOn(snapshot.index, nodesOf(blocks))),
      ...deviceStatements(devices),
    ],
    confidence: confidenceOf(blocks, weakenedBy.length > 0, atMost),
    standing: waiting('standing', {
      waiting: said.facts.waiting,
      forSeconds: said.facts.waitingSeconds,
      ready: ready.pods,
      wanted: ready.wanted,
    }),
    evidence: [
      ...(refusal === undefined ? [] : refusalStatements(refusal).evidence),
      ...pods.slice(0, 10).map(
        (pod): Evidence => ({
          object: refOf(pod),
          field: 'status.conditions[PodScheduled]',
          value: conditionOf(pod.status, 'PodScheduled')?.message ?? '',
          at: refusedSince(pod),
          says: waiting('ev-unschedulable', { pod: pod.metadata.name }),
        }),
      ),
      ...(said.evidence ?? []),
      ...deviceEvidence(devices),
      ...sumsOf(examination, blocks),
    ],
    nextAttempt: said.nextAttempt ?? { what: waiting('next-attempt') },
    remediations: [...(said.remediations ?? []), ...back.remediations],
    withheld: [...(said.withheld ?? notRecommendedHere(examination, blocks[0])), ...back.withheld],
    weakenedBy,
  };
}

function shortResourcesOf(blocks: readonly Block[]): (resource: string) => boolean {
  const short = new Set(
    nodesOf(blocks).flatMap(({ reasons }) =>
      reasons.flatMap((reason) => (reason.id === 'extended-resource' ? [reason.resource] : [])),
    ),
  );
  return (resource) => short.has(resource);
}

/** The refusal of the cloud for which these pods wait; `undefined` while an order is under way. */
export function refusalFor({ snapshot }: Examination, blocks: readonly Block[]): CloudRefusal | undefined {
  if (blocks.some(({ why }) => why.kind === 'autoscaler')) return undefined;
  return cloudRefusalOf(
    snapshot,
    blocks.flatMap((block) => [...block.pods]),
  );
}

/**
 * The cloud's refusal is the story then: what the nodes that exist lack is what the refused one was ordered
 * for.
 */
function refusedByCloud<Facts extends WaitingFacts>(
  { snapshot }: Examination,
  refusal: CloudRefusal,
  { facts, reasoning, advice = [] }: WaitingCause<Facts>,
) {
  const { group, kind } = refusal;
  const refused = refusalStatements(refusal);
  return {
    summary: waiting('summary-cloud', { workload: workloadName(snapshot), kind, group }),
    facts: { ...facts, cloudRefusal: refused.fact },
    reasoning: [...refused.reasoning, ...reasoning],
    advice: [...refused.advice, ...advice],
  };
}

/**
 * A roll back, where the new revision asks for what there is not and pods of the former one still run.
 * Without those, nothing shows that the former revision would fare better.
 */
function rollBackFor(examination: Examination, { pod }: Block): Fixes {
  const { snapshot } = examination;
  const state = rolloutStateOf(snapshot);
  if (!hasDeploymentStrategy(state) || ownPods(snapshot).predecessors.length === 0) return nothingOffered;
  if (controllerOf(pod)?.uid !== newReplicaSetOf(state)?.metadata.uid) return nothingOffered;
  return rollBackOf(examination, { origin: 'rollout' });
}

/** What every placement refusal rules out, besides what each cause adds. */
export function ruledOutByWaiting({ snapshot }: Examination, { pod, why }: Block): readonly RuledOut[] {
  const gated = gatesRuledOut(snapshot, pod);
  const crashed: RuledOut = {
    cause: 'crash-loop-after-rollout',
    because: waiting('because-never-started', { pod: pod.metadata.name }),
  };
  if (why.kind === 'unconfirmed') return [...gated, crashed];
  const { predecessors } = ownPods(snapshot);
  const names = predecessors.map(({ metadata }) => metadata.name);
  const kept = podNames(keptPods(snapshot));
  return [
    {
      cause: 'surge-deadlock',
      because:
        names.length === 0
          ? kept.length > 0
            ? waiting('because-kept', { pods: kept })
            : waiting(hasGroups(snapshot.workload) ? 'because-no-surge-group' : 'because-no-predecessor')
          : waiting('because-predecessors-useless', { pods: names }),
    },
    ...gated,
    { cause: 'volume-unbound', because: waiting('because-claims-bound') },
    crashed,
  ];
}

/** What an autoscaler answered, as reasoning and evidence; nothing where none ever spoke. */
export function autoscalerStatements(
  examination: Examination,
  blocks: readonly Block[],
): AutoscalerStatements {
  const { snapshot } = examination;
  const answer = answerStatements(snapshot, blocks);
  const pools = nodePoolStatements(snapshot, blocks);
  const groups = nodeGroupStatements(snapshot);
  return {
    facts: { ...answer.facts, ...pools.facts, ...groups.facts },
    // What the autoscaler does after a refusal of the cloud follows from it.
    reasoning: [
      ...(refusalFor(examination, blocks) === undefined ? answer.reasoning : []),
      ...pools.reasoning,
      ...groups.reasoning,
    ],
    evidence: [...answer.evidence, ...pools.evidence, ...groups.evidence],
  };
}

function answerStatements(snapshot: Snapshot, blocks: readonly Block[]): AutoscalerStatements {
  const answer = autoscalerAnswer(
    snapshot,
    blocks.flatMap((block) => [...block.pods]),
  );
  if (answer.kind === 'silent') return { facts: {}, reasoning: [], evidence: [] };
  const event = answer.kind === 'declined' ? answer.event : answer.order.event;
  const by = event?.component || 'cluster-autoscaler';
  const evidence = eventEvidence(
    event,
    waiting(answer.kind === 'declined' ? 'ev-declined' : 'ev-ordered', { by }),
  );
  return answer.kind === 'declined'
    ? {
        facts: { autoscaler: { by, answer: 'declined', message: answer.event.message } },
        reasoning: [waiting('autoscaler-declined', { by, said: answer.event.message })],
        evidence,
      }
    : {
        facts: {
          autoscaler: { by, answer: answer.kind, message: event?.message, since: answer.order.since },
        },
        reasoning: [waiting(`autoscaler-${answer.kind}`, { by, since: answer.order.since })],
        evidence,
      };
}

function notRecommendedHere(
  { snapshot }: Examination,
  { why, notSimulated }: Block,
): readonly NotRecommended[] {
  const restart: NotRecommended = { kind: 'restart-rollout', because: waiting('restart-withheld') };
  if (ownPods(snapshot).predecessors.length === 0) return [restart];
  const between = kindBetweenPods(snapshot.workload.kind);
  const isOpen = notSimulated.length > 0 || (between !== undefined && isUnread(snapshot, between));
  if (why.kind === 'unconfirmed' || isOpen) {
    return [restart, { kind: 'patch-strategy', because: waiting('patch-unknown') }];
  }
  return [restart, { kind: 'patch-strategy', because: waiting('patch-withheld') }];
}

/** Nodes whose sums are shown: those that lack least. */
const shownNodes = 3;

function sumsOf({ snapshot }: Examination, blocks: readonly [Block, ...Block[]]): readonly Evidence[] {
  const [{ pod }] = blocks;
  const held = nodesOf(blocks).filter(({ refusal }) => refusal === 'held');
  return nearestOf(held, shownNodes).flatMap((node) => [...nodeArithmetic(snapshot.index, pod, node)]);
}

function confidenceOf(
  blocks: readonly Block[],
  weakened: boolean,
  atMost: Confidence = 'proven',
): Confidence {
  if (atMost === 'possible' || blocks.some(({ why }) => why.kind === 'unconfirmed')) return 'possible';
  return weakened || atMost === 'likely' ? 'likely' : 'proven';
}

/**
 * What shows whether a node was ordered for these pods, where an autoscaler is at work and that was not read.
 */
function unreadOrdersOf(snapshot: Snapshot, pods: readonly Pod[]): Unseen | undefined {
  const { NodePool, NodeClaim } = snapshot.index.objects;
  const isNominated = pods.some(({ metadata }) =>
    snapshot.index.eventsByUid.get(metadata.uid)?.some(({ component }) => isKarpenter(component)),
  );
  const hasAutoscaler =
    isNominated || NodePool.length + NodeClaim.length > 0 || freshAutoscalerStatus(snapshot) !== undefined;
  return hasAutoscaler ? unreadOf(snapshot, 'Event', 'NodeClaim') : undefined;
}

function weakeningOf(examination: Examination, blocks: readonly Block[]): readonly Statement[] {
  const { snapshot } = examination;
  const unread = unreadOf(snapshot, 'Pod', 'Node');
  const between = kindBetweenPods(snapshot.workload.kind);
  const unreadBetween = between && unreadOf(snapshot, between);
  const unreadOrders = unreadOrdersOf(
    snapshot,
    blocks.flatMap((block) => [...block.pods]),
  );
  const parts = [...new Set(blocks.flatMap(({ notSimulated }) => notSimulated))];
  const words = [...new Set(blocks.flatMap(({ pods }) => pods.flatMap((pod) => [...pluginWords(pod)])))];
  const other = blocks.find(({ agreed, nodes }) => !agreed && nodes.length > 0);
  const pods = blocks.flatMap((block) => [...block.pods]);
  const held = blocks.filter(({ why }) => why.kind === 'held');
  const returning = blocks
    .filter(({ why }) => why.kind === 'held' || why.kind === 'unsatisfiable')
    .flatMap(({ evaluation }) => nodesThatMayReturn(snapshot.index, evaluation.nodes, nowOf(snapshot)));
  const replaced = held.flatMap(({ pod }) => [
    ...nodesThatAreReplaced(examination.placement, pod, nowOf(snapshot)),
  ]);
  const resizing = held.flatMap(({ pod }) => [...loweredPodsThatFree(examination.placement, pod)]);
  const neighbours = [...new Set(held.flatMap(({ pod }) => [...unreadNeighboursOf(examination, pod)]))];
  return [
    ...(neighbours.length === 0 ? [] : [waiting('neighbours-unread', { neighbours })]),
    ...(returning.length === 0 ? [] : [nodesMayReturn.state({ nodes: [...new Set(returning)] })]),
    ...(replaced.length === 0 ? [] : [nodesAreReplaced.state({ nodes: [...new Set(replaced)] })]),
    ...(resizing.length === 0
      ? []
      : [resizesMayFree.state({ pods: [...new Set(qualifiedPodNames(resizing))] })]),
    ...(unread === undefined ? [] : [waiting('unread', { what: unread.what, because: unread.because })]),
    ...(unreadBetween === undefined
      ? []
      : [waiting('revisions-unread', { what: unreadBetween.what, because: unreadBetween.because })]),
    ...(unreadOrders === undefined
      ? []
      : [waiting('unread', { what: unreadOrders.what, because: unreadOrders.because })]),
    ...(isAnswerPending(snapshot, pods) ? [autoscalerPending.state({})] : []),
    ...(parts.length === 0 ? [] : [waiting('not-simulated', { parts })]),
    ...words.slice(0, 5).map((said) => waiting('plugin-words', { said })),
    ...(other === undefined
      ? []
      : [waiting('disagrees', { said: other.sentence?.text ?? '', found: groupedRefusals(other.nodes) })]),
  ];
}

/** Node groups told one by one. */
const shownGroups = 5;

/** Whether cluster-autoscaler can add a node at all, by the status that it writes. */
function nodeGroupStatements(snapshot: Snapshot): AutoscalerStatements {
  const admissions = nodeGroupAdmissions(snapshot);
  if (admissions.length === 0) return { facts: {}, reasoning: [], evidence: [] };
  const isShut = isEveryGroupShut(snapshot);
  const isFull = admissions.every(({ state }) => state === 'full');
  return {
    facts: { nodeGroups: admissions.map(factsOf) },
    reasoning: [
      ...admissions.slice(0, shownGroups).map(statementOf),
      ...(isShut ? [waiting(isFull ? 'groups-full' : 'groups-shut')] : []),
    ],
    evidence: admissions.slice(0, shownGroups).map((admission) => evidenceOf(snapshot, admission)),
  };
}

/** 0 in place of a maximum that the autoscaler does not report. */
const maxOf = (max: number): number => (max === Number.MAX_SAFE_INTEGER ? 0 : max);

function factsOf({ group, state }: NodeGroupAdmission) {
  const { name, target, max, errorCode } = group;
  const failed = state === 'backoff' && errorCode !== '' ? { errorCode } : {};
  return { name, state, nodes: target, max: maxOf(max), ...failed };
}

function statementOf({ group, state }: NodeGroupAdmission): Statement {
  const { name, target, max, errorCode } = group;
  switch (state) {
    case 'full':
      return waiting('group-full', { group: name, nodes: target, max });
    case 'backoff':
      return waiting('group-backoff', { group: name, errorCode });
    case 'open':
      return waiting('group-open', { group: name, nodes: target, max: maxOf(max) });
  }
}

function evidenceOf(snapshot: Snapshot, admission: NodeGroupAdmission): Evidence {
  const { name, target, max, scaleUp } = admission.group;
  const at = freshAutoscalerStatus(snapshot)?.at;
  return {
    object: { kind: 'ConfigMap', ...autoscalerStatusMap },
    field: 'data.status',
    value: `${name}: cloudProviderTarget=${target} maxSize=${maxOf(max)} scaleUp=${scaleUp}`,
    ...(at === undefined ? {} : { at }),
    says: statementOf(admission),
  };
}
