import type { Statement } from '../../../engine/language/statement.js';
import type { Rollout } from '../../../engine/objects/argo-rollout.js';
import { conditionOf, type ManagedFieldsEntry } from '../../../engine/objects/metadata.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import { isUnreadNearby, unreadOf } from '../../../engine/objects/unread.js';
import type { ReplicaSet, Workload } from '../../../engine/objects/workload.js';
import { hasDeploymentStrategy, hasReplicaSets, hasSteps } from '../../../engine/objects/workload.js';
import { besideUnreadQueue } from '../../../engine/queues/queue-simulator.js';
import { hashOf } from '../../../engine/workloads/argo-rollout/replica-set-roles.js';
import { pausesAgain } from '../../../engine/workloads/argo-rollout/rollout-change.js';
import type { PodSimulator } from '../../../engine/workloads/pod-simulator.js';
import { isActiveReplicaSet, revisionOf, revisionsOf } from '../../../engine/workloads/revisions.js';
import type { ArgoRolloutState, DeploymentState } from '../../../engine/workloads/rollout-state.js';
import { rolloutStateOf, workloadIn } from '../../../engine/workloads/rollout-state.js';
import { progressEvidence } from '../../findings/deadlock/strategy.js';
import type { FactsOf } from '../../findings/facts.js';
import type { Advice, Evidence } from '../../findings/finding.js';
import { podSimulatorOf } from '../../findings/pod-simulator-of.js';
import { readinessOf } from '../../findings/readiness-of.js';
import type { Detected, Examination, Rule } from '../../findings/rule.js';
import { workloadName } from '../../findings/stuck-rollout.js';
import { withoutFailedStarts } from '../../fixes/forecast-change.js';
import { proposeAbortRollout } from '../../fixes/kinds/abort-rollout.js';
import { proposeResumeRollout, sentence as resumeState } from '../../fixes/kinds/resume-rollout.js';
import { nothingOffered, notRecommended } from '../../fixes/offered-fields.js';
import type { FieldChange } from '../../fixes/plan.js';
import { refusalStatement } from '../../fixes/refusals.js';
import type { NotRecommended } from '../../fixes/remediation.js';
import { templateChanges } from '../../fixes/template-changes.js';
import { checkSimulator } from '../../forecasts/check-simulator.js';
import { type Held, heldOf, RolloutPausedFacts, trafficOf } from './held.js';
import { state, text } from './text.js';

/**
 * An update waits because `spec.paused` is set. The controller then only scales (kubernetes
 * `deployment_controller.go: syncDeployment`, argo-rollouts `rollout/context.go: reconcile`). Without a
 * pending update it is no finding. A pause that the strategy of a Rollout asks for is a note, unless an
 * analysis came to no conclusion.
 */
export const rolloutPaused: Rule<typeof RolloutPausedFacts> = {
  id: 'rollout-paused',
  facts: RolloutPausedFacts,
  text,
  origin: 'surroundings',
  appliesTo: ['Deployment', 'Rollout'],
  needs: [
    'ReplicaSet',
    'Pod',
    'Node',
    'HorizontalPodAutoscaler',
    'ResourceQuota',
    'LimitRange',
    'PriorityClass',
  ],
  supersedes: ['progress-deadline-exceeded'],
  detect(examination) {
    const { snapshot } = examination;
    const held = heldOf(snapshot);
    if (held !== undefined) return heldFinding(examination, held);
    const pending = pendingOf(snapshot);
    return pending && findingOf(examination, pending);
  },
};

