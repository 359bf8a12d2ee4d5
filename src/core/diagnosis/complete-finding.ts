import type { Snapshot } from '../cluster/snapshot.js';
import { ownersOf } from './owners.js';
import { readinessOf } from './readiness-of.js';
import type { AnyRule, Detected, Suspected } from './rule.js';

/**
 * The finding that a rule detected, with what is the same for all rules: the workload is the subject, its
 * other writers are the owners, and a list that the rule left out is empty. Severity, where left out, is
 * critical when no pod is ready although some should be, else a warning.
 */
export function completeFinding({ id }: AnyRule, snapshot: Snapshot, detected: Detected): Suspected {
  const { kind, metadata } = snapshot.workload;
  const { pods, wanted } = readinessOf(snapshot);
  const {
    confidence,
    ruledOut = [],
    owners = ownersOf(snapshot),
    remediations = [],
    withheld = [],
    advice = [],
    weakenedBy = [],
    ...rest
  } = detected;
  return {
    cause: id,
    confidence,
    severity: pods === 0 && wanted > 0 ? 'critical' : 'warning',
    subject: { kind, namespace: metadata.namespace, name: metadata.name },
    nodes: [],
    holders: [],
    ...rest,
    ruledOut,
    owners,
    remediations,
    withheld,
    advice,
    weakenedBy,
  };
}
