import { greatestOf } from '../../../engine/collections/collections.js';
import type { Statement } from '../../../engine/language/statement.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { hasNode, isActive, podNames, qualifiedPodNames, refOf } from '../../../engine/objects/pod.js';
import { versionText } from '../../../engine/objects/release-rules.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { hasOrdinals, hasPodPerNode, workloadKinds } from '../../../engine/objects/workload.js';
import { daemonSetHash, isUpdatedDaemonPod } from '../../../engine/workloads/controller-revisions.js';
import { daemonSetBounds, targetNode } from '../../../engine/workloads/daemon-set-model.js';
import { isFixedPoint, restDependsOnRule } from '../../../engine/workloads/fixed-point.js';
import { revisionOf } from '../../../engine/workloads/revisions.js';
import { rolloutStateOf } from '../../../engine/workloads/rollout-state.js';
import { nodeArithmetic } from '../../findings/arithmetic.js';
import { subjectOf } from '../../findings/deadlock/stable.js';
import { deadlock } from '../../findings/deadlock/text.js';
import type { PlaceOf } from '../../findings/escapes/contract.js';
import {
  answersAbout,
  becomesFree,
  doubtsIn,
  openersOf,
  proofFactsOf,
  statusLineOf,
} from '../../findings/escapes/index.js';
import { nodesJoining } from '../../findings/escapes/nodes.js';
import { type Evidence, nodeEvidence } from '../../findings/finding.js';
import type { Detected, Examination, Rule } from '../../findings/rule.js';
import { waitingNeeds } from '../../findings/rule.js';
import { isUnschedulable, refusedSince, workloadName } from '../../findings/stuck-rollout.js';
import { keptUntilReady, partyOf, waitForResource } from '../../findings/wait-cycle.js';
import { cloudRefusalOf } from '../../findings/waiting/cloud-refusal.js';
import { oldOrdinalsOf } from '../../findings/waiting/holding.js';
import { refusalStatements } from '../../findings/waiting/node-pool-statements.js';
import { waiting as waitingStatement } from '../../findings/waiting/text.js';
import {
  deviceEvidence,
  type LostDevices,
  lostDevices,
  unhealthyDevicesAmong,
  wouldFitAgain,
} from '../../findings/waiting/unhealthy-devices.js';
import { type Blockage, blockageOf, mergedBlockage, undecidedSurge } from './blockage.js';
import { adviceFor, elsewhereOf, reasoningOf, ruledOutOf, SurgeDeadlockFacts } from './reasoning.js';
import { remediesFor, type Stuck, stuckStableRolloutOf } from './stuck-stable-rollout.js';
import { state, text } from './text.js';

/**
 * The new pod cannot be placed because old pods of the same workload hold what it needs, and the controller
 * is at a fixed point, so they will never go: controller → new pod → resource on a node → old pod →
 * controller. It is a deadlock only when nobody else can open the cycle: no autoscaler, no preemption, no pod
 * that leaves by itself, no rollout of another workload that is in progress and will stop its old pods.
 */
export const surgeDeadlock: Rule<typeof SurgeDeadlockFacts> = {
  id: 'surge-deadlock',
  facts: SurgeDeadlockFacts,
  text,
  origin: 'rollout',
  appliesTo: workloadKinds,
  needs: waitingNeeds,
  supersedes: [
    'capacity-contention',
    'insufficient-capacity',
    'unsatisfiable-placement',
    'node-cordoned',
    'scale-up-pending',
    'progress-deadline-exceeded',
    'fragile-strategy',
  ],
  undecidedBy: undecidedSurge,
  // What other nodes refuse to their own pods of a DaemonSet has another reason.
  explains: ({ subject, nodes }, other) =>
    !hasPodPerNode(subject) || other.nodes.length === 0 || other.nodes.some((node) => nodes.includes(node)),
  detect(examination) {
    const stuck = stuckOf(examination);
    if (stuck === undefined) return undefined;
    const { kind } = stuck.workload;
    return hasPodPerNode({ kind }) ? nodeByNode(examination, stuck) : allAlike(examination, stuck);
  },
};

