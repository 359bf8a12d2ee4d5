import type { Rollout } from '../../../cluster/argo-rollout.js';
import { conditionOf } from '../../../cluster/metadata.js';
import { nowOf, type Snapshot } from '../../../cluster/snapshot.js';
import { availableOf, isFullyPromoted } from '../../../rollout/argo-rollout/reconciliation.js';
import { rolesOf } from '../../../rollout/argo-rollout/replica-set-roles.js';
import { failedAnalysisOf } from '../../../rollout/argo-rollout/waits.js';
import { revisionNumber } from '../../../rollout/deployment-annotations.js';
import { revisionOf } from '../../../rollout/revisions.js';
import { type ArgoRolloutState, rolloutStateOf } from '../../../rollout/rollout-state.js';
import type { FactsOf } from '../../facts.js';
import type { Evidence } from '../../finding.js';
import type { Detected, Rule } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import { RolloutAbortedFacts } from './facts.js';
import { state, text } from './text.js';

/**
 * The update of a Rollout was aborted by a person, by an analysis that failed, or at its deadline. The
 * controller keeps the stable revision until the template changes or someone retries (argo-rollouts
 * `rollout/pause.go: CalculateAbortStatus`). A note, since nothing is broken: the stable pods have findings
 * of their own. A retry is not offered, since no rule sees why a person aborted. A person who asks for it
 * gets the forecast.
 */
export const rolloutAborted: Rule<typeof RolloutAbortedFacts> = {
  id: 'rollout-aborted',
  facts: RolloutAbortedFacts,
  text,
  origin: 'surroundings',
  appliesTo: ['Rollout'],
  needs: ['ReplicaSet'],
  supersedes: [],
  detect({ snapshot }) {
    const rollout = rolloutStateOf(snapshot);
    if (rollout.kind !== 'Rollout') return undefined;
    const { metadata, status } = rollout.rollout;
    const isOver = !status.abort || isFullyPromoted(rollout.rollout);
    return isOver || metadata.deletionTimestamp !== undefined ? undefined : findingOf(snapshot, rollout);
  },
};

function findingOf(snapshot: Snapshot, rollout: ArgoRolloutState): Detected<typeof RolloutAbortedFacts> {
  const { metadata, spec } = rollout.rollout;
  const facts = factsOf(snapshot, rollout);
  const { revision, stable, abortedAt, failedAnalysis } = facts;
  const { stableReplicaSet } = rolesOf(rollout.rollout, rollout.replicaSets);
  return {
    confidence: 'proven',
    severity: 'info',
    facts,
    summary: state('summary', { workload: workloadName(snapshot), revision }),
    standing: state('standing', {
      stable:
        stableReplicaSet === undefined
          ? undefined
          : {
              revision: stable ?? '',
              available: availableOf([stableReplicaSet]),
              wanted: spec.replicas,
            },
    }),
    reasoning: [
      state('aborted', { revision, at: abortedAt }),
      state(failedAnalysis === undefined ? 'no-analysis-failed' : 'analysis-failed', {
        analysis: failedAnalysis ?? '',
      }),
    ],
    evidence: evidenceOf(rollout.rollout),
    ruledOut: [{ cause: 'surge-deadlock', because: state('because-aborted') }],
    nextAttempt: { what: state('next-attempt') },
    withheld:
      failedAnalysis === undefined ? [] : [{ kind: 'retry-rollout', because: state('analysis-first') }],
    advice: [
      {
        title: state('advice-retry-title'),
        text: state('advice-retry', {
          workload: `rollout/${metadata.name}`,
          namespace: metadata.namespace,
          isReferenced: spec.workloadRef !== undefined,
        }),
        snippet: `kubectl argo rollouts retry rollout ${metadata.name} -n ${metadata.namespace}\n`,
      },
    ],
  };
}

type Facts = FactsOf<typeof RolloutAbortedFacts>;

function factsOf(snapshot: Snapshot, { rollout, replicaSets }: ArgoRolloutState): Facts {
  const { abortedAt } = rollout.status;
  const { stableReplicaSet } = rolesOf(rollout, replicaSets);
  const stable = stableReplicaSet && revisionNumber(stableReplicaSet);
  const since = Date.parse(abortedAt ?? '');
  return {
    revision: revisionOf(snapshot),
    stable: stable === undefined ? undefined : String(stable),
    abortedAt,
    abortedSeconds: Number.isNaN(since) ? undefined : Math.max(0, (nowOf(snapshot) - since) / 1000),
    failedAnalysis: failedAnalysisOf(rollout),
  };
}

function evidenceOf({ metadata, status }: Rollout): readonly Evidence[] {
  const { namespace, name } = metadata;
  const object = { kind: 'Rollout', namespace, name };
  const progressing = conditionOf(status, 'Progressing');
  return [
    { object, field: 'status.abort', value: 'true', at: status.abortedAt, says: state('ev-aborted') },
    ...(progressing === undefined
      ? []
      : [
          {
            object,
            field: 'status.conditions[Progressing]',
            value: `${progressing.status} ${progressing.reason}`,
            at: progressing.lastUpdateTime,
            says: state('ev-message', { message: progressing.message }),
          },
        ]),
  ];
}
