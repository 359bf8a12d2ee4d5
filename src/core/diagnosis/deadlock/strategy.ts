import { conditionOf, type ObjectRef } from '../../cluster/metadata.js';
import type { Snapshot } from '../../cluster/snapshot.js';
import { inRole, type Statement } from '../../language/statement.js';
import { rollingBounds } from '../../rollout/fenceposts.js';
import type { Evidence } from '../finding.js';
import { readinessOf } from '../readiness-of.js';
import type { StuckRollout } from '../stuck-rollout.js';
import { deadlock } from './text.js';

/**
 * Why the controller takes no old pod.
 */
export function strategyStatement({ deployment }: StuckRollout): Statement {
  const { replicas, strategy } = deployment.spec;
  const bounds = rollingBounds(deployment);
  const maxSurge = String(strategy.rollingUpdate?.maxSurge ?? '-');
  const maxUnavailable = String(strategy.rollingUpdate?.maxUnavailable ?? '-');
  return bounds.maxUnavailable === 0
    ? deadlock('strategy-forbids', {
        maxSurge,
        maxUnavailable,
        replicas,
        surge: bounds.maxSurge,
        unavailable: bounds.maxUnavailable,
      })
    : deadlock('strategy-spent', {
        maxSurge,
        maxUnavailable,
        unavailable: bounds.maxUnavailable,
        missing: Math.max(0, replicas - deployment.status.availableReplicas),
      });
}

export function servedStatement(snapshot: Snapshot): Statement {
  const { pods, wanted } = readinessOf(snapshot);
  return inRole('readiness', deadlock('served', { ready: pods, wanted }));
}

/** The strategy as it stands, and what the controller says of its progress. */
export function strategyEvidence({ deployment }: StuckRollout): readonly Evidence[] {
  const { metadata, spec, status } = deployment;
  const object: ObjectRef = { kind: 'Deployment', namespace: metadata.namespace, name: metadata.name };
  const bounds = rollingBounds(deployment);
  const progressing = conditionOf(status, 'Progressing');
  return [
    {
      object,
      field: 'spec.strategy.rollingUpdate',
      value: JSON.stringify(spec.strategy.rollingUpdate ?? {}),
      says: deadlock('ev-strategy', { surge: bounds.maxSurge, unavailable: bounds.maxUnavailable }),
    },
    ...(progressing === undefined
      ? []
      : [
          {
            object,
            field: 'status.conditions[Progressing]',
            value: `${progressing.status} ${progressing.reason}`,
            ...(progressing.lastUpdateTime === undefined ? {} : { at: progressing.lastUpdateTime }),
            says: deadlock('ev-progress', { reason: progressing.reason }),
          },
        ]),
  ];
}
