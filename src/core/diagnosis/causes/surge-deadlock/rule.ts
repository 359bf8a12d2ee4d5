import { conditionOf, type ObjectRef } from '../../../cluster/metadata.js';
import { isTerminating, type Pod } from '../../../cluster/pod.js';
import { nowOf, type Snapshot, type Unseen } from '../../../cluster/snapshot.js';
import type { Statement } from '../../../language/statement.js';
import { podKey } from '../../../placement/pod-key.js';
import { refOf } from '../../../remediation/price-of.js';
import { rollingBounds } from '../../../rollout/fenceposts.js';
import { revisionOf } from '../../../rollout/revisions.js';
import { isOverdue } from '../../../rollout/simulated-time.js';
import type { Evidence, Finding, RuledOut } from '../../finding.js';
import { ownersOf } from '../../owners.js';
import { readinessOf } from '../../readiness-of.js';
import type { Examination, Rule } from '../../rule.js';
import { scaleUpUnderWay } from '../../scale-up-under-way.js';
import {
  isUnschedulable,
  refusedSince,
  type StuckRollout,
  stuckRolloutOf,
  workloadName,
} from '../../stuck-rollout.js';
import { adviceFor } from './advice.js';
import { type Blockage, blockageOf } from './blockage.js';
import { remediesFor } from './remedies.js';
import { state } from './statements.js';

/**
 * The new pod cannot be placed because old pods of the same Deployment hold what it needs, and the controller is at a
 * fixed point, so they will never go: controller → new pod → resource on a node → old pod → controller. It is a
 * deadlock only when nobody else can open the cycle: no autoscaler, no preemption, no pod that leaves by itself.
 */
export const surgeDeadlock: Rule = {
  id: 'surge-deadlock',
  appliesTo: ['Deployment'],
  needs: [
    'ReplicaSet',
    'Pod',
    'Node',
    'Event',
    'Namespace',
    'PersistentVolumeClaim',
    'PersistentVolume',
    'StorageClass',
    'CSINode',
    'VolumeAttachment',
    'ResourceClaim',
    'ResourceClaimTemplate',
    'ResourceSlice',
    'DeviceClass',
    'HorizontalPodAutoscaler',
    'NodeClaim',
  ],
  supersedes: [
    'capacity-contention',
    'insufficient-capacity',
    'unsatisfiable-placement',
    'node-cordoned',
    'scale-up-pending',
    'progress-deadline-exceeded',
    'fragile-strategy',
  ],
  detect(examination) {
    const { snapshot, placement } = examination;
    const rollout = stuckRolloutOf(snapshot);
    if (rollout === undefined) return undefined;
    const waiting = rollout.blocked.filter(isUnschedulable);
    const [pod] = waiting;
    if (pod === undefined || waiting.length < rollout.blocked.length) return undefined;
    if (waiting.some(({ status }) => (status.nominatedNodeName ?? '') !== '')) return undefined;
    const blockage = blockageOf(placement, pod, rollout.holding);
    if (blockage === undefined) return undefined;
    if (isAboutToBeFreed(examination, waiting)) return undefined;
    return findingOf(examination, rollout, waiting, blockage);
  },
};

/** Somebody else opens the cycle: an ordered node, preemption, or pods that are terminating already, and in time. */
function isAboutToBeFreed({ snapshot, placement }: Examination, waiting: readonly Pod[]): boolean {
  if (scaleUpUnderWay(snapshot, waiting) !== undefined) return true;
  if (waiting.some((pod) => placement.canPreempt(pod))) return true;
  const now = nowOf(snapshot);
  const leaving = snapshot.index.objects.Pod.filter((pod) => isTerminating(pod) && !isOverdue(pod, now));
  const without = new Set(leaving.map(podKey));
  return without.size > 0 && waiting.some((pod) => placement.evaluate(pod, { without }).outcome === 'fits');
}

function findingOf(
  examination: Examination,
  rollout: StuckRollout,
  waiting: readonly Pod[],
  blockage: Blockage,
): Finding {
  const { snapshot } = examination;
  const { metadata } = rollout.deployment;
  const { resource, holders, nodes } = blockage;
  const weakenedBy = weakeningOf(examination, blockage);
  return {
    cause: 'surge-deadlock',
    confidence: blockage.certain && weakenedBy.length === 0 ? 'proven' : 'likely',
    severity: 'critical',
    subject: { kind: 'Deployment', namespace: metadata.namespace, name: metadata.name },
    resource,
    nodes: [...nodes],
    holders: holders.map(refOf),
    summary: state('summary', { workload: workloadName(snapshot), resource }),
    standing: state('standing', {
      workload: workloadName(snapshot),
      revision: revisionOf(snapshot),
      stillForSeconds: stillForSeconds(snapshot, waiting),
    }),
    reasoning: reasoningOf(snapshot, rollout, waiting, blockage),
    evidence: evidenceOf(rollout, waiting, blockage),
    ruledOut: ruledOutOf(rollout, blockage),
    nextAttempt: { what: state('next-attempt', {}) },
    owners: ownersOf(snapshot),
    ...remediesFor(examination, rollout, waiting, blockage),
    advice: adviceFor(snapshot, blockage),
    weakenedBy,
  };
}

