import { inRole, type Statement } from '../../../engine/language/statement.js';
import { type Condition, conditionOf, type ObjectRef } from '../../../engine/objects/metadata.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import type { Offer } from '../../fixes/offered-fields.js';
import type { NotRecommended, Remediation } from '../../fixes/remediation.js';
import type { Evidence } from '../finding.js';
import { readinessOf } from '../readiness-of.js';
import type { StuckRollout } from '../stuck-rollout.js';
import { strategyFactsOf } from './facts.js';
import { deadlock } from './text.js';

/**
 * Why the controller takes no old pod.
 */
export function strategyStatement({ deployment }: StuckRollout): Statement {
  const { maxSurge, maxUnavailable, replicas, surge, unavailable, missing } = strategyFactsOf(deployment);
  return unavailable === 0
    ? deadlock('strategy-forbids', { maxSurge, maxUnavailable, replicas, surge, unavailable })
    : deadlock('strategy-spent', { maxSurge, maxUnavailable, unavailable, missing });
}

export function servedStatement(snapshot: Snapshot): Statement {
  const { pods, wanted } = readinessOf(snapshot);
  return inRole('readiness', deadlock('served', { ready: pods, wanted }));
}

/** The strategy as it stands, and what the controller says of its progress. */
export function strategyEvidence({ deployment }: StuckRollout): readonly Evidence[] {
  const { metadata, spec, status } = deployment;
  const object: ObjectRef = { kind: 'Deployment', namespace: metadata.namespace, name: metadata.name };
  const { surge, unavailable } = strategyFactsOf(deployment);
  return [
    {
      object,
      field: 'spec.strategy.rollingUpdate',
      value: JSON.stringify(spec.strategy.rollingUpdate ?? {}),
      says: deadlock('ev-strategy', { surge, unavailable }),
    },
    ...progressEvidence(object, status),
  ];
}

/**
 * Why a change of the strategy is not offered; without a reason of its own, that none was seen to complete
 * the rollout.
 */
export function notRecommendedPatches({
  remediations,
  withheld,
}: Offer<Remediation>): readonly NotRecommended[] {
  if (remediations.length + withheld.length > 0) return withheld;
  return [{ kind: 'patch-strategy', because: deadlock('patch-withheld') }];
}

/**
 * What the controller says of the progress of a Deployment or Rollout; nothing where it has not said
 * anything.
 */
export function progressEvidence(
  object: ObjectRef,
  status: { readonly conditions: readonly Condition[] },
): readonly Evidence[] {
  const progressing = conditionOf(status, 'Progressing');
  if (progressing === undefined) return [];
  const { status: value, reason, lastUpdateTime } = progressing;
  return [
    {
      object,
      field: 'status.conditions[Progressing]',
      value: `${value} ${reason}`,
      at: lastUpdateTime,
      says: deadlock('ev-progress', { reason }),
    },
  ];
}
