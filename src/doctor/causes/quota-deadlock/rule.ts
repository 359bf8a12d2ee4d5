import * as z from 'zod';
import {
  failingForSeconds,
  longestRetrySeconds,
  undecidedScopes,
} from '../../../engine/creation/failed-creation.js';
import { chargedFor, chargeOf, raisedQuota, smallestRelease } from '../../../engine/creation/quota-block.js';
import { inRole, type Statement } from '../../../engine/language/statement.js';
import { podKey, podNames, refOf } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { hasReplicaSets, hasSteps, isRevisioned } from '../../../engine/objects/workload.js';
import { revisionOf } from '../../../engine/workloads/revisions.js';
import { quotaArithmetic } from '../../findings/arithmetic.js';
import { deadlockFacts } from '../../findings/deadlock/facts.js';
import { fixesOfKind } from '../../findings/deadlock/fixes-of-kind.js';
import { lastingAdvice } from '../../findings/deadlock/lasting-strategy.js';
import { adviceOn, givesUp } from '../../findings/deadlock/stable-revisions.js';
import { stableKinds } from '../../findings/deadlock/stable-rollout.js';
import { notRecommendedPatches } from '../../findings/deadlock/strategy.js';
import { deadlock } from '../../findings/deadlock/text.js';
import type { Answer } from '../../findings/escapes/contract.js';
import {
  answersAbout,
  becomesFree,
  doubtsIn,
  proofFactsOf,
  statusLineOf,
  unlessMayOpen,
} from '../../findings/escapes/index.js';
import { type FactsOf, fact } from '../../findings/facts.js';
import type { Advice, Evidence, Fixes, RuledOut } from '../../findings/finding.js';
import { blamedQuota } from '../../findings/finding.js';
import { quotaSimulator } from '../../findings/pod-simulator-of.js';
import { readinessOf } from '../../findings/readiness-of.js';
import {
  creation,
  creationFacts,
  creationFactsOf,
  exceededFact,
  exceededFactsOf,
} from '../../findings/refused-creation.js';
import { rollBackOf } from '../../findings/roll-back.js';
import type { Detected, Examination, Rule } from '../../findings/rule.js';
import { creationNeeds } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { keptUntilReady, partyOf, waitForQuota } from '../../findings/wait-cycle.js';
import type { Remediation } from '../../fixes/remediation.js';
import { type QuotaProof, quotaProof } from './proof.js';
import { state, text } from './text.js';

const QuotaDeadlockFacts = z.strictObject({
  ...deadlockFacts,
  ...creationFacts,
  exceeded: exceededFact,
  charged: fact.quantity('What the old pods are charged of the first of these'),
  admittedWithout: fact.names('The fewest old pods without which a new pod is admitted'),
  fitsNowhere: fact.flag('Admitted, the new pod would find no node'),
  waitingPods: fact.names('New pods that exist and wait for a node'),
  isQuotaUnread: fact.flag('The quota could not be read; its numbers are those of the message'),
});

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
  undecidedBy: undecidedScopes,
  detect(examination) {
    const proof = quotaProof(examination.snapshot);
    if (proof === undefined) return undefined;
    const { block, stalled } = proof;
    const place = { kind: 'quota', holders: stalled.holding, block } as const;
    return becomesFree(examination, place)
      ? undefined
      : findingOf(examination, proof, answersAbout(examination, place));
  },
};

function findingOf(
  examination: Examination,
  proof: QuotaProof,
  answers: readonly Answer[],
): Detected<typeof QuotaDeadlockFacts> {
  const { snapshot } = examination;
  const { stalled, exceeded, holders, block } = proof;
  const { metadata } = stalled.workload;
  const remedies = remediesFor(examination, proof);
  const evaluation = examination.placement.evaluate(block.pod, { without: new Set(holders.map(podKey)) });
  const isNowhere = evaluation.outcome === 'refused' && evaluation.nodes.length > 0;
  const failed = creationFactsOf(snapshot, block.failed);
  const now = nowOf(snapshot);
  const facts: Facts = {
    ...failed,
    revision: revisionOf(snapshot),
    stuckSeconds: failed.failingSeconds,
    strategy: stalled.strategyFacts,
    ...proofFactsOf('quota', [], answers),
    exceeded: exceededFactsOf(exceeded),
    charged: chargeOf(block, holders, exceeded[0].resources[0]?.resource ?? '', now),
    admittedWithout: podNames(proof.release),
    fitsNowhere: isNowhere,
    waitingPods: podNames(stalled.blocked),
    isQuotaUnread: block.unread,
  };
  const weakenedBy = [
    ...stalled.doubts((pods) => smallestRelease(block, chargedFor(block, pods, now), now) !== undefined),
    ...doubtsIn(answers),
    ...weakeningOf(proof, facts),
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
    standing: statusLineOf(answers, { revision: facts.revision, stillForSeconds: facts.stuckSeconds }),
    reasoning: reasoningOf(snapshot, proof, facts, answers),
    evidence: evidenceOf(snapshot, proof),
    ruledOut: ruledOutOf(proof),
    nextAttempt: {
      what: state('next-attempt', { creator: stalled.failed.owner.name, withinSeconds: longestRetrySeconds }),
    },
    ...remedies,
    advice: adviceFor(snapshot, proof, remedies.remediations, isNowhere),
    weakenedBy,
  };
}

