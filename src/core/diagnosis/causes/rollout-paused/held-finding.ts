import { nowOf } from '../../../cluster/snapshot.js';
import { proposeAbortRollout } from '../../../remediation/kinds/abort-rollout/propose.js';
import { nothingOffered } from '../../../remediation/offer.js';
import { refusalStatement } from '../../../remediation/refusals.js';
import { pausesAgain } from '../../../rollout/argo-rollout/promotion.js';
import { revisionOf } from '../../../rollout/revisions.js';
import { rolloutStateOf } from '../../../rollout/rollout-state.js';
import { progressEvidence } from '../../deadlock/progress-evidence.js';
import { podSimulatorOf } from '../../pod-oracle-of.js';
import { readinessOf } from '../../readiness-of.js';
import type { Detected, Examination } from '../../rule.js';
import { workloadName } from '../../stuck-rollout.js';
import type { RolloutPausedFacts } from './facts.js';
import { type Held, trafficOf } from './held.js';
import { state } from './text.js';

/**
 * What a person has to decide about an update of Argo Rollouts. A promotion is not offered, since no rule
 * sees whether the new revision is good. An abort is offered only where an analysis could not tell it either.
 */
export function heldFinding(examination: Examination, held: Held): Detected<typeof RolloutPausedFacts> {
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
    at === 'analysis' && rest.kind === 'Rollout'
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