function findingOf(examination: Examination, pending: Pending): Detected<typeof RolloutPausedFacts> {
  const { snapshot } = examination;
  const { workload } = snapshot;
  const ready = readinessOf(snapshot);
  const revision = revisionOf(snapshot);
  const pauser = pauserOf(workload);
  const forecast = proposeResumeRollout({
    state: pending.state,
    simulator: simulatorOf(examination),
    revision,
  });
  // A quota that was not read may refuse the new pods.
  const resume: typeof forecast =
    forecast.remediations.length > 0 && isUnreadNearby(snapshot, 'ResourceQuota')
      ? notRecommended('resume-rollout', resumeState('withheld-unknown'))
      : forecast;
  const unread = unreadOf(snapshot, 'Pod');
  const facts: Facts = {
    revision,
    pausedBy: pauser?.manager,
    pausedAt: pauser?.time,
    pausedSeconds: pausedForSeconds(snapshot, pending.state),
    stage: stageOf(pending),
    updated: pending.newReplicaSet?.status.replicas ?? 0,
    old: pending.old.reduce((total, { status }) => total + status.replicas, 0),
    wanted: ready.wanted,
    changes: pending.changes,
  };
  return {
    confidence: 'proven',
    facts,
    summary: state('summary', { workload: workloadName(snapshot) }),
    standing: state('standing', {
      revision,
      forSeconds: facts.pausedSeconds,
      ready: ready.pods,
      wanted: ready.wanted,
    }),
    reasoning: [
      state('paused', { by: facts.pausedBy, at: facts.pausedAt }),
      stageStatement(facts),
      ...(facts.changes.length === 0 ? [] : [state('differs', { changes: facts.changes })]),
      state('scaling-works'),
    ],
    evidence: evidenceOf(pending),
    ruledOut: [
      { cause: 'surge-deadlock', because: state('because-no-attempt') },
      { cause: 'progress-deadline-exceeded', because: state('because-no-attempt') },
    ],
    nextAttempt: { what: state('next-attempt') },
    remediations: [...resume.remediations],
    withheld: [...resume.withheld, ...vainFor[pending.state.kind]],
    advice: adviceOf(snapshot, resume.remediations.length > 0),
    weakenedBy: unread === undefined ? [] : [state('pods-unread', { because: unread.because })],
  };
}

/** Pods that a quota would refuse are not created. */
function simulatorOf(examination: Examination): PodSimulator {
  const { snapshot, placement } = examination;
  const { index, workload } = snapshot;
  const checked = checkSimulator({ index, placement, now: nowOf(snapshot), workload }, 'first');
  // A check names the nodes that were not read. Here they leave open whether the rollout completes.
  const { mayBePlaced } = podSimulatorOf(examination);
  const simulator = { ...checked, ...(mayBePlaced === undefined ? {} : { mayBePlaced }) };
  return besideUnreadQueue(withoutFailedStarts(rolloutStateOf(snapshot), simulator), workload);
}

const vainFor: Readonly<Record<Pending['state']['kind'], readonly NotRecommended[]>> = {
  Deployment: [
    { kind: 'restart-rollout', because: state('restart-withheld') },
    { kind: 'patch-strategy', because: state('patch-withheld') },
    { kind: 'undo-rollout', because: state('undo-withheld') },
  ],
  Rollout: [
    { kind: 'patch-strategy', because: state('patch-withheld') },
    { kind: 'undo-rollout', because: state('undo-waits') },
  ],
};

/**
 * Who wrote the field, as the API server keeps it; its time is that of the writer's last write of anything.
 */
function pauserOf({ metadata }: Workload): ManagedFieldsEntry | undefined {
  return metadata.managedFields.find(({ fieldsV1 }) => {
    const spec = fieldsV1?.['f:spec'];
    return typeof spec === 'object' && spec !== null && 'f:paused' in spec;
  });
}

/** The controller notes when it first sees the pause, unless the progress deadline had passed before. */
function pausedForSeconds(snapshot: Snapshot, state: Pending['state']): number | undefined {
  const { status } = workloadIn(state);
  const progressing = conditionOf(status, 'Progressing');
  if (progressing?.reason !== pausedReasons[state.kind]) return undefined;
  return secondsSince(snapshot, progressing.lastUpdateTime ?? progressing.lastTransitionTime);
}

/**
 * Of the condition Progressing (kubernetes `deployment_util.go: PausedDeployReason`, argo-rollouts
 * `conditions.go: RolloutPausedReason`).
 */
const pausedReasons = { Deployment: 'DeploymentPaused', Rollout: 'RolloutPaused' } as const;

function secondsSince(snapshot: Snapshot, time: string | undefined): number | undefined {
  const since = Date.parse(time ?? '');
  return Number.isNaN(since) ? undefined : Math.max(0, (nowOf(snapshot) - since) / 1000);
}

type Facts = FactsOf<typeof RolloutPausedFacts>;

