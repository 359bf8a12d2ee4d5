import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import type { Statement } from '../../../language/statement.js';
import { refOf } from '../../../remediation/price-of.js';
import { rollingBounds } from '../../../rollout/fenceposts.js';
import { revisionOf } from '../../../rollout/revisions.js';
import { failingForSeconds } from '../../creation/failed-creation.js';
import { chargeOf } from '../../creation/quota-block.js';
import { longestRetrySeconds } from '../../creation/retry.js';
import type { Evidence, Finding, RuledOut } from '../../finding.js';
import { ownersOf } from '../../owners.js';
import { readinessOf } from '../../readiness-of.js';
import type { Examination, Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { adviceFor } from './advice.js';
import { type QuotaProof, quotaProof } from './proof.js';
import { remediesFor } from './remedies.js';
import { state } from './statements.js';

/**
 * The surge pod is not even created: a quota of the namespace is used up, old pods of the same Deployment are charged
 * for enough of it, and the controller is at a fixed point, so they will never go. No Pending pod exists; the
 * ReplicaSet alone says so (ReplicaFailure, FailedCreate).
 */
export const quotaDeadlock: Rule = {
  id: 'quota-deadlock',
  appliesTo: ['Deployment'],
  needs: [
    'ReplicaSet',
    'Pod',
    'Node',
    'Event',
    'Namespace',
    'ResourceQuota',
    'LimitRange',
    'PriorityClass',
    'HorizontalPodAutoscaler',
  ],
  supersedes: ['quota-exceeded', 'progress-deadline-exceeded', 'fragile-strategy'],
  detect(examination) {
    const proof = quotaProof(examination.snapshot);
    return proof && findingOf(examination, proof);
  },
};

function findingOf(examination: Examination, proof: QuotaProof): Finding {
  const { snapshot } = examination;
  const { rollout, exceeded, holders, block } = proof;
  const { metadata } = rollout.deployment;
  const weakenedBy = weakeningOf(snapshot, proof);
  return {
    cause: 'quota-deadlock',
    confidence: weakenedBy.length === 0 ? 'proven' : 'likely',
    severity: 'critical',
    subject: { kind: 'Deployment', namespace: metadata.namespace, name: metadata.name },
    resource: exceeded[0].resources[0]?.resource ?? '',
    nodes: [],
    holders: holders.map(refOf),
    summary: state('summary', { workload: workloadName(snapshot), quota: exceeded[0].quota }),
    standing: state('standing', {
      revision: revisionOf(snapshot),
      stillForSeconds: failingForSeconds(snapshot, block.failed),
    }),
    reasoning: reasoningOf(snapshot, proof),
    evidence: evidenceOf(snapshot, proof),
    ruledOut: ruledOutOf(proof),
    nextAttempt: {
      what: state('next-attempt', {
        replicaSet: rollout.newReplicaSet.metadata.name,
        withinSeconds: longestRetrySeconds,
      }),
    },
    owners: ownersOf(snapshot),
    ...remediesFor(examination, proof),
    advice: adviceFor(snapshot, proof),
    weakenedBy,
  };
}

/** What was not seen, or speaks against the quota as the whole story. */
function weakeningOf({ unseen }: Snapshot, { block, rollout, jobs }: QuotaProof): readonly Statement[] {
  const unread = unseen.find(({ what }) => what === 'Pod');
  return [
    ...(block.unread ? [state('quota-unread', { quota: block.said.quota })] : []),
    ...(unread === undefined ? [] : [state('pods-unread', { because: unread.because })]),
    ...(block.differs
      ? [state('request-differs', { resource: block.said.resources[0]?.resource ?? '' })]
      : []),
    ...(rollout.blocked.length === 0
      ? []
      : [state('others-wait', { pods: rollout.blocked.map(({ metadata }) => metadata.name) })]),
    ...(jobs.length === 0
      ? []
      : [state('jobs-may-finish', { pods: jobs.map(({ metadata }) => metadata.name) })]),
  ];
}

function reasoningOf(snapshot: Snapshot, proof: QuotaProof): readonly Statement[] {
  const { rollout, exceeded, holders, release, block } = proof;
  const short = exceeded.flatMap(({ quota, resources }) => resources.map((one) => ({ quota, ...one })));
  const [first, ...more] = short;
  const ready = readinessOf(snapshot);
  return [
    ...(first === undefined
      ? []
      : [
          state('refused', {
            replicaSet: rollout.newReplicaSet.metadata.name,
            missing: block.failed.missing,
            ...first,
          }),
          ...more.map((one) => state('refused-too', one)),
          state('held', {
            pods: namesOf(holders),
            resource: first.resource,
            charged: chargeOf(block, holders, first.resource, nowOf(snapshot)),
            used: first.used,
          }),
        ]),
    strategyOf(proof),
    state('counterfactual', { without: namesOf(release) }),
    state('no-rescue', { quota: exceeded[0].quota }),
    state('served', { ready: ready.pods, wanted: ready.wanted }),
  ];
}

function strategyOf({ rollout }: QuotaProof): Statement {
  const { spec, status } = rollout.deployment;
  const bounds = rollingBounds(rollout.deployment);
  const maxSurge = String(spec.strategy.rollingUpdate?.maxSurge ?? '-');
  const maxUnavailable = String(spec.strategy.rollingUpdate?.maxUnavailable ?? '-');
  const unavailable = bounds.maxUnavailable;
  if (unavailable === 0) {
    const { replicas } = spec;
    return state('strategy-forbids', {
      maxSurge,
      maxUnavailable,
      replicas,
      surge: bounds.maxSurge,
      unavailable,
    });
  }
  const missing = Math.max(0, spec.replicas - status.availableReplicas);
  return state('strategy-spent', { maxSurge, maxUnavailable, unavailable, missing });
}

function evidenceOf(snapshot: Snapshot, proof: QuotaProof): readonly Evidence[] {
  const { rollout, exceeded, holders, block } = proof;
  const { metadata, spec } = rollout.deployment;
  const { failed } = block;
  const now = nowOf(snapshot);
  const bounds = rollingBounds(rollout.deployment);
  const resource = exceeded[0].resources[0]?.resource ?? '';
  return [
    {
      object: failed.saidBy,
      field: failed.field,
      value: failed.message,
      ...(failed.lastSeen === undefined ? {} : { at: failed.lastSeen }),
      says: state('ev-refused', { replicaSet: rollout.newReplicaSet.metadata.name }),
    },
    ...exceeded.flatMap(({ quota, resources }) =>
      resources.map(
        (one): Evidence => ({
          object: { kind: 'ResourceQuota', namespace: metadata.namespace, name: quota },
          field: `status.used[${one.resource}]`,
          value: `${one.used} / ${one.limited}`,
          says: state('ev-quota', { resource: one.resource }),
        }),
      ),
    ),
    ...holders.map(
      (pod): Evidence => ({
        object: refOf(pod),
        field: 'spec.containers[*].resources',
        value: `${resource}=${chargeOf(block, [pod], resource, now)}`,
        ...(pod.metadata.creationTimestamp === undefined ? {} : { at: pod.metadata.creationTimestamp }),
        says: state('ev-holder', { resource, charged: chargeOf(block, [pod], resource, now) }),
      }),
    ),
    {
      object: { kind: 'Deployment', namespace: metadata.namespace, name: metadata.name },
      field: 'spec.strategy.rollingUpdate',
      value: JSON.stringify(spec.strategy.rollingUpdate ?? {}),
      says: state('ev-strategy', { surge: bounds.maxSurge, unavailable: bounds.maxUnavailable }),
    },
  ];
}

function ruledOutOf({ rollout, release }: QuotaProof): readonly RuledOut[] {
  return [
    {
      cause: 'surge-deadlock',
      because: state('because-no-pod', { replicaSet: rollout.newReplicaSet.metadata.name }),
    },
    { cause: 'quota-exceeded', because: state('because-own-pods', { pods: namesOf(release) }) },
    { cause: 'admission-denied', because: state('because-quota-only', {}) },
    { cause: 'rollout-paused', because: state('because-not-paused', {}) },
    { cause: 'slow rollout', because: state('because-fixed-point', {}) },
  ];
}

function namesOf(pods: readonly { readonly metadata: { readonly name: string } }[]): readonly string[] {
  return pods.map(({ metadata }) => metadata.name);
}
