import { podKey, podNames, qualifiedPodNames } from '../../../cluster/pod-key.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { unreadOf } from '../../../cluster/unread.js';
import { chargedFor, chargeOf, smallestRelease } from '../../../creation/quota-block.js';
import { longestRetrySeconds } from '../../../creation/retry.js';
import { inRole, type Statement } from '../../../language/statement.js';
import { refOf } from '../../../remediation/price-of.js';
import { revisionOf } from '../../../rollout/revisions.js';
import { quotaArithmetic } from '../../arithmetic/quota-arithmetic.js';
import { creationFactsOf, exceededFactsOf } from '../../creation/facts.js';
import { creation } from '../../creation/text.js';
import { givesUp } from '../../deadlock/resting-revisions.js';
import { stableKinds } from '../../deadlock/resting-rollout.js';
import { shrinkStatements } from '../../deadlock/shrink-statements.js';
import { deadlock } from '../../deadlock/text.js';
import type { FactsOf } from '../../facts.js';
import { blamedQuota, type Evidence, type RuledOut } from '../../finding.js';
import { autoscalerThatMayShrink } from '../../horizontal-autoscaler.js';
import { creationNeeds } from '../../needs.js';
import { readinessOf } from '../../readiness-of.js';
import type { Detected, Examination, Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { keptUntilReady, partyOf, waitForQuota } from '../../wait-cycle.js';
import { adviceFor } from './advice.js';
import { QuotaDeadlockFacts } from './facts.js';
import { type QuotaProof, quotaProof } from './proof.js';
import { remediesFor } from './remedies.js';
import { state, text } from './text.js';

/**
 * The surge pod is not even created: a quota of the namespace is used up, old pods of the same workload are
 * charged for enough of it, and the controller is at a fixed point, so they will never go. No Pending pod
 * exists; the ReplicaSet alone says so (ReplicaFailure, FailedCreate), or the DaemonSet's events.
 */
export const quotaDeadlock: Rule<typeof QuotaDeadlockFacts> = {
  id: 'quota-deadlock',
  facts: QuotaDeadlockFacts,
  text,
  origin: 'rollout',
  appliesTo: [...stableKinds, 'DaemonSet'],
  needs: [...creationNeeds, 'Namespace'],
  supersedes: ['quota-exceeded', 'revision-failed', 'progress-deadline-exceeded', 'fragile-strategy'],
  detect(examination) {
    const proof = quotaProof(examination.snapshot);
    return proof && findingOf(examination, proof);
  },
};

function findingOf(examination: Examination, proof: QuotaProof): Detected<typeof QuotaDeadlockFacts> {
  const { snapshot } = examination;
  const { stalled, exceeded, holders, block } = proof;
  const { metadata } = stalled.workload;
  const remedies = remediesFor(examination, proof);
  const evaluation = examination.placement.evaluate(block.pod, { without: new Set(holders.map(podKey)) });
  const isNowhere = evaluation.outcome === 'refused' && evaluation.nodes.length > 0;
  const failed = creationFactsOf(snapshot, block.failed);
  const autoscaler = autoscalerThatMayShrink(snapshot);
  const now = nowOf(snapshot);
  const facts: Facts = {
    ...failed,
    revision: revisionOf(snapshot),
    stuckSeconds: failed.failingSeconds,
    strategy: stalled.strategyFacts,
    exceeded: exceededFactsOf(exceeded),
    charged: chargeOf(block, holders, exceeded[0].resources[0]?.resource ?? '', now),
    admittedWithout: podNames(proof.release),
    fitsNowhere: isNowhere,
    waitingPods: podNames(stalled.blocked),
    finishingPods: podNames(proof.finishing),
    isQuotaUnread: block.unread,
    leavingTogether: qualifiedPodNames(proof.leavingTogether),
    unreadNeighbours: proof.unread,
    shrinkingAutoscalers: autoscaler === undefined ? [] : [autoscaler.metadata.name],
    shrinkingNeighbours: proof.shrinkingNeighbours,
    departingNeighbours: proof.departingNeighbours,
    replacingNeighbours: proof.replacing,
    stalledNeighbours: proof.stalledNeighbours,
  };
  const weakenedBy = [
    ...stalled.doubts((pods) => smallestRelease(block, chargedFor(block, pods, now), now) !== undefined),
    ...shrinkStatements(snapshot),
    ...weakeningOf(snapshot, proof, facts),
  ];
  return {
    confidence: weakenedBy.length === 0 ? 'proven' : 'likely',
    severity: 'critical',
    resource: exceeded[0].resources[0]?.resource ?? '',
    holders: holders.map(refOf),
    facts,
    ...blamedQuota(metadata.namespace, exceeded),
    waitCycle: [
      {
        who: partyOf('unmade-pod', [stalled.failed.owner.name]),
        waits: waitForQuota(exceeded[0].quota, exceeded[0].resources[0]?.resource ?? ''),
      },
      keptUntilReady(podNames(holders)),
    ],
    summary: state('summary', { workload: workloadName(snapshot), quota: exceeded[0].quota }),
    standing: deadlock(
      autoscaler === undefined && facts.shrinkingNeighbours.length === 0
        ? 'standing'
        : 'standing-but-for-autoscaler',
      {
        revision: facts.revision,
        stillForSeconds: facts.stuckSeconds,
      },
    ),
    reasoning: reasoningOf(snapshot, proof, facts),
    evidence: evidenceOf(snapshot, proof),
    ruledOut: ruledOutOf(proof),
    nextAttempt: {
      what: state('next-attempt', {
        creator: stalled.failed.owner.name,
        withinSeconds: longestRetrySeconds,
      }),
    },
    ...remedies,
    advice: adviceFor(snapshot, proof, remedies.remediations, isNowhere),
    weakenedBy,
  };
}

/** What was not seen, or speaks against the quota as the whole story. */
function weakeningOf(snapshot: Snapshot, { block }: QuotaProof, facts: Facts): readonly Statement[] {
  const { waitingPods, finishingPods, isQuotaUnread } = facts;
  const { unreadNeighbours, stalledNeighbours, replacingNeighbours } = facts;
  const { shrinkingNeighbours, departingNeighbours, leavingTogether } = facts;
  const unread = unreadOf(snapshot, 'Pod');
  return [
    ...(isQuotaUnread ? [state('quota-unread', { quota: block.said.quota })] : []),
    ...(unread === undefined ? [] : [state('pods-unread', { because: unread.because })]),
    ...(block.differs
      ? [creation('request-differs', { resource: block.said.resources[0]?.resource ?? '' })]
      : []),
    ...(waitingPods.length === 0 ? [] : [state('others-wait', { pods: waitingPods })]),
    ...(unreadNeighbours.length === 0
      ? []
      : [inRole('escape', state('neighbours-unread', { neighbours: unreadNeighbours }))]),
    ...(stalledNeighbours.length === 0
      ? []
      : [inRole('escape', state('neighbours-stalled', { neighbours: stalledNeighbours }))]),
    ...(shrinkingNeighbours.length === 0
      ? []
      : [deadlock('neighbours-may-shrink', { neighbours: shrinkingNeighbours })]),
    ...(departingNeighbours.length === 0
      ? []
      : [inRole('escape', deadlock('neighbours-depart', { neighbours: departingNeighbours }))]),
    ...(replacingNeighbours.length === 0
      ? []
      : [inRole('escape', state('neighbours-replace', { neighbours: replacingNeighbours }))]),
    ...(finishingPods.length === 0
      ? []
      : [inRole('escape', state('jobs-may-finish', { pods: finishingPods }))]),
    ...(leavingTogether.length === 0
      ? []
      : [inRole('escape', deadlock('pods-may-leave', { pods: leavingTogether }))]),
  ];
}

type Facts = FactsOf<typeof QuotaDeadlockFacts>;

function reasoningOf(
  snapshot: Snapshot,
  { stalled, exceeded, holders }: QuotaProof,
  facts: Facts,
): readonly Statement[] {
  const [first, ...more] = facts.exceeded;
  const ready = readinessOf(snapshot);
  return [
    ...(first === undefined
      ? []
      : [
          state('refused', {
            kind: stalled.failed.owner.kind,
            creator: stalled.failed.owner.name,
            missing: facts.missing,
            ...first,
          }),
          ...more.map((one) => creation('refused-too', one)),
          state('held', {
            pods: podNames(holders),
            resource: first.resource,
            charged: facts.charged,
            used: first.used,
          }),
        ]),
    stalled.strategy,
    ...givesUp(snapshot),
    inRole('conclusion', state('counterfactual', { without: facts.admittedWithout })),
    ...(facts.fitsNowhere ? [state('then-nowhere')] : []),
    inRole('conclusion', state('no-rescue', { quota: exceeded[0].quota })),
    inRole('readiness', state('served', { ready: ready.pods, wanted: ready.wanted })),
  ];
}

function evidenceOf(snapshot: Snapshot, proof: QuotaProof): readonly Evidence[] {
  const { stalled, exceeded, holders, block } = proof;
  const { failed } = block;
  const now = nowOf(snapshot);
  const resource = exceeded[0].resources[0]?.resource ?? '';
  return [
    {
      object: failed.saidBy,
      field: failed.field,
      value: failed.message,
      at: failed.lastSeen,
      says: state('ev-refused', { creator: stalled.failed.owner.name }),
    },
    ...quotaArithmetic(snapshot, block, exceeded),
    ...holders.map(
      (pod): Evidence => ({
        object: refOf(pod),
        field: 'spec.containers[*].resources',
        value: `${resource}=${chargeOf(block, [pod], resource, now)}`,
        at: pod.metadata.creationTimestamp,
        says: state('ev-holder', { resource, charged: chargeOf(block, [pod], resource, now) }),
      }),
    ),
    ...stalled.strategyEvidence,
  ];
}

function ruledOutOf({ stalled, release }: QuotaProof): readonly RuledOut[] {
  return [
    {
      cause: 'surge-deadlock',
      because: state('because-no-pod', { creator: stalled.failed.owner.name }),
    },
    { cause: 'quota-exceeded', because: state('because-own-pods', { pods: podNames(release) }) },
    { cause: 'admission-denied', because: creation('because-quota-only') },
    ...(stalled.workload.kind === 'Deployment' || stalled.workload.kind === 'Rollout'
      ? [{ cause: 'rollout-paused', because: deadlock('because-not-paused') }]
      : []),
    { cause: 'slow rollout', because: deadlock('because-fixed-point') },
  ];
}