function stageOf({ newReplicaSet, old }: Pending): Facts['stage'] {
  if (newReplicaSet !== undefined && newReplicaSet.spec.replicas > 0) return 'half-way';
  return old.length === 0 ? 'never-begun' : 'not-begun';
}

function stageStatement({ stage, revision, updated, old, wanted }: Facts): Statement {
  switch (stage) {
    case 'never-begun':
      return state('never-begun');
    case 'not-begun':
      return state('not-begun', { revision });
    case 'half-way':
      return state('half-way', { revision, updated, old, wanted });
  }
}

function evidenceOf({ state: paused, newReplicaSet, old }: Pending): readonly Evidence[] {
  const { kind, metadata, status } = workloadIn(paused);
  const { namespace, name } = metadata;
  const object = { kind, namespace, name };
  return [
    { object, field: 'spec.paused', value: 'true', says: state('ev-paused') },
    ...progressEvidence(object, status),
    ...(newReplicaSet === undefined
      ? []
      : [
          {
            object: { kind: 'ReplicaSet', namespace, name: newReplicaSet.metadata.name },
            field: 'spec.replicas',
            value: String(newReplicaSet.spec.replicas),
            says: state('ev-new', { replicas: newReplicaSet.spec.replicas }),
          },
        ]),
    ...old.map(
      (replicaSet): Evidence => ({
        object: { kind: 'ReplicaSet', namespace, name: replicaSet.metadata.name },
        field: 'spec.replicas',
        value: String(replicaSet.spec.replicas),
        says: state('ev-old', { replicas: replicaSet.spec.replicas }),
      }),
    ),
  ];
}

/** @param goesOn the rollout completes once it is resumed as it is */
function adviceOf(snapshot: Snapshot, goesOn: boolean): readonly Advice[] {
  const { kind, metadata } = snapshot.workload;
  const { namespace, name } = metadata;
  return [
    goesOn
      ? {
          title: state('advice-resume-title'),
          text: state('advice-resume'),
          snippet: hasSteps({ kind })
            ? `kubectl -n ${namespace} patch rollout/${name} --type=merge -p '{"spec":{"paused":false}}'\n`
            : `kubectl -n ${namespace} rollout resume deployment/${name}\n`,
        }
      : { title: state('advice-resume-title'), text: state('advice-mend-first') },
    {
      title: state('advice-declared-title'),
      text: state('advice-declared', { workload: workloadName(snapshot) }),
    },
  ];
}

/** What a paused Deployment or Rollout would do if it were not. */
interface Pending {
  readonly state: DeploymentState | ArgoRolloutState;
  /** `undefined` until the controller makes it. */
  readonly newReplicaSet: ReplicaSet | undefined;
  /** Older ReplicaSets with replicas, newest first. */
  readonly old: readonly ReplicaSet[];
  /** Fields of the template in which the newest of those differs; values as text. */
  readonly changes: readonly { readonly path: string; readonly after: string }[];
}

/** `undefined` when it is not paused, or nothing waits for it to be resumed. */
function pendingOf(snapshot: Snapshot): Pending | undefined {
  const state = rolloutStateOf(snapshot);
  if (!hasReplicaSets(state)) return undefined;
  const { metadata, spec } = workloadIn(state);
  if (!spec.paused || spec.replicas === 0 || metadata.deletionTimestamp !== undefined) return undefined;
  const { newReplicaSet, oldReplicaSets } = revisionsOf(state);
  if (hasSteps(state) && hasNothingPending(state.rollout, newReplicaSet)) return undefined;
  const unread = isUnreadNearby(snapshot, 'ReplicaSet');
  if (unread && newReplicaSet === undefined) return undefined;
  const old = oldReplicaSets.filter(isActiveReplicaSet).reverse();
  if (newReplicaSet !== undefined && old.length === 0) return undefined;
  const changes = pendingChanges(state, newReplicaSet, old[0]);
  return {
    state,
    newReplicaSet,
    old,
    changes: changes.map(({ path, after }) => ({ path, after: textOf(after) })),
  };
}