function stuckOf(examination: Examination): Stuck | undefined {
  const { kind } = examination.snapshot.workload;
  if (hasOrdinals({ kind })) return stuckStatefulSetOf(examination);
  return hasPodPerNode({ kind }) ? stuckDaemonSetOf(examination) : stuckStableRolloutOf(examination);
}

type Found = Detected<typeof SurgeDeadlockFacts>;

/** Pods of one revision are alike to the scheduler: what holds for one holds for all. */
function allAlike(examination: Examination, stuck: Stuck): Found | undefined {
  const { waiting, holding, alsoWaiting = [] } = stuck;
  const blockage = blockageOf(examination.placement, waiting[0], holding);
  const place = { kind: 'node', holders: holding, waiting, alsoWaiting } as const;
  if (blockage === undefined || becomesFree(examination, place)) return undefined;
  return findingOf(examination, stuck, blockage, place);
}

/** More of them would say nothing new. */
const mostNodes = 30;

/** Each pod of a DaemonSet is meant for one node: a new node is no help, and neither is room on another. */
function nodeByNode(examination: Examination, stuck: Stuck): Found | undefined {
  const placeOf = (pod: Pod): PlaceOf<'node'> => ({
    kind: 'node',
    holders: stuck.holding,
    waiting: [pod],
    alsoWaiting: [],
  });
  const found = stuck.waiting
    .slice(0, mostNodes)
    .filter((pod) => !becomesFree(examination, placeOf(pod)))
    .flatMap((pod) => blockageOf(examination.placement, pod, stuck.holding) ?? []);
  const [first, ...rest] = found;
  if (first === undefined) return undefined;
  const waiting = [first.waiting, ...rest.map((each) => each.waiting)] as const;
  const blockage = mergedBlockage(first, rest);
  return findingOf(examination, { ...stuck, waiting }, blockage, placeOf(first.waiting));
}

function findingOf(
  examination: Examination,
  stuck: Stuck,
  blockage: Blockage,
  place: PlaceOf<'node'>,
): Found {
  const { snapshot } = examination;
  const { resource, holders, nodes, openable } = blockage;
  const answers = answersAbout(examination, place);
  const joining = openersOf(answers, nodesJoining);
  // A new node does not end the wait of a pod that is meant for one node.
  const refusal = hasPodPerNode(stuck.workload) ? undefined : cloudRefusalOf(snapshot, stuck.waiting);
  const refused = refusal && refusalStatements(refusal);
  const elsewhere = elsewhereOf(examination, blockage.waiting, joining);
  const facts = {
    revision: revisionOf(snapshot),
    stuckSeconds: stillForSeconds(snapshot, stuck.waiting),
    strategy: stuck.strategyFacts,
    ...proofFactsOf('node', stuck.waiting, answers),
    waitingPods: podNames(stuck.waiting),
    amount: blockage.amount,
    nodesInAll: snapshot.index.objects.Node.length,
    fitsWithout: { node: openable[0].node, pods: podNames(openable[0].remove) },
    alsoHeldBy: qualifiedPodNames(blockage.others),
    cordonedNodes: elsewhere.cordoned,
    taintRules: elsewhere.taintRules,
    driverlessNodes: elsewhere.driverless,
    notReadyNodes: elsewhere.notReady,
    ...(refused === undefined ? {} : { cloudRefusal: refused.fact }),
  };
  const lost = devicesLostFor(examination, blockage);
  const weakenedBy = [
    ...stuck.weakenedBy,
    ...doubtsIn(answers),
    ...simulationDoubts(examination, blockage),
    ...lost.slice(0, 1).map(({ node }) => waitingStatement('devices-may-return', { node })),
  ];
  const remedies = stuck.remedies(openable[0].node, resource);
  return {
    confidence: blockage.certain && weakenedBy.length === 0 ? 'proven' : 'likely',
    severity: 'critical',
    resource,
    nodes: [...nodes],
    holders: holders.map(refOf),
    facts,
    waitCycle: [
      {
        who: partyOf('new-pod', [blockage.waiting.metadata.name], { count: stuck.waiting.length }),
        waits: waitForResource(resource, facts.amount, nodes),
      },
      keptUntilReady(podNames(holders)),
    ],
    summary: state('summary', { workload: workloadName(snapshot), resource }),
    standing: statusLineOf(answers, { revision: facts.revision, stillForSeconds: facts.stuckSeconds }),
    reasoning: reasoningOf(snapshot, stuck, blockage, {
      facts,
      answers,
      refused: refused?.reasoning ?? [],
      lost,
    }),
    evidence: [...evidenceOf(stuck, blockage), ...(refused?.evidence ?? []), ...sumOf(examination, blockage)],
    ruledOut: ruledOutOf(snapshot, stuck, blockage, elsewhere, answers),
    nextAttempt: { what: state('next-attempt') },
    ...remedies,
    advice: adviceFor(
      snapshot,
      stuck,
      blockage,
      { cordoned: elsewhere.cordoned, joining, refused: refused?.advice ?? [], lost },
      remedies.remediations,
    ),
    weakenedBy,
  };
}

