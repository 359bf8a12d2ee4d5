import { conditionOf, type ManagedFieldsEntry } from '../../../cluster/metadata.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import type { Deployment } from '../../../cluster/workload.js';
import type { Statement } from '../../../language/statement.js';
import { proposeResumeRollout } from '../../../remediation/kinds/resume-rollout/propose.js';
import type { Withheld } from '../../../remediation/remediation.js';
import { revisionOf } from '../../../rollout/revisions.js';
import { progressEvidence } from '../../deadlock/progress-evidence.js';
import type { FactsOf } from '../../facts.js';
import type { Advice, Evidence } from '../../finding.js';
import { podOracleOf } from '../../pod-oracle-of.js';
import { readinessOf } from '../../readiness-of.js';
import type { Detected, Examination, Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { RolloutPausedFacts } from './facts.js';
import { type Pending, pendingOf } from './pending.js';
import { state, text } from './text.js';

/**
 * An update waits because `spec.paused` is set. The controller then only scales (kubernetes
 * `deployment_controller.go: syncDeployment`). A paused Deployment with nothing pending is no finding.
 */
export const rolloutPaused: Rule<typeof RolloutPausedFacts> = {
  id: 'rollout-paused',
  facts: RolloutPausedFacts,
  text,
  origin: 'surroundings',
  appliesTo: ['Deployment'],
  needs: ['ReplicaSet', 'Pod', 'Node', 'HorizontalPodAutoscaler'],
  supersedes: ['progress-deadline-exceeded'],
  detect(examination) {
    const pending = pendingOf(examination.snapshot);
    return pending && findingOf(examination, pending);
  },
};

function findingOf(examination: Examination, pending: Pending): Detected<typeof RolloutPausedFacts> {
  const { snapshot } = examination;
  const { deployment } = pending.state;
  const ready = readinessOf(snapshot);
  const revision = revisionOf(snapshot);
  const pauser = pauserOf(deployment);
  const resume = proposeResumeRollout({ state: pending.state, oracle: podOracleOf(examination), revision });
  const unread = snapshot.unseen.find(({ what }) => what === 'Pod');
  const facts: Facts = {
    revision,
    pausedBy: pauser?.manager,
    pausedAt: pauser?.time,
    pausedSeconds: pausedForSeconds(snapshot, deployment),
    stage: stageOf(pending),
    updated: pending.newReplicaSet?.status.replicas ?? 0,
    old: pending.old.reduce((total, { status }) => total + status.replicas, 0),
    wanted: deployment.spec.replicas,
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
    withheld: [...resume.withheld, ...vain],
    advice: adviceOf(snapshot),
    weakenedBy: unread === undefined ? [] : [state('pods-unread', { because: unread.because })],
  };
}

const vain: readonly Withheld[] = [
  { kind: 'restart-rollout', because: state('restart-withheld') },
  { kind: 'patch-strategy', because: state('patch-withheld') },
  { kind: 'undo-rollout', because: state('undo-withheld') },
];

/** Who wrote the field, as the API server keeps it; its time is that of the writer's last write of anything. */
function pauserOf({ metadata }: Deployment): ManagedFieldsEntry | undefined {
  return metadata.managedFields.find(({ fieldsV1 }) => {
    const spec = fieldsV1?.['f:spec'];
    return typeof spec === 'object' && spec !== null && 'f:paused' in spec;
  });
}

/** The controller notes when it first sees the pause, unless the progress deadline had passed before. */
function pausedForSeconds(snapshot: Snapshot, { status }: Deployment): number | undefined {
  const progressing = conditionOf(status, 'Progressing');
  if (progressing?.reason !== 'DeploymentPaused') return undefined;
  const since = Date.parse(progressing.lastUpdateTime ?? progressing.lastTransitionTime ?? '');
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

function evidenceOf({ state: rollout, newReplicaSet, old }: Pending): readonly Evidence[] {
  const { metadata, status } = rollout.deployment;
  const { namespace, name } = metadata;
  const object = { kind: 'Deployment', namespace, name };
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

function adviceOf(snapshot: Snapshot): readonly Advice[] {
  const { namespace, name } = snapshot.workload.metadata;
  return [
    {
      title: state('advice-resume-title'),
      text: state('advice-resume'),
      snippet: `kubectl -n ${namespace} rollout resume deployment/${name}\n`,
    },
    {
      title: state('advice-declared-title'),
      text: state('advice-declared', { workload: workloadName(snapshot) }),
    },
  ];
}