/** The pods that a promoted revision replaced may stay up for a while. */
function hasNothingPending({ status }: Rollout, newReplicaSet: ReplicaSet | undefined): boolean {
  return status.abort || (newReplicaSet !== undefined && hashOf(newReplicaSet) === status.stableRS);
}

/**
 * The template of a Rollout is stored as it was written, those of its ReplicaSets with defaults: without a
 * new ReplicaSet, a field that it lacks may be a default.
 */
function pendingChanges(
  state: Pending['state'],
  newReplicaSet: ReplicaSet | undefined,
  latest: ReplicaSet | undefined,
): readonly FieldChange[] {
  if (latest === undefined) return [];
  const former = latest.spec.template.raw;
  if (hasDeploymentStrategy(state)) return templateChanges(former, state.deployment.spec.template.raw);
  return newReplicaSet === undefined
    ? templateChanges(former, state.rollout.spec.template.raw).filter(({ after }) => after !== undefined)
    : templateChanges(former, newReplicaSet.spec.template.raw);
}

function textOf(value: unknown): string {
  if (value === undefined) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/**
 * What a person has to decide about an update of Argo Rollouts. A promotion is not offered, since no rule
 * sees whether the new revision is good. An abort is offered only where an analysis could not tell it either.
 */
function heldFinding(examination: Examination, held: Held): Detected<typeof RolloutPausedFacts> {
  const { snapshot } = examination;
  const { rollout, at, since, step, steps } = held;
  const { metadata, status } = rollout;
  const { namespace, name } = metadata;
  const ready = readinessOf(snapshot);
  const revision = revisionOf(snapshot);
  const workload = workloadName(snapshot);
  const began = Date.parse(since ?? '');
  const pausedSeconds = Number.isNaN(began) ? undefined : Math.max(0, (nowOf(snapshot) - began) / 1000);
  const object = { kind: 'Rollout', namespace, name };
  const updated = status.updatedReplicas;
  const isPausedAgain = pausesAgain(rollout);
  const rest = rolloutStateOf(snapshot);
  const abort =
    at === 'analysis' && hasSteps(rest)
      ? proposeAbortRollout({ state: rest, simulator: podSimulatorOf(examination) })
      : nothingOffered;
  return {
    confidence: 'proven',
    ...(at === 'analysis' ? {} : { severity: 'info' }),
    facts: {
      revision,
      heldAt: at,
      step,
      steps,
      pausedAt: since,
      pausedSeconds,
      stage: updated > 0 ? 'half-way' : 'not-begun',
      updated,
      old: Math.max(0, status.replicas - updated),
      wanted: ready.wanted,
      changes: [],
    },
    summary: state(`held-at-${at}`, { workload, step, of: steps }),
    standing: state('held-standing', { revision, forSeconds: pausedSeconds, traffic: trafficOf(rollout) }),
    reasoning: [
      state(at === 'analysis' ? 'no-conclusion' : 'pause-is-declared'),
      state('half-way', {
        revision,
        updated,
        old: Math.max(0, status.replicas - updated),
        wanted: ready.wanted,
      }),
    ],
    evidence: [
      ...status.pauseConditions.map(({ reason, startTime }) => ({
        object,
        field: 'status.pauseConditions',
        value: reason,
        at: startTime,
        says: state('ev-held'),
      })),
      ...progressEvidence(object, status),
    ],
    ruledOut: [{ cause: 'surge-deadlock', because: state('because-no-attempt') }],
    nextAttempt: { what: state('next-attempt-held') },
    remediations: [...abort.remediations],
    withheld: [
      {
        kind: 'promote-rollout',
        because: isPausedAgain
          ? refusalStatement('pauses-again', { workload })
          : state('promote-withheld', { workload }),
      },
      ...abort.withheld,
      ...(at === 'analysis' ? [{ kind: 'undo-rollout', because: state('undo-is-abort') } as const] : []),
    ],
    advice: [
      {
        title: state('advice-promote-title'),
        text: state(isPausedAgain ? 'advice-experiment' : 'advice-promote', {
          workload: `rollout/${name}`,
          namespace,
        }),
        snippet: `kubectl argo rollouts promote ${name} -n ${namespace}${isPausedAgain ? ' --full' : ''}\nkubectl argo rollouts abort ${name} -n ${namespace}\n`,
      },
    ],
  };
}