/** Devices whose return alone would give the new pod a place. */
function devicesLostFor(
  { snapshot: { index }, placement }: Examination,
  { waiting }: Blockage,
): readonly LostDevices[] {
  return placement.evaluate(waiting).nodes.flatMap(({ node, reasons }) => {
    const [only, ...more] = reasons;
    const lost = only === undefined ? undefined : lostDevices(index, node, only);
    return lost !== undefined && only !== undefined && more.length === 0 && wouldFitAgain(lost, only)
      ? [lost]
      : [];
  });
}

/** What the scheduler may decide by and the engine does not simulate. */
function simulationDoubts({ placement }: Examination, { waiting, certain }: Blockage): readonly Statement[] {
  const evaluation = placement.evaluate(waiting);
  const other = evaluation.notSimulated.find(({ why }) => why === 'other-scheduler')?.subject;
  const unsure = certain
    ? []
    : [
        ...evaluation.notSimulated.filter(({ why }) => why !== 'other-scheduler'),
        ...evaluation.nodes.flatMap(({ notSimulated }) => notSimulated),
      ];
  const parts = [...new Set(unsure.map(({ plugin }) => plugin))];
  return [
    ...(other === undefined ? [] : [state('other-scheduler', { scheduler: other })]),
    ...(parts.length === 0 ? [] : [waitingStatement('not-simulated', { parts })]),
  ];
}

function stillForSeconds(snapshot: Snapshot, waiting: readonly Pod[]): number | undefined {
  const since = waiting
    .map((pod) => Date.parse(refusedSince(pod) ?? ''))
    .filter((time) => !Number.isNaN(time));
  if (since.length === 0) return undefined;
  return Math.max(0, (nowOf(snapshot) - greatestOf(since)) / 1000);
}

/** What the pods, their holders and the strategy show. */
function evidenceOf(
  { waiting, strategyEvidence }: Stuck,
  { holders, resource }: Blockage,
): readonly Evidence[] {
  return [
    ...waiting.map((pod): Evidence => {
      const scheduled = conditionOf(pod.status, 'PodScheduled');
      const at = refusedSince(pod);
      return {
        object: refOf(pod),
        field: 'status.conditions[PodScheduled]',
        value: scheduled?.message ?? '',
        ...(at === undefined ? {} : { at }),
        says: waitingStatement('ev-unschedulable', { pod: pod.metadata.name }),
      };
    }),
    ...nodeEvidence(holders, (pod) => deadlock('ev-holder', { pod: pod.metadata.name, resource })),
    ...deviceEvidence(unhealthyDevicesAmong(holders, (each) => each === resource)),
    ...strategyEvidence,
  ];
}

/** The scheduler's sum for the node that needs the fewest pods to leave. */
function sumOf({ snapshot, placement }: Examination, { waiting, openable }: Blockage): readonly Evidence[] {
  const [{ node: name }] = openable;
  const node = snapshot.index.nodes.get(name);
  if (node === undefined) return [];
  return nodeArithmetic(snapshot.index, waiting, { name, reasons: placement.check(waiting, node).reasons });
}

/**
 * A StatefulSet at rest half-way: the pod of a higher ordinal has the new revision and no node, and pods of
 * lower ordinals hold what it needs. They have the old revision, and the controller replaces none of them
 * before the higher ordinal is available (kubernetes `stateful_set_control.go: updateStatefulSet`).
 */
