import { type Condition, conditionOf } from '../../../cluster/metadata.js';
import { isActive, isReady, type Pod } from '../../../cluster/pod.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { isUnread } from '../../../cluster/unread.js';
import type { Deployment } from '../../../cluster/workload.js';
import { refOf } from '../../../remediation/price-of.js';
import { newPods, revisionOf } from '../../../rollout/revisions.js';
import { type DeploymentState, rolloutStateOf } from '../../../rollout/rollout-state.js';
import { isAboutToBePlaced } from '../../about-to-be-placed.js';
import { deadlock } from '../../deadlock/text.js';
import type { Evidence, Finding } from '../../finding.js';
import { troubleOf } from '../../pod-trouble.js';
import { readinessOf } from '../../readiness-of.js';
import type { Detected, Examination, Rule } from '../../rule.js';
import { isUnschedulable, workloadName } from '../../stuck-rollout.js';
import { ProgressDeadlineExceededFacts } from './facts.js';
import { state, text } from './text.js';

/**
 * The controller's own note that a rollout made no progress in time (kubernetes `deployment_util.go:
 * DeploymentTimedOut`). It says that, and not why: every cause that explains it supersedes it.
 */
export const progressDeadlineExceeded: Rule<typeof ProgressDeadlineExceededFacts> = {
  id: 'progress-deadline-exceeded',
  facts: ProgressDeadlineExceededFacts,
  text,
  origin: 'rollout',
  appliesTo: ['Deployment'],
  needs: ['ReplicaSet', 'Pod', 'Node', 'HorizontalPodAutoscaler'],
  supersedes: [],
  detect(examination) {
    const rollout = rolloutStateOf(examination.snapshot);
    if (rollout.kind !== 'Deployment') return undefined;
    const timedOut = timedOutCondition(rollout.deployment);
    if (timedOut === undefined || goesOnByItself(examination, rollout)) return undefined;
    return findingOf(examination, rollout, timedOut);
  },
};

/** The condition, where it is about the present spec and the rollout is not done after all. */
function timedOutCondition({ metadata, spec, status }: Deployment): Condition | undefined {
  const progressing = conditionOf(status, 'Progressing');
  if (progressing?.reason !== 'ProgressDeadlineExceeded' || progressing.status !== 'False') return undefined;
  if (spec.paused || metadata.deletionTimestamp !== undefined) return undefined;
  if (status.observedGeneration < (metadata.generation ?? 0)) return undefined;
  const { replicas, updatedReplicas, availableReplicas } = status;
  const isDone =
    updatedReplicas === spec.replicas && replicas === spec.replicas && availableReplicas >= spec.replicas;
  return isDone ? undefined : progressing;
}

/**
 * All that the new revision still lacks are pods whose places become free without anybody's help. Where there
 * is room already and the scheduler has not taken it, something is unknown.
 */
function goesOnByItself(examination: Examination, rollout: DeploymentState): boolean {
  const { snapshot, placement } = examination;
  const waiting = newPods(rollout).filter((pod) => isActive(pod) && !isReady(pod));
  return (
    waiting.length > 0 &&
    waiting.every(
      (pod) =>
        isUnschedulable(pod) &&
        placement.evaluate(pod).outcome !== 'fits' &&
        isAboutToBePlaced(examination, pod),
    ) &&
    !isUnread(snapshot, 'Pod', 'Node')
  );
}

function findingOf(
  { snapshot }: Examination,
  rollout: DeploymentState,
  timedOut: Condition,
): Detected<typeof ProgressDeadlineExceededFacts> {
  const { metadata, spec, status } = rollout.deployment;
  const { namespace } = metadata;
  const { progressDeadlineSeconds: deadlineSeconds } = spec;
  const ready = readinessOf(snapshot);
  const exceededAt = Date.parse(timedOut.lastUpdateTime ?? timedOut.lastTransitionTime ?? '');
  const isDated = !Number.isNaN(exceededAt);
  const waiting = newPods(rollout).filter((pod) => isActive(pod) && !isReady(pod));
  const facts = {
    revision: revisionOf(snapshot),
    deadlineSeconds,
    exceededSeconds: isDated ? Math.max(0, (nowOf(snapshot) - exceededAt) / 1000) : undefined,
    updated: status.updatedReplicas,
    available: status.availableReplicas,
    old: Math.max(0, status.replicas - status.updatedReplicas),
    wanted: spec.replicas,
    notReady: waiting.map((pod) => ({ pod: pod.metadata.name, ...troubleOf(pod) })),
  };
  const { updated, available, old, wanted } = facts;
  const weakenedBy = unreadOf(snapshot);
  return {
    confidence: 'possible',
    facts,
    summary: state(weakenedBy.length === 0 ? 'summary' : 'summary-unread', {
      workload: workloadName(snapshot),
    }),
    standing: state('standing', {
      revision: facts.revision,
      forSeconds: facts.exceededSeconds,
      ready: ready.pods,
      wanted: ready.wanted,
    }),
    reasoning: [
      state('no-progress', {
        deadlineSeconds,
        since: isDated ? new Date(exceededAt - deadlineSeconds * 1000).toISOString() : undefined,
      }),
      state('counts', { updated, available, old, wanted }),
      ...(facts.notReady.length === 0 ? [] : [state('not-ready', { pods: facts.notReady })]),
      state('unexplained'),
      state('goes-on'),
    ],
    evidence: evidenceOf(rollout.deployment, timedOut, waiting),
    ruledOut: [{ cause: 'rollout-paused', because: deadlock('because-not-paused') }],
    nextAttempt: { what: state('next-attempt') },
    withheld: [{ kind: 'restart-rollout', because: state('restart-withheld') }],
    advice: [
      {
        title: state('advice-look-title'),
        text: state('advice-look'),
        snippet: `kubectl -n ${namespace} describe deployment,replicaset,pod -l ${selectorOf(rollout.deployment)}\n`,
      },
      {
        title: state('advice-deadline-title'),
        text: state('advice-deadline', { deadlineSeconds }),
      },
    ],
    weakenedBy,
  };
}

function selectorOf({ spec }: Deployment): string {
  return Object.entries(spec.selector.matchLabels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');
}

function evidenceOf(
  { metadata }: Deployment,
  timedOut: Condition,
  waiting: readonly Pod[],
): readonly Evidence[] {
  return [
    {
      object: { kind: 'Deployment', namespace: metadata.namespace, name: metadata.name },
      field: 'status.conditions[Progressing]',
      value: `${timedOut.status} ${timedOut.reason}: ${timedOut.message}`,
      at: timedOut.lastUpdateTime,
      says: state('ev-progress'),
    },
    ...waiting.slice(0, 5).map((pod): Evidence => {
      const ready = conditionOf(pod.status, 'Ready');
      return {
        object: refOf(pod),
        field: 'status.conditions[Ready]',
        value: troubleOf(pod).reason,
        ...(ready?.lastTransitionTime === undefined ? {} : { at: ready.lastTransitionTime }),
        says: state('ev-pod'),
      };
    }),
  ];
}

function unreadOf({ unseen }: Snapshot): Finding['weakenedBy'] {
  const kinds = [
    ...new Set(unseen.filter(({ because }) => because !== 'not-served').map(({ what }) => what)),
  ];
  return kinds.length === 0 ? [] : [state('unread', { kinds })];
}