/** What could not be seen or simulated and might still offer a way that the proof does not know. */
function weakeningOf(
  { snapshot, placement }: Examination,
  { waiting, certain }: Blockage,
): readonly Statement[] {
  const unread = snapshot.unseen.find(({ what }: Unseen) => what === 'Pod' || what === 'Node');
  const evaluation = placement.evaluate(waiting);
  const parts = new Set([
    ...evaluation.notSimulated.map(({ plugin }) => plugin),
    ...evaluation.nodes.flatMap(({ notSimulated }) => notSimulated.map(({ plugin }) => plugin)),
  ]);
  return [
    ...(unread === undefined ? [] : [state('pods-unread', { because: unread.because })]),
    ...(certain || parts.size === 0 ? [] : [state('not-simulated', { parts: [...parts] })]),
  ];
}

function stillForSeconds(snapshot: Snapshot, waiting: readonly Pod[]): number | undefined {
  const since = waiting
    .map((pod) => Date.parse(refusedSince(pod) ?? ''))
    .filter((time) => !Number.isNaN(time));
  if (since.length === 0) return undefined;
  return Math.max(0, (nowOf(snapshot) - Math.max(...since)) / 1000);
}

function reasoningOf(
  snapshot: Snapshot,
  rollout: StuckRollout,
  waiting: readonly Pod[],
  { waiting: pod, openable, resource, amount, holders, others, nodes }: Blockage,
): readonly Statement[] {
  const [best] = openable;
  const { replicas, strategy } = rollout.deployment.spec;
  const bounds = rollingBounds(rollout.deployment);
  const maxSurge = String(strategy.rollingUpdate?.maxSurge ?? '-');
  const maxUnavailable = String(strategy.rollingUpdate?.maxUnavailable ?? '-');
  const ready = readinessOf(snapshot);
  return [
    state('needs', {
      pod: pod.metadata.name,
      waiting: waiting.length,
      resource,
      amount,
      nodes,
      nodesInAll: snapshot.index.objects.Node.length,
    }),
    state('held', { pods: namesOf(holders), nodes, resource, amount }),
    bounds.maxUnavailable === 0
      ? state('strategy-forbids', {
          maxSurge,
          maxUnavailable,
          replicas,
          surge: bounds.maxSurge,
          unavailable: bounds.maxUnavailable,
        })
      : state('strategy-spent', {
          maxSurge,
          maxUnavailable,
          unavailable: bounds.maxUnavailable,
          missing: Math.max(0, replicas - rollout.deployment.status.availableReplicas),
        }),
    state('counterfactual', { pod: pod.metadata.name, without: namesOf(best.remove), node: best.node }),
    ...(others.length > 0 ? [state('also-holding', { pods: qualified(others), resource })] : []),
    state('no-rescue', { resource }),
    state('served', { ready: ready.pods, wanted: ready.wanted }),
  ];
}

function evidenceOf(
  rollout: StuckRollout,
  waiting: readonly Pod[],
  { holders, resource }: Blockage,
): readonly Evidence[] {
  const { metadata, spec, status } = rollout.deployment;
  const object: ObjectRef = { kind: 'Deployment', namespace: metadata.namespace, name: metadata.name };
  const bounds = rollingBounds(rollout.deployment);
  const progressing = conditionOf(status, 'Progressing');
  return [
    ...waiting.map((pod): Evidence => {
      const scheduled = conditionOf(pod.status, 'PodScheduled');
      const at = refusedSince(pod);
      return {
        object: refOf(pod),
        field: 'status.conditions[PodScheduled]',
        value: scheduled?.message ?? '',
        ...(at === undefined ? {} : { at }),
        says: state('ev-unschedulable', { pod: pod.metadata.name }),
      };
    }),
    ...holders.map(
      (pod): Evidence => ({
        object: refOf(pod),
        field: 'spec.nodeName',
        value: pod.spec.nodeName ?? '',
        ...(pod.status.startTime === undefined ? {} : { at: pod.status.startTime }),
        says: state('ev-holder', { pod: pod.metadata.name, resource }),
      }),
    ),
    {
      object,
      field: 'spec.strategy.rollingUpdate',
      value: JSON.stringify(spec.strategy.rollingUpdate ?? {}),
      says: state('ev-strategy', { surge: bounds.maxSurge, unavailable: bounds.maxUnavailable }),
    },
    ...(progressing === undefined
      ? []
      : [
          {
            object,
            field: 'status.conditions[Progressing]',
            value: `${progressing.status} ${progressing.reason}`,
            ...(progressing.lastUpdateTime === undefined ? {} : { at: progressing.lastUpdateTime }),
            says: state('ev-progress', { reason: progressing.reason }),
          },
        ]),
  ];
}

function ruledOutOf(
  rollout: StuckRollout,
  { waiting, holders, openable, resource }: Blockage,
): readonly RuledOut[] {
  const [best] = openable;
  return [
    {
      cause: 'insufficient-capacity',
      because: state('because-fits-without', { pods: namesOf(best.remove) }),
    },
    {
      cause: 'capacity-contention',
      because: state('because-own-pods', { pods: namesOf(holders), resource }),
    },
    { cause: 'scale-up-pending', because: state('because-old-revision', { pods: rollout.holding.length }) },
    { cause: 'waiting-for-autoscaler', because: state('because-no-scale-up', {}) },
    { cause: 'node-cordoned', because: state('because-node-open', { node: best.node }) },
    { cause: 'rollout-paused', because: state('because-not-paused', {}) },
    { cause: 'scheduling-gated', because: state('because-no-gates', {}) },
    {
      cause: 'crash-loop-after-rollout',
      because: state('because-never-started', { pod: waiting.metadata.name }),
    },
    { cause: 'slow rollout', because: state('because-fixed-point', {}) },
  ];
}

function namesOf(pods: readonly Pod[]): readonly string[] {
  return pods.map(({ metadata }) => metadata.name);
}

function qualified(pods: readonly Pod[]): readonly string[] {
  return pods.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
}