function stuckStatefulSetOf({ snapshot }: Examination): Stuck | undefined {
  const rollout = rolloutStateOf(snapshot);
  if (!hasOrdinals(rollout)) return undefined;
  const { statefulSet } = rollout;
  const { serverVersion } = snapshot.index;
  const { metadata, spec, status } = statefulSet;
  if (metadata.deletionTimestamp !== undefined) return undefined;
  if (status.observedGeneration < (metadata.generation ?? 0) || !isFixedPoint(rollout)) return undefined;
  const { pending, old } = oldOrdinalsOf(rollout);
  const [first, ...rest] = pending.filter(isUnschedulable);
  if (first === undefined || 1 + rest.length < pending.length) return undefined;
  const pod = first.metadata.name;
  return {
    workload: statefulSet,
    holding: old,
    waiting: [first, ...rest],
    strategy: state('strategy-ordinals', { pod }),
    strategyFacts: undefined,
    strategyEvidence: [
      {
        object: subjectOf(statefulSet),
        field: 'spec.updateStrategy',
        value: JSON.stringify(spec.updateStrategy),
        says: state('ev-ordinals', { pod }),
      },
    ],
    weakenedBy:
      serverVersion !== undefined && restDependsOnRule(rollout)
        ? [state('gate-unsure', { version: versionText(serverVersion) })]
        : [],
    remedies: (node) => ({
      remediations: [],
      withheld: [
        { kind: 'restart-rollout', because: state('restart-withheld-ordinals', { pod }) },
        { kind: 'exclude-nodes', because: state('exclude-withheld', { node }) },
      ],
    }),
  };
}

/**
 * A DaemonSet that surges, at rest half-way: new pods wait for nodes on which an old pod is kept until they
 * are available (kubernetes `daemon/update.go: rollingUpdate`). An old pod that is not ready is taken by the
 * controller, so only a ready one blocks. Each node stands for itself: what new pods do on other nodes does
 * not matter.
 */
function stuckDaemonSetOf(examination: Examination): Stuck | undefined {
  const rollout = rolloutStateOf(examination.snapshot);
  if (!hasPodPerNode(rollout)) return undefined;
  const { daemonSet, pods } = rollout;
  const { metadata, spec, status } = daemonSet;
  if (metadata.deletionTimestamp !== undefined) return undefined;
  if (status.observedGeneration < (metadata.generation ?? 0)) return undefined;
  const { maxSurge, desired } = daemonSetBounds(rollout);
  if (maxSurge === 0 || !isFixedPoint(rollout)) return undefined;
  const hash = daemonSetHash(rollout);
  const isNew = (pod: Pod) => isUpdatedDaemonPod(pod, daemonSet, hash);
  const old = pods.filter((pod) => isActive(pod) && hasNode(pod) && !isNew(pod));
  const occupied = new Set(old.map(({ spec: { nodeName } }) => nodeName));
  const [first, ...rest] = pods.filter(
    (pod) => isActive(pod) && isUnschedulable(pod) && isNew(pod) && occupied.has(targetNode(pod)),
  );
  if (first === undefined) return undefined;
  const waiting = [first, ...rest] as const;
  const wanted = new Set(waiting.map(targetNode));
  const holding = old.filter((pod) => wanted.has(pod.spec.nodeName));
  const { rollingUpdate } = spec.updateStrategy;
  const asStated = {
    maxSurge: String(rollingUpdate?.maxSurge ?? '-'),
    maxUnavailable: String(rollingUpdate?.maxUnavailable ?? '-'),
  };
  return {
    workload: daemonSet,
    holding,
    waiting,
    strategy: state('strategy-surges', {
      ...asStated,
      waiting: waiting.length,
      surge: maxSurge,
      nodes: desired,
    }),
    strategyFacts: { ...asStated, surge: maxSurge, replicas: desired },
    strategyEvidence: [
      {
        object: subjectOf(daemonSet),
        field: 'spec.updateStrategy.rollingUpdate',
        value: JSON.stringify(rollingUpdate ?? {}),
        says: deadlock('ev-surges', { surge: maxSurge, nodes: desired }),
      },
    ],
    weakenedBy: [],
    remedies: (node, resource) => remediesFor(examination, rollout, waiting, { node, resource }),
  };
}