/** What was not seen, or speaks against the quota as the whole story. */
function weakeningOf({ block }: QuotaProof, { waitingPods, isQuotaUnread }: Facts): readonly Statement[] {
  return [
    ...(isQuotaUnread ? [state('quota-unread', { quota: block.said.quota })] : []),
    ...(block.differs
      ? [creation('request-differs', { resource: block.said.resources[0]?.resource ?? '' })]
      : []),
    ...(waitingPods.length === 0 ? [] : [state('others-wait', { pods: waitingPods })]),
  ];
}

type Facts = FactsOf<typeof QuotaDeadlockFacts>;

function reasoningOf(
  snapshot: Snapshot,
  { stalled, exceeded, holders }: QuotaProof,
  facts: Facts,
  answers: readonly Answer[],
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
    ...unlessMayOpen(answers, inRole('conclusion', state('no-rescue', { quota: exceeded[0].quota }))),
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
    { cause: 'surge-deadlock', because: state('because-no-pod', { creator: stalled.failed.owner.name }) },
    { cause: 'quota-exceeded', because: state('because-own-pods', { pods: podNames(release) }) },
    { cause: 'admission-denied', because: creation('because-quota-only') },
    ...(hasReplicaSets(stalled.workload)
      ? [{ cause: 'rollout-paused', because: deadlock('because-not-paused') }]
      : []),
    { cause: 'slow rollout', because: deadlock('because-fixed-point') },
  ];
}

/** A lasting change, the way without downtime, and how to avoid the pause of the controller. */
function adviceFor(
  snapshot: Snapshot,
  { stalled, exceeded, block }: QuotaProof,
  offered: readonly Remediation[],
  isNowhere: boolean,
): readonly Advice[] {
  const { namespace } = snapshot.workload.metadata;
  const { kind, name } = stalled.failed.owner;
  const surge = Math.max(
    1,
    block.together.length > 1 ? block.together.length : Math.min(stalled.surge, block.failed.missing),
  );
  const lasting = lastingAdvice(stalled.workload, offered);
  return [
    ...(lasting === undefined ? [] : [lasting]),
    ...(isRevisioned(stalled.workload)
      ? adviceOn(stalled.workload).advice(snapshot.index, stalled.workload, stalled.failed.part?.name ?? '')
      : []),
    ...exceeded.map(
      (each): Advice => ({
        title: creation('advice-raise-title', { quota: each.quota }),
        text: isNowhere ? state('advice-raise-and-room', { surge }) : state('advice-raise', { surge }),
        snippet: raisedQuota(each, namespace, surge),
      }),
    ),
    {
      title: state('advice-nudge-title'),
      text: state('advice-nudge', { kind, creator: name, withinSeconds: longestRetrySeconds }),
      snippet: `kubectl -n ${namespace} annotate ${kind.toLowerCase()} ${name} example.com/try-again="$(date +%s)" --overwrite\n`,
    },
  ];
}

/**
 * What frees the rollout as the engines see it, best first. The same proof as for a place on a node: the pods
 * that the controller would stop must free the quota, and the new pod must then find a node.
 */
function remediesFor(examination: Examination, { stalled, block }: QuotaProof): Fixes {
  const { snapshot, placement } = examination;
  const simulator = quotaSimulator(snapshot, placement, block.quotas, block.pod);
  const waiting = [...stalled.blocked, block.pod];
  const undo = rollBackOf(examination, { origin: 'rollout', simulator });
  const pause = Math.min(
    longestRetrySeconds,
    failingForSeconds(snapshot, block.failed) ?? longestRetrySeconds,
  );
  const { name } = stalled.failed.owner;
  const { patches, further } = fixesOfKind(examination, stalled.state, simulator, waiting, {
    step: state('pause-first', { creator: name, withinSeconds: pause }),
    settlesCapacity: false,
  });
  const isRollout = hasSteps(stalled.state);
  return {
    remediations: [
      ...[...patches.remediations, ...further.remediations].map((each) =>
        each.kind === 'abort-rollout' ? each : withPause(each, pause),
      ),
      ...undo.remediations,
    ],
    withheld: [
      {
        kind: 'restart-rollout',
        because: state(isRollout ? 'restart-withheld-rollout' : 'restart-withheld'),
      },
      ...notRecommendedPatches(patches),
      ...further.withheld,
      ...undo.withheld,
    ],
  };
}

/**
 * Once there is room, the creator still sits out its pause, which is by then about as long as it has failed:
 * nobody wakes a ReplicaSet when an old pod of another one goes, and a DaemonSet or StatefulSet that is woken
 * asks before the quota is counted anew.
 */
function withPause(remediation: Remediation, seconds: number): Remediation {
  const { price } = remediation;
  const { downtime } = price;
  return {
    ...remediation,
    price:
      downtime.seconds === undefined
        ? price
        : { ...price, downtime: { ...downtime, seconds: Math.round(downtime.seconds + seconds) } },
  };
}
