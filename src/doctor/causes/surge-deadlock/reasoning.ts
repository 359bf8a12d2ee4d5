import { inRole, type Statement } from '../../../engine/language/statement.js';
import { podNames } from '../../../engine/objects/pod-key.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { givesUp } from '../../findings/deadlock/stable-revisions.js';
import { deadlock } from '../../findings/deadlock/text.js';
import type { FactsOf } from '../../findings/facts.js';
import type { RuledOut } from '../../findings/finding.js';
import { readinessOf } from '../../findings/readiness-of.js';
import { isScaleUpRetried } from '../../findings/waiting/autoscaler-answer.js';
import { gatesRuledOut } from '../../findings/waiting/sentence.js';
import { waiting as waitingStatement } from '../../findings/waiting/text.js';
import { deviceStatements, unhealthyDevicesAmong } from '../../findings/waiting/unhealthy-devices.js';
import type { Blockage } from './blockage.js';
import { type Elsewhere, mayFree } from './elsewhere.js';
import type { SurgeDeadlockFacts } from './facts.js';
import type { Stuck } from './stuck.js';
import { state } from './text.js';

type Facts = FactsOf<typeof SurgeDeadlockFacts>;

/** Pods of others may leave, for a reason that is enough alone. */
export function mayBeFreed(known: Omit<Facts, 'leavingTogether'>): boolean {
  return [
    known.finishingPods,
    known.evictedPods,
    known.unreadNeighbours,
    known.shrinkingNeighbours,
    known.stalledNeighbours,
    known.replacingNeighbours,
  ].some(({ length }) => length > 0);
}

/** Whether the state ends by itself, and when it would. */
export function statusLineOf(facts: Facts): Statement {
  const values = { revision: facts.revision, stillForSeconds: facts.stuckSeconds };
  if (facts.finishingPods.length > 0) return state('standing-but-for-jobs', values);
  if (facts.evictedPods.length > 0) return deadlock('standing-but-for-evictions', values);
  if (facts.leavingTogether.length > 0) return deadlock('standing-but-for-leaving', values);
  if (
    [facts.unreadNeighbours, facts.replacingNeighbours, facts.stalledNeighbours].some(
      ({ length }) => length > 0,
    )
  )
    return state('standing-but-for-neighbours', values);
  return deadlock(
    facts.shrinkingAutoscalers.length + facts.shrinkingNeighbours.length > 0
      ? 'standing-but-for-autoscaler'
      : 'standing',
    values,
  );
}

/** The wait cycle step by step, and what would have to be otherwise. */
export function reasoningOf(
  snapshot: Snapshot,
  { strategy }: Stuck,
  { waiting: pod, resource, holders, nodes }: Blockage,
  { facts, elsewhere }: { readonly facts: Facts; readonly elsewhere: Elsewhere },
): readonly Statement[] {
  const { amount, waitingPods, nodesInAll, fitsWithout, alsoHeldBy, cordonedNodes, notReadyNodes } = facts;
  const ready = readinessOf(snapshot);
  return [
    state('needs', {
      pod: pod.metadata.name,
      waiting: waitingPods.length,
      resource,
      amount,
      nodes,
      nodesInAll,
    }),
    state('held', { pods: podNames(holders), nodes, resource, amount }),
    ...deviceStatements(unhealthyDevicesAmong(holders, (each) => each === resource)),
    strategy,
    ...givesUp(snapshot),
    inRole(
      'conclusion',
      state('counterfactual', {
        pod: pod.metadata.name,
        without: fitsWithout.pods,
        node: fitsWithout.node,
      }),
    ),
    ...(alsoHeldBy.length > 0 ? [state('also-holding', { pods: alsoHeldBy, resource })] : []),
    ...(facts.taintRules.length > 0 ? [state('devices-tainted', { rules: facts.taintRules })] : []),
    ...(facts.driverlessNodes.length > 0 ? [state('driver-missing', { nodes: facts.driverlessNodes })] : []),
    ...(cordonedNodes.length > 0 ? [state('room-cordoned', { nodes: cordonedNodes })] : []),
    ...(notReadyNodes.length > 0 ? [state('room-not-ready', { nodes: notReadyNodes })] : []),
    ...(mayBeFreed(facts) ||
    isScaleUpRetried(snapshot, [pod]) ||
    facts.leavingTogether.length > 0 ||
    mayFree(elsewhere)
      ? []
      : [inRole('conclusion', state('no-rescue', { resource }))]),
    inRole('readiness', deadlock('served', { ready: ready.pods, wanted: ready.wanted })),
  ];
}

export function ruledOutOf(
  snapshot: Snapshot,
  { workload, holding }: Stuck,
  { waiting, holders, openable, resource }: Blockage,
  { cordoned }: Elsewhere,
): readonly RuledOut[] {
  const [best] = openable;
  return [
    {
      cause: 'insufficient-capacity',
      because: state('because-fits-without', { pods: podNames(best.remove) }),
    },
    {
      cause: 'capacity-contention',
      because: state('because-own-pods', { pods: podNames(holders), resource }),
    },
    { cause: 'scale-up-pending', because: deadlock('because-old-revision', { pods: holding.length }) },
    { cause: 'waiting-for-autoscaler', because: state('because-no-scale-up') },
    ...(cordoned.length > 0
      ? []
      : [{ cause: 'node-cordoned', because: state('because-node-open', { node: best.node }) }]),
    ...(workload.kind === 'Deployment' || workload.kind === 'Rollout'
      ? [{ cause: 'rollout-paused', because: deadlock('because-not-paused') }]
      : []),
    ...gatesRuledOut(snapshot, waiting),
    {
      cause: 'crash-loop-after-rollout',
      because: waitingStatement('because-never-started', { pod: waiting.metadata.name }),
    },
    { cause: 'slow rollout', because: deadlock('because-fixed-point') },
  ];
}
